#!/bin/bash
# What the program makes of about a thousand jobs is what it made of them before, byte for byte.
# A release, a recoding or a result that changes on purpose is recorded anew (tests/frozen/frozen.py).
set -u
. "$(dirname "$0")/support/by_hand.bash"
[ -n "${TMPDIR:-}" ] || [ ! -w /dev/shm ] || export TMPDIR=/dev/shm # no waiting for a disk
python3 -B "$SOURCE/tests/frozen/frozen.py" "$MINGLE_RELEASE" check
