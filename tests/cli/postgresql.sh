#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# Tables of PostgreSQL, directly and through ODBC: the same job everywhere, rights, failures.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
# What is there besides the tables of the test.
left_behind() {
    sql one "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relname LIKE ANY
        (ARRAY['mingle%', 'made%']) AND relpersistence <> 't'"
}

make_people
sql one "CREATE TABLE people ($columns)"
psql -h "$servers/one" -U owner -d test -qc "\\copy people from people.csv with (format csv, header)"
lite_import p.db people people.csv

# ---- The same job everywhere ---------------------------------------------------------
expect 0 out '' anonymize people.csv "${people[@]}" --method mingen -o text.csv --result text.json
rows_of text.csv >text.rows
expect 0 out '' anonymize "$(at owner people)" "${people[@]}" --method mingen -o rows.csv \
    --result rows.json
sql one "ALTER SYSTEM SET log_statement = 'all'" 'SELECT pg_reload_conf()' >/dev/null
expect 0 out '' anonymize "$(at owner people)" "${people[@]}" --method mingen \
    -o "$(at owner made)" --result made.json
sql one "ALTER SYSTEM RESET log_statement" 'SELECT pg_reload_conf()' >/dev/null
agree "rows of a table" text.json rows.json
agree "released inside the database" text.json made.json
psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
rows_of rows.csv >rows.rows
rows_of made.csv >made.rows
truth "the rows are the same" cmp text.rows rows.rows
truth "the engine writes the same rows as a file has" cmp text.rows made.rows
truth "columns that pass through keep their types" test "$(sql one "SELECT format_type(atttypid, -1)
    FROM pg_attribute WHERE attrelid = 'made'::regclass AND attname = 'born'")" = date
grep -a 'execute <unnamed>: .*"people"' "$servers/one/log" >statements
truth "the table was read" test -s statements
truth "rows stayed in the database: what was read was counted, or went into the release" \
    bash -c "! grep -v 'GROUP BY\|CREATE TABLE' statements"
truth "the audit trail names no user" bash -c '! grep -q owner made.json'
expect 0 out '^result +agrees' check "$(at owner made)" --against made.json
sql one 'DROP TABLE made'

# ---- A digest of the rows, and a signature ---------------------------------------------
if command -v openssl >/dev/null; then
    openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
    openssl pkey -in key.pem -pubout -out pub.pem
    for from in "$(at owner people)" people.csv; do
        expect 0 out '' anonymize "$from" "${people[@]}" --method mingen -o "$(at owner made)" \
            --result signed.json --sign key.pem
        expect 0 out '^signature +verified$' check "$(at owner made)" --against signed.json \
            --verify-key pub.pem
        truth "the digest is compared" bash -c '! grep -q "digest of the rows: " out'
        sql one 'DELETE FROM made WHERE ctid = (SELECT min(ctid) FROM made)'
        expect 1 out 'digest of the rows' check "$(at owner made)" --against signed.json
        sql one 'DROP TABLE made'
    done
fi

# A table has no order: the same rows give the same part.
sql one 'CREATE TABLE turned AS SELECT * FROM people ORDER BY age DESC, disease DESC'
for table in people turned; do
    expect 0 out '' count "$(at owner $table)" --qi zip,age,sex --sensitive disease -o $table.part --quiet
done
truth "parts do not tell the order of rows" cmp people.part turned.part

for name in psqlodbcw libsqlite3odbc; do
    driver=$(find /usr/lib -name "$name.so" 2>/dev/null | head -1)
    if [ -z "$driver" ]; then
        echo "skipped: no ODBC driver $name"
        continue
    fi
    cat >odbc.ini <<END
