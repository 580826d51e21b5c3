#!/bin/bash
# Sets of items: what is released of them, what the verifier, check and the audit ask of them, and
# what is refused.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "released items are what the definition asks for, and no cut that is called the best is beaten" \
    python3 "$SOURCE/tests/cli/items.py" "$MINGLE" 11 60

rm -f out.csv
{
    echo id,age,zip,dx
    for i in $(seq 0 59); do
        echo "$i,$((30 + i % 10)),1011$((i / 7 % 3)),\" A0$((i % 3)); B1$((i % 2))\""
    done
    echo '60,31,10110,C20;A00'
    echo '61,32,10111,'
    echo '62,33,10112,A00;A00'
} >in.csv
printf '%s\n' 'A00,A,*' 'A01,A,*' 'A02,A,*' 'B10,B,*' 'B11,B,*' 'C20,C,*' >dx.csv
order=(anonymize in.csv --identifier id,age,zip --hierarchy dx=dx.csv --keep-order -o out.csv)

# A table of items alone.
expect 0 out 'items +dx: 5\^2-anonymity holds \(the rarest of 11 combinations: 10\), ncp 0.0081, the best possible; 1 item left out \(1 occurrence\)' \
    "${order[@]}" --km dx=5 --result result.json
truth "items are in order, without blanks, each once" test \
    "$(sed -n '2p;62,64p' out.csv | tr '\n' ' ')" = 'A00;B10 A00  A00 '
expect 0 out 'agrees with' check out.csv --against result.json
expect 0 out '' report result.json -o report.html
truth "the report tells of items" grep -q 'What was done to sets of items' report.html
expect 0 out 'dx: 10\^2-anonymity holds' check out.csv --km dx=10
expect 1 out 'dx: 11\^2-anonymity DOES NOT HOLD' check out.csv --km dx=11
expect 1 out 'DOES NOT HOLD \(the rarest of .* combinations: 1\)' check in.csv --km dx=2
expect 0 out 'dx: 3\^1-anonymity holds' "${order[@]}" --km dx=3,1 --dry-run

# Cells of one item each are items, too.
printf '%s\n' id,dx 1,A 2,A 3,B 4,B 5,C >single.csv
for separator in "" "--km-separator ;"; do
    # shellcheck disable=SC2086 # an option and its value
    expect 0 out 'warning +no cell of column dx has .* in it: each cell is one item' anonymize single.csv \
        --identifier id --km dx=2 $separator --keep-order -o single_out.csv --overwrite --result single.json
    expect 0 out 'agrees with' check single_out.csv --against single.json
done
truth "a rare item is left out" test "$(tr '\n' ' ' <single_out.csv)" = 'dx A A B B "" '

# A release that shows more than its result says, or a rare combination.
sed '2s/.*/A00;B10;C/' out.csv >tampered.csv
expect 1 out 'items.released.rare: the result claims 0' check tampered.csv --against result.json
sed '2s/A00/A01/' out.csv >tampered.csv
expect 1 out 'items.cut.A00: the result claims' check tampered.csv --against result.json
sed 's/"k": 5/"k": 4/' result.json >wrong.json
expect 1 out 'items.k: the result claims 4, and elsewhere 5' check out.csv --against wrong.json
sed 's/"ncp": 0.008[0-9]*/"ncp": 0/' result.json >wrong.json
expect 1 out 'items.ncp: the result claims' check out.csv --against wrong.json

# Beside quasi-identifiers; a job file; classes.
cat >job.yaml <<'END'
data: in.csv
output: out.csv
attributes:
  id: {role: identifier}
  age: {role: quasi, hierarchy: intervals(10)}
  zip: {role: quasi, hierarchy: mask(right)}
  dx: {km: "5,2", hierarchy: dx.csv}
km-separator: ";"
method: mingen
k: 5
suppress: 5%
END
expect 0 out 'privacy +k-anonymity k=5 holds' anonymize job.yaml
expect 0 out 'items +dx: 5\^2-anonymity within classes holds' anonymize job.yaml --km-within
expect 0 out '' anonymize job.yaml --km-within --result within.json
expect 0 out 'agrees with' check out.csv --against within.json
expect 0 out '' compare job.yaml --methods mingen,cell
expect 0 out '' anonymize job.yaml --where 'age > 31' --sample 50 --entity id
expect 0 out '' anonymize job.yaml --save-job saved.yaml
truth "a saved job has the items" grep -Eq "km: .?5,2" saved.yaml
expect 0 out 'items +dx: 5.2-anonymity holds' anonymize saved.yaml

