#!/bin/bash
# shellcheck disable=SC2154 # variables of helpers
# Random jobs inside PostgreSQL, directly, through ODBC and on two shards, against the same jobs on
# files, and kills at 20 moments. TIMES says how many jobs of each, SEED which.
# slow: random jobs in databases beside the same jobs on files
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
if ! start_server two >log 2>&1; then
    cat log
    not_ok "a second server starts" "see above"
    finish
fi
driver=$(find /usr/lib -name psqlodbcw.so 2>/dev/null | head -1)
printf '[test]\nDriver = %s\nServername = %s\nDatabase = test\nUsername = owner\n' "$driver" "$servers/one" >odbc.ini
export ODBCINI=$PWD/odbc.ini
# random ROAD JOBS HOST...
random() {
    truth "random jobs through $1 give the rows of files" python3 -B "$SOURCE/tests/cli/random_roads.py" \
        "$MINGLE_RELEASE" "$1" "${TIMES:-$2}" "${SEED:-1}" "${@:3}"
}
random postgresql 10 "$servers/one"
random shards 6 "$servers/one" "$servers/two"
if [ -n "$driver" ]; then
    random odbc 4 "$servers/one"
else
    ok "random jobs through odbc # SKIP no ODBC driver psqlodbcw"
fi
if [ "$(sql one 'SHOW server_version_num')" -ge 140000 ]; then # others go on without their client
    truth "kills leave nothing, or all" python3 -B "$SOURCE/tests/cli/postgresql_kills.py" "$MINGLE_RELEASE" "$servers/one"
    truth "on shards, too, and what only some have named can be finished or undone" python3 -B \
        "$SOURCE/tests/cli/postgresql_kills.py" "$MINGLE_RELEASE" "$servers/one" "$servers/two"
else
    ok "kills # SKIP this server does not notice that a client is gone"
fi
finish
