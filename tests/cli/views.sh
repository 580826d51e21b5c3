#!/bin/bash
# what-if, preview, look and hierarchy tree: against what other commands write, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "random jobs: what-if against runs, previews against releases, trees there and back" \
    python3 "$SOURCE/tests/cli/views.py" "$MINGLE" 7 16

small_table
job=(data.csv --qi race,zip --rest insensitive --hierarchy 'zip=mask(right)' --allow-leaks -k 2 --method mingen)
expect 0 out '^now ' what-if "${job[@]}"
expect 0 out '^k 3 instead of 2 ' what-if "${job[@]}"
expect 0 out '^without race ' what-if "${job[@]}" --changes columns
truth "what was not asked for is not told" test "$(grep -c '^now' out)" -eq 0
expect 0 out 'not asked: time was up' what-if "${job[@]}" --budget 0.000000001
expect 0 out '"left_out": \[$' what-if "${job[@]}" --budget 0.000000001 --json
hard=("${job[@]/2/9}")
expect 1 out '^now .*none: ' what-if "${hard[@]}"
expect 2 err "changes" what-if "${job[@]}" --changes everything
expect 2 err "budget" what-if "${job[@]}" --budget 0
expect 0 out '' what-if "${job[@]}" -o never.csv --result told.json --quiet
truth "a release is never written" test ! -e never.csv
truth "the answer is" grep -q '"command": "what-if"' told.json

# What a job file has written, a look at the job does not write.
cat >job.yaml <<'END'
data: data.csv
attributes: {race: {role: quasi}, zip: {role: quasi, hierarchy: mask(right)}}
rest: insensitive
privacy: [{k-anonymity: 2}]
method: mingen
output: from-job.csv
result: from-job.json
report: from-job.html
save-recoding: from-job.rec
END
expect 0 out '^now ' what-if job.yaml
expect 0 out '^rows ' preview job.yaml
truth "nothing was written" test -z "$(ls from-job.* 2>/dev/null)"

# Cells of the table are in no file of results.
expect 2 err '--result: what is shown holds cells' preview "${job[@]}" --result told.json
expect 2 err '--report: what is shown holds cells' preview "${job[@]}" --report told.html
expect 2 err '--result: what is shown holds cells' look data.csv --result told.json
expect 0 out '"breaks": true' preview "${job[@]}" --show breaking --window 1 --json
expect 0 out '^rows +[0-9]+ of 8' preview "${job[@]}" --show suppressed
expect 1 out '^no release ' preview "${hard[@]}"
truth "rows are shown all the same" grep -q 'not released' out
expect 2 err 'no row 99' preview "${job[@]}" --show class=99
for wrong in class=0 class= some ''; do expect 2 err 'show' preview "${job[@]}" --show "$wrong"; done
for wrong in 0,5 1,200000 x 1,2,3 -1; do expect 2 err 'window' preview "${job[@]}" --window "$wrong"; done
expect 2 err 'quasi' preview data.csv --identifier name -k 2

expect 0 out '^rows +8' look data.csv
expect 0 out '^table +data.csv, , between cells, UTF-8, with a header' look data.csv
printf 'a;b\n1;\n2;x\n' >semi.csv
expect 0 out '"delimiter": ";"' look semi.csv --json
expect 0 out '"missing": 1' look semi.csv --json
expect 3 err 'cannot open' look nowhere.csv

# Trees that someone edited.
tree() { printf '%s' "$1" >tree.json; }
tree '{"label": "*", "nodes": [{"label": "x", "nodes": [{"label": "black"}]}, {"label": "white"}, {"label": "none", "nodes": []}]}'
expect 0 out '^white;white;\*$' hierarchy build data.csv --hierarchy race=tree.json
truth "the other one is in its group" grep -q '^black;x;\*$' out
tree '{"label": "*", "nodes": [{"label": "black"}, {"label": "black"}]}'
expect 3 err 'twice' hierarchy build data.csv --hierarchy race=tree.json
tree '{"label": "*", "nodes": [{"label": "black"}]}'
expect 3 err 'not in the hierarchy' hierarchy build data.csv --hierarchy race=tree.json
tree '{"label": "*", "nodes": 5}'
expect 3 err 'something else than nodes' hierarchy build data.csv --hierarchy race=tree.json
tree '{"label": "*"}'
expect 3 err 'no values' hierarchy build data.csv --hierarchy race=tree.json
tree '{"label": '
expect 3 err 'no JSON' hierarchy build data.csv --hierarchy race=tree.json
tree ''
expect 3 err 'no JSON' hierarchy build data.csv --hierarchy race=tree.json
python3 -c 'print("{\"label\":\"a\",\"nodes\":[" * 400 + "{\"label\":\"black\"}" + "]}" * 400)' >tree.json
expect 3 err 'deeper' hierarchy build data.csv --hierarchy race=tree.json

expect 0 out '"advice"' risk data.csv --advise --no-trial --json
truth "the job was not tried" test "$(grep -c '"tried"' out)" -eq 0
finish
