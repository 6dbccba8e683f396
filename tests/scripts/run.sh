#!/bin/sh
# What ./tippe and ./check say while they build and when they close: scripts/setup.sh and scripts/parts.sh, tried with a build and
# parts made here. Usage: run.sh FOLDER_OF_THE_PROJECT
scripts=$(readlink -f "$1")/scripts
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

# expect WHAT PATTERN FILE, and the same for what must not stand there.
expect() { grep -qE -- "$2" "$3" || { printf 'FAILED: %s: no line matches %s in\n' "$1" "$2"; cat "$3"; failures=$((failures + 1)); }; }
reject() { ! grep -qE -- "$2" "$3" || { printf 'FAILED: %s: a line matches %s in\n' "$1" "$2"; cat "$3"; failures=$((failures + 1)); }; }
expect_status() { [ "$2" -eq "$3" ] || { printf 'FAILED: %s: status %s, expected %s\n' "$1" "$2" "$3"; failures=$((failures + 1)); }; }

# A folder with 25 steps; with a name, one of them is a file with an error.
make_build() {
  mkdir -p "$1"
  {
    printf 'rule step\n  command = true $out && touch $out\nrule wrong\n  command = echo "wrong.cpp:3:7: error: no such thing" && false\n'
    seq -f 'build step%g: step' 25
    [ -z "${2:-}" ] || printf 'build %s: wrong\n' "$2"
    printf 'build all: phony %s %s\ndefault all\n' "$(seq -s ' ' -f 'step%g' 25)" "${2:-}"
  } >"$1/build.ninja"
  printf 'CMAKE_PROJECT_NAME:STATIC=tried\nCMAKE_MAKE_PROGRAM:FILEPATH=%s\nCMAKE_GENERATOR:INTERNAL=Ninja\nCMAKE_EXTRA_GENERATOR:INTERNAL=\n' "$(command -v ninja)" >"$1/CMakeCache.txt"
}
# shell COMMANDS: with the scripts loaded.
cat >shell <<SHELL
. "$scripts/setup.sh"
. "$scripts/parts.sh"
SHELL
shell() { sh -c ". '$folder/shell'; $1"; }

# A build says beforehand about how long it takes, and nothing more if it succeeds.
make_build good
shell 'build_jobs() { echo 2; }; build good "building it" 600' >out 2>&1
expect_status "a good build" $? 0
expect "time" '^tippe: building it: about 5 min with 2 at once, once$' out
reject "a good build is quiet" 'error|touch' out
shell 'build good "building it" 600' >out 2>&1
expect_status "nothing to build" $? 0
[ ! -s out ] || { echo "FAILED: a build with nothing to do is not silent"; cat out; failures=$((failures + 1)); }

# One that fails shows the compiler's message and what to do.
make_build bad wrong.o
shell 'build bad "building it" 600' >out 2>&1
[ $? -ne 0 ] || { echo "FAILED: a failed build passes"; failures=$((failures + 1)); }
expect "the compiler's message" '^wrong.cpp:3:7: error: no such thing$' out
expect "what happened" '^tippe: building it failed; the messages are above$' out
expect "what to do" 'remove the folder bad and try again' out
reject "steps that succeeded" 'touch' out

# Progress: without a terminal a line from time to time, on one a line that is rewritten.
cat >progress <<'SHELL'
{ printf '1 3 one\n'; printf '2 3 two\n'; sleep 1.5; printf '3 3 three\n'; } | show_progress "building it" log
SHELL
shell "progress_interval=1; . ./progress" >out 2>&1
expect "progress elsewhere" '^tippe: building it, step 2 of 3$' out
: >log
if command -v script >/dev/null; then
  script -qec "sh -c '. ./shell; . ./progress'" typescript >out 2>&1 </dev/null
  tr '\r' '\n' <typescript >lines
  for step in 1 2 3; do expect "progress on a terminal" "tippe: building it, step $step of 3" lines; done
  lines_used=$(grep -c '' typescript)
  [ "$lines_used" -le 3 ] || { echo "FAILED: progress takes more than one line of the terminal"; cat typescript; failures=$((failures + 1)); }
fi

# The closing lines of a check.
cat >parts <<'SHELL'
work=$PWD/work; rm -rf "$work"; mkdir "$work"; built=yes
check_good() { close "12 tests"; }
check_tool() { cannot_run "no fitting tool"; }
check_wrong() { fail "1 of 3 tests"; }
check_quick() { close "all files"; }
SHELL
# The status of the parts named, with CI as given.
closing() {
  ci=$1
  shift
  for part in "$@"; do commands="${commands:-} run_part $part;"; done
  CI=$ci sh -c ". ./shell; . ./parts; $commands close_parts $*" >out 2>&1
  status=$?
  commands=""
}
closing "" good quick
expect_status "all pass" $status 0
expect "a part that passed" '^ *good +passed +[0-9]+ s  12 tests$' out
closing "" good tool
expect_status "a part without its tool" $status 0
expect "why it did not run" '^ *tool +NOT RUN +[0-9]+ s  no fitting tool$' out
expect "the last line names it" '^tippe: not run: tool;' out
closing true good tool
expect_status "a part without its tool in CI" $status 1
closing "" good wrong quick
expect_status "a part that fails" $status 1
expect "a part that failed" '^ *wrong +FAILED +[0-9]+ s  1 of 3 tests$' out
expect "parts behind it run" '^ *quick +passed' out
sed -i 's/built=yes/built=no/' parts
closing "" good
expect "without a library nothing is tried" 'NOT RUN .* no library' out

[ $failures -eq 0 ] && echo "passed"
exit $failures
