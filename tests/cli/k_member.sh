#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# k-member clustering from the command line: what it releases, what it refuses, and that neither
# threads nor the order of rows make a difference.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# ---- Ranges, common ancestors, values ------------------------------------------------------------
cat >people.csv <<'END'
name,age,zip,sex,income,disease
Ann,31,02138,f,1200.50,flu
Bob,34,02139,m,1300,cold
Cyd,52,02141,f,5000,flu
Dan,55,02142,m,5100,cold
Eve,33,02138,f,1250,flu
Fay,71,02139,f,,flu
Gus,54,02141,m,4900,cold
Hal,72,02142,m,,flu
END
people=(people.csv --qi age,zip,sex,income --hierarchy 'zip=mask(right,2)' --identifier name
    --sensitive disease --method k-member)
expect 0 out '^classes +4 of 2 to 2 rows' anonymize "${people[@]}" -k 2 --keep-order -o release.csv
truth "no nodes are told of" grep -Eqx 'method +k-member' out
truth "ranges are told of" grep -Eq '^levels +ranges in place of values' out
cat >wanted.csv <<'END'
age,zip,sex,income,disease
31-33,02138,f,"[1200.50,1250]",flu
34-71,02139,*,*,cold
52-54,02141,*,"[4900,5000]",flu
55-72,02142,m,*,cold
31-33,02138,f,"[1200.50,1250]",flu
34-71,02139,*,*,flu
52-54,02141,*,"[4900,5000]",cold
55-72,02142,m,*,flu
END
truth "k-member releases the expected rows" diff wanted.csv release.csv
expect 0 out 'k-anonymity k=2 holds \(measured 2\)' check release.csv --qi age,zip,sex,income \
    --sensitive disease -k 2
expect 0 out '"precision": null' anonymize "${people[@]}" -k 2 --json -o release.csv

# All missing stays missing.
grep -v -e Dan -e Bob people.csv >missing.csv
expect 0 out '' anonymize missing.csv "${people[@]:1}" -k 2 --keep-order -o release.csv
truth "missing cells of a class stay missing" grep -Eqx '71-72,021\*\*,\*,,flu' release.csv

# ---- Levels ------------------------------------------------------------------------------------
expect 0 out '' anonymize "${people[@]}" -k 2 --level zip=1..2 --keep-order -o release.csv
truth "zip is at least one level up" test "$(cut -d, -f2 release.csv | grep -c '\*')" -eq 8
expect 0 out '' anonymize "${people[@]}" -k 2 --hierarchy age=suppress --level sex=0..0,age=1..1 --keep-order -o release.csv
truth "a column at level 0 keeps its values" test "$(cut -d, -f3 release.csv | grep -c '^[fm]$')" -eq 8
truth "age becomes *" test "$(cut -d, -f1 release.csv | grep -c '^\*$')" -eq 8
expect 1 err 'no release that holds within 0 suppressed rows; allow more with --suppress' \
    anonymize "${people[@]}" -k 2 --level zip=0..0,sex=0..0 -o none.csv
truth "levels that cannot hold write nothing" test ! -e none.csv
for treatment in drop exempt; do
    expect 0 out '^rows +8 read, .* 4 suppressed' anonymize "${people[@]}" -k 2 \
        --level zip=0..0,sex=0..0 --suppress 4 --suppressed $treatment -o release.csv
done
expect 0 out '^rows +8 read, 8 released, 4 suppressed' anonymize "${people[@]}" -k 2 \
    --level zip=0..0,sex=0..0 --suppress 50% -o release.csv

# ---- Models ---------------------------------------------------------------------------------------
expect 0 out 'l-diversity disease l=2 holds' anonymize "${people[@]}" -k 2 \
    --l-diversity disease=2 -o release.csv
expect 0 out 't-closeness disease t=0.1 .*holds' anonymize "${people[@]}" --t-closeness disease=0.1 \
    -o release.csv
expect 0 out 'mean-risk x=0.3 holds' anonymize "${people[@]}" --mean-risk 0.3 -o release.csv
expect 1 err 'the table has only 8 rows' anonymize "${people[@]}" -k 9 -o none.csv

