#!/bin/bash
# The Python package with pandas 1.5, and without any library of Arrow.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
environment old_pandas pytest hypothesis 'pandas==1.5.3' 'numpy<2' || exit
TIMES=10 run_package_tests -m 'not libraries'
