#!/bin/bash
# Several quasi-identifiers: every method protects each of them on its own.
. "$SOURCE/tests/cli/support.bash"

truth "releases of every method hold on each set, and bounds are true" \
    python3 "$SOURCE/tests/cli/several_sets.py" "$MINGLE" 3 24
