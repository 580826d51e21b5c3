#!/bin/bash
# The page studio.html: undo, what is kept, keyboard, screen reader, widths.
set -u
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests state
