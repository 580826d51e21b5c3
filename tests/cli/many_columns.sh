#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Tables with very many columns: twice as many take about twice the instructions, in every command
# that looks at all columns. Counted by callgrind, so that the machine does not matter.
# slow: counts instructions of tables of thousands of columns
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
command -v valgrind >/dev/null || { echo "skipped: valgrind is not installed"; exit 77; }

# table COLUMNS: three rows with a header.
table() {
    awk -v n="$1" 'BEGIN {
        for (c = 1; c <= n; c++) printf "%sname_%d", (c > 1 ? "," : ""), c
        print ""
        for (r = 1; r <= 3; r++) {
            for (c = 1; c <= n; c++) printf "%s%d", (c > 1 ? "," : ""), (c * r) % 7
            print ""
        }
    }' >"$1.csv"
}

instructions() {
    rm -f counts
    valgrind --tool=callgrind --callgrind-out-file=counts "$MINGLE_RELEASE" "$@" >out 2>err
    sed -n 's/^summary: //p' counts
}

# linear NAME COLUMNS MOST ARGUMENT...: four times as many columns take at most MOST percent of what
# COLUMNS take. @ stands for the number of columns in the
# arguments.
linear() {
    local name=$1 columns=$2 most=$3 small large
    shift 3
    table "$columns"
    small=$(instructions "${@//@/$columns}")
    table $((4 * columns))
    large=$(instructions "${@//@/$((4 * columns))}")
    name="$name: $((4 * columns)) columns take at most $most % of what $columns take"
    if [ -z "$small" ] || [ -z "$large" ] || grep -q '^mingle: ' err; then
        not_ok "$name" "$(head -c 500 err)"
    elif [ $((large / (small / 100))) -gt "$most" ]; then
        not_ok "$name" "$small and $large instructions"
    else
        ok "$name"
    fi
}
for n in 3000 12000; do
    { echo "data: $n.csv" && echo 'qi: name_1' && echo 'identifier:' && seq -f '  - name_%.0f' 2 $n; } >$n.yaml
done
linear check 4000 430 check @.csv --qi name_1 -k 1 --threads 1 --json
linear 'a job that names all columns' 3000 430 check @.yaml -k 1 --threads 1 --json
linear look 1000 420 look @.csv --json --threads 1
linear advise 250 450 risk --advise --no-trial @.csv --json --threads 1
linear 'advise, which writes a job' 3000 460 risk --advise --no-trial @.csv --threads 1
linear 'a statement' 1000 430 anonymize @.csv --qi name_1 --rest insensitive --allow-leaks -k 1 --threads 1 --quiet \
    -o @.out --overwrite --statement @.json --save-promise @.promise
linear anonymize 250 430 anonymize @.csv --qi name_1 --rest drop -k 2 --threads 1 --quiet -o @.out
finish
