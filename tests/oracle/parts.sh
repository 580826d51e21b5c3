#!/bin/bash
# Slices: counted, searched together, released one by one.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge parts 150
