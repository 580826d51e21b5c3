#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells patients fast
judge_cells patients balanced
finish
