#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package, and small
# The package for npm: its tests by Node's runner on what make wasm has made.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
"$MAKE_PATIENTS" patients.csv 400
PACKAGE=$package PATIENTS=$PWD/patients.csv node --test "$SOURCE"/web/mingle/test/*.test.mjs >output 2>&1
code=$?
[ $code = 0 ] || cat output
exit $code
