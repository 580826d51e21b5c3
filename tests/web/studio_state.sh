#!/bin/bash
# The page studio.html: undo, what is kept, keyboard, screen reader, widths.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests state
