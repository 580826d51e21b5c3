#!/bin/bash
# The page studio.html with a table of 100 MB.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests large
