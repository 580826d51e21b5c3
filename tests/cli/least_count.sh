#!/bin/bash
# shellcheck disable=SC2034,SC2054,SC2154 # the commas are in lists of columns; variables of helpers
# --least-count: rare combinations are regrouped in the database or here, with the same release.
# slow: many small databases and files, beside the same jobs on text
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/databases.bash"
oracle=$SOURCE/tests/cli/least_count.py
python3 "$oracle" make .
columns='id text, zip text, age text, town text, disease text, job text'
job=(--qi zip,age,town --sensitive disease --identifier id --insensitive job
    --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(10,20)' --hierarchy town=town.csv
    -k 3 --l-diversity disease=2 --missing ',NA' --quiet)
accepted=(--allow-leaks job) # the leak guard does not see what regrouped rows were
for column in zip age; do
    spec='mask(right)'
    [ $column = age ] && spec='intervals(10,20)'
    expect 0 out '' hierarchy build people.csv --hierarchy "$column=$spec" -o $column.txt --quiet
done
files=(zip.txt age.txt town.csv)
has_sqlite=true
if "$MINGLE" check 'sqlite:none.db?table=t' --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    echo "skipped: no SQLite"
    has_sqlite=false
else
    lite_import p.db people people.csv
fi

# same METHOD N ARGUMENT...: a file and a database give the same release, as counted by the oracle.
same() {
    local method=$1 n=$2 name="$1, $2 ${*:3}"
    local how=("${job[@]}" "${accepted[@]}" --method "$method" --least-count "$n" "${@:3}")
    expect 0 out '' anonymize people.csv "${how[@]}" --keep-order -o text.csv --result text.json
    local release=text.csv
    case " $* " in *" drop "*) release= ;; esac
    if [ -n "$release" ]; then
        truth "$name: the file, as the oracle counts" env RELEASE=text.csv python3 "$oracle" counted \
            people.csv "$n" "${files[@]}" <text.json
    else
        truth "$name: the file, as the oracle counts" python3 "$oracle" counted people.csv "$n" \
            "${files[@]}" <text.json
    fi
    if [ "$method" != mu-argus ]; then
        expect 0 out 'agrees with text.json' check text.csv --against text.json
    fi
    $has_sqlite || return
    rm -f q.db && cp p.db q.db
    expect 0 out '' anonymize 'sqlite:q.db?table=people' "${how[@]}" -o 'sqlite:q.db?table=made' \
        --result made.json
    truth "$name: the database, as the oracle counts" python3 "$oracle" counted people.csv "$n" \
        "${files[@]}" <made.json
    lite q.db 'SELECT * FROM made' >made.csv
    rows_of text.csv >text.rows
    rows_of made.csv >made.rows
    truth "$name: the rows are the same" cmp text.rows made.rows
    agree "$name: and so are all figures" text.json made.json
    truth "$name: nothing else is left" test \
        "$(lite q.db "SELECT count(*) FROM sqlite_master" | tail -1)" = 2
}
for n in 2 5 1000; do
    same cell $n --effort fast
    grep -o '"at_top": [0-9]*' text.json >>tops
done
truth "rows that are left at the top, some and all" test "$(grep -c ' [1-9]' tops)" -ge 2
for method in mingen datafly samarati incognito top-down k-member mondrian local-suppression; do
    same $method 4 --suppress 20%
done
same mu-argus 4 --accept unsafe
same cell 6 --suppressed drop --suppress 15% --effort fast
for treatment in keep drop exempt; do
    same mingen 6 --suppressed $treatment --suppress 15%
done
same mingen 3 --utility loss --level zip=1.. --suppress 10%

# The result in out, without what differs between a file and a database.
without_times() {
    python3 -c '
import json
def strip(x):
    if isinstance(x, dict):
        return {k: strip(v) for k, v in x.items()
                if k not in ("seconds", "left_database", "audit", "figures")}
    return [strip(y) for y in x] if isinstance(x, list) else x
print(json.dumps(strip(json.load(open("out")))))'
}

# In words, and on the page.
expect 0 out '^counted +[0-9]+ rows of combinations rarer than 5 were regrouped' anonymize people.csv \
    "${job[@]:0:${#job[@]}-1}" "${accepted[@]}" --least-count 5 --effort fast -o told.csv --report page.html
truth "the page tells it, too" grep -q 'rows of combinations rarer than 5 were regrouped' page.html
if $has_sqlite; then
    rm -f q.db && cp p.db q.db
    expect 0 out '^left +[0-9]+ combinations of the quasi-identifier left the database with their counts, [0-9]+ of them occur once; with the sensitive columns [0-9]+ groups, [0-9]+ of one row; for the leak guard [0-9]+ groups' \
        anonymize 'sqlite:q.db?table=people' "${job[@]:0:${#job[@]}-1}" --effort fast \
        -o 'sqlite:q.db?table=made' --report page.html --result made.json
    truth "numbers are those of the table" python3 - <<'END'
