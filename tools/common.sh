# Shared by the scripts in tools/ and .ci/; sourced, not run.
set -euo pipefail
MEDLEY_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$MEDLEY_ROOT"

say() { printf '\n== %s\n' "$*" >&2; }
fail() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }
has() { command -v "$1" >/dev/null 2>&1; }

# The comment block at the head of a script is its help.
help_of() { awk 'NR > 1 && !/^#/ {exit} NR > 1 {sub(/^# ?/, ""); print}' "$1"; }

# One compiler per core, but no more than memory has room for (about 1.5 GiB each).
jobs_that_fit() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ {print int($2 / 1572864)}' /proc/meminfo)
    [ "$memory" -ge 1 ] || memory=1
    echo $((cores < memory ? cores : memory))
}

# build PRESET [TARGET...]: configure and build; quiet unless something is wrong.
build() {
    local preset=$1
    shift
    say "building ($preset${*:+: $*})"
    cmake --preset "$preset" --log-level=WARNING >/dev/null || return 1
    cmake --build "build/$preset" --parallel "$(jobs_that_fit)" ${1:+--target "$@"} >&2
}

# run_ctest PRESET [OPTIONS...]: every test of a build, with a report in build/PRESET/tests.xml.
run_ctest() {
    local preset=$1
    shift
    ctest --test-dir "build/$preset" --parallel "$(nproc)" --output-on-failure --no-tests=error --no-label-summary \
        --output-junit tests.xml "$@"
}
