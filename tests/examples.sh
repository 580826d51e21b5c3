#!/bin/bash
# The programs of examples/library, built with the sanitizers, do what their page says.
# tests/install.sh runs them as they are built with an installed library.
set -eu
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/examples.bash"
make_example_files
run_examples "$VARIANT_BUILD/examples"
