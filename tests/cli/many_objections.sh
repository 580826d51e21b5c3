#!/bin/bash
# Work grows with the number of columns to which the leak guard objects, and not with its square: what releasing four
# times as many takes, in instructions, which the machine's speed does not change.
# slow: each job runs in valgrind
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed"
    exit 77
}

# A table of 12 rows and so many columns, in each of which every row is alone.
table_of() {
    drawn -v columns="$1" 'BEGIN {
        seed(5)
        for (row = -1; row < 12; row++) {
            line = row < 0 ? "sex" : (row % 2 ? "f" : "m")
            for (c = 0; c < columns; c++)
                line = line "," (row < 0 ? "note" c : substr("abcdefghijkl", row + 1, 1) int(uniform() * 100000) "x" c)
            print line
        }
    }'
}

# instructions COLUMNS: how many a release takes, to whose every column but one there is an objection.
instructions() {
    table_of "$1" >"table$1.csv"
    valgrind --tool=callgrind --callgrind-out-file=counts "$MINGLE_RELEASE" anonymize "table$1.csv" --qi sex \
        --rest insensitive -k 2 --method datafly --threads 1 --allow-leaks -o "release$1.csv" --result "result$1.json" \
        --quiet >out 2>err || return 1
    sed -n 's/^summary: //p' counts
}

few=$(instructions 300) many=$(instructions 1200)
truth "both tables are released" test -s release300.csv -a -s release1200.csv
objections=$(python3 -c 'import json; print(len({leak["column"] for leak in json.load(open("result1200.json"))["leaks"]}))')
truth "the guard objects to every column" test "$objections" = 1200
echo "# 300 columns: $few, 1200: $many"
truth "four times as many columns take less than six times as much" test "$((many))" -lt "$((6 * few))"
finish
