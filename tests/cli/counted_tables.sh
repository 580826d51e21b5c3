#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Counted tables (--count): each row stands for several records.
# slow: many small databases and files, beside the same jobs on text
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "counted tables are released as their records are" python3 "$SOURCE/tests/cli/counted_tables.py" "$MINGLE" 60 7

printf 'age,sex,s,n\n21,f,a,3\n22,f,b,2\n31,m,a,4\n35,m,b,1\n' >t.csv
job=(--qi age,sex --sensitive s --hierarchy 'age=intervals(10)' --hierarchy sex=suppress --method mingen)
expect 0 out '10 read .in 4 counted rows, 1 of one record., 10 released' anonymize t.csv --count n "${job[@]}" -k 5 -o r.csv --result r.json
truth "rows that are released alike are one" test "$(sort r.csv | xargs)" = \
    '20-29,f,a,3 20-29,f,b,2 30-39,m,a,4 30-39,m,b,1 age,sex,s,n'
truth "the result tells what rows stand for" test "$(jq -c '.counts | del(.rows_sha256)' r.json)" = '{"column":"n","rows":4,"once":1,"released_rows":4}'
truth "the guard saw no column" test "$(jq -c '[.guard.columns[].looked_at]' r.json)" = '[false]'
expect 0 out 'agrees with r.json' check r.csv --against r.json
(head -n 1 r.csv && tail -n +2 r.csv | tac) >turned.csv
expect 0 out 'agrees with r.json' check turned.csv --against r.json
sed 's/^20-29,f,a,3$/20-29,f,a,2/; s/^20-29,f,b,2$/20-29,f,b,3/' turned.csv >swapped.csv
expect 1 out 'counts.rows_sha256: the result claims' check swapped.csv --against r.json
jq '.counts.rows_sha256 = null' r.json >forged.json
expect 1 out 'sha256 of the release' check turned.csv --against forged.json
expect 0 out 'k-anonymity k=5 holds' check r.csv --count n --qi age,sex -k 5
expect 1 out 'k-anonymity k=5 does not hold' check r.csv --qi age,sex --identifier n -k 5
expect 0 out '10 read' risk t.csv --count n --qi age,sex
expect 0 out '' report r.json -o r.html --quiet
truth "the page tells what rows stand for" grep -q '4 rows stand for 10 records; 1 of them for a single one' r.html

# ---- Counts of slices, and conditions --------------------------------------------------------------------
expect 0 out '' count t.csv --count n --qi age,sex --sensitive s -o t.part --quiet
expect 0 out '10 read' anonymize t.part "${job[@]:4}" -k 5 --dry-run
expect 0 out '5 released' anonymize t.csv --count n "${job[@]}" -k 5 --where "sex = 'f'" -o w.csv --result w.json
expect 0 out 'agrees with w.json' check w.csv --against w.json

# ---- What was lost, and an attack: of records, too ---------------------------------------------------------
expect 0 out '10 read, 10 released' utility t.csv r.csv --count n "${job[@]:0:2}" --hierarchy 'age=intervals(10)' --hierarchy sex=suppress
printf 'who,age,sex\nAnn,21,f\n' >ann.csv
expect 0 out '"5": 1' attack r.csv ann.csv --against r.json --json
expect 3 err 'the release has no column "n"' utility t.csv <(cut -d, -f 1-3 r.csv) --count n --qi sex

# ---- The map --------------------------------------------------------------------------------------------
printf 'age,released_age\n21,a\n22,b\n' >names.csv
expect 0 out '' anonymize names.csv --qi age,released_age -k 2 --save-map map.csv --quiet
truth "names of the map are different" test "$(head -n 1 map.csv)" = 'age,released_age,released_age_,released_released_age'
truth "nobody else can read it" test "$(stat -c %a map.csv)" = 600
expect 2 err 'a map' anonymize names.csv --qi age,released_age -k 2 --save-map map.json
expect 2 err 'keeps back those that are rare' anonymize names.csv --qi age,released_age -k 2 --least-count 2 --save-map no.csv

# ---- Counts from any source ---------------------------------------------------------------------------------
library=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}
pass=(--qi sex --rest insensitive -k 1 --keep-order --allow-leaks --quiet)
sort r.csv >wanted.csv
# counted_as SOURCE: the release of the counts that lie there is that of the text.
counted_as() {
    expect 0 out '10 read .in 4 counted rows' anonymize "$1" --count n "${job[@]}" -k 5 -o other.csv --result other.json
    truth "$1: the release of the text" diff wanted.csv <(tr -d '\r' <other.csv | sort)
    expect 0 out 'agrees with other.json' check r.csv --against other.json
    expect 0 out '10 read' risk "$1" --count n --qi age,sex
}
if command -v sqlite3 >sqlite3.path; then
    sqlite3 t.db -cmd '.mode csv' 'CREATE TABLE t (age INTEGER, sex TEXT, s TEXT, n INTEGER)' '.import --skip 1 t.csv t'
    counted_as 'sqlite:t.db?table=t'
    expect 3 err 'is no number of records; give whole numbers above 0' anonymize 'sqlite:t.db?table=t' --count s --qi age,sex --rest drop -k 2 -o no.csv
else
    ok "counts in SQLite # SKIP sqlite3 is not installed (scripts/setup test)"
fi
for format in xlsx sav dta; do
    if "$MINGLE" anonymize t.csv "${pass[@]}" -o "t.$format" 2>err; then
        counted_as "t.$format"
    else
        ok "counts in $format # SKIP $(head -c 200 err)"
    fi
