#!/bin/bash
# The page studio.html: hostile and wrong files, cancelled runs, requests and navigation.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
run_page_tests careful
