#!/bin/bash
# shellcheck disable=SC2154 # the helpers set servers and python
# The dbt package (dbt) against the program: its tests and mingle check give the same verdict on
# random tables, in DuckDB and, where it is installed, in PostgreSQL. DBT_TABLES: how many (12 unless
# set).
# slow: packages and servers of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
. "$SOURCE/tests/cli/postgresql.bash"
mkdir -p "$BUILD/python"
# Later versions of dbt-core fetch a part of themselves from elsewhere.
environment dbt 'dbt-core<1.11' dbt-duckdb dbt-postgres || exit
status=0
tables_in() {
    mkdir "$1" && (
        cd "$1" && DBT_SEND_ANONYMOUS_USAGE_STATS=false MINGLE=$MINGLE_RELEASE \
            "$python" "$SOURCE/tests/support/tables_for_dbt.py" "$SOURCE/dbt" "${DBT_TABLES:-12}" "$1"
    ) || status=1
}
tables_in duckdb
if has_postgresql && start_server one; then
    PGHOST=$servers/one tables_in postgres
else
    echo '# skipped: PostgreSQL is not installed'
fi
exit $status
