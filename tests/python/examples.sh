#!/bin/bash
# The Python package as people see it: docstrings and the page made of them, the notebook, the
# examples, scikit-learn, and what goes on while a call runs.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
newest_environment || exit
mapfile -t longer < <(longer_tests)
run_tests_in "${longer[@]}"
