#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$SOURCE/tests/cli/local_quality.bash"
for data in wide sparse; do
    judge_local $data
done
finish
