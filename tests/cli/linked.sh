#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Columns that follow quasi-identifiers: what becomes of them, what the verifier and the audit ask of
# them, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "columns that follow show what the definition makes of the table" \
    python3 "$SOURCE/tests/cli/linked.py" "$MINGLE" 7 30

rm -f out.csv
# Four towns of one county, one of another.
{
    echo zip,age,city,county,mood
    for i in $(seq 0 119); do
        echo "0213$((i % 4)),$((20 + i % 3)),Bay $((i % 4)),Bay,x"
        echo "1000$((i % 4)),$((20 + i % 3)),Town,River,y"
    done
} >in.csv
order=(anonymize in.csv --qi zip,age --rest insensitive --insensitive county --method mingen --keep-order
    --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(10)' --level zip=1 -o out.csv)

# The guard refuses what gives the ZIP code back; linked columns are generalized with it.
expect 1 err 'column "city" gives back the value of "zip"' "${order[@]}" -k 40
truth "nothing was written" test ! -e out.csv
expect 0 out 'linked +city follows zip \(120 cells generalized\)' "${order[@]}" -k 40 \
    --linked zip,city,county --result result.json
truth "what all rows have in common is left" test \
    "$(tail -n +2 out.csv | cut -d, -f1,3,4 | sort -u | tr '\n' ' ')" = \
    '0213*,*,Bay 1000*,Town,River '
expect 0 out 'unchanged +mood' "${order[@]}" -k 40 --linked zip,city,county
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells what follows" grep -q 'What follows other columns' report.html

# A file in which a column tells more than those it follows is not what the result promises.
sed '2s/,\*,Bay/,Bay 1,Bay/' out.csv >tampered.csv
expect 1 out 'linked.city: the result claims' check tampered.csv --against result.json

# A hierarchy of its own makes the column coarser step by step.
printf '%s\n' 'Bay 0,Bay town,*' 'Bay 1,Bay town,*' 'Bay 2,Bay town,*' 'Bay 3,Bay town,*' 'Town,Town,*' >city.csv
expect 0 out 'linked +city follows zip' "${order[@]}" -k 40 --linked zip,city --insensitive city \
    --hierarchy city=city.csv
truth "the lowest value above all of them" test "$(sed -n 2p out.csv | cut -d, -f1,3)" = \
    '0213*,Bay town'

# Those that the guard finds follow; what it does not object to stays.
expect 0 out 'linked +city follows the quasi-identifiers' "${order[@]}" -k 40 --follow \
    --result result.json
truth "only what gives back follows" grep -q '"found_by": "guard"' result.json
truth "other columns stay" test "$(sed -n 2p out.csv | cut -d, -f4,5)" = Bay,x
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out 'unchanged +city +county +mood' "${order[@]}" -k 2 --follow --insensitive city

# In a job file; a dry run tells what would follow.
cat >job.yaml <<'END'
data: in.csv
output: out.csv
attributes:
  zip: {role: quasi, hierarchy: mask(right)}
  age: {role: quasi, hierarchy: intervals(10)}
  county: {role: insensitive}
rest: insensitive
linked: [zip, city]
method: mingen
k: 2
END
expect 0 out 'linked +city follows zip' anonymize job.yaml
expect 0 out 'linked +city follows zip' anonymize job.yaml --dry-run

# What is refused, with what to do.
expect 2 err "column 'city' is linked to no quasi-identifier" "${order[@]}" -k 2 --linked city,county
expect 2 err "quasi-identifiers alone" "${order[@]}" -k 2 --linked zip,age
expect 2 err 'there is no column "who"' "${order[@]}" -k 2 --linked zip,who
expect 2 err "column 'city' is sensitive" "${order[@]}" -k 2 --linked zip,city --sensitive city
expect 2 err "column 'city' is not released" "${order[@]}" -k 2 --linked zip,city --identifier city
expect 2 err "column 'city' has a treatment as well" "${order[@]}" -k 2 --linked zip,city \
    --treat city=upper
expect 2 err 'does not belong to check' check in.csv --qi zip --linked zip,city
