#!/bin/bash
# shellcheck disable=SC2154 # the helpers set servers and server
# Tables that stay in their engines: DuckDB, SQLite, Polars, DataFusion, and PostgreSQL and MariaDB if
# they are installed.
# slow: packages of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
. "$SOURCE/tests/cli/postgresql.bash"
. "$SOURCE/tests/cli/mariadb.bash"
trap 'stop_servers; stop_mariadb' EXIT
mkdir -p "$BUILD/python"
make_site || exit 1
# Ibis 12 does not know DuckDB 2, nor later versions of DataFusion and sqlglot.
packages=(pytest 'ibis-framework[duckdb,sqlite,polars,postgres,datafusion]==12.0.0' 'sqlglot==30.9.0' 'duckdb<2'
    'datafusion<52' 'pandas<3' 'polars<2')
has_mariadb() {
    command -v mariadbd >/dev/null && command -v mariadb-install-db >/dev/null &&
        pkg-config --exists libmariadb # its client is compiled
}
has_mariadb && packages+=(mysqlclient)
environment engines "${packages[@]}" || exit
engines='duckdb sqlite polars datafusion'
if has_postgresql && start_server one; then
    engines="$engines postgresql"
    export PGHOST=$servers/one
else
    echo '# skipped: PostgreSQL is not installed'
fi
if has_mariadb && start_mariadb >mariadb.log 2>&1; then
    engines="$engines mariadb"
    export MARIADB_SOCKET=$server/socket
else
    echo '# skipped: MariaDB is not installed, or libmariadb-dev'
fi
ENGINES=$engines run_engine_tests "$@"
