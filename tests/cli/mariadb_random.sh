#!/bin/bash
# Random jobs on tables of MariaDB against the same jobs on files. MGL_TEST_LONG=1 runs a hundred.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/mariadb.bash"
# shellcheck disable=SC2119 # it needs no options of the server
need_mariadb
jobs=8
[ -z "${MGL_TEST_LONG:-}" ] || jobs=100
python3 "$SOURCE/tests/cli/mariadb_random.py" "$MINGLE_RELEASE" "$server/socket" "${MGL_SEED:-1}" $jobs