[test]
Driver = $driver
Servername = $servers/one
Database = $([ "$name" = psqlodbcw ] && echo test || echo "$PWD/p.db")
Username = owner
END
    export ODBCINI=$PWD/odbc.ini
    expect 0 out '' anonymize 'odbc:DSN=test;?table=people' "${people[@]}" --method mingen \
        -o 'odbc:DSN=test;?table=made' --result odbc.json
    agree "$name: released inside the database" text.json odbc.json
    expect 0 out '' anonymize 'odbc:DSN=test;?table=people' "${people[@]}" --method mingen \
        -o odbc.csv --result odbc.json
    agree "$name: rows of a table" text.json odbc.json
    rows_of odbc.csv >odbc.rows
    truth "$name: the rows are the same" cmp text.rows odbc.rows
    expect 3 err 'the table exists already' anonymize 'odbc:DSN=test;?table=people' "${people[@]}" \
        -o 'odbc:DSN=test;?table=made'
    expect 0 out '' anonymize people.csv "${people[@]}" --method mingen \
        -o 'odbc:DSN=test;?table=made_again'
    expect 0 out 'k=4 holds' check 'odbc:DSN=test;?table=made_again' --qi zip,age,sex -k 4
    expect 3 err 'there is no such table' check 'odbc:DSN=test;?table=nothing' --qi zip -k 2
    if [ "$name" = psqlodbcw ]; then
        psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
        sql one 'DROP TABLE made, made_again'
    else
        lite p.db 'SELECT * FROM made' >made.csv
    fi
    rows_of made.csv >made.rows
    truth "$name: the rows in the table are the same" cmp text.rows made.rows
done
expect 4 err 'no default driver|not found|IM002' check 'odbc:DSN=nowhere;?table=t' --qi a -k 2
expect 2 err 'odbc.ini' check 'odbc:DSN=test;UID=me;PWD=secret1;?table=t' --qi a -k 2
truth "the password is not repeated" bash -c '! grep -q secret1 err'

# ---- Rights: SELECT on the table, CREATE in one schema, nothing else -------------------
sql one 'CREATE ROLE reader LOGIN' 'CREATE ROLE maker LOGIN' 'CREATE SCHEMA results' \
    'REVOKE TEMPORARY ON DATABASE test FROM PUBLIC' 'GRANT SELECT ON people TO maker' \
    'GRANT USAGE, CREATE ON SCHEMA results TO maker'
how=("${people[@]}" --method mingen)
expect 0 out '' anonymize "$(at maker people)" "${how[@]}" -o "$(at maker results.made)"
truth "written in the schema" test "$(sql one 'SELECT count(*) FROM results.made')" = 300
sql one 'DROP TABLE results.made'
expect 4 err 'role reader may not read the column "id"; .*GRANT SELECT ON "people" TO reader' anonymize "$(at reader people)" "${how[@]}" \
    -o "$(at reader made)"
expect 4 err 'may not make tables in the schema public; .*GRANT USAGE, CREATE ON SCHEMA public TO maker' anonymize "$(at maker people)" "${how[@]}" \
    -o "$(at maker made)"
truth "a failed push leaves no table" test -z "$(left_behind)"

# Column grants: all columns have to be readable, and that is known before anything is counted.
sql one 'CREATE ROLE partly LOGIN' 'GRANT SELECT (id, zip, age, sex, disease, born, job) ON people TO partly' \
    'GRANT USAGE, CREATE ON SCHEMA results TO partly'
expect 0 out '' anonymize "$(at partly people)" "${how[@]}" -o "$(at partly results.made)"
sql one 'REVOKE SELECT (job) ON people FROM partly'
expect 4 err 'may not read the column "job"' anonymize "$(at partly people)" "${how[@]}" \
    -o "$(at partly results.made_again)"
expect 3 err 'there is no schema' anonymize "$(at owner people)" "${how[@]}" -o "$(at owner nowhere.made)"
sql one 'DROP TABLE results.made'

