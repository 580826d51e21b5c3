#!/bin/bash
. "$SOURCE/tests/cli/local_quality.bash"
need_adult
judge_local adult
finish
