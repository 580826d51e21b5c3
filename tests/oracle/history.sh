#!/bin/bash
# Releases after an earlier one of the same table: what both reveal holds the models.
. "$SOURCE/tests/oracle/judge.bash"
judge history 300
