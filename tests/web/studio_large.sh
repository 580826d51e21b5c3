#!/bin/bash
# The page studio.html with a table of 100 MB.
set -u
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests large
