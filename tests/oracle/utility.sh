#!/bin/bash
# mingle utility: every measure of random releases.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge utility 400
