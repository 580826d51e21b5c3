#!/bin/bash
# Releases after an earlier one of the same table: what both reveal holds the models.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge history 300
