#!/bin/bash
# shellcheck disable=SC2119,SC2154 # the helper needs no options, and sets server
# The leak guard's verdict on tables of MariaDB is that on files (one_verdict.sh).
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/mariadb.bash"
need_mariadb
truth "one verdict: mariadb" python3 -B "$SOURCE/tests/cli/one_verdict.py" "$MINGLE_RELEASE" "${MGL_SEED:-1}" \
    "${TABLES:-5}" "mariadb=$server/socket"
finish
