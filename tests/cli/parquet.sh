#!/bin/bash
# Parquet: folders, patterns and partitions as one table; what passes through keeps its type and its
# values on both roads; a release that is broken off leaves nothing; tables of DuckDB as targets.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
if [ ! -e "$MINGLE_DUCKDB" ]; then
    ok "Parquet # SKIP make duckdb was not run"
    finish
fi
statements() { python3 -B "$SOURCE/tests/support/duckdb_statements.py" "$@"; }

# ---- Several files --------------------------------------------------------------------------------
statements x.db "COPY (SELECT i % 7 AS a, 'x' || i % 3 AS b, ['01', '02'][1 + i // 2 % 2] AS month, 2019 +
    i % 2 AS year FROM range(600) t(i)) TO 'hive' (FORMAT parquet, PARTITION_BY (year, month))" \
    "COPY (SELECT i % 7 AS a, 'x' || i % 3 AS b FROM range(300) t(i)) TO 'one.parquet'" \
    "COPY (SELECT 'x' || i % 3 AS b, i % 7 AS a FROM range(300, 600) t(i)) TO 'two.parquet'" \
    "COPY (SELECT 'x' AS b, 'y' AS a) TO 'types.parquet'" \
    "COPY (SELECT 1 AS a, 'y' AS b, 2 AS c) TO 'more.parquet'" \
    "COPY (SELECT 1::BIGINT AS a, 'y' AS b, 'z' AS year) TO 'year.parquet'"
expect 0 out 'rows +600 read' check hive --qi a,year,month
expect 0 out '' anonymize hive --qi month -k 2 --rest drop --quiet -o months.csv
truth "values of partitions are what folders say" test "$(sort -u months.csv | tr '\n' ' ')" = "01 02 month "
expect 0 out 'rows +600 read' check 'hive/*/*/*.parquet' --qi a,year,month
expect 0 out 'rows +300 read' check 'hive/year=2019' --qi a,year,month
mkdir folder && mv one.parquet two.parquet folder
touch folder/_SUCCESS folder/.one.crc
expect 0 out 'rows +600 read' check folder --qi a,b
expect 0 out 'rows +600 read' check 'folder/*.parquet' --qi a,b
cp "$SOURCE/README.md" folder/notes.txt
expect 3 err 'folder/notes.txt: is no Parquet file, and stands in a folder' check folder --qi a
expect 0 out 'rows +600 read' check 'folder/*.parquet' --qi a,b
rm folder/notes.txt
for file in types more; do
    cp $file.parquet folder/zz.parquet
    expect 3 err 'folder/zz.parquet: column [ac] .*(has another type in|is not in) folder/one.parquet' \
        check folder --qi a
done
rm folder/zz.parquet
cp year.parquet hive/year=2019/month=02/zz.parquet
expect 3 err 'column year is in the file and in the name of its folder' check hive --qi a
mv hive/year=2019/month=02/zz.parquet hive/year=2019/
expect 3 err 'stands in other partitions' check hive --qi a
rm hive/year=2019/zz.parquet
mkdir empty
expect 3 err 'empty: the folder holds no Parquet file' check empty --qi a
expect 3 err 'no file fits this pattern' check 'empty/*.parquet' --qi a
odd="it's [a]* \"?"
mkdir "$odd" && cp folder/one.parquet "$odd/$odd.parquet"
expect 0 out 'rows +300 read' check "$odd" --qi a
expect 0 out 'rows +300 read' check "$odd/$odd.parquet" --qi a
cp folder/one.parquet 'back\slash.parquet'
expect 0 out 'rows +300 read' check 'back\slash.parquet' --qi a
job=(--qi a,b -k 2 --quiet)
expect 2 err 'lies in the folder .folder., which is read as a table' \
    anonymize folder "${job[@]}" -o folder/release.parquet
expect 2 err 'is the same file as' anonymize 'folder/*.parquet' "${job[@]}" -o folder/one.parquet
expect 0 err '' anonymize hive --qi a,b,year,month -k 2 --quiet -o of_folder.parquet --result r.json
expect 0 out 'agrees' check of_folder.parquet --against r.json

