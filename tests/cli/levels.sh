#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# --levels: one level per column or cells of several, with every method and from job files, and what
# is refused beside it.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/support/draws.bash"

drawn 'BEGIN {
    seed(46)
    print "age,zip,sex,ill"
    for (i = 0; i < 300; i++)
        printf "%d,0213%d,%s,%s\n", 18 + draw(70), draw(4), draw(2) ? "f" : "m",
            substr("flucolbur", 1 + 3 * draw(3), 3)
}' >people.csv
people=(people.csv --qi age,zip,sex --sensitive ill -k 5 --keep-order)

expect 0 out '^method +mingen' anonymize "${people[@]}" --levels uniform -o uniform.csv
expect 0 out '^method +mingen' anonymize "${people[@]}" --method mingen -o mingen.csv
truth "uniform levels are mingen's" cmp uniform.csv mingen.csv
expect 0 out '^method +cell' anonymize "${people[@]}" --levels mixed -o mixed.csv
expect 0 out '^method +cell' anonymize "${people[@]}" -o cell.csv
truth "mixed levels are the default" cmp mixed.csv cell.csv

for method in datafly samarati incognito top-down mingen; do
    expect 0 out "^method +$method" anonymize "${people[@]}" --levels uniform --method $method --dry-run
    expect 2 err "$method gives each column one level" anonymize "${people[@]}" --levels mixed \
        --method $method -o no.csv
done
for method in cell mondrian k-member local-suppression; do
    expect 0 out "^method +$method" anonymize "${people[@]}" --levels mixed --method $method --dry-run
    expect 2 err "$method gives cells of a column several levels" anonymize "${people[@]}" \
        --levels uniform --method $method -o no.csv
done
expect 2 err 'mixed or uniform' anonymize "${people[@]}" --levels many -o no.csv
truth "nothing is written where levels are refused" test ! -e no.csv

# ---- Job files, results, what-if, attack ---------------------------------------------------------
expect 0 out 'method +mingen' anonymize "${people[@]}" --levels uniform --result result.json -o released.csv
expect 0 out 'agrees' check released.csv --against result.json
jq '.audit.job.levels = "mixed"' result.json >other.json
expect 1 out '' check released.csv --against other.json --json
truth "mixed levels are no levels of mingen" jq -e '.against.differences != []' out
jq 'del(.audit.job.levels)' result.json >none.json
expect 1 out '' check released.csv --against none.json --json
truth "without them the method is the default" \
    jq -e '.against.differences[0] == {what: "method", kind: "result", claimed: "mingen", found: "cell"}' out
expect 0 out 'method +mingen' anonymize "${people[@]}" --levels uniform --save-job job.yaml --dry-run
truth "a saved job has it" grep -qx 'levels: uniform' job.yaml
expect 0 out 'method +mingen' anonymize job.yaml -o again.csv
truth "a job file gives the same release" cmp released.csv again.csv
expect 0 out 'method +cell' anonymize job.yaml --levels mixed --dry-run
expect 0 out '^k 10' what-if "${people[@]}" --levels uniform --changes k
cp out uniform
expect 0 out '^k 10' what-if "${people[@]}" --method mingen --changes k
truth "what-if looks at the same neighbours" cmp uniform out
expect 0 out '' preview "${people[@]}" --levels uniform --window 1,3
