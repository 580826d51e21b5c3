#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# compare: the table, the list of results, methods that fail, wrong use.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

# ---- The table --------------------------------------------------------------------------------
same() { # same NAME: the table in out is the one on standard input, the seconds aside
    sed 's/ *[0-9.]*$//; s/  *seconds$//' out >masked
    if difference=$(diff - masked); then ok "$1"; else not_ok "$1" "$difference"; fi
}

expect 0 out '^method .* seconds$' compare data.csv "${small[@]}" -k 3 --methods mingen,datafly,cell
same "three methods side by side" <<'END'
                                       class
method   precision    loss  discern.    size  classes  suppr.  models
mingen      0.6667  0.5000        32  4.0000        2       0    hold
datafly     0.3333  0.6667        32  4.0000        2       0    hold
cell        0.6667  0.5000        32  4.0000        2       0    hold
END
truth "seconds have two digits" test "$(grep -cE ' [0-9]+\.[0-9]{2}$' out)" -eq 3
truth "compare prints nothing to stderr" test ! -s err
truth "no line is longer than 80" test "$(awk 'length > 80' out | wc -l)" -eq 0
truth "compare writes no file" test "$(find . -type f ! -name out ! -name err ! -name masked)" = ./data.csv

# What was asked for comes first.
expect 0 out '^method +loss +precision ' compare data.csv "${small[@]}" -k 2 --utility loss
expect 0 out '^method +height .*precision ' compare data.csv "${small[@]}" -k 2 --utility height \
    --methods mingen,samarati
# Without a list all methods are compared, in the order of the help.
"$MINGLE" compare data.csv "${small[@]}" -k 2 --json | sed -n 's/^    "method": "\(.*\)",$/\1/p' >compared
"$MINGLE" help methods | sed -n 's/^  \([a-z][a-z-]*\)\( .*\)*$/\1/p' >listed
if difference=$(diff listed compared); then
    ok "all methods by default"
else
    not_ok "all methods by default" "$difference"
fi
expect 0 out '' compare data.csv "${small[@]}" -k 2 --quiet --methods datafly
truth "compare --quiet prints nothing" test ! -s out
"$MINGLE" compare - "${small[@]}" -k 2 --methods datafly <data.csv >out 2>err
truth "data from standard input" grep -q '^datafly .* hold ' out

# A job file serves both commands; its output is not touched.
cat >job.yaml <<'END'
data: data.csv
attributes:
  name: {role: identifier}
  race: {role: quasi, hierarchy: suppress}
  zip: {role: quasi, hierarchy: "mask(right,2)"}
  disease: {role: sensitive}
k: 2
method: samarati
methods: [datafly, cell]
output: release.csv
END
expect 0 out '^datafly ' compare job.yaml
truth "the file names the methods" test "$(grep -cE '^(datafly|cell) ' out)" -eq 2
truth "compare releases nothing" test ! -e release.csv
expect 0 out '^mingen ' compare job.yaml --methods mingen
truth "the option overrides the file" test "$(wc -l <out)" -eq 3
expect 0 out '^rows' anonymize job.yaml
rm release.csv
# Columns without a role are no matter where nothing is released.
expect 0 out '^mingen ' compare data.csv --qi race,zip -k 2 --methods mingen

# ---- The list ---------------------------------------------------------------------------------
cat >list.py <<'PYTHON'
# list.py ARGUMENT...: the entries of compare are what anonymize says of each method.
import json, subprocess, sys

def run(*arguments):
    got = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(got.stdout)

mingle, *job = sys.argv[1:]
entries = run(mingle, "compare", *job, "--methods", "samarati,cell,datafly", "--json")
if [entry["method"] for entry in entries] != ["samarati", "cell", "datafly"]:
    sys.exit("not in order")
for entry in entries:
    alone = run(mingle, "anonymize", *job, "--method", entry["method"], "--dry-run", "--json")
    alone.pop("audit")
    alone.pop("figures")
    if list(alone) != list(entry) or entry["command"] != "compare" or entry["schema"] != 1:
        sys.exit(f"other keys: {list(entry)}")
    for result in alone, entry:
        del result["command"], result["seconds"]
    if alone != entry:
        sys.exit(f"{entry['method']} differs")
PYTHON
truth "an entry is what anonymize says" python3 list.py "$MINGLE" data.csv "${small[@]}" -k 2
truth "an entry is what anonymize says, with rows suppressed" python3 list.py "$MINGLE" data.csv \
    "${small[@]}" -k 3 --suppress 2 --suppressed exempt
