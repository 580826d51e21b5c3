#!/bin/bash
# The oracle itself, against the figures of the papers.
. "$(dirname "$0")/../support/by_hand.bash"
exec python3 -B "$SOURCE/tests/oracle/golden.py"
