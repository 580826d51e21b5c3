#!/bin/bash
# A recoding is a rule: what `apply` gives to other rows, held against brute force.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "apply gives what brute force finds" python3 "$SOURCE/tests/cli/recodings.py" "$MINGLE" 60 7

# ---- Limits --------------------------------------------------------------------------------------------
{ echo age,sex,s; for i in {20..39}; do echo "$i,f,x"; echo "$i,m,y"; done; } >old.csv
{ echo age,sex,s; for i in 20 21 22 23 41; do echo "$i,f,x"; done; } >new.csv
job=(--qi age,sex --sensitive s --hierarchy 'age=intervals(10)' --hierarchy sex=suppress --level age=1..1,sex=0..0)
expect 0 out '' anonymize old.csv "${job[@]}" --method mingen -k 4 -o old.out --save-recoding old.rec --quiet
expect 1 err 'unless 5 of its rows are suppressed, where 0 may be; allow them .--suppress 5' \
    apply old.rec new.csv -o n.out
truth "nothing is written" test ! -e n.out
expect 0 out '5 rows broke a model' apply old.rec new.csv -o n.out --suppress 100%
expect 0 out '' apply old.rec new.csv -o n.out --suppress 1 --suppressed drop --keep-order --result new.json
truth "who violates a model is left out" test "$(tail -n 1 n.out)" = '20-29,f,x'
truth "the result counts rows by what became of them" test "$(jq -c .applied new.json)" = \
    '{"recorded_rows":4,"new_rows":1,"uncovered_rows":0,"unplaced_rows":0,"treated_rows":1}'
expect 1 err 'a model' apply old.rec new.csv -o none.csv --suppressed drop

# ---- Leaves that did not occur ---------------------------------------------------------------------------
printf 'a;ab;*\nb;ab;*\nc;cd;*\nd;cd;*\n' >letters.csv
printf 'l\na\na\nb\nb\nc\nc\n' >l.csv
expect 0 out '' anonymize l.csv --qi l --hierarchy l=letters.csv --level l=1..1 --method mingen -k 2 -o l.out \
    --save-recoding l.rec --quiet
rm letters.csv
printf 'l\nd\nd\n' >d.csv
expect 0 out '' apply l.rec d.csv -o d.out --quiet
truth "a leaf that did not occur has its place, without the file" test "$(tail -n 1 d.out)" = cd
printf 'l\nd\nd\nz\nz\n' >z.csv
expect 0 out '2 rows have values that the recoding does not know' apply l.rec z.csv -o z.out --keep-order
truth "what is no leaf goes to the top" test "$(xargs <z.out)" = 'l cd cd * *'

# ---- With an earlier release -----------------------------------------------------------------------------
expect 0 out '' apply old.rec <(sed '$d' new.csv) -o w.out --with old.out --result n.json --quiet
truth "the result tells of the earlier release" test "$(jq -c .with n.json)" = '{"release":"old.out","rows":40}'
head -n 2 new.csv >one.csv
expect 1 err 'k = 4, but the table has only 1 rows' apply old.rec one.csv -o n1.out
expect 0 out '' apply old.rec one.csv -o n1.out --with old.out --quiet
truth "one row hides among earlier ones" test "$(tail -n 1 n1.out)" = '20-29,f,x'
expect 1 err 'together with the rows of the earlier release' apply old.rec new.csv -o n2.out --with old.out
expect 2 err 'keeps the promise with the others; leave out --with' apply old.rec old.csv -o n2.out --with old.out
expect 2 err 'there is no column "age"' apply old.rec one.csv -o n2.out --with l.csv --header yes
truth "nothing is written" test ! -e n2.out

# ---- The audit trail and the report ----------------------------------------------------------------------
expect 0 out 'agrees with new.json' check n.out --against new.json
truth "the result names the recoding" test "$(jq -r .audit.recoding.sha256 new.json)" = "$(sha256sum old.rec | cut -d ' ' -f 1)"
expect 1 out 'the file has' check old.out --against new.json
expect 0 out 'together with the 40 rows of old.out, not alone' \
    apply old.rec <(sed '$d' new.csv) -o both.out --with old.out --result both.json
