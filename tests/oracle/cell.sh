#!/bin/bash
# Cell-level releases against every release there is.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge cell 300
