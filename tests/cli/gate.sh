#!/bin/bash
# gate: one line for each test, exit codes, JUnit, and the hook that runs it on files.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table
cut -d, -f2,4 data.csv >plain.csv # names and postal codes would fail

expect 0 out '^pass  k-anonymity k=4: measured 4$' gate plain.csv --qi race -k 4
truth "every test is a line" test "$(grep -c '^pass  ' out)" -eq "$(wc -l <out)"
expect 1 out '^FAIL  k-anonymity k=2: 1 row in 1 class, measured 1$' gate plain.csv --qi race,disease -k 2
expect 0 out '^pass  max-risk' gate plain.csv --qi race --policy minimal --max-risk 0.5
expect 2 err 'nothing to test.*--policy' gate plain.csv --qi race
expect 2 err 'gate takes no --proof|unknown option|--proof' gate plain.csv --qi race -k 2 --proof x
expect 3 err 'cannot open' gate nowhere.csv --qi race -k 2
expect 2 err 'no column' gate plain.csv --qi nobody -k 2

# What is not to be released may be missing, and fails where it is there.
expect 0 out '^pass  no identifiers$' gate plain.csv --qi race -k 4 --identifier name
expect 1 out '^FAIL  no identifiers: disease: not to be released' gate plain.csv --qi race -k 4 --identifier disease
expect 1 out '^FAIL  no identifiers: disease' gate plain.csv --qi race -k 4 --rest drop

# Leaks: each column is a test of its own, and what is allowed is told.
python3 - <<'P'
import random
random.seed(1)
with open("leaky.csv", "w") as f:
    f.write('age,"a<b> & ""c""",mail,ill\n')
    for i in range(60):
        f.write(f'{20 + 10 * (i % 3)},{1000 + i},person{i}@example.org,{"flu" if i % 2 else "cold"}\n')
P
leaky=(leaky.csv --qi age --sensitive ill -k 20)
expect 1 out '^FAIL  no leaks of mail: .*e-mail' gate "${leaky[@]}"
truth "the column that counts rows fails, too" grep -q '^FAIL  no leaks of a<b>' out
truth "the model passes" grep -q '^pass  k-anonymity k=20: measured 20' out
expect 1 out '^FAIL  no leaks of a<b>' gate "${leaky[@]}" --allow-leaks mail
truth "what is allowed does not fail" test "$(grep -c '^FAIL' out)" -eq 1
truth "what is allowed is told" grep -q '^warning .*passed all the same: column "mail"' out
expect 0 out '^pass  no leaks' gate "${leaky[@]}" --allow-leaks

# A release passes with the job that made it, and with its result.
"$MINGLE" anonymize leaky.csv --qi age --sensitive ill --rest drop -k 20 -o release.csv \
    --result result.json --save-job job.yaml --quiet
expect 0 out '^pass  no identifiers$' gate job.yaml release.csv
expect 1 out '^FAIL  no identifiers' gate job.yaml leaky.csv
expect 0 out '^pass  agrees with its result' gate release.csv --against result.json

# A treated column needs no role to be released.
"$MINGLE" anonymize leaky.csv --qi age --sensitive ill --treat 'a<b> & "c"=constant(x)' \
    --rest drop -k 20 -o treated.csv --result treated.json --save-job treated.yaml --quiet
truth "the treated column is released" grep -q 'a<b>' treated.csv
expect 0 out '^pass  no identifiers$' gate treated.yaml treated.csv
expect 1 out '^FAIL  no identifiers: mail: ' gate treated.yaml leaky.csv
sed 's/flu/gout/' release.csv >forged.csv
expect 1 out '^FAIL  agrees with its result: differs: ' gate forged.csv --against result.json

# JUnit: well-formed, escaped, as many failures as lines, written whether tests pass or not.
expect 1 out '' gate "${leaky[@]}" --junit gate.xml --result gate.json --title 'A & B' --quiet
truth "--quiet prints nothing" test ! -s out
truth "JUnit has the tests" python3 - <<'P'
import json, xml.etree.ElementTree as tree
suite = tree.parse("gate.xml").getroot()[0]
tests = json.load(open("gate.json"))["tests"]
assert suite.get("name") == "A & B"
assert [c.get("name") for c in suite] == [t["test"] for t in tests]
assert [c.find("failure") is None for c in suite] == [t["holds"] for t in tests]
assert [c.find("failure").get("message") for c in suite if len(c)] == [
    t["found"] for t in tests if not t["holds"]
]
assert int(suite.get("failures")) == sum(not t["holds"] for t in tests) == 2
assert int(suite.get("tests")) == len(tests)
P
expect 0 out '' gate plain.csv --qi race -k 4 --junit passed.xml --quiet
truth "JUnit of what passes" grep -q 'failures="0"' passed.xml
truth "JUnit is for its owner" test "$(stat -c %a passed.xml)" = 600
expect 2 err '--junit' check plain.csv --qi race -k 4 --junit no.xml
cp plain.csv data.xml
expect 2 err '' gate data.xml --qi race -k 4 --junit data.xml
truth "the data is not overwritten" cmp -s plain.csv data.xml
expect 2 err 'junit' gate plain.csv --qi race -k 4 --junit gate.html
expect 0 out '"command": "gate"' gate plain.csv --qi race -k 4 --json
expect 0 out '' gate plain.csv --qi race -k 4 --report gate.html --quiet
truth "the report is of a gate" grep -q 'Privacy gate' gate.html

# The verdict on models is that of check.
for k in 2 4 5; do
    "$MINGLE" check plain.csv --qi race -k $k --quiet
    wanted=$?
    expect $wanted out '' gate plain.csv --qi race -k $k
