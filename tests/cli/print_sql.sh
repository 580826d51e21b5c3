#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# SQL for engines without a driver (--print-sql): the whole road through sqlite3's shell and DuckDB's Python package,
# statements of all dialects by their grammars, and what is refused. PRINT_SQL_JOBS=N: so many random jobs (default 20).
# slow: many small databases and files, beside the same jobs on text
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
jobs=${PRINT_SQL_JOBS:-20}
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}

# ---- The road ------------------------------------------------------------------------------------------------
if command -v sqlite3 >sqlite3.path; then
    truth "the road through sqlite3's shell" python3 -B "$SOURCE/tests/cli/print_sql.py" "$MINGLE" sqlite "$jobs" 1
    # Of each row the map is looked up by an index, not read whole.
    "$MINGLE" anonymize people --qi age,zip -k 2 --print-sql sqlite --json >sql.json
    { echo 'CREATE TABLE people (age, zip);'; jq -r '.sql.map + "; EXPLAIN QUERY PLAN " + .sql.release + ";"' sql.json; } |
        sqlite3 >plan
    truth "the map is joined by an index" grep -q 'SEARCH m USING .*INDEX (age=? AND zip=?)' plan
    truth "kills leave nothing under the name of the release, or all" python3 -B "$SOURCE/tests/cli/print_sql_kills.py" "$MINGLE_RELEASE"
else
    ok "the road through sqlite3's shell # SKIP sqlite3 is not installed (scripts/setup test)"
fi
# DuckDB and sqlglot are put into an environment of their own, once for a build folder.
environment=$BUILD/engines
if ! "$environment/bin/python" -c 'import duckdb, sqlglot' 2>log; then
    rm -rf "$environment"
    { python3 -m venv "$environment" && timeout 300 "$environment/bin/pip" install --quiet duckdb sqlglot; } >log 2>&1 ||
        rm -rf "$environment"
fi
if [ -x "$environment/bin/python" ]; then
    truth "the road through DuckDB" "$environment/bin/python" -B "$SOURCE/tests/cli/print_sql.py" "$MINGLE" duckdb "$jobs" 1
    truth "statements of all dialects parse" "$environment/bin/python" -B "$SOURCE/tests/cli/print_sql_grammar.py" "$MINGLE"
else
    ok "the road through DuckDB # SKIP duckdb and sqlglot cannot be installed here"
    ok "statements of all dialects parse # SKIP duckdb and sqlglot cannot be installed here"
fi

# ---- What is printed -----------------------------------------------------------------------------------------
job=(--qi age,zip --sensitive dis -k 2)
expect 0 out '^-- +mingle check released.csv --against result.json$' anonymize s.people "${job[@]}" --print-sql postgresql -o r.made
truth "the count goes by one text" grep -q "COALESCE(CAST(s.\"age\" AS text), '') COLLATE \"C\" IN ('')" out
truth "what is missing is said to the search" grep -q "counts.csv --count n --missing '\"\"' -o counted.csv --save-map map.csv --result result.json" out
truth "rows are shuffled" grep -q '^ORDER BY gen_random_uuid();' out
expect 0 out '^ALTER TABLE "r"."made_unchecked" RENAME TO "made";$' anonymize s.people "${job[@]}" --print-sql postgresql -o r.made --keep-order
truth "unless the order is kept" test "$(grep -c 'ORDER BY' out)" = 0
expect 0 out '^SELECT CAST\(c1 AS TEXT\) AS "age",$' anonymize 'sqlite:x.db?table=people' "${job[@]}" --print-sql sqlite --quiet
truth "the release is called like the table" grep -q 'RENAME TO "people_release"' out
expect 0 out 'FROM .p.\..d.\..people. s' anonymize p.d.people "${job[@]}" --print-sql bigquery
truth "nothing was read or written" test ! -e people
printf 'x' >people_release
expect 0 out '' anonymize people "${job[@]}" --print-sql sqlite --save-job job.yaml --result sql.json -o people_release --quiet --save-map map.csv
truth "the job can be used again" grep -q '^save-map: map.csv' job.yaml
truth "and prints no SQL then" test "$(grep -c print-sql job.yaml)" = 0
truth "no table of that name is a file" test "$(cat people_release)" = x
truth "results have the statements" test "$(jq -r .sql.clean sql.json)" = 'DROP TABLE "people_release_map"'
expect 3 err 'no audit trail' check people_release --against sql.json
expect 0 out '^--   p.q.z$' anonymize people "${job[@]}" --insensitive $'p\nq\rz' --allow-leaks $'p\nq\rz' --print-sql sqlite
truth "the guard's part is told" grep -q '^-- The leak guard cannot look at columns' out
expect 0 out '' anonymize people --qi 'age' --sensitive $'a\n; DROP TABLE x; --' -k 2 --print-sql sqlite -o $'y\n;DROP TABLE z'
truth "no name ends a comment" test "$(grep -c '^--.*DROP TABLE .y' out)" = 2

# ---- What cannot be ------------------------------------------------------------------------------------------
expect 2 err "'sqlit' is no dialect of SQL; did you mean sqlite" anonymize people "${job[@]}" --print-sql sqlit
expect 2 err "'counts.csv' is a file; name a table of the engine" anonymize counts.csv "${job[@]}" --print-sql sqlite
expect 2 err "'made.parquet' is a file; name a table of the engine" anonymize people "${job[@]}" --print-sql sqlite -o made.parquet
expect 2 err 'is no name of a table' anonymize a.b.c.d "${job[@]}" --print-sql sqlite
expect 2 err 'column .note. would be passed through, and the leak guard cannot look at it' anonymize people "${job[@]}" --insensitive note --print-sql sqlite
expect 2 err '--rest would pass columns through' anonymize people "${job[@]}" --rest insensitive --print-sql sqlite
expect 2 err '--where is not put into SQL' anonymize people "${job[@]}" --where 'age > 3' --print-sql sqlite
expect 2 err 'changes the values that the map is looked up by' anonymize people "${job[@]}" --trim --print-sql sqlite
expect 2 err 'is for text that spreadsheets open' anonymize people "${job[@]}" --neutralize --print-sql sqlite
expect 2 err 'is made of columns that are not counted' anonymize people "${job[@]}" --hierarchy 'zip=columns(city)' --print-sql sqlite
expect 2 err 'tells persons apart' anonymize people "${job[@]}" --entity id --print-sql sqlite
expect 2 err 'draws single records' anonymize people "${job[@]}" --sample 10 --print-sql sqlite
expect 2 err 'counts rare records itself' anonymize people "${job[@]}" --least-count 3 --print-sql sqlite
expect 2 err 'states how many records rows stand for, and is' anonymize people --qi n,zip -k 2 --print-sql sqlite
expect 2 err 'cannot be a name in this dialect' anonymize people --qi "$(printf '"a""b"')" -k 2 --print-sql oracle
expect 2 err 'does not belong to check' check people "${job[@]}" --print-sql sqlite
expect 2 err 'no quasi-identifier' anonymize people --sensitive dis -k 2 --print-sql sqlite
finish
