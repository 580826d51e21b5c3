#!/bin/bash
# The Python package with the newest of the libraries it works with.
set -u
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
environment newest pytest hypothesis pandas polars pyarrow duckdb narwhals 'ibis-framework[duckdb]' matplotlib scikit-learn tqdm nbclient nbformat ipykernel || exit
run_package_tests -m 'not others'
