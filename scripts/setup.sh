# Sourced by ./tippe and ./check: installs what is missing on Debian and builds. Everything is said on standard error, so
# that standard output belongs to the program.

# What building the program needs.
program_packages="g++ cmake ninja-build libeigen3-dev libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev libhdf5-dev zlib1g-dev libcpp-httplib-dev"
# What the tests need beside that.
test_packages="libgtest-dev"
# What sweeps by several processes need beside that, and with it the tests of them.
mpi_packages="libopenmpi-dev openmpi-bin"
# What judges the format of the code.
format_packages="clang-format-14"
# What the Python module and its tests need beside that.
python_packages="python3-venv python3-dev"
# What the fuzz targets need beside that.
fuzz_packages="clang libclang-rt-14-dev"

say() { printf 'tippe: %s\n' "$*" >&2; }

# require_packages NAME...: installs those that are missing.
require_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    return 0 # not Debian: CMake will say what it misses
  fi
  missing=""
  for package in "$@"; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || state=""
    [ "$state" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

  as_root=""
  if [ "$(id -u)" -ne 0 ]; then
    as_root="sudo"
    if ! command -v sudo >/dev/null; then
      say "these packages are missing:$missing"
      say "install them as root, or install sudo, and try again"
      return 1
    fi
  fi
  say "installing (once):$missing"
  install_log=$(mktemp)
  if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$install_log" 2>&1 </dev/null; then
    cat "$install_log" >&2
    rm -f "$install_log"
    say "the packages could not be installed"
    return 1
  fi
  rm -f "$install_log"
}

# How many files to compile at once: one per processor, as long as each has 1.5 GB of memory.
build_jobs() {
  jobs=$(nproc 2>/dev/null) || jobs=1
  free=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null) || free=""
  [ -n "$free" ] && [ "$free" -lt "$jobs" ] && jobs=$free
  [ "$jobs" -ge 1 ] || jobs=1
  echo "$jobs"
}

# show_progress WHAT LOG: keeps the lines of Ninja in LOG and says how far it is: on a terminal in one line that is rewritten,
# elsewhere every half minute. The lines begin with "done total".
show_progress() {
  ticker=""
  if [ ! -t 2 ]; then
    # What is left of it when it is killed must not hold a pipe open that somebody waits for the end of.
    while sleep "${progress_interval:-30}" >/dev/null 2>&1; do
      say "$1, step $(awk '/^[0-9]+ [0-9]+ / { step = $1 " of " $2 } END { print step ? step : "0" }' "$2")"
    done &
    ticker=$!
  fi
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$2"
    step=${line%% *}
    rest=${line#* }
    total=${rest%% *}
    case "$step$total" in *[!0-9]* | "") continue ;; esac
    [ -n "$ticker" ] || printf '\r\033[Ktippe: %s, step %s of %s' "$1" "$step" "$total" >&2
  done
  if [ -n "$ticker" ]; then kill "$ticker" 2>/dev/null; else printf '\r\033[K' >&2; fi
}

# build FOLDER WHAT CPU_SECONDS [TARGET]: builds what changed in a configured folder; shows how far it is, then only failures. CPU_SECONDS is
# about what building everything takes, to tell beforehand how long that is.
build() {
  jobs=$(build_jobs)
  arguments="--parallel $jobs"
  [ -z "${4:-}" ] || arguments="$arguments --target $4"
  pending=$(ninja -C "$1" -n ${4:-all} 2>/dev/null | awk '/^\[/ { n++ } END { print n + 0 }')
  [ "$pending" -lt 20 ] || say "$2: about $((($3 / jobs + 59) / 60)) min with $jobs at once, once"
  build_log=$(mktemp)
  build_result=$(mktemp)
  {
    NINJA_STATUS="%f %t " cmake --build "$1" $arguments 2>&1
    echo $? >"$build_result"
  } | show_progress "$2" "$build_log"
  status=$(cat "$build_result")
  if [ "$status" != 0 ]; then
    grep -Ev '^([0-9]+ [0-9]+ |ninja: (Entering directory|build stopped))' "$build_log" >&2 || tail -n 30 "$build_log" >&2
    say "$2 failed; the messages are above"
    say "if packages or the compiler changed since the last build, remove the folder $1 and try again"
  fi
  rm -f "$build_log" "$build_result"
  return "${status:-1}"
}

# configure PRESET: with a message only if it fails.
configure() {
  configure_log=$(mktemp)
  if ! cmake --preset "$1" >"$configure_log" 2>&1; then
    cat "$configure_log" >&2
    rm -f "$configure_log"
    say "the configuration failed; the messages of CMake are above. On Debian, these packages are needed: $program_packages"
    return 1
  fi
  rm -f "$configure_log"
}
