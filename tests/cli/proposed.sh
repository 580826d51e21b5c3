#!/usr/bin/env bash
# A quasi-identifier without a hierarchy gets the builder that `hierarchy suggest` proposes.
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
truth "ages, too" grep -q 'age: intervals([0-9,]*), proposed' out
truth "the result says so" \
    test "$(jq -r '.hierarchies.zip.hierarchy, .hierarchies.sex.hierarchy' r.json | uniq)" = proposed
truth "the length is written out" grep -Eq '"resolved": "mask\(right,[0-9]\)"' r.json
truth "in the job of the audit trail, too" \
    test "$(jq -r .audit.job.attributes.zip.hierarchy r.json)" = "$(jq -r .hierarchies.zip.resolved r.json)"
expect 0 out 'zip: mask' compare "${base[@]:0:5}" -k 4 --methods mingen,datafly
expect 0 out 'zip: mask' lattice "${base[@]:0:3}" -k 4

# ---- As it was ------------------------------------------------------------------------------------
expect 0 out '' anonymize "${base[@]}" --hierarchy zip=suppress --hierarchy age=suppress -o plain.csv
truth "nothing is proposed then" test "$(grep -c proposed out)" -eq 0
truth "values or nothing" test "$(cut -d, -f1 plain.csv | grep -c '[0-9]\*')" -eq 0

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
truth "no hierarchy" test "$(jq -r '.hierarchies.age | .hierarchy, .builder' out | xargs)" = "none ranges"
truth "but ranges" grep -Eq '^[0-9]+-[0-9]+$' ranges.csv
expect 0 out '' anonymize data.csv --qi zip,sex --rest drop -k 4 --method local-suppression --json \
    -o cells.csv
truth "cells are suppressed or stay" test "$(grep -c '[0-9]\*' cells.csv)" -eq 0
finish
