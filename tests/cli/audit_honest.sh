#!/bin/bash
# Releases of random jobs agree with their results: every method, model and treatment, several
# formats, persons, populations, earlier releases, several quasi-identifiers.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
if found=$(python3 "$SOURCE/tests/cli/audit_honest.py" "$MINGLE_RELEASE" 0 240 2>&1); then
    ok "$(tail -n 1 <<<"$found")"
else
    not_ok "honest releases agree with their results" "$found"
fi
finish
