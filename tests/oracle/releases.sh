#!/bin/bash
# Releases with one level per column, judged by the definitions.
. "$SOURCE/tests/oracle/judge.bash"
judge releases 600
