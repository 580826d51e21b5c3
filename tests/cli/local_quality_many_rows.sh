#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/local_quality.bash"
for data in survey kinds patients; do
    judge_local $data
done
finish
