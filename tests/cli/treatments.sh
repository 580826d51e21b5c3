#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Treatments of columns that are no quasi-identifier: what they make of values, what is promised and
# verified about them, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "treated cells are what the definitions make of the table" \
    python3 "$SOURCE/tests/cli/treatments.py" "$MINGLE" 5 25

cat >in.csv <<'END'
id,age,sex,income,name,day
1,20,f,1234,Ann,2020-01-31
2,20,f,45,Bob,2020-02-01
3,30,m,99999,Cyd,1999-12-31
4,30,m,,Dan,
END
printf 'sixteen bytes and more\n' >key && chmod 600 key
order=(anonymize in.csv --qi age,sex -k 2 --rest insensitive --keep-order --allow-leaks -o out.csv)

# Values that stay, become bounds, or are missing; treated columns need no role; drop leaves out.
expect 0 out 'treated +income bottom\(100\),top\(5000\) \(3 values, 3 before\)' "${order[@]}" \
    --treat 'income=bottom(100),top(5000)' --treat id=drop --treat 'name=mask(right,2)' \
    --result result.json
truth "bounds, masks and missing cells" test "$(cut -d, -f3,4 out.csv | tail -n +2 | tr '\n' ' ')" = \
    '1234,A** 100,B** 5000,C** ,D** '
truth "a dropped column is not there" test "$(head -1 out.csv)" = age,sex,income,name,day
expect 0 out '' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells what was treated" grep -q 'What was treated' report.html
expect 0 out '^  round\(N\)' help treatments
expect 0 out '\(treatment\)' help quantiles

# Models, and what is counted, see treated values.
expect 1 err 'p-sensitive|distinct|p ' "${order[@]}" --sensitive name --p-sensitive 2 \
    --treat 'name=constant(x)'
expect 0 out '' "${order[@]}" --sensitive name --p-sensitive 2

# What is refused, with the place and what to do.
expect 2 err "column 'age' is a quasi-identifier" "${order[@]}" --treat 'age=round(10)'
expect 2 err 'there is no column "who"' "${order[@]}" --treat 'who=round(10)'
expect 2 err "there is no 'rond'; did you mean round" "${order[@]}" --treat 'income=rond(10)'
expect 2 err 'multiples are of a number above 0' "${order[@]}" --treat 'income=round(0)'
expect 2 err "the closing '\)' is missing" "${order[@]}" --treat 'income=round(10'
expect 2 err 'it takes no arguments; write lower' "${order[@]}" --treat 'name=lower(x)'
expect 2 err 'contradict each other: after top\(85\) not every value is a multiple' "${order[@]}" \
    --treat 'income=round(10),top(85)'
expect 2 err 'contradict each other' "${order[@]}" --treat 'name=lower,upper'
expect 2 err 'twice; give it once' "${order[@]}" --treat 'income=top(5),top(6)'
expect 2 err 'drop beside others' "${order[@]}" --treat 'income=drop,top(6)'
expect 2 err "column 'id' is an identifier" "${order[@]}" --identifier id --treat 'id=round(10)'
expect 2 err 'drop leaves it out; give it no role' "${order[@]}" --sensitive name --treat name=drop
expect 3 err "in.csv:2: column 'name', round\(10\): the value 'Aaa' is no number" "${order[@]}" \
    --treat 'name=round(10)'
expect 3 err "in.csv:2: column 'name', date\(year\): the value 'Aaa' is no date" "${order[@]}" \
    --treat 'name=date(year)'
printf 'p,sex,d\n1,f,01/02/2020\n2,f,03/04/2020\n' >slashes.csv
slashes=(anonymize slashes.csv --qi sex -k 2 --allow-leaks --keep-order -o s.csv)
expect 3 err 'say the order in front, as in dmy;' "${slashes[@]}" --treat 'd=date(month)' --treat p=drop
expect 0 out 'date\(dmy; month\)' "${slashes[@]}" --treat 'd=date(dmy; month)' --treat p=drop
truth "days come first where the job says so" grep -qx 'f,2020-02' s.csv
expect 3 err 'say the order in front' "${slashes[@]}" --treat 'd=shift(9)' --entity p --key key
expect 0 out '' "${slashes[@]}" --treat 'd=shift(mdy; 9)' --entity p --key key
expect 2 err 'treats each person apart; give --entity COLUMN' "${slashes[@]}" --treat 'd=shift(9)' --key key \
    --treat p=drop

