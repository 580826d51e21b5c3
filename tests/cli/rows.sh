#!/bin/bash
# Rows that a job leaves out (--where, --sample): nothing else sees them, whatever the source, and
# results count them.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

sqlite=('sqlite:r.db?table=t')
if "$MINGLE" check 'sqlite:none.db?table=t' --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    sqlite=()
fi
truth "random conditions and samples leave the right rows" \
    python3 "$SOURCE/tests/cli/rows.py" "$MINGLE" 7 12 "${sqlite[@]}"

# A table large enough to be read by several threads, and the same without the rows that go.
drawn 'BEGIN { seed(5); print "id,age,zip,region,year,disease"
    for (i = 1; i <= 60000; i++)
        printf "%d,%s,%05d,%d,%d,%s\n", i % 20000, uniform() < 0.1 ? "NA" : 18 + int(uniform() * 70),
            int(uniform() * 50) * 100, 1 + int(uniform() * 4), 2019 + int(uniform() * 8),
            substr("abcd", 1 + int(uniform() * 4), 1) }' >t.csv
awk -F, 'NR == 1 || ($5 >= 2023 && ($4 == 1 || $4 == 2))' t.csv >few.csv
how=(--qi age,zip --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20,40)'
    --sensitive disease --identifier id --rest insensitive --insensitive region -k 5 --suppress 1% --seed 1
    --method mingen --l-diversity disease=2)
where=(--where 'year >= 2023 and region in (1, 2)')
expect 0 out '' anonymize few.csv "${how[@]}" -o few_out.csv --result few.json
for threads in 1 3; do
    expect 0 out '60,000 read, [0-9,]+ left out by the condition' anonymize t.csv "${how[@]}" \
        "${where[@]}" -o out.csv --threads "$threads" --result "all.json" --save-recoding r.rec
    truth "$threads threads: as if there were no other rows" cmp few_out.csv out.csv
done
truth "the figures are the same, too" python3 -c '
import json
few, all = json.load(open("few.json")), json.load(open("all.json"))
told = all.pop("row_choice")
assert all.pop("left_out_rows") == 60000 - few["rows"] == told["where"] and told["read"] == 60000
for key in set(few) | set(all):
    if key not in ("seconds", "audit", "output"):
        assert few[key] == all[key], key
assert all["audit"]["job"]["where"] == "year >= 2023 and region in (1, 2)"'
expect 0 out 'agrees' check out.csv --against all.json
sed 's/"where": [0-9]*,/"where": 1,/' all.json >changed.json
expect 1 out 'row_choice' check out.csv --against changed.json
expect 0 out '' anonymize t.csv "${how[@]}" "${where[@]}" -o out.csv --memory 1M
truth "the same with little memory" cmp few_out.csv out.csv
expect 0 out '' anonymize - "${how[@]}" "${where[@]}" -o out.csv <t.csv
truth "the same of a stream" cmp few_out.csv out.csv

# Conditions speak of cells as they are in the table, treatments come after them.
treat=(--treat 'year=top(2024)' --treat 'region=constant(x)')
expect 0 out '' anonymize few.csv "${how[@]}" "${treat[@]}" -o treated_few.csv
expect 0 out '' anonymize t.csv "${how[@]}" "${treat[@]}" "${where[@]}" -o treated.csv
truth "columns are treated after rows are chosen" cmp treated_few.csv treated.csv
expect 0 out '' anonymize few.csv "${how[@]}" --treat 'year=quantiles(3)' -o treated_few.csv
expect 0 out '' anonymize t.csv "${how[@]}" --treat 'year=quantiles(3)' "${where[@]}" -o treated.csv
truth "quantiles are those of the rows that are chosen" cmp treated_few.csv treated.csv

# What other commands see.
rows=$(($(wc -l <few.csv) - 1))
expect 0 out "\"rows\": $rows" risk t.csv --qi age,zip "${where[@]}" --json
expect 0 out "\"rows\": $rows" lattice t.csv --qi age,zip -k 5 "${where[@]}" --json
expect 0 out "\"rows\": $rows" check t.csv --qi age,zip -k 1 "${where[@]}" --json
expect 0 out "\"rows\": $rows" compare t.csv --qi age,zip -k 5 --rest drop "${where[@]}" --json \
    --methods mingen,datafly
