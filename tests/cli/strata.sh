#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Strata that are searched and judged on their own: what is released, what is said of those that
# cannot be, what readers make of such a release, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "strata are what jobs on their rows alone make of them" \
    python3 "$SOURCE/tests/cli/strata.py" "$MINGLE" 1 60

rm -f out.csv
python3 - <<'END'
import random
draw = random.Random(4)
with open("in.csv", "w") as file:
    file.write("id,region,age,sex,zip,ill\n")
    for i in range(240):
        file.write(f"{i},{draw.choice(['north', 'north', 'south'])},{draw.randint(20, 59)},"
                   f"{draw.choice('fm')},0213{draw.randrange(4)},i{draw.randrange(5)}\n")
END
columns=(--by region --qi age,sex,zip --sensitive ill --identifier id)
order=(anonymize in.csv "${columns[@]}" -k 4 -o out.csv --result result.json)

# The columns stay as they are; each stratum has levels of its own.
expect 0 out 'strata +2 by region, each searched and judged on its own' "${order[@]}" --method mingen \
    --suppress 5% --keep-order
truth "the column is what it was" cmp -s <(cut -d, -f2 in.csv) <(cut -d, -f1 out.csv)
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report has strata" grep -q 'Each stratum on its own' report.html
expect 0 out 'k-anonymity k=4 holds' check out.csv --by region --qi age,sex,zip -k 4

# Households within strata: every method, and the release agrees with its result.
printf '%s\n' q,reg,hh a,X,1 a,X,2 b,X,1 b,X,3 >homes.csv
for method in mingen samarati incognito top-down datafly cell mondrian k-member local-suppression; do
    expect 0 out 'household-risk x=0.5 holds \(measured 0.4375\)' anonymize homes.csv --qi q --by reg \
        --household hh --household-risk 0.5 --rest drop --method $method -o homes_out.csv --overwrite \
        --result homes.json
    expect 0 out 'agrees with' check homes_out.csv --against homes.json
done

# A row that changes its stratum, and a stratum that is told of wrongly, are found.
sed '0,/^south/s//north/' out.csv >tampered.csv
expect 1 out 'strata\[0\].rows: the result claims' check tampered.csv --against result.json
python3 - <<'END'
import json
told = json.load(open("result.json"))
told["strata"][0]["smallest_class"] += 1
told["strata"][1]["by"]["region"] = "west"
json.dump(told, open("wrong.json", "w"))
END
expect 1 out 'strata\[0\].smallest_class: the result claims' check out.csv --against wrong.json
expect 1 out 'strata: a stratum that the file does not have' check out.csv --against wrong.json

# Rows at the top of a stratum are exempt if it has others; else they are its only class.
printf '%s\n' region,age,zip A,20,1 A,20,1 A,20,1 'A,*,*' >tops.csv
expect 0 out '3 rows|1 suppressed' check tops.csv --by region --qi age,zip -k 3 --suppressed exempt
expect 1 out 'does not hold|measured 1' check tops.csv --by region --qi age,zip -k 3
printf '%s\n' 'B,*,*' 'B,*,*' >>tops.csv
expect 1 out 'measured 2' check tops.csv --by region --qi age,zip -k 3 --suppressed exempt
expect 0 out 'measured 2' check tops.csv --by region --qi age,zip -k 2 --suppressed exempt

# A stratum that cannot be released is named with its size, and nothing is written.
rm out.csv
{
    cat in.csv
    echo 900,west,30,f,02131,i1
    echo 901,east,30,f,02131,i1
    echo 902,east,31,f,02131,i1
} >small.csv
expect 1 err '2 of 4 strata cannot be released: region "east" \(2 rows\); region "west" \(1 row\)' \
    anonymize small.csv "${columns[@]}" -k 4 --verbose -o out.csv
expect 1 err 'the table has only 2 rows' anonymize small.csv "${columns[@]}" -k 4 -o out.csv
truth "nothing was written" test ! -e out.csv
expect 0 out 'strata +2 by region' anonymize small.csv "${columns[@]}" -k 4 \
    --where "region in ('north', 'south')" -o out.csv

# Other ways to count: several quasi-identifiers, a population, earlier releases, persons.
several=("${order[@]/--qi/--qi-set}")
expect 0 out 'strata +2' "${several[@]}" --qi-set age,region --method mingen
expect 0 out 'agrees with' check out.csv --against result.json
for more in "--k-map 5 --population in.csv" "--entity id" \
    "--mean-risk 0.1 --method mingen" "--method local-suppression --combinations 2" \
    "--method local-suppression --missing-matches all" "--method mu-argus --combinations all" \
    "--method mondrian --suppressed exempt --suppress 5%" "--t-closeness ill=0.4"; do
    # shellcheck disable=SC2086 # several words
    expect 0 out 'strata +2' "${order[@]}" $more
    expect 0 out 'agrees with' check out.csv --against result.json
