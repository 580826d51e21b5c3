#!/bin/bash
# Several quasi-identifiers: each holds on its own projection, and the best node is found.
. "$SOURCE/tests/oracle/judge.bash"
judge sets 400
