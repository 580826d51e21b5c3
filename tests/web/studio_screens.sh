#!/bin/bash
# The page studio.html: what a person does on single screens.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests screens