# ---- Types ----------------------------------------------------------------------------------------
statements x.db "COPY (SELECT i % 5 AS a, (i % 4)::DOUBLE AS f, CASE i % 4 WHEN 0 THEN NULL ELSE 'z' ||
    i % 3 END AS b, 9007199254740993 + i % 7 AS big, (i % 7)::DECIMAL(18,3) AS dec,
    TIMESTAMP '2020-01-01 10:00:00.123456' + INTERVAL (i % 5) HOUR AS ts,
    TIMESTAMPTZ '2020-01-01 10:00:00.000001+02' + INTERVAL (i % 7) SECOND AS tz,
    TIME '10:00:00.5' + INTERVAL (i % 7) MINUTE AS tm, i % 2 = 0 AS bo, (i % 7)::FLOAT / 3 AS fl,
    CASE i % 7 WHEN 0 THEN 'nan' WHEN 1 THEN '-inf' ELSE '1.5' END::DOUBLE AS nn,
    [i % 3, NULL] AS li, {'x': i % 2, 'y': 'q''\", ' || i % 2} AS st, MAP {'k': i % 2} AS ma,
    ('\\xAA' || i % 3)::BLOB AS bl, (i % 7)::UTINYINT AS ut, (i % 7)::SMALLINT AS si,
    INTERVAL (i % 3) DAY AS iv, DATE '2020-01-01' + (i % 3)::INTEGER AS da,
    ('00000000-0000-0000-0000-00000000000' || i % 3)::UUID AS u FROM range(2000) t(i))
    TO 'types.parquet'"
passed='big, dec, ts, tz, tm, bo, fl, nn, li, st, ma, bl, ut, si, iv, da, u'
same_types() { # same_types NAME FILE
    statements x.db "CREATE OR REPLACE TABLE d AS (SELECT count(*) AS n FROM (SELECT $passed FROM
        'types.parquet' EXCEPT ALL SELECT $passed FROM '$2'))" \
        "CREATE OR REPLACE TABLE e AS (SELECT count(*) AS n FROM (SELECT column_name, column_type FROM
        (DESCRIBE SELECT $passed FROM 'types.parquet') EXCEPT SELECT column_name, column_type FROM
        (DESCRIBE SELECT * FROM '$2')))" \
        "COPY (SELECT d.n, e.n FROM d, e) TO 'differences.csv' (HEADER false)"
    truth "$1" test "$(cat differences.csv)" = 0,0
}
typed=(types.parquet --qi a,f,b --rest insensitive -k 5 --suppress 20% --allow-leaks)
expect 0 err '' anonymize "${typed[@]}" -o engine.parquet --result r.json
truth "no type is blamed on ranges but those of quasi-identifiers" \
    test "$(grep -E '"message": "column (big|dec|ts|tz|tm|bo|fl) is written as text' r.json)" = ""
same_types "what passes through keeps types and values, written by DuckDB" engine.parquet
expect 0 err '' anonymize "${typed[@]}" --trim -o rows.parquet
same_types "and written row by row" rows.parquet
expect 0 err '' anonymize types.parquet --qi a,f,b --rest drop -k 1 -o ground.parquet
statements x.db "COPY (SELECT string_agg(column_type, ' ') FROM (DESCRIBE SELECT * FROM
    'ground.parquet')) TO 'types.csv' (HEADER false)"
truth "released quasi-identifiers keep types that their values allow" \
    test "$(cat types.csv)" = "BIGINT DOUBLE VARCHAR"

# ---- The same rows as through text ----------------------------------------------------------------
# shellcheck disable=SC2153
python3 -B "$SOURCE/tests/support/parquet_jobs.py" "${PARQUET_JOBS:-12}" >jobs.sh
while IFS=$'\t' read -r name table options; do
    statements x.db "$table"
    eval "set -- $options"
    got=0 wanted=0
    "$MINGLE" anonymize t.parquet "$@" --quiet -o t_release.parquet 2>err || got=$?
    "$MINGLE" anonymize t.parquet "$@" --quiet -o t_release.csv 2>err_csv || wanted=$?
    if [ $got = 0 ] && [ $wanted = 0 ]; then
        "$MINGLE" check t_release.parquet --qi a --quiet >/dev/null 2>&1
        statements x.db "COPY (SELECT regexp_replace(COLUMNS(*)::VARCHAR, '[.]0\$', '') FROM
            't_release.parquet' ORDER BY ALL) TO
            'p.csv' (NULLSTR '', FORCE_QUOTE *)" "COPY (SELECT * FROM read_csv('t_release.csv',
            all_varchar = true, header = true, delim = ',', nullstr = '') ORDER BY ALL) TO
            'c.csv' (NULLSTR '', FORCE_QUOTE *)"
        truth "$name gives the same rows" cmp p.csv c.csv
    else
        truth "$name ends alike ($got)" test $got = $wanted
    fi
    rm -f t_release.parquet t_release.csv
