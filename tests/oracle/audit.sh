#!/bin/bash
# check --against: honest results agree with their releases, changed ones do not.
. "$SOURCE/tests/oracle/judge.bash"
judge audit 200
