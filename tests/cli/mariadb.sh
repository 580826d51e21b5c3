#!/bin/bash
# shellcheck disable=SC2016,SC2054,SC2089,SC2090,SC2119,SC2154 # backquotes are SQL; the commas are in lists of columns; variables of helpers
# Tables of MariaDB through ODBC: the same job as on a file, values that its collations take for the
# same, long texts, names that want quoting, rights, failures.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
. "$SOURCE/tests/cli/mariadb.bash"
need_mariadb
left_behind() {
    maria "SHOW TABLES LIKE 'mingle%'" "SHOW TABLES LIKE 'made%'"
}
make_people
maria "CREATE TABLE people (${columns//text/varchar(40)}) CHARACTER SET utf8mb4"
load people people.csv

# ---- The same job everywhere ---------------------------------------------------------
expect 0 out '' anonymize people.csv "${people[@]}" --method mingen -o text.csv --result text.json
rows_of text.csv >text.rows
expect 0 out '' anonymize "$(at people)" "${people[@]}" --method mingen -o rows.csv \
    --result rows.json
maria "SET GLOBAL general_log_file = '$server/general'" 'SET GLOBAL general_log = 1'
expect 0 out '' anonymize "$(at people)" "${people[@]}" --method mingen -o "$(at made)" \
    --result made.json
maria 'SET GLOBAL general_log = 0'
agree "rows of a table" text.json rows.json
agree "released inside the database" text.json made.json
rows_of rows.csv >rows.rows
truth "the rows are the same" cmp text.rows rows.rows
table_rows made >made.rows
truth "the engine writes the same rows as a file has" cmp text.rows made.rows
truth "columns that pass through keep their types" test "$(maria "SELECT data_type
    FROM information_schema.columns WHERE table_name = 'made' AND column_name = 'born'")" = date
truth "released columns are as wide as they need to be" test "$(maria "SELECT column_type
    FROM information_schema.columns WHERE table_name = 'made' AND column_name = 'zip'")" = 'varchar(5)'
truth "no comment is left" test -z "$(maria "SELECT table_comment FROM information_schema.tables
    WHERE table_name = 'made'")"
grep -a 'FROM `people`' "$server/general" >statements
truth "the table was read" test -s statements
truth "rows stayed in the database: what was read was counted, or went into the release" \
    bash -c "! grep -v 'GROUP BY\|CREATE TABLE\|WHERE 1 = 0' statements"
truth "the map went in by arrays" test "$(grep -ac 'INSERT INTO `mingle_map' "$server/general")" -lt 20
expect 0 out '^result +agrees' check "$(at made)" --against made.json
expect 3 err 'the table exists already' anonymize "$(at people)" "${people[@]}" -o "$(at made)"
expect 3 err "doesn't exist" check "$(at nothing)" --qi zip -k 2
maria 'DROP TABLE made'
expect 0 out '' anonymize people.csv "${people[@]}" --method mingen -o "$(at made)"
table_rows made >made.rows
truth "a file's release is loaded" cmp text.rows made.rows
truth "and nothing else" test "$(left_behind)" = made
expect 0 out '' anonymize people.csv "${people[@]}" --method mingen --keep-order -o "$(at made2)"
truth "rows are shuffled by the engine" bash -c '[ "$1" != "$2" ]' - \
    "$(maria 'SELECT disease FROM made')" "$(maria 'SELECT disease FROM made2')"
maria 'DROP TABLE made' 'DROP TABLE made2'
if command -v openssl >/dev/null; then
    openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null
    openssl pkey -in key.pem -pubout -out pub.pem
    expect 0 out '' anonymize "$(at people)" "${people[@]}" --method mingen -o "$(at made)" \
        --result signed.json --sign key.pem
    expect 0 out '^signature +verified$' check "$(at made)" --against signed.json --verify-key pub.pem
    maria 'DELETE FROM made LIMIT 1'
    expect 1 out 'digest of the rows' check "$(at made)" --against signed.json
    maria 'DROP TABLE made'
fi

# ---- Values that collations take for the same --------------------------------------------
# Case, accents, blanks at the end, composed and decomposed, letters beyond the first 65,536.
python3 - <<'END'
import random
random.seed(2)
texts = ["e", "E", "é", "e\u0301", "e ", "ss", "ß", "\U0001F600", "\U0001F601", "na", "Na", "%", "_",
         "it's", 'say "x"', "back\\slash", "`tick`", "a\tb", "\u00a0", "ﬁ", "fi", "x" * 1500 + "1",
         "x" * 1500 + "2"]
with open("odd.csv", "w", encoding="utf-8", newline="") as file:
    file.write("q,w,s\n")
    for i in range(460):
        q = texts[i % len(texts)]
        file.write('"%s",%s,%s\n' % (q.replace('"', '""'), "abAB"[i % 4],
                                     ["", "s1", "S1"][i % 3]))
