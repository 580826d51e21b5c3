#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package
# The package for npm in Debian's Firefox: engines in workers, with threads in pages that are isolated.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
[ -n "${MGL_TEST_LONG:-}" ] || { echo "skipped: it takes long (make test-wasm)"; exit 77; }
BROWSER=$(command -v firefox-esr) || { echo "skipped: there is no firefox-esr"; exit 77; }
"$MAKE_PATIENTS" patients.csv 400
export BROWSER PACKAGE=$package PATIENTS=$PWD/patients.csv
node "$SOURCE/tests/web/browser.mjs"