# A recoding has the cut: other rows get it, or are refused if it does not hold on them.
expect 0 out '' anonymize job.yaml --save-recoding saved.rec
expect 0 out 'dx: C20 -> left out' recoding show saved.rec
expect 0 out 'items +dx: 5.2-anonymity holds' apply in.csv --recoding saved.rec -o again.csv
truth "the same rows are released" test "$(sort out.csv | md5sum)" = "$(sort again.csv | md5sum)"
head -12 in.csv >other.csv
expect 1 err 'some combination of at most 2 items is shown by fewer than 5 of the rows given' \
    apply other.csv --recoding saved.rec --suppress 100% -o again.csv
expect 2 err 'combinations of items are not judged together with an earlier release' \
    apply other.csv --recoding saved.rec --with out.csv --suppress 100% -o again.csv
expect 0 out '' anonymize job.yaml --result result.json
expect 0 out 'sets of items with ";" between' codebook result.json

# What is refused, with what to do.
expect 2 err "'0' is no K,M; give K, a number of rows of at least 1" "${order[@]}" --km dx=0
expect 2 err "'5,4' is no K,M.* 1, 2 or 3" "${order[@]}" --km dx=5,4
expect 2 err 'there is no column "who"' anonymize in.csv --rest drop --km who=5 -o out.csv
expect 2 err "column 'dx' is a quasi-identifier" anonymize in.csv --rest drop --qi age,dx -k 2 --km dx=5 -o out.csv
expect 2 err "column 'dx' is sensitive" anonymize in.csv --rest drop --qi age --sensitive dx -k 2 --km dx=5 -o out.csv
expect 2 err "column 'dx' is an identifier" anonymize in.csv --rest drop --qi age --identifier dx -k 2 --km dx=5 -o out.csv
expect 2 err "column 'dx' has a treatment as well" "${order[@]}" --km dx=5 --treat dx=upper
expect 2 err "column 'dx' is linked" anonymize in.csv --rest drop --qi age -k 2 --km dx=5 --linked age,dx -o out.csv
expect 2 err "column 'dx' tells persons apart" "${order[@]}" --km dx=5 --entity dx
expect 2 err "would be a second column of items" anonymize in.csv --rest drop --km dx=5 --km age=5 -o out.csv
expect 2 err "km-within says more about a column of items" anonymize in.csv --rest drop --qi age -k 2 --km-within -o out.csv
expect 2 err "k-anonymity is about rows that look alike" "${order[@]}" --km dx=5 -k 2
expect 2 err "km-within is about rows that look alike" "${order[@]}" --km dx=5 --km-within
expect 2 err "population is about rows that look alike" "${order[@]}" --km dx=5 --population in.csv
expect 2 err "fold-case" "${order[@]}" --km dx=5 --fold-case
expect 2 err 'columns\(...\) gives whole cells' anonymize in.csv --rest drop --km dx=5 --hierarchy 'dx=columns(age)' -o out.csv
expect 3 err "is not in the hierarchy" "${order[@]}" --km dx=5 --km-separator '|'
grep -v C20 dx.csv >lacking.csv
expect 3 err "lacking.csv: the value .* of column 'dx' is not in the hierarchy \(in.csv:62\)" \
    anonymize in.csv --rest drop --km dx=5 --hierarchy dx=lacking.csv -o out.csv
sed 's/,A,/,A; or so,/' dx.csv >separated.csv
expect 3 err "has the separator of the items in it" \
    anonymize in.csv --rest drop --km dx=5 --hierarchy dx=separated.csv -o out.csv

# More combinations than anybody enumerates are refused before that begins.
{
    echo dx
    python3 -c 'print("\n".join([";".join(f"i{n}" for n in range(900))] * 10))'
} >long.csv
expect 2 err 'show 1.22e\+09 combinations of at most 3 items, and at most 1e\+09 .*longest row has 900 items' \
    check long.csv --km dx=5,3
