#!/bin/bash
# Mondrian, k-member, local suppression: what is released holds and is told truly.
. "$SOURCE/tests/oracle/judge.bash"
judge methods 400
