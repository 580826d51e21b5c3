#!/bin/bash
# Every refusal of tests/refusals on the page in Chromium.
set -u
. "$SOURCE/tests/web/studio.bash"
export PACKAGE=$BUILD-wasm/mingle
run_page_tests refusals
