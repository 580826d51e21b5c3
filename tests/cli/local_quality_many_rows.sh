#!/bin/bash
. "$SOURCE/tests/cli/local_quality.bash"
for data in survey kinds patients; do
    judge_local $data
done
finish
