#!/bin/sh
# What more threads gain in a sweep: the same points with 1, 2, 4, ... threads up to all cores, three times each, and how much faster the best of
# each is than the best with one thread. The machine must have nothing else to do.
#
#   bench/sweep_scaling.sh [THREADS]       default: all cores
#   bench/sweep_scaling.sh --mpi [RANKS]   the same by so many processes of mpirun, one of which hands out the points
#
# short: 10,000 runs of 100 steps, where reading, writing and starting threads show; long: 2,000 runs of 20,000 steps; table: 1000 amplitudes of
# the ball on the vibrating table, 200 + 100 impacts each, event-driven.
root=$(dirname "$(dirname "$(readlink -f "$0")")")
tippe=${TIPPE:-$root/build/release/src/tippe}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

by=threads
if [ "${1:-}" = --mpi ]; then
  by=processes
  shift
fi
most=${1:-$(nproc)}

# sweep COUNT ARGUMENT...: prints how long the points took, in s.
sweep() {
  count=$1
  shift
  if [ $by = threads ]; then
    "$tippe" sweep "$@" --jobs "$count" --no-report --out "$out"
  else
    mpirun -n "$((count + 1))" "$tippe" sweep "$@" --no-report --out "$out"
  fi | sed -n 's/^[0-9]* points in \([0-9.e+-]*\) s: .*/\1/p'
}

measure() {
  name=$1
  shift
  first=""
  count=1
  while [ "$count" -le "$most" ]; do
    best=""
    for _ in 1 2 3; do
      time=$(sweep "$count" "$@")
      [ -n "$time" ] || exit 1
      best=$(awk -v a="$time" -v b="${best:-inf}" 'BEGIN { print (b == "inf" || a < b) ? a : b }')
    done
    first=${first:-$best}
    awk -v name="$name" -v by=$by -v n="$count" -v t="$best" -v one="$first" 'BEGIN { printf "%-6s %3d %-9s %9.3f s  %6.2f times\n", name, n, by, t, one / t }'
    [ "$count" -lt "$most" ] || break
    count=$((2 * count))
    [ "$count" -le "$most" ] || count=$most
  done
}

pendulum=$root/scenes/impacting_pendulum.toml
measure short "$pendulum" --vary epsilon=0.5:0.9:100 --vary phi=0.2:0.9:100 --until "100*1e-4"
measure long "$pendulum" --vary epsilon=0.5:0.9:20 --vary phi=0.2:0.9:100 --until "20000*1e-4"
measure table "$root/scenes/vibrating_table.toml" --vary A=0.001:0.004:1000 --section impact:table
