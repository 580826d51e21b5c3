#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# The audit trail, and a release checked against its result.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

drawn 'BEGIN { seed(11); print "name,zip,age,sex,disease"
    for (i = 0; i < 120; i++) printf "P%d,0%d,%d,%s,d%d\n", i, 2130 + int(uniform() * 8),
        20 + int(uniform() * 40), uniform() < 0.5 ? "f" : "m", int(uniform() * 4) }' >data.csv
printf 'f;*\nm;*\n' >sex.csv
roles=(--qi zip,age,sex --sensitive disease --identifier name --hierarchy 'zip=mask(right)'
    --hierarchy 'age=intervals(5,10,20)' --hierarchy sex=sex.csv)

for treatment in keep drop exempt; do
    for method in cell mingen datafly mondrian k-member; do
        expect 0 out '' anonymize data.csv "${roles[@]}" -k 4 --l-diversity disease=2 --suppress 10% \
            --t-closeness disease=0.6 --suppressed $treatment --method $method -o release.csv \
            --result result.json --quiet
        expect 0 out '^result +agrees with result.json$' check release.csv --against result.json
    done
done
# A release without a header is read back as one; a format that names its columns is not.
tail -n +2 data.csv | cut -d, -f2- >bare.csv
expect 0 out '' anonymize bare.csv --no-header --qi column1,column2,column3 --sensitive column4 -k 4 \
    --method mingen -o bare_release.csv --result bare.json --quiet
expect 0 out '^result +agrees with bare.json$' check bare_release.csv --against bare.json
expect 0 out '' anonymize bare.csv --no-header --qi column1,column2,column3 --sensitive column4 -k 4 \
    --method mingen -o bare_release.dta --result bare.json --quiet
expect 0 out '^result +agrees with bare.json$' check bare_release.dta --against bare.json
# Where a star means missing in the table, it is a suppressed cell in the release.
# Four rows that nothing but the top joins with others are suppressed, however the rest was drawn.
strangers='S1,12130,30,f,d0\nS2,52131,41,m,d1\nS3,62132,52,f,d2\nS4,72133,33,m,d3\n'
{ sed 's/,2[0-9],/,*,/' data.csv; printf "%b" "$strangers"; } >stars.csv
expect 0 out '' anonymize stars.csv "${roles[@]}" --missing ',NA,*' -k 4 --suppress 20% --method mingen \
    -o stars_release.csv --result stars.json --save-job stars.yaml --quiet
truth "both kinds of cells are released" grep -q '^\(\*,\)\{3\}d' stars_release.csv
truth "missing cells are in the release" grep -q '^[^,]*,,' stars_release.csv
expect 0 out '^result +agrees with stars.json$' check stars_release.csv --against stars.json
expect 0 out '^utility +precision' utility stars.yaml stars_release.csv
expect 0 out '^persons +124, 0 of them' attack stars_release.csv stars.csv "${roles[@]}" --missing ',NA,*'
truth "every person is found in the release" bash -c '! grep -q "matches .*[^0-9]0 rows" out'
truth "hashes are those of the files" python3 -c '
import hashlib, json
audit = json.load(open("result.json"))["audit"]
def sha(path): return hashlib.sha256(open(path, "rb").read()).hexdigest()
assert audit["input"]["sha256"] == sha("data.csv")
assert audit["release"]["sha256"] == sha("release.csv")
assert audit["hierarchies"]["sex"]["sha256"] == sha("sex.csv")
assert audit["hierarchies"]["zip"] == "mask(right,4)"
columns = {c["column"]: c for c in audit["columns"]}
assert columns["name"] == {"column": "name", "role": "identifier", "released": False}
assert columns["zip"]["values_before"] == 8 and columns["sex"]["values_before"] == 2
assert columns["age"]["values_after"] <= columns["age"]["values_before"]
assert audit["job"]["attributes"]["disease"]["role"] == "sensitive"'

