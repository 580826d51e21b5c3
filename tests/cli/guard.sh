#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# The leak guard: tables that leak in one way each are refused, clean ones are not.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# 200 persons; each further column leaks in its own way, or not at all.
drawn 'BEGIN { seed(3)
    print "nr,zip,age,sex,disease,town,code,contact,notes,score,ward,call,tax,bank,host"
    split("flu cold asthma ulcer", illness, " ")
    split("DE89370400440532013000 GB29NWBK60161331926819 NL91ABNA0417164300 BE68539007547034",
        iban, " ")
    for (i = 1; i <= 200; i++) {
        zip = 2130 + int(uniform() * 10); d = illness[1 + int(uniform() * 4)]
        age = 20 + int(uniform() * 50); n = int(uniform() * 900) + 100
        printf "%d,0%d,%d,%s,%s,Town%d,p%06d,user%d@mail.example.org,", i, zip, age,
            uniform() < 0.5 ? "f" : "m", d, zip % 10, uniform() * 1e6, i
        printf "seen in 0%d with %s,%.2f,%s,", zip, d, uniform() * 100, uniform() < 0.5 ? "east" : "west"
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
# A suppressed row, one of twenty at most, may be the only one of its town that is.
leaks town recovers-column 'gives back the value of "zip" in (1[89][0-9]|200) of the 200 rows .*; with that [0-9]+ rows .* break k-anonymity'
leaks code near-unique-column 'value that no other row'
leaks contact identifier-shape 'an e-mail address'
leaks call identifier-shape 'a telephone number'
leaks tax identifier-shape 'a social security number'
leaks bank identifier-shape 'an account number'
leaks host identifier-shape 'an IP address'
expect 1 err 'column "notes" repeats the value of "zip" in 200 of the 200 rows' anonymize leaky.csv \
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
truth "all objections are listed" test "$(grep -c more err)" -eq 0
truth "what names persons comes first" test "$(grep -n '^  column' err | head -1 | cut -d'"' -f2)" != nr
expect 1 err '^  column "town"' anonymize "${many[@]}" --allow-leaks nr,code,contact,call,tax,bank,host
truth "what was accepted is not refused" test "$(grep -c '^  column' err)" -eq 1
truth "a release with an objection is not written" test ! -e release.csv
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
    drawn -v name="$name" 'BEGIN { seed(5); print "sex,disease," name
        for (i = 0; i < 60; i++) printf "%s,d%d,v%d\n", uniform() < 0.5 ? "f" : "m", uniform() * 3, uniform() * 4 }' \
        >named.csv
    expect 1 err "column \"$name\" is called like" anonymize named.csv --qi sex \
        --sensitive disease --insensitive "$name" -k 5 -o release.csv
    expect 0 out '' anonymize named.csv --qi sex --sensitive disease --identifier "$name" -k 5 \
        -o release.csv --quiet
done
for name in 'hospital name' video planet zone stay validity tip; do
    drawn -v name="$name" 'BEGIN { seed(5); print "sex,disease," name
        for (i = 0; i < 60; i++) printf "%s,d%d,v%d\n", uniform() < 0.5 ? "f" : "m", uniform() * 3, uniform() * 4 }' \
        >named.csv
    expect 0 out '' anonymize named.csv --qi sex --sensitive disease --insensitive "$name" -k 5 \
        -o release.csv --quiet
done

# An existing release stays as it was.
echo old >release.csv
expect 1 err 'give persons away' anonymize leaky.csv "${roles[@]}" --insensitive nr --rest drop \
    -o release.csv
truth "the old release is untouched" test "$(cat release.csv)" = old

# ---- Chance, and what is more than that -------------------------------------------------------
# Two rows that agree are a coincidence, and so is a column that is nearly one value.
drawn 'BEGIN { seed(7); print "grade,group,flag,disease"
    for (i = 0; i < 400; i++) printf "%c%d,g%d,%s,d%d\n", 65 + int(uniform() * 3), uniform() * 5,
        uniform() * 160, uniform() < 0.97 ? "no" : "yes", uniform() * 3 }' >chance.csv
grades=(--qi grade --hierarchy 'grade=mask(right,1)' --level grade=1..1 -k 5 --method mingen)
expect 0 out '' anonymize chance.csv "${grades[@]}" --rest insensitive -o release.csv \
    --result chance.json --quiet