import collections, csv, json
left = json.load(open("made.json"))["left_database"]
rows = [tuple(row[c] for c in ("zip", "age", "town", "disease"))
        for row in csv.DictReader(open("people.csv", newline=""))]
# "" and NA are fetched apart, and mean the same
tuples = collections.Counter(tuple("" if x == "NA" else x for x in row[:3]) for row in rows)
groups = collections.Counter(rows)
once = lambda counter: sum(n == 1 for n in counter.values())
assert left["rows"] == 0 and left["standing_for"] == len(rows), left
assert (left["combinations"], left["once"], left["rarest"]) == (len(tuples), once(tuples), 1), left
assert left["with_sensitive"] == {"groups": len(groups), "once": once(groups)}, left
END
    truth "the page tells it, too" grep -q 'left the database with their counts' page.html
    expect 0 out '^left +700 rows left the database' anonymize 'sqlite:q.db?table=people' \
        "${job[@]:0:${#job[@]}-1}" --effort fast -o away.csv
    # What only searches regroups as well, and leaves nothing behind.
    for command in 'anonymize --dry-run' 'compare --methods mingen,datafly' lattice; do
        read -ra words <<<"$command"
        how=("${job[@]:0:${#job[@]}-1}" --least-count 4 --suppress 20% --json)
        expect 0 out '' "${words[0]}" people.csv "${words[@]:1}" "${how[@]}"
        without_times >text.out
        expect 0 out '' "${words[0]}" 'sqlite:q.db?table=people' "${words[@]:1}" "${how[@]}"
        without_times >table.out
        truth "$command: as of the file" cmp text.out table.out
    done
    truth "no table is left" test "$(lite q.db 'SELECT count(*) FROM sqlite_master' | tail -1)" = 2
    # A value that the file lacks.
    lite q.db "UPDATE people SET town = 'elsewhere' WHERE id = 'P3'" "DROP TABLE made"
    expect 3 err "town.csv: the value .* of column 'town' is not in the hierarchy" anonymize \
        'sqlite:q.db?table=people' "${job[@]}" --least-count 5 -o 'sqlite:q.db?table=made'
fi

# What it does not go with.
for bad in '--entity id' '--history x.rec' '--population people.csv' '--save-recoding x.rec' '--save-proof x.proof' \
    '--utility entropy' '--utility nonuniform-entropy' '--utility height' '--prefer entropy' \
    '--method microaggregate' '--level zip=0..1' '--suppressed exempt'; do
    read -ra words <<<"$bad"
    expect 2 err 'least-count' anonymize people.csv "${job[@]}" --least-count 5 "${words[@]}" -o no.csv
done
truth "refused jobs with --least-count write nothing" test ! -e no.csv
expect 2 err 'at least 2' anonymize people.csv "${job[@]}" --least-count 1 -o no.csv
expect 0 out 'counted at the tops of all columns' anonymize people.csv \
    "${job[@]:0:${#job[@]}-1}" "${accepted[@]}" --method mingen --least-count 2 -o no.csv

# What regrouped rows were is not known any more: a column that gives it back must not pass through
# unnoticed.
awk -F, 'BEGIN { OFS = "," } NR == 1 { print "zip", "age", "place", "disease"; next }
    { for (i = 0; i < 9; i++) print $2, 20 + (NR * 7 + i * 11) % 60, "in " $2, $5 }' people.csv >copies.csv
copies=(--qi zip,age --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(10,20)' --sensitive disease -k 3 --quiet)
expect 1 err 'column "place"' anonymize copies.csv "${copies[@]}" --insensitive place -o refused.csv
expect 1 err 'column "place" stands beside rows that --least-count regrouped' anonymize copies.csv "${copies[@]}" \
    --insensitive place --least-count 200 -o refused.csv
truth "nothing is written" test ! -e refused.csv
expect 0 out '' anonymize copies.csv "${copies[@]}" --insensitive place --allow-leaks place --least-count 200 \
    -o copies_made.csv --result copies.json
truth "what was not looked at is told" python3 -c '
import json
guard = json.load(open("copies.json"))["guard"]
assert not any(column["looked_at"] for column in guard["columns"]), guard
assert guard["accepted"] == ["place"] and [w["code"] for w in guard["warnings"]] == [
    "passed-through", "guard-skipped"], guard'
finish
