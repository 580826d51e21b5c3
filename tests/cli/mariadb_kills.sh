#!/bin/bash
# shellcheck disable=SC2054,SC2119 # the comma is in a list of columns; the server needs no options
# Runs on MariaDB that are killed: nothing stands under the name of the release, and the next run
# drops what they left, and nothing that is not theirs.
# slow: many small databases and files, beside the same jobs on text
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/mariadb.bash"
need_mariadb
maria 'CREATE TABLE people (a int, b int, c varchar(9), d varchar(9))' \
    "INSERT INTO people SELECT seq % 97, seq % 13, CONCAT('c', seq % 7), CONCAT('d', seq % 5) FROM seq_1_to_20000"
job=(--qi a,b,c --sensitive d -k 5 --method mondrian --quiet)
now() { date +%s%N; }
is_made() { [ -n "$(maria "SHOW TABLES LIKE 'made'")" ]; }
alone() { # nobody else is connected: engines go on with what a client left
    for _ in $(seq 300); do
        [ "$(maria "SELECT COUNT(*) FROM information_schema.processlist WHERE id <> CONNECTION_ID()
            AND user = 'root' AND command <> 'Daemon'")" = 0 ] && return
        sleep 0.1
    done
}

began=$(now)
expect 0 out '' anonymize "$(at people)" "${job[@]}" -o "$(at made)"
lasts=$(($(now) - began))
maria 'DROP TABLE made'

# kills WHAT DATA: at moments of a run.
kills() {
    local name=$1 data=$2 moments=$3 done=0 bad='' i running
    for ((i = 1; i <= moments; i++)); do
        "$MINGLE" anonymize "$data" "${job[@]}" -o "$(at made)" >/dev/null 2>err &
        running=$!
        sleep "$(awk -v t=$lasts -v i=$i -v n="$moments" 'BEGIN { print t * i / n / 1e9 }')"
        kill -KILL $running 2>/dev/null
        if wait $running 2>/dev/null; then
            done=$((done + 1))
            [ "$(maria 'SELECT COUNT(*) FROM made')" = 20000 ] || bad+=" $i: finished, not whole"
        else
            # It may have been killed after it gave the name; a release is whole or not there.
            is_made && [ "$(maria 'SELECT COUNT(*) FROM made')" != 20000 ] && bad+=" $i: half a release"
        fi
        alone
        is_made && maria 'DROP TABLE made'
    done
    truth "$name: killed at $moments moments, $done were done before" test -z "$bad"
}
kills "in place" "$(at people)" 20
maria 'SELECT * FROM people' | tr '\t' ',' | sed '1i a,b,c,d' >people.csv
kills "loaded" people.csv 6

# ---- What they left ----------------------------------------------------------------------------
lock=mingle_0123456789abcdef
server_name=$(maria "SELECT CONCAT(@@hostname, ' ', @@server_id, ' ', @@port)")
comment="staged by mingle, lock $lock of"
maria 'CREATE TABLE mingle_release_00000001 (a int)' \
    "CREATE TABLE mingle_release_00000002 (a int) COMMENT = '$comment $server_name'" \
    "CREATE TABLE mingle_release_00000003 (a int) COMMENT = '$comment elsewhere 1 3306'" \
    "CREATE TABLE mingle_release_00000004 (a int) COMMENT = 'note: $comment $server_name'" \
    "CREATE TABLE my_table (a int) COMMENT = '$comment $server_name'" \
    "CREATE TABLE mingle_release_000000055 (a int) COMMENT = '$comment $server_name'"
staged() { maria "SHOW TABLES LIKE '%m%'" | grep -v '^people\|^made' | tr '\n' ' '; }
mariadb --no-defaults -u root -S "$server/socket" test -e "SELECT GET_LOCK('$lock', 0), SLEEP(600)" >held 2>&1 &
holder=$!
for _ in $(seq 100); do
    [ "$(maria "SELECT IS_FREE_LOCK('$lock')")" = 0 ] && break
    sleep 0.1
done
expect 0 out '' anonymize "$(at people)" "${job[@]}" -o "$(at made)"
theirs='mingle_release_00000001 mingle_release_00000003 mingle_release_00000004 mingle_release_000000055 my_table '
truth "what killed runs left is gone; a table whose owner lives is not" \
    test "$(staged)" = "${theirs/00000001 /00000001 mingle_release_00000002 }"
kill $holder
wait $holder 2>/dev/null
maria "KILL $(maria "SELECT id FROM information_schema.processlist WHERE info LIKE '%SLEEP(600)%'
    AND id <> CONNECTION_ID()")" 2>/dev/null
alone
maria 'DROP TABLE made'
expect 0 out '' anonymize people.csv "${job[@]}" -o "$(at made)"
truth "it is dropped when its owner is dead; others are left alone" test "$(staged)" = "$theirs"
finish
