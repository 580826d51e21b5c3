#!/bin/bash
# risk and attack: golden values of other programs and of the papers, and what they print.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
seeds=$SOURCE/tests/seeds
shared=$SOURCE/../shared/data/sdcmicro

near() { # near NAME PYTHON-EXPRESSION WANTED TOLERANCE: of the JSON in out, as d
    truth "$1" python3 -c '
import json, sys
d = json.load(open("out"))
got, wanted, tolerance = eval(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3])
if abs(got - wanted) > tolerance * abs(wanted):
    sys.exit("%r instead of %r" % (got, wanted))' "$2" "$3" "$4"
}

# ---- risk
# The stand-in has values of the oracle (tests/standin).
standin=$SOURCE/tests/standin
keys=urbrur,roof,walls,water,electcon,relat,sex
survey=("$standin/data/sdcmicro/survey.csv" --qi "$keys" --weight sampling_weight --household ori_hid
    --suda --json)
expect 0 out '"suda"' risk "${survey[@]}"
truth "survey: as the oracle says" python3 - out "$standin/golden/risk.json" <<'END'
import json, sys
found, golden = (json.load(open(path)) for path in sys.argv[1:])
near = lambda a, b: abs(a - b) <= 1e-9 * abs(b)
assert found["classes"]["count"] == golden["classes"]
assert all(found["rows_below"][k] == n for k, n in golden["rows_below"].items())
individual = found["individual"]
assert near(individual["expected_reidentifications"], golden["individual"])
assert near(individual["household_expected_reidentifications"], golden["households"])
suda = golden["suda"]
assert found["suda"]["uniques_by_size"] == suda.pop("uniques_by_size") and len(suda) == 4
assert all(near(found["suda"][key], value) for key, value in suda.items()), (found["suda"], suda)
END
cp out one
expect 0 out '' risk "${survey[@]}" --threads 4
truth "survey, 4 threads: the same" cmp -s one out
# By hand: Fk is the sum of the weights of the rows alike.
expect 0 out '' risk "$standin/data/sdcmicro/eight.csv" --qi colour,shape --weight w --rows rows.csv --json
truth "eight rows: counts and weights" python3 -c '
import csv
rows = list(csv.DictReader(open("rows.csv")))
assert [int(r["fk"]) for r in rows] == [2, 2, 1, 3, 3, 3, 1, 1]
assert [float(r["Fk"]) for r in rows] == [30.5, 30.5, 8, 36, 36, 36, 90, 2]'
if [ -d "$shared" ]; then
    expect 0 out '"suda"' risk "$shared/testdata.csv" --qi $keys --weight sampling_weight \
        --household ori_hid --suda --json
    near "testdata: classes" 'd["classes"]["count"]' 412 0
    near "testdata: rows below 2" 'd["rows_below"]["2"]' 157 0
    near "testdata: rows below 3" 'd["rows_below"]["3"]' 281 0
    near "testdata: rows below 5" 'd["rows_below"]["5"]' 458 0
    near "testdata: individual" 'd["individual"]["expected_reidentifications"]' \
        10.778298918734835 1e-12
    near "testdata: households" 'd["individual"]["household_expected_reidentifications"]' \
        51.812927435960688 1e-12
    near "testdata: sum of scores" 'd["suda"]["sum_score"]' 4890 0
    near "testdata: rows above 0" 'd["suda"]["rows_above_zero"]' 157 0
    near "testdata: highest score" 'd["suda"]["max_score"]' 720 0
    # The other program sums in single precision: its digits end here.
    near "testdata: sum of DIS" 'd["suda"]["sum_dis"]' 9.831090921 1e-6
    truth "testdata: minimal sample uniques" python3 -c '
import json; assert json.load(open("out"))["suda"]["uniques_by_size"] == [1, 11, 94, 86, 35, 7, 1]'
    cp out one
    expect 0 out '' risk "$shared/testdata.csv" --qi $keys --weight sampling_weight \
        --household ori_hid --suda --json --threads 4
    truth "4 threads: the same" cmp -s one out

    expect 0 out '' risk "$shared/francdat.csv" --qi Key1,Key2,Key3,Key4 --weight w \
        --rows rows.csv --json
    near "francdat: expected" 'd["individual"]["expected_reidentifications"]' .9665260452 1e-9
    truth "francdat: the risk of each row" python3 -c '
import csv
rows = list(csv.DictReader(open("rows.csv")))
assert [int(r["fk"]) for r in rows] == [2, 2, 2, 1, 1, 1, 1, 2]
assert [float(r["Fk"]) for r in rows] == [110, 84.5, 84.5, 17, 541, 8, 5, 110]
wanted = [.0171442615962852, .0220423261832562, .0220423261832562, .1770758340035135,
          .0116544801460120, .2970630773828337, .4023594781085251, .0171442615962852]
