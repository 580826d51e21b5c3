#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# --where and --sample on a table of PostgreSQL, whose columns have types: the same rows as from the
# same table in a file, whether the engine counts and writes or rows are fetched.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
# No share is -0.00, which the engine writes without its sign.
drawn 'BEGIN { seed(9); print "nr,age,zip,born,name,share"
    split("Anna,bert,Bert,Zoé,it'\''s,McA,?", names, ",")
    for (i = 1; i <= 400; i++)
        printf "%d,%s,%05d,2020-%02d-%02d,%s,%.2f\n", i, uniform() < 0.1 ? "" : int(uniform() * 30),
            int(uniform() * 20) * 10, 1 + int(uniform() * 12), 1 + int(uniform() * 28),
            uniform() < 0.1 ? "NA" : names[1 + int(uniform() * 7)], (int(uniform() * 1000) - 500) / 100 }' >t.csv
sql one 'CREATE TABLE t (nr integer, age smallint, zip char(5), born date, name text, share numeric)'
psql -h "$servers/one" -U owner -d test -qc "\\copy t from t.csv with (format csv, header)"
job=(--missing ',NA' --qi zip,age --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10)' --identifier nr
    --rest insensitive -k 3 --suppress 30% --method mingen --quiet --keep-order --allow-leaks)
while IFS= read -r condition; do
    expect 0 out '' anonymize t.csv "${job[@]}" --where "$condition" -o text.csv --result text.json
    rows_of text.csv >text.rows
    sql one 'DROP TABLE IF EXISTS made'
    expect 0 out '' anonymize "$(at owner t)" "${job[@]}" --where "$condition" \
        -o "$(at owner made)" --result made.json
    psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
    rows_of made.csv >made.rows
    truth "$condition: the same release in the engine" cmp text.rows made.rows
    expect 0 out '' anonymize "$(at owner t)" "${job[@]}" --where "$condition" -o rows.csv \
        --result rows.json
    rows_of rows.csv >rows.rows
    truth "$condition: the same release of rows that were fetched" cmp text.rows rows.rows
    truth "$condition: the same counts, and rows that are left out stay there" python3 -c '
import json
text, made, rows = (json.load(open(f)) for f in ("text.json", "made.json", "rows.json"))
for key in ("rows", "left_out_rows", "row_choice", "classes", "node", "utility"):
    assert text[key] == made[key] == rows[key], key
assert made["left_database"]["rows"] == 0 and rows["left_database"]["rows"] == text["rows"]
assert 0 < made["left_database"]["for_where"] == rows["left_database"]["for_where"]'
    expect 0 out 'agrees' check "$(at owner made)" --against made.json
done <<'END'
age >= 10 and age < 25
age is not missing and not age in (3, 4, 5.0)
born between 2020-03-01 and 2020-09-30 or age is missing
name >= 'Z' or name = 'it''s'
name like '%c%' or name <> '?'
share < 0.5 and zip not like '%5_'
END
# A sample is drawn among the same rows in the same order.
sample=(--sample 40% --sample-seed 3 --where 'age > 4')
expect 0 out '' anonymize t.csv "${job[@]}" "${sample[@]}" -o text.csv
expect 0 out '' anonymize "$(at owner t)" "${job[@]}" "${sample[@]}" -o rows.csv
truth "the same sample" cmp <(rows_of text.csv) <(rows_of rows.csv)
sql one 'DROP TABLE IF EXISTS made'
expect 0 out '' anonymize "$(at owner t)" "${job[@]}" "${sample[@]}" -o "$(at owner made)"
psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
truth "the same sample, loaded as a table" cmp <(rows_of text.csv) <(rows_of made.csv)
# Rare combinations are those of the rows that are left.
least=(--where 'age between 3 and 20' --least-count 3)
expect 0 out '' anonymize t.csv "${job[@]}" "${least[@]}" -o text.csv
sql one 'DROP TABLE IF EXISTS made'
expect 0 out '' anonymize "$(at owner t)" "${job[@]}" "${least[@]}" -o "$(at owner made)"
psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
truth "the same with --least-count" cmp <(rows_of text.csv) <(rows_of made.csv)
expect 3 err '--where compares column "name" with a number' anonymize "$(at owner t)" "${job[@]}" \
    --where 'name > 3' -o rows.csv
expect 3 err 'no row satisfies --where' anonymize "$(at owner t)" "${job[@]}" --where 'age > 300' \
    -o rows.csv
finish
