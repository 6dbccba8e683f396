# Sourced by ./check: runs the parts of a check, each a function check_NAME, and closes with one line for each. It needs scripts/setup.sh,
# an empty folder $work, and $built: "no" while there is no library that the other parts could be tried with.

# What a part leaves here is its closing line: "1697 tests", or why it could not run. Its result: 0 passed, 3 could not run, else failed.
close() { printf '%s\n' "$*" >"$closing"; }
cannot_run() {
  close "$*"
  return 3
}
fail() {
  close "$*"
  return 1
}

# run_part NAME: leaves the result and the seconds in files of its own, so that two may run at the same time.
run_part() {
  log=$work/$1.log
  closing=$work/$1.closing
  : >"$closing"
  begin=$(date +%s)
  if [ $built = yes ] || [ "$1" = format ]; then
    say "checking: $1"
    check_$1
  else
    cannot_run "there is no library to try it with"
  fi
  echo "$? $(($(date +%s) - begin))" >"$work/$1.result"
}

# close_parts NAME...: the closing lines, and as status whether all passed. Parts that could not run fail it where CI is set.
close_parts() {
  summary=""
  verdict=0
  not_run=""
  for part in "$@"; do
    read -r result seconds <"$work/$part.result"
    case $result in
      0) outcome=passed ;;
      3) outcome="NOT RUN" not_run="$not_run $part" ;;
      *) outcome=FAILED verdict=1 ;;
    esac
    summary="$summary$(printf '  %-8s %-7s %4d s  %s' "$part" "$outcome" "$seconds" "$(cat "$work/$part.closing")")
"
  done
  printf '\n%s' "$summary"
  if [ -n "$not_run" ]; then
    say "not run:$not_run; the lines above say what is missing"
    [ -z "${CI:-}" ] || verdict=1
  fi
  return $verdict
}