done
if [ -f "$library" ]; then
    export MINGLE_DUCKDB=$library
    expect 0 out '' anonymize t.csv "${pass[@]}" -o t.parquet
    counted_as t.parquet
    expect 0 out '' anonymize t.parquet --count n "${job[@]}" -k 5 -o other.parquet --save-map map.parquet --quiet
    truth "nobody else can read a map in Parquet" test "$(stat -c %a map.parquet)" = 600
    expect 0 out '4 read' risk map.parquet --qi age,sex,released_age,released_sex
    "$MINGLE" anonymize t.csv --count n "${job[@]}" -k 5 --save-map map.csv --quiet
    "$MINGLE" anonymize map.parquet --qi sex --rest insensitive -k 1 --keep-order --allow-leaks --quiet -o back.csv
    truth "it has the rows of the one in text" diff map.csv back.csv
    unset MINGLE_DUCKDB
else
    ok "counts in Parquet # SKIP make duckdb was not run"
fi

# ---- The leak guard, by counts that were made elsewhere -----------------------------------------------
awk 'BEGIN { print "zip,s,town"; for (i = 0; i < 400; i++) printf "%03d,s%d,town %d\n", i % 40, i % 3, i % 40 }' >persons.csv
awk -F, 'NR > 1 { n[$1 "," $2]++ } END { print "zip,s,n"; for (i in n) print i "," n[i] }' persons.csv >counted.csv
awk -F, 'NR > 1 { n[$0]++ } END { print "zip,s,town,n"; for (i in n) print i "," n[i] }' persons.csv >towns.csv
sed 's/town [0-9]*/here/' towns.csv | awk -F, 'NR == 1 { print; next } { n[$1 "," $2 "," $3] += $4 }
    END { for (i in n) print i "," n[i] }' >heres.csv
guarded=(--qi zip --sensitive s --insensitive town --hierarchy 'zip=mask(right)' -k 30 --method mingen)
expect 1 err '"town" gives back the value of "zip" in 400 of the 400 rows' anonymize persons.csv "${guarded[@]}" -o no.csv
expect 1 err '"town" gives back the value of "zip" in 400 of the 400 rows' anonymize counted.csv --count n "${guarded[@]}" \
    --guard-counts towns.csv -o no.csv
expect 0 err '' anonymize counted.csv --count n "${guarded[@]}" --guard-counts towns.csv --allow-leaks town -o towns.out --quiet
expect 0 out '"looked_at": true' anonymize counted.csv --count n "${guarded[@]}" --guard-counts heres.csv -o heres.out --json
expect 3 err 'are not of the records that were searched' anonymize counted.csv --count n "${guarded[@]}" \
    --guard-counts <(sed '2s/[0-9]*$/77/' towns.csv) -o no.csv
expect 3 err 'these counts have no column "s"' anonymize counted.csv --count n "${guarded[@]}" \
    --guard-counts <(cut -d, -f 1,3,4 towns.csv) -o no.csv
expect 3 err 'these counts have the column "more", which does not pass through' anonymize counted.csv --count n "${guarded[@]}" \
    --guard-counts <(sed '1s/$/,more/; 2,$s/$/,x/' towns.csv) -o no.csv
expect 3 err 'column "city", which does not pass through' anonymize counted.csv --count n "${guarded[@]}" \
    --guard-counts <(sed '1s/town/city/' towns.csv) -o no.csv
expect 2 err 'guard-counts is for tables that are counted' anonymize persons.csv "${guarded[@]}" --guard-counts towns.csv -o no.csv

# ---- What cannot be ---------------------------------------------------------------------------------------
for bad in 0 -1 1.5 x; do
    sed "3s/2\$/$bad/" t.csv >bad.csv
    expect 3 err 'bad.csv:3: ".*" in column "n" is no number of records; give whole numbers above 0' anonymize bad.csv --count n "${job[@]}" -k 2 -o no.csv
done
expect 3 err 'row 2 has no number of records in column "n"' anonymize <(sed '3s/2$//' t.csv) --count n "${job[@]}" -k 2 -o no.csv
sed '3s/2$/18446744073709551615/' t.csv >large.csv
expect 3 err 'add up to more than any table has' anonymize large.csv --count n "${job[@]}" -k 2 -o no.csv
expect 2 err 'there is no column "m"' anonymize t.csv --count m "${job[@]}" -k 2 -o no.csv
expect 2 err 'is quasi as well; give it no role' anonymize t.csv --count age "${job[@]}" -k 2 -o no.csv
expect 2 err 'tells persons apart' anonymize t.csv --count n --qi age --entity s --rest drop -k 2 -o no.csv
expect 2 err 'draws single records' anonymize t.csv --count n "${job[@]}" -k 2 --sample 3 -o no.csv
expect 2 err 'would be passed through' anonymize t.csv --count n --qi age,sex --insensitive s -k 2 -o no.csv
expect 2 err 'averages single records' anonymize t.csv --count n "${job[@]:0:4}" --aggregate age=mean -k 2 -o no.csv
expect 2 err 'column "age" has linking likelihood 0 and would be passed through' anonymize t.csv --count n "${job[@]}" -k 2 \
    --likelihood age=0 -o no.csv
expect 2 err 'looks at single records' risk t.csv --count n --qi age,sex --suda
truth "nothing is written" test ! -e no.csv
finish
