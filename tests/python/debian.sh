#!/bin/bash
# The Python package with what Debian has; nothing else is needed for it.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
python=/usr/bin/python3
"$python" -c 'import pandas, pytest' 2>/dev/null || {
    echo "skipped: python3-pandas and python3-pytest are not installed"
    exit 77
}
make_site || exit 1
run_package_tests -m 'not libraries'
