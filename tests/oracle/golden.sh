#!/bin/bash
# The oracle itself, against the figures of the papers.
exec python3 -B "$SOURCE/tests/oracle/golden.py"