for threads in 1 4; do
    "$MINGLE" compare data.csv "${small[@]}" -k 2 --json --threads $threads |
        sed '/"seconds"/,/}/d' >threads.$threads
done
truth "threads make no difference" cmp -s threads.1 threads.4
expect 0 out '^method' compare data.csv "${small[@]}" -k 2 --methods datafly,cell --result result.json
truth "--result is the list" python3 -c '
import json
assert [e["method"] for e in json.load(open("result.json"))] == ["datafly", "cell"]'

# ---- Methods that fail ------------------------------------------------------------------------
two=(--qi-set race --qi-set zip --hierarchy 'zip=mask(right,2)' --rest drop -k 4 --population data.csv)
expect 0 out '^no release  k-member can release ranges' compare data.csv "${two[@]}" \
    --methods k-member,mingen
truth "a line of dashes" grep -Eq '^k-member( +-){8}$' out
truth "the others go on" grep -Eq '^mingen .* hold ' out
expect 0 out '^mingen ' compare data.csv "${two[@]}"
truth "by default only those that can take it" test -z "$(grep '^k-member' out)"
expect 1 out '^no release  k-member' compare data.csv "${two[@]}" --methods k-member
expect 1 out '"status": 2' compare data.csv "${two[@]}" --methods k-member --json
truth "a method that fails has an entry with its error" python3 -c '
import json
(entry,) = json.load(open("out"))
assert entry["method"] == "k-member" and "ranges" in entry["error"], entry
assert set(entry) == {"confidential", "mingle", "schema", "command", "method", "error", "status"}, entry'
narrow=("${small[@]}" -k 4 --level 'race=0,zip=0..1')
expect 1 out '^no release  mingen: no node' compare data.csv "${narrow[@]}" --methods mingen,samarati
expect 1 out '"status": 1' compare data.csv "${narrow[@]}" --methods mingen --json
expect 0 out '^no release  mingen: no node' compare data.csv "${narrow[@]}" --methods mingen,datafly
# What no method could do.
expect 1 err '^mingle: k = 9, but the table has only 8 rows' compare data.csv "${small[@]}" -k 9
truth "no table of nothing" test ! -s out
expect 3 err '^mingle: nothere.csv' compare nothere.csv "${small[@]}" -k 2

# ---- Promises and headers, as in other commands ---------------------------------------------------
expect 0 out 'k-anonymity with k 1 promises nothing' compare data.csv "${small[@]}" -k 1 --methods mingen,cell
truth "once for all methods" test "$(grep -c 'promises nothing' out)" = 1
expect 0 out '"empty-promise"' compare data.csv "${small[@]}" -k 1 --methods mingen,cell --json
truth "in the result of each" test "$(grep -c '"empty-promise"' out)" = 2
{
    for i in 1 2 3 4 5 6 7 8; do echo "Ann Lee$i,19$((40 + i))-03-0$i,F,0214$((i % 2)),Flu"; done
} >headerless.csv
expect 0 out 'the first line of the table looks like a record' compare headerless.csv --qi column3,column4 --rest drop \
    -k 2 --methods mingen

# ---- Wrong use --------------------------------------------------------------------------------
expect 2 err "^mingle: --methods: 'dataflie' is no method; did you mean datafly\?" \
    compare data.csv "${small[@]}" -k 2 --methods cell,dataflie
expect 2 err "^mingle: --methods: '' is no method" compare data.csv "${small[@]}" -k 2 --methods ''
expect 2 err '^mingle: --methods: names cell twice' compare data.csv "${small[@]}" -k 2 \
    --methods cell,mingen,cell
sed -i 's/^methods: .*/methods: []/' job.yaml
expect 2 err '^mingle: job.yaml:9:.*: methods: names no method' compare job.yaml
expect 2 err '^mingle: --effort: it is for cell, which is not compared' \
    compare data.csv "${small[@]}" -k 2 --methods mingen --effort fast
expect 0 out '^cell ' compare data.csv "${small[@]}" -k 2 --methods mingen,cell --effort fast
expect 2 err 'option -o does not belong to compare' compare data.csv -o x.csv
expect 2 err 'option --method does not belong to compare' compare data.csv --method cell
expect 2 err 'option --methods does not belong to anonymize' anonymize data.csv --methods cell
expect 2 err 'no model; give -k N' compare data.csv "${small[@]}"
expect 2 err '^mingle: no data' compare

finish
