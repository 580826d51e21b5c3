#!/bin/bash
# Population uniques against their definitions, in exact or plainly summed arithmetic.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
if found=$(python3 "$SOURCE/tests/cli/population_uniques.py" "$MINGLE_RELEASE" 2>&1); then
    ok "population uniques"
else
    not_ok "population uniques" "$found"
fi
finish
