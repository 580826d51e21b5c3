#!/bin/bash
# The cheap linters; see there.
# slow: make lint runs them as well, before the tests
. "$(dirname "$0")/support/by_hand.bash"
exec "$SOURCE/scripts/check-style"
