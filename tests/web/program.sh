#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package, and small
# The program in WebAssembly does what the native one does: releases of every method and format are
# equal byte for byte, and results to a relative 1e-12. MGL_TEST_LONG=1 compares all jobs that the
# architectures are compared with.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
few=methods
[ -z "${MGL_TEST_LONG:-}" ] || few=
# shellcheck disable=SC2086 # no argument is meant
python3 "$SOURCE/tests/arch/compare.py" "$MINGLE_RELEASE" "node $package/bin/mingle.mjs" $few
