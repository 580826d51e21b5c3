#!/bin/bash
# shellcheck disable=SC2054 # lists of columns have commas
# local-suppression: which cells are suppressed in either way of counting, what is refused, and
# sdcMicro's survey.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# Three alike, and three that differ from one of them in one column each.
cat >data.csv <<'END'
name,sex,town,job,income
Ann,f,Aden,cook,10
Bea,f,Aden,cook,20
Cyd,f,Aden,cook,30
Dan,m,Bonn,cook,40
Eve,m,Bonn,nurse,50
Fay,m,Cork,cook,60
END
job=(--qi sex,town,job --identifier name --sensitive income --method local-suppression --keep-order)

# A suppressed cell is a value like any other: the three must be a class.
expect 0 out '^privacy +k-anonymity k=2 holds \(measured 3\)' anonymize data.csv "${job[@]}" -k 2 \
    -o release.csv
expect 0 out '^k +3, the smallest class' check release.csv --qi sex,town,job -k 2
truth "whoever is safe stays as he is" test "$(grep -c '^f,Aden,cook,' release.csv)" -eq 3
truth "the others lose two cells each" test "$(grep -c '^m,\*,\*,' release.csv)" -eq 3

# It matches every value: a job and a town will do.
expect 0 out '^privacy +k-anonymity k=2 holds' anonymize data.csv "${job[@]}" -k 2 \
    --missing-matches all -o release.csv --result result.json
truth "at most two cells are suppressed" test "$(grep -o '\*' release.csv | wc -l)" -le 2
truth "the summary says how cells count" grep -q '^warning.*count as matching every value' out
truth "the result says how suppressed cells count" grep -q '"missing_matches": "all"' result.json
expect 1 out 'k-anonymity k=2 does not hold' check release.csv --qi sex,town,job -k 2
expect 0 out '^k +[23], the fewest rows that match one' check release.csv --qi sex,town,job -k 2 \
    --missing-matches all
expect 0 out 'k-anonymity k=2 holds' anonymize data.csv "${job[@]}" -k 2 --missing-matches all \
    --dry-run

# Important cells stay: the last row can lose either one.
printf 'a,b\n1,2\n1,2\n2,1\n2,1\n2,2\n' >either.csv
either=(--qi a,b --method local-suppression -k 2 --missing-matches all --keep-order -o release.csv)
expect 0 out . anonymize either.csv "${either[@]}" --importance b=2
truth "the first cell goes" test "$(tail -n 1 release.csv)" = '*,2'
expect 0 out . anonymize either.csv "${either[@]}" --importance a=1.5,b=1
truth "the second cell goes" test "$(tail -n 1 release.csv)" = '2,*'

# Combinations of columns.
expect 0 out 'every combination of 1 columns' anonymize data.csv "${job[@]}" -k 2 \
    --missing-matches all --combinations 1 -o release.csv
expect 0 out 'every combination of 2 columns' anonymize data.csv "${job[@]}" -k 2 \
    --combinations 1,2 -o release.csv
expect 0 out . anonymize data.csv "${job[@]}" -k 2 --combinations all -o release.csv
truth "all of them are all columns" test "$(grep -c '^warning' out)" -eq 0
expect 2 err 'published ones are for mu-argus' anonymize data.csv "${job[@]}" -k 2 \
    --combinations published -o release.csv
expect 2 err 'there are 3 quasi-identifier columns' anonymize data.csv "${job[@]}" -k 2 \
    --combinations 4 -o release.csv

# Levels: a column is recoded first, another one keeps its cells.
expect 0 out . anonymize data.csv "${job[@]}" -k 2 --hierarchy 'town=mask(right,1)' \
    --level town=1..2 --level sex=0..0 -o release.csv
truth "towns are recoded before cells are suppressed" grep -q '^f,Ade\*,' release.csv
truth "the sex is not suppressed alone" test "$(grep -Ec '^\*,([^*]|.*,[^*])[^,]*,[^,]*$' release.csv)" -eq 0

# Rows that have nothing in common with others.
printf 'q,r\na,1\na,1\na,1\nb,2\n' >alone.csv
alone=(--qi q,r --method local-suppression -k 2 --keep-order)
expect 0 out '3 released, 1 suppressed' anonymize alone.csv "${alone[@]}" --suppressed drop \
    -o release.csv
truth "the row is left out" test "$(grep -c . release.csv)" -eq 4
expect 0 out '4 released, 1 suppressed' anonymize alone.csv "${alone[@]}" --suppressed exempt \
    -o release.csv
