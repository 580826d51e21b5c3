#!/bin/bash
# Several quasi-identifiers: every method protects each of them on its own.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "releases of every method hold on each set, and bounds are true" \
    python3 "$SOURCE/tests/cli/several_sets.py" "$MINGLE" 3 24

cat >in.csv <<'END'
age,sex,zip,job,s
20,f,100,a,x
20,f,101,b,y
20,m,100,a,x
21,m,101,b,z
21,f,100,c,x
21,m,101,a,y
22,f,102,a,x
22,m,102,b,z
END
all=(anonymize in.csv --qi age,sex,zip,job --sensitive s -k 2 --keep-order --allow-leaks -o out.csv)
two=(anonymize in.csv --qi-set age,sex --qi-set sex,zip,job --sensitive s -k 4 --suppress 0 --keep-order
    --allow-leaks -o out.csv --result result.json)

# ---- One quasi-identifier, and several -----------------------------------------------------------
expect 0 out 'at most 50 % for anyone who knows age, sex, zip, job,' anonymize in.csv --qi age,sex \
    --qi zip --qi job --sensitive s -k 2 --method mingen --allow-leaks -o one.csv --result one.json
truth "--qi given twice is one quasi-identifier" python3 -c '
import json
result = json.load(open("one.json"))
assert result["quasi_identifier"] == ["age", "sex", "zip", "job"] and len(result["models"]) == 1
assert result["risk"]["known"] == ["age", "sex", "zip", "job"] and "sets" not in result["risk"]'
expect 2 err "'sex' is named twice; name it once; several .* by --qi-set" check in.csv --qi age,sex \
    --qi sex,zip -k 2
expect 2 err 'give each of several by --qi-set' check in.csv --qi age --qi-set zip -k 2
expect 2 err 'give each of several by --qi-set' check in.csv --qi-set age --qi zip -k 2
expect 2 err "'age' is named twice" check in.csv --qi-set age,age -k 2
expect 0 out '' "${two[@]}" --method mingen
cp out.csv sets.csv && cp result.json sets.json
expect 0 out 'risk +at most .* anyone who knows age, sex$' check sets.csv --qi-set age,sex \
    --qi-set sex,zip,job -k 4
expect 0 out 'at most .* anyone who knows all of these together: age, sex, zip, job' check sets.csv \
    --qi-set age,sex --qi-set sex,zip,job -k 4
truth "the risk of each set and of their union" python3 -c '
import collections, csv, json
rows = list(csv.DictReader(open("sets.csv")))
risk = json.load(open("sets.json"))["risk"]
for known in [risk, *risk["sets"]]:
    sizes = collections.Counter(tuple(row[c] for c in known["known"]) for row in rows).values()
    assert known["prosecutor_max"] == 1 / min(sizes), known
    assert known["uniques"] == sum(size == 1 for size in sizes), known
assert [s["known"] for s in risk["sets"]] == [["age", "sex"], ["sex", "zip", "job"]]
assert risk["known"] == ["age", "sex", "zip", "job"]'
expect 0 out 'agrees' check sets.csv --against sets.json
python3 - <<'END'
import json
result = json.load(open("sets.json"))
result["risk"]["sets"][1]["prosecutor_max"] = 0.01
json.dump(result, open("false.json", "w"))
END
expect 1 out 'risk.sets' check sets.csv --against false.json
cat >job.yaml <<'END'
data: in.csv
quasi-identifiers: [[age, sex], [sex, zip, job]]
sensitive: s
k: 4
method: mingen
END
expect 0 out 'all of these together' anonymize job.yaml --dry-run
expect 0 out 'anyone who knows age, sex, zip,' anonymize job.yaml --qi age,sex,zip --rest drop --dry-run

# ---- Combinations by name ---------------------------------------------------------------------
for method in local-suppression mu-argus; do
    named=("${all[@]}" --method "$method" --result result.json --combinations)
    sets=("${two[@]}" --method "$method" --combinations)
    expect 0 out 'on age,sex,job holds' "${named[@]}" age+zip,age+sex+job
    truth "$method: a warning says on what models hold" grep -q named-combinations result.json
    expect 0 out 'agrees' check out.csv --against result.json
    expect 0 out 'on zip,age holds' "${named[@]}" 'zip + age' --suppress 8
    expect 2 err "'foo' is no quasi-identifier column of the job" "${named[@]}" age+foo
    expect 2 err "'age' is named twice in a combination" "${named[@]}" age+age
    expect 2 err "'zip\+age' is named twice" "${named[@]}" age+zip,zip+age
    expect 2 err "'age' is no kind of combinations" "${named[@]}" age
    expect 2 err "'2' is no combination by name" "${named[@]}" 2,age+zip
    expect 2 err "say the same in two ways" "${sets[@]}" age+zip
done
expect 2 err 'it is for mu-argus|not for mingen' "${all[@]}" --method mingen --combinations age+zip

# ---- Numbers of each set ----------------------------------------------------------------------
expect 0 out 'k=2 on age,sex holds' "${two[@]}" --method mingen --likelihood age=0.5/1,sex=0.5/1 \
    --weights sex=4/2
truth "a weight is the mean of the sets" python3 -c '
import json
assert json.load(open("result.json"))["utility"]["precision"] == 0.5'
expect 0 out 'k=4 on zip,job holds' "${two[@]}" --likelihood sex=1/0
expect 0 out 'agrees' check out.csv --against result.json
expect 0 out 'levels +age 1/1 +sex 0/1' "${two[@]}" --method datafly --preference sex=0/1
expect 2 err "'age' has 3 numbers, and there are 2 quasi" "${two[@]}" --likelihood age=1/1/1
expect 2 err "'age' has 3 numbers, and there are 2 quasi" "${two[@]}" --method datafly \
    --preference age=1/1/1
expect 2 err "'0.5/2' is out of range" "${two[@]}" --likelihood age=0.5/2
expect 2 err "several quasi-identifiers are not written as proofs" "${two[@]}" --save-proof p
# By set: likelihoods that leave sets alike, a column on which nobody links in its only set, weights.
printf '%s\n' a,b,c,d 1,x,p,d1 1,x,q,d2 2,x,p,d1 2,y,q,d2 3,y,p,d1 3,y,q,d2 >alike.csv
alike=(anonymize alike.csv --sensitive d -k 2 -o alike_out.csv --overwrite --result alike.json --quiet)
for method in mingen datafly; do
    for more in "--likelihood a=0,c=0" "--weights b=1/3" "--weights b=0/2 --likelihood c=1/0.5"; do
        # shellcheck disable=SC2086 # options and their values
        expect 0 out '' "${alike[@]}" --qi-set a,b --qi-set b,c --method $method $more
        expect 0 out 'agrees with' check alike_out.csv --against alike.json
        expect 0 out '' utility alike.csv alike_out.csv --against alike.json --json
        truth "$method $more: the same measures" python3 -c '
import json
found, claimed = (json.load(open(name))["utility"] for name in ("out", "alike.json"))
assert {k: v for k, v in found.items() if v != claimed[k]} == {}, (found, claimed)'
    done
    expect 0 out '' "${alike[@]}" --qi-set a,b --qi-set a,b,c --likelihood c=1/0 --method $method
    truth "$method: a column on which nobody links in its only set" \
        grep -q 'column c has linking likelihood 0 and is released unchanged' alike.json
    expect 0 out 'agrees with' check alike_out.csv --against alike.json
done
finish
