#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# A table that lies in two databases: the release is that of all rows together, rows stay where they
# are, and what breaks off half-way can be finished or undone.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
if ! start_server two >log 2>&1; then
    cat log
    not_ok "a second server starts" "see above"
    finish
fi

# on ROLE SERVER TABLE
on() {
    echo "postgresql://$1@/test?host=$servers/$2&table=$3"
}
# What is there besides the tables of the test, on both.
left_behind() {
    local server
    for server in one two; do
        sql $server "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relname LIKE ANY
            (ARRAY['mingle%', 'made%'])"
    done
}
# fetch TABLE: its rows on both, as a CSV file with one header.
fetch() {
    psql -h "$servers/one" -U owner -d test -q --csv -c "SELECT * FROM $1"
    psql -h "$servers/two" -U owner -d test -q --csv -t -c "SELECT * FROM $1"
}

make_people
head -1 people.csv >header.csv
tail -n +2 people.csv | head -100 | cat header.csv - >one.csv
tail -n +102 people.csv | cat header.csv - >two.csv
for server in one two; do
    sql $server "CREATE TABLE people ($columns)"
    psql -h "$servers/$server" -U owner -d test -qc \
        "\\copy people from $server.csv with (format csv, header)"
done
{
    echo "# where the rows are"
    echo
    on owner one people
    echo "  $(on owner two people)  "
} >shards.txt
how=("${people[@]}" --method mingen)

# ---- The same as of a file with all rows -----------------------------------------------
expect 0 out '' anonymize people.csv "${how[@]}" -o text.csv --result text.json
rows_of text.csv >text.rows
sql two "ALTER SYSTEM SET log_statement = 'all'" 'SELECT pg_reload_conf()' >/dev/null
expect 0 out '' anonymize --shards shards.txt "${how[@]}" -o 'shards:?table=made' --result made.json
sql two "ALTER SYSTEM RESET log_statement" 'SELECT pg_reload_conf()' >/dev/null
agree "released on the shards" text.json made.json
fetch made >made.csv
rows_of made.csv >made.rows
truth "the rows are those of the file" cmp text.rows made.rows
truth "each shard has its own" test "$(sql one 'SELECT count(*) FROM made')" = \
    "$(sql one 'SELECT count(*) FROM people')"
grep -a 'execute <unnamed>: .*"people"' "$servers/two/log" >statements
truth "the table was read" test -s statements
truth "rows stayed: what was read was counted, or went into the release" \
    bash -c "! grep -v 'GROUP BY\|CREATE TABLE' statements"
truth "what left is told" python3 -c '
import json
left = json.load(open("made.json"))["left_database"]
assert left["rows"] == 0 and left["with_sensitive"]["groups"] > 0, left'
expect 0 out '^result +agrees' check 'shards:shards.txt?table=made' --against made.json
truth "no record is left" test ! -e shards.txt.unfinished
expect 3 err 'exists already' anonymize --shards shards.txt "${how[@]}" -o 'shards:?table=made'
expect 2 err 'cannot replace their tables' anonymize --shards shards.txt "${how[@]}" --overwrite \
    -o 'shards:?table=made'
for server in one two; do sql $server 'DROP TABLE made'; done

# Other commands count on both.
for table in people.csv "--shards shards.txt"; do
    # shellcheck disable=SC2086 # an option and its file
    "$MINGLE" check $table --qi zip,sex -k 2 --json >"checked${table:0:1}.json"
done
truth "both count the same classes" python3 -c '
import json
one, two = (json.load(open("checked%s.json" % x)) for x in "p-")
assert one["classes"] == two["classes"] and one["models"] == two["models"], (one, two)'
expect 0 out '^rows +300' check --shards shards.txt --qi sex -k 2
expect 0 out '' anonymize --shards shards.txt "${how[@]}" --where 'age < 40' -o 'shards:?table=made'
expect 0 out '' anonymize people.csv "${how[@]}" --where 'age < 40' -o some.csv
fetch made >made.csv
rows_of made.csv >made.rows
rows_of some.csv >some.rows
truth "with a condition, too" cmp some.rows made.rows
for server in one two; do sql $server 'DROP TABLE made'; done

# A recoding that was found on the shards, applied to them.
expect 0 out '' anonymize --shards shards.txt "${how[@]}" --save-recoding found.rec \
    -o 'shards:?table=made'
expect 0 out '' apply found.rec 'shards:shards.txt' -o 'shards:?table=made_again' --quiet
fetch made >made.csv
fetch made_again >again.csv
rows_of made.csv >made.rows
rows_of again.csv >again.rows
truth "a recoding is applied to shards" cmp made.rows again.rows
expect 0 out '' risk --shards shards.txt --qi zip,sex
for server in one two; do sql $server 'DROP TABLE made, made_again'; done

# The leak guard looks at all of them together: a column that gives another one back is refused.
for server in one two; do
    sql $server "CREATE TABLE leaky AS SELECT zip, age, sex, 'z' || zip AS town, disease FROM people"
done
sed 's/table=people/table=leaky/' shards.txt >leaky.txt
expect 1 err 'town' anonymize --shards leaky.txt --qi zip,age,sex --sensitive disease \
    --insensitive town --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20)' -k 20 \
    --method mingen -o 'shards:?table=made'
truth "nothing is left of a refused release" test -z "$(left_behind)"

# An empty shard is none the worse.
sql two 'CREATE TABLE few AS SELECT * FROM people WHERE false'
sql one 'CREATE TABLE few AS SELECT * FROM people'
sed 's/table=people/table=few/' shards.txt >few.txt
expect 0 out '' anonymize --shards few.txt "${how[@]}" -o 'shards:?table=made'
truth "a shard without rows gets a table without rows" test "$(sql two 'SELECT count(*) FROM made')" = 0
for server in one two; do sql $server 'DROP TABLE made'; done

