#!/bin/bash
# The types of the Python package, by two checkers.
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
environment types mypy 'pyright[nodejs]' || exit
cp "$SOURCE/python/pyproject.toml" .
cp -r "$BUILD/python/site/mingle" .
unset PYTHONPATH
status=0
"$BUILD/python/types/bin/mypy" || status=1
"$BUILD/python/types/bin/pyright" mingle || status=1
exit $status
