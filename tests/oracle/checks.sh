#!/bin/bash
# mingle check: models and their strongest parameters on random releases.
. "$SOURCE/tests/oracle/judge.bash"
judge checks 400
