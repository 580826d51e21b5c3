#!/bin/bash
# The minimality attack: what an outsider infers who knows that a release is the one a method makes.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# Two rows of each town. The towns are merged although k = 2 holds without that, because both rows
# of one of them have HIV.
printf 'name,town,disease\nAnn,Aden,HIV\nBob,Aden,HIV\nCyd,Bonn,flu\nDan,Bonn,cold\n' >four.csv
cut -d, -f1,2 four.csv >persons.csv
job=(--qi town --hierarchy town=suppress --sensitive disease -k 2 --l-diversity disease=2 --method mingen)
expect 0 out '' anonymize four.csv "${job[@]}" --identifier name -o r.csv --result r.json --quiet
truth "all are merged" test "$(tail -n +2 r.csv | cut -d, -f1 | sort -u)" = '*'
expect 0 out 'of 6 assignments|of [0-9]+ assignments' attack r.csv persons.csv --identifier name "${job[@]}" --minimality
expect 0 out '' attack r.csv persons.csv --identifier name "${job[@]}" --minimality --json
truth "only towns in which both have HIV force the merger" test \
    "$(jq -c '[.minimality.possible, ([.minimality.persons[] | select(.value == "HIV").posterior] | unique)]' out)" = '[2,[0.5]]'
# In the larger town no disease is frequent enough: only the five of the other can have forced it.
{
    echo name,town,disease
    for name in Ann Bob Cyd Dan Eve; do echo "$name,Aden,HIV"; done
    for name in Fay Gus Hal; do echo "$name,Bonn,flu"; done
    for name in Ida Jim Kim; do echo "$name,Bonn,cold"; done
} >five.csv
cut -d, -f1,2 five.csv >persons.csv
expect 0 out '' anonymize five.csv "${job[@]}" --identifier name -o r.csv --result r.json --quiet
expect 0 out 'learnt of 5 persons' attack r.csv persons.csv --against r.json --identifier name --minimality
expect 0 out '' attack r.csv persons.csv --against r.json --identifier name --minimality --json
truth "five of a town have HIV for certain" test \
    "$(jq -c '[.minimality.persons[] | select(.posterior == 1 and .value == "HIV").person]' out)" = \
    '["Ann","Bob","Cyd","Dan","Eve"]'
truth "where the class alone says 5 of 11" test \
    "$(jq -c '.minimality.persons[0] | [.naive > 0.454, .naive < 0.455, .beyond]' out)" = '[true,true,true]'

# ---- What is refused -------------------------------------------------------------------------------------
expect 2 err 'only with --minimality' attack r.csv persons.csv --identifier name --qi town -k 2
expect 2 err 'no model' attack r.csv persons.csv --identifier name --qi town --sensitive disease --minimality
expect 2 err 'sensitive' attack r.csv persons.csv --identifier name --qi town -k 2 --minimality
head -n 4 persons.csv >few.csv
expect 2 err '11 rows, and the external table 3' attack r.csv few.csv --identifier name "${job[@]}" --minimality
{ echo town,disease; for i in $(seq 1 60); do echo "t$((i % 20)),d$((i % 7))"; done; } >large.csv
expect 0 out '' anonymize large.csv --qi town --hierarchy town=suppress --sensitive disease -k 4 -o l.csv --quiet
expect 2 err 'more than 20000 assignments' attack l.csv large.csv --qi town --hierarchy town=suppress \
    --sensitive disease -k 4 --minimality
{ echo town,disease; for i in $(seq 1 11); do echo "*,d$i"; done; } >other.csv
expect 0 out 'no assignment' attack other.csv persons.csv --against r.json --identifier name --minimality

if found=$(python3 "$SOURCE/tests/cli/minimality.py" "$MINGLE_RELEASE" 25 1 2>&1); then
    ok "$(tail -n 1 <<<"$found")"
else
    not_ok "the attack finds what brute force finds" "$found"
fi
finish
