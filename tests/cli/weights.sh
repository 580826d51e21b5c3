#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Sampling weights and fractions in searches: what is promised, what is written, what the audit asks of
# it, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "the best of all nodes, releases that hold, audits" \
    python3 "$SOURCE/tests/cli/weights.py" "$MINGLE" 5 100

rm -f out.csv
cat >in.csv <<'END'
age,sex,work,w
30,f,farm,18
30,f,farm,45.5
30,f,shop,39
40,m,farm,17
40,m,shop,541
40,f,shop,8
50,f,shop,5
50,m,shop,92
END
order=(anonymize in.csv --qi age,sex,work --hierarchy 'age=intervals(20,40)' --method mingen
    --keep-order --result result.json -o out.csv)
released=("${order[@]}" --rest insensitive --allow-leaks)
hidden=("${order[@]}" --rest drop)

expect 0 out 'population +8 rows stand for about 766 persons, by the weights in w' \
    "${released[@]}" --weight w --max-risk 0.1
truth "the result says what it was judged by" grep -q 'individual risk of every row, by sampling weights' result.json
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report says what rows stand for" grep -q 'rows stand for about 766 persons' report.html
sed '2,$s/,[0-9.]*$/,1/' out.csv >tampered.csv
expect 1 out 'max-risk measured: the result claims' check tampered.csv --against result.json
expect 0 out 'max-risk x=0.1 holds' check out.csv --qi age,sex,work --weight w --max-risk 0.1
expect 1 out 'max-risk x=0.1 does not hold' check out.csv --qi age,sex,work --max-risk 0.1

# Weights that are not released are known to the search and the verifier alone.
expect 0 out 'max-risk x=0.1 holds' "${hidden[@]}" --weight w --max-risk 0.1
expect 0 out 'max-risk: needs the weights' check out.csv --against result.json
paste -d, out.csv <(cut -d, -f4 in.csv) >copy.csv
expect 0 out 'max-risk x=0.1 holds' check copy.csv --qi age,sex,work --weight w --max-risk 0.1

# A class stands for itself, at least: weights below 1 are no less than none.
sed '2,$s/,[0-9.]*$/,0.01/' in.csv >light.csv
expect 0 out 'max-risk x=0.5 holds \(measured 0.5\)' anonymize light.csv "${hidden[@]:2}" --weight w --max-risk 0.5

# Rows above a risk are suppressed first, and the rest stays as it is.
rm -f out.csv
expect 0 out 'above risk +2 rows above a risk of 0.25 were suppressed first$' "${hidden[@]}" --weight w \
    --suppress-above 0.25 --suppressed drop
truth "the others are as they were" test "$(tail -n +2 out.csv)" = "$(sed -n '2,6p;9p' in.csv | cut -d, -f1-3)"
expect 0 out 'max-risk x=0.25 holds' "${hidden[@]}" --weight w --suppress-above 0.25 --suppressed drop
truth "they are counted apart" grep -q '"rows": 2,' result.json
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells them" grep -q '2 rows above a risk of 0.25 were suppressed first' report.html
sed 's/"joined": 0/"joined": 7/' result.json >wrong.json
expect 1 out 'suppressed_above.rows: the result claims' check out.csv --against wrong.json
# Kept, the suppressed rows are a class, which others join.
printf '%s\n' age,sex,work 30,f,farm 30,f,farm 40,m,shop 40,m,shop 50,f,shop >few.csv
expect 0 out '1 row above a risk of 0.5 was suppressed first; 2 more had to join them' \
    anonymize few.csv "${hidden[@]:2}" --suppress-above 0.5
truth "three are at the top" test "$(grep -c '^\*,\*,\*$' out.csv)" = 3
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '6 rows above a risk of 0.5 were suppressed first' "${hidden[@]}" --suppress-above 0.5 --suppressed exempt
expect 1 err 'every row would be dropped' "${hidden[@]}" --suppress-above 0.4 --suppressed drop
expect 2 err 'is no risk; give a number from 0 to 1' "${hidden[@]}" --suppress-above 2
expect 2 err 'looks at one quasi-identifier' anonymize in.csv --qi-set age,sex --qi-set work --rest drop \
    --suppress-above 0.5 --method mingen -o out.csv
expect 2 err 'mu-argus does not promise what' anonymize in.csv --qi age,sex,work --rest drop \
    --suppress-above 0.5 --method mu-argus -k 2 -o out.csv
expect 2 err '--suppress-above is about rows, and with --entity' "${hidden[@]}" --suppress-above 0.5 --entity w

