#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/local_quality.bash"
need_adult
judge_local adult
finish
