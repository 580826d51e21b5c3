#!/bin/bash
# Releases with one level per column, judged by the definitions.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge releases 600
