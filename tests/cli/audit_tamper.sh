#!/bin/bash
# Results and releases that somebody changed: the audit finds every change of a long table.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
if found=$(python3 "$SOURCE/tests/cli/audit_tamper.py" "$MINGLE_RELEASE" 2>&1); then
    ok "$(tail -n 1 <<<"$found")"
else
    not_ok "tampering is found" "$found"
fi
finish
