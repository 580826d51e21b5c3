#!/bin/bash
# The page studio.html with a table of 100 MB.
set -u
. "$SOURCE/tests/web/studio.bash"
[ -n "${MGL_TEST_LONG:-}" ] || { echo "skipped: a table of 100 MB (MGL_TEST_LONG=1)"; exit 77; }
run_page_tests large
