#!/bin/bash
# Differential privacy by sampling and k (--dp): sampling rate and k by a plain judge, random releases
# of drawn tables, what results tell, and what goes together with it.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

drawn 'BEGIN { seed(31); print "id,age,sex,region,job,disease"
    split("north,south,east,west", region, ","); split("nurse,baker,smith,clerk,judge", job, ",")
    for (i = 1; i <= 4000; i++)
        printf "%d,%d,%s,%s,%s,%s\n", i, 18 + int(uniform() * 40), uniform() < 0.5 ? "f" : "m",
            region[1 + int(uniform() * uniform() * 4)], job[1 + int(uniform() * uniform() * 5)],
            substr("abcd", 1 + int(uniform() * 4), 1) }' >t.csv
printf '%s\n' 'north;upper;*' 'west;upper;*' 'south;lower;*' 'east;lower;*' >region.csv
printf '%s\n' 'works by hand: baker, smith' 'works by head: clerk, judge, nurse' >job.txt
trees=(--hierarchy 'age=intervals(10,20,40)' --hierarchy sex=suppress --hierarchy region=region.csv
    --hierarchy 'job=groups(job.txt)')
columns=(--qi 'age,sex,region,job' --rest drop "${trees[@]}")
given=(--level 'age=2,sex=0,region=1,job=1')

# The judge: rows, classes, levels, figures, for given and for chosen levels.
judge() { # judge NAME OPTION...
    local name=$1
    shift
    expect 0 out '' anonymize t.csv "${columns[@]}" "$@" -o out.csv --result out.json \
        --report out.html --save-promise promise.json --statement statement.json --overwrite
    truth "$name: the release keeps its promise, and tells nothing else" \
        python3 "$SOURCE/tests/cli/differential.py" judge t.csv out.csv out.json promise.json
    expect 0 out 'agrees' check out.csv --against out.json
    expect 0 out '' statement out.csv --promise promise.json
}
judge "levels given" "${given[@]}" --dp 1,1e-6
judge "a small epsilon" --level 'age=3,sex=1,region=2,job=1' --dp 0.3,1e-4
judge "a larger k" "${given[@]}" --dp 1,1e-6 -k 150
judge "levels chosen" --dp 1.5,1e-5
judge "levels chosen within bounds, with a share" --level 'age=2..,sex=0' --dp 2,1e-4 --dp-search 0.5
judge "a policy of k" "${given[@]}" --dp 1,1e-6 --anonymity-level 0.95

# The sampling rate and k are those of the theorem, by fractions.
truth "sampling rate and k" python3 "$SOURCE/tests/cli/differential.py" parameters "$MINGLE" \
    "$SOURCE/docs/differential-privacy.md"

# Samples differ, and so does the order of rows; the summary says what is left out.
expect 0 out 'differential privacy, epsilon 1, delta' anonymize t.csv "${columns[@]}" \
    "${given[@]}" --dp 1,1e-6 -o a.csv --overwrite
truth "the summary tells no rows of the table" bash -c '! grep -Eq "4,?000" out'
expect 0 out '' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 -o b.csv
truth "another run draws another sample" bash -c '! cmp -s a.csv b.csv'

# What is checked of a release: all columns, k, levels.
expect 0 out '' check a.csv --qi age,sex,region,job --dp 1,1e-6
expect 1 out '' check t.csv --qi age,sex,region,job,id,disease --dp 1,1e-6
expect 2 err "column 'job' is not counted" check a.csv --qi age,sex,region --dp 1,1e-6
truth "a result that was changed is found out" python3 "$SOURCE/tests/cli/differential.py" tamper \
    "$MINGLE" out.csv out.json

# The same of a stream, with little memory, into other formats, by a job file, and by a job that is
# saved.
expect 0 out '' anonymize - "${columns[@]}" "${given[@]}" --dp 1,1e-6 -o out.csv --overwrite <t.csv
expect 0 out '' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 --memory 1M -o out.csv \
    --overwrite
expect 0 out '' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 -o out.jsonl
expect 0 out '' anonymize t.csv "${columns[@]}" --dp 1.5,1e-5 --save-job saved.yaml -o s.csv \
    --result s.json
truth "a saved job says what the choice of levels had" grep -q 'dp-search: .*0.15' saved.yaml
expect 0 out '' anonymize saved.yaml --overwrite
expect 0 out '' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 --dry-run

# Commands that would show counts of the whole table refuse such a job.
sed -i '/^output\|^result\|^overwrite/d' saved.yaml
for command in preview what-if compare lattice; do
    expect 2 err 'only mingle anonymize draws' "$command" saved.yaml
done

# Nothing that is frequent enough: nothing is released, and an older file stays.
cp a.csv kept.csv
expect 1 err 'nothing is released' anonymize t.csv "${columns[@]}" --level 'age=0,sex=0,region=0,job=0' \
    --dp 1,1e-6 -o kept.csv --overwrite
truth "an older release stays" cmp a.csv kept.csv

# What depends on the data in another way is refused, and what does not is taken; nothing that was
# taken breaks the promise.
truth "older options beside it" python3 "$SOURCE/tests/cli/differential.py" options "$MINGLE" t.csv

expect 2 err 'no EPSILON,DELTA' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1 -o x.csv
expect 2 err 'no EPSILON,DELTA' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 0,1e-6 -o x.csv
expect 2 err 'no EPSILON,DELTA' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,0.5 -o x.csv
expect 2 err 'no EPSILON,DELTA' anonymize t.csv "${columns[@]}" "${given[@]}" --dp nan,1e-6 -o x.csv
expect 2 err 'more than half' anonymize t.csv "${columns[@]}" --dp 1,1e-6 --dp-search 0.6 -o x.csv
expect 2 err 'every column is given one' anonymize t.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 \
    --dp-search 0.1 -o x.csv
expect 2 err 'less than 0.000001' anonymize t.csv "${columns[@]}" --dp 1,1e-6 --dp-search 1e-7 -o x.csv
expect 2 err 'is a part of the epsilon' anonymize t.csv "${columns[@]}" "${given[@]}" -k 2 \
    --dp-search 0.1 -o x.csv
expect 2 err 'levels 0..2' anonymize t.csv "${columns[@]}" --level 'age=2,sex=0,region=5,job=1' \
    --dp 1,1e-6 -o x.csv

# Hierarchies that do not depend on other values, and such that take something from the data.
truth "hierarchies that are taken do not depend on other values" \
    python3 "$SOURCE/tests/cli/differential.py" fixed "$MINGLE"
truth "whether a table is refused does not depend on other rows, nor do types" \
    python3 "$SOURCE/tests/cli/differential.py" others "$MINGLE"
printf '%s\n' '1:1-5' '2:6-10' >job.grc
for tree in job.grc 'mask(right)' 'rare(5)' 'columns(sex)' 'dates(month)' labels 'grid(1)' icd10; do
    expect 2 err 'takes something from the data' anonymize t.csv --qi job --rest drop \
        --hierarchy "job=$tree" --dp 1,1e-6 -o x.csv
done
expect 2 err 'has no hierarchy' anonymize t.csv --qi job --rest drop --dp 1,1e-6 -o x.csv
sed '2s/,[0-9]*,/,20.5,/' t.csv >broken.csv
expect 3 err 'no whole numbers' anonymize broken.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 -o x.csv
sed '2s/north\|south\|east\|west/abroad/' t.csv >broken.csv
expect 3 err 'region' anonymize broken.csv "${columns[@]}" "${given[@]}" --dp 1,1e-6 -o x.csv
truth "nothing was written" test ! -e x.csv
finish
