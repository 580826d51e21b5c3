#!/bin/bash
# Local suppression where a suppressed cell matches every value.
. "$SOURCE/tests/oracle/judge.bash"
judge matching 200
