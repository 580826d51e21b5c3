#!/bin/bash
# Microaggregation: groups hold, and are released as what they have in common.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge averages 300
