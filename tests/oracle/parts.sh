#!/bin/bash
# Slices: counted, searched together, released one by one.
. "$SOURCE/tests/oracle/judge.bash"
judge parts 150
