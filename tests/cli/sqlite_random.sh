#!/bin/bash
# Random jobs inside SQLite against the same jobs on files. TIMES says how many, SEED which.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
if "$MINGLE" check 'sqlite:none.db?table=t' --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    echo "skipped: no SQLite"
    exit 77
fi
truth "random jobs give the rows of files" python3 -B "$SOURCE/tests/cli/random_roads.py" "$MINGLE" sqlite \
    "${TIMES:-25}" "${SEED:-1}"
finish