expect 0 out "\"rows\": $rows" utility t.csv few.csv --qi age,zip "${where[@]}" --json
expect 0 out '' count t.csv --qi age,zip --rest drop "${where[@]}" -o all.part
expect 0 out '' count few.csv --qi age,zip --rest drop -o few.part
truth "a part of the chosen rows" cmp all.part few.part
expect 2 err 'those of a part are counted already' lattice few.part --qi age,zip -k 5 "${where[@]}"
# The condition belongs to the job that searched, not to the recoding: apply has its own.
expect 0 out '' apply r.rec few.csv -o applied.csv --seed 1
expect 0 out '' apply r.rec t.csv "${where[@]}" -o applied2.csv --seed 1
truth "a recoding is applied to the rows that are chosen" cmp applied.csv applied2.csv

# A job file says which rows are released. A release that is checked with it is checked whole.
cat >job.yaml <<'END'
data: t.csv
where: year >= 2023 and region in (1, 2)
attributes:
  age: {role: quasi, hierarchy: "intervals(5,10,20,40)"}
  zip: {role: quasi, hierarchy: "mask(right)"}
rest: drop
privacy: [{k-anonymity: 5}]
suppress: 1%
method: mingen
output: job_out.csv
END
expect 0 out 'left out by the condition' anonymize job.yaml --save-job saved.yaml
truth "saved jobs have the condition" grep -q 'where: .*year >= 2023' saved.yaml
expect 0 out 'k-anonymity' check job_out.csv --qi age,zip -k 5
expect 0 out '' anonymize job.yaml --where 'year = 2020' -o job_out.csv

# Persons are drawn as a whole, and the seed is nowhere.
expect 0 out '60,000 read, 57,[0-9]+ not drawn' anonymize t.csv --qi age,zip --entity id -k 2 \
    --sensitive disease --rest insensitive --insensitive region --suppress 100% --method mingen \
    --sample 1000 \
    --sample-seed 987654321 --report r.html --result r.json --save-job r.yaml --save-recoding r.rec \
    -o out.csv
truth "all three rows of each person" python3 -c '
import json
assert json.load(open("r.json"))["rows"] == 3000'
truth "the seed of the sample is in no file" test -z "$(grep -al 987654321 r.html r.json r.yaml r.rec out.csv)"
truth "the report tells of it" grep -q 'not drawn for the sample of 1000' r.html

# What is wrong, where, and what to do.
wrong() { # wrong CONDITION PATTERN
    expect 2 err "$2" anonymize t.csv "${how[@]}" --where "$1" -o out.csv
}
wrong 'year >= and region = 1' 'at character 9, before "and region = 1", a value must stand'
wrong 'year' 'at its end a comparison must stand'
wrong 'year = region' 'before "region", a value must stand: columns are compared with values only'
wrong "year in (1, 'a')" "of another kind than the one before"
wrong 'year = 2020 region = 1' 'and, or, or the end must stand'
wrong "disease = 'a" 'does not end'
wrong '(year = 2020' 'and, or, or \) must stand'
wrong 'year = 12x' 'neither a number nor a day'
wrong 'yeer = 1' 'there is no column "yeer"; did you mean "year"\? the columns are: id, age'
wrong "$(printf '(%.0s' {1..200})" 'too much in one another'
expect 3 err 't.csv:2: --where compares column "disease" with a number' anonymize t.csv "${how[@]}" \
    --where 'disease > 1' -o out.csv
expect 3 err 'no row satisfies --where' anonymize t.csv "${how[@]}" --where 'year = 1' -o out.csv
expect 2 err 'is no size of a sample' anonymize t.csv "${how[@]}" --sample 120% -o out.csv
expect 2 err 'say how large it is with --sample' anonymize t.csv "${how[@]}" --sample-seed 1 -o out.csv
expect 2 err 'leave --where and --sample out' risk t.csv --advise --where 'year = 2020'
expect 2 err 'does not belong to attack' attack few_out.csv --external few.csv --qi age,zip \
    --where 'year = 2020'
finish
