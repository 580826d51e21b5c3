#!/bin/bash
# check --against: honest results agree with their releases, changed ones do not.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge audit 200
