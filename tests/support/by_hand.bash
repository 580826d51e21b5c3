# Read by each script that looks at these variables or writes files: run by hand, not by tests/run, it
# gets what that gives it, the variables and a scratch folder of its own, so that nothing of the
# project is touched.
if [ -z "${RESULTS:-}" ]; then
    script_by_hand=$(realpath "$0")
    SOURCE=${SOURCE:-$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")}
    BUILD=${BUILD:-$SOURCE/build}
    case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
    VARIANT_BUILD=${VARIANT_BUILD:-$BUILD-asan}
    MINGLE_RELEASE=${MINGLE_RELEASE:-$BUILD/mingle}
    # The program with sanitizers is for the scripts that ask for it, as in tests/run.
    if [ -z "${MGL_SANITIZED:-}" ] && ! grep -qE '^# (slow|sanitized): ' "$script_by_hand"; then
        MINGLE=${MINGLE:-$MINGLE_RELEASE}
    fi
    MINGLE=${MINGLE:-$VARIANT_BUILD/mingle}
    MAKE_PATIENTS=${MAKE_PATIENTS:-$BUILD/make-patients}
    [ ! -d "$SOURCE/../shared" ] || SHARED=${SHARED:-$(realpath "$SOURCE/../shared")}
    export SOURCE BUILD VARIANT_BUILD MINGLE MINGLE_RELEASE MAKE_PATIENTS ${SHARED:+SHARED}
    export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=0:handle_segv=2:allocator_may_return_null=1}
    scratch_by_hand=$(mktemp -d)
    trap 'chmod -R u+w "$scratch_by_hand"; rm -rf "$scratch_by_hand"' EXIT
    cd "$scratch_by_hand" || exit
fi
