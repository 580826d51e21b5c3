#!/bin/bash
# What the cell level reaches and proves, against the table tests/quality/cell.tsv: a change may
# not make it worse. After an improvement take over the table that the failing test prints.
. "$SOURCE/tests/cli/support.bash"

table=$SOURCE/tests/quality/cell.tsv
"$MAKE_PATIENTS" patients.csv
cp "$SOURCE"/examples/patients/*.csv "$SOURCE/examples/patients/job.yaml" .
adult=()
if [ -n "${SHARED:-}" ]; then
    columns=$(head -1 "$SHARED/data/adult/adult.csv" | tr -d '\r' | tr ';' ',')
    adult=("$SHARED/data/adult/adult.csv" --qi "$columns")
    for column in ${columns//,/ }; do
        adult+=(--hierarchy "$column=$SHARED/data/adult/adult_hierarchy_$column.csv")
    done
else
    echo "skipped: Adult, ../shared is not there"
fi

value_of() { # key
    sed -n 's/^ *"'"$1"'": \([-0-9.e+]*\),*$/\1/p' result.json | head -1
}

: >now.tsv
grep -v '^#' "$table" >lines.tsv
while IFS=$'\t' read -r data effort k measure achieved best; do
    case $data in
    patients) what=(job.yaml -k "$k") ;;
    adult) what=("${adult[@]}" -k "$k") ;;
    esac
    [ "$data" = adult ] && [ ${#adult[@]} -eq 0 ] && continue
    "$MINGLE_RELEASE" anonymize "${what[@]}" --utility "$measure" --effort "$effort" --dry-run \
        --json >result.json 2>err
    now=$(value_of achieved)
    bound=$(value_of best_possible)
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$data" "$effort" "$k" "$measure" "$now" "$bound" >>now.tsv
    # Precision is better when higher, a loss when lower; a bound the other way round. Another
    # machine may round a price differently and go another way.
    truth "$data, $effort, k = $k, $measure: $now (was $achieved), at best $bound (was $best)" \
        awk -v now="$now" -v was="$achieved" -v bound="$bound" -v best="$best" -v m="$measure" \
        'BEGIN { s = m == "precision" ? 1 : -1; e = 2e-4
                 exit !(now != "" && s * now >= s * was - e && s * bound <= s * best + e) }'
done <lines.tsv
sed 's/^/# now: /' now.tsv
finish
