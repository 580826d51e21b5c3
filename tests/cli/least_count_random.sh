#!/bin/bash
# --least-count on small random tables: lattices, best nodes and best releases by plain enumeration.
# slow: random jobs in databases beside the same jobs on files
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
truth "random tables are counted, searched and proved right" \
    python3 "$SOURCE/tests/cli/least_count_random.py" "$MINGLE" 7 60
finish
