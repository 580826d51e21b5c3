#!/bin/bash
# mu-Argus step by step.
. "$SOURCE/tests/oracle/judge.bash"
judge argus 300