# ---- Temporary schemas: they end with the connection, and are its own ----------------------------
psql -h "$servers/one" -U owner -d test -q >session.log 2>&1 <<END &
CREATE TEMPORARY TABLE mine AS SELECT * FROM people;
SELECT pg_sleep(60);
END
session=$!
for _ in $(seq 100); do
    schema=$(sql one "SELECT nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
        WHERE relname = 'mine'")
    [ -n "$schema" ] && break
    sleep 0.1
done
for target in pg_temp.made "$schema.made" pg_temp_9.made PG_TEMP.made; do
    expect 2 err 'is temporary: it ends with the connection' anonymize "$(at owner people)" \
        "${how[@]}" -o "$(at owner "$target")"
    expect 2 err 'is temporary: it ends with the connection' anonymize people.csv "${how[@]}" \
        -o "$(at owner "$target")"
done
expect 2 err 'is temporary: it ends with the connection' anonymize people.csv "${how[@]}" \
    -o "postgresql:///test?host=$servers/one&user=owner&options=-csearch_path%3Dpg_temp&table=made"
for source in pg_temp.mine "$schema.mine"; do
    expect 3 err 'is temporary: only the connection that made it can read it' check \
        "$(at owner "$source")" --qi zip -k 2
done
expect 3 err 'there is no schema' anonymize people.csv "${how[@]}" -o "$(at owner pg_temporal.made)"
kill "$session"
wait "$session" 2>/dev/null

# ---- Replacing a table -----------------------------------------------------------------
sql one 'CREATE TABLE made AS SELECT 1 AS old' 'GRANT SELECT ON made TO reader'
expect 3 err 'exists already' anonymize "$(at owner people)" "${how[@]}" -o "$(at owner made)"
for from in "$(at owner people)" people.csv; do
    expect 0 out '' anonymize "$from" "${how[@]}" -o "$(at owner made)" --overwrite
    truth "the table is replaced" test "$(sql one 'SELECT count(zip) + count(*) * 0 > 0 FROM made')" = t
    truth "others keep their rights" test "$(sql one "SELECT has_table_privilege('reader', 'made', 'SELECT')")" = t
done
before=$(sql one 'SELECT md5(string_agg(m::text, chr(10) ORDER BY m::text)) FROM made m')
sql one 'CREATE VIEW made_view AS SELECT * FROM made'
expect 3 err 'cannot be replaced: other things depend on it .*made_view' anonymize \
    "$(at owner people)" "${how[@]}" -o "$(at owner made)" --overwrite
expect 3 err 'cannot be replaced: it is no plain table' anonymize "$(at owner people)" "${how[@]}" \
    -o "$(at owner made_view)" --overwrite
sql one 'DROP VIEW made_view' 'ALTER TABLE made ENABLE ROW LEVEL SECURITY'
expect 3 err 'cannot be replaced: its policies' anonymize "$(at owner people)" "${how[@]}" \
    -o "$(at owner made)" --overwrite
sql one 'ALTER TABLE made DISABLE ROW LEVEL SECURITY' 'GRANT CREATE ON SCHEMA public TO maker'
expect 3 err 'cannot be replaced: it belongs to another role' anonymize "$(at maker people)" \
    "${how[@]}" -o "$(at maker made)" --overwrite
sql one 'REVOKE CREATE ON SCHEMA public FROM maker'
expect 3 err 'it is the table that is read' anonymize "$(at owner people)" "${how[@]}" \
    -o "postgres://owner@/test?table=people&host=$servers/one" --overwrite
truth "a table that could not be replaced is what it was" test "$before" = \
    "$(sql one 'SELECT md5(string_agg(m::text, chr(10) ORDER BY m::text)) FROM made m')"
sql one 'DROP TABLE made'

# ---- The same database by other names ----------------------------------------------------
expect 0 out '' anonymize "$(at owner people)" "${how[@]}" --result same.json \
    -o "postgres://owner@/test?table=made&connect_timeout=9&host=$servers/one"
truth "the servers say that it is the same database" python3 -c '
import json
assert json.load(open("same.json"))["left_database"]["rows"] == 0'
sql one 'DROP TABLE made' 'CREATE DATABASE other'
expect 0 out '' anonymize "$(at owner people)" "${how[@]}" --result other.json \
    -o "postgresql://owner@/other?host=$servers/one&table=made"
truth "and that another one of the same server is not" python3 -c '
import json
assert json.load(open("other.json"))["left_database"]["rows"] == 300'

# By a network address it is the database of the socket; another server on the same machine is not.
port=$(python3 -c 'import socket
with socket.socket() as s:
    s.bind(("127.0.0.1", 0))
    print(s.getsockname()[1])')
if start_server three "$port" >log 2>&1; then
    for server in one three; do
        [ $server = one ] || { sql $server "CREATE TABLE people ($columns)" &&
            psql -h "$servers/$server" -p "$port" -U owner -d test -qc "\\copy people from people.csv with (format csv, header)"; }
        expect 0 out '' anonymize "$([ $server = one ] && at owner people || echo "postgresql://owner@/test?host=$servers/three&port=$port&table=people")" \
            "${how[@]}" --result tcp.json -o "postgresql://owner@localhost:$port/test?table=made_$server"
        truth "rows leave server $server for localhost: only those of another" test "$(jq .left_database.rows tcp.json)" = \
            "$([ $server = one ] && echo 300 || echo 0)"
    done
    expect 3 err 'it is the table that is read' anonymize "postgresql://owner@127.0.0.1:$port/test?table=people" "${how[@]}" \
        -o "postgres://owner@/test?host=$servers/three&port=$port&table=people" --overwrite
else
    cat log
    not_ok "a server that listens on 127.0.0.1 starts" "see above"
fi

# ---- Failures half-way -------------------------------------------------------------------
sql one "CREATE FUNCTION breaks() RETURNS boolean LANGUAGE plpgsql VOLATILE AS \$\$ BEGIN
    IF current_query() LIKE 'CREATE TABLE%' THEN PERFORM pg_terminate_backend(pg_backend_pid());
    END IF; RETURN true; END \$\$" \
    'CREATE VIEW breaking AS SELECT * FROM people WHERE breaks()' \
    "CREATE VIEW shrinking AS SELECT * FROM people
        WHERE current_query() NOT LIKE 'CREATE TABLE%' OR age < 50" \
    'CREATE VIEW slow AS SELECT people.* FROM people, pg_sleep(60)' \
    'CREATE EXTENSION dblink' \
    "CREATE FUNCTION grows() RETURNS boolean LANGUAGE plpgsql VOLATILE AS \$\$ BEGIN
    IF current_query() LIKE 'CREATE TABLE%' THEN PERFORM dblink_exec(
        'host=$servers/one user=owner dbname=test', 'UPDATE people SET zip = ''99999''');
    END IF; RETURN true; END \$\$" \
    'CREATE VIEW growing AS SELECT * FROM people WHERE (SELECT grows())'
expect 4 err 'terminating connection' anonymize "$(at owner breaking)" "${how[@]}" \
    -o "$(at owner made)"
truth "a lost connection leaves nothing" test -z "$(left_behind)"
expect 3 err 'was changed meanwhile' anonymize "$(at owner shrinking)" "${how[@]}" \
    -o "$(at owner made)" --result changed.json
truth "a table that shrinks leaves nothing" test -z "$(left_behind)"
truth "not even a result" test ! -e changed.json

"$MINGLE" anonymize "$(at owner slow)" "${how[@]}" -o "$(at owner made)" >out 2>err &
running=$!
for _ in $(seq 300); do
    [ "$(sql one "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'
        AND query LIKE '%GROUP BY%' AND state = 'active'")" = 1 ] && break
    sleep 0.1
done
kill -TERM $running
wait $running
truth "a signal stops the server, too" test $? = 143
for _ in $(seq 100); do
    [ "$(sql one "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'")" = 0 ] && break
    sleep 0.1
done
truth "a cancelled statement is stopped in the server" test "$(sql one "SELECT count(*) FROM pg_stat_activity
    WHERE application_name = 'mingle'")" = 0

# What a killed client has asked for ends with it (version 14 or later).
if [ "$(sql one 'SHOW server_version_num')" -ge 140000 ]; then
    "$MINGLE" anonymize "$(at owner slow)" "${how[@]}" -o "$(at owner made)" >out 2>err &
    running=$!
    for _ in $(seq 300); do
        [ "$(sql one "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'
            AND query LIKE '%GROUP BY%' AND state = 'active'")" = 1 ] && break
        sleep 0.1
    done
    kill -KILL $running
    wait $running 2>/dev/null
    for _ in $(seq 200); do
        [ "$(sql one "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'")" = 0 ] && break
        sleep 0.1
    done
    truth "the server stops when its client is killed" test "$(sql one "SELECT count(*)
        FROM pg_stat_activity WHERE application_name = 'mingle'")" = 0
    truth "and nothing is left" test -z "$(left_behind)"
fi

# Everything comes from one state of the table.
expect 0 out '' anonymize "$(at owner growing)" "${how[@]}" -o "$(at owner made)" \
    --result grown.json
truth "the table was changed" test "$(sql one "SELECT count(*) FROM people WHERE zip = '99999'")" = 300
agree "the release is that of the state before" text.json grown.json
sql one 'DROP TABLE made'

# ---- What cannot be done -------------------------------------------------------------------
sql one 'CREATE TABLE odd (a bytea, b integer[], c text)' "INSERT INTO odd VALUES ('x', '{1,2}', 'y')"
expect 3 err 'column "a" is of the type bytea, which cannot be generalized' check \
    "$(at owner odd)" --qi a,c -k 1
expect 3 err 'column "b" is of the type integer\[\]' check "$(at owner odd)" --qi b -k 1
expect 0 out '' check "$(at owner odd)" --qi c -k 1
expect 3 err 'exists already' anonymize "$(at owner people)" "${how[@]}" -o "$(at owner slow)"
expect 3 err 'there is no such table' check "$(at owner nothing)" --qi zip -k 2
expect 3 err 'there is no such table' check "$(at owner nowhere.people)" --qi zip -k 2
expect 4 err 'database "none" does not exist' check \
    "postgresql://owner@/none?host=$servers/one&table=t" --qi zip -k 2
expect 4 err 'No such file|refused' check "postgresql://owner@/t?host=$servers/none&table=t" --qi a -k 2

# Passwords: from the environment, never from a location.
sql one "CREATE ROLE secret LOGIN PASSWORD 'topsecret2'" 'GRANT SELECT ON people TO secret' \
    'GRANT USAGE, CREATE ON SCHEMA results TO secret'
sed -i '1i local all secret scram-sha-256' "$servers/one/data/pg_hba.conf"
sql one 'SELECT pg_reload_conf()' >/dev/null
expect 4 err 'no password supplied' check "$(at secret people)" --qi zip -k 2
PGPASSWORD=wrong3 expect 4 err 'password authentication failed' check "$(at secret people)" --qi zip -k 2
PGPASSWORD=topsecret2 expect 0 out '' anonymize "$(at secret people)" --qi sex --rest drop -k 2 \
    -o "$(at secret results.secret)" --result secret.json
truth "the password is nowhere" bash -c '! grep -q topsecret2 secret.json out err'
for location in "postgresql://owner:topsecret2@/test?host=$servers/one&table=people" \
    "postgresql://owner@/test?host=$servers/one&password=topsecret2&table=people"; do
    expect 2 err 'PGPASSWORD' check "$location" --qi zip -k 2
    truth "a password in a location is not repeated" bash -c '! grep -q topsecret2 err'
done

# ---- Names and values --------------------------------------------------------------------
sql one 'CREATE SCHEMA "a.b; --"' "CREATE TABLE \"a.b; --\".\"t\"\"; DROP TABLE people; --\"
    (\"q'; --\" text, \"new
line\" char(8), n numeric, m numeric(6,2), flag boolean, at timestamptz, s text)" \
    "INSERT INTO \"a.b; --\".\"t\"\"; DROP TABLE people; --\" SELECT
    (ARRAY['x''y', E'tab\\tand\\\\n', '\\N', '', NULL])[1 + i % 5], 'c' || i % 2, (i % 3) / 2.0,
    1.50, i % 2 = 0, '2020-01-01 00:00:00+00', 's' || i % 3 FROM generate_series(1, 90) i"
location="postgresql://owner@/test?host=$servers/one"
expect 0 out '' anonymize "$location&table=%22a.b; --%22.%22t%22%22; DROP TABLE people; --%22" \
    --qi "q'; --,n" --method mingen --rest insensitive -k 5 -o "$location&table=%22a.b; --%22.%22r %27%22" \
    --result odd.json --quiet
truth "values are what they were" test "$(sql one "SELECT count(DISTINCT \"q'; --\"), count(*),
    count(\"q'; --\") FROM \"a.b; --\".\"r '\"")" = '3|90|54'
truth "the other table is there" test "$(sql one 'SELECT count(*) FROM people')" = 300

# ---- Types of released columns -----------------------------------------------------------
sql one 'CREATE TABLE typed (kept integer, coarse integer, day date, holes integer, real double precision, s text)' \
    "INSERT INTO typed SELECT i % 3, i, date '2020-01-01' + i % 2, CASE WHEN i % 4 > 0 THEN 1 END, 0.5, 's'
    FROM generate_series(1, 60) i"
expect 0 out '' anonymize "$(at owner typed)" --qi kept,coarse,day,holes,real --sensitive s \
    --hierarchy coarse=suppress --method mingen -k 2 -o "$(at owner made_typed)" --result typed.json
truth "columns keep their types where each released text is one of theirs" test "$(sql one "SELECT string_agg(attname || ' ' ||
    format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
    WHERE attrelid = 'made_typed'::regclass AND attnum > 0")" = \
    'kept integer, coarse text, day date, holes integer, real text, s text'
truth "with all their rows" test "$(sql one 'SELECT count(*), sum(kept), count(holes) FROM made_typed')" = '60|60|45'

# types TABLE: of its columns.
types() {
    sql one "SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum)
        FROM pg_attribute WHERE attrelid = '$1'::regclass AND attnum > 0"
}
# Values that were changed: numbers for numbers, days for days; beyond the type, or with a label, texts.
sql one "CREATE TYPE mood AS ENUM ('sad', 'fair')" \
    'CREATE TABLE changed (year integer, small smallint, born date, felt mood, cost numeric(6,2), code varchar(4), age integer)' \
    "INSERT INTO changed SELECT 1980 + i % 7, i % 5, date '1980-01-01' + i % 40, (ARRAY['sad', 'fair'])[1 + i % 2]::mood,
    i % 3, 'c' || i % 2, i % 50 FROM generate_series(1, 400) i"
printf '%s\n' 'value,level1' 1980,1900 1981,1900 1982,1900 1983,1900 1984,1900 1985,1900 1986,1900 >years.csv
printf '%s\n' 'value,level1' 0,40000 1,40000 2,40000 3,40000 4,40000 >smalls.csv
{ echo value,level1; sql one "SELECT to_char(date '1980-01-01' + i, 'YYYY-MM-DD') || ',' || to_char(date_trunc('month',
    date '1970-01-01' + i), 'YYYY-MM-DD') FROM generate_series(0, 39) i"; } >months.csv
levels=(--hierarchy year=years.csv --hierarchy small=smalls.csv --hierarchy born=months.csv --hierarchy felt=suppress
    --hierarchy cost=suppress --hierarchy code=suppress --hierarchy age=suppress)
for name in year small born felt cost code age; do levels+=(--level "$name=$([ $name = felt ] || [ $name = cost ] || [ $name = code ] && echo 0 || echo 1)"); done
for kept in '' --keep-order; do # written from counts, and joined
    expect 0 out '' anonymize "$(at owner changed)" --qi year,small,born,felt,cost,code,age "${levels[@]}" --method mingen \
        -k 2 -o "$(at owner made_changed)" --result changed.json --quiet $kept
    truth "types of changed columns $kept" test "$(types made_changed)" = \
        'year integer, small text, born date, felt mood, cost numeric(6,2), code character varying(4), age text'
    truth "and their values $kept" test "$(sql one 'SELECT count(*), sum(year), min(small), max(born), max(felt) FROM made_changed')" = \
        '400|760000|40000|1970-02-01|fair'
    expect 0 out '^result +agrees' check "$(at owner made_changed)" --against changed.json
    sql one 'DROP TABLE made_changed'
done
sql one 'INSERT INTO changed (code) VALUES (NULL), (NULL)'
expect 0 out '' anonymize "$(at owner changed)" --qi year,born,felt,cost --rest drop --hierarchy year=suppress \
    --hierarchy born=suppress --hierarchy felt=suppress --hierarchy cost=suppress --level born=1 --method mingen -k 2 \
    -o "$(at owner made_changed)" --quiet
truth "missing cells are NULL in any type" test "$(sql one 'SELECT count(*) FROM made_changed
    WHERE year IS NULL AND felt IS NULL AND cost IS NULL')" = 2
truth "and the types stay" test "$(types made_changed)" = 'year integer, born text, felt mood, cost numeric(6,2)'
sql one 'DROP TABLE made_changed'

# ---- NA ------------------------------------------------------------------------------------
sql one 'CREATE TABLE na (q text, s text)' "INSERT INTO na VALUES $na_rows"
na_is_a_value "$(at owner na)" "$(at owner made_na)"
finish
