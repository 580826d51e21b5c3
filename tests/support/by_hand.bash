# Read by scripts that write files: run by hand, not by tests/run, they get what it gives them, the
# variables and a scratch folder of their own, so that nothing of the project is touched.
if [ -z "${RESULTS:-}" ]; then
    SOURCE=${SOURCE:-$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")}
    BUILD=${BUILD:-$SOURCE/build}
    VARIANT_BUILD=${VARIANT_BUILD:-$BUILD-asan}
    MINGLE=${MINGLE:-$VARIANT_BUILD/mingle}
    MINGLE_RELEASE=${MINGLE_RELEASE:-$BUILD/mingle}
    MAKE_PATIENTS=${MAKE_PATIENTS:-$BUILD/make-patients}
    export SOURCE BUILD VARIANT_BUILD MINGLE MINGLE_RELEASE MAKE_PATIENTS
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    cd "$scratch" || exit
fi