END
maria 'CREATE TABLE odd (q text, w varchar(9), s varchar(9)) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci'
load odd odd.csv
printf 'a;ab;*\nb;ab;*\nA;AB;*\nB;AB;*\n' >w.csv
odd=(--qi q,w --sensitive s --hierarchy w=w.csv --quiet)
for job in '-k 2 --method mingen' '-k 20 --method mondrian' '-k 5 --method cell --l-diversity s=2 --spelling exact' \
    "-k 2 --method mingen --where w='a'" "-k 1 --method mingen --where q='e'" \
    "-k 1 --method mingen --where q='back\\slash'" '-k 8 --method cell --least-count 3'; do
    # shellcheck disable=SC2086
    expect 0 out '' anonymize odd.csv "${odd[@]}" $job -o odd_text.csv --result text.json
    # shellcheck disable=SC2086
    expect 0 out '' anonymize "$(at odd)" "${odd[@]}" $job -o "$(at made)" --result made.json
    agree "$job" text.json made.json
    rows_of odd_text.csv >odd.rows
    table_rows made >made.rows
    truth "$job: the same rows" cmp odd.rows made.rows
    maria 'DROP TABLE made'
done

# ---- Long texts ---------------------------------------------------------------------------
maria "CREATE TABLE wide (a longtext, b mediumtext, c varchar(9), d longtext) CHARACTER SET utf8mb4" \
    "INSERT INTO wide SELECT CONCAT(REPEAT('é', 100000), seq % 3), CONCAT(REPEAT(_utf8mb4 x'F09F9880', 50000), seq % 2),
        CONCAT('c', seq % 2), CONCAT(REPEAT('d', 70000), seq) FROM seq_1_to_24"
expect 0 out '' anonymize "$(at wide)" --qi a,b,c -k 4 --method mingen --rest insensitive --allow-leaks --quiet \
    -o "$(at made)" --result wide.json
truth "long texts are whole" test "$(maria 'SELECT COUNT(*), COUNT(DISTINCT a), MIN(CHAR_LENGTH(a)),
    MIN(CHAR_LENGTH(b)), MIN(CHAR_LENGTH(d)) FROM made')" = "$(printf '24\t3\t100001\t50001\t70001')"
expect 0 out '' anonymize "$(at wide)" --qi a,b,c -k 4 --method mingen --rest insensitive --allow-leaks --quiet \
    -o wide.csv
maria 'DROP TABLE made'
truth "long texts are read whole" python3 - <<'END'
import csv, sys
csv.field_size_limit(1 << 30)
rows = list(csv.reader(open("wide.csv", newline="", encoding="utf-8")))[1:]
sys.exit(not (len(rows) == 24 and {len(r[0]) for r in rows} == {100001} and
              {len(r[1]) for r in rows} == {50001} and len({r[3] for r in rows}) == 24))
END
expect 0 out '' anonymize wide.csv --qi a,b,c -k 4 --method mingen --rest insensitive --allow-leaks --quiet \
    -o "$(at made)"
truth "long texts are loaded whole" test "$(maria 'SELECT COUNT(*), COUNT(DISTINCT BINARY d),
    MIN(CHAR_LENGTH(a)), MIN(CHAR_LENGTH(b)) FROM made')" = "$(printf '24\t24\t100001\t50001')"
maria 'DROP TABLE made' "CREATE TABLE nul (a text)" "INSERT INTO nul VALUES ('x'), (CONCAT('x', CHAR(0), 'y'))"
expect 3 err 'holds bytes that are no text' check "$(at nul)" --qi a -k 1

# ---- Types ----------------------------------------------------------------------------------
maria "CREATE TABLE types (e enum('x','Y'), t set('p','q'), bit1 bit(1), bit9 bit(9), y year,
    h time(3), z date, n decimal(10,3), f float, d double, j json, b blob, g point, u bigint unsigned,
    at datetime(6), c char(8), v varchar(9) CHARACTER SET latin1)" \
    "SET sql_mode = ''; INSERT INTO types SELECT 1 + seq % 2, seq % 4, seq % 2, 257, 2000 + seq % 2,
    '-101:00:00.5', IF(seq % 2, '0000-00-00', '2020-02-29'), 1.5, 0.1, 1e300, '{\"a\": 1}', x'00FF41',
    POINT(1, 2), 18446744073709551615, '2020-01-01 00:00:00.000001', 'ab ', 'caf\\é' FROM seq_1_to_40"
expect 0 out '' anonymize "$(at types)" --qi e,t,y,h,z,n,f,d,u,at,c,v -k 5 --rest insensitive --method mingen \
    --keep-order --quiet -o types.csv
