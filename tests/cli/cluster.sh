#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# A coordinator of PostgreSQL and two shards: each counts what it has.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/postgresql.bash"
if ! has_postgresql || ! ls /usr/share/postgresql/*/extension/postgres_fdw.control >/dev/null 2>&1; then
    echo "skipped: no PostgreSQL server with postgres_fdw"
    exit 77
fi
if ! { start_server main && start_server a && start_server b; } >log 2>&1; then
    cat log
    not_ok "the servers start" "see above"
    finish
fi
main="postgresql://owner@/test?host=$servers/main"
if "$MINGLE" check "$main&table=none" --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    echo "skipped: no libpq"
    exit 77
fi

make_people
sql main 'CREATE EXTENSION postgres_fdw' "CREATE TABLE people ($columns) PARTITION BY LIST (sex)"
for shard in a b; do
    sql $shard "CREATE TABLE people ($columns)"
    sql main "CREATE SERVER $shard FOREIGN DATA WRAPPER postgres_fdw OPTIONS
            (host '$servers/$shard', dbname 'test', async_capable 'true')" \
        "CREATE USER MAPPING FOR owner SERVER $shard OPTIONS (user 'owner')"
done
sql main "CREATE FOREIGN TABLE people_a PARTITION OF people FOR VALUES IN ('f') SERVER a
        OPTIONS (table_name 'people')" \
    "CREATE FOREIGN TABLE people_b PARTITION OF people DEFAULT SERVER b OPTIONS (table_name 'people')"
psql -h "$servers/main" -U owner -d test -qc "\\copy people from people.csv with (format csv, header)"
truth "both shards have rows" test "$(sql a 'SELECT count(*) > 50 FROM people')$(sql b 'SELECT count(*) > 50 FROM people')" = tt

expect 0 out '' anonymize people.csv "${people[@]}" --method mingen -o text.csv --result text.json
sql main "ALTER SYSTEM SET log_statement = 'all'" 'SELECT pg_reload_conf()' >/dev/null
expect 0 out '' anonymize "$main&table=people" "${people[@]}" --method mingen \
    -o "$main&table=made" --result made.json
agree "released by the cluster" text.json made.json
psql -h "$servers/main" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
rows_of text.csv >text.rows
rows_of made.csv >made.rows
truth "the rows are the same" cmp text.rows made.rows

# The statement that counted, explained: groups come from the shards, no rows.
grep -a 'UNION ALL' "$servers/main/log" | sed -n 's/.*execute <unnamed>: //p' | head -1 >statement
truth "the parts were counted one by one" test -s statement
sql main "EXPLAIN VERBOSE $(cat statement)" >plan
truth "two scans at the same time" test "$(grep -c 'Async Foreign Scan' plan)" = 2
truth "the shards aggregate" test "$(grep -c 'Relations: Aggregate on' plan)" = 2
truth "the shards are sent GROUP BY statements" test "$(grep -c 'Remote SQL: SELECT .*count(\*) FROM .* GROUP BY' plan)" = 2
truth "nothing but the GROUP BY is sent to the shards" test "$(grep -c 'Remote SQL' plan)" = 2

# A role that may not read the parts one by one reads them through the parent.
sql main 'CREATE ROLE reader LOGIN' 'GRANT SELECT ON people TO reader'
for shard in a b; do
    sql main "CREATE USER MAPPING FOR reader SERVER $shard OPTIONS (user 'owner', password_required 'false')"
done
expect 0 out '^rows +300 read' check "postgresql://reader@/test?host=$servers/main&table=people" \
    --qi zip,sex -k 1
finish
