#!/bin/bash
# shellcheck disable=SC2054,SC2017 # the commas are in lists of columns; whole numbers are meant
# Quasi-identifiers that are aggregated within the classes of the others: what stands for a group,
# what is told of it and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "aggregated cells are what the definition makes of the rows of each class" \
    python3 "$SOURCE/tests/cli/mixed.py" "$MINGLE" 5 60

if [ -n "${SHARED-}" ]; then
    truth "on Adult groups within classes keep more than whole classes" \
        python3 "$SOURCE/tests/cli/mixed.py" "$MINGLE" adult "$SHARED/data/adult"
else
    ok "groups within the classes of Adult # SKIP without ../shared"
fi

rm -f out.csv
# Two towns; in each of them poor and rich, clerks and nurses.
{
    echo town,age,income,job,mood
    for i in $(seq 0 11); do
        echo "Bay,$((22 + i)),$((1000 * (1 + i / 6 * 8) + i)),$([ $((i % 3)) = 0 ] && echo nurse || echo clerk),x"
        echo "Hill,$((42 + i)),$((2000 * (1 + i / 6 * 8) + i)),smith,y"
    done
} >in.csv
order=(anonymize in.csv --qi town,age,income,job --sensitive mood --hierarchy town=suppress
    --hierarchy 'age=intervals(20)' --hierarchy job=suppress --keep-order -o out.csv)

expect 0 out 'aggregated +income by mean \([0-9.e-]+ % of the variance lost\)' "${order[@]}" -k 6 \
    --level town=0 --level age=1 --level job=1 --method mingen --aggregate income=mean --result result.json
truth "poor and rich of a town are groups of their own" test \
    "$(tail -n +2 out.csv | cut -d, -f1,3 | sort -u | tr '\n' ' ')" = \
    'Bay,1002.5 Bay,9008.5 Hill,18008.5 Hill,2002.5 '
truth "the classes of the other columns and the groups in them are told" grep -q \
    '"aggregation": {"classes": 2, "groups": 4, "node": {"town": 0, "age": 1, "job": 1}' \
    <(tr -d '\n' <result.json | sed 's/  */ /g; s/{ /{/g; s/ }/}/g')
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells what was aggregated" grep -q 'What was aggregated' report.html
expect 0 out 'income +quasi-identifier, aggregated: each cell is the mean' codebook result.json

# A result that tells of another function, or of fewer cells at the top than there are.
sed 's/"function": "mean"/"function": "median"/' result.json >other.json
expect 1 out 'aggregation.income.function' check out.csv --against other.json
sed '2s/1002.5/*/' out.csv >tampered.csv
expect 1 out 'aggregation.income.top_cells: the result claims 0' check tampered.csv --against result.json

# Medians, ranges, modes and sets.
expect 0 out 'income by median' "${order[@]}" -k 12 --level town=0 --level age=1 --method mingen \
    --aggregate income=median,job=mode
truth "the most frequent value stands for a group" test "$(sed -n 2p out.csv)" = \
    'Bay,20-39,5005.5,clerk,x'
expect 0 out 'job by set' "${order[@]}" -k 12 --level town=0 --level age=1 --method mingen \
    --aggregate income=range,job=set
truth "a set names all values" test "$(sed -n 2p out.csv)" = 'Bay,20-39,1000-9011,"{clerk,nurse}",x'
truth "one value is itself" test "$(sed -n 3p out.csv)" = 'Hill,40-59,2000-18011,smith,y'

# With no other column the groups are those of the method that aggregates all of them.
cut -d, -f2,3 in.csv >numbers.csv
for function in mean median range; do
    expect 0 out '' anonymize numbers.csv --qi age,income -k 3 --method microaggregate \
        --replace $function --keep-order -o all.csv
    expect 0 out '' anonymize numbers.csv --qi age,income -k 3 --keep-order -o mixed.csv \
        --aggregate age=$function,income=$function
    truth "$function of all columns is microaggregation" cmp -s all.csv mixed.csv
done
expect 0 out 'job by mode' anonymize in.csv --qi age,income,job --rest drop -k 3 \
    --method microaggregate --aggregate job=mode -o out.csv

