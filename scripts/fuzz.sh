#!/bin/sh
# fuzz.sh SECONDS TARGET [CORPUS]: runs one libFuzzer target of tests/fuzz, which must have been built. What
# it finds lies in build/fuzz/findings, and the exit code is not 0. New inputs go into CORPUS, if one is named.
root=$(dirname "$(readlink -f "$0")")/..
cd "$root" || exit 1
seconds=$1
target=$2
found=${3:-$(mktemp -d)}
mkdir -p "$found" build/fuzz/findings

seeds=tests/fuzz/corpus/$target
[ "$target" = scene ] && seeds="$seeds scenes"
[ -d "tests/fuzz/corpus/$target" ] || seeds=""
dictionary=""
[ -e "tests/fuzz/$target.dict" ] && dictionary=-dict=tests/fuzz/$target.dict
# The seed is fixed and the lengths are those of real scenes, so that a minute is well spent. A scene may repeat a law a hundred
# thousand times: slow and large under the sanitizers by right, so a time-out ends the run without being a finding.
build/fuzz/fuzz_"$target" -max_total_time="$seconds" -seed=1 -max_len=4096 -timeout=10 -timeout_exitcode=0 -rss_limit_mb=8192 \
  $dictionary -artifact_prefix=build/fuzz/findings/"$target"- -print_final_stats=1 -verbosity=1 \
  "$found" $seeds
result=$?
[ -n "$3" ] || rm -rf "$found"
exit $result
