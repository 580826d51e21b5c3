#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# Tables of SQLite: read, counted, released inside the database, loaded; locations.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
printf 'a\n1\n' >tiny.csv
if "$MINGLE" check 'sqlite:none.db?table=t' --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    echo "skipped: no SQLite"
    exit 77
fi

make_people
lite_import p.db people people.csv

# The same job on text, on rows of the table, and pushed down.
for kind in 'cell keep' 'mingen drop' 'mondrian exempt'; do
    read -r method treatment <<<"$kind"
    how=("${people[@]}" --method "$method" --suppressed "$treatment")
    expect 0 out '' anonymize people.csv "${how[@]}" -o text.csv --result text.json
    expect 0 out '' anonymize 'sqlite:p.db?table=people' "${how[@]}" -o rows.csv --result rows.json
    expect 0 out '' anonymize 'sqlite:p.db?table=people' "${how[@]}" -o 'sqlite:p.db?table=made' \
        --result made.json
    agree "$kind: rows of a table" text.json rows.json
    agree "$kind: released inside the database" text.json made.json
    lite p.db 'SELECT * FROM made' >made.csv
    rows_of text.csv >text.rows
    rows_of rows.csv >rows.rows
    rows_of made.csv >made.rows
    truth "$kind: the rows are the same" cmp text.rows rows.rows
    truth "$kind: and those in the table" cmp text.rows made.rows
    expect 0 out 'k-anonymity k=4 holds' check 'sqlite:p.db?table=made' --qi zip,age,sex -k 4 \
        --suppressed "$treatment"
    lite p.db 'DROP TABLE made'
done
truth "counting leaves no table in the database" test "$(lite p.db "SELECT name FROM sqlite_master" | tail -n +2)" = people

# Every command takes a table.
data='sqlite:p.db?table=people'
for command in 'risk --qi zip,age,sex' 'risk --qi zip,sex --suda --weight age' 'lattice --qi zip,sex -k 3 --hierarchy zip=mask(right)' \
    'compare --qi zip,sex -k 3 --methods mingen,datafly --hierarchy zip=mask(right) --suppress 5%'; do
    read -ra words <<<"$command"
    expect 0 out '' "${words[0]}" "$data" "${words[@]:1}" --json
    grep -v '"read":\|"total":\|"search":\|seconds' out >table.out
    expect 0 out '' "${words[0]}" people.csv "${words[@]:1}" --json
    grep -v '"read":\|"total":\|"search":\|seconds' out >text.out
    truth "$command: as of the file" cmp table.out text.out
done
expect 0 out '^id +identifier' risk "$data" --advise
expect 0 out '' risk "$data" --qi zip,sex --rows rows.txt --quiet
truth "a line for each row" test "$(wc -l <rows.txt)" = 301
expect 0 out '' anonymize people.csv "${people[@]}" --method mingen -o 'sqlite:p.db?table=loaded' \
    --result loaded.json
expect 0 out 'precision' utility "$data" 'sqlite:p.db?table=loaded' --qi zip,age,sex \
    --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20)'
expect 0 out 'population-uniques|journalist' risk "$data" --qi zip,sex --population "$data"

# A saved recoding, applied inside the database; parts that the engine counted.
expect 0 out '' anonymize "$data" "${people[@]}" --method mingen -o 'sqlite:p.db?table=found' \
    --save-recoding found.rec
expect 0 out 'released' apply found.rec "$data" -o 'sqlite:p.db?table=applied'
lite p.db 'SELECT * FROM found' >found.csv
lite p.db 'SELECT * FROM applied' >applied.csv
rows_of found.csv >found.rows
rows_of applied.csv >applied.rows
truth "applied as it was found" cmp found.rows applied.rows
expect 0 out '' count "$data" --qi zip,sex -o table.part --quiet
expect 0 out '' count people.csv --qi zip,sex -o text.part --quiet
expect 0 out '' check table.part -k 1
cp out table.out
expect 0 out '' check text.part -k 1
truth "parts of the table and of the file are alike" cmp out table.out

# A table that is there stays as it is.
lite p.db 'SELECT * FROM loaded' >before
expect 3 err 'loaded: the table exists already' anonymize people.csv "${people[@]}" \
    -o 'sqlite:p.db?table=loaded'