# In a job file.
cat >job.yaml <<'END'
data: in.csv
output: out.csv
attributes:
  town: {role: quasi, hierarchy: suppress}
  income: {role: quasi, aggregate: mean}
  job: {role: quasi, aggregate: set}
rest: drop
privacy: [{k-anonymity: 6}]
END
expect 0 out 'income by mean' anonymize job.yaml
expect 0 out 'aggregated +town by mode' anonymize job.yaml --aggregate town=mode,income=none

# The whole table, and slices of it, get what was recorded.
expect 0 out '' anonymize job.yaml --save-recoding saved.rec
expect 0 out '' apply saved.rec in.csv -o again.csv
truth "the recorded values are applied" cmp -s <(sort out.csv) <(sort again.csv)

expect 0 out 'job +aggregated: set' recoding show saved.rec

# Utility of such a release.
expect 0 out 'column income is released as means of groups' utility in.csv out.csv --qi town,income,job \
    --hierarchy town=suppress --aggregate income=mean,job=set
expect 0 out 'loss 0' anonymize in.csv --qi town,income,job --rest drop -k 6 --hierarchy town=suppress \
    --aggregate income=range,job=set -o out.csv --result told.json --method mingen
loss=$(sed -n 's/.*"loss": \([0-9.]*\).*/\1/p' told.json | head -1)
expect 0 out '' utility in.csv out.csv --against told.json --json
truth "ranges and sets tell what they stand for: utility finds the same loss" test "$loss" = \
    "$(sed -n 's/.*"loss": \([0-9.]*\).*/\1/p' out | head -1)"

# A set stands for each of its values.
expect 0 out 'matches +6 rows: 20  12 rows: 4' attack out.csv in.csv --qi town,income,job --hierarchy town=suppress

# Persons, models of the whole table, earlier releases.
expect 0 out 'income by mean' "${order[@]}" -k 3 --aggregate income=mean --mean-risk 0.2
expect 0 out 'income by mean' "${order[@]}" -k 3 --aggregate income=mean --l-diversity mood=1 \
    --save-recoding first.rec
expect 0 out 'income by mean' "${order[@]}" -k 2 --aggregate income=mean --history first.rec

# Several methods side by side, and parts.
expect 0 out 'mingen +- ' compare job.yaml --methods cell,mingen
expect 0 out '' count in.csv --qi town,income,job --rest drop -o in.part
expect 0 out '' anonymize in.part -k 6 --hierarchy town=suppress --aggregate income=mean,job=set \
    --save-recoding part.rec
expect 0 out '' apply part.rec in.csv -o part.csv
truth "a part gives the same release" cmp -s <(sort part.csv) <(sort again.csv)

# What is refused.
expect 2 err 'lattice shows levels' lattice job.yaml
expect 2 err 'holds texts, and mean is for numbers' "${order[@]}" -k 3 --aggregate job=mean
expect 2 err "'sum' is not possible; give none, mean" "${order[@]}" -k 3 --aggregate income=sum
expect 2 err 'only quasi-identifiers have a function' "${order[@]}" -k 3 --aggregate mood=mode
expect 2 err 'what stands for a group has no level' "${order[@]}" -k 3 --aggregate income=mean \
    --level income=0..0
expect 2 err 'several' anonymize in.csv --qi-set town,age --qi-set town,income --rest drop -k 3 \
    --aggregate income=mean -o out.csv
expect 2 err 'no population can be matched' "${order[@]}" -k 3 --aggregate income=mean \
    --population in.csv --k-map 3
expect 2 err 'least-count' "${order[@]}" -k 3 --aggregate income=mean --least-count 2
expect 2 err 'a proof is about releases' "${order[@]}" -k 3 --aggregate income=mean --save-proof p
expect 2 err 'missing-matches' "${order[@]}" -k 3 --aggregate income=mean \
    --method local-suppression --missing-matches all
expect 2 err 'combinations of columns' "${order[@]}" -k 3 --aggregate income=mean \
    --method local-suppression --combinations 2

finish
