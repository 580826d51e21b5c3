#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Rows at the top: what each treatment makes of them, in every command, and under level bounds.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

number() { # FILE KEY: the first whole number that the key has
    sed -n "s/^ *\"$2\": \([0-9]*\).*/\1/p" "$1" | head -1
}

# A lone row of tops is a unique row of the table; exempt, it is none.
printf 'a,s\nx,1\nx,2\n*,1\n' >release.csv
printf 'a,s\nx,1\nx,2\ny,1\n' >table.csv
expect 1 out 'sample-uniqueness' check release.csv --qi a --sample-uniqueness 0
expect 1 out 'sample-uniqueness' check release.csv --qi a --sample-uniqueness 0 --suppressed drop
expect 0 out 'sample-uniqueness' check release.csv --qi a --sample-uniqueness 0 --suppressed exempt
expect 1 err '' anonymize table.csv --qi a --insensitive s --hierarchy a=suppress -k 1 \
    --sample-uniqueness 0 --method mingen --level a=0 --suppress 1 -o x.csv
for treatment in keep drop exempt; do
    expect 0 out '' risk release.csv --qi a --suppressed $treatment --result risk.json
    expect 0 out '' utility table.csv release.csv --qi a --hierarchy a=suppress \
        --suppressed $treatment --result utility.json
    classes=2 suppressed=1
    [ $treatment = exempt ] && classes=1
    [ $treatment = drop ] && suppressed=0
    for command in risk utility; do
        truth "$command, $treatment: classes" test "$(number $command.json count)" = $classes
        truth "$command, $treatment: suppressed rows" test \
            "$(number $command.json suppressed_rows)" = $suppressed
    done
done

# All rows at the top are the top node, which is judged.
printf 'a,s\n*,1\n*,2\n' >all.csv
for treatment in keep drop exempt; do
    expect 0 out '"suppressed_rows": 0' check all.csv --qi a -k 2 --suppressed $treatment --json
    expect 1 out '"suppressed_rows": 0' check all.csv --qi a -k 3 --suppressed $treatment --json
done

# What no class can hold no release holds, also if all rows may be exempt.
roles=(--qi a --sensitive s --hierarchy a=suppress --suppressed exempt --suppress 100%)
for model in '-k 4' '--l-diversity s=3' '--p-sensitive 3' '--alpha s=0.4' '--max-risk 0.2'; do
    # shellcheck disable=SC2086 # two words
    expect 1 err '' anonymize table.csv "${roles[@]}" $model -o x.csv
done

# Where levels do not allow the top, rows there are suppressed ones.
printf 'a,b\nx,p\nx,p\nx,q\ny,q\ny,p\nz,p\n' >table.csv
for method in mingen cell datafly samarati incognito top-down mondrian k-member \
    local-suppression; do
    for treatment in keep drop exempt; do
        for limit in 0 1 3 6; do
            : >release.csv
            "$MINGLE" anonymize table.csv --qi a,b --method $method -k 2 --hierarchy a=suppress \
                --hierarchy b=suppress --level a=0 --suppress $limit --suppressed $treatment \
                -o release.csv --quiet 2>err
            status=$?
            top=$(grep -c '^\*,\*$' release.csv)
            most=$limit
            [ $treatment = drop ] && most=0
            truth "$method, $treatment, $limit: at most $most of $top rows are at the top" \
                test $status -le 1 -a "$top" -le $most
            truth "$method, $treatment, $limit: no other cell is above its level" \
                test "$(grep -c '^\*,[pq]$' release.csv)" -eq 0
        done
    done
    truth "$method: there is a release within the limit" test -s release.csv
done
truth "models that rows at the top break write nothing" test ! -e x.csv
finish