expect 3 err 'loaded: the table exists already' anonymize "$data" "${people[@]}" \
    -o 'sqlite:p.db?table=loaded'
lite p.db 'SELECT * FROM loaded' >after
truth "a refused table is as it was" cmp before after

# ---- Replacing a table ---------------------------------------------------------------------
lite p.db 'CREATE TABLE replaced (old text)' "INSERT INTO replaced VALUES ('x')" 'CREATE VIEW seen AS SELECT * FROM loaded'
for from in "$data" people.csv; do # written by the engine, and loaded
    expect 0 out '' anonymize "$from" "${people[@]}" --method mingen -o 'sqlite:p.db?table=replaced' --overwrite \
        --result replaced.json
    truth "the table is replaced" test "$(lite p.db 'SELECT count(disease) FROM replaced' | tail -1)" = 300
    expect 0 out '^result +agrees' check 'sqlite:p.db?table=replaced' --against replaced.json
    expect 0 out '' anonymize "$from" "${people[@]}" --method mingen -o 'sqlite:p.db?table=not_there' --overwrite
    lite p.db 'DROP TABLE not_there'
    lite p.db 'SELECT * FROM loaded' >before
    expect 3 err 'cannot be replaced: views or triggers name it' anonymize "$from" "${people[@]}" \
        -o 'sqlite:p.db?table=loaded' --overwrite
    expect 3 err 'cannot be replaced: it is no plain table' anonymize "$from" "${people[@]}" \
        -o 'sqlite:p.db?table=seen' --overwrite
    lite p.db 'SELECT * FROM loaded' >after
    truth "a table that could not be replaced is as it was" cmp before after
done
expect 2 err 'is the same table as' anonymize "$data" "${people[@]}" -o 'sqlite:p.db?table=PEOPLE' --overwrite
# What cannot be met leaves the old table.
lite p.db 'SELECT * FROM replaced' >before
expect 1 err '' anonymize "$data" --qi zip,age,sex --rest drop -k 4000 -o 'sqlite:p.db?table=replaced' --overwrite
lite p.db 'SELECT * FROM replaced' >after
truth "a release that cannot be made replaces nothing" cmp before after
lite p.db 'DROP VIEW seen'

# ---- A database that is not there yet ----------------------------------------------------------
for from in "$data" people.csv; do
    expect 0 out '' anonymize "$from" "${people[@]}" --method mingen -o 'sqlite:new.db?table=made' --result new.json
    truth "the database is made" test "$(lite new.db 'SELECT count(*) FROM made' | tail -1)" = 300
    truth "for its owner alone" test "$(stat -c %a new.db)" = 600
    expect 0 out '^result +agrees' check 'sqlite:new.db?table=made' --against new.json
    rm new.db
    expect 1 err '' anonymize "$from" --qi zip,age,sex --rest drop -k 4000 -o 'sqlite:new.db?table=made'
    truth "it is not made for a release that cannot be" test ! -e new.db
done
# The table's name is refused by the engine only when it is made.
expect 4 err '' anonymize people.csv "${people[@]}" -o 'sqlite:new.db?table=sqlite_made'
truth "a database that was made for nothing is removed" test -z "$(ls new.db* 2>/dev/null)"
expect 3 err 'cannot make the database' anonymize people.csv "${people[@]}" -o 'sqlite:nowhere/new.db?table=made'

# ---- Types -----------------------------------------------------------------------------------
lite p.db 'CREATE TABLE typed (a INTEGER, b INT, c TEXT, d INTEGER, e REAL)' "INSERT INTO typed VALUES
    (1, 10, 'x', 'word', 1.5), (1, 10, 'x', 2, 1.5), (NULL, 11, 'y', 'word', 2), (NULL, 11, 'y', 2, 2),
    (1, 10, 'x', 'word', 1.5), (1, 10, 'x', 2, 1.5), (NULL, 11, 'y', 'word', 2), (NULL, 11, 'y', 2, 2)"
expect 0 out '' anonymize 'sqlite:p.db?table=typed' --qi a,b,c,d,e --method mingen -k 2 --quiet --hierarchy b=suppress \
    --level b=1 -o 'sqlite:p.db?table=made_typed'
