#!/bin/bash
# Mondrian, k-member, local suppression: what is released holds and is told truly.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge methods 400
