#!/bin/bash
# shellcheck disable=SC2154 # the helper sets servers
# Tables that stay in their engines: DuckDB, SQLite, Polars, and PostgreSQL if it is installed.
set -u
. "$SOURCE/tests/python/environment.bash"
. "$SOURCE/tests/cli/postgresql.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
# Ibis 12 does not know DuckDB 2.
environment engines pytest 'ibis-framework[duckdb,sqlite,polars,postgres]==12.0.0' 'sqlglot==30.30.0' 'duckdb<2' \
    'pandas<3' 'polars<2' || exit
engines='duckdb sqlite polars'
if has_postgresql && start_server one; then
    engines="$engines postgresql"
    export PGHOST=$servers/one
else
    echo '# skipped: PostgreSQL is not installed'
fi
ENGINES=$engines run_engine_tests "$@"
