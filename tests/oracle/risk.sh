#!/bin/bash
# mingle risk: intruders, sets of columns, special uniques, population uniques.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge risk 300