# What nobody asked for is not worked out; the release and the summary are the same.
for method in cell mingen; do
    job=(anonymize data.csv "${roles[@]}" -k 4 --suppress 10% --seed 1 --method "$method")
    expect 0 out '^privacy' "${job[@]}" -o brief.csv
    mv out brief.txt
    expect 0 out '^privacy' "${job[@]}" -o whole.csv --result whole.json
    mv out whole.txt
    truth "$method: the same release" cmp brief.csv whole.csv
    truth "$method: the same summary" diff <(grep -v -e ^seconds -e ^written -e ^confidential brief.txt) \
        <(grep -v -e ^seconds -e ^written -e ^confidential whole.txt)
    expect 0 out '^privacy' "${job[@]}" -o brief.csv --brief
    truth "$method: the same release if told to be brief" cmp brief.csv whole.csv
    expect 0 out '"class_sizes"' "${job[@]}" -o brief.csv --brief --json
    mv out brief.json
    truth "$method: a brief result" python3 -c '
import json
brief, whole = json.load(open("brief.json")), json.load(open("whole.json"))
assert brief["minimal_nodes"] is None
assert brief["figures"]["class_sizes"] == whole["figures"]["class_sizes"]
assert set(brief) == set(whole) - {"audit"}
for key in ("utility", "models", "risk", "bound", "classes", "rows"):
    assert brief.get(key) == whole.get(key), key'
done
rm -f brief.csv
expect 2 err 'give one of them' "${job[@]}" -o brief.csv --brief --result never.json
truth "--brief with --result writes nothing" test ! -e brief.csv -a ! -e never.json

# Every change of the release is noticed.
cp release.csv true.csv
sed '2s/d[0-9]/d9/' true.csv >release.csv
expect 1 out 'result +does not agree' check release.csv --against result.json
truth "another cell: the hash differs" grep -q '^warning .*sha256 of the release' out
sed 3d true.csv >release.csv
expect 1 out 'released_rows: the result claims 120, the file has 119' check release.csv \
    --against result.json
truth "what differs stands in the JSON" bash -c '"$MINGLE" check release.csv --against result.json \
    --json | python3 -c "
