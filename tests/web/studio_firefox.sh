#!/bin/bash
# The page studio.html in Firefox.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
long_only
command -v firefox-esr >/dev/null || { echo "skipped: there is no firefox-esr"; exit 77; }
make_page || exit
node "$SOURCE/web/studio/tests/firefox.mjs"
