#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Saved recodings and releases judged together with earlier ones.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

expect 0 out '^classes' anonymize data.csv "${small[@]}" -k 2 --method mingen --level race=0..0 \
    -o first.csv --save-recoding first.rec
truth "the recoding is private" test "$(stat -c %a first.rec)" = 600
expect 1 err 'together with earlier releases 8 rows would be in 8 classes' anonymize data.csv \
    "${small[@]}" -k 2 --method mingen --level zip=0..0 -o second.csv --history first.rec \
    --history-judged afterwards
truth "a release that breaks the history is not written" test ! -e second.csv
expect 0 out '^history +together with 1 earlier release: 8 classes of 1 to 1 rows' anonymize \
    data.csv "${small[@]}" -k 2 --method mingen --level zip=0..0 -o second.csv \
    --history first.rec --history-judged afterwards --allow-leaks
for method in mingen cell datafly samarati incognito mondrian k-member top-down local-suppression; do
    expect 0 out '"history"' anonymize data.csv "${small[@]}" -k 2 --method "$method" \
        -o second.csv --history first.rec --json
    truth "$method respects the first release" python3 -c '
import json
h = json.load(open("out"))["history"]
assert h["classes"]["min"] >= 2 and h["violating_rows"] == 0 and h["models"][0]["holds"], h
assert h["classes"]["min"] <= h["classes"]["mean"] <= h["classes"]["max"], h
assert h["releases"][0]["recoding"] == "first.rec", h'
done

# A job file names recodings beside itself.
mkdir jobs
cp data.csv first.rec jobs
cat >jobs/job.yaml <<'END'
data: data.csv
attributes:
  name: {role: identifier}
  race: {role: quasi}
  zip: {role: quasi, hierarchy: "mask(right,2)"}
  disease: {role: sensitive}
privacy: [{k-anonymity: 2}]
history: [first.rec]
output: release.csv
END
expect 0 out '^history' anonymize jobs/job.yaml
sed -i 's/history: .*/history: first.rec/' jobs/job.yaml
expect 0 out '^history' anonymize jobs/job.yaml

# Models are judged on the pasts of as many sensitive columns as there are.
python3 - <<'END'
with open("many.csv", "w") as out:
    print("race,zip", *(f"s{i}" for i in range(300)), sep=",", file=out)
    for row in range(8):
        print("ab"[row // 4], 10 + row // 2, *("xy"[row % 2] for i in range(300)), sep=",", file=out)
END
many=(--qi "race,zip" --hierarchy "zip=mask(right,2)" --sensitive "$(seq -s, -f 's%g' 0 299)")
expect 0 out '^classes' anonymize many.csv "${many[@]}" --p-sensitive 2 --method mingen \
    -o many1.csv --save-recoding many.rec
expect 0 out '"history"' anonymize many.csv "${many[@]}" --p-sensitive 2 --method mingen \
    -o many2.csv --history many.rec --json
truth "300 sensitive columns are judged together with the first release" python3 -c '
import json
h = json.load(open("out"))["history"]
assert h["violating_rows"] == 0 and h["models"][0]["measured"] == 2, h'

# What cannot be.
expect 3 err 'nowhere.rec' anonymize data.csv "${small[@]}" -k 2 -o x.csv --history nowhere.rec
expect 3 err 'data.csv: this is not a recoding' anonymize data.csv "${small[@]}" -k 2 -o x.csv \
    --history data.csv
head -c 300 first.rec >cut.rec
expect 3 err 'cut.rec: the file is damaged or cut off' anonymize data.csv "${small[@]}" -k 2 \
    -o x.csv --history cut.rec
sed '$d' data.csv >fewer.csv
expect 3 err 'first.rec: the recoding was not made of this table' anonymize fewer.csv \
    "${small[@]}" -k 2 -o x.csv --history first.rec
expect 2 err 'mean-risk cannot be judged together with earlier releases' anonymize data.csv \
    "${small[@]}" -k 2 --mean-risk 0.5 -o x.csv --history first.rec
expect 2 err "history-judged: 'never' is not possible" anonymize data.csv "${small[@]}" -k 2 \
    -o x.csv --history-judged never
printf 'MGLRECOD\002\000' | cat - <(tail -c +11 first.rec) >later.rec
expect 3 err 'format version 2' anonymize data.csv "${small[@]}" -k 2 -o x.csv --history later.rec
truth "a recoding of a later version is not used" test ! -e x.csv

# The recoding alone, and none in a dry run.
expect 0 out '' anonymize data.csv "${small[@]}" -k 2 --save-recoding only.rec --quiet
truth "a recoding is saved without a release" test -s only.rec
expect 0 out '' anonymize data.csv "${small[@]}" -k 2 --save-recoding none.rec --dry-run --quiet
truth "a dry run writes none" test ! -e none.rec
finish
