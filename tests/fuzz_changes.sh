#!/bin/bash
# Feeds each fuzz target its corpus, and many small changes of it.
# slow: millions of damaged bytes, the same in each run
. "$(dirname "$0")/support/by_hand.bash"
MGL_FUZZ_SHARE=1 exec "$SOURCE/tests/fuzz.sh"
