#!/bin/bash
# Several quasi-identifiers: every method protects each of them on its own.
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
two=(anonymize in.csv --qi age,sex --qi sex,zip,job --sensitive s -k 4 --suppress 0 --keep-order
    --allow-leaks -o out.csv --result result.json)

# ---- Combinations by name ---------------------------------------------------------------------
for method in local-suppression mu-argus; do
    named=("${all[@]}" --method "$method" --result result.json --combinations)
    expect 0 out 'on age,sex,job holds' "${named[@]}" age+zip,age+sex+job
    truth "$method: a warning says on what models hold" grep -q named-combinations result.json
    expect 0 out 'agrees' check out.csv --against result.json
    expect 0 out 'on zip,age holds' "${named[@]}" 'zip + age' --suppress 8
    expect 2 err "'foo' is no quasi-identifier column of the job" "${named[@]}" age+foo
    expect 2 err "'age' is named twice in a combination" "${named[@]}" age+age
    expect 2 err "'zip\+age' is named twice" "${named[@]}" age+zip,zip+age
    expect 2 err "'age' is no kind of combinations" "${named[@]}" age
    expect 2 err "'2' is no combination by name" "${named[@]}" 2,age+zip
    expect 2 err "say the same in two ways" "${named[@]}" age+zip --qi age,sex
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
finish
