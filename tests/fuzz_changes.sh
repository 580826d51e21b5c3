#!/bin/bash
# Feeds each fuzz target its corpus, and many small changes of it.
# slow: millions of damaged bytes, the same in each run
MGL_FUZZ_SHARE=1 exec "$SOURCE/tests/fuzz.sh"
