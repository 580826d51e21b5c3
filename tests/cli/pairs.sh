#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Two columns that give a third one back together are found whatever else a job asks for: pairs are tested, or listed
# with the reason, and never left out without a word.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

python3 - <<'PY'
import random
draw = random.Random(5)
with open("in.csv", "w") as out:
    print("person,zip,age,sex,x,y,z,level,basket,ill,hours", file=out)
    for i in range(1200):
        zip, x = draw.randrange(10), draw.randrange(10)
        print(f"p{i // 2 if i % 3 else i}", f"00{zip}", draw.randrange(20, 40), draw.choice("fm"), x, (zip - x) % 10,
              draw.randrange(4), draw.choice("ab"), draw.choice(["u", "u v", "v w", "w"]),
              draw.choice(["flu", "cold", "angina"]), draw.randrange(1, 30), sep=",", file=out)
PY
job=(anonymize in.csv --qi zip,age,sex --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,20)' --rest drop
    --sensitive ill -k 5 --method mingen)
leak=("${job[@]}" --level zip=1..2 --insensitive x,y,z -o out.csv)

# The columns of the result, all pairs of which were tested, or are listed.
whole='
import json, sys
guard = json.load(open("r.json"))["guard"]
n = len(guard["columns"])
pairs = {frozenset((a["column"], b["column"])) for a in guard["columns"] for b in guard["columns"] if a != b}
listed = set()
for one in guard["pairs"]["not_tested"]:
    assert one["reason"]
    listed |= {p for p in pairs if set(one["columns"]) <= p}
assert guard["pairs"]["tested"] + len(listed) == n * (n - 1) / 2, guard["pairs"]
assert guard["pairs"]["tested"] >= int(sys.argv[1]), guard["pairs"]'

# found TESTED OPTION...: what x and y do is refused, and all pairs are accounted for.
found() {
    local tested=$1
    shift
    expect 1 err 'columns "x" and "y" together give back the value of "zip"' "${leak[@]}" "$@"
    expect 0 out '' "${leak[@]}" "$@" --allow-leaks x,y --result r.json --quiet
    truth "$*: every pair is tested or listed" python3 -c "$whole" "$tested"
    truth "$*: the result has both columns" python3 -c '
import json
assert [(l["column"], l["with"]) for l in json.load(open("r.json"))["leaks"]] == [("x", "y")]'
}
found 6
found 6 --entity person
found 6 --entity person --entity-view joined --suppressed drop --suppress 90%
found 6 --by level
found 10 --km basket=2,2
found 6 --linked zip,z
found 6 --where "level = 'a'"
found 6 --sample 60% --sample-seed 3
found 6 --aggregate age=mean
found 10 --treat 'hours=quantiles(4)'
found 6 --trim --fold-case
found 6 --suppressed drop --suppress 5%
found 6 --suppressed exempt --suppress 5%
found 6 --weights zip=3
found 6 --l-diversity ill=2
found 6 --missing ,NA --spelling exact
expect 0 out '' "${job[@]}" --level zip=1..2 --save-recoding earlier.rec -o earlier.csv --quiet
found 6 --history earlier.rec
expect 1 err '"x" and "y" together' "${leak[@]/%mingen/cell}" --effort fast
# Columns that follow take both along.
expect 0 out '' "${leak[@]}" --follow --quiet
truth "neither of them goes out as it is" test "$(cut -d, -f4,5 out.csv | sort -u | tr '\n' ' ')" = '*,* x,y '
# Of two values for a row of a slice each is known with the recoding.
expect 0 out '' count in.csv --qi zip,age,sex --sensitive ill --insensitive x,y,z --rest drop -o in.part --quiet
expect 0 out '' anonymize in.part --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,20)' --level zip=1..2 \
    -k 5 --method mingen --save-recoding in.rec --quiet
expect 1 err '"x" and "y" together' apply in.rec in.csv -o applied.csv
truth "nothing is applied" test ! -e applied.csv
# Slices: classes of a slice may be smaller than k, and what a column gives back is refused all the same.
awk -F, -v OFS=, 'NR == 1 { print $0, "town" } NR > 1 { print $0, "t" $2 }' in.csv >towns.csv
parts=()
for i in 1 2 3 4; do
    awk -v i=$i 'NR == 1 || NR % 4 == i - 1' towns.csv >slice$i.csv
    expect 0 out '' count slice$i.csv --qi zip,age,sex --sensitive ill --insensitive town,z --rest drop -o slice$i.part --quiet
    parts+=("slice$i.part")
done
expect 0 out '' anonymize "${parts[@]}" --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,20)' --level zip=1..2 \
    -k 20 --method mingen --save-recoding slices.rec --quiet
