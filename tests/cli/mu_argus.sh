#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# mu-argus: what it releases, what it refuses, and what it says about an unsafe release.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

cat >data.csv <<'END'
name,race,birth,sex,zip,problem
t1,black,1965,male,02141,short of breath
t2,black,1965,male,02141,chest pain
t3,black,1965,female,02138,painful eye
t4,black,1965,female,02138,wheezing
t5,black,1964,female,02138,obesity
t6,black,1964,female,02138,chest pain
t7,white,1964,male,02138,short of breath
t8,white,1965,female,02139,hypertension
t9,white,1964,male,02139,obesity
t10,white,1964,male,02139,fever
t11,white,1967,male,02138,vomiting
t12,white,1967,male,02138,back pain
END
job=(--qi race,birth,sex,zip --hierarchy 'zip=mask(right,2)' --identifier name --sensitive problem
    --method mu-argus --identification birth=1,race=3 --keep-order)

# An unsafe result is refused: the rows and both remedies are named, nothing is written.
expect 1 err 'unsafe: 2 rows .*\(rows 7, 8\).*--combinations all.*--accept unsafe' \
    anonymize data.csv "${job[@]}" -k 2 -o release.csv
truth "an unsafe release is not written" test ! -e release.csv
expect 1 err 'rows 7, 8' anonymize data.csv "${job[@]}" -k 2 --dry-run

# Accepted, it is written, and everything says what it is.
expect 0 out '^privacy +k-anonymity k=2 does not hold: 2 rows in 2 classes \(measured 1\)' \
    anonymize data.csv "${job[@]}" -k 2 -o release.csv --accept unsafe --result result.json
truth "the warning names the rows" grep -q '^warning .*unsafe.*(rows 7, 8)' out
truth "the levels are told" grep -Eq '^levels +race 0/1  birth 0/1' out
truth "the cells are told" grep -Eq '^cells +suppressed: birth 2  sex 1$' out
cat >wanted.csv <<'END'
race,birth,sex,zip,problem
black,1965,male,02141,short of breath
black,1965,male,02141,chest pain
black,1965,female,02138,painful eye
black,1965,female,02138,wheezing
black,1964,female,02138,obesity
black,1964,female,02138,chest pain
white,*,male,02138,short of breath
white,*,*,02139,hypertension
white,1964,male,02139,obesity
white,1964,male,02139,fever
white,1967,male,02138,vomiting
white,1967,male,02138,back pain
END
truth "the release is the paper's" cmp release.csv wanted.csv
truth "the result says so" python3 -c '
import json
r = json.load(open("result.json"))
assert r["method"] == "mu-argus" and r["node"] is None and r["bound"] is None
assert r["models"][0]["holds"] is False and r["models"][0]["violating_rows"] == 2
assert r["failing_rows"] == [7, 8] and r["failing_rows_count"] == 2
assert [w["code"] for w in r["warnings"]] == ["unsafe-release", "known-totals"]
assert r["known_totals"]["sex"]["inferred_cells"] == 1
assert r["suppressed_cells"] == {"race": 0, "birth": 2, "sex": 1, "zip": 0}
assert r["levels"] == {"race": 0, "birth": 0, "sex": 0, "zip": 0}
'

# Unsafe combinations before and after: figures 13 and 14 of the paper, and {race, sex, zip} of t8,
# which figure 14 leaves out.
truth "the outliers are the paper's" python3 -c '
import json
unsafe = json.load(open("result.json"))["unsafe_combinations"]
before, after = unsafe["before"], unsafe["after"]
t8, t7 = before["tuples"]
sets = lambda tuple: {frozenset(outlier) for outlier in tuple["outliers"]}
fig14 = ["birth zip", "sex zip", "birth sex zip", "race birth sex", "race birth zip", "race sex",
         "race birth"]
assert sets(t8) == {frozenset(s.split()) for s in fig14 + ["race sex zip"]}
assert sets(t7) == {frozenset(("birth", "sex", "zip")), frozenset(("race", "birth", "zip"))}
assert t8["suppressed"] == ["birth", "sex"] and t7["suppressed"] == ["birth"]
assert t7["rows"] == t8["rows"] == 1 and before["rows"] == 2 and before["values"] == 10
fig13 = [one for one in before["combinations"] if one["columns"] == ["birth", "zip"]]
assert fig13 == [{"columns": ["birth", "zip"], "values": 1, "rows": 1}]
assert after["values"] == after["rows"] == 0 and after["combinations"] == after["tuples"] == []
for state in before, after:
    assert state["combinations_left_out"] == state["tuples_left_out"] == 0
'
truth "values are not told" test -z "$(jq -c .unsafe_combinations result.json | grep '02139\|1965\|white')"
truth "the summary tells them" grep -Eq \
    '^unsafe +10 before cells are suppressed, in 2 rows: race\+birth\+zip 2' out
