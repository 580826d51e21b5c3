#!/bin/bash
# Drawn tables: how many identifiers an advised job releases, how many harmless columns it drops.
. "$(dirname "$0")/../support/by_hand.bash"
export PYTHONDONTWRITEBYTECODE=1
MINGLE=${MINGLE_RELEASE:-$MINGLE} exec python3 "$SOURCE/tests/identities/draw.py" "$@"
