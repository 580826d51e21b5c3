#!/bin/bash
# Arrow IPC: files and streams that others wrote (golden ones, which the fuzz target has as well),
# what is written, what is refused and where; with pyarrow if it can be had.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
golden=$SOURCE/tests/fuzz/corpus/ipc
job=(--qi i --rest insensitive --allow-leaks -k 1 --keep-order --quiet)

cat >wanted.csv <<'END'
i,u,h,g,dec,ts,ns,d,dm,tm,b,s,ls,nul,cat
1,0,0.5,0.1,1.50,2020-01-01T01:02:03Z,2001-09-09T01:46:40,2020-01-01,2020-01-01,01:02:03,true,,x,,x
2,1,1,1e300,1.50,2020-01-01T01:02:03.000001Z,2001-09-09T01:46:40.000000001,2020-01-02,2020-01-02,01:02:03,false,é,,,y
,2,2,nan,1.50,2020-01-01T01:02:03.000002Z,2001-09-09T01:46:40.000000002,2020-01-03,2020-01-03,01:02:03,,,yy,,
-4,3,,,1.50,2020-01-01T01:02:03.000003Z,2001-09-09T01:46:40.000000003,2020-01-04,2020-01-04,01:02:03,true,"a,b",,,x
5,4,4,4,,2020-01-01T01:02:03.000004Z,2001-09-09T01:46:40.000000004,2020-01-05,2020-01-05,01:02:03,true,"
",z,,y
END
for name in uncompressed lz4 zstd batches stream; do
    ending=feather
    [ $name = stream ] && ending=arrows
    cp "$golden/$name" "$name.$ending"
    expect 0 err '' anonymize $name.$ending "${job[@]}" -o got.csv
    truth "$name: the cells" diff wanted.csv got.csv
    for output in feather arrow arrows; do
        expect 0 err '' anonymize $name.$ending "${job[@]}" -o again.$output
        expect 0 err '' anonymize again.$output "${job[@]}" -o got.csv
        truth "$name to $output: the cells" diff wanted.csv got.csv
    done
done
cp "$golden/deltas" deltas.arrows
expect 0 err '' anonymize deltas.arrows --qi c --rest drop -k 1 --keep-order --quiet -o got.csv
truth "dictionaries that grow" diff <(printf 'c\nb\n""\na\nc\n""\na\nd\n""\na\n') got.csv
cp "$golden/replaced" replaced.arrows
expect 0 err '' anonymize replaced.arrows --qi c --rest drop -k 1 --keep-order --quiet -o got.csv
truth "dictionaries that are replaced" diff <(printf 'c\nb\n""\na\nc\n""\nc\n""\n""\nd\n') got.csv
cp "$golden/legacy" legacy.arrow
expect 0 out 'rows +2 read' check legacy.arrow --qi a

# The first bytes of what is written, which are those of the format: they are no matter of pyarrow.
truth "a file begins and ends with its mark" test "$(head -c 6 again.feather)" = ARROW1 -a \
    "$(tail -c 6 again.feather)" = ARROW1
truth "a stream begins with a message" test "$(od -An -tx1 -N4 again.arrows)" = " ff ff ff ff"

# ---- Jobs ------------------------------------------------------------------------------------------
"$MAKE_PATIENTS" patients.csv 300
people=(--qi birth,sex,zip --sensitive diagnosis --identifier name,ssn --rest insensitive
    --allow-leaks -k 3 --suppress 20% --method mingen)
expect 0 err '' anonymize patients.csv --qi sex --rest insensitive -k 1 --keep-order --allow-leaks \
    --quiet -o patients.feather
expect 0 err '' anonymize patients.feather --qi sex --rest insensitive -k 1 --keep-order --allow-leaks \
    --quiet -o back.csv
truth "text, Feather, text" diff patients.csv back.csv
for options in '' '--where sex=F' '--sample 50% --sample-seed 3' '--by sex' '--memory 100M' \
    '--threads 2' '--entity zip' '--treat charge=round(1000)' '--linked marital,insurance'; do
    # shellcheck disable=SC2086 # the options are words
    {
        "$MINGLE" anonymize patients.csv "${people[@]}" --quiet -o a.csv $options >out 2>err
        first=$?
        "$MINGLE" anonymize patients.feather "${people[@]}" --quiet -o b.csv $options >out 2>err
        second=$?
        "$MINGLE" anonymize patients.feather "${people[@]}" --quiet -o b.arrow $options >out 2>err
        third=$?
    }
    truth "'$options' ends alike ($first)" test "$first $second $third" = "$first $first $first"
    [ $first = 0 ] || continue
    "$MINGLE" anonymize b.arrow --qi sex --rest insensitive -k 1 --allow-leaks --keep-order --quiet \
        -o c.csv 2>err
    truth "'$options': the rows of the text road" diff <(sort a.csv) <(sort b.csv)
    truth "'$options': and in the file" diff <(sort a.csv) <(sort c.csv)