# Households are judged by all their rows.
sed '1s/$/,home/;2,5s/$/,a/;6,$s/$/,b/' in.csv >homes.csv
homes=(anonymize homes.csv "${hidden[@]:2}" --household home)
expect 0 out 'household-risk x=0.9 holds' "${homes[@]}" --household-risk 0.9
expect 0 out 'household-risk: needs the households' check out.csv --against result.json
expect 0 out 'household-risk x=0.2 holds' "${homes[@]}" --household-risk 0.2 --weight w
expect 0 out 'household-risk x=0.2 holds' anonymize homes.csv "${released[@]:2}" --household home \
    --household-risk 0.2 --weight w
expect 0 out 'agrees with' check out.csv --against result.json
truth "households are compared" test -z "$("$MINGLE" check out.csv --against result.json | grep 'household-risk: ')"
sed '2,$s/,[ab]$/,a/' out.csv >tampered.csv # one large household
expect 1 out 'household-risk measured: the result claims' check tampered.csv --against result.json
expect 2 err 'needs to know which rows are one household; give .*--household COLUMN' "${hidden[@]}" --household-risk 0.5
expect 2 err 'no model of the job looks at it' "${homes[@]}" -k 2
expect 1 err 'household risk x = 0.01, but with 8 rows it is at least' "${homes[@]}" --household-risk 0.01
expect 2 err '--household is about rows, and with --entity' "${homes[@]}" --household-risk 0.9 --entity w

# Population uniques.
expect 0 out 'population-uniqueness x=0.1 pitman holds' "${hidden[@]}" --population-uniqueness 0.1,pitman \
    --sampling-fraction 0.1
expect 2 err 'needs to know which share of the population.*--sampling-fraction X' "${hidden[@]}" --population-uniqueness 0.1

# In a job file, where weights may stand for risk alone.
cat >job.yaml <<'END'
data: in.csv
output: out.csv
attributes:
  age: {role: quasi, hierarchy: "intervals(20,40)"}
  sex: {role: quasi}
  work: {role: quasi}
  w: {role: identifier}
weight: w
privacy: [{k-map: 60}]
method: mingen
END
expect 0 out 'k-map k=60 holds' anonymize job.yaml
sed 's/k-map: 60/k-anonymity: 2/' job.yaml >plain.yaml
expect 0 out 'k-anonymity k=2 holds' anonymize plain.yaml
expect 0 out '"holding": ' lattice job.yaml --json
expect 0 out 'cell' compare job.yaml --methods cell,mingen,mondrian

# What is refused.
expect 2 err 'no model of the job looks at it' "${hidden[@]}" --weight w -k 2
expect 2 err 'give .*--population FILE.*--weight COLUMN.*--sampling-fraction X' "${hidden[@]}" --k-map 5
expect 2 err 'each state how many persons.*give one of them' "${hidden[@]}" --weight w --sampling-fraction 0.1 --k-map 5
expect 2 err 'each state how many persons' "${hidden[@]}" --weight w --population in.csv --k-map 5
expect 2 err '--weight is about rows, and with --entity' "${hidden[@]}" --weight w --entity w --k-map 5
expect 2 err 'bounds that look at weights are not written as proofs' "${hidden[@]}" --weight w --max-risk 0.1 --save-proof p
expect 2 err 'delta-presence.*needs the table of all persons' "${hidden[@]}" --weight w --delta-presence 0,1 --max-risk 0.5
expect 1 err 'k-map k = 9999, but the rows stand for 765 persons' "${hidden[@]}" --weight w --k-map 9999
expect 1 err 'maximum risk x = 1e-06, but with 8 rows it is at least' "${hidden[@]}" --weight w --max-risk 0.000001
expect 2 err 'no column "nobody"|"nobody"' "${hidden[@]}" --weight nobody --k-map 5
for wrong in '' abc 0 -3 NA; do
    sed "4s/,[0-9.]*\$/,$wrong/" in.csv >wrong.csv
    expect 3 err 'is no sampling weight; weights are numbers above 0' anonymize wrong.csv "${hidden[@]:2}" --weight w --k-map 5
done

# Figures of sdcMicro: the individual risks of francdat and of testdata are what models judge.
data=$SOURCE/../shared/data/sdcmicro
if [ -d "$data" ]; then
    expect 1 out 'max-risk x=0.4 does not hold.*measured 0.402359' check "$data/francdat.csv" \
        --qi Key1,Key2,Key3,Key4 --weight w --max-risk 0.4
    expect 1 out 'mean-risk x=0.1 does not hold.*measured 0.120816' check "$data/francdat.csv" \
        --qi Key1,Key2,Key3,Key4 --weight w --mean-risk 0.1
    expect 0 out 'mean-risk x=0.01 holds \(measured 0.00235334' check "$data/testdata.csv" \
        --qi urbrur,roof,walls,water,electcon,relat,sex --weight sampling_weight --mean-risk 0.01
else
    echo "skipped: figures of sdcMicro need ../shared"
fi
