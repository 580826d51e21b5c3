#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# check, utility, lattice and hierarchy: exit codes and what they print.
# sanitized: the plain path through the program
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

expect 0 out '^k +1, the smallest class' check data.csv --qi race,zip
expect 0 out 'k-anonymity k=4 holds' check data.csv --qi race -k 4
expect 1 out 'k-anonymity k=2 does not hold: 8 rows in 8 classes' check data.csv --qi race,zip -k 2
expect 1 out '"holds": false' check data.csv --qi race,zip -k 2 --json
truth "check --json is JSON" python3 -c 'import json; assert json.load(open("out"))["k"] == 1'
expect 1 out '' check data.csv --qi race,zip -k 2 --quiet
truth "check --quiet prints nothing" test ! -s out
expect 0 out '' check data.csv --qi race -k 4 --result result.json
truth "check --result writes the result" python3 -c 'import json; assert json.load(open("result.json"))["k"] == 4'

"$MINGLE" anonymize data.csv "${small[@]}" -k 2 -o release.csv --quiet
expect 0 out '^utility .*precision' utility data.csv release.csv --qi race,zip \
    --hierarchy 'zip=mask(right,2)'
expect 0 out '"precision"' utility data.csv release.csv --qi race,zip --json \
    --hierarchy 'zip=mask(right,2)'
truth "utility --json is JSON" python3 -c 'import json; json.load(open("out"))["utility"]["loss"]'

expect 0 out '^nodes +8, of which' lattice data.csv "${small[@]}" -k 2
expect 0 out '^race +zip +height +holds' lattice data.csv "${small[@]}" -k 2
expect 0 out '"lattice"' lattice data.csv "${small[@]}" -k 2 --json
truth "lattice --json lists every node" \
    python3 -c 'import json; assert len(json.load(open("out"))["lattice"]) == 8'

expect 0 out '^zip +mask\(right,2\) +height 3' hierarchy check data.csv --hierarchy 'zip=mask(right,2)'
expect 0 out '0213\*' hierarchy show data.csv --hierarchy 'zip=mask(right,2)'
expect 0 out '^02138;0213\*;021\*\*;\*$' hierarchy build data.csv --hierarchy 'zip=mask(right,2)'
truth "build prints nothing but the file" test "$(wc -l <out)" -eq 4
cp out built.csv
expect 0 out '' hierarchy build data.csv --hierarchy 'zip=mask(right,2)' -o zip.csv --quiet
truth "build -o writes the same" cmp -s built.csv zip.csv
expect 0 out '^zip .*mask' hierarchy suggest data.csv
truth "suggest gives options" grep -q -e "^ --hierarchy 'zip=mask" out
printf '02138;0213*;*\n' >lacking.csv
expect 3 err '^mingle: .*02139' hierarchy check data.csv --hierarchy zip=lacking.csv --verbose
expect 3 err "^mingle: .*the value '99999' of column" hierarchy check data.csv --hierarchy zip=lacking.csv
finish