done

# Files before a commit.
export MINGLE
"$SOURCE/scripts/gate-files" --qi race -k 4 -- plain.csv plain.csv >out 2>err
truth "gate-files passes" test $? -eq 0
"$SOURCE/scripts/gate-files" --qi race -k 5 -- plain.csv nowhere.csv >out 2>err
truth "gate-files has the highest exit code" test $? -eq 3
truth "gate-files looks at every file" test "$(grep -c '\.csv$' out)" -eq 2
cp plain.csv ./-k.csv
"$SOURCE/scripts/gate-files" --qi race -k 4 -- -k.csv >out 2>err
truth "a file that is called like an option is a file" test $? -eq 0
"$SOURCE/scripts/gate-files" --qi race plain.csv >out 2>err
truth "gate-files wants --" test $? -eq 2

# The hook of docs/gate.md, as it is written there but for its options: what is staged is tested.
command -v git >/dev/null || {
    echo '# skipped: git is not installed'
    finish
    exit
}
(
    git init -q repository && cd repository && git config user.email a@example.org && git config user.name a
    sed -n '/^    #!.bin.bash/,/gate-files/s/^    //p' "$SOURCE/docs/gate.md" |
        sed "s|PATH OF MINGLE|'$SOURCE'|; s|--qi birth,sex,zip --policy standard|--qi race -k 5|" >.git/hooks/pre-commit
    chmod +x .git/hooks/pre-commit
    yes x | sed '1s/.*/race/;6q' >"a table.csv" && git add . && git commit -qm good
) >out 2>err
truth "a file that passes can be committed" test $? -eq 0
(
    cd repository && printf 'race\nx\n' >"a table.csv" && git add . && yes x | sed '1s/.*/race/;6q' >"a table.csv"
    git commit -qm bad
) >out 2>err
truth "a file that fails cannot, whatever lies in the folder" test $? -ne 0
truth "the hook says which" grep -q 'a table.csv' err

# Treated columns are judged as anonymize judges them: pseudonyms are new names, but amounts that were rounded, or texts
# in small letters, can still single rows out.
drawn 'BEGIN { seed(3); print "age,paid,spent,who,key"
    for (i = 0; i < 300; i++) {
        text = ""; for (j = 0; j < 9; j++) text = text substr("abcdefghijklmnopqrstuvwxyz", 1 + int(uniform() * 26), 1)
        printf "%d,%.2f,%.2f,%s%d,%s\n", 20 + int(uniform() * 20), i * 30 + uniform(), uniform() * 100, text, i, text
    } }' >treated.csv
job='{"attributes": {"age": {"role": "quasi"}, "paid": {"role": "insensitive", "treat": "round(1)"},
    "spent": {"role": "insensitive", "treat": "round(50)"}, "who": {"role": "insensitive", "treat": "upper"},
    "key": {"role": "insensitive", "treat": "pseudonym(hex,32)"}}, "k": 2, "data": "%s"}'
printf 'a secret of 16 bytes or more\n' >secret && chmod 600 secret
# shellcheck disable=SC2059 # a format
printf "$job" treated.csv >treated.yaml
# shellcheck disable=SC2059
printf "$job" made.csv >made.yaml
expect 1 err 'column "paid" has a value that no other row has' anonymize treated.yaml --key secret -o made.csv
truth "so do letters" grep -q 'column "who" has a value' err
truth "nothing is said of pseudonyms" test "$(grep -c '"key"\|"spent"' err)" = 0
expect 0 out '' anonymize treated.yaml --key secret -o made.csv --allow-leaks --quiet
expect 1 out 'FAIL +no leaks of paid: column "paid" has a value that no other row has' gate made.yaml
truth "gate: so do letters" grep -q 'no leaks of who' out
truth "gate: nothing is said of pseudonyms" test "$(grep -c 'leaks of key\|leaks of spent' out)" = 0
expect 0 out 'pass +no leaks' gate made.yaml --allow-leaks paid,who

# A column that is treated by drop may be missing, as any that is not released, also if its leaks are accepted.
"$MINGLE" anonymize leaky.csv --qi age --sensitive ill --treat mail=drop --treat 'a<b> & "c"=constant(x)' -k 20 -o without.csv \
    --result without.json --save-job without.yaml --quiet
truth "the column is dropped" test "$(head -1 without.csv | grep -c mail)" = 0
expect 0 out '^pass  no identifiers$' gate without.yaml without.csv
expect 0 out '^pass  no identifiers$' gate without.yaml without.csv --allow-leaks mail
expect 0 out '^pass  agrees with its result$' gate without.csv --against without.json
expect 1 out '^FAIL  no identifiers: mail: ' gate without.yaml leaky.csv
expect 2 err 'no column "mial"' gate without.yaml without.csv --allow-leaks mial

# The leaks that the job of a result accepted are accepted, and its treated columns judged as such.
"$MINGLE" anonymize leaky.csv --qi age --sensitive ill --insensitive mail --rest drop -k 20 -o open.csv \
    --allow-leaks mail,'a<b> & "c"' --result open.json --save-job open.yaml --quiet
expect 0 out '^warning .*passed all the same: column "mail"' gate open.yaml open.csv
expect 0 out '^warning .*passed all the same: column "mail"' gate open.csv --against open.json
expect 1 out '^FAIL  no leaks of mail' gate open.csv --against open.json --allow-leaks ill
"$MINGLE" anonymize treated.yaml --key secret -o made.csv --allow-leaks paid,who --result made.json --quiet
expect 0 out '^pass  no leaks: ' gate made.csv --against made.json
truth "but for those that the job accepted" test "$(grep -c 'passed all the same' out)" = 2
finish