done <jobs.sh

# ---- Broken off -----------------------------------------------------------------------------------
statements x.db "COPY (SELECT i % 97 AS a, hash(i) % 31 AS b, i AS note FROM
    range(400000) t(i)) TO 'large.parquet'"
mkdir killed tmp
left=0
for moment in $(seq 1 "${PARQUET_KILLS:-20}"); do
    TMPDIR=$PWD/tmp "$MINGLE" anonymize large.parquet --qi a,b --rest insensitive --allow-leaks -k 3 \
        --quiet -o killed/r.parquet >/dev/null 2>&1 &
    pid=$!
    sleep "0.$((moment * 7 % 10))"
    kill -9 $pid 2>/dev/null && wait $pid 2>/dev/null
    if [ -e killed/r.parquet ]; then # it was complete
        "$MINGLE" check killed/r.parquet --qi a,b -k 3 >/dev/null 2>&1 || left=$((left + 1))
        rm killed/r.parquet
    fi
done
truth "kill -9 leaves nothing under the name of the release" test $left = 0
truth "what is left has a name that tells" \
    test "$(find killed -type f ! -name '.r.parquet.mingle-*')" = ""
truth "folders of the engine are private" test "$(find tmp -mindepth 1 -maxdepth 1 -perm /077)" = ""
# Folders that killed runs left are removed by the next one; those in use and foreign things stay.
mkdir -m 700 tmp/mingle-duckdb-killed tmp/mingle-duckdb-in-use tmp/else
touch tmp/mingle-duckdb-killed/spilled tmp/mingle-duckdb-in-use/spilled tmp/else/file
ln -s ../else tmp/mingle-duckdb-link
exec 8<tmp/mingle-duckdb-in-use
flock 8
TMPDIR=$PWD/tmp expect 0 out 'rows +300 read' check folder/one.parquet --qi a
exec 8<&-
truth "folders that were left behind are removed, and nothing else" \
    test "$(cd tmp && find . -mindepth 1 | sort | tr '\n' ' ')" = \
    "./else ./else/file ./mingle-duckdb-in-use ./mingle-duckdb-in-use/spilled ./mingle-duckdb-link "
echo before >there.parquet
expect 1 err 'would give persons away' anonymize large.parquet --qi a,b --rest insensitive -k 3 --quiet -o there.parquet
truth "a release that is refused leaves what was there" test "$(cat there.parquet)" = before
(
    ulimit -f 20
    trap '' XFSZ
    "$MINGLE" anonymize large.parquet --qi a,b --rest insensitive --allow-leaks -k 3 --quiet \
        -o there.parquet >out 2>err
)
check_result "a disk that is full" 4 $? err 'DuckDB says'
truth "and leaves what was there" test "$(cat there.parquet)" = before
truth "and nothing else" test "$(find . -maxdepth 1 -name '.there*')" = ""

# ---- Tables of DuckDB -----------------------------------------------------------------------------
expect 0 err '' anonymize folder "${job[@]}" -o 'duckdb:made.db?table=safe'
expect 0 out 'rows +600 read' check 'duckdb:made.db?table=safe' --qi a,b
expect 3 err 'the table exists already' anonymize folder "${job[@]}" -o 'duckdb:made.db?table=safe'
expect 2 err 'is the same table as' anonymize 'duckdb:made.db?table=safe' "${job[@]}" \
    -o 'duckdb:made.db?table=safe'
expect 0 err '' anonymize 'duckdb:made.db?table=safe' "${job[@]}" -o 'duckdb:made.db?table="o ""x.y"'
expect 1 err 'would give persons away' anonymize large.parquet --qi a,b --rest insensitive -k 3 --quiet \
    -o 'duckdb:none.db?table=t'
truth "a release that is refused makes no database" test ! -e none.db
finish
