#!/usr/bin/env bash
# The README's tables and outputs are what the program prints.
set -eu
"$MAKE_PATIENTS" patients.csv
"$SOURCE/scripts/readme" "$MINGLE" . >made.md
diff -u "$SOURCE/README.md" made.md || {
    echo "run: scripts/readme build/mingle build/example > new && mv new README.md"
    exit 1
}
