#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# anonymize: the release, the summary, the result, and that nothing is left after a failure.
# sanitized: the plain path through the program
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

expect 0 out '^privacy +k-anonymity k=2 holds' anonymize data.csv "${small[@]}" -k 2 -o release.csv
truth "the release is there" test -s release.csv
truth "the release has no identifiers" test "$(head -1 release.csv)" = race,zip,disease
truth "all rows are there" test "$(wc -l <release.csv)" -eq 9
truth "the release is private" test "$(stat -c %a release.csv)" = 600
truth "a run that succeeds writes nothing to stderr" test ! -s err
truth "no colour without a terminal" test -z "$(grep $'\033' out)"
truth "no temporary file stays" test "$(ls -A | wc -l)" -eq 4

expect 0 out '' anonymize data.csv "${small[@]}" -k 2 -o release.csv --quiet
truth "anonymize --quiet prints nothing" test ! -s out -a ! -s err
expect 0 out '"command": "anonymize"' anonymize data.csv "${small[@]}" -k 2 -o release.csv --json
truth "--json is JSON" python3 -c 'import json; json.load(open("out"))'
truth "--json has the rows" grep -q '^  "rows": 8,' out
expect 0 out '"schema": 1' anonymize data.csv "${small[@]}" -k 2 -o release.csv --json --quiet
expect 0 out '^rows' anonymize data.csv "${small[@]}" -k 2 -o release.csv --result result.json
truth "--result is JSON" python3 -c 'import json; json.load(open("result.json"))'

# -k5 and --option=value are the same as two words.
expect 0 out 'k=4 holds' anonymize data.csv "${small[@]}" -k4 --output=release.csv

# The release on standard output, the summary beside it.
expect 0 err '^rows' anonymize data.csv "${small[@]}" -k 2 -o - --seed 1
truth "-o - is the release alone" test "$(head -1 out)" = race,zip,disease -a "$(wc -l <out)" -eq 9
expect 0 err '' anonymize data.csv "${small[@]}" -k 2 -o - --quiet
truth "-o - --quiet leaves stderr empty" test ! -s err
"$MINGLE" anonymize - "${small[@]}" -k 2 -o piped.csv --keep-order <data.csv >out 2>err
truth "data from standard input" test "$(wc -l <piped.csv)" -eq 9

# A dry run writes nothing.
expect 0 out 'holds' anonymize data.csv "${small[@]}" -k 2 --dry-run
expect 0 out 'holds' anonymize data.csv "${small[@]}" -k 2 --dry-run -o dry.csv
truth "--dry-run wrote nothing" test ! -e dry.csv

# Failures leave no output and touch no old one.
echo old >release.csv
rm -f new.csv
expect 1 err '^mingle: ' anonymize data.csv "${small[@]}" -k 9 -o release.csv
expect 3 err '^mingle: nothere.csv' anonymize nothere.csv "${small[@]}" -k 2 -o release.csv
expect 3 err '^mingle: nothere.txt' anonymize data.csv --qi race --rest drop -k 2 -o release.csv \
    --hierarchy race=nothere.txt
expect 2 err '^mingle: ' anonymize data.csv "${small[@]}" -k 2 -o release.csv --level zip=9
truth "the old file is untouched" test "$(cat release.csv)" = old
expect 1 err '^mingle: ' anonymize data.csv "${small[@]}" -k 9 -o new.csv
truth "no new file appeared" test ! -e new.csv
printf 'a,b\n1,2\n3\n' >ragged.csv
expect 3 err '^mingle: ragged.csv:3: ' anonymize ragged.csv --qi a --rest drop -k 1 -o new.csv
expect 4 err '^mingle: ' anonymize data.csv "${small[@]}" -k 2 -o nothere/new.csv
truth "no file of a failure stays" test ! -e new.csv -a ! -e nothere
# A hierarchy that nothing uses is told, and one that a model uses is not.
small_table
printf 'flu;any;*\ncold;any;*\n' >disease.txt
expect 0 out 'column disease is sensitive and has a hierarchy that nothing uses' anonymize data.csv \
    "${small[@]}" --hierarchy disease=disease.txt -k 2 -o idle.csv --result idle.json
truth "the result tells, too" grep -q '"idle-hierarchy"' idle.json
expect 0 out 'nothing uses' anonymize data.csv "${small[@]}" --sensitive-hierarchy disease=disease.txt \
    -k 2 --t-closeness disease=0.9 -o idle.csv
for model in '--t-closeness disease=0.9,hierarchical' '--extended-p disease=1'; do
    # shellcheck disable=SC2086 # an option and its value
    expect 0 out '' anonymize data.csv "${small[@]}" --sensitive-hierarchy disease=disease.txt -k 2 \
        $model -o idle.csv
    truth "$model uses it" bash -c '! grep -q "nothing uses" out'
done
# The average class size is divided by the k of the job, if it has one.
expect 0 out '"c_avg": null' anonymize data.csv "${small[@]}" --l-diversity disease=2 \
    --method mingen -o small.csv --json
expect 0 out '"c_avg": null' utility data.csv small.csv "${small[@]}" --json
expect 0 out '"c_avg": null' lattice data.csv "${small[@]}" --l-diversity disease=2 --json
expect 0 out '"c_avg": [0-9]' anonymize data.csv "${small[@]}" --p-sensitive 2 --method mingen \
    -o small.csv --json
finish
