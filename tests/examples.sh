#!/bin/bash
# The programs of examples/library, built with the sanitizers, do what their page says.
# tests/install.sh runs them as they are built with an installed library.
set -eu
. "$SOURCE/tests/examples.bash"
make_example_files
run_examples "$VARIANT_BUILD/examples"