truth "chance is not told" python3 -c '
import json
guard = json.load(open("chance.json"))["guard"]
assert [c["found"] for c in guard["columns"]] == [[], [], []], guard
assert all(c["looked_at"] for c in guard["columns"]) and guard["accepted"] == []'

# A copy whose values have fewer rows than k, or than five, is found as well.
drawn 'BEGIN { seed(9); print "grade,copy"
    for (i = 0; i < 600; i++) { g = int(uniform() * 240); printf "%c%03d,x%d\n", 65 + g % 3, g, g } }' \
    >copies.csv
expect 1 err 'column "copy" gives back the value of "grade"' anonymize copies.csv --qi grade \
    --hierarchy 'grade=mask(right,3)' --level grade=3..3 -k 60 --method mingen --insensitive copy \
    -o release.csv

# What is given back is only told where no class breaks, and refused where another model does: each
# ward has one sex, and few illnesses.
drawn 'BEGIN { seed(4); print "sex,ward,illness"
    for (i = 0; i < 600; i++) { s = uniform() < 0.5; w = int(uniform() * 3) * 2 + s
        printf "%s,w%d,i%d\n", s ? "f" : "m", w, s ? uniform() * 6 : 6 } }' >wards.csv
wards=(--qi sex --hierarchy sex=suppress --level sex=1..1 --method mingen --insensitive ward
    --sensitive illness --quiet -o release.csv)
expect 0 out '' anonymize wards.csv "${wards[@]}" -k 5 --result wards.json
truth "the result tells what the guard said" python3 -c '
import json
d = json.load(open("wards.json"))
assert [(w["code"], w["column"]) for w in d["guard"]["warnings"] if w["column"] == "ward"] == [
    ("recovers-column", "ward")], d["guard"]
assert d["guard"]["accepted"] == [] and d["leaks"] == []
assert "recovers-column" in [w["code"] for w in d["warnings"]]'
expect 1 err 'column "ward" gives back .* break l-diversity' anonymize wards.csv "${wards[@]}" -k 5 \
    --l-diversity illness=2

# Rows of one person agree in what belongs to the person: that tells of nobody else.
drawn 'BEGIN { seed(6); print "person,grade,height,visit"
    for (i = 0; i < 120; i++) { g = int(uniform() * 15); h = 1400 + i * 5
        for (v = 1; v <= 6; v++)
            printf "p%d,%c%d,%d,%d\n", i, 65 + g / 5, g % 5, h, v } }' >visits.csv
expect 0 out '' anonymize visits.csv "${grades[@]}" --entity person --insensitive height,visit \
    -o release.csv --result visits.json --quiet
truth "a person's rows are no evidence" python3 -c '
import json
guard = json.load(open("visits.json"))["guard"]
assert {c["column"]: c["found"] for c in guard["columns"]} == {
    "height": ["passed-through"], "visit": ["passed-through"]}, guard'

# Of a large release only a sample is watched, and what it makes suspect is read once more: a town
# for each ZIP code, houses with six rows each, and a date that tells nothing.
drawn 'BEGIN { seed(8); print "zip,sex,town,house,day,disease"
    for (i = 0; i < 40000; i++) { z = int(uniform() * 300); h = z * 22 + int(uniform() * 22)
        printf "%05d,%s,t%d,h%x,2020-%02d-%02d,d%d\n", 20000 + z, uniform() < 0.5 ? "f" : "m",
            z * 7 % 300, h * 7919 % 1000003, 1 + uniform() * 12, 1 + uniform() * 28, uniform() * 9 } }' >large.csv
large=(large.csv --qi zip,sex --hierarchy 'zip=mask(right,3)' --level zip=1..1 -k 400 --method mingen
    --sensitive disease --insensitive town,house,day -o release.csv)
for memory in 1G 1M; do
    expect 1 err 'column "town" gives back the value of "zip" in 40000 of the 40000 rows' \
        anonymize "${large[@]}" --suppress 50% --memory $memory
    truth "$memory: a column of houses gives back zip codes" grep -q 'column "house" gives back the value of "zip" in [34][0-9]* of' err
    truth "$memory: days do not" test "$(grep -c '^  column' err)" -eq 2
