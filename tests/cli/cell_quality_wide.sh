#!/bin/bash
# Regrouping: in a large lattice prices say little.
# slow: searches on whole tables, beside what they reached
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/cell_quality.bash"
for data in wide diverse; do
    judge_cells $data balanced
    judge_cells $data best
done
finish
