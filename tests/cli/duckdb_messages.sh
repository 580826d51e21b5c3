#!/bin/bash
# What DuckDB says of files that are broken, locked, no database or full: the words are readable,
# say what to do, and show no cell.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
if [ ! -e "$MINGLE_DUCKDB" ]; then
    ok "messages of DuckDB # SKIP make duckdb was not run"
    finish
fi
statements() { python3 -B "$SOURCE/tests/support/duckdb_statements.py" "$@"; }
look=(--qi a -k 2)

printf 'a,b\n1,x\n2,y\n1,x\n2,y\n' >t.csv
expect 0 err '' anonymize t.csv --qi a --rest insensitive --allow-leaks -k 2 --quiet -o t.parquet

# ---- Parquet files -------------------------------------------------------------------------------
echo hello >short.parquet
head -c 100 t.parquet >cut.parquet
{ head -c 20 t.parquet && printf 'XXXXXXXXX' && tail -c +30 t.parquet; } >pages.parquet
{ head -c -30 t.parquet && printf 'ZZZZZZZZZZZZZZZZZZZZZZ' && tail -c 8 t.parquet; } >footer.parquet
: >empty.parquet
expect 3 err "short.parquet: DuckDB says: .*too small to be a Parquet file; the file is broken .*" \
    check short.parquet "${look[@]}"
expect 3 err "empty.parquet: DuckDB says: .*too small to be a Parquet file; the file is broken .*" \
    check empty.parquet "${look[@]}"
expect 3 err "cut.parquet: DuckDB says: .*No magic bytes found at end of file .*; it is no Parquet" \
    check cut.parquet "${look[@]}"
expect 3 err "pages.parquet: DuckDB says: Invalid .*; the file is broken" \
    check pages.parquet "${look[@]}"
expect 3 err "footer.parquet: DuckDB says: .*invalid.*; the file is broken" \
    check footer.parquet "${look[@]}"
expect 3 err 'gone.parquet: cannot open: No such file' check gone.parquet "${look[@]}"
expect 2 err 'there is no column "zz"; the columns are: a, b' check t.parquet --qi zz -k 2

# ---- Databases -----------------------------------------------------------------------------------
statements x.db "CREATE TABLE t AS SELECT 1 AS a, 'Smith' AS b UNION ALL SELECT 1, 'Smith'" \
    "CREATE VIEW converts AS SELECT CAST(b AS INTEGER) AS a FROM t" \
    "CREATE VIEW dates AS SELECT CAST('born ' || b AS TIMESTAMP) AS a FROM t" \
    "CREATE VIEW computes AS SELECT a, CAST(a AS UTINYINT) - CAST(234 AS UTINYINT) AS b FROM t"
expect 3 err "x.db: DuckDB says: .*Could not convert string 'Aaaaa' to INT32 .*; a view converts" \
    check 'duckdb:x.db?table=converts' "${look[@]}"
truth "no cell is shown" test "$(grep -c Smith err)" = 0
expect 3 err "Could not convert string 'Smith' to INT32" check 'duckdb:x.db?table=converts' \
    "${look[@]}" --verbose
expect 3 err 'x.db: DuckDB says: Conversion Error: .*timestamp field' \
    check 'duckdb:x.db?table=dates' "${look[@]}"
truth "no part of a cell is shown" test "$(grep -Ec 'Smith|born' err)" = 0
expect 3 err 'Overflow in subtraction of UINT8 .*; a view computes' \
    anonymize 'duckdb:x.db?table=computes' --qi a --rest insensitive --allow-leaks -k 2 -o o.csv
truth "no number of the data is shown" test "$(grep -c 234 err)" = 0
truth "nothing is left" test ! -e o.csv
expect 3 err 'Table with name none does not exist; check the name behind' \
    check 'duckdb:x.db?table=none' "${look[@]}"
expect 3 err 't.csv: DuckDB says: .*; it is no database of DuckDB' \
    check 'duckdb:t.csv?table=t' "${look[@]}"
head -c 9000 /dev/zero >no.db
expect 3 err 'no.db: DuckDB says: .*not a valid DuckDB database file; it is no database' \
    check 'duckdb:no.db?table=t' "${look[@]}"
head -c 5000 x.db >cut.db
expect 3 err 'cut.db: DuckDB says: .*; the file is broken' check 'duckdb:cut.db?table=t' "${look[@]}"
{ head -c 12 x.db && printf x && tail -c +14 x.db; } >version.db
expect 3 err 'version.db: DuckDB says: .*(; the file is broken|; another version)' \
    check 'duckdb:version.db?table=t' "${look[@]}"

mkfifo hold said
statements x.db wait <hold >said &
holder=$!
exec 5>hold
read -r _ <said
expect 4 err 'x.db: DuckDB says: .*[Ll]ock.*; another program has the database open' \
    check 'duckdb:x.db?table=t' "${look[@]}"
truth "no address of a page is told" test "$(grep -c http err)" = 0
exec 5>&-
wait "$holder"
expect 0 out 'k +2' check 'duckdb:x.db?table=t' "${look[@]}"

# ---- Rights and room -----------------------------------------------------------------------------
if [ "$(id -u)" != 0 ]; then
    chmod 0 x.db
    expect 4 err 'x.db: .*Permission denied' check 'duckdb:x.db?table=t' "${look[@]}"
    chmod 600 x.db
else
    ok "no rights # SKIP the user may read everything"
fi
python3 -c '
import random
print("a,b")
for i in range(100000): print("%d,%.17f" % (i % 3, random.random()))' >large.csv
got=0
(
    trap '' XFSZ # writing fails then, as on a full disk
    ulimit -f 300
    exec "$MINGLE" anonymize large.csv --qi a --rest insensitive --allow-leaks -k 2 -o large.parquet
) >out 2>err || got=$?
check_result "a file that has no room" 4 "$got" err 'large.parquet: DuckDB says|cannot write'
truth "nothing has the final name" test ! -e large.parquet
finish
