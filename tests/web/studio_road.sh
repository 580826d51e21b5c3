#!/bin/bash
# The page studio.html: from a table to a release that the program makes as well, for three tables.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
run_page_tests road
