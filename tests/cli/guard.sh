#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# The leak guard: tables that leak in one way each are refused, clean ones are not.
. "$SOURCE/tests/cli/support.bash"

# 200 persons; each further column leaks in its own way, or not at all.
awk 'BEGIN { srand(3)
    print "nr,zip,age,sex,disease,town,code,contact,notes,score,ward,call,tax,bank,host"
    split("flu cold asthma ulcer", illness, " ")
    split("DE89370400440532013000 GB29NWBK60161331926819 NL91ABNA0417164300 BE68539007547034",
        iban, " ")
    for (i = 1; i <= 200; i++) {
        zip = 2130 + int(rand() * 10); d = illness[1 + int(rand() * 4)]
        age = 20 + int(rand() * 50); n = int(rand() * 900) + 100
        printf "%d,0%d,%d,%s,%s,Town%d,p%06d,user%d@mail.example.org,", i, zip, age,
            rand() < 0.5 ? "f" : "m", d, zip % 10, rand() * 1e6, i
        printf "seen in 0%d with %s,%.2f,%s,", zip, d, rand() * 100, rand() < 0.5 ? "east" : "west"
        printf "+49 30 %d-%d,%03d-%02d-%04d,%s,10.1.%d.%d\n", n, n + 7, n,
            n % 90 + 10, n * 7, iban[1 + i % 4], n % 250, i % 250
    } }' >leaky.csv
columns='nr town code contact notes score ward call tax bank host'
roles=(--qi zip,age,sex --sensitive disease --hierarchy 'zip=mask(right)'
    --hierarchy 'age=intervals(5,10,20)' -k 5 --method mingen --suppress 10%)

# leaks COLUMN CODE WORDS: releasing this column is refused for this reason alone.
leaks() {
    local column=$1 code=$2 words=$3 others
    others=$(tr ' ' '\n' <<<"$columns" | grep -vx "$column" | paste -sd, -)
    rm -f release.csv
    expect 1 err "column \"$column\".*$words" anonymize leaky.csv "${roles[@]}" \
        --insensitive "$column" --identifier "$others" -o release.csv
    truth "$column: nothing is written" test ! -e release.csv
    truth "$column: one objection" test "$(grep -c '^  column' err)" -eq 1
    expect 0 out "\"$code\"" anonymize leaky.csv "${roles[@]}" --insensitive "$column" \
        --identifier "$others" -o release.csv --allow-leaks --json
    truth "$column: the result tells of the leak" python3 -c '
import json, sys
d = json.load(open("out"))
assert {x["column"] for x in d["leaks"]} == {sys.argv[1]}
assert d["guard"]["accepted"] == [sys.argv[1]]
assert "leak-allowed" in [w["code"] for w in d["warnings"]]' "$column"
}
leaks nr row-number 'counts the rows'
leaks town recovers-column 'gives back the value of "zip" in 200 rows; with it [0-9]+ rows'
leaks code near-unique-column 'value that no other row'
leaks contact identifier-shape 'an e-mail address'
leaks call identifier-shape 'a telephone number'
leaks tax identifier-shape 'a social security number'
leaks bank identifier-shape 'an account number'
leaks host identifier-shape 'an IP address'
expect 1 err 'column "notes".*repeats in 200 rows the value of "zip"' anonymize leaky.csv \
    "${roles[@]}" --insensitive notes --rest drop -o release.csv
expect 1 err 'column "score" has a value that no other row' anonymize leaky.csv "${roles[@]}" \
    --insensitive score,ward --rest drop -o release.csv
# A sensitive column may single rows out.
expect 0 out '^warning +column "score" has a value that no other row' anonymize leaky.csv \
    "${roles[@]}" --sensitive score --insensitive ward --rest drop -o release.csv
truth "amounts and wards are released" test "$(head -1 release.csv)" = zip,age,sex,disease,score,ward

# ---- What is accepted ---------------------------------------------------------------------------
many=(leaky.csv "${roles[@]}" --insensitive nr,town,code,contact,call,tax,bank,host --rest drop
    -o release.csv)
