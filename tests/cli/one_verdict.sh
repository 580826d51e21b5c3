#!/bin/bash
# shellcheck disable=SC2154 # the helpers set servers
# The leak guard's verdict wherever a table is stored: random tables, released from and to every store, against the same
# tables in text files. TABLES says how many for each store, MGL_SEED which.
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/postgresql.bash"
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}

# same TABLES STORE...
same() {
    local tables=${TABLES:-$1}
    shift
    mkdir run && cd run || exit 1
    truth "one verdict: ${*%%=*}" python3 -B "$SOURCE/tests/cli/one_verdict.py" "$MINGLE_RELEASE" "${MGL_SEED:-1}" \
        "$tables" "$@"
    cd .. && rm -r run
}
# built_with LOCATION: the program can read such tables.
built_with() {
    ! "$MINGLE_RELEASE" check "$1" --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'
}

same 10 gz jsonl arrow apply counted
if built_with 'sqlite:none.db?table=t'; then
    same 10 sqlite fetched
else
    ok "a table of SQLite # SKIP no SQLite"
fi
if [ -e "$MINGLE_DUCKDB" ]; then
    same 5 parquet pushed folder
else
    ok "Parquet # SKIP make duckdb was not run"
fi
if has_postgresql && start_server one >log 2>&1 && start_server two >>log 2>&1 &&
    built_with "postgresql://owner@/test?host=$servers/one&table=none"; then
    same 5 "postgresql=$servers/one" "shards=$servers/one,$servers/two"
else
    ok "PostgreSQL # SKIP no server, or no libpq"
fi
finish
