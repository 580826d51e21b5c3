#!/bin/bash
# The page studio.html: every key of a job has a form, and a job opens as it was.
set -u
. "$SOURCE/tests/web/studio.bash"
run_page_tests forms