done
expect 0 out 'strata +2' "${order[@]}" --method mingen --save-recoding first.mgl
expect 0 out 'strata +2' "${order[@]}" --history first.mgl
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out 'strata +1 by region' anonymize in.csv --by region --qi age --rest drop -k 4 \
    --method microaggregate --where "region = 'north'" -o out.csv

# A recoding is a rule within strata: new rows of known ones get what covers them.
expect 0 out '' apply first.mgl in.csv -o again.csv
truth "the same table is released as it was" test "$(sort again.csv | sha256sum)" = \
    "$("$MINGLE" "${order[@]}" --method mingen --quiet && sort out.csv | sha256sum)"
{
    cat in.csv
    for i in 1 2 3 4 5; do echo "80$i,south,2$i,f,02130,i$i"; done
} >more.csv
expect 0 out '' apply first.mgl more.csv -o more_out.csv
truth "all rows are there, in their strata" test \
    "$(cut -d, -f1 more_out.csv | sort | uniq -c | sha256sum)" = \
    "$(cut -d, -f2 more.csv | sort | uniq -c | sha256sum)"
expect 0 out 'k-anonymity k=4 holds' check more_out.csv --by region --qi age,sex,zip -k 4
expect 0 out '' apply first.mgl more.csv -o more_out.csv --result applied.json
expect 0 out 'agrees with' check more_out.csv --against applied.json
expect 0 out 'region +quasi-identifier, as it was' codebook applied.json
expect 3 err 'no rule for the stratum region "east"' apply first.mgl small.csv -o more_out.csv --verbose
expect 2 err "leave out --with" apply first.mgl more.csv --with out.csv -o more_out.csv

# Parts, other formats, standard output, job files, sessions of several methods.
expect 0 out '' count in.csv --by region --qi age,sex,zip --sensitive ill --identifier id -o in.part
expect 0 out 'strata +2' anonymize in.part --by region -k 4 --save-recoding part.mgl
expect 0 out '' apply part.mgl in.csv -o again.csv
truth "a part is released by strata" test \
    "$("$MINGLE" check again.csv --by region --qi age,sex,zip -k 4 --json | grep -c '"holds": true')" = 1
expect 0 out 'strata +2' anonymize in.csv "${columns[@]}" -k 4 -o out.xlsx
expect 0 out 'mingen' compare in.csv "${columns[@]}" -k 4 --methods mingen,mondrian,datafly
cat >job.yaml <<'END'
data: in.csv
by: [region]
attributes:
  id: {role: identifier}
  age: {role: quasi}
  sex: {role: quasi}
  zip: {role: quasi}
  ill: {role: sensitive}
privacy: [{k-anonymity: 4}]
output: out.csv
END
expect 0 out 'strata +2' anonymize job.yaml --save-job saved.yaml
truth "a saved job has strata" grep -q 'by:' saved.yaml
expect 0 out 'strata +2' anonymize saved.yaml -o out.csv
expect 2 err 'lattice of its own for each stratum' lattice job.yaml
expect 0 out 'curve|strata' anonymize job.yaml --curve 2,200 --result curve.json
truth "a curve names no values" grep -q 'region \\"aaaaa\\"' curve.json

# Threads do not matter.
for threads in 1 2 3; do
    "$MINGLE" anonymize in.csv "${columns[@]}" -k 4 --keep-order --quiet --threads $threads \
        -o "threads$threads.csv"
done
truth "one and two threads give the same release" cmp -s threads1.csv threads2.csv
truth "three threads give the same release" cmp -s threads1.csv threads3.csv

# What does not go together.
refuse() { expect 2 err "$1" anonymize in.csv --qi age,sex --rest drop -k 2 -o out.csv "${@:2}"; }
refuse 'stays at level 0; leave out its --level' --by region --level region=0
refuse 'named twice' --by region,region
refuse 'no column but those of --by' --by age,sex
refuse 'no column "nowhere"' --by nowhere
refuse 'is a quasi-identifier; leave the role out' --by ill --sensitive ill
refuse 'tells persons apart' --by id --entity id
refuse 'joins rows of a person that may lie in several strata' --by region --entity id \
    --entity-view joined --suppressed drop --method mingen
refuse 'would regroup values of the columns of strata' --by region --least-count 3
refuse 'which everybody sees' --by region --likelihood region=0
refuse '--aggregate measures how far' --by region --aggregate age=mean
refuse '--count lets rows stand for several records' --by region --count id
refuse '--km counts combinations' --by region --km ill=2,2
refuse 'not written as proofs' --by region --save-proof proof.json
finish
