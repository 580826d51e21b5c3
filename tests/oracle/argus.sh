#!/bin/bash
# mu-Argus step by step.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge argus 300
