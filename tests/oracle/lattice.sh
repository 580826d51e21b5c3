#!/bin/bash
# mingle lattice: every node of random jobs, judged by the definitions.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge lattice 300
