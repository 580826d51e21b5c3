#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Tables with very many columns: twice as many take about twice the instructions, in every command
# that looks at all columns. Counted by callgrind, so that the machine does not matter.
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

# linear NAME ARGUMENT...: COLUMNS.csv stands for the table.
linear() {
    local name=$1 small large
    shift
    small=$(instructions "${@//COLUMNS/2000}")
    large=$(instructions "${@//COLUMNS/8000}")
    if [ -s err ] && grep -q '^mingle: ' err; then
        not_ok "$name" "$(head -c 500 err)"
    elif [ -n "$small" ] && [ -n "$large" ] && [ "$large" -lt $((small * 5)) ]; then
        ok "$name: 8,000 columns take less than 5 times as much as 2,000"
    else
        not_ok "$name: 8,000 columns take less than 5 times as much as 2,000" \
            "$small and $large instructions: $(head -c 500 err)"
    fi
}
table 2000
table 8000
linear look look COLUMNS.csv --json --threads 1
linear advise risk --advise --no-trial COLUMNS.csv --json --threads 1
linear check check COLUMNS.csv --qi name_1 -k 1 --threads 1 --json
linear risk risk COLUMNS.csv --qi name_1 --threads 1 --json
linear anonymize anonymize COLUMNS.csv --qi name_1 --rest drop -k 2 --threads 1 --quiet -o COLUMNS.out
for n in 2000 8000; do
    { echo "data: $n.csv" && echo 'identifier:' && seq -f '  - name_%.0f' 2 $n; } >$n.yaml
done
linear 'a job that names all columns' anonymize COLUMNS.yaml --qi name_1 -k 2 --threads 1 --quiet \
    -o COLUMNS.out
finish
