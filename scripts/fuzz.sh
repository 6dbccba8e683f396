#!/bin/sh
# fuzz.sh SECONDS TARGET [CORPUS]: runs one libFuzzer target of tests/fuzz, which the preset `fuzz` must have built. What
# it finds lies in build/fuzz/findings, and the exit code is not 0. New inputs go into CORPUS, if one is named.
root=$(dirname "$(readlink -f "$0")")/..
cd "$root" || exit 1
seconds=$1
target=$2
found=${3:-$(mktemp -d)}
mkdir -p "$found" build/fuzz/findings

seeds=tests/fuzz/corpus/$target
longest=4096
leaks=1
[ "$target" = scene ] && seeds="$seeds scenes"
if [ "$target" = problem ]; then
  seeds=build/fuzz/problem_seeds
  longest=16384
  leaks=0 # HDF5 itself leaks on damaged files
  build/fuzz/tests/fuzz/problem_seeds "$seeds" || exit 1
fi
# The seed is fixed and the lengths are those of real scenes and small problems, so that a minute is well spent. A scene may repeat a law a hundred
# thousand times: slow and large under the sanitizers by right, so a time-out ends the run without being a finding.
build/fuzz/tests/fuzz/fuzz_"$target" -max_total_time="$seconds" -seed=1 -max_len=$longest -detect_leaks=$leaks -timeout=10 -timeout_exitcode=0 -rss_limit_mb=8192 \
  -dict=tests/fuzz/"$target".dict -artifact_prefix=build/fuzz/findings/"$target"- -print_final_stats=1 -verbosity=1 \
  "$found" $seeds
result=$?
[ -n "$3" ] || rm -rf "$found"
exit $result
