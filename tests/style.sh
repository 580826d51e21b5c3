#!/bin/bash
# The cheap linters; see there.
. "$(dirname "$0")/support/by_hand.bash"
exec "$SOURCE/scripts/check-style"