done

# ---- Tables in which nothing was put to be found --------------------------------------------------
standin=$SOURCE/tests/standin/data
survey=("$standin/sdcmicro/survey.csv" --qi urbrur,sex,relat --rest drop -k 5 --method mingen
    --suppress 2% -o release.csv)
expect 1 err 'column "savings" has a value that no other row' anonymize "${survey[@]}" \
    --insensitive savings
truth "savings of the stand-in: that is all" test "$(grep -c 'gives back' err)" -eq 0
expect 0 out '^warning +column "savings" has a value that no other row' anonymize "${survey[@]}" \
    --sensitive savings
expect 0 out '' anonymize "${survey[@]}" --insensitive electcon --result survey.json
truth "no coincidences" python3 -c '
import json
found = {c["column"]: c["found"] for c in json.load(open("survey.json"))["guard"]["columns"]}
assert not sum(found.values(), []), found'

# ---- Real data --------------------------------------------------------------------------------
shared=${SHARED:-$SOURCE/../shared}/data
if [ -d "$shared" ]; then
    hierarchies=()
    for column in age sex race education; do
        hierarchies+=(--hierarchy "$column=$shared/adult/adult_hierarchy_$column.csv")
    done
    two=(-k 5 --method mingen --suppress 2% -o release.csv)
    expect 0 out '^warning +column "occupation" gives back the value of "sex" in 68 of the 596 rows .*every class still holds' \
        anonymize "$shared/adult/adult.csv" --qi age,sex,race,education "${hierarchies[@]}" \
        --insensitive occupation --rest drop "${two[@]}"
    expect 0 out '' anonymize "$shared/adult/adult.csv" --qi sex,age,race --rest insensitive -k 5 \
        --insensitive education,marital-status,native-country,occupation,workclass \
        --method mingen --suppress 5% -o release.csv --quiet
    test=$shared/sdcmicro/testdata.csv
    all_or_nothing=()
    for column in urbrur roof walls water electcon relat sex; do
        all_or_nothing+=(--hierarchy "$column=suppress")
    done
    expect 1 err 'column "age" gives back the value of "relat" in 1795 of the 4580 rows .* 91 rows .* break k-anonymity' \
        anonymize "$test" --qi urbrur,roof,walls,water,electcon,relat,sex "${all_or_nothing[@]}" \
        --insensitive age --rest drop "${two[@]}"
    keys=(--qi urbrur,roof,walls,water,electcon,relat,sex,age "${all_or_nothing[@]}" --rest drop)
    expect 1 err 'column "savings" has a value that no other row' anonymize "$test" "${keys[@]}" \
        --insensitive savings "${two[@]}"
    truth "savings: that is all" test "$(grep -c 'gives back' err)" -eq 0
    expect 0 out '^warning +column "savings" has a value that no other row' anonymize "$test" \
        "${keys[@]}" --sensitive savings "${two[@]}"
    truth "savings: that is all, as well" test "$(grep -c 'gives back' out)" -eq 0
    expect 0 out '' anonymize "$shared/sdcmicro/free1.csv" --qi REGION,SEX,AGE,MARSTAT \
        --sensitive INCOME,MONEY,ASSETS,DEBTS --rest insensitive "${two[@]}" --result free1.json
    truth "free1: no column is blamed for coincidences" python3 -c '
import json
guard = json.load(open("free1.json"))["guard"]
alone = [w["code"] for w in guard["warnings"] if "with" not in w]
assert set(alone) <= {"near-unique-column"}, guard'
else
    echo "# no ../shared: Adult and the data of sdcMicro are not tried"
fi

# ---- Two columns together -----------------------------------------------------------------------
# The last digit of the ZIP code is x + y modulo ten: neither column gives it back alone.
python3 - <<'END'
import random
draw = random.Random(5)
with open("two.csv", "w") as file:
    file.write("zip,sex,x,y,z,disease\n")
    for _ in range(1000):
        digit, x = draw.randrange(10), draw.randrange(10)
        file.write(f"0213{digit},{draw.choice('fm')},{x},{(digit - x) % 10},{draw.randrange(10)},"
                   f"d{draw.randrange(4)}\n")
