#!/bin/bash
# check --against rejects a result of which any one key was removed or altered, or names the key as
# not compared.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
set -- ${MGL_TEST_LONG:+all}
if found=$(python3 "$SOURCE/tests/cli/audit_every_key.py" "$MINGLE_RELEASE" "$@" 2>&1); then
    ok "$(tail -n 1 <<<"$found")"
else
    not_ok "every key of a result is compared, or named" "$found"
fi
finish