truth "and that none is left" grep -Eq '^ +no combination of values in the release' out
expect 0 out '' report result.json -o report.html
truth "the report, too" grep -q '<bdi>race, birth, zip</bdi>' report.html
# Suppressing a cell can make others rare: the release is looked at anew, and an audit does so, too.
cat >pairs.csv <<'END'
a,b,c,d
2,3,1,2
1,1,2,1
1,2,1,2
2,3,2,1
2,2,2,2
1,3,1,1
2,1,1,1
1,1,2,1
1,1,1,2
1,2,1,1
END
expect 0 out '' anonymize pairs.csv --qi a,b,c,d -k 2 --method mu-argus \
    --accept unsafe --allow-leaks -o pairs_out.csv --result pairs.json
expect 1 out 'agrees with pairs.json' check pairs_out.csv --against pairs.json
truth "what became rare is told" test "$(jq .unsafe_combinations.after.values pairs.json)" -gt 0
jq -c '.unsafe_combinations.after |= (.combinations = [] | .values = 0)' pairs.json >hidden.json
expect 1 out 'does not agree' check pairs_out.csv --against hidden.json
jq -c '.unsafe_combinations.after.combinations[0].rows += 1' pairs.json >wrong.json
expect 1 out 'unsafe_combinations' check pairs_out.csv --against wrong.json

expect 0 err 'unsafe' anonymize data.csv "${job[@]}" -k 2 -o - --accept unsafe
expect 0 out 'does not hold' anonymize data.csv "${job[@]}" -k 2 --dry-run --accept unsafe
expect 1 out 'does not hold' check release.csv --qi race,birth,sex,zip -k 2

# The same from a job file.
cat >job.yaml <<'END'
data: data.csv
attributes:
  name: {role: identifier}
  race: {role: quasi, identification: 3}
  birth: {role: quasi, identification: 1}
  sex: {role: quasi}
  zip: {role: quasi, hierarchy: "mask(right,2)", generalize: 1}
  problem: {role: sensitive}
privacy: [{k-anonymity: 2}]
method: mu-argus
combinations: [2, 3]
accept: unsafe
output: from_job.csv
END
expect 0 out '^warning .*\(row 8\)' anonymize job.yaml
truth "the holder's level was taken" grep -q '0213\*' from_job.csv
expect 0 out '' anonymize job.yaml --combinations all -o all.csv
truth "no row fails with all combinations" test -z "$(grep '^warning.*unsafe' out)"

# All combinations: t7 and t8 end suppressed; a limit counts them.
expect 0 out '^rows +12 read, 12 released, 2 suppressed' \
    anonymize data.csv "${job[@]}" -k 2 --combinations all -o all.csv
truth "two rows have no cell left" test "$(grep -c '^\*,\*,\*,\*,' all.csv)" -eq 2
expect 0 out 'holds' check all.csv --qi race,birth,sex,zip -k 2
expect 0 out '^rows +12 read, 10 released' \
    anonymize data.csv "${job[@]}" -k 2 --combinations all --suppressed drop -o all.csv
expect 1 err '2 rows lose all their cells, and 1 may' \
    anonymize data.csv "${job[@]}" -k 2 --combinations all --suppress 1 -o all.csv
expect 0 out 'l-diversity problem l=2 holds' \
    anonymize data.csv "${job[@]}" -k 2 --l-diversity problem=2 --combinations all -o all.csv
expect 0 out 'no single ones suppressed' anonymize data.csv "${job[@]}" -k 2 --dry-run \
    --level 'birth=1,sex=1,zip=3'

# Threads make no difference.
for threads in 1 4; do
    expect 0 out '' anonymize data.csv "${job[@]}" -k 3 --combinations all --threads $threads \
        -o "threads$threads.csv"
done
truth "1 and 4 threads give the same release" cmp threads1.csv threads4.csv

# Without -k, k = p, also if that is 1.
for p in 1 2; do
    expect 0 out '' anonymize data.csv "${job[@]}" --p-sensitive $p --combinations all -o p.csv
done

# What it cannot do.
expect 2 err 'give -k N' anonymize data.csv "${job[@]}" --l-diversity problem=2 -o no.csv
expect 2 err '^mingle: --generalize zip=4: .*levels 0..3' anonymize data.csv "${job[@]}" -k 2 \
    --generalize zip=4 -o no.csv
expect 2 err 'identification' anonymize data.csv "${job[@]}" -k 2 --identification birth=4 -o no.csv
expect 2 err '^mingle: --accept: it is for mu-argus, not for datafly' anonymize data.csv \
    --qi race,birth,sex,zip --rest drop --method datafly -k 2 --accept unsafe -o no.csv
expect 2 err '^mingle: --accept' anonymize data.csv "${job[@]}" -k 2 --accept everything -o no.csv
truth "an unknown word behind --accept writes nothing" test ! -e no.csv
expect 0 out '^mu-argus' help mu-argus
# The limit counts rows that lose all their cells, also if these are all rows.
printf 'a,b\n110,x\n220,y\n330,z\n' >apart.csv
expect 1 err '3 rows lose all their cells, and 1 may' anonymize apart.csv --qi a,b \
    --hierarchy 'a=mask(right,2)' --hierarchy b=suppress --level a=0..2 -k 3 --method mu-argus \
    --combinations all --suppressed exempt --suppress 1 -o apart.out
finish