with open("wide.csv", "w") as file:
    names = [f"c{i}" for i in range(33)]
    file.write("zip," + ",".join(names) + "\n")
    for _ in range(400):
        file.write(f"0213{draw.randrange(10)}," + ",".join(draw.choice("ab") for _ in names) + "\n")
with open("few.csv", "w") as file:
    file.write("zip,sex,mark\n")
    for i in range(1000):
        zip, mark = (f"021{draw.randrange(100):02d}", "no") if i >= 19 else ("02139", "yes")
        file.write(f"{zip},{draw.choice('fm')},{mark}\n")
END
two=(two.csv --qi zip,sex --sensitive disease --hierarchy 'zip=mask(right)' --level zip=1..2 -k 60
    --method mingen -o release.csv)
rm -f release.csv
expect 1 err 'columns "x" and "y" together give back the value of "zip" in (9|10)[0-9]+ of the 1000 rows .*; with that [0-9]+ rows .* break k-anonymity' \
    anonymize "${two[@]}" --insensitive x,y --rest drop
truth "two columns: nothing is written" test ! -e release.csv
truth "two columns: one objection" test "$(grep -c '^  column' err)" -eq 1
expect 1 err 'columns "x" and "y" together' anonymize "${two[@]}" --rest insensitive
truth "the third column is not blamed" test "$(grep -c '"z"' err)" -eq 0
expect 1 err 'columns "x" and "y" together' anonymize "${two[@]}" --insensitive x,y --rest drop \
    --allow-leaks x
expect 1 err 'columns "x" and "disease" together' anonymize <(sed '1s/y,z,disease/disease,z,y/' two.csv) \
    "${two[@]:1}" --insensitive x --rest drop
expect 0 out '^leaks +accepted: x, y' anonymize "${two[@]}" --insensitive x,y --rest drop \
    --allow-leaks x,y --result two.json
truth "the result names both" python3 -c '
import json
d = json.load(open("two.json"))
assert [(x["column"], x["with"]) for x in d["leaks"]] == [("x", "y")], d["leaks"]
assert d["guard"]["accepted"] == ["x", "y"] and d["guard"]["pairs"]["not_tested"] == []
assert d["guard"]["pairs"]["tested"] == 3'
expect 0 out 'agrees' check release.csv --against two.json
expect 0 out '' anonymize "${two[@]}" --insensitive x,z --rest drop --quiet
expect 0 out '' anonymize "${two[@]}" --insensitive y,z --rest drop --quiet
# With persons, a stratum, a treatment and a column that follows it is found as well.
expect 1 err 'columns "x" and "y" together' anonymize two.csv --qi zip --by sex --sensitive disease \
    --hierarchy 'zip=mask(right)' --level zip=1..2 -k 60 --method mingen -o release.csv --insensitive x,y \
    --rest drop
expect 1 err 'columns "x" and "y" together' anonymize "${two[@]}" --insensitive x,y --rest drop \
    --treat 'y=trim'
awk 'NR == 1 { print "id," $0 } NR > 1 { print int(NR / 2) "," $0 }' two.csv >persons.csv
expect 1 err 'columns "x" and "y" together' anonymize persons.csv "${two[@]:1}" --insensitive x,y \
    --rest drop --entity id
# Of more than 30 columns those that were not tested are named.
expect 0 out '^warning +whether two columns give generalized ones back together was not tested for: c30 with any other, c31 with any other, c32 with any other' \
    anonymize wide.csv --qi zip --hierarchy 'zip=mask(right)' --level zip=1..2 -k 20 --rest insensitive \
    --method mingen -o release.csv --result wide.json
truth "435 pairs of 30 columns were tested" python3 -c '
import json
pairs = json.load(open("wide.json"))["guard"]["pairs"]
assert pairs["tested"] == 435, pairs
assert [p["columns"] for p in pairs["not_tested"]] == [["c30"], ["c31"], ["c32"]]'
# Fewer rows than make an objection are a warning if classes break.
expect 0 out '^warning +column "mark" gives back the value of "zip" in 19 of the 1000 rows .*; with that 19 rows are in classes that break k-anonymity' \
    anonymize few.csv --qi zip,sex --hierarchy 'zip=mask(right)' --level zip=2..3 -k 20 \
    --rest insensitive --method mingen -o release.csv
finish
