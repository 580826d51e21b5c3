#!/bin/bash
# slow: searches on whole tables, beside what they reached
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells patients fast
judge_cells patients balanced
finish