# Keys: none, too short, open to others, not there; never written down.
expect 2 err 'needs a secret; give --key FILE' "${order[@]}" --treat id=pseudonym
printf 'short\n' >short && chmod 600 short
expect 2 err 'fewer than 16 bytes' "${order[@]}" --treat id=pseudonym --key short
cp key open && chmod 644 open
expect 2 err 'others may read' "${order[@]}" --treat id=pseudonym --key open
expect 3 err 'key is not there' "${order[@]}" --treat id=pseudonym --key nowhere
expect 3 err 'not in the environment' "${order[@]}" --treat id=pseudonym --key env:MINGLE_NO_KEY
expect 0 out '' "${order[@]}" --treat id=pseudonym --key key --result result.json --save-recoding \
    r.rec --report report.html --save-job job.yaml --verbose
truth "the key is written nowhere" test -z "$(grep -l 'sixteen bytes' out.csv result.json r.rec \
    report.html job.yaml out err)"
cp out.csv file.csv
MINGLE_KEY='sixteen bytes and more' expect 0 out '' "${order[@]}" --treat id=pseudonym \
    --key env:MINGLE_KEY
truth "a key from the environment names alike" cmp out.csv file.csv
printf 'another key of some bytes\n' >other && chmod 600 other
expect 0 out '' "${order[@]}" --treat id=pseudonym --key other
truth "another key gives other names" test -z "$(cut -d, -f1 file.csv | tail -n +2 |
    grep -xF -f - <(cut -d, -f1 out.csv))"
expect 2 err 'needs a secret' apply r.rec in.csv -o again.csv --keep-order --allow-leaks
expect 0 out '' apply r.rec in.csv -o again.csv --keep-order --allow-leaks --key key
truth "applied again with its key, the names are the same" cmp again.csv file.csv

# Pseudonyms that collide: exit 1, and a length that does not is named.
{ echo id,a; for i in $(seq 400); do echo "$i,$((i % 2))"; done; } >many.csv
many=(anonymize many.csv --qi a -k 2 --allow-leaks --key key)
expect 1 err 'write pseudonym\(digits,[5-9]\)' "${many[@]}" --treat 'id=pseudonym(digits,4)' -o o.csv
length=$(grep -o 'digits,[5-9])' err | tr -dc 0-9)
expect 0 out '' "${many[@]}" --treat "id=pseudonym(digits,$length)" -o o.csv

# The guard knows: a name that a key made is no identifier, though the column is called like one.
sed 's/^id,/ssn,/' in.csv >ssn.csv
guarded=(anonymize ssn.csv --qi age,sex -k 2 --treat name=drop --treat day=drop --treat income=drop
    -o g.csv)
expect 1 err 'called like' "${guarded[@]}" --insensitive ssn
expect 0 out '' "${guarded[@]}" --treat ssn=pseudonym --key key

# Top and bottom coding as levels of a hierarchy.
expect 0 out '' hierarchy build in.csv --hierarchy 'age=top(30,25)' -o top.csv
truth "a level for each bound, then the top" test "$(tr '\n' ' ' <top.csv)" = \
    '20;20;20;* 30;>=30;>=25;* '
expect 0 out '' hierarchy build in.csv --hierarchy 'age=bottom(20)' -o bottom.csv
truth "what is larger stays itself" test "$(tr '\n' ' ' <bottom.csv)" = '20;<=20;* 30;30;* '
expect 2 err 'write the largest one first' hierarchy show in.csv --hierarchy 'age=top(20,30)'
expect 0 out '' anonymize in.csv --qi age,sex --rest insensitive --hierarchy 'age=bottom(30)' \
    --hierarchy sex=suppress -k 4 --method mingen --keep-order --allow-leaks -o out.csv
truth "what lies below is one value" grep -q '^1,<=30,' out.csv

# A job file, with paths relative to it.
mkdir -p sub && cp key sub/key && cat >sub/job.yaml <<'END'
data: ../in.csv
attributes:
  age: {role: quasi}
  sex: {role: quasi}
  income: {treat: "round(1000)"}
  id: {treat: pseudonym}
rest: insensitive
privacy: [{k-anonymity: 2}]
key: key
allow-leaks: true
END
expect 0 out '' anonymize sub/job.yaml -o out.csv
finish
