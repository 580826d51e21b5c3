#!/bin/bash
# A recoding is a rule: what `apply` gives to other rows, held against brute force.
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
finish
