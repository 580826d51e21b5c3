#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Slices of a table that lies on several machines: some have no rows, of some all rows are dropped.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
roles=(--qi a,b --sensitive s)
search=(--method mingen -k 2 --hierarchy a=suppress --hierarchy b=suppress --suppress 2)

printf 'a,b,s\nx,p,1\nx,p,2\n' >one.csv
printf 'a,b,s\ny,q,1\nz,r,2\n' >two.csv
printf 'a,b,s\n' >empty.csv
for slice in one two empty; do
    expect 0 out 'written' count $slice.csv "${roles[@]}" -o $slice.part
done
expect 0 out '^rows +4 read' check empty.part one.part two.part -k 1

for treatment in drop keep exempt; do
    expect 0 out '^rows +4 read' anonymize empty.part one.part two.part "${search[@]}" \
        --suppressed $treatment --save-recoding found.rec
    for slice in one two empty; do
        expect 0 out '^rows' apply found.rec $slice.csv -o release_$slice.csv --keep-order
    done
    truth "$treatment: the first slice stays" cmp one.csv release_one.csv
    truth "$treatment: of no rows the header" cmp empty.csv release_empty.csv
    expected='a,b,s'
    [ $treatment = drop ] || expected=$'a,b,s\n*,*,1\n*,*,2'
    truth "$treatment: the second slice" test "$(cat release_two.csv)" = "$expected"
    expect 0 out '^rows' apply found.rec two.csv -o release.csv --result result.json
    truth "$treatment: its rows are suppressed" grep -q '"suppressed_rows": 2' result.json
done

# A table of its own must be a release of its own; a whole table needs rows.
printf 'a,b,s\ny,q,2\nz,r,1\n' >other.csv
expect 0 out '' anonymize one.part two.part "${search[@]}" --suppressed drop \
    --save-recoding found.rec
expect 1 err 'every row would be dropped' apply found.rec other.csv -o x.csv
expect 3 err 'empty.csv: there is a header but there are no rows' anonymize empty.csv \
    "${roles[@]}" -k 1 -o x.csv
expect 3 err 'empty.part: the parts have no rows' anonymize empty.part "${search[@]}" \
    --save-recoding x.rec
expect 3 err 'empty.csv: there is a header but there are no rows' check empty.csv --qi a -k 1
truth "empty slices write nothing" test ! -e x.csv -a ! -e x.rec
finish
