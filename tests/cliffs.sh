#!/bin/bash
# No model, measure or kind of table is a cliff: what a sample of jobs takes, in instructions, beside
# k-anonymity alone by the same method. Ratios hardly depend on the machine, so they are compared
# with recorded ones: a job may take 1.5 times of what it took when it was recorded, and never more
# than 20 times as much as k-anonymity alone.
#
#   RECORD=1 tests/run cliffs     writes tests/cliffs/ratios.tsv anew
set -u
. "$(dirname "$0")/support/by_hand.bash"
. "$SOURCE/tests/support/draws.bash"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }
ratios=$SOURCE/tests/cliffs/ratios.tsv
most=20 growth=1.5

# Rows of persons, and a population that the rows are a part of.
drawn '
    BEGIN {
        state = 7
        print "person,age,zip,income,job,city,illness" >"all.csv"
        print "person,age,zip,income,job,city,illness" >"table.csv"
        for (r = 0; r < 4500; r++) {
            line = sprintf("p%d,%d,%05d,%d,job%d,city%d,illness%d", draw(1000), 18 + draw(64),
                10000 + 7 * draw(97), 100 * draw(90), draw(12), draw(5), draw(12))
            print line >"all.csv"
            if (r < 1500)
                print line >"table.csv"
        }
    }'
columns=(--hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,10,20,40)'
    --hierarchy 'income=intervals(500,1000,3000)' --hierarchy job=suppress --hierarchy city=suppress)
quasi=(--qi age,zip,income,job,city)
common=(anonymize table.csv "${columns[@]}" -k 5 --suppress 5% --rest drop --threads 1 --dry-run --brief
    --quiet)

# instructions ARGUMENT...: how many the job takes.
instructions() {
    valgrind --tool=callgrind --callgrind-out-file=counts \
        "$MINGLE_RELEASE" "$@" >out 2>err
    local code=$?
    [ $code = 0 ] || [ $code = 1 ] || { cat err >&2; return 1; }
    sed -n 's/^summary: //p' counts
}

# job NAME METHOD ARGUMENT...: compares a job with the method by itself. METHOD may have options.
# shellcheck disable=SC2086 # the options of a method are words
declare -A alone
n=0 recorded=
job() {
    local name=$1 method=$2 taken times before verdict
    shift 2
    if [ -z "${alone[$method]:-}" ]; then
        alone[$method]=$(instructions "${common[@]}" "${quasi[@]}" --method $method) || exit 1
    fi
    taken=$(instructions "${common[@]}" --method $method "$@") || { echo "not ok - $name"; return; }
    times=$(awk -v a="$taken" -v b="${alone[$method]}" 'BEGIN { printf "%.2f", a / b }')
    before=$(awk -F'\t' -v name="$name" '$1 == name { print $2 }' "$ratios")
    recorded+=$name$'\t'$times$'\n'
    verdict=$(awk -v t="$times" -v b="${before:-0}" -v g=$growth -v m=$most \
        'BEGIN { print (b > 0 && t <= m && t <= b * g) ? "ok" : "not ok" }')
    n=$((n + 1))
    echo "$verdict $n - $name takes $times times as much as k-anonymity by $method (recorded: ${before:-nothing})"
}

mingen() {
    local name=$1
    shift
    job "$name" mingen "${quasi[@]}" "$@"
}

mingen l-diversity --l-diversity illness=3 --sensitive illness
mingen t-closeness --t-closeness illness=0.4 --sensitive illness
mingen mean-risk --mean-risk 0.1
mingen sample-uniqueness --sample-uniqueness 0.01
mingen risk-share --risk-share 0.1,0.2
mingen k-map --k-map 10 --population all.csv
mingen delta-presence --delta-presence 0,0.7 --population all.csv
mingen ambiguity --utility ambiguity
mingen entropy --utility entropy
mingen persons --entity person
job "persons, samarati" samarati "${quasi[@]}" --entity person
job "persons, top-down" top-down "${quasi[@]}" --entity person
job "persons, cell" "cell --effort fast" "${quasi[@]}" --entity person
job "several quasi-identifiers" mingen --qi-set age,zip,job --qi-set zip,income,city
"$MINGLE_RELEASE" anonymize table.csv "${columns[@]}" "${quasi[@]}" -k 5 --suppress 5% --rest drop \
    --method mingen --utility loss --quiet -o earlier.csv --save-recoding earlier.rec >out 2>err || {
    cat err
    exit 1
}
mingen history --history earlier.rec
echo "1..$n"
[ -z "${RECORD:-}" ] || printf '%s' "$recorded" >"$ratios"