rm -f release.csv
expect 1 err '^  --allow-leaks COLUMN,... writes it all the same' anonymize "${many[@]}"
truth "one line for each column" test "$(grep -c '^  column' err)" -eq 8
truth "none is hidden" test "$(grep -c more err)" -eq 0
truth "what names persons comes first" test "$(grep -n '^  column' err | head -1 | cut -d'"' -f2)" != nr
expect 1 err '^  column "town"' anonymize "${many[@]}" --allow-leaks nr,code,contact,call,tax,bank,host
truth "what was accepted is not refused" test "$(grep -c '^  column' err)" -eq 1
truth "nothing is written" test ! -e release.csv
expect 0 out 'accepted: .*nr.*; the leak guard objects to these columns' anonymize "${many[@]}" \
    --allow-leaks nr,town,code,contact,call,tax,bank,host --report leaks.html
truth "the first line says what was accepted" grep -q '^leaks' <(head -1 out)
truth "the badge says so" grep -q 'badge bad.*the leak guard objects to' leaks.html
truth "the badge says nothing else" test "$(grep -c 'Every promise holds' leaks.html)" -eq 0
expect 2 err 'there is no column "nosuch"' anonymize "${many[@]}" --allow-leaks nosuch
expect 2 err 'there is no column "nosuch"' anonymize "${many[@]}" --allow-leaks=nr,nosuch
# The data may stand behind the option, which then accepts all.
expect 0 out '^leaks' anonymize --allow-leaks "${many[@]}"
expect 0 out '^leaks' anonymize "${many[@]}" --allow-leaks --threads 1
cat >accepted.yaml <<'END'
data: leaky.csv
qi: [zip, age, sex]
hierarchy: {zip: mask(right), age: "intervals(5,10,20)"}
sensitive: [disease]
insensitive: [nr, town]
rest: drop
k: 5
suppress: 10%
method: mingen
allow-leaks: [nr, town]
output: release.csv
END
expect 0 out '^leaks +accepted: nr, town' anonymize accepted.yaml
sed -i 's/^allow-leaks.*/allow-leaks: [nr]/' accepted.yaml
expect 1 err 'column "town"' anonymize accepted.yaml
sed -i 's/^allow-leaks.*/allow-leaks: true/' accepted.yaml
expect 0 out '^leaks +accepted: nr, town' anonymize accepted.yaml
sed -i 's/^allow-leaks.*/allow-leaks: false/' accepted.yaml
expect 1 err 'column "town"' anonymize accepted.yaml

# A column that splits classes without telling more is none.
expect 0 out '' anonymize leaky.csv "${roles[@]}" --insensitive ward --rest drop -o release.csv --quiet
# What is not generalized cannot be given back.
expect 0 out '' anonymize leaky.csv --qi sex --insensitive town --sensitive disease --rest drop \
    -k 5 -o release.csv --quiet

# By name: the values say nothing.
for name in Name e-mail patientID 'date of birth' SSN phone_number ZIP 'MRN'; do
    awk -v name="$name" 'BEGIN { srand(5); print "sex,disease," name
        for (i = 0; i < 60; i++) printf "%s,d%d,v%d\n", rand() < 0.5 ? "f" : "m", rand() * 3, rand() * 4 }' \
        >named.csv
    expect 1 err "column \"$name\" is called like" anonymize named.csv --qi sex \
        --sensitive disease --insensitive "$name" -k 5 -o release.csv
    expect 0 out '' anonymize named.csv --qi sex --sensitive disease --identifier "$name" -k 5 \
        -o release.csv --quiet
done
for name in 'hospital name' video planet zone stay validity tip; do
    awk -v name="$name" 'BEGIN { srand(5); print "sex,disease," name
        for (i = 0; i < 60; i++) printf "%s,d%d,v%d\n", rand() < 0.5 ? "f" : "m", rand() * 3, rand() * 4 }' \
        >named.csv
    expect 0 out '' anonymize named.csv --qi sex --sensitive disease --insensitive "$name" -k 5 \
        -o release.csv --quiet
done

# An existing release stays as it was.
echo old >release.csv
expect 1 err 'give persons away' anonymize leaky.csv "${roles[@]}" --insensitive nr --rest drop \
    -o release.csv
truth "the old release is untouched" test "$(cat release.csv)" = old

# No false alarm on real data.
adult=$SOURCE/../shared/data/adult
if [ -d "$adult" ]; then
    expect 0 out '' anonymize "$adult/adult.csv" --qi sex,age,race --rest insensitive -k 5 \
        --method mingen --suppress 5% -o release.csv --quiet
else
    echo "# no ../shared: Adult is not tried"
fi
finish
