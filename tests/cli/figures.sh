#!/bin/bash
# The aggregates that reports are drawn from, against plain counting.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
if found=$(python3 "$SOURCE/tests/cli/figures.py" "$MINGLE_RELEASE" 2>&1); then ok "figures"; else
    not_ok "figures" "$found"
fi
finish