assert all(abs(float(r["risk"]) - w) < 1e-14 for r, w in zip(rows, wanted))'
else
    echo "# no ../shared: the values of other programs are not compared"
fi

cat >data.csv <<'END'
id,region,sex,age,w,house
1,north,f,30,10,a
2,north,f,30,12,a
3,north,m,41,8,b
4,south,m,41,x,b
END
expect 0 out '^rows below +k=2: 2  k=3: 4' risk data.csv --qi region,sex,age
expect 0 out '^prosecutor +at most 100 % for one person, 75 % on average, 100 %' \
    risk data.csv --qi region,sex,age
expect 0 out '^single out +50' risk data.csv --qi region,sex,age --single-out 50%
expect 0 out '^population +about' risk data.csv --qi region,sex,age --sampling-fraction 0.5
expect 0 out '^suda +2 rows stand out' risk data.csv --qi region,sex,age --suda
expect 3 err '"a" in column "w" is no sampling weight.*patterns' risk data.csv --qi region,sex --weight w
expect 2 err 'no column "weight"' risk data.csv --qi region,sex --weight weight
expect 2 err 'sampling-fraction.*above 0' risk data.csv --qi region --sampling-fraction 2
expect 2 err 'single-out.*5%' risk data.csv --qi region --single-out 3
expect 2 err 'no quasi-identifier' risk data.csv
expect 2 err 'does not belong to check' check data.csv --qi region --suda

# ---- attack
expect 0 out '^matches +2 rows: 6' attack "$seeds/004_table1.csv" "$seeds/004_table2.csv" \
    --qi Age,ZipCode,Gender --sensitive Illness --identifier Name
truth "Sam and Eric are learnt to have Diabetes" test \
    "$(grep -c ': Illness Diabetes$' out)" -eq 2
expect 0 out '"Illness": 2' attack "$seeds/004_table1.csv" "$seeds/004_table2.csv" \
    --qi Age,ZipCode,Gender --sensitive Illness --json
truth "nobody is singled out" grep -q '"unique_matches": 0' out
expect 0 out '^ +Sue: Problem shortness of breath$' attack "$seeds/002_medical.csv" \
    "$seeds/002_voters.csv" --qi 'ZIP,Date Of Birth,Sex' --sensitive Problem --identifier Name \
    --rows persons.csv
truth "persons are listed" test "$(sed -n 2p persons.csv)" = 'Sue,1,shortness of breath'
expect 2 err 'second file is missing' attack "$seeds/004_table1.csv" --qi Age
expect 2 err 'no column "Illness"' attack "$seeds/004_table1.csv" "$seeds/004_table2.csv" \
    --qi Age,Illness
expect 3 err 'nowhere.csv' attack "$seeds/004_table1.csv" nowhere.csv --qi Age

# Nobody matches 1 to k-1 rows of a k-anonymous release, whatever its method; with the hierarchies
# and by what the texts tell themselves.
drawn 'BEGIN { seed(7); print "zip,birth,sex,disease"
    for (i = 0; i < 150; i++) printf "0%d,19%02d-%02d-%02d,%s,d%d\n", 2138 + int(uniform() * 12),
        60 + int(uniform() * 8), 1 + int(uniform() * 12), 1 + int(uniform() * 28),
        uniform() < 0.5 ? "f" : "m", int(uniform() * 5) }' >persons.csv
hierarchies=(--hierarchy 'zip=mask(right)' --hierarchy 'birth=dates(month,year,5y)')
for method in cell mingen datafly; do
    expect 0 out '' anonymize persons.csv --qi zip,birth,sex --sensitive disease -k 3 \
        --method $method "${hierarchies[@]}" -o release.csv --quiet
    for way in with without; do
        [ $way = with ] && told=("${hierarchies[@]}") || told=()
        expect 0 out '"matched"' attack release.csv persons.csv --json --qi zip,birth,sex \
            ${told[@]+"${told[@]}"}
        truth "$method, $way hierarchies: nobody matches 1 or 2 rows, or none" python3 -c '
import json
matched = json.load(open("out"))["matched"]
assert not set(matched) & {"0", "1", "2"}, matched'
    done
done
# A missing cell is a ground value of its own, also if its token reads as a number.
printf 'age,ill\n<6,flu\n*,cold\n' >young.csv
printf 'name,age\nAnn,-9\nBob,8\n' >persons.csv
expect 0 out '"1": 2' attack young.csv persons.csv --qi age --sensitive ill --identifier name \
    --hierarchy 'age=cuts(6,12)' --missing=-9 --json
finish