truth "whole numbers stay numbers" test "$(lite p.db "SELECT sum(typeof(a) = 'integer'), sum(a IS NULL), max(typeof(b)), min(typeof(d)),
    min(typeof(e)) FROM made_typed" | tail -1)" = 4,4,text,text,text
lite p.db 'DROP TABLE made_typed' 'DROP TABLE typed' 'DROP TABLE replaced'

# A job file: the database lies beside it.
mkdir jobs
cp p.db jobs/
cat >jobs/job.yaml <<'END'
data: sqlite:p.db?table=people
output: sqlite:p.db?table=by_job
attributes:
  id: {role: identifier}
  zip: {role: quasi, hierarchy: mask(right)}
  sex: {role: quasi}
rest: drop
privacy: [{k-anonymity: 3}]
END
expect 0 out '' anonymize jobs/job.yaml --quiet
truth "written beside the job file" test "$(lite jobs/p.db 'SELECT count(*) FROM by_job' | tail -1)" = 300

# Names that have everything in them; a database that is not to be changed.
odd='we"ird; DROP TABLE people; --. é'
lite_import odd.db "$odd" people.csv
lite odd.db "ALTER TABLE \"${odd//\"/\"\"}\" RENAME COLUMN zip TO \"z\"\"ip'; --\""
quoted="%22${odd//\"/%22%22}%22"
expect 0 out '' anonymize "sqlite:odd.db?table=$quoted" --qi "z\"ip'; --,sex" --rest drop -k 3 \
    --hierarchy "z\"ip'; --=mask(right)" -o "sqlite:odd.db?table=a'%20\"b" --quiet
truth "a release with an odd name" test "$(lite odd.db "SELECT count(*) FROM \"a' \"\"b\"" | tail -1)" = 300
truth "all tables are there" test "$(lite odd.db 'SELECT count(*) FROM sqlite_master' | tail -1)" = 2

expect 3 err 'there is no such table' check 'sqlite:p.db?table=nothing' --qi zip -k 2
expect 3 err 'none.db: cannot open the database' check 'sqlite:none.db?table=t' --qi zip -k 2
truth "a database is not made by looking for it" test ! -e none.db
expect 3 err 'no SQLite database' check 'sqlite:people.csv?table=t' --qi zip -k 2
expect 2 err 'which table' check 'sqlite:p.db' --qi zip -k 2
expect 2 err 'is no name of a table' check 'sqlite:p.db?table=a.b.c' --qi zip -k 2
expect 2 err 'no column "zap"' check "$data" --qi zap -k 2
expect 2 err '--entity needs to know which row is which' anonymize "$data" "${people[@]}" --entity id \
    -o 'sqlite:p.db?table=persons'
lite p.db 'CREATE TABLE bytes (a BLOB, b text)' "INSERT INTO bytes VALUES (x'00ff', 'x'), (x'01', 'y')" \
    'CREATE TABLE none (a text)'
expect 3 err 'column "a" is of the type BLOB, which cannot be generalized' check \
    'sqlite:p.db?table=bytes' --qi a,b -k 2
expect 3 err 'the table has no rows' check 'sqlite:p.db?table=none' --qi a -k 2
lite p.db "CREATE TABLE broken (a text)" "INSERT INTO broken VALUES (CAST(x'ff41' AS text))"
expect 3 err 'no text \(UTF-8\)' check 'sqlite:p.db?table=broken' --qi a -k 2

# The leak guard, by counts: a column that gives back what was generalized, and one of row numbers.
lite p.db 'CREATE TABLE leaky AS SELECT zip, zip AS again, sex, rowid AS number FROM people'
expect 1 err '"again"' anonymize 'sqlite:p.db?table=leaky' --qi zip,sex --rest insensitive -k 60 \
    --hierarchy 'zip=mask(right)' -o 'sqlite:p.db?table=leaked'
