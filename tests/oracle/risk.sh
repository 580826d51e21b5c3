#!/bin/bash
# mingle risk: intruders, sets of columns, special uniques, population uniques.
. "$SOURCE/tests/oracle/judge.bash"
judge risk 300
