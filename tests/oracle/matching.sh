#!/bin/bash
# Local suppression where a suppressed cell matches every value.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge matching 200
