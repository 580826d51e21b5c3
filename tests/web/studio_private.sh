#!/bin/bash
# The page in Chromium: perturbed columns are called not true, differentially private jobs run once.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
run_page_tests private