# ---- A signature ------------------------------------------------------------------------
if command -v openssl >/dev/null; then
    openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
    openssl pkey -in key.pem -pubout -out pub.pem
    expect 0 out '' anonymize --shards shards.txt "${how[@]}" -o 'shards:?table=made' \
        --result signed.json --sign key.pem
    for server in one two; do sql $server 'DROP TABLE made'; done
fi

# ---- What cannot be done -------------------------------------------------------------------
expect 2 err 'rows do not leave shards' anonymize --shards shards.txt "${how[@]}" -o rows.csv
truth "no file is made" test ! -e rows.csv
expect 2 err 'only a table that lies on shards' anonymize people.csv "${how[@]}" \
    -o 'shards:shards.txt?table=made'
expect 2 err 'goes to the same shards' anonymize --shards shards.txt "${how[@]}" \
    -o 'shards:others.txt?table=made'
expect 2 err 'give one of them' anonymize people.csv --shards shards.txt "${how[@]}" \
    -o 'shards:?table=made'
expect 3 err 'cannot open' check --shards nothing.txt --qi zip -k 2
: >empty.txt
expect 3 err 'no location stands in it' check --shards empty.txt --qi zip -k 2
{ on owner one people; echo "postgres://owner@/test?table=people&host=$servers/one"; } >twice.txt
expect 3 err 'same database' check --shards twice.txt --qi zip -k 2
{ on owner one people; echo "sqlite:x.db?table=people"; } >other.txt
expect 2 err 'other.txt:2: shards are databases of PostgreSQL' check --shards other.txt --qi zip -k 2
{ on owner one people; echo "postgresql://owner:secret9@/test?host=$servers/two&table=people"; } >secret.txt
expect 2 err 'secret.txt:2: .*PGPASSWORD' check --shards secret.txt --qi zip -k 2
truth "the password is not repeated" bash -c '! grep -q secret9 err'
{ on owner one people; on owner none people; } >down.txt
expect 4 err 'down.txt:2: ' anonymize --shards down.txt "${how[@]}" -o 'shards:?table=made'
sql two 'CREATE TABLE short AS SELECT id, zip, age, sex, born, job FROM people'
sql one 'CREATE TABLE short AS SELECT * FROM people'
sed 's/table=people/table=short/' shards.txt >short.txt
expect 3 err 'column 7 is none' check --shards short.txt --qi zip -k 2
sql two 'DROP TABLE short' 'CREATE TABLE short AS SELECT id, zip, age::text, sex, born, job, disease FROM people'
expect 3 err 'column 3 is age text' check --shards short.txt --qi zip -k 2
for server in one two; do
    sql $server 'CREATE ROLE maker LOGIN' 'GRANT SELECT ON people TO maker' 'CREATE SCHEMA results'
done
sql one 'GRANT USAGE, CREATE ON SCHEMA results TO maker'
sed 's/owner@/maker@/' shards.txt >maker.txt
expect 4 err 'may not make tables in the schema results; have its owner run GRANT' anonymize \
    --shards maker.txt "${how[@]}" -o 'shards:?table=results.made'
truth "nothing was made on the other shard" test -z "$(left_behind)"

# ---- Broken off half-way --------------------------------------------------------------------
# The second shard refuses to give a table its name.
sql two "CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS \$\$ BEGIN
    RAISE 'no names today'; END \$\$"
for way in finish undo; do
    sql two "CREATE EVENT TRIGGER refuse ON ddl_command_start WHEN TAG IN ('ALTER TABLE')
        EXECUTE FUNCTION refuse()"
    expect 4 err 'no names today; the release is verified and has its name on 1 of 2 shards' \
        anonymize --shards shards.txt "${how[@]}" -o 'shards:?table=made' --result broken.json
    truth "no result is written" test ! -e broken.json
    truth "the record has what was printed" bash -c "grep '^psql' err | diff - <(grep '^psql' shards.txt.unfinished)"
    truth "the record is private" test "$(stat -c %a shards.txt.unfinished)" = 600
    expect 3 err 'got its name on some shards only' anonymize --shards shards.txt "${how[@]}" \
        -o 'shards:?table=made_again'
    sql two 'DROP EVENT TRIGGER refuse'
    if [ $way = finish ]; then
        sed -n '/^# To finish/,/^# Or/p' shards.txt.unfinished | grep '^psql' >commands
    else
        sed -n '/^# Or to undo/,$p' shards.txt.unfinished | grep '^psql' >commands
    fi
    truth "the commands to $way run" bash -e commands
    truth "and may run twice" bash -e commands
    if [ $way = finish ]; then
        fetch made >made.csv
        rows_of made.csv >made.rows
        truth "finished, it is the release" cmp text.rows made.rows
        for server in one two; do sql $server 'DROP TABLE made'; done
    fi
    truth "nothing else is left" test -z "$(left_behind)"
    rm shards.txt.unfinished
done

# A shard that goes down before the releases are committed takes the others with it.
sql two 'CREATE FUNCTION breaks() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$ BEGIN
    IF current_query() LIKE '"'CREATE TABLE%'"' THEN PERFORM pg_terminate_backend(pg_backend_pid());
    END IF; RETURN true; END $$' 'CREATE VIEW breaking AS SELECT * FROM people WHERE breaks()'
sql one 'CREATE VIEW breaking AS SELECT * FROM people'
sed 's/table=people/table=breaking/' shards.txt >breaking.txt
expect 4 err 'terminating connection' anonymize --shards breaking.txt "${how[@]}" -o 'shards:?table=made'
truth "a lost shard leaves nothing" test -z "$(left_behind)"
finish
