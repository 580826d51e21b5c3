#!/bin/bash
# Mondrian on the command line: what is released, what is refused, and that utility reads it back.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# 400 persons: age, height, birth, town, status and an illness; some cells are missing.
drawn 'BEGIN {
    seed(2006)
    print "id,age,height,birth,town,status,illness"
    for (i = 0; i < 400; i++) {
        age = 18 + int(60 * uniform() * uniform())
        printf "p%d,%s,%.1f,%04d-%02d-%02d,%d%d,%s,%s\n", i % 160, i % 37 == 0 ? "NA" : age,
            150 + 45 * uniform(), 2000 - age, 1 + int(12 * uniform()), 1 + int(28 * uniform()),
            1 + int(3 * uniform()), int(4 * uniform()), i % 3 == 0 ? "single" : "married",
            substr("fluold", 1 + i % 4, 3)
    }
}' >data.csv
quasi=age,height,birth,town,status
base=(data.csv --qi "$quasi" --identifier id --sensitive illness --hierarchy 'town=mask(right)'
    --method mondrian --keep-order)

value_of() { # key file
    sed -n 's/^ *"'"$1"'": \([-0-9.e+]*\|null\),*$/\1/p' "$2" | head -1
}
close() { # two numbers that are the same but for rounding
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; s = a < 0 ? -a : a
                                     exit !(a != "" && b != "" && d * d <= 1e-20 * (1 + s * s)) }'
}
# Smallest class of columns 1 to 5 of a release.
smallest() {
    tail -n +2 "$1" | sed 's/\[\([^],]*\),\([^],]*\)\]/[\1;\2]/g; s/"//g' | cut -d, -f1-5 | sort |
        uniq -c | sort -n | awk 'NR == 1 { print $1 }'
}

for cut in strict relaxed; do
    expect 0 out '"method": "mondrian"' anonymize "${base[@]}" -k 5 --cut $cut -o "$cut.csv" --json
    cp out "$cut.json"
    truth "$cut: all rows are released" test "$(wc -l <"$cut.csv")" -eq 401
    truth "$cut: 5 rows look alike" test "$(smallest "$cut.csv")" -ge 5
    truth "$cut: ages are ranges" grep -Eq '^[0-9]+-[0-9]+,' "$cut.csv"
    truth "$cut: lengths are ranges" grep -Eq '\[1[0-9.]+,1[0-9.]+\]' "$cut.csv"
    truth "$cut: dates are ranges" grep -Eq '\[19[0-9]{2}-[0-9]{2}-[0-9]{2},[0-9-]+\]' "$cut.csv"
    truth "$cut: towns are generalized" grep -Eq ',[123]\*,' "$cut.csv"
    truth "$cut: no level per column" grep -q '"node": null' "$cut.json"
    truth "$cut: precision is not defined" grep -q '"precision": null' "$cut.json"

    # Utility finds the same from the two files.
    expect 0 out '"precision": null' utility data.csv "$cut.csv" --qi "$quasi" \
        --hierarchy 'town=mask(right)' --json
    for key in loss geometric_loss ncp ambiguity discernibility nonuniform_entropy \
        entropy_distortion query_error; do
        ours=$(value_of $key "$cut.json") theirs=$(value_of $key out)
        truth "$cut: utility finds the same $key, $ours" close "$ours" "$theirs"
    done

    # Threads and the order of rows make no difference.
    expect 0 out '' anonymize "${base[@]}" -k 5 --cut $cut --threads 4 -o four.csv
    truth "$cut: four threads" cmp "$cut.csv" four.csv
    { head -1 data.csv && tail -n +2 data.csv | tac; } >reversed.csv
    expect 0 out '' anonymize reversed.csv "${base[@]:1}" -k 5 --cut $cut -o back.csv
    { head -1 back.csv && tail -n +2 back.csv | tac; } >forth.csv
    truth "$cut: rows in another order" cmp "$cut.csv" forth.csv
done

# Columns that are all missing, or that no class can tell apart.
printf 'n,m\n1,\n2,\n3,\n9,\n' >missing.csv
expect 0 out '' anonymize missing.csv --qi n,m -k 2 --method mondrian --keep-order -o out.csv
truth "a missing cell stays" diff <(printf 'n,m\n1-2,\n1-2,\n3-9,\n3-9,\n') out.csv
printf 'n\n1\n2\nNA\nNA\n' >missing.csv
expect 0 out '' anonymize missing.csv --qi n -k 2 --missing NA --method mondrian --keep-order -o out.csv
truth "numbers and missing cells part" diff <(printf 'n\n1-2\n1-2\nNA\nNA\n') out.csv
printf 'n\n1\n2\n3\n4\nNA\n' >missing.csv
expect 0 out '' anonymize missing.csv --qi n -k 2 --missing NA --method mondrian --keep-order -o out.csv
truth "too few missing cells become the top" diff <(printf 'n\n1-3\n1-3\n1-3\n*\n*\n') out.csv
expect 0 out '"loss": 0.8,' utility missing.csv out.csv --qi n --missing NA --json

