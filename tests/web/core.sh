#!/bin/bash
# Tests of the core (core_tests.txt) as programs of WebAssembly, by Node. make test-wasm builds them.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
unset MGL_TEST_LONG
. "$SOURCE/tests/web/package.bash"
if [ ! -e "$BUILD-wasm/tests/unit/test_text_scan.js" ]; then
    echo "skipped: the tests of the core are not built for WebAssembly; make test-wasm builds them"
    exit 77
fi
status=0
while read -r name; do
    # The linker's script of this emscripten takes a fetch for that of a browser.
    node --no-experimental-fetch "$BUILD-wasm/tests/$name.js" || status=1
done < <(grep -v '^#' "$SOURCE/tests/web/core_tests.txt")
exit $status
