#!/bin/bash
# The Python package with the newest of the libraries it works with.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
newest_environment || exit
mapfile -t longer < <(longer_tests)
run_package_tests -m 'not others and not pipelines' "${longer[@]/#/--ignore=}"
