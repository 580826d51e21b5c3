#!/bin/bash
# Linking attacks on random releases, judged by the definitions.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge attacks 500
