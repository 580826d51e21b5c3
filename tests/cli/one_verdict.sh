#!/bin/bash
# shellcheck disable=SC2154 # the helpers set servers
# The leak guard's verdict and the figures wherever a table is stored: random tables, released from and to every
# store, against the same tables in text files. TABLES says how many for each store, MGL_SEED which.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/postgresql.bash"
export MINGLE_DUCKDB=${MINGLE_DUCKDB:-$BUILD/libduckdb.so}

# same TABLES STORE...
same() {
    local tables=${TABLES:-$1}
    shift
    mkdir run && cd run || exit 1
    truth "one verdict: ${*%%=*}" python3 -B "$SOURCE/tests/cli/one_verdict.py" "$MINGLE_RELEASE" "${MGL_SEED:-1}" \
        "$tables" "$@"
    cd .. && rm -r run
}
# built_with LOCATION: the program can read such tables.
built_with() {
    ! "$MINGLE_RELEASE" check "$1" --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'
}

# Of more groups than there is room for a sample is fetched, and what it makes suspect in full: the verdict is that on all
# rows, and the result says what was looked at.
sampled() {
    python3 - <<'END'
import csv, random, sqlite3
draw = random.Random(3)
names = ["zip", "age", "sex", "ill", "ward", "amount", "level"]
rows = []
for i in range(20000):
    zip = draw.randrange(300)
    rows.append(["%03d" % zip, str(draw.randrange(20, 80)), draw.choice("fm"), draw.choice(["flu", "cold"]),
                 f"t{zip}x{draw.randrange(6)}", str(draw.randrange(1500)), str(draw.randrange(3))])
with open("large.csv", "w", newline="") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow(names)
    out.writerows(rows)
base = sqlite3.connect("large.db")
base.execute("CREATE TABLE t (%s)" % ", ".join(name + " text" for name in names))
base.executemany("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
base.commit()
END
    local job=(--qi zip,age,sex --sensitive ill --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,20)' -k 5
        --method mingen --rest drop --overwrite) memory table
    for memory in 2G 2M; do
        for table in 'large.csv large.out' 'sqlite:large.db?table=t sqlite:large.db?table=made'; do
            expect 1 err '"ward" gives back the value of "zip" in [0-9]+ of the 20000 rows' anonymize "${table% *}" \
                "${job[@]}" --insensitive ward --memory $memory -o "${table#* }"
            grep '"ward"' err >>found
            expect 0 out '' anonymize "${table% *}" "${job[@]}" --insensitive amount,level --memory $memory \
                -o "${table#* }" --result r.json --quiet
            jq -c '[.leaks, .alone.rows, [.guard.columns[].found]]' r.json >>figures
        done
    done
    truth "what is given back is the same by rows, counts and samples" test "$(sort -u found | wc -l) $(wc -l <found)" = '1 4'
    truth "so is what is not" test "$(sort -u figures | wc -l) $(wc -l <figures)" = '1 4'
    truth "the result says what was looked at" test "$(jq -c '[.guard.columns[].by] | unique' r.json)" = '["sample"]'
    truth "and which pairs were not tested" test "$(jq -c '[.guard.pairs.tested, (.guard.pairs.not_tested | length)]' r.json)" = '[0,3]'
}

same 10 gz jsonl arrow apply counted
if built_with 'sqlite:none.db?table=t'; then
    same 10 sqlite fetched
    sampled
else
    ok "a table of SQLite # SKIP no SQLite"
fi
if [ -e "$MINGLE_DUCKDB" ]; then
    same 5 parquet pushed folder duckdb duckdb_fetched
else
    ok "Parquet # SKIP make duckdb was not run"
fi
if has_postgresql && start_server one >log 2>&1 && start_server two >>log 2>&1 &&
    built_with "postgresql://owner@/test?host=$servers/one&table=none"; then
    same 5 "postgresql=$servers/one" "postgresql_fetched=$servers/one" "shards=$servers/one,$servers/two"
else
    ok "PostgreSQL # SKIP no server, or no libpq"
fi
finish