for i in 1 2 3 4; do
    expect 1 err '"town" gives back the value of "zip"' apply slices.rec slice$i.csv -o slice$i.out
    expect 0 out '' apply slices.rec slice$i.csv -o slice$i.out --allow-leaks town --quiet
done
# Regrouped rows are not looked at, and the columns are refused for that.
expect 1 err '"z" stands beside rows that --least-count regrouped' "${job[@]}" --insensitive x,y,z --least-count 3 \
    -o out.csv
# A file of more columns than are paired lists the others.
python3 - <<'PY'
import random
draw = random.Random(6)
rows = open("in.csv").read().split("\n")[:-1]
with open("wide.csv", "w") as out:
    print(rows[0], *(f"c{i}" for i in range(30)), sep=",", file=out)
    for row in rows[1:]:
        print(row, *(draw.randrange(3) for _ in range(30)), sep=",", file=out)
PY
wide=$(seq -s, -f 'c%g' 0 29)
expect 1 err '"x" and "y" together' anonymize wide.csv "${leak[@]:2}" --insensitive "$wide"
expect 0 out 'was not tested' anonymize wide.csv "${leak[@]:2}" --insensitive "$wide" --allow-leaks x,y --result r.json
truth "more than 30 columns: every pair is tested or listed" python3 -c "$whole" 435

# ---- What is alone with a sensitive value, and with a quasi-identifier -----------------------------
# lone SHARE: a table of 1,000 rows of which so many in a thousand are alone with their sensitive amount.
lone() {
    python3 - "$1" <<'PY'
import random, sys
alone = int(sys.argv[1])
draw = random.Random(4)
amounts = [50000 + 7 * i for i in range(alone)] + [100 * (i // 2) for i in range(1000 - alone)]
draw.shuffle(amounts)
with open("amounts.csv", "w") as out:
    print("sex,age,paid", file=out)
    for amount in amounts:
        print(draw.choice("fm"), draw.randrange(20, 40), amount, sep=",", file=out)
PY
}
paid=(anonymize amounts.csv --qi sex,age --hierarchy 'age=intervals(5,20)' -k 5 --method mingen -o out.csv)
lone 200
expect 0 out 'warning +column "paid" has a value that no other row has in about 20 % .*--treat .paid=' \
    "${paid[@]}" --sensitive paid
# The treatment that is named does what it says.
treatment=$(tr -s ' \n' ' ' <out | sed -n "s/.*--treat '\(paid=[^']*\)'.*/\1/p")
expect 0 out 'treated +paid' "${paid[@]}" --sensitive paid --treat "$treatment"
truth "at least k persons share each value then" python3 -c '
import collections, csv
sizes = collections.Counter(row["paid"] for row in csv.DictReader(open("out.csv")))
assert min(sizes.values()) >= 5, sizes.most_common()[-3:]'
lone 198
expect 0 out '' "${paid[@]}" --sensitive paid
truth "below a fifth there is no warning" test "$(grep -c 'that no other row has' out)" -eq 0
# A quasi-identifier that names persons with several rows each: k rows are fewer persons.
python3 - <<'PY'
import random
draw = random.Random(8)
parts = ["ber", "gan", "tol", "mar", "ves", "kin", "dor", "hal", "lin", "rus", "pet", "som"]
def word():
    return "".join(draw.choice(parts) for _ in range(2)).capitalize()
def write(path, values, n):
    with open(path, "w") as out:
        print("who,ward,ill", file=out)
        for value in values:
            for _ in range(draw.randrange(n, 2 * n)):
                print(value, draw.choice(["east", "west"]), draw.choice(["flu", "cold"]), sep=",", file=out)
write("names.csv", [f"{word()} {word()}" for _ in range(60)], 6)
write("mails.csv", [f"{word().lower()}{i}@example.org" for i in range(60)], 6)
write("keys.csv", [f"P{draw.randrange(10**6):06}" for _ in range(120)], 4)
write("wards.csv", ["u", "v", "w"], 100)
write("codes.csv", [f"v{i}" for i in range(25)], 30)
PY
for table in names mails keys; do
    expect 0 out 'warning +column "who" is a quasi-identifier, but its values .*persons.*: k rows' anonymize $table.csv \
        --qi who,ward --sensitive ill -k 2 --method mingen -o out.csv
    expect 0 out '' anonymize $table.csv --qi ward --entity who --sensitive ill -k 2 --method mingen -o out.csv
    truth "$table: with the entity there is no such warning" test "$(grep -c 'but its values' out)" -eq 0
done
for table in wards codes; do
    expect 0 out '' anonymize $table.csv --qi who,ward --sensitive ill -k 2 --method mingen -o out.csv --json
    truth "$table: groups of rows are no persons" test "$(grep -c quasi-identifies out)" -eq 0
done
finish
