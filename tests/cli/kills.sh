#!/bin/bash
# Runs that are ended in the middle leave the old release or the new one, and nothing that is
# not recognisable. MGL_TEST_LONG=1 ends a thousand of them.
# sanitized: ended at each system call, which faults count
. "$(dirname "$0")/../support/by_hand.bash"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
count=36
[ -z "${MGL_TEST_LONG:-}" ] || count=1000
exec python3 "$SOURCE/tests/cli/kills.py" "$MINGLE_RELEASE" "$MINGLE" $count