# Several rows of one person: a class has k persons.
sed 's/Eve/Ann/; s/^name/person/' people.csv >persons.csv
expect 0 out 'k-anonymity k=2 holds' anonymize persons.csv --qi age,zip,sex,income \
    --hierarchy 'zip=mask(right,2)' --rest insensitive --entity person -k 2 --method k-member \
    --keep-order -o release.csv
truth "the two rows of Ann are not alone in a class" \
    test "$(grep -c -F "$(sed -n 2p release.csv | cut -d, -f2-5)" release.csv)" -gt 2

# Two clusters that hold read alike; together they do not, since P1 counts once: they take in the
# third.
cat >alike.csv <<'END'
person,a,b,s
P1,a1,1,x
P2,a2,1,y
P1,a3,1,x
P4,a4,1,y
P5,a5,2,x
P6,a6,2,z
END
expect 0 out 'alpha s alpha=0.5 holds' anonymize alike.csv --qi a,b --hierarchy b=suppress \
    --sensitive s --rest drop --entity person --alpha s=0.5 --method k-member -o release.csv
truth "all are one class" test "$(grep -c -e '^\*,\*,' release.csv)" -eq 6

# ---- What is refused ----------------------------------------------------------------------------
expect 0 out '' anonymize people.csv --qi-set age --qi-set zip \
    --rest drop --method k-member -k 2 -o none.csv
expect 2 err 'no population can be matched' anonymize "${people[@]}" --k-map 2 \
    --population people.csv -o none.csv
expect 2 err 'it is for cell, not for k-member' anonymize "${people[@]}" -k 2 --effort best \
    -o none.csv
expect 0 out '^k-member \(method\)' help k-member

# ---- Time, threads, order of rows -------------------------------------------------------------------
expect 0 out 'warning +the time limit came' anonymize "${people[@]}" -k 2 --time-limit 0.000001 \
    -o release.csv
expect 0 out 'k-anonymity k=2 holds \(measured 8\)' anonymize "${people[@]}" -k 2 \
    --time-limit 0.000001 -o release.csv

# Models of the whole table, with persons and rows at the top: what is found is what is verified.
table() { printf '%s\n' a,s,who "$@" >table.csv; }
whole=(anonymize table.csv --qi a --sensitive s --method k-member --allow-leaks -o release.csv)
table 20,y,p2 0,y,p3 30,y,p1 40,z,p0 30,z,p1 0,z,p2 2,z,p3
expect 0 out 'risk-share threshold=0.34 share=0.5 holds' "${whole[@]}" --hierarchy 'a=intervals(2,4)' \
    --entity who --risk-share 0.34,0.5 --suppress 0 --suppressed exempt
table 20,z,p3 1,x,p6 0,y,p3 1,y,p4 20,x,p3 30,z,p5 0,y,p1 1,z,p7 20,z,p7 0,y,p6 1,z,p0 0,x,p6 1,x,p2
expect 0 out 'mean-risk x=0.3 holds' "${whole[@]}" --hierarchy 'a=intervals(2,4)' --entity who \
    --mean-risk 0.3 --risk-share 0.5,0.3 --suppress 3 --suppressed exempt
table 2,x,p2 40,y,p2 10,z,p3 1,x,p4 30,x,p2 0,x,p4 2,z,p5 0,x,p5 2,z,p0 20,y,p4 2,z,p5
expect 0 out 'mean-risk x=0.2 holds' "${whole[@]}" --hierarchy a=suppress --identifier who \
    --mean-risk 0.2 -k 2 --suppressed exempt

"$MAKE_PATIENTS" patients.csv 3000
patients=(--qi birth,sex,zip --hierarchy 'zip=mask(right)' --identifier name,ssn --rest drop
    --sensitive diagnosis -k 4 --l-diversity diagnosis=2 --method k-member --keep-order)
expect 0 out 'l-diversity diagnosis l=2 holds' anonymize patients.csv "${patients[@]}" --threads 1 \
    -o one.csv
expect 0 out '' anonymize patients.csv "${patients[@]}" --threads 4 -o four.csv
truth "threads make no difference" cmp one.csv four.csv
(head -n 1 patients.csv && tail -n +2 patients.csv | sort -t, -k 4 -r) >sorted.csv
expect 0 out '' anonymize sorted.csv "${patients[@]}" -o other.csv
truth "the order of rows makes no difference" cmp <(sort one.csv) <(sort other.csv)
finish
