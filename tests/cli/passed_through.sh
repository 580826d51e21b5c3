#!/bin/bash
# Columns that pass through: those that look like identifiers or quasi-identifiers are named or
# refused, and what they do together is counted. Treated columns that link rows ask for the entity.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

python3 - <<'END'
import random
draw = random.Random(11)
with open("in.csv", "w") as out:
    print("born,sex,zip,Wohnort,admitted,level,person,flat", file=out)
    for i in range(3000):
        day = f"{draw.randint(1940, 1999)}-{draw.randint(1, 12):02}-01"
        when = f"2024-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
        print(day, draw.choice("fm"), 10000 + draw.randint(0, 20), draw.choice(["Ulm", "Bonn"]), when,
              draw.randint(1, 4), 100000 + draw.randint(0, 700), i % 1000, sep=",", file=out)
END
job=(anonymize in.csv --qi sex,zip -k 5 --method mingen --keep-order --identifier person,flat -o out.csv)
named=("${job[@]}" --rest insensitive --insensitive born,Wohnort,admitted)

# ---- By --rest ----------------------------------------------------------------------------------
expect 2 err 'column "born" would be released as it is and looks like a quasi-identifier' \
    "${job[@]}" --rest insensitive
expect 2 err 'column "Wohnort".*--insensitive' "${job[@]}" --rest insensitive
expect 2 err 'accepts it by its name' "${job[@]}" --rest insensitive --insensitive born,admitted
truth "nothing was written" test ! -e out.csv
truth "a harmless column is not named" bash -c \
    "! '$MINGLE' ${job[*]} --rest insensitive 2>&1 | grep '\"level\"'"
expect 1 out 'FAIL +no leaks of born' gate in.csv --qi sex,zip -k 5
expect 0 out 'pass +no leaks' gate in.csv --qi sex,zip -k 5 --allow-leaks

# ---- By name ------------------------------------------------------------------------------------
expect 0 out 'warning +column "Wohnort" would be released as it is and looks like' "${named[@]}" \
    --result result.json --report report.html
expect 0 out 'risk +at most .* % for anyone who knows sex, zip,' "${named[@]}"
expect 0 out 'alone +[0-9,]+ of 3,000 rows for anyone who also knows born, Wohnort, admitted, level' \
    "${named[@]}"
expect 0 out 'leaks +accepted: Wohnort, admitted, born' "${job[@]}" --rest insensitive --allow-leaks
expect 0 out 'leaks +accepted' "${job[@]}" --rest insensitive --allow-leaks born,Wohnort,admitted
expect 2 err 'column "admitted"' "${job[@]}" --rest insensitive --allow-leaks born,Wohnort
truth "rows are alone as the release shows" python3 - result.json out.csv <<'END'
import collections, csv, json, sys
result = json.load(open(sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[2])))
known = result["alone"]["known"] + result["alone"]["besides"]
sizes = collections.Counter(tuple(row[c] for c in known) for row in rows)
assert known == ["sex", "zip", "born", "Wohnort", "admitted", "level"], known
assert result["alone"]["rows"] == sum(n == 1 for n in sizes.values()), result["alone"]
assert result["alone"]["of"] == len(rows) and result["risk"]["known"] == ["sex", "zip"]
END
truth "the report states both" grep -q 'for anyone who also knows born' report.html
expect 0 out 'agrees' check out.csv --against result.json
for change in 'd["alone"]["rows"] -= 7' 'd.pop("alone")' 'd["alone"]["besides"].pop()' \
    'd["risk"]["known"].pop()' 'd["alone"]["of"] += 1'; do
    python3 -c "import json; d = json.load(open('result.json')); $change; json.dump(d, open('false.json', 'w'))"
    expect 1 out 'result +differs|alone|risk.known' check out.csv --against false.json
done
# A person's rows that are equal are alone if no other person has them.
expect 0 out 'alone' anonymize in.csv --qi sex,zip -k 5 --method mingen --entity person \
    --identifier flat -o out.csv --rest insensitive --insensitive born,Wohnort,admitted \
    --result persons.json
expect 0 out 'agrees' check out.csv --against persons.json
# Most rows alone with their value: a name is not enough.
python3 -c '
rows = open("in.csv").read().split()
print(rows[0] + ",amount")
for i, row in enumerate(rows[1:]):
    print(f"{row},{i * 37 % 8117 + i / 4}")' >amounts.csv
expect 1 err 'column "amount" has a value that no other row has' anonymize amounts.csv "${job[@]:2}" \
    --rest drop --insensitive amount
expect 0 out 'leaks +accepted: amount' anonymize amounts.csv "${job[@]:2}" --rest drop \
    --insensitive amount --allow-leaks amount

# ---- Together with other options ----------------------------------------------------------------
refused='columns that the job does not name'
expect 2 err "$refused" "${job[@]}" --rest insensitive --where 'level > 1'
expect 2 err "$refused" "${job[@]}" --rest insensitive --by level
expect 2 err "$refused" "${job[@]}" --rest insensitive --suppressed drop --suppress 50%
expect 2 err "$refused" "${job[@]}" --rest insensitive --memory 20M
expect 0 out 'treated +born date' "${job[@]}" --rest insensitive --insensitive Wohnort,admitted \
    --treat 'born=date(year)'
expect 0 out 'alone' "${named[@]}" --where 'level > 1' --by level --result result.json
expect 0 out 'agrees' check out.csv --against result.json
expect 0 out '' "${named[@]}" --save-recoding earlier.rec --quiet
expect 0 out 'alone' "${named[@]}" --history earlier.rec
expect 0 out '' "${named[@]}" --linked zip,Wohnort

