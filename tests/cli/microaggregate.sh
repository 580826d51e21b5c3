#!/bin/bash
# --method microaggregate: releases, refusals, results, and values of another program.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

value_of() { # key
    sed -n 's/^ *"'"$1"'": \([-0-9.e+]*\),*$/\1/p' out | head -1
}
# near GOT WANTED: the same number to the digits that are wanted.
near() {
    awk -v got="$1" -v wanted="$2" 'BEGIN {
        digits = length(wanted) - index(wanted, ".")
        exit !(got != "" && sprintf("%.*f", digits, got) == wanted) }'
}
release_is() { # NAME, lines on stdin
    if difference=$(diff - release.csv); then ok "$1"; else not_ok "$1" "$difference"; fi
}
micro=(--method microaggregate --keep-order -o release.csv)

# Two groups far from each other.
cat >data.csv <<'END'
age,income,born,town,disease
20,1000,1990-01-01,Ayr,flu
21,1100,1990-01-02,Ayr,cold
23,1200,1990-01-04,Bath,flu
60,5000,1950-06-01,Bath,cold
61,5000.5,1950-06-02,Bath,flu
62,5001,1950-06-02,Ayr,flu
END
rest=(--rest insensitive)
expect 0 out '^averages +2 groups, .* of the variance lost' anonymize data.csv --qi age,income \
    --rest drop -k 3 "${micro[@]}"
release_is "means" <<'END'
age,income
21.3333333333333,1100
21.3333333333333,1100
21.3333333333333,1100
61,5000.5
61,5000.5
61,5000.5
END
truth "no lattice was searched" grep -qx 'method      microaggregate' out
expect 0 out '' anonymize data.csv --qi age,income --rest drop -k 3 "${micro[@]}" --replace median
truth "--replace median releases medians" grep -qx '21,1100' release.csv
expect 0 out '' anonymize data.csv --qi age,income --rest drop -k 3 "${micro[@]}" --replace range
truth "--replace range releases ranges" grep -qxF '20-23,"[1000,1200]"' release.csv
expect 0 out '' anonymize data.csv --qi age --rest drop -k 2 "${micro[@]}"
release_is "one column" <<'END'
age
21.3333333333333
21.3333333333333
21.3333333333333
61
61
61
END

# Dates are days.
expect 0 out '' anonymize data.csv --qi age,born --rest drop -k 3 "${micro[@]}"
truth "means of dates are rounded to the day" grep -qx '21.3333333333333,1990-01-02' release.csv
expect 0 out '' anonymize data.csv --qi born --rest drop -k 3 "${micro[@]}" --replace range
truth "--replace range releases ranges of dates" grep -qxF '"[1990-01-01,1990-01-04]"' release.csv

# Models beside k.
expect 0 out 'l-diversity disease l=2 holds' anonymize data.csv --qi age,income --rest drop \
    --sensitive disease -k 2 --l-diversity disease=2 "${micro[@]}"
expect 0 out 't-closeness disease t=0.01 equal holds' anonymize data.csv --qi age,income \
    --rest drop --sensitive disease -k 2 --t-closeness disease=0.01 "${micro[@]}"
expect 0 out '^averages +1 group, ' anonymize data.csv --qi age,income --rest drop \
    -k 2 --mean-risk 0.2 "${micro[@]}"
expect 1 err 'not even all rows as one group hold the models' anonymize data.csv \
    --qi age,income --rest drop --sensitive disease --entropy-l disease=1.99 "${micro[@]}"
expect 1 err 'k = 7' anonymize data.csv --qi age,income --rest drop -k 7 "${micro[@]}"

# What is refused.
expect 2 err 'column "town" holds texts; microaggregate replaces numbers.*--method mondrian' \
    anonymize data.csv --qi age,town "${rest[@]}" -k 2 "${micro[@]}"
expect 2 err '^mingle: --level: microaggregate releases averages' anonymize data.csv --qi age \
    --level age=1..1 "${rest[@]}" -k 2 "${micro[@]}"
expect 0 out '' anonymize data.csv --qi-set age --qi-set income "${rest[@]}" --insensitive born,town \
    -k 2 "${micro[@]}"
expect 2 err 'no population can be' anonymize data.csv --qi age "${rest[@]}" -k 2 \
    --population data.csv --k-map 2 "${micro[@]}"
