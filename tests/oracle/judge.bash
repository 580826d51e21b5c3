# shellcheck shell=bash
# judge NAME JOBS: the first JOBS random jobs of a judge. MGL_ORACLE=asan takes the program with
# sanitizers, which needs about ten times as long.
judge() {
    local program=$MINGLE_RELEASE
    [ "${MGL_ORACLE:-}" = asan ] && program=$MINGLE
    [ -z "${MGL_TEST_LONG:-}" ] || set -- "$1" $((10 * $2))
    python3 -B "$SOURCE/tests/oracle/run.py" "$1" --jobs "$2" --program "$program" --folder "$PWD"
}
