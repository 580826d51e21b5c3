#!/bin/bash
# Perturbed columns: noise, swapping, PRAM, shuffling.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/oracle/judge.bash"
judge perturbations 60