expect 2 err '^mingle: --replace: it is for microaggregate, not for mingen' anonymize data.csv \
    --qi age "${rest[@]}" -k 2 --method mingen --replace mean -o release.csv
expect 2 err 'give mean, median or range' anonymize data.csv --qi age "${rest[@]}" -k 2 \
    "${micro[@]}" --replace mode

# Missing cells stay together, or the column is lost for their group.
printf 'a,b\n1,5\n2,6\n,7\n,9\n50,20\n60,\n61,20\n' >gaps.csv
expect 0 out '' anonymize gaps.csv --qi a,b -k 2 "${micro[@]}"
release_is "missing cells" <<'END'
a,b
1.5,5.5
1.5,5.5
,8
,8
57,*
57,*
57,*
END
# A mean that reads like a missing cell is written otherwise.
printf 'a\n-1\n1\n0\n0\n' >zero.csv
expect 0 out '' anonymize zero.csv --qi a -k 2 --missing 0 "${micro[@]}"
truth "0.0 is no missing cell" test "$(grep -cx '0.0' release.csv)" -eq 2

# The result says how far the averages are from the numbers, for this method only.
expect 0 out '"microaggregation": \{' anonymize data.csv --qi age,income --rest drop -k 3 \
    "${micro[@]}" --json
truth "the result counts the groups" test "$(value_of groups)" = 2
truth "sst is rows times columns" near "$(value_of sst)" 12.000000000
truth "averages have no precision" grep -q '"precision": null' out
expect 0 out '' anonymize data.csv --qi age --rest drop -k 3 --method mingen -o release.csv --json
truth "others have no averages" test "$(grep -c microaggregation out)" -eq 0
expect 0 out '^  what +groups of rows with near numbers' help microaggregate

# judge_averages TABLE: lines on stdin say what is lost at each k; the last is k = 10. The order of
# rows makes no difference.
judge_averages() {
    local table=$1 columns k share il1s percent
    columns=$(head -1 "$table" | tr -d '\r')
    while read -r k share il1s; do
        expect 0 out '' anonymize "$table" --qi "$columns" -k "$k" "${micro[@]}" --json
        percent=$(awk -v x="$(value_of sse_share)" 'BEGIN { printf "%.14f", 100 * x }')
        truth "k = $k: SSE/SST $percent %, must be $share" near "$percent" "$share"
        [ "$il1s" = - ] ||
            truth "IL1s $(value_of il1s), must be $il1s" near "$(value_of il1s)" "$il1s"
    done
    LC_ALL=C sort release.csv >sorted.csv
    { head -1 "$table"; tail -n +2 "$table" | tac; } >backwards.csv
    expect 0 out '' anonymize backwards.csv --qi "$columns" -k 10 "${micro[@]}"
    truth "rows in another order" cmp sorted.csv <(LC_ALL=C sort release.csv)
}
# Averages that all happen to be values of the column are averages to `utility --against`, which then
# does not claim that nothing was lost; a range of one value is that value.
printf 'a,s\n1,x\n2,y\n3,x\n7,y\n8,x\n9,y\n' >odd.csv
expect 0 out '' anonymize odd.csv --qi a --sensitive s -k 3 --method microaggregate --replace median -o odd.out.csv \
    --result odd.json --quiet
expect 0 out 'the release has averages' utility odd.csv odd.out.csv --against odd.json
expect 0 out '"precision": null' utility odd.csv odd.out.csv --against odd.json --json
printf 'a,s\n1,x\n1,y\n2,x\n2,y\n' >even.csv
expect 0 out '' anonymize even.csv --qi a --sensitive s -k 2 --method microaggregate --replace range -o even.out.csv \
    --result even.json --quiet
expect 0 out 'precision 1.0000' utility even.csv even.out.csv --against even.json
standin=$SOURCE/tests/standin # by a plain MDAV
judge_averages "$standin/data/sdcmicro/accounts.csv" <"$standin/golden/averages.tsv"
if [ -z "${SHARED:-}" ]; then
    echo "skipped: values of sdcMicro, ../shared is not there"
    finish
fi
judge_averages "$SHARED/data/sdcmicro/CASCrefmicrodata.csv" <<'END'
3 5.6921862788 1607.93990880
5 9.0884354976 -
10 14.1559304253 -
END
finish
