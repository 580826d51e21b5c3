#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Looks at the calls of the program: it speaks with nobody but the database that it is told to, and
# every file that it makes is private from its first byte.
# sanitized: what is traced is built so
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

calls='socket|connect|bind|listen|accept4?|getaddrinfo|gethostbyname|sendto|sendmsg|curl_.*'
if command -v nm >/dev/null && [ -x "$MINGLE_RELEASE" ]; then
    nm -D --undefined-only "$MINGLE_RELEASE" | awk '{ sub(/@.*/, "", $NF); print $NF }' >imported
    truth "symbols are imported" grep -qx read imported
    truth "no call of the network is imported" sh -c "! grep -Exq '$calls' imported"
fi

if ! command -v strace >/dev/null || ! strace -o trace true 2>/dev/null; then
    echo "skipped: strace is not there or not allowed"
    [ $number -gt 0 ] && finish
    exit 77
fi
# The optimized program: a sanitizer does not like to be traced.
traced() { # traced NAME ARGUMENT...
    local name=$1
    shift
    strace -f -e trace=%network -o trace "$MINGLE_RELEASE" "$@" >out 2>err
    truth "$name makes no call of the network" sh -c "! grep -Eq '(socket|connect|sendto|bind)\\(' trace"
    truth "$name was traced" grep -q 'exited with' trace
}
traced anonymize anonymize data.csv "${small[@]}" -k 2 -o release.csv --result r.json
traced check check release.csv --against r.json
traced risk risk data.csv --qi race,zip --suda
traced hierarchy hierarchy suggest data.csv --qi zip
traced failure anonymize missing.csv --qi race -k 2 -o x.csv
# A release is staged beside its target, in a file of the same mode as any other.
mkdir out.d
umask 022
strace -f -e trace=open,openat,creat -o trace "$MINGLE_RELEASE" anonymize - "${small[@]}" -k 2 \
    -o out.d/release.csv --result out.d/result.json <data.csv >out 2>err
grep -E 'O_CREAT|O_TMPFILE' trace >made
truth "the traced run made files" test "$(wc -l <made)" -ge 3
truth "all of them private" sh -c "! grep -vq ', 0600' made"
truth "the release beside its target" grep -Eq "out.d/\.?release.csv\.mingle-" made

if command -v sqlite3 >/dev/null; then
    sqlite3 table.db '.mode csv' '.import data.csv people' 2>/dev/null
    traced "a database in a file" check 'sqlite:table.db?table=people' --qi race,zip -k 1
fi
finish
