#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$SOURCE/tests/cli/local_quality.bash"
need_adult
judge_local adult
finish
