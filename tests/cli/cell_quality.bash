# shellcheck shell=bash
# What the cell level reaches and proves, against the table tests/quality/cell.tsv: a change may
# not make it worse. After an improvement take over the table that the failing test prints.
# The tests cell_quality_*.sh share out its lines: judge_cells DATA EFFORT.
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/quality_tables.bash"

table=$SOURCE/tests/quality/cell.tsv

# Each sets the array job.
patients_job() {
    "$MAKE_PATIENTS" patients.csv
    cp "$SOURCE"/examples/patients/*.csv "$SOURCE/examples/patients/job.yaml" .
    job=(job.yaml)
}

adult_job() {
    local columns column adult=${SHARED:-}/data/adult
    need_adult
    columns=$(head -1 "$adult/adult.csv" | tr -d '\r' | tr ';' ',')
    job=("$adult/adult.csv" --qi "$columns")
    for column in ${columns//,/ }; do
        job+=(--hierarchy "$column=$adult/adult_hierarchy_$column.csv")
    done
}

# So many columns that the lattice is a large one.
wide_job() {
    local columns column
    columns=$(wide_table)
    job=(wide.csv --qi "$columns" --sensitive illness)
    for column in ${columns//,/ }; do
        job+=(--hierarchy "$column=intervals(2,4)")
    done
}

# The same, with classes that must be judged.
diverse_job() {
    wide_job
    job+=(--l-diversity illness=4)
}

judge_line() { # data effort k measure achieved best
    local data=$1 effort=$2 k=$3 measure=$4 achieved=$5 best=$6 now bound
    "$MINGLE_RELEASE" anonymize "${job[@]}" -k "$k" --utility "$measure" --effort "$effort" \
        --dry-run --json >result.json 2>err
    now=$(value_of achieved)
    bound=$(value_of best_possible)
    printf '# now: %s\t%s\t%s\t%s\t%s\t%s\n' "$data" "$effort" "$k" "$measure" "$now" "$bound"
    # Precision is better when higher, a loss when lower; a bound the other way round. Another
    # machine may round a price differently and go another way.
    truth "$data, $effort, k = $k, $measure: $now (was $achieved), at best $bound (was $best)" \
        awk -v now="$now" -v was="$achieved" -v bound="$bound" -v best="$best" -v m="$measure" \
        'BEGIN { s = m == "precision" ? 1 : -1; e = 2e-4
                 exit !(now != "" && s * now >= s * was - e && s * bound <= s * best + e) }'
}

judge_cells() { # data effort
    local data effort k measure achieved best
    "$1_job"
    grep "^$1"$'\t'"$2"$'\t' "$table" >lines.tsv
    while IFS=$'\t' read -r data effort k measure achieved best; do
        judge_line "$data" "$effort" "$k" "$measure" "$achieved" "$best"
    done <lines.tsv
}
