# What local suppression suppresses, against the table tests/quality/local.tsv: a change may not
# make it more. After an improvement take over the lines that the test prints.
# The tests local_quality*.sh share out its lines: judge_local DATA.
. "$SOURCE/tests/cli/support.bash"
. "$SOURCE/tests/cli/quality_tables.bash"

table=$SOURCE/tests/quality/local.tsv

# Without its last two columns.
adult_table() {
    tr ';' ',' <"$SHARED/data/adult/adult.csv" | tr -d '\r' >adult.csv
    echo sex,age,race,marital-status,education,native-country,workclass
}

# Suppressed cells, those of suppressed rows with them, each times the importance of its column:
# importances as in --importance A=2,B=3.
suppressed() { # importances
    awk -F'[":, ]+' -v importances="$1" '
        BEGIN {
            n = split(importances, given, /[=,]/)
            for (i = 1; i < n; i += 2) importance[given[i]] = given[i + 1]
        }
        $2 == "suppressed_rows" { rows = $3 }
        /^  }/ { inside = 0 }
        inside { sum += (rows + $3) * ($2 in importance ? importance[$2] : 1); found = 1 }
        $2 == "suppressed_cells" { inside = 1 }
        END { if (found) print sum }' result.json
}

judge_line() { # columns data counting effort k options was
    local columns=$1 data=$2 counting=$3 effort=$4 k=$5 options=$6 was=$7 now importances
    local -a further=()
    [ "$options" = - ] || read -ra further <<<"$options"
    "$MINGLE_RELEASE" anonymize "$data.csv" --qi "$columns" --rest drop -k "$k" \
        --method local-suppression --missing-matches "$counting" --effort "$effort" \
        "${further[@]}" --dry-run --json >result.json 2>err
    importances=$(sed -n 's/.*--importance \([^ ]*\).*/\1/p' <<<"$options")
    now=$(suppressed "$importances")
    printf '# now: %s\t%s\t%s\t%s\t%s\t%s\n' "$data" "$counting" "$effort" "$k" "$options" "$now"
    truth "$data, $counting, $effort, k = $k, $options: ${now:-nothing} (was $was)" \
        test "${now:-$((was + 1))}" -le "$was"
}

judge_local() { # data
    local columns data counting effort k options was
    columns=$("$1_table")
    grep "^$1"$'\t' "$table" >lines.tsv
    while IFS=$'\t' read -r data counting effort k options was; do
        judge_line "$columns" "$data" "$counting" "$effort" "$k" "$options" "$was"
    done <lines.tsv
}