# ---- Columns that link rows ---------------------------------------------------------------------
printf 'a secret of 16 bytes or more\n' >secret && chmod 600 secret
linked=(anonymize in.csv --qi sex,zip -k 5 --method mingen --rest drop --key secret -o out.csv)
expect 2 err "column 'person' has values that repeat.*--entity person" "${linked[@]}" \
    --treat person=pseudonym
expect 2 err 'shows which rows belong together' "${linked[@]}" --treat flat=pseudonym
expect 0 out 'warning +column "flat" links rows' "${linked[@]}" --treat flat=pseudonym --allow-leaks flat
expect 2 err '--entity-view joined' "${linked[@]}" --treat person=pseudonym --entity person
expect 0 out 'joined' anonymize in.csv --qi sex -k 2 --method mingen --rest drop --key secret \
    -o out.csv --treat person=pseudonym --entity person --entity-view joined --suppressed drop \
    --suppress 100%
expect 2 err 'shows which rows belong together' "${linked[@]}" --entity person --treat flat=pseudonym
expect 2 err 'shows which rows belong together' "${linked[@]}" --treat person=pseudonym \
    --where 'level = 1'
# A view of other persons does not answer for rows that are linked beyond them.
awk -F, -v OFS=, 'NR == 1 { print $0, "visit" } NR > 1 { print $0, "v" NR }' in.csv >visits.csv
visits=(anonymize visits.csv "${linked[@]:2}" --entity visit)
for view in '--entity-view rows' '--entity-view joined --suppressed drop --suppress 100%'; do
    # shellcheck disable=SC2086 # words
    expect 2 err "column 'person' has values that repeat.*--entity person" "${visits[@]}" $view --treat person=pseudonym
    # shellcheck disable=SC2086
    expect 0 out 'warning +column "person" links rows' "${visits[@]}" $view --treat person=pseudonym --allow-leaks person
done
expect 0 out 'treated +visit pseudonym' anonymize visits.csv "${linked[@]:2}" --entity person --entity-view rows \
    --treat visit=pseudonym
expect 0 out 'treated +zone pseudonym' anonymize <(awk -F, -v OFS=, '{ print $0, NR == 1 ? "zone" : $7 % 7 }' in.csv) \
    "${linked[@]:2}" --entity person --entity-view rows --treat zone=pseudonym
# Neither does one value for all rows, nor a few years.
expect 0 out 'treated +person constant' "${linked[@]}" --treat 'person=constant(x)'
expect 0 out 'treated +born date' "${linked[@]}" --treat 'born=date(year)'
# A value for each row links nothing.
awk -F, -v OFS=, 'NR == 1 { print $0, "key" } NR > 1 { print $0, "k" NR }' in.csv >keys.csv
expect 0 out 'treated +key pseudonym' anonymize keys.csv "${linked[@]:2}" --treat key=pseudonym

# ---- Sensitive columns whose values are identifiers -----------------------------------------------
python3 - <<'END'
import random
draw = random.Random(5)
given, family = "Ida Uwe Jan Ole Pia Mia Tom Leo Eva Ute".split(), "Kurz Lang Beck Roth Haas Voss Ernst Seitz Adam Thiel".split()
codes = [f"{letter}{number:02}.{part}" for letter in "EFIJ" for number in range(9) for part in "019"]
with open("s.csv", "w") as out:
    print("age,sex,reading,finding,verdict", file=out)
    for i in range(150):
        person, name = f"{draw.randint(0, 10**7):07}", f"{draw.choice(given)} {draw.choice(family)} {draw.choice(family)}"
        for _ in range(draw.randint(4, 9)):
            print(draw.randint(20, 60), draw.choice("fm"), person, name, draw.choice(codes), sep=",", file=out)
END
for column in reading finding; do
    expect 0 out "warning +column \"$column\" would be released as it is and looks like an identifier" \
        anonymize s.csv --qi age,sex -k 5 --sensitive "$column" --rest drop -o out.csv --result result.json
    expect 0 out 'agrees' check out.csv --against result.json
done
truth "codes of diagnoses are sensitive values like others" bash -c \
    "! '$MINGLE' anonymize s.csv --qi age,sex -k 5 --sensitive verdict --rest drop -o out.csv | grep 'looks like'"
# Cells that read as missing are one value, in every format: SPSS has one for all of them.
printf 'sex,born\nf,NA\nf,\nm,1971-02-03\nm,1982-03-04\n' >few.csv
lone=(--qi sex --insensitive born -k 2 --method mingen --allow-leaks --missing ,NA --quiet)
rm -f few.db
for out in few.out.csv few.sav 'sqlite:few.db?table=out'; do
    from=few.csv
    if [ "$out" = few.sav ] && ! "$MINGLE" anonymize few.csv "${lone[@]}" -o probe.sav 2>err; then
        ok "missing cells of $out # SKIP $(head -c 200 err)"
        continue
    elif [ "$out" = 'sqlite:few.db?table=out' ]; then
        if ! command -v sqlite3 >sqlite3.path; then
            ok "missing cells of a database # SKIP sqlite3 is not installed"
            continue
        fi
        sqlite3 few.db "CREATE TABLE few (sex TEXT, born TEXT); INSERT INTO few VALUES
            ('f', NULL), ('f', 'NA'), ('m', '1971-02-03'), ('m', '1982-03-04')"
        from='sqlite:few.db?table=few'
    fi
    expect 0 out '' anonymize "$from" "${lone[@]}" -o "$out" --result few.json
    truth "two rows of $out are alone" test "$(jq .alone.rows few.json)" = 2
    expect 0 out 'agrees with few.json' check "$out" --against few.json
done
finish