done
expect 0 out '"rows": 300' anonymize patients.feather "${people[@]}" -o r.feather --result r.json --json
expect 0 out 'agree' check r.feather --against r.json
expect 0 err '' anonymize patients.feather "${people[@]}" --save-recoding p.rec --quiet -o rec.csv
expect 0 err '' apply p.rec patients.feather --allow-leaks --quiet -o applied.feather
mkfifo pipe.feather
cat pipe.feather >piped.feather &
expect 0 err '' anonymize patients.feather "${people[@]}" --quiet -o pipe.feather
wait $!
expect 0 out 'rows' check piped.feather --qi sex

# ---- Refused ---------------------------------------------------------------------------------------
# refuse NAME PATTERN: the file of this name.
refuse() {
    expect 3 err "^mingle: $1: $2" check "$1" --qi i
}
cp "$golden/cut" cut.feather
refuse cut.feather 'byte [0-9]+: the footer is not there: the file is cut off; copy the file'
cp "$golden/cut_stream" cut.arrows
refuse cut.arrows 'byte [0-9]+: .*the file ends before'
cp "$golden/feather1" old.feather
refuse old.feather 'this is a Feather file of version 1, which is not read; write it once more'
cp "$golden/list" list.arrows
refuse list.arrows 'column l: the type list is not taken; leave the column out'
cp "$golden/view" view.arrows
refuse view.arrows 'byte 0: column v has the type text view'
cp "$golden/runs" runs.arrows
refuse runs.arrows 'column r: the type run-end encoded is not taken'
cp "$golden/no_rows" empty.arrows
refuse empty.arrows 'there are no rows'
: >nothing.arrow
refuse nothing.arrow 'byte 0: the file is too short'
echo 'a,b and some more text' >text.arrow
refuse text.arrow 'byte 0: no message of Arrow begins here'
refuse gone.arrow 'cannot open: No such file'
mkdir folder.arrow
refuse folder.arrow '.*folder'
size=$(stat -c %s uncompressed.feather)
for at in 100 700 $((size / 2)) $((size - 200)) $((size - 12)); do
    { head -c "$at" uncompressed.feather && printf '\377\377\377\377\377\377\377\377' &&
        tail -c +$((at + 9)) uncompressed.feather; } >broken.feather
    code=0
    "$MINGLE" anonymize broken.feather "${job[@]}" -o x.arrow >out 2>err || code=$?
    truth "8 wrong bytes at $at: refused, or they were padding" test $code -eq 3 -o $code -eq 0
    [ $code = 0 ] || truth "and nothing is written" test ! -e x.arrow
    rm -f x.arrow
done

# ---- pyarrow ---------------------------------------------------------------------------------------
environment=$BUILD/pyarrow
if ! "$environment/bin/python" -c 'import pyarrow' 2>/dev/null; then
    rm -rf "$environment"
    { python3 -m venv "$environment" && timeout 300 "$environment/bin/pip" install --quiet pyarrow; } \
        >log 2>&1 || rm -rf "$environment"
fi
if [ -x "$environment/bin/python" ]; then
    export PYTHONDONTWRITEBYTECODE=1
    mkdir exchange random_files random_streams
    (cd exchange && "$environment/bin/python" "$SOURCE/tests/cli/arrow_exchange.py" "$MINGLE_RELEASE") >log
    grep '^not ok' -A5 log
    truth "pyarrow reads what is written" test "$(grep -c '^not ok' log)" = 0 -a "$(grep -c '^ok' log)" -gt 80
    for ending in feather arrows; do
        folder=random_files
        [ $ending = arrows ] && folder=random_streams
        (cd $folder && "$environment/bin/python" "$SOURCE/tests/cli/random_formats.py" "$MINGLE_RELEASE" \
            .$ending 11) >log
        grep '^not ok' -A5 log
        truth "random jobs beside CSV, and kills: $ending" test "$(grep -c '^not ok' log)" = 0 -a \
            "$(grep -c '^ok' log)" -ge 2
    done
else
    ok "pyarrow # SKIP it cannot be installed here"
fi
finish