# Levels.
expect 0 out '' anonymize "${base[@]}" -k 5 --level town=1..1 -o out.csv
truth "cells lie between the MIN and MAX levels" test "$(tail -n +2 out.csv | grep -Evc ',[123]\*,')" -eq 0
expect 0 out '' anonymize "${base[@]}" -k 5 --hierarchy age=suppress --level age=1..1 -o out.csv
truth "no ranges where a level is asked for" test "$(tail -n +2 out.csv | cut -d, -f1 | sort -u)" = '*'
expect 1 err 'within 0 suppressed rows' anonymize "${base[@]}" -k 5 --level age=0..0 -o out.csv
expect 0 out '' anonymize "${base[@]}" -k 5 --level age=0..0 --suppress 50% -o out.csv
truth "cells held at level 0 are released as they are or suppressed" test "$(tail -n +2 out.csv | cut -d, -f1 | grep -c -)" -eq 0
expect 0 err '' anonymize "${base[@]}" -k 5 --level age=0..0 --suppress 50% --suppressed drop -o out.csv
truth "suppressed rows are left out" test "$(wc -l <out.csv)" -lt 401
expect 0 out 'exempt' anonymize "${base[@]}" -k 5 --level age=0..0 --suppress 50% \
    --suppressed exempt -o out.csv --json

# Other models, persons, a model of the whole table.
expect 0 out 'l-diversity illness l=3 holds' anonymize "${base[@]}" -k 5 --l-diversity illness=3 -o out.csv
expect 0 out 't-closeness illness t=0.2 equal holds' anonymize "${base[@]}" --cut relaxed \
    --t-closeness illness=0.2 -o out.csv
expect 0 out 'mean-risk x=0.05 holds' anonymize "${base[@]}" --mean-risk 0.05 -o out.csv
persons=(data.csv --qi "$quasi" --entity id --sensitive illness --method mondrian)
expect 0 out 'alpha illness alpha=0.6 holds' anonymize "${persons[@]}" -k 3 --alpha illness=0.6 -o out.csv
expect 0 out 'k-anonymity k=3 holds' anonymize "${persons[@]}" -k 3 --cut relaxed -o out.csv
expect 2 err '^mingle: --cut relaxed: .* alpha .*; use --cut strict' anonymize "${persons[@]}" -k 3 \
    --cut relaxed --alpha illness=0.6 -o out.csv
expect 1 err '' anonymize "${base[@]}" -k 401 -o out.csv
expect 0 out 'time-limit' anonymize "${base[@]}" -k 5 --time-limit 0.000001 -o out.csv --json

# Refused.
expect 2 err 'give strict or relaxed' anonymize "${base[@]}" -k 5 --cut loose -o out.csv
expect 2 err '^mingle: --cut: it is for mondrian, not for mingen' anonymize data.csv --qi age \
    --rest drop -k 5 --method mingen --cut strict -o out.csv
expect 0 out '' anonymize data.csv --qi-set age --qi-set town \
    --rest drop -k 5 --method mondrian -o out.csv
expect 2 err 'mondrian can release ranges .* population' anonymize "${base[@]}" --k-map 3 \
    --population data.csv -o out.csv
sed 's/^\([0-9]*\)-/\1--/' strict.csv >broken.csv
expect 3 err 'in column "age" is no value of its hierarchy .* and no range of its values' utility \
    data.csv broken.csv --qi "$quasi" --hierarchy 'town=mask(right)'
expect 0 out 'cuts the table in its widest column' help mondrian

# Quality: the loss on Adult at k = 10 may not become worse (tests/quality/mondrian.tsv).
if [ -n "${SHARED:-}" ]; then
    adult=$SHARED/data/adult
    columns=sex,age,race,marital-status,education,native-country,workclass,occupation
    files=()
    for column in ${columns//,/ }; do
        [ $column = age ] || files+=(--hierarchy "$column=$adult/adult_hierarchy_$column.csv")
    done
    while IFS=$'\t' read -r cut age was; do
        more=()
        [ "$age" = ranges ] || more=(--hierarchy "age=$adult/adult_hierarchy_age.csv")
        "$MINGLE_RELEASE" anonymize "$adult/adult.csv" --qi $columns --rest drop "${files[@]}" \
            ${more[@]+"${more[@]}"} -k 10 --method mondrian --cut "$cut" --dry-run --json >out 2>err
        now=$(value_of ncp out)
        truth "Adult, $cut, age as $age: $now (was $was)" awk -v now="$now" -v was="$was" \
            'BEGIN { exit !(now != "" && now <= was + 1e-9) }'
    done < <(grep -v '^#' "$SOURCE/tests/quality/mondrian.tsv")
else
    echo "skipped: Adult, ../shared is not there"
fi
finish
