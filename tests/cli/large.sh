#!/bin/bash
# Tables of many blocks: the same release for any number of threads and any memory.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# make_table ROWS TEXT: persons, and a text that is passed through.
make_table() {
    drawn -v rows="$1" -v text="$2" '
        BEGIN {
            state = 7
            print "id,age,zip,job,disease,note"
            for (r = 0; r < rows; r++)
                printf "%d,%d,%05d,job%d,illness%d,\"%s, %d\"\n", r, 18 + draw(64),
                    10000 + 7 * draw(97), draw(31), draw(12), text, draw(50)
        }' >table.csv
}
job=(--qi "age,zip,job" --identifier id --insensitive note --sensitive disease
    --hierarchy 'zip=mask(right)' -k 3 --l-diversity disease=2 --suppress 5% --method mingen --quiet)

make_table 60000 "some words that are passed through"
for threads in 1 2 5; do
    expect 0 out '' anonymize table.csv "${job[@]}" --threads $threads --seed 5 -o seed$threads.csv
    expect 0 out '' anonymize table.csv "${job[@]}" --threads $threads --keep-order \
        -o order$threads.csv
done
truth "two threads shuffle as one does" cmp -s seed1.csv seed2.csv
truth "five threads shuffle as one does" cmp -s seed1.csv seed5.csv
truth "two threads keep the order as one does" cmp -s order1.csv order2.csv
truth "five threads keep the order as one does" cmp -s order1.csv order5.csv
sort order1.csv >sorted
truth "shuffling loses nothing" cmp -s sorted <(sort seed1.csv)
truth "rows of a large release are shuffled" test "$(head -200 seed1.csv | cmp -s - <(head -200 order1.csv); echo $?)" = 1
truth "cells are passed through in order" \
    cmp -s <(cut -d, -f5- table.csv) <(cut -d, -f4- order1.csv)
expect 0 out '' anonymize table.csv "${job[@]}" --seed 5 --memory 1M -o small.csv
truth "little memory makes no difference" cmp -s seed1.csv small.csv
expect 0 out '' anonymize table.csv "${job[@]}" --keep-order --memory 1M -o small.csv
truth "nor to rows in order" cmp -s order1.csv small.csv
expect 0 out '' anonymize table.csv "${job[@]}" --seed 5 -o packed.csv.gz
truth "a packed release is the same" cmp -s seed1.csv <(gzip -dc packed.csv.gz)

# The columns alone: nothing is passed through, and the source is not read again.
cut -d, -f2-4 table.csv >alone.csv
alone=(--qi "age,zip,job" --hierarchy 'zip=mask(right)' -k 3 --suppress 5% --method mingen --quiet)
expect 0 out '' anonymize alone.csv "${alone[@]}" --threads 1 --seed 5 -o alone1.csv
expect 0 out '' anonymize alone.csv "${alone[@]}" --threads 5 --seed 5 -o alone5.csv
truth "without cells to pass through threads make no difference" cmp -s alone1.csv alone5.csv
expect 0 out '' anonymize alone.csv "${alone[@]}" --keep-order -o ordered.csv
truth "shuffled rows without cells to pass through are not lost" cmp -s <(sort alone1.csv) <(sort ordered.csv)

# Six times as large as the memory it may take, where the system gives no more than that and what
# the list of tuples needs.
if [ -n "${MINGLE_RELEASE-}" ] && [ -x "$MINGLE_RELEASE" ]; then
    make_table 400000 "some words that are passed through and take room in memory and on disk alike"
    "$MINGLE_RELEASE" anonymize table.csv "${job[@]}" --seed 5 -o whole.csv
    code=0
    (
        ulimit -v 64000
        "$MINGLE_RELEASE" anonymize table.csv "${job[@]}" --seed 5 --threads 1 --memory 8M \
            -o limited.csv
    ) >out 2>err || code=$?
    check_result "a table of 45 MB with --memory 8M" 0 $code out ''
    truth "a release within --memory is the same" cmp -s whole.csv limited.csv
    code=0
    (
        ulimit -v 64000
        "$MINGLE_RELEASE" anonymize table.csv "${job[@]}" --seed 5 --threads 1 -o unlimited.csv
    ) >out 2>err || code=$?
    check_result "the same without --memory" 4 $code err 'memory'
else
    echo "# no release build: memory is not limited"
fi
finish
