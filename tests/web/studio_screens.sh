#!/bin/bash
# The page studio.html: what a person does on single screens.
set -u
. "$SOURCE/tests/web/studio.bash"
long_only
run_page_tests screens
