#!/bin/bash
# Regrouping: in a large lattice prices say little.
. "$SOURCE/tests/cli/cell_quality.bash"
for data in wide diverse; do
    judge_cells $data balanced
    judge_cells $data best
done
finish