truth "cells are their texts" grep -q '^Y,p,1,101,2001,-101:00:00.500,0000-00-00,1.500,0.1,1e300,' types.csv
truth "bytes are in hexadecimal" grep -q '00FF41' types.csv
expect 0 out '' anonymize "$(at types)" --qi e,t,y,h,z,n,f,d,u,at,c,v -k 5 --rest insensitive --method mingen \
    --quiet -o "$(at made)"
truth "other columns keep their types and values" test "$(maria "SELECT GROUP_CONCAT(data_type ORDER BY
    ordinal_position) FROM information_schema.columns WHERE table_name = 'made' AND column_name IN
    ('bit1', 'bit9', 'j', 'b', 'g')" 'SELECT COUNT(*) FROM made WHERE bit9 = 257 AND HEX(b) = "00FF41"
    AND ST_AsText(g) = "POINT(1 2)"' | tr '\n' ' ')" = 'bit,bit,longtext,blob,point 40 '
maria 'DROP TABLE made'
for column in bit1 bit9 b g; do
    expect 3 err 'cannot be generalized' check "$(at types)" --qi $column -k 1
done

# ---- Missing cells ----------------------------------------------------------------------------
maria 'CREATE TABLE na (q varchar(9), s varchar(9))' "INSERT INTO na VALUES $na_rows"
na_is_a_value "$(at na)" "$(at made)"
maria 'DROP TABLE made'

# ---- Names, and a database of its own -----------------------------------------------------------
maria 'CREATE DATABASE `a.b``; -- %`' 'CREATE TABLE `a.b``; -- %`.`t"``\; DROP TABLE people; é`
    (`q``'"'"'; --` varchar(20), `%s\` int, `ä "x"` text) CHARACTER SET utf8mb4' \
    'INSERT INTO `a.b``; -- %`.`t"``\; DROP TABLE people; é` SELECT ELT(1 + seq % 3, "x", NULL, "y"),
    seq % 2, CONCAT("s", seq % 3) FROM seq_1_to_60'
database='%22a.b%60; -- %25%22'
expect 0 out '' anonymize "odbc:DSN=root;?table=$database.%22t%22%22%60\; DROP TABLE people; é%22" \
    --qi "q\`'; --,%s\\" --method mingen --rest insensitive --allow-leaks -k 5 --quiet \
    -o "odbc:DSN=root;?table=$database.%22r %27%60\%22"
truth "hostile names are names" test "$(maria 'SELECT COUNT(*), COUNT(DISTINCT `q``'"'"'; --`)
    FROM `a.b``; -- %`.`r '"'"'``\`' 'SELECT COUNT(*) FROM people' | tr '\n\t' '  ')" = '60 2 300 '

# ---- Rights -------------------------------------------------------------------------------------
maria "CREATE USER maker@localhost" 'GRANT SELECT ON test.people TO maker@localhost' 'CREATE DATABASE results' \
    'GRANT SELECT, INSERT, CREATE, CREATE TEMPORARY TABLES, ALTER, DROP ON results.* TO maker@localhost'
how=("${people[@]}" --method mingen)
expect 0 out '' anonymize "$(at people maker)" "${how[@]}" -o "$(at results.made maker)"
truth "written in the database" test "$(maria 'SELECT COUNT(*) FROM results.made')" = 300
expect 4 err 'denied' anonymize "$(at people maker)" "${how[@]}" -o "$(at made maker)"
expect 4 err 'denied' check "$(at types maker)" --qi e -k 1
maria 'REVOKE CREATE ON results.* FROM maker@localhost'
expect 4 err 'denied' anonymize "$(at people maker)" "${how[@]}" -o "$(at results.made2 maker)"
truth "failures leave nothing" test -z "$(left_behind)$(maria "SHOW TABLES IN results LIKE '%2'")"
printf '[latin]\nDriver = %s\nSocket = %s\nServer = localhost\nDatabase = test\nUser = root\nCharset = latin1\n' \
    "$(sed -n 's/^Driver = //p' "$ODBCINI" | head -1)" "$server/socket" >>"$ODBCINI"
expect 4 err 'Charset = utf8mb4' check 'odbc:DSN=latin;?table=people' --qi zip -k 1

# ---- Failures half-way --------------------------------------------------------------------------
maria 'CREATE VIEW shrinking AS SELECT p.* FROM people p WHERE age < 50 OR (SELECT COUNT(*)
    FROM information_schema.processlist WHERE info LIKE "CREATE TABLE%") = 0'
expect 3 err 'was changed meanwhile' anonymize "$(at shrinking)" "${how[@]}" -o "$(at made)" --result changed.json
truth "a table that shrinks leaves nothing" test -z "$(left_behind)"
truth "not even a result" test ! -e changed.json
finish
