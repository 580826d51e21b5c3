#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# incognito and top-down: what they print, report and refuse.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

# json EXPRESSION: true for the result, which is d.
json() {
    python3 -c '
import json, sys
d = json.load(open("out"))
sys.exit(not eval("(" + sys.argv[1] + ")"))' "$1"
}

# ---- incognito ---------------------------------------------------------------
run=(anonymize data.csv "${small[@]}" -k 2 --dry-run)
expect 0 out '^method +incognito, [0-9]+ (of|checks)' "${run[@]}" --method incognito
truth "incognito says that its node is the best" grep -q '^best .*proved to be the best with one level per column' out
expect 0 out '' "${run[@]}" --method incognito --json
truth "incognito lists the minimal nodes" json \
    'd["minimal_nodes"] == [{"race": 0, "zip": 1}, {"race": 1, "zip": 0}]'
truth "incognito takes the best of them" json 'd["node"] == {"race": 0, "zip": 1}'
truth "without suppression incognito is exact" json 'd["bound"]["exact"]'
cp out incognito.json
expect 0 out '' "${run[@]}" --method mingen --json
truth "mingen lists the same" python3 -c '
import json
a, b = json.load(open("out")), json.load(open("incognito.json"))
assert a["minimal_nodes"] == b["minimal_nodes"] and a["utility"] == b["utility"]'
# With rows suppressed the best node need not be a minimal one.
expect 0 out '' "${run[@]}" --method incognito --suppress 3 --suppressed exempt --json
truth "the best of the minimal nodes is not proved" json 'd["bound"] is None'
# Where holding is not monotone every node is tried.
expect 0 out '' "${run[@]}" --method incognito --suppress 3 --json
truth "every node is looked at" json 'd["nodes"]["checked"] == d["nodes"]["total"]'
expect 0 out '' anonymize data.csv --qi-set race --qi-set zip \
    --identifier name --sensitive disease -k 2 --method incognito --dry-run
expect 2 err 'it is for cell, not for incognito' "${run[@]}" --method incognito --effort fast
# Datafly does not look at all nodes, and says so. Without --suppress its loop goes by k alone.
expect 1 err 'datafly stopped at a node .* a model of the whole table does not hold there' \
    anonymize data.csv "${small[@]}" --sample-uniqueness 0 --method datafly --dry-run
truth "datafly does not claim that no node holds" sh -c '! grep -q "no node" err'
expect 0 out 'sample-uniqueness x=0 holds' anonymize data.csv "${small[@]}" --sample-uniqueness 0 \
    --method datafly --suppress 0 --dry-run
expect 1 err '^mingle: .*no node' anonymize data.csv "${small[@]}" -k 4 --dry-run \
    --method incognito --level zip=0..1,race=0..0

# ---- top-down ----------------------------------------------------------------
expect 0 out '^method +top-down, ' "${run[@]}" --method top-down
truth "a small lattice is searched whole" grep -q '^best .*proved to be the best' out
expect 0 out '' anonymize data.csv --qi-set race --qi-set zip --identifier name --sensitive disease -k 2 \
    --method top-down --dry-run --json
truth "every model holds on several quasi-identifiers" json 'all(m["holds"] for m in d["models"])'

# Thirty columns of five levels, correlated: 5^30 nodes.
drawn 'BEGIN {
    seed(7)
    for (c = 0; c < 30; c++) printf "%sc%d", c ? "," : "", c
    print ""
    for (r = 0; r < 100; r++) {
        x = int(uniform() * 8)
        for (c = 0; c < 30; c++) printf "%s%d", c ? "," : "", (x + int(uniform() * 3) + c) % 10
        print ""
    }
}' >wide.csv
{
    echo 'data: wide.csv'
    echo 'attributes:'
    for c in $(seq 0 29); do
        echo "  c$c: {role: quasi, hierarchy: \"intervals(2,4,8)\"}"
    done
    echo 'privacy: [{k-anonymity: 5}]'
    echo 'suppress: 10%'
    echo 'suppressed: drop'
} >wide.yaml
wide=(anonymize wide.yaml --dry-run)
expect 0 out 'of more than 9e18 nodes checked$' "${wide[@]}" --method top-down --effort fast \
    --threads 1 --result one.json
truth "top-down in a huge lattice says that nothing is proved" \
    grep -Eq '^best .*cannot be better than .*, not proved to be the best$' out
expect 0 out '' "${wide[@]}" --method top-down --effort fast --threads 4 --json
truth "the release is as promised" json 'd["models"][0]["holds"] and
    d["suppressed_rows"] <= 10 and d["bound"]["gap"] > 0 and not d["bound"]["exact"]'
truth "threads make no difference" python3 -c '
import json
a, b = json.load(open("out")), json.load(open("one.json"))
for key in "node", "nodes", "suppressed_rows", "classes", "utility", "bound", "models":
    assert a[key] == b[key], key'
expect 0 out '"code": "time-limit"' "${wide[@]}" --method top-down --time-limit 0.001 --json
for method in mingen samarati; do
    expect 2 err 'too many to search it whole; .*--method top-down' "${wide[@]}" --method $method
done
expect 2 err 'too many nodes here .*--method mingen or top-down' "${wide[@]}" --method incognito
finish
