#!/bin/bash
# Microaggregation: groups hold, and are released as what they have in common.
. "$SOURCE/tests/oracle/judge.bash"
judge averages 300
