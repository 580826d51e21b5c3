#!/bin/bash
# mingle lattice: every node of random jobs, judged by the definitions.
. "$SOURCE/tests/oracle/judge.bash"
judge lattice 300
