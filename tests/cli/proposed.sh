#!/usr/bin/env bash
# A quasi-identifier without a hierarchy gets the builder that `hierarchy suggest` proposes.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

awk 'BEGIN {
    print "zip,age,sex,illness"
    for (i = 0; i < 200; i++)
        printf "0%d%d%d,%d,%s,%s\n", 2 + i % 2, 10 + i % 7, i % 3, 20 + i * 7 % 53,
            i % 3 ? "f" : "m", i % 5 ? "flu" : "cold"
}' >data.csv
base=(data.csv --qi zip,age,sex --sensitive illness --method mingen -k 4)

# ---- Told ---------------------------------------------------------------------------------------
expect 0 out 'zip: mask\(right[^)]*\), proposed' anonymize "${base[@]}" -o release.csv --result r.json \
    --report r.html --save-recoding r.recoding
truth "ages get proposed intervals" grep -q 'age: intervals([0-9,]*), proposed' out
truth "the result says so" \
    test "$(jq -r '.hierarchies.zip.hierarchy, .hierarchies.sex.hierarchy' r.json | uniq)" = proposed
truth "the length is written out" grep -Eq '"resolved": "mask\(right,[0-9]\)"' r.json
truth "in the job of the audit trail, too" \
    test "$(jq -r .audit.job.attributes.zip.hierarchy r.json)" = "$(jq -r .hierarchies.zip.resolved r.json)"
expect 0 out 'zip: mask' compare "${base[@]:0:5}" -k 4 --methods mingen,datafly
expect 0 out 'zip: mask' lattice "${base[@]:0:3}" -k 4

# ---- As it was ------------------------------------------------------------------------------------
expect 0 out '' anonymize "${base[@]}" --hierarchy zip=suppress --hierarchy age=suppress -o plain.csv
truth "given hierarchies are not proposed" test "$(grep -c proposed out)" -eq 0
truth "suppress releases whole values or nothing" test "$(cut -d, -f1 plain.csv | grep -c '[0-9]\*')" -eq 0

# ---- The same hierarchies for whoever looks at the release ---------------------------------------
expect 0 out 'precision' utility data.csv release.csv --qi zip,age,sex --json
truth "utility finds what anonymize said" test "$(jq .utility.precision out)" = "$(jq .utility.precision r.json)"
expect 0 out 'agrees' check release.csv --against r.json
expect 0 out '' apply r.recoding data.csv -o applied.csv --keep-order
head -n 101 data.csv >half.csv
expect 0 out '' count half.csv --qi zip,age,sex --sensitive illness -o part1
(head -n 1 data.csv; tail -n 100 data.csv) >rest.csv
expect 0 out '' count rest.csv --qi zip,age,sex --sensitive illness -o part2
expect 0 out '"intervals' anonymize part1 --parts part2 -k 4 --method mingen --dry-run --json
truth "parts get what the whole table gets" \
    test "$(jq -c .hierarchies out)" = "$(jq -c .hierarchies r.json)"

# ---- Numbers stay ranges where the method makes such ----------------------------------------------
expect 0 out '' anonymize data.csv --qi age --rest drop -k 4 --method mondrian -o ranges.csv --json
truth "mondrian takes numbers without a hierarchy" test "$(jq -r '.hierarchies.age | .hierarchy, .builder' out | xargs)" = "none ranges"
truth "mondrian releases numbers as ranges" grep -Eq '^[0-9]+-[0-9]+$' ranges.csv
expect 0 out '' anonymize data.csv --qi zip,sex --rest drop -k 4 --method local-suppression --json \
    -o cells.csv
truth "cells are suppressed or stay" test "$(grep -c '[0-9]\*' cells.csv)" -eq 0

# ---- Other rows --------------------------------------------------------------------------------------
# Values that the recoding has not seen go where its hierarchies put them.
expect 0 out '' anonymize data.csv --qi zip,age --rest drop --level zip=2..2,age=2..2 --method mingen -k 2 \
    --suppress 100% -o coarse.csv --save-recoding coarse.recoding
{ echo zip,age,sex,illness; for _ in 1 2 3; do echo 02199,23,f,flu; done; } >others.csv
expect 0 out 'has not seen' apply coarse.recoding others.csv -o others.release --keep-order
truth "at the level of their column" test "$(tail -n 1 others.release)" = '021**,20-29'
{ cat others.csv; for _ in 1 2 3; do echo 99999,23,f,flu; done; } >strange.csv
expect 0 out '6 rows have values' apply coarse.recoding strange.csv -o strange.release --keep-order
truth "also where no value had the label before" test "$(tail -n 1 strange.release)" = '999**,20-29'
{ cat others.csv; for _ in 1 2 3; do echo 99999,old,f,flu; done; } >strange.csv
expect 0 out '3 rows have values that the recoding does not know' apply coarse.recoding strange.csv \
    -o strange.release --keep-order
truth "values without a place are suppressed" test "$(tail -n 1 strange.release)" = '*,*'

