# Sourced by ./tippe and ./check: installs what is missing on Debian and builds. Everything is said on standard error, so
# that standard output belongs to the program.

# What building the program needs.
program_packages="g++ cmake ninja-build libeigen3-dev libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev libhdf5-dev libcpp-httplib-dev"
# What the tests need beside that.
test_packages="libgtest-dev"
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
  log=$(mktemp)
  if ! { $as_root apt-get update && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    rm -f "$log"
    say "the packages could not be installed"
    return 1
  fi
  rm -f "$log"
}

# build_preset NAME: configures once, then builds what changed; prints only failures.
build_preset() {
  (
    cd "$root" || exit 1
    log=$(mktemp)
    if [ ! -f "build/$1/build.ninja" ]; then
      say "building in build/$1 (a few minutes, once)"
      cmake --preset "$1" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; say "the configuration failed"; exit 1; }
    fi
    cmake --build --preset "$1" >"$log" 2>&1 || { cat "$log" >&2; rm -f "$log"; say "the build failed"; exit 1; }
    rm -f "$log"
  )
}
