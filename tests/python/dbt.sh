#!/bin/bash
# The dbt package (dbt) against the program: its tests and mingle check give the same verdict on
# random tables. DBT_TABLES: how many (12 unless set).
set -u
. "$SOURCE/tests/python/environment.bash"
mkdir -p "$BUILD/python"
# Later versions of dbt-core fetch a part of themselves from elsewhere.
environment dbt 'dbt-core<1.11' dbt-duckdb || exit
# shellcheck disable=SC2154 # environment sets python
DBT_SEND_ANONYMOUS_USAGE_STATS=false MINGLE=$MINGLE_RELEASE \
    "$python" "$SOURCE/tests/support/tables_for_dbt.py" "$SOURCE/dbt" "${DBT_TABLES:-12}"
