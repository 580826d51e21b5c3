#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets MINGLE
# Hierarchies in which a label stands for other values on a higher level: what methods release, and that
# check, utility, attack, apply, codebook and compare read it so (docs/hierarchies.md#labels-of-several-levels).
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# 12 rows of each value, so that every level of race holds with age at its top.
python3 - >people.csv <<'END'
print("race,age,ill")
for i in range(48):
    print("%s,%d,%s" % (["White", "Black", "Asian", "Other"][i % 4], 20 + i // 4, "abc"[i % 3]))
END
printf '%s\n' 'White;White;White;*' 'Black;Black;Other;*' 'Asian;Other;Other;*' 'Other;Other;Other;*' >race.csv
job=(--qi race,age --sensitive ill --hierarchy race=race.csv --hierarchy 'age=intervals(6)' -k 4 --suppress 0)

# races: which texts the column has, and how many of each.
races() { cut -d, -f1 "$1" | tail -n +2 | LC_ALL=C sort | uniq -c | awk '{ n = $1; $1 = ""; printf "%s:%d,", substr($0, 2), n }'; }
# released LEVEL METHOD: the column at one level.
released() {
    rm -f out.csv result.json file.recoding
    expect 0 out '' anonymize people.csv "${job[@]}" --level "race=$1" --method "$2" \
        -o out.csv --result result.json --save-recoding file.recoding --overwrite
}

for method in mingen samarati datafly incognito top-down; do
    released 1..1 "$method"
    truth "$method: level 1 as it is written" test "$(races out.csv)" = "Black:12,Other:24,White:12,"
    released 2..2 "$method"
    truth "$method: level 2 as it is written" test "$(races out.csv)" = "Other:36,White:12,"
    truth "$method: precision counts the level of the column" python3 -c '
import json
d = json.load(open("result.json"))
wanted = 1 - (d["node"]["race"] / 3 + d["node"]["age"] / 2) / 2
assert abs(d["utility"]["precision"] - wanted) < 1e-12, (d["utility"]["precision"], wanted)'
    expect 0 out '' check out.csv --against result.json
    expect 0 out '' utility people.csv out.csv --against result.json --json
    truth "$method: utility measures the same from the files" python3 -c '
import json
a, b = json.load(open("result.json"))["utility"], json.load(open("out"))["utility"]
assert all(abs(a[key] - b[key]) < 1e-12 for key in ("precision", "loss", "ncp"))'
    expect 0 out '^ *Other .*level 2, 36 rows' codebook result.json
    expect 0 out '' apply file.recoding people.csv -o again.csv --overwrite
    truth "$method: applied anew it is the same" cmp <(sort out.csv) <(sort again.csv)
    sed -n 1,21p people.csv >some.csv
    expect 0 out '' apply file.recoding some.csv -o again.csv --overwrite --suppress 100%
    truth "$method: other rows are read at the same level" test "$(races again.csv | grep -c LEVEL)" -eq 0
done

for method in cell k-member mondrian; do
    released 1..1 "$method"
    truth "$method: Black or Other is told apart from Other" grep -q '^Other (LEVEL 1),' out.csv
    truth "$method: no cell of level 1 reads like one of level 0" test "$(grep -c '^Other,\|^Asian,' out.csv)" -eq 0
    expect 0 out '' check out.csv --against result.json
    expect 0 out '' utility people.csv out.csv --against result.json
    expect 0 out '' codebook result.json
done
released 2..2 cell
truth "cell: level 2 is another value than level 1" test "$(races out.csv)" = "Other (LEVEL 2):36,White:12,"
expect 0 out '' apply file.recoding people.csv -o again.csv --overwrite
truth "cell: applied anew it is the same" cmp <(sort out.csv) <(sort again.csv)

# ---- Who reads a release needs the level -----------------------------------------------------------------
released 1..1 mingen
read=(--qi race,age --hierarchy race=race.csv --hierarchy 'age=intervals(6)')
expect 2 err "'Other' stands for different values on different levels .*--against.*--released-level race=1" \
    utility people.csv out.csv "${read[@]}"
expect 2 err "'Other' stands for different values" attack out.csv people.csv "${read[@]}"
expect 2 err "'Other' stands for different values" check out.csv "${read[@]}" --population people.csv --k-map 2
expect 0 out 'persons +48, 0 of them' attack out.csv people.csv "${read[@]}" --released-level race=1
cp out by_level
expect 0 out '' attack out.csv people.csv --against result.json
truth "attack has the level from the result" diff <(grep matches by_level) <(grep matches out)
expect 0 out '' check out.csv "${read[@]}" --population people.csv --k-map 4 --released-level race=1
expect 0 out '' utility people.csv out.csv "${read[@]}" --released-level race=1 --json
truth "utility has it from the option" python3 -c '
import json
a, b = json.load(open("result.json"))["utility"], json.load(open("out"))["utility"]
assert abs(a["precision"] - b["precision"]) < 1e-12'
expect 2 err 'is no level' utility people.csv out.csv "${read[@]}" --released-level race=one
expect 0 out '' anonymize people.csv "${job[@]}" --population people.csv --k-map 4 --level race=1..1 \
    --method mingen -o mapped.csv
# Of whom but Asian people the population has none: at level 0 nobody there is Other.
grep -v '^Other,' people.csv >others.csv
expect 0 out 'k-map k=12 holds' check out.csv "${read[@]}" --population others.csv --k-map 12 --released-level race=1
expect 1 out 'k-map k=4 does not hold' check out.csv "${read[@]}" --population others.csv --k-map 4 --released-level race=0
expect 0 out 'pass  k-map' gate out.csv "${read[@]}" --sensitive ill --population others.csv --k-map 12 --released-level race=1
expect 2 err "'Other' stands for different values" gate out.csv "${read[@]}" --sensitive ill --population others.csv --k-map 12

# ---- Missing cells -----------------------------------------------------------------------------------------
# They have the level of the column, too. Other means missing here: in the release it is a label all the same.
sed 's/^Other,/,/' people.csv >gaps.csv
expect 0 out '' anonymize gaps.csv "${job[@]}" --missing ,Other --level race=1..1 --method mingen -o gaps_out.csv --result gaps.json
truth "missing cells stay beside the label" test "$(races gaps_out.csv)" = ":12,Black:12,Other:12,White:12,"
expect 0 out '' utility gaps.csv gaps_out.csv --against gaps.json --json
truth "utility counts the level of missing cells" python3 -c '
import json
a, b = json.load(open("gaps.json")), json.load(open("out"))["utility"]
assert abs(a["utility"]["precision"] - b["precision"]) < 1e-12, (a["utility"]["precision"], b["precision"])
assert abs(b["precision"] - (1 - (a["node"]["race"] / 3 + a["node"]["age"] / 2) / 2)) < 1e-12'
expect 0 out '' check gaps_out.csv --against gaps.json
expect 0 out 'matches +12 rows: 48' attack gaps_out.csv gaps.csv --against gaps.json

# ---- Columns that follow have cells of several levels with any method --------------------------------------
python3 - >ward.csv <<'END'
print("ward,race,ill")
for ward, races in enumerate([["Other"], ["Other", "Asian"], ["Other", "Black"], ["White"]]):
    for i in range(4):
        print("%d,%s,%s" % (ward, races[i % len(races)], "ab"[i % 2]))
END
for method in mingen cell; do
    expect 0 out '' anonymize ward.csv --qi ward --insensitive race --linked ward,race --hierarchy ward=suppress \
        --hierarchy race=race.csv --sensitive ill -k 2 --method "$method" --keep-order -o ward_out.csv \
        --result ward.json --save-recoding "$method.ward" --overwrite
    truth "$method: what follows is told apart" test "$(tail -n +2 ward_out.csv | cut -d, -f1,2 | uniq | tr '\n' ';')" = \
        "0,Other;1,Other (LEVEL 1);2,Other (LEVEL 2);3,White;"
    expect 0 out '' check ward_out.csv --against ward.json
    expect 0 out '' apply "$method.ward" ward.csv --keep-order -o ward_again.csv --overwrite
    truth "$method: applied anew it is the same" cmp ward_out.csv ward_again.csv
done

# ---- Protected values are named without doubt --------------------------------------------------------------
printf '%s\n' 'a;a;*' 'b;a;*' 'c;c;*' >ill.csv
ill=(anonymize people.csv --qi race,age --sensitive ill --rest drop -k 4 --sensitive-hierarchy ill=ill.csv --extended-p ill=2)
expect 2 err '"a" stands for different values .*"a \(LEVEL N\)"' "${ill[@]}" --protect ill=a -o ill_out.csv
expect 0 out 'p=2 holds \(measured 2\)' "${ill[@]}" --protect 'ill=a (LEVEL 1)' -o ill_out.csv

# ---- One comparison, two readings ------------------------------------------------------------------------
expect 0 out '' compare people.csv "${job[@]}" --level race=2..2 --methods mingen,cell --json
truth "compare measures mingen as anonymize does" python3 -c '
import json, subprocess, sys
one = next(d for d in json.load(open("out")) if d["method"] == "mingen")
wanted = 1 - (one["node"]["race"] / 3 + one["node"]["age"] / 2) / 2
assert abs(one["utility"]["precision"] - wanted) < 1e-12'
# ---- What no release can have ----------------------------------------------------------------------------
printf '%s\n' 'White;White;Other' 'Black;Other;Other' 'Asian;Other;Other' 'Other;Other;Other' >top.csv
expect 3 err "top.csv:.*'Other' covers 1 value on level 0 .line 4. but all of them on level 2, the last one" anonymize people.csv --qi race --hierarchy race=top.csv --sensitive ill -k 2 --rest drop -o no.csv
truth "nothing is written" test ! -e no.csv
printf '%s\n' 'White;Other (LEVEL 2);Other' 'Black;Other (LEVEL 2);Other' 'Asian;White;Asian' 'Other;Asian;Asian' >taken.csv
expect 3 err "taken.csv:.*there it would read 'Other \(LEVEL 2\)', which is a label already" \
    hierarchy check people.csv --hierarchy race=taken.csv
expect 0 out '' hierarchy build people.csv --hierarchy race=race.csv -o written.csv
truth "a hierarchy that is written again is what it was" cmp race.csv written.csv
expect 0 out '' hierarchy tree people.csv --hierarchy race=race.csv
mv out race.json
expect 0 out '' hierarchy build people.csv --hierarchy race=race.json -o tree.csv
truth "and so is its tree" diff <(sort race.csv) <(sort tree.csv)
finish
