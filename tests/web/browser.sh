#!/bin/bash
# shellcheck disable=SC2154 # what is sourced sets package
# The package for npm in Debian's Chromium: engines in workers, with threads in pages that are isolated.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/package.bash"
BROWSER=$(command -v chromium) || { echo "skipped: there is no chromium"; exit 77; }
"$MAKE_PATIENTS" patients.csv 400
export BROWSER PACKAGE=$package PATIENTS=$PWD/patients.csv
node "$SOURCE/tests/web/browser.mjs"
