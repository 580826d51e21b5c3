#!/bin/bash
# The optimized program under valgrind, on the example with a thousand rows: reads of
# uninitialized memory are what the sanitizers do not see.
set -eu
. "$(dirname "$0")/support/by_hand.bash"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
[ -x "$MAKE_PATIENTS" ] && [ -x "$MINGLE_RELEASE" ] ||
    { echo "skipped: no program is built"; exit 77; }
find "$SOURCE/examples/patients" -maxdepth 1 -type f ! -name '*.[ch]' -exec cp {} . \;
"$MAKE_PATIENTS" patients.csv 1000
valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
    "$MINGLE_RELEASE" anonymize job.yaml --threads 2 --quiet -o release.csv
[ -s release.csv ]
