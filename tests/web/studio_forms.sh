#!/bin/bash
# The page studio.html: every key of a job has a form, and a job opens as it was.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
run_page_tests forms