truth "no classes where rows hide among others" test "$(jq -c '[.classes, .risk, .figures]' both.json)" = '[null,null,null]'
expect 0 out 'models: needs the earlier release' check both.out --against both.json
expect 0 out '' report both.json -o both.html --quiet
truth "the page tells what the recoding said" grep -q 'How the recoding fits the rows' both.html
truth "and with whom the rows hide" grep -q 'together with the 40 rows of ' both.html
expect 0 out '' apply old.rec old.csv -o slice.out --result slice.json --quiet
expect 3 err 'has no audit trail' check slice.out --against slice.json

# ---- Columns that follow others --------------------------------------------------------------------------
printf 'zip,city,s\n02138,Cambridge,a\n02115,Boston,b\n10001,NY,a\n10002,NY,b\n' >zip.csv
sed 's/02115,Boston/02139,Cambridge/' zip.csv >zip2.csv
expect 0 out '' anonymize zip.csv --qi zip --insensitive city --sensitive s --hierarchy 'zip=mask(right,2)' \
    --level zip=2..2 --method mingen --linked zip,city -k 2 -o zip.out --save-recoding zip.rec --quiet
expect 0 out 'city follows zip' apply zip.rec zip2.csv -o zip2.out --keep-order --result zip2.json
truth "columns follow among the new rows" test "$(sed -n 3p zip2.out)" = '021**,Cambridge,b'
expect 0 out 'city  insensitive, follows zip: generalized with it' codebook zip2.json
expect 2 err 'could show more than they did' apply zip.rec zip2.csv -o zip3.out --with zip.out

# ---- A recoding shown ------------------------------------------------------------------------------------
expect 0 out 'age  level 1 of 2, 20 values, 20 leaves, others by intervals\(10\)' recoding show old.rec
expect 0 out '20, f -> 20-29, f  \(1 rows\)' recoding show old.rec
expect 0 out '"level": 1' recoding show old.rec --json
expect 0 out '' recoding show old.rec -o -
truth "as a table" test "$(sed -n 2p out)" = '20,f,20-29,f,1,0' -a "$(wc -l <out)" -eq 41
expect 3 err 'is not a recoding' recoding show old.csv
expect 2 err 'no action; write mingle recoding show FILE' recoding
expect 2 err 'unknown action draw' recoding draw old.rec

# ---- The codebook: nothing that the release does not show ------------------------------------------------
{ echo age,sex,zip,s; for i in {1..4}; do echo "$((20 + i)),f,0210$i,x"; echo "$((50 + i)),m,99999,y"; done
    echo 77,f,12345678,z; } >book.csv
expect 0 out '' anonymize book.csv --qi age,sex,zip --sensitive s --hierarchy 'age=intervals(10)' \
    --hierarchy 'zip=mask(right)' --method mingen -k 4 --suppress 1 --suppressed drop -o book.out --result book.json \
    --treat s=upper --quiet
expect 0 out 'age  quasi-identifier, generalized to level [12]' codebook book.json
expect 0 out 's  sensitive, treated: upper; 2 different values' codebook book.json
expect 0 out '' codebook book.json --json
truth "rows that are dropped, raw values and heights stay unknown" test "$(grep -cE '77|1234|"(rows|height|values_before)": 9|02101|02104' out)" -eq 0
truth "every value of the release is there" test "$(jq -c '[.columns[] | {(.column): [.list[].value]}] | add' out)" = \
    "$(python3 -c 'import csv, json
rows = list(csv.DictReader(open("book.out")))
print(json.dumps({c: sorted({r[c] for r in rows}) for c in rows[0]}, separators=(",", ":")))')"
truth "and how many rows have it, from k on" test "$(jq '[.columns[0].list[].rows] | add' out)" -eq 8
expect 0 out '' codebook book.json -o book_of.csv
truth "as a table" test "$(head -n 1 book_of.csv)" = column,done,value,coarse,rows
expect 3 err 'this is not the release that the result describes' codebook book.json --release book.csv
expect 0 out '' apply old.rec old.csv -o applied.csv --result applied.json --quiet
expect 0 out 'sex  quasi-identifier, unchanged' codebook applied.json
expect 0 out '' check old.out --qi age,sex -k 2 --result check.json --quiet
expect 2 err 'no result of a release' codebook check.json
finish
