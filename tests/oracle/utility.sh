#!/bin/bash
# mingle utility: every measure of random releases.
. "$SOURCE/tests/oracle/judge.bash"
judge utility 400
