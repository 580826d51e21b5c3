#!/bin/bash
# Every refusal of tests/refusals on the page in Chromium.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/web/studio.bash"
export PACKAGE=$BUILD-wasm/mingle
run_page_tests refusals
