#!/bin/bash
# Differential privacy by sampling and k: rate, k, what is released and what results tell.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge differential 120
