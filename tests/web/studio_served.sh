#!/bin/bash
# The page as the program serves it.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
long_only
"$MINGLE_RELEASE" studio --help >/dev/null 2>&1 || { echo "skipped: this program serves no page"; exit 77; }
run_page_tests served
