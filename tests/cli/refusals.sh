#!/bin/bash
# Every refusal of tests/refusals through the program.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
exec python3 "$SOURCE/tests/refusals/program.py" "$MINGLE" "$SOURCE/tests/refusals/refusals.json"
