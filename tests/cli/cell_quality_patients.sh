#!/bin/bash
. "$SOURCE/tests/cli/cell_quality.bash"
judge_cells patients fast
judge_cells patients balanced
finish
