#!/bin/bash
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells adult balanced
finish
