#!/bin/bash
# mingle compare: each method says what anonymize says of it.
. "$SOURCE/tests/oracle/judge.bash"
judge compare 150
