#!/bin/bash
# shellcheck disable=SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# --least-count in PostgreSQL, directly and through ODBC: what is sent, what is left behind.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/postgresql.bash"
need_server
oracle=$SOURCE/tests/cli/least_count.py
python3 "$oracle" make .
job=(--qi zip,age,town --sensitive disease --identifier id --insensitive job --allow-leaks job
    --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(10,20)' --hierarchy town=town.csv
    -k 3 --l-diversity disease=2 --suppress 10% --method mingen --missing ',NA' --quiet)
for column in zip age; do
    spec='mask(right)'
    [ $column = age ] && spec='intervals(10,20)'
    expect 0 out '' hierarchy build people.csv --hierarchy "$column=$spec" -o $column.txt --quiet
done
files=(zip.txt age.txt town.csv)
sql one 'CREATE TABLE people (id text, zip text, age text, town text, disease text, job text)'
psql -h "$servers/one" -U owner -d test -qc "\\copy people from people.csv with (format csv, header)"
sql one 'CREATE ROLE maker LOGIN' 'CREATE SCHEMA results' \
    'REVOKE TEMPORARY ON DATABASE test FROM PUBLIC' 'GRANT SELECT ON people TO maker' \
    'GRANT USAGE, CREATE ON SCHEMA results TO maker'
left_behind() {
    sql one "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v') AND relname LIKE 'mingle%'"
}

for n in 3 8; do
    expect 0 out '' anonymize people.csv "${job[@]}" --least-count $n --keep-order -o text.csv \
        --result text.json
    rows_of text.csv >text.rows
    sql one "ALTER SYSTEM SET log_statement = 'all'" 'SELECT pg_reload_conf()' >/dev/null
    # The rights of a release suffice.
    expect 0 out '' anonymize "$(at maker people)" "${job[@]}" --least-count $n \
        -o "$(at maker results.made)" --result made.json
    sql one "ALTER SYSTEM RESET log_statement" 'SELECT pg_reload_conf()' >/dev/null
    truth "$n: as the oracle counts" python3 "$oracle" counted people.csv $n "${files[@]}" <made.json
    agree "$n: the same figures" text.json made.json
    psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM results.made' >made.csv
    rows_of made.csv >made.rows
    truth "$n: the same rows" cmp text.rows made.rows
    truth "$n: nothing is left behind" test -z "$(left_behind)"
    sql one 'DROP TABLE results.made'
done
# Whatever reads the table either writes inside the database, counts one column alone, asks for
# numbers only, or counts by groups.
grep -a 'execute <unnamed>: .*"people"' "$servers/one/log" | sed 's/.*execute <unnamed>: //' >statements
truth "the table was read" test -s statements
truth "the engine makes a table of groups" grep -q 'mingle_groups_.* AS SELECT' statements
truth "the engine counts the groups" grep -q '^SELECT c1, c2, c3, .*mingle_groups_' statements
grep -v '^CREATE ' statements | grep -v 'mingle_groups_' |
    grep -Ev '^SELECT CAST\(c1 AS text\), COUNT\(\*\) FROM \(SELECT "(zip|age)" AS c1 FROM "people"\) t GROUP BY c1$' |
    grep -Ev '^SELECT k1, COUNT\(\*\) FROM .*"town".* WHERE l1.l0 IS NULL GROUP BY k1$' |
    grep -Ev '^SELECT SUM\(n\)' >others
truth "nothing but counts of groups leaves the database" test ! -s others || cat others
truth "the towns, which a file lists, did not" bash -c '! grep -q "SELECT \"town\" AS c1 FROM \"people\") t GROUP BY" statements'

# A failure on the way leaves nothing; without the right to make tables nothing is regrouped.
sql one 'CREATE ROLE reader LOGIN' 'GRANT SELECT ON people TO reader'
expect 4 err 'permission denied' anonymize "$(at reader people)" "${job[@]}" --least-count 5 --dry-run
truth "a run without rights leaves no table" test -z "$(left_behind)"

driver=$(find /usr/lib -name psqlodbcw.so 2>/dev/null | head -1)
if [ -z "$driver" ]; then
    echo "skipped: no ODBC driver psqlodbcw"
else
    cat >odbc.ini <<END
[test]
Driver = $driver
Servername = $servers/one
Database = test
Username = owner
END
    export ODBCINI=$PWD/odbc.ini
    expect 0 out '' anonymize 'odbc:DSN=test;?table=people' "${job[@]}" --least-count 8 \
        -o 'odbc:DSN=test;?table=made' --result odbc.json
    agree "ODBC: the same figures" text.json odbc.json
    psql -h "$servers/one" -U owner -d test -q --csv -c 'SELECT * FROM made' >made.csv
    rows_of made.csv >made.rows
    truth "ODBC: the same rows" cmp text.rows made.rows
    truth "ODBC: nothing is left behind" test -z "$(left_behind)"
fi
finish
