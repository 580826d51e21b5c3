#!/bin/bash
# mingle check: models and their strongest parameters on random releases.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge checks 400
