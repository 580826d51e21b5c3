#!/bin/bash
# Tables that stay in ClickHouse, which runs in this process (chdb).
# slow: packages and servers of others
set -u
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
make_site || exit 1
environment clickhouse pytest 'ibis-framework[clickhouse]==12.0.0' 'sqlglot==30.9.0' 'clickhouse-connect>=1.12' \
    chdb 'pandas<3' || exit
ENGINES=clickhouse run_engine_tests --ignore="$SOURCE/python/tests/engines/test_sql.py" "$@"
