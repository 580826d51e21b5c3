#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells adult balanced
finish
