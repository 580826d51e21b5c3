#!/bin/bash
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells adult fast
finish
