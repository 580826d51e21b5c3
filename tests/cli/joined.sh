#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Persons stay linked: the id as a pseudonym, what is judged then, and what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "nodes, choices, releases, checks, risks and audits are what the definitions make of them" \
    python3 "$SOURCE/tests/cli/joined.py" "$MINGLE" 3 60

# Four persons with two visits each. Each row has two persons; together a and b, c and d look alike
# only if age has one level more.
cat >in.csv <<'END'
id,age,sex,ill
a,20,f,flu
a,30,f,flu
b,20,f,cold
b,31,f,flu
c,20,m,flu
c,31,f,flu
d,20,m,cold
d,30,f,cold
END
printf 'sixteen bytes and more\n' >key && chmod 600 key
any_method=(anonymize in.csv --qi age,sex --hierarchy 'age=intervals(10,20)' --sensitive ill -k 2
    --rest drop --entity id --result result.json -o out.csv)
order=("${any_method[@]}" --method mingen)
pseudonym=(--treat id=pseudonym --key key)

# The id is not released unless the job says what is judged then.
expect 2 err 'a pseudonym of column .id. shows which rows.*--entity-view joined.*--entity-view rows' \
    "${order[@]}" "${pseudonym[@]}"
expect 0 out 'linked-rows|links the rows of a person, and models judge each row by itself' \
    "${order[@]}" "${pseudonym[@]}" --entity-view rows
truth "each row is judged by itself" grep -q '"age": 0' result.json
truth "there are as many pseudonyms as persons" \
    test "$(tail -n +2 out.csv | cut -d, -f1 | sort | uniq -c | awk '$1 == 2' | wc -l)" = 4
expect 0 out 'agrees with result.json' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells what the view leaves open" grep -q 'several rows' report.html

# Joined, the same release would show who is who: the file is judged so, and another one is found.
expect 1 out 'k-anonymity k=2 does not hold' check out.csv --qi age,sex --entity id \
    --entity-view joined -k 2
expect 0 out 'k=2 holds' check out.csv --qi age,sex --entity id -k 2
expect 0 out 'uniques|4 of 1 to 1 persons' risk out.csv --qi age,sex --entity id --entity-view joined
cp out.csv rows.csv
expect 0 out 'joined: all rows of a person are judged together' "${order[@]}" "${pseudonym[@]}" \
    --entity-view joined --suppressed drop
truth "all rows are judged together" grep -q '"age": 1' result.json
expect 0 out 'is no part of the promise: ill' "${order[@]}" "${pseudonym[@]}" --entity-view joined \
    --suppressed drop
expect 0 out 'agrees with result.json' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells what is judged" grep -q 'are one observation' report.html
# A file in which two persons changed places keeps every class of rows, and is found out.
python3 - <<'END'
rows = [line.split(",") for line in open("out.csv").read().split("\n")[1:] if line]
first = next(row for row in rows if row[2] == "m")
other = next(row for row in rows if row[1:3] != [first[1], "f"] and row[0] != first[0] and
             all(r[2] == "f" for r in rows if r[0] == row[0]))
first[0], other[0] = other[0], first[0]
open("swapped.csv", "w").write("id,age,sex,ill\n" + "".join(",".join(row) + "\n" for row in rows))
END
expect 1 out 'does not agree' check swapped.csv --against result.json
expect 1 out 'k-anonymity k=2 does not hold' check swapped.csv --qi age,sex --entity id \
    --entity-view joined -k 2

# Without the pseudonym the rows are judged together all the same, and nothing links them.
expect 0 out '' "${order[@]}" --entity-view joined --suppressed drop
truth "the id is not there" test "$(head -1 out.csv)" = age,sex,ill
truth "no rows are linked" test "$(grep -c 'linked-' result.json)" = 0
expect 0 out 'agrees with result.json' check out.csv --against result.json

# What gives generalized cells back is looked for with all rows of a person together.
python3 - >leak.csv <<'END'
print("id,age,sex,ill,born")
for person in range(60):
    for visit in range(2):
        age = 20 + (person * 7 + visit * 4) % 10
        print(f"p{person},{age},{'fm'[person % 2]},{'flu' if visit else 'cold'},{2020 - age}")
END
leaking=(anonymize leak.csv --qi age,sex --hierarchy 'age=intervals(10,20)' --sensitive ill -k 7
    --method mingen --level age=1 --insensitive born --entity id -o out.csv "${pseudonym[@]}")
expect 0 out 'gives back the value of "age".*with that every class still holds' "${leaking[@]}" \
    --entity-view rows
expect 1 err 'column "born" gives back the value of "age".*break k-anonymity' "${leaking[@]}" \
    --entity-view joined --suppressed drop

# Whole persons are left out: all rows of e, one of which looks like others.
cp in.csv more.csv && printf 'e,20,f,flu\ne,99,m,flu\n' >>more.csv
expect 0 out '10 read, 8 released, 2 suppressed' anonymize more.csv "${order[@]:2}" \
    "${pseudonym[@]}" --entity-view joined --suppressed drop --suppress 2
truth "all rows of a person are left out" test "$(cut -d, -f1 out.csv | sort -u | wc -l)" = 5
expect 1 err '' anonymize more.csv "${order[@]:2}" --entity-view joined --suppressed drop \
    --suppress 1 --level age=0..1 --level sex=0

# Jobs by keys, and the same from a job file.
cat >job.yaml <<'END'
data: in.csv
entity: id
entity-view: joined
attributes:
  id: {treat: pseudonym}
  age: {role: quasi, hierarchy: "intervals(10,20)"}
  sex: {role: quasi}
  ill: {role: sensitive}
key: key
suppressed: drop
privacy: [{k-anonymity: 2}]
method: incognito
output: out.csv
END
expect 0 out 'view +joined' anonymize job.yaml
expect 0 out 'uniques|4 of 1 to 1' risk job.yaml
expect 0 out '"holding"' lattice job.yaml --json
expect 0 out 'datafly' compare job.yaml --methods mingen,datafly

# What is refused, with what to do.
expect 2 err 'which column tells persons apart with --entity' anonymize in.csv --qi age,sex -k 2 \
    --rest drop --entity-view joined --method mingen -o out.csv
expect 2 err 'leaves whole persons out.*--suppressed drop' "${order[@]}" --entity-view joined
expect 2 err 'leaves whole persons out.*--suppressed drop' "${order[@]}" --entity-view joined \
    --suppressed exempt
for method in cell mondrian k-member local-suppression mu-argus; do
    expect 2 err "$method does not look at all rows of a person together" "${any_method[@]}" \
        --entity-view joined --suppressed drop --method "$method"
done
expect 2 err 'needs a secret' "${order[@]}" --treat id=pseudonym --entity-view rows
expect 2 err 'released as a pseudonym or not at all' "${order[@]}" --treat 'id=mask(right,1)' \
    --entity-view rows
expect 2 err 'released as a pseudonym or not at all' "${order[@]}" --treat 'id=lower,pseudonym' \
    --key key --entity-view rows
expect 2 err 'or release a pseudonym of it' "${order[@]}" --insensitive id
expect 2 err '.save-recoding says what becomes of a row' "${order[@]}" --entity-view joined \
    --suppressed drop --save-recoding r.rec
expect 2 err '.population matches single rows' "${order[@]}" --entity-view joined --suppressed drop \
    --population in.csv
expect 2 err '.suda looks at single rows' risk in.csv --qi age,sex --entity id --entity-view joined --suda
expect 2 err 'risk looks at rows, unless --entity-view joined' risk in.csv --qi age,sex --entity id
expect 2 err 'rows' "${order[@]}" --entity-view persons
finish