import json, sys
d = json.load(sys.stdin)[\"against\"]
assert not d[\"agrees\"] and \"released_rows\" in [x[\"what\"] for x in d[\"differences\"]]"'
cp true.csv release.csv
sed 's/"max": [0-9]*/"max": 77/' result.json >false.json
expect 1 out 'classes.max: the result claims 77' check release.csv --against false.json

# Several quasi-identifiers; options override.
expect 0 out '' anonymize data.csv --qi-set zip --qi-set age,sex --sensitive disease --identifier name -k 3 \
    --method mingen --suppress 100% -o release.csv --result result.json --quiet
expect 0 out 'agrees' check release.csv --against result.json
expect 1 out 'k-anonymity k=99 ' check release.csv --against result.json -k 99

# Persons are not in a release: what counts them is named. With a copy that has them all is compared.
awk -F, -v OFS=, 'NR > 1 { $1 = "P" int((NR + 1) / 3) } 1' data.csv >visits.csv
persons=(anonymize visits.csv --qi zip,age,sex --sensitive disease --entity name -k 3 --max-risk 0.4
    --l-diversity disease=2 --suppress 10% --method mingen --keep-order --hierarchy sex=sex.csv)
expect 0 out '' "${persons[@]}" -o release.csv --result result.json --quiet
expect 0 out '^result +agrees with result.json$' check release.csv --against result.json
truth "what is left open is named" bash -c '"$MINGLE" check release.csv --against result.json --json |
    python3 -c "
import json, sys
d = json.load(sys.stdin)[\"against\"][\"not_compared\"]
for what in (\"classes\", \"risk\", \"k-anonymity\", \"max-risk\"):
    assert any(line.startswith(what + \": persons are not in the release; \`entity\") for line in d), d"'
paste -d, release.csv <(cut -d, -f1 visits.csv) >copy.csv
expect 0 out '^result +agrees with result.json$' check copy.csv --against result.json --entity name
truth "with persons less is left open" bash -c '! grep -Eq "persons are not in the release" out'
found=$(sed -n 's/.*"measured": \([0-9]*\),.*/\1/p' result.json | head -1)
for claimed in $((found - 1)) $((found + 1)); do
    sed "s/\"measured\": $found,/\"measured\": $claimed,/" result.json >false.json
    expect 1 out "k-anonymity measured: the result claims $claimed, the file has $found" check copy.csv \
        --against false.json --entity name
done
expect 1 out 'columns of the release' check copy.csv --against result.json

# A population is not in a release either.
expect 0 out '' anonymize data.csv "${roles[@]}" -k 2 --k-map 3 --population data.csv --method mingen \
    --suppress 10% -o release.csv --result result.json --quiet
expect 0 out 'k-map: needs the population' check release.csv --against result.json
truth "what is left open names the option that tells it" bash -c '"$MINGLE" check release.csv --against result.json --json |
    grep -q "k-map: needs the population; .population: FILE."'
expect 0 out '^result +agrees with result.json$' check release.csv --against result.json \
    --population data.csv
truth "with it nothing of k-map is open" bash -c '! grep -q "k-map: " out'
sed 's/"measured": \([0-9]*\),/"measured": 1\1,/' result.json >false.json
expect 1 out 'k-map measured' check release.csv --against false.json --population data.csv

# Rows that were dropped are missing from what distributions are compared with.
{ cat data.csv; printf "%b" "$strangers"; } >strange.csv
expect 0 out '' anonymize strange.csv "${roles[@]}" -k 4 --t-closeness disease=0.6 --method mingen \
    --level 'zip=0..1' --suppress 10% --suppressed drop -o release.csv --result result.json --quiet
truth "rows are dropped from the release" bash -c 'test "$(wc -l <release.csv)" -lt 125'
expect 0 out 't-closeness disease: needs the input' check release.csv --against result.json

# A table without a header whose first column is not released.
tail -n +2 data.csv >bare.csv
expect 0 out '' anonymize bare.csv --no-header --identifier column1 --qi column2,column3,column4 \
    --sensitive column5 -k 4 --l-diversity column5=2 --method mingen -o bare_release.csv \
    --result bare.json --quiet
expect 0 out '^result +agrees with bare.json$' check bare_release.csv --against bare.json
# A policy in a file that the auditor does not have; a label for classification.
echo 'privacy: [{k-anonymity: 3}, {l-diversity: {attribute: any, l: 2}}]' >policy.yaml
expect 0 out '' anonymize data.csv "${roles[@]}" --policy policy.yaml -k 2 --method mingen \
    --utility classification=disease -o release.csv --result result.json --quiet
rm policy.yaml
expect 0 out '^result +agrees with result.json$' check release.csv --against result.json
python3 -c '
import json
d = json.load(open("result.json"))
d["utility"]["classification"] /= 2
d["bound"]["achieved"] = d["bound"]["best_possible"] = d["utility"]["classification"]
json.dump(d, open("false.json", "w"))'
expect 1 out 'utility.classification' check release.csv --against false.json
# An unsafe release agrees with its result, which does not make it safe.
expect 0 out '' anonymize data.csv "${roles[@]}" -k 5 --method mu-argus --combinations 2 \
    --accept unsafe -o release.csv \
    --result result.json --quiet
expect 1 out '^result +agrees with result.json$' check release.csv --against result.json

# Households are judged by the whole of each, of which a search by classes knows less: what the
# verifier found to hold is not called unsafe.
awk 'BEGIN {
    print "age,home"
    for (i = 0; i < 7; i++) print "20,h" (i < 2 ? 0 : i)
    for (i = 7; i < 37; i++) print "21,h" (i < 11 ? 0 : i)
}' >homes.csv
expect 0 out '' anonymize homes.csv --qi age --rest drop --household home --household-risk 0.5 -k 2 \
    --method mu-argus --accept unsafe -o homes-out.csv --result homes.json
expect 0 out '^result +agrees with homes.json$' check homes-out.csv --against homes.json
truth "a release that holds is not called unsafe" bash -c '! grep -q "unsafe-release\|failing_rows" homes.json'

# That a little suppression would help is a hint of the search, which has the input.
awk 'BEGIN {
    print "age,zip"
    for (i = 0; i < 600; i++) print 20 + i % 2 "," 100 + int(i / 2) % 2
    for (i = 0; i < 6; i++) print 90 "," (i < 3 ? 999 : 100)
}' >hint.csv
expect 0 out 'would be' anonymize hint.csv --qi age,zip -k 5 --method mingen -o hint-out.csv --result hint.json
expect 0 out '^result +agrees with hint.json$' check hint-out.csv --against hint.json
truth "the result has the hint" grep -q '"suppression-helps"' hint.json
# A job that may suppress rows gets none.
python3 -c '
import json
d = json.load(open("hint.json"))
d["audit"]["job"]["suppress"] = "5%"
json.dump(d, open("false.json", "w"))'
expect 1 out 'warnings.suppression-helps' check hint-out.csv --against false.json

# A method that has nothing to generalize tells nothing of combinations.
expect 0 out '' anonymize hint.csv --qi age --rest drop -k 5 --method mu-argus --accept unsafe \
    --aggregate age=range -o range-out.csv --result range.json --quiet
expect 0 out '^result +agrees with range.json$' check range-out.csv --against range.json

# What was lost is told with the k of the policy, and of levels that have the same labels as the one
# of the result.
expect 0 out '' anonymize hint.csv --qi age,zip --policy standard -k 2 --hierarchy 'zip=rare(2)' \
    --level zip=1 --suppress 1% --method mingen -o hint-out.csv --result hint.json --quiet
expect 0 out '"c_avg"' utility hint.csv hint-out.csv --against hint.json --json
truth "utility measures with the k and the levels of the result" python3 -c '
import json
claimed, found = json.load(open("hint.json"))["utility"], json.load(open("out"))["utility"]
for key in ("c_avg", "height", "relative_height", "doubling_height"):
    assert claimed[key] == found[key], (key, claimed[key], found[key])'

# So is the release of some of the rows: those of the condition, and those of a sample with its seed,
# which no result has. A p without a k is one.
awk -F, -v OFS=, '{ print $0, NR == 1 ? "sex" : NR % 3 ? "f" : "m" }' hint.csv >sexes.csv
printf 'f;*\nm;*\n' >sexes.tree
some=(anonymize sexes.csv --qi age,zip --sensitive sex --rest drop --suppress 20% --method mingen
    -o some.csv --overwrite --result some.json --quiet)
same='
import json
claimed, found = json.load(open("some.json")), json.load(open("out"))
assert claimed["rows"] == found["rows"] and claimed["utility"] == found["utility"], (claimed, found)
assert found["utility"]["c_avg"] is not None and not found["warnings"], found'
for more in "-k 2 --where age>25" "--p-sensitive 2" "--extended-p sex=2 --sensitive-hierarchy sex=sexes.tree" "-k 2 --sample 60% --sample-seed 5"; do
    # shellcheck disable=SC2086 # options and their values
    expect 0 out '' "${some[@]}" $more
    seed=()
    [[ $more == *seed* ]] && seed=(--sample-seed 5)
    expect 0 out '' utility sexes.csv some.csv --against some.json --json "${seed[@]}"
    truth "utility measures what the result did: $more" python3 -c "$same"
done
expect 0 out 'a sample \(60%\), which was drawn with a seed that is not in its result' \
    utility sexes.csv some.csv --against some.json

# So do a population's values, which hierarchies that are built have as leaves.
{ cat sexes.csv; sed 1d sexes.csv; sed -n '2s/^[^,]*/99/p' sexes.csv; } >everyone.csv
expect 0 out '' "${some[@]}" -k 8 --k-map 2 --population everyone.csv --hierarchy 'age=intervals(5,10)'
expect 0 out '' utility sexes.csv some.csv --against some.json --json --population everyone.csv
truth "utility measures what the result did: a population" python3 -c "$same"
expect 0 out 'was made with a population, whose values are in its hierarchies' utility sexes.csv some.csv --against some.json
truth "without it cells stand for less" test "$(jq .utility.ambiguity some.json)" != \
    "$("$MINGLE" utility sexes.csv some.csv --against some.json --json | jq .utility.ambiguity)"

# A level that has the labels of a lower one is accepted where the hierarchy is a file, and named; a
# builder shows whether it has them.
printf 'f;f;*\nm;m;*\n' >sexes.same
by_hand=(anonymize sexes.csv --qi age,sex --rest drop -k 2 --method mu-argus --accept unsafe
    --hierarchy sex=sexes.same --hierarchy 'age=intervals(5,10)' -o some.csv --overwrite --result some.json --quiet)
expect 0 out '' "${by_hand[@]}" --generalize sex=1
expect 0 out 'levels.sex: whether the level has the labels of a lower one' check some.csv --against some.json
# forge KEY.KEY VALUE: changes the result
forge() {
    python3 -c '
import json, sys
document = part = json.load(open("some.json"))
*keys, last = [int(key) if key.isdigit() else key for key in sys.argv[1].split(".")]
for key in keys:
    part = part[key]
part[last] = json.loads(sys.argv[2])
json.dump(document, open("forged.json", "w"))' "$@"
}
forge levels.sex 0
expect 1 out 'levels.sex' check some.csv --against forged.json
forge levels.age 1
expect 1 out 'levels.age' check some.csv --against forged.json
forge audit.job.data null
expect 1 out 'audit.job.data' check some.csv --against forged.json
forge audit.input null
expect 0 out 'audit.input: whether' check some.csv --against forged.json

# What no column of another kind shows: columns that are treated alone, models of one of several
# quasi-identifiers that cannot be judged, and distances where rows were dropped.
expect 0 out '' anonymize sexes.csv --qi-set age --qi-set zip --treat sex=upper --rest drop -k 2 \
    --delta-presence 0,1 --population sexes.csv --method mingen --suppress 20% -o some.csv \
    --overwrite --result some.json --quiet
expect 0 out 'agrees with' check some.csv --against some.json
forge guard.columns '[]'
expect 1 out 'guard.columns.sex' check some.csv --against forged.json
forge models.1.quasi_identifier '["zip"]'
expect 1 out 'delta-presence.*quasi_identifier' check some.csv --against forged.json
expect 0 out '' "${some[@]}" -k 4 --p-sensitive 2 --suppressed drop
expect 0 out 'figures.sensitive.\*.after.distances: distances' check some.csv --against some.json
forge figures.sensitive.sex.after.distances.9 5
expect 1 out 'figures.sensitive: distances' check some.csv --against forged.json

# Secrets stay out of it.
printf 'd0;A;*\nd1;A;*\nd2;B;*\nd3;B;*\n' >disease.csv
expect 0 out '' anonymize data.csv "${roles[@]}" --sensitive-hierarchy disease=disease.csv \
    --protect disease=A --extended-p disease=2 -k 4 --seed 9182736455463 -o release.csv --result result.json \
    --quiet
truth "neither the seed nor protected values are recorded" bash -c \
    '! grep -Eq "9182736455463|\"(protect|seed)\"|: \"A\"" result.json'

# The release of the result was written with a hierarchy that the auditor does not have.
rm disease.csv sex.csv
expect 0 out '^result +agrees with result.json$' check release.csv --against result.json
sed 's/"schema": 1/"schema": 2/' result.json >later.json
expect 3 err 'another schema' check release.csv --against later.json
expect 3 err 'another schema' utility data.csv release.csv --against later.json
expect 3 err 'no result' check release.csv --against data.csv
expect 3 err 'nowhere.json' check release.csv --against nowhere.json
echo '{"rows": 3}' >other.json
expect 3 err "no result" check release.csv --against other.json
expect 0 out "" check release.csv --qi age --result other.json
expect 3 err "no audit trail" check release.csv --against other.json
finish
