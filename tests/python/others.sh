#!/bin/bash
# The Python package beside pycanon and anjana, on the same tables.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
others_environment || exit
run_package_tests -m others