truth "the guard blames the number, too" grep -q '"number" counts the rows' err
truth "a leaking release is not written to the database" test -z "$(lite p.db "SELECT name FROM sqlite_master WHERE name LIKE 'leaked' OR name LIKE 'mingle%'" | tail -n +2)"
expect 0 out '' anonymize 'sqlite:p.db?table=leaky' --qi zip,sex --rest insensitive -k 60 --quiet \
    --hierarchy 'zip=mask(right)' -o 'sqlite:p.db?table=leaked' --allow-leaks --result leaked.json
truth "what was allowed is told" grep -q leak-allowed leaked.json

# By counts the guard finds what it finds in rows, in the same words.
python3 -c '
import random, sqlite3
random.seed(5)
db = sqlite3.connect("p.db")
db.execute("CREATE TABLE told (zip text, sex text, town text, street text, days int, note text, "
           "mail text, amount text, ward text, illness text)")
for i in range(900):
    zip = random.randrange(30)
    db.execute("INSERT INTO told VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (
        "%05d" % (2100 + 7 * zip), random.choice("fm"), "town%d" % (zip * 11 % 30),
        "street%d" % (zip * 4 + random.randrange(4)), zip * 365 + random.randrange(365),
        "lives in %05d, seen %d times" % (2100 + 7 * zip, random.randrange(999)),
        "u%d@example.org" % i, "%.2f" % (random.random() * 1e5), random.choice(["east", "west"]),
        random.choice(["flu", "cold", "ulcer"])))
db.commit()'
lite p.db 'SELECT * FROM told' >told.csv
for models in '-k 5' '-k 40' '-k 5 --l-diversity illness=2' '-k 5 --suppressed drop'; do
    # shellcheck disable=SC2086,SC2206 # several options
    how=(--qi zip,sex --hierarchy 'zip=mask(right,3)' --level zip=1..3 --sensitive illness,amount
        --rest insensitive $models --method mingen --suppress 10% --allow-leaks --quiet)
    expect 0 out '' anonymize told.csv "${how[@]}" -o told_rows.csv --result told_rows.json
    expect 0 out '' anonymize 'sqlite:p.db?table=told' "${how[@]}" -o 'sqlite:p.db?table=untold' \
        --result told_counts.json
    truth "$models: the guard finds the same by counts" python3 -c '
import json
rows, counts = (json.load(open(f)) for f in ("told_rows.json", "told_counts.json"))
for document, by in ((rows, "rows"), (counts, "counts")):
    assert {c.pop("by") for c in document["guard"]["columns"]} == {by}
assert rows["guard"]["pairs"]["tested"] == 28 and rows["guard"]["pairs"]["not_tested"] == []
assert rows["guard"] == counts["guard"], (rows["guard"], counts["guard"])
assert rows["leaks"] == counts["leaks"]
found = {c["column"]: c["found"] for c in rows["guard"]["columns"]}
assert sorted(found["town"]) == ["passed-through", "recovers-column"] and "recovers-column" in found["street"]
assert "recovers-column" in found["days"] and "text-repeats-column" in found["note"]
assert "identifier-shape" in found["mail"] and found["amount"] == ["near-unique-column"]
assert found["ward"] == [] and found["illness"] == []'
    lite p.db 'DROP TABLE untold'
done

# Another process has the database.
python3 -c '
import sqlite3, time
db = sqlite3.connect("p.db", isolation_level=None)
db.execute("BEGIN IMMEDIATE")
open("locked", "w").close()
time.sleep(30)' &
locker=$!
for _ in $(seq 100); do [ -e locked ] || sleep 0.1; done
expect 4 err 'database is locked' anonymize "$data" "${people[@]}" --method mingen \
    -o 'sqlite:p.db?table=late'
kill $locker
wait $locker 2>/dev/null
expect 4 err 'rows from it .*write the release to another file' anonymize "$data" "${people[@]}" --method mingen \
    --sample 50% -o 'sqlite:p.db?table=late'
truth "a locked database is as it was" test -z "$(lite p.db "SELECT name FROM sqlite_master WHERE name IN ('late') OR name LIKE 'mingle%'" | tail -n +2)"
# ---- NA -------------------------------------------------------------------------------------
lite na.db 'CREATE TABLE na (q text, s text)' "INSERT INTO na VALUES $na_rows"
na_is_a_value 'sqlite:na.db?table=na' 'sqlite:na.db?table=made'
finish
