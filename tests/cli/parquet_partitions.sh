#!/bin/bash
# Releases that are folders of Parquet files, divided by columns: values of any kind come back as
# they were, folders are replaced as a whole or not at all, and what is killed leaves none.
# slow: many small databases and files, beside the same jobs on text
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
if [ ! -e "$MINGLE_DUCKDB" ]; then
    ok "partitions of Parquet # SKIP make duckdb was not run"
    finish
fi
statements() { python3 -B "$SOURCE/tests/support/duckdb_statements.py" "$@"; }
folder=r.parquet

# ---- Values ---------------------------------------------------------------------------------------
statements x.db "COPY (SELECT i % 7 AS age, ['a/b', '..', 'x=y', '100%', 'é', 'a b', '%2F', '😀', '?*', '.',
    '[a]', '+1', '''\"', 'a' || chr(10) || 'b', '1e5', '007', NULL][1 + i % 17] AS v, i % 3 AS s,
    'n' || i % 5 AS \"no=te\", (i % 4)::DOUBLE / 2 AS d, DATE '2020-01-01' + (i % 3)::INTEGER AS day,
    TIMESTAMP '2020-01-01 10:00:00.5' + INTERVAL (i % 3) DAY AS ts, [i % 2] AS li, i AS id,
    repeat('ä', 90 - (i % 2)::INTEGER) AS long, CASE i % 3 WHEN 0 THEN 'Null' ELSE 'x' END AS nul
    FROM range(6000) t(i)) TO 't.parquet'"
job=(--qi age,v --sensitive s --rest insensitive --allow-leaks -k 5 --quiet)
same_rows() { # same_rows NAME: the folder has the rows of whole.parquet
    statements x.db "COPY (SELECT count(*) FROM ((SELECT v, d, CAST(day AS VARCHAR), age, s, \"no=te\", id
        FROM read_parquet('$folder/**/*.parquet', hive_types_autocast = false) EXCEPT ALL SELECT v,
        regexp_replace(d::VARCHAR, '[.]0\$', ''), day::VARCHAR, age, s, \"no=te\", id FROM
        'whole.parquet'))) TO 'different.csv' (HEADER false)"
    truth "$1" test "$(cat different.csv)" = 0
}
expect 0 err '' anonymize t.parquet "${job[@]}" -o whole.parquet
expect 0 err '' anonymize t.parquet "${job[@]}" --partition-by v,d,day -o $folder --result r.json
same_rows "values that are hostile as names come back, missing ones are missing"
expect 0 out 'result +agrees with r.json' check $folder --against r.json
expect 0 out '' report r.json -o report.html
truth "folders and files are private" test "$(find $folder -perm /077)" = ""
truth "a missing value has hive's name" test -d "$folder/v=__HIVE_DEFAULT_PARTITION__"
truth "nothing stands outside the folder" test "$(find . -name '*a*b*' -maxdepth 1)" = ""
wanted=$(cd $folder && find . -type f -printf '%P\n' | LC_ALL=C sort | xargs -d '\n' sha256sum | sha256sum)
truth "the hash of the result is that of sha256sum" grep -q "${wanted%% *}" r.json

# Released values name folders, not those of the table.
expect 0 err '' anonymize t.parquet --qi id --hierarchy 'id=intervals(1000,3000)' --insensitive s --rest drop \
    -k 1000 --method mingen --quiet --partition-by id -o ids.parquet --result ids.json
truth "folders tell released values alone" \
    test "$(find ids.parquet -mindepth 1 -type d -printf '%f\n' | LC_ALL=C sort | tr '\n' ' ')" = \
    "id=0-999 id=1000-1999 id=2000-2999 id=3000-3999 id=4000-4999 id=5000-5999 "
expect 0 out 'result +agrees' check ids.parquet --against ids.json
# A release that somebody changes afterwards is found out by its names, too.
mv ids.parquet/id=0-999 ids.parquet/id=7
expect 1 out 'does not agree' check ids.parquet --against ids.json

# ---- Refused --------------------------------------------------------------------------------------
refused() { # refused STATUS MESSAGE OPTION...
    local status=$1 message=$2
    shift 2
    expect "$status" err "$message" anonymize t.parquet "${job[@]}" -o "${to:-n.parquet}" "$@"
    truth "and nothing is written" test "$(find . -maxdepth 1 -name '*n.parquet*')" = ""
}
refused 3 'has a value NULL or __HIVE_DEFAULT_PARTITION__' --partition-by nul
refused 3 'too long for the name of a folder' --partition-by long
refused 3 'has the type BIGINT\[\], whose values name no folders' --partition-by li
refused 2 "column 'no=te' cannot name folders" --partition-by '"no=te"'
refused 2 'there is no column .other.' --partition-by other
refused 2 "'v' is named twice" --partition-by v,v
refused 2 'is not released, and its values would be' --partition-by id --identifier id
for to in n.csv - 'duckdb:n.parquet?table=t'; do
    refused 2 'end the name of the output in .parquet' --partition-by v
done
to=
refused 2 'leave it out' --partition-by v --print-sql duckdb
expect 2 err 'names every column of the release' anonymize t.parquet --qi age,v --rest drop -k 2 \
    --partition-by age,v -o n.parquet
expect 2 err 'does not belong to check' check t.parquet --qi age --partition-by age
statements x.db "COPY (SELECT i AS many, i % 2 AS a FROM range(10001) t(i)) TO 'many.parquet'" \
    "COPY (SELECT i % 2500 AS many, i % 2 AS a FROM range(20000) t(i)) TO 'some.parquet'"
expect 3 err 'would have 10001 partitions, more than 10000' anonymize many.parquet --qi a --rest insensitive \
    --allow-leaks -k 2 --quiet --partition-by many -o n.parquet
expect 0 err '' anonymize some.parquet --qi a --rest insensitive --allow-leaks -k 2 --quiet \
    --partition-by many -o some_many.parquet --result many.json
truth "2,500 partitions are written" test "$(find some_many.parquet -mindepth 1 -type d | wc -l)" = 2500
expect 0 out 'agrees' check some_many.parquet --against many.json

# ---- What is there already ------------------------------------------------------------------------
expect 3 err 'the folder exists already and is not empty' anonymize t.parquet "${job[@]}" --partition-by v -o $folder
expect 0 err '' anonymize t.parquet "${job[@]}" --partition-by day,v -o $folder --overwrite --result again.json
truth "the old folder is gone" test "$(find . -maxdepth 1 -name ".$folder*")" = ""
expect 0 out 'agrees' check $folder --against again.json
expect 1 out 'does not agree' check $folder --against r.json
before=$(find $folder -type f -exec sha256sum {} + | sort)
expect 1 err 'would give persons away' anonymize t.parquet --qi age,v --rest insensitive -k 5 --quiet \
    --partition-by v -o $folder --overwrite
touch $folder/notes.txt
expect 3 err 'holds notes.txt, which is no Parquet file' anonymize t.parquet "${job[@]}" --partition-by v \
    -o $folder --overwrite
rm $folder/notes.txt
expect 2 err 'one lies in the other' anonymize $folder "${job[@]}" --partition-by v -o $folder --overwrite
expect 2 err 'one lies in the other' anonymize t.parquet "${job[@]}" --partition-by v -o $folder --overwrite \
    --result $folder/r.json
expect 2 err 'one lies in the other' anonymize t.parquet "${job[@]}" --partition-by v -o t.parquet
expect 2 err 'this is a folder; name a file|is a folder' anonymize t.parquet "${job[@]}" -o $folder
truth "what is refused changes nothing" test "$(find $folder -type f -exec sha256sum {} + | sort)" = "$before"
echo text >file.parquet
expect 3 err 'is a file, and the release is to be a folder' anonymize t.parquet "${job[@]}" --partition-by v \
    -o file.parquet --overwrite
mkdir empty.parquet
expect 0 err '' anonymize t.parquet "${job[@]}" --partition-by v -o empty.parquet

# ---- Together with other options --------------------------------------------------------------------
combined() { # combined NAME OPTION...
    local name=$1
    shift
    rm -rf c.parquet
    expect 0 err '' anonymize t.parquet "${job[@]}" --partition-by v -o c.parquet --result c.json "$@"
    expect 0 out 'agrees' check c.parquet --against c.json
    truth "$name: as divided as it should be" test "$(find c.parquet -type f | wc -l)" -gt 1
}
combined "strata" --by v
combined "persons" --entity id
combined "conditions" --where 'age < 5'
combined "samples" --sample 50% --sample-seed 3
combined "memory" --memory 200M
combined "order" --keep-order
combined "rows" --trim
combined "treated" --treat 'day=date(month)'
combined "local suppression" --method local-suppression
combined "recodings" --save-recoding c.rec
expect 0 err '' apply c.rec t.parquet --allow-leaks --partition-by v -o applied.parquet --quiet
truth "apply divides, too" test -d "applied.parquet/v=%3F%2A"
statements x.db "COPY (SELECT * FROM 't.parquet') TO 't.csv'"
cut -d, -f1-3 <(python3 -B -c "
import csv, sys
for row in csv.reader(open('t.csv', newline='')):
    csv.writer(sys.stdout).writerow([cell.replace(',', '').replace('\n', '') for cell in row])") >plain.csv
expect 0 err '' anonymize plain.csv --qi age,v --sensitive s -k 5 --quiet --partition-by v -o of_text.parquet \
    --result text.json
expect 0 out 'agrees' check of_text.parquet --against text.json

# ---- Broken off -----------------------------------------------------------------------------------
statements x.db "COPY (SELECT i % 97 AS a, hash(i) % 31 AS b, i AS note FROM range(200000) t(i)) TO
    'large.parquet'"
large=(large.parquet --qi 'a,b' --rest insensitive --allow-leaks -k 3 --quiet --partition-by b)
expect 0 err '' anonymize "${large[@]}" -o killed.parquet --overwrite
mkdir tmp
wrong=
for moment in $(seq 1 "${PARQUET_KILLS:-20}"); do
    [ $((moment % 2)) = 0 ] && rm -rf killed.parquet
    there=$([ -e killed.parquet ] && echo yes)
    TMPDIR=$PWD/tmp "$MINGLE" anonymize "${large[@]}" -o killed.parquet --overwrite >/dev/null 2>&1 &
    pid=$!
    sleep "0.$((moment * 7 % 10))"
    kill -9 $pid 2>/dev/null && wait $pid 2>/dev/null
    if [ -e killed.parquet ]; then
        "$MINGLE" check killed.parquet --qi a,b -k 3 >counted 2>&1 || wrong="$wrong $moment"
        grep -q 'rows *200,000 read' counted || wrong="$wrong $moment"
    elif [ -n "$there" ]; then
        wrong="$wrong $moment"
    fi
done
truth "kill -9 leaves whole folders under the name, or none" test "$wrong" = ""
truth "what is left has a name that tells, and is private" \
    test "$(find . -maxdepth 1 -name '.killed*' \( ! -name '.killed.parquet.mingle-*' -o -perm /077 \))" = ""
finish
