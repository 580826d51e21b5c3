#!/bin/bash
. "$SOURCE/tests/cli/local_quality.bash"
for data in wide sparse; do
    judge_local $data
done
finish