expect 0 out '4 released, 0 suppressed' anonymize alone.csv "${alone[@]}" -o release.csv
# All rows at the top are a class, of which nothing is suppressed.
expect 0 out '4 released, 0 suppressed' anonymize alone.csv "${alone[@]}" --suppress 1 -o release.csv
# A release within the limit is found where the search first suppresses more; where there is none,
# small tables are known to have none.
printf 'q,r,s\na,1,x\na,1,x\na,1,y\nb,2,x\nb,3,x\n' >few.csv
few=(--qi q,r --sensitive s --method local-suppression -k 2 --keep-order)
for treatment in keep drop exempt; do
    expect 0 out '5 released, 0 suppressed' anonymize few.csv "${few[@]}" --suppress 0 \
        --suppressed $treatment -o release.csv
    truth "$treatment: one cell of two rows goes" test "$(grep -c '^b,\*,' release.csv)" -eq 2
    expect 1 err 'no suppression of cells makes a release that holds within 0 suppressed rows' \
        anonymize few.csv "${few[@]}" --suppress 0 --suppressed $treatment --alpha s=0.7 -o other.csv
done
truth "refused jobs write nothing" test ! -e other.csv
# Rows that are left out match nobody.
printf 'a,b,c\n,cedar,9\npine,,20\npine,cedar,9\noak,elm,20\noak,elm,20\nlarch,ash,20\noak,,19\n' >out.csv
for treatment in keep drop exempt; do
    expect 0 out 'k-anonymity k=2 holds' anonymize out.csv --qi a,b,c --method local-suppression -k 2 \
        --missing-matches all --suppressed $treatment --suppress 40% -o release.csv
done
expect 0 out '4 released, 1 suppressed' anonymize alone.csv "${alone[@]}" --missing-matches all \
    -o release.csv

# Other models: classes can be judged, rows that match cannot.
expect 0 out 'l-diversity income l=2 holds' anonymize data.csv "${job[@]}" -k 2 \
    --l-diversity income=2 -o release.csv
expect 2 err 'missing-matches all.*l-diversity needs classes' anonymize data.csv "${job[@]}" -k 2 \
    --l-diversity income=2 --missing-matches all -o release.csv
expect 2 err 'missing-matches all.*l-diversity needs classes' check data.csv --qi sex \
    --sensitive income --l-diversity income=2 --missing-matches all
expect 2 err 'it is for local-suppression' anonymize data.csv --qi sex,town,job --identifier name \
    --sensitive income -k 2 --importance sex=2 -o release.csv
expect 0 out "" anonymize data.csv --qi-set sex,town,job --qi-set job "${job[@]:2}" -k 2 -o x.csv

# ---- Surveys ------------------------------------------------------------------------------------
# The fewest rows that match one, by distinct tuples with their counts.
fewest() { # fewest FILE all|itself
    tail -n +2 "$1" | sort | uniq -c | sed 's/^ *//; s/ /,/' | awk -F, -v way="$2" '
        { n++; for (i = 1; i <= 8; i++) cell[n, i] = $i }
        END {
            least = 1e9
            for (t = 1; t <= n; t++) {
                count = 0
                for (u = 1; u <= n; u++) {
                    match_ = 1
                    for (i = 2; i <= 8 && match_; i++)
                        match_ = cell[t, i] == cell[u, i] ||
                            (way == "all" && (cell[t, i] == "*" || cell[u, i] == "*"))
                    if (match_) count += cell[u, 1]
                }
                if (count < least) least = count
            }
            print least
        }'
}
cells() { tail -n +2 "$1" | grep -o '\*' | wc -l; }

# judge_survey TABLE: lines on stdin say how many cells a simple greedy needs at each k that looks
# again after each cell.
judge_survey() {
    local survey=("$1" --qi urbrur,roof,walls,water,electcon,relat,sex --rest drop
        --method local-suppression) k most found
    while read -r k most; do
        expect 0 out "k-anonymity k=$k holds \(measured $k\)" anonymize "${survey[@]}" -k "$k" \
            --missing-matches all -o release.csv
        found=$(cells release.csv)
        echo "# k = $k: $found cells"
        truth "k = $k: at most $most cells, not $found" test "$found" -le "$most"
        truth "k = $k: enough rows match" test "$(fewest release.csv all)" -ge "$k"
        expect 0 out . anonymize "${survey[@]}" -k "$k" -o release.csv
        echo "# k = $k, suppressed cells as values: $(cells release.csv) cells"
        truth "k = $k: classes are large enough" test "$(fewest release.csv itself)" -ge "$k"
    done
    expect 0 out . anonymize "${survey[@]}" -k 5 -o one.csv --threads 1 --seed 1
    expect 0 out . anonymize "${survey[@]}" -k 5 -o four.csv --threads 4 --seed 1
    truth "threads make no difference" cmp one.csv four.csv
}
standin=$SOURCE/tests/standin
judge_survey "$standin/data/sdcmicro/survey.csv" <"$standin/golden/cells.tsv"
if [ -z "${SHARED:-}" ]; then
    echo "skipped: the survey of sdcMicro, ../shared is not there"
    finish
fi
# sdcMicro needs 157, 293, 500.
judge_survey "$SHARED/data/sdcmicro/testdata.csv" <<'END'
2 113
3 185
5 310
END
finish
