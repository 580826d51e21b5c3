#!/bin/bash
# Several quasi-identifiers: each holds on its own projection, and the best node is found.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge sets 400
