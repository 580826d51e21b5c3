#!/bin/bash
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells adult fast
finish