# ---- The result tells utility and attack --------------------------------------------------------------
expect 0 out '' utility data.csv release.csv --against r.json --json
truth "utility --against finds the precision of the result" test "$(jq .utility.precision out)" = "$(jq .utility.precision r.json)"
truth "with the hierarchies of the result" test "$(jq -r .hierarchies.zip.hierarchy out)" = given
expect 0 out '"persons": 200' attack release.csv data.csv --against r.json --json
truth "everybody matches, and nobody a single row" \
    test "$(jq '.matched | has("0") or has("1")' out)" = false

# ---- A saved job, and a population ----------------------------------------------------------------------
expect 0 out '' anonymize "${base[@]}" -o again.csv --save-job again.yaml
truth "the saved job has what was proposed" grep -q "mask(right,2)" again.yaml
expect 0 out '' anonymize again.yaml --dry-run --json
truth "a saved job gives the same hierarchies" \
    test "$(jq -c '.hierarchies | map_values(.resolved)' out)" = \
    "$(jq -c '.hierarchies | map_values(.resolved)' r.json)"
{ cat data.csv; for i in 1 2 3 4 5; do echo "0${i}999,8$i,f,flu"; done; } >population.csv
expect 0 out '' anonymize data.csv --qi zip,age --rest drop --k-map 3 --population population.csv \
    --method mingen -o mapped.csv --result mapped.json
truth "values of the population are in the hierarchies" \
    test "$(jq -r .hierarchies.zip.hierarchy mapped.json)" = proposed
expect 0 out 'k-map' check mapped.csv --qi zip,age --rest drop --k-map 3 --population population.csv

# ---- Rare values ---------------------------------------------------------------------------------------
awk 'BEGIN {
    print "town,other"
    for (i = 0; i < 300; i++)
        printf "%s,%s\n", i % 60 ? (i % 2 ? "Aa" : "Bb") : "C" i, i % 75 ? (i % 2 ? "x" : "y") : i ? "other" : "\"z, w\""
}' >towns.csv
expect 0 out '^town +rare\(5\)' hierarchy suggest towns.csv
expect 0 out 'town: rare\(5\), proposed' anonymize towns.csv --qi town,other --method mingen -k 5 \
    -o towns.release --result towns.json
truth "rare towns are one" test "$(cut -d, -f1 towns.release | sort -u | xargs)" = 'Aa Bb other town'
truth "rare() writes out kept values and no rare ones" \
    test "$(jq -r .hierarchies.town.resolved towns.json)" = 'rare(5; as other; keep Aa,Bb)'
expect 0 out '' attack towns.release towns.csv --against towns.json --json
truth "a rare town is found among the others" test "$(jq '.matched | has("0")' out)" = false
expect 2 err 'how many rows have each value is not known' attack towns.release towns.csv --qi town \
    --rest drop --hierarchy 'town=rare(5)'
expect 0 out '^C0;other;' hierarchy build towns.csv --qi town
expect 0 out 'height 2' hierarchy show towns.csv --hierarchy 'town=rare(5; as elsewhere; keep Aa)'
truth "by the name it is given" grep -q 'elsewhere  (6 values)' out
expect 2 err 'no number of rows' hierarchy show towns.csv --hierarchy 'town=rare(few)'
expect 2 err "'keeps Aa' is not known here" hierarchy show towns.csv --hierarchy 'town=rare(5; keeps Aa)'

# ---- What somebody says it is --------------------------------------------------------------------------
awk 'BEGIN { print "shift,n"; for (i = 0; i < 200; i++) print i * 7 % 12 "," i % 30 }' >codes.csv
expect 0 out '^shift +intervals' hierarchy suggest codes.csv
expect 0 out '^shift +suppress' hierarchy suggest codes.csv --kind shift=nominal
expect 0 out '' anonymize codes.csv --qi shift --rest drop -k 5 --method mondrian --kind shift=nominal \
    -o nominal.csv --json
truth "no ranges of names" test "$(grep -c -- - nominal.csv)" -eq 0
expect 2 err 'is no kind; give nominal, number or date' hierarchy suggest codes.csv --kind shift=code
expect 2 err 'is no number' hierarchy suggest towns.csv --kind town=number
printf 'data: codes.csv\nattributes:\n  shift: {role: quasi, kind: nominal}\nrest: drop\nk: 5\noutput: x.csv\n' >kind.yaml
expect 0 out '' anonymize kind.yaml --dry-run --json
truth "a job file says it, too" test "$(jq -r .hierarchies.shift.builder out)" = suppress

# ---- One slip ----------------------------------------------------------------------------------------------
awk 'BEGIN { print "born"; for (i = 0; i < 100; i++) printf "%d-%02d-11\n", 1950 + i % 40, 1 + i % 12
    print "1961-02-31" }' >slip.csv
expect 0 out 'dates, but .* cannot be read so; name' hierarchy suggest slip.csv
expect 0 out 'warning .*slip.csv:102' anonymize slip.csv --qi born -k 2 --suppress 100% -o slip.release
expect 0 out 'born: dates' anonymize slip.csv --qi born -k 2 --suppress 100% --missing 1961-02-31 -o slip.release
finish
