#!/bin/bash
# Cell-level releases against every release there is.
. "$SOURCE/tests/oracle/judge.bash"
judge cell 300
