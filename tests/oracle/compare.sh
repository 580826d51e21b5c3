#!/bin/bash
# mingle compare: each method says what anonymize says of it.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge compare 150
