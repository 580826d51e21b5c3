#!/bin/bash
# shellcheck disable=SC2154 # support.bash sets small
# Input that was made to do harm, and what the program leaves behind.
# sanitized: damage may be seen by sanitizers alone
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"
small_table

# refused PATTERN ARGUMENT...: refused with a message (exit 2 or 3), without
# filling memory.
refused() {
    local pattern=$1 got=0
    shift
    "$MINGLE" "$@" >out 2>err || got=$?
    case $got in
    2 | 3) check_result "mingle ${*:1:4}" $got $got err "$pattern" ;;
    *) not_ok "mingle ${*:1:4}" "exit code $got: $(head -c 500 err)" ;;
    esac
}

# ---- Tables -------------------------------------------------------------------------------
many=100000 long=3000000
if [ -n "${MGL_TEST_LONG:-}" ]; then
    many=10000000 long=1200000000
fi
{ head -c $((2 * many)) /dev/zero | tr '\0' 'a' | sed 's/aa/a,/g'; echo; echo 1; } >wide.csv
refused 'both called|has 1 field' check wide.csv --qi a -k 2
{ seq -s, $many; seq -s, $many; } >columns.csv
expect 1 out '"k": 1' check columns.csv --qi 1 -k 2 --json --threads 1
rm -f wide.csv columns.csv

{ echo 'a,b'; head -c $long /dev/zero | tr '\0' x; echo ,2; echo x,2; } >long.csv
if [ -n "${MGL_TEST_LONG:-}" ]; then
    refused 'longer than 1 GiB' check long.csv --qi a -k 2
else
    expect 1 out '' check long.csv --qi a -k 2
fi
{ echo 'a,b'; echo '1,"2'; head -c $long /dev/zero | tr '\0' x; } >open.csv
refused 'never closed|longer than 1 GiB' check open.csv --qi a -k 2
rm -f long.csv open.csv

# ---- Codes that run out: each new text in turn finds no number left --------------------------
for n in 1 3 5 9 14 20; do
    MINGLE_FAULT=codes:$n "$MINGLE" anonymize data.csv "${small[@]}" -k 2 -o codes.csv >out 2>err
    check_result "no code left for text $n" 4 $? err 'memory'
done
truth "a run without a code left for a text releases nothing" test ! -e codes.csv

# ---- Hierarchies --------------------------------------------------------------------------
printf 'a: black\nb: a, white\na: b\n' >cycle.txt
bare=(--qi race,zip --identifier name --sensitive disease)
refused 'in itself' anonymize data.csv "${bare[@]}" -k 2 -o r.csv --hierarchy 'race=groups(cycle.txt)'
levels=100000
[ -z "${MGL_TEST_LONG:-}" ] || levels=1000000
{ echo "black,$(seq -s, $levels)"; echo "white,$(seq -s, $levels)"; } >levels.csv
refused 'levels' anonymize data.csv "${bare[@]}" -k 2 -o r.csv --hierarchy race=levels.csv
seq $levels | sed 's/.*/g&: g/' | awk '{ print $0 NR - 1 }' >deep.txt
echo 'g0: black, white' >>deep.txt
refused 'levels|deep' anonymize data.csv "${bare[@]}" -k 2 -o r.csv --hierarchy 'race=groups(deep.txt)'
refused 'no number of levels' anonymize data.csv "${bare[@]}" -k 2 -o r.csv \
    --hierarchy 'race=mask(right,1000000)'

# ---- Job files ----------------------------------------------------------------------------
printf 'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b]\n' >bomb.yaml
refused 'anchors|aliases' anonymize bomb.yaml
{ printf 'data: '; head -c 100000 /dev/zero | tr '\0' '['; } >nested.yaml
refused 'nested too deeply|YAML' anonymize nested.yaml
{ printf 'data: '; for _ in $(seq 5000); do printf '{a: '; done; } >maps.yaml
refused 'nested too deeply|YAML' anonymize maps.yaml
{ echo 'data: x'; head -c 17000000 /dev/zero | tr '\0' '#'; } >large.yaml
refused 'larger than 16 MB' anonymize large.yaml
rm -f large.yaml nested.yaml

# ---- Compressed files -----------------------------------------------------------------------
{ echo 'a,b'; yes 1,2 | head -n 2000000; } | gzip -9 >bomb.csv.gz
zcat bomb.csv.gz | zstd -q -19 -c >bomb.csv.zst
for bomb in bomb.csv.gz bomb.csv.zst; do
    expect 3 err 'compressed data become more than 1 MB.*--unpack' check $bomb --qi a -k 2 --unpack 1M
    expect 0 out '' check $bomb --qi a -k 2 --unpack 100M
    expect 0 out '' check $bomb --qi a -k 2
done
if [ -n "${MGL_TEST_LONG:-}" ]; then
    { echo 'a,b'; yes 1,2 | head -n 300000000; } | zstd -q -c >bomb.csv.zst
    expect 3 err 'become more than 1024 MB' check bomb.csv.zst --qi a -k 2
fi
rm -f bomb.csv.*

# ---- Formulas -------------------------------------------------------------------------------
cat >formulas.csv <<'END'
=name,x,note
a,1,=1+1
a,1,"+A1,2"
a,1,-5
a,1,@sum
b,2,'=old
b,2,plain
b,2,"=""q"""
b,2,-A1
END
formulas=(formulas.csv --qi '=name,x' --sensitive note -k 2 --l-diversity note=2 --keep-order --quiet)
expect 0 out '' anonymize "${formulas[@]}" -o plain.csv
truth "nothing is changed unasked" cmp formulas.csv plain.csv
expect 0 out '' anonymize "${formulas[@]}" -o neutral.csv --neutralize
cat >expected.csv <<'END'
'=name,x,note
a,1,'=1+1
a,1,"'+A1,2"
a,1,-5
a,1,'@sum
b,2,''=old
b,2,plain
b,2,"'=""q"""
b,2,'-A1
END
truth "formulas get an apostrophe" cmp expected.csv neutral.csv
"$MINGLE" anonymize "${formulas[@]/--quiet/--json}" -o warned.csv >out 2>err
truth "formulas are warned of" grep -q '"code": "formula-cells"' out
truth "with the key that helps, by name" grep -q 'column =name, note: cells begin like formulas.*`neutralize`' out
"$MINGLE" anonymize "${formulas[@]/--quiet/--json}" --neutralize -o quiet.csv >out 2>err
truth "not where they are neutralized" test "$(grep -c formula-cells out)" -eq 0
# Names of columns have line breaks and tabs: a warning is one all the same.
for name in 'x' "$(printf '%0300d' 0)	x" 'x	one	two'; do
    { printf 'q,"=first\n'"$name"'"\n'; printf 'a,1\na,1\nb,1\nb,1\n'; } >lines.csv
    expect 0 out '' anonymize lines.csv --qi q --rest insensitive --allow-leaks -k 2 -o warned.csv --json
    truth "its code is its own" test "$(jq -c '[.warnings[] | select(.message | contains("begin like")) | .code]' out)" = \
        '["formula-cells"]'
    truth "and it names the column" test "$(jq -r '.warnings[] | select(.code == "formula-cells") | .message' out |
        head -1)" = 'column =first'
done
# What apply releases is looked at as well.
expect 0 out '' anonymize lines.csv --qi q --rest insensitive --allow-leaks -k 2 -o warned.csv --save-recoding lines.rec
expect 0 out '^warning +column =first' apply lines.rec lines.csv -o warned.csv
# Each sign alone, quoted or not, generalized or passed through, in order or shuffled, in full width.
for cell in '=1' '+A1' '-A1' '@x' '"=1,2"' '＝1' '＋x' '－x' '＠x' '"	x"' '+49 170'; do
    printf 'a,b\n%s,x\n%s,x\n1,y\n1,y\n' "$cell" "$cell" >one.csv
    expect 0 out '^warning +column a: cells begin like formulas' anonymize one.csv --qi b --insensitive a -k 2 \
        --allow-leaks -o warned.csv
    expect 0 out '^warning +column a: cells begin like formulas' anonymize one.csv --qi a --rest drop -k 2 \
        --hierarchy a=suppress --keep-order -o warned.csv
done
for cell in -5 +5 -1.5e3 -5.25 '"-5,3"' '"-1.234,5"' -12% - -- x=1 a@b "'=1"; do
    printf 'a,b\n%s,x\n%s,x\n1,y\n1,y\n' "$cell" "$cell" >one.csv
    "$MINGLE" anonymize one.csv --qi b --insensitive a -k 2 --allow-leaks -o warned.csv >out 2>err
    truth "$cell is no formula" test "$(grep -c formulas out)" -eq 0
done
expect 2 err 'neutralize is for text' anonymize "${formulas[@]}" -o r.dta --neutralize

# ---- Terminals ------------------------------------------------------------------------------
printf 'na\033]0;owned\007me,zip\n\033[31mred,1\nblue,\302\2332J\n' >escapes.csv
"$MINGLE" check escapes.csv --qi zip -k 2 >out 2>err
"$MINGLE" check escapes.csv --qi zip -k 2 --json >>out 2>>err
"$MINGLE" risk escapes.csv --advise >>out 2>>err
"$MINGLE" anonymize escapes.csv --qi zip -k 2 -o r.csv >>out 2>>err
"$MINGLE" anonymize escapes.csv --rest drop --qi zip --hierarchy 'zip=intervals(5)' -k 2 -o r.csv --verbose >>out 2>>err
"$MINGLE" hierarchy show escapes.csv --hierarchy 'zip=mask(right,1)' >>out 2>>err
truth "hostile names are told on both streams" test -s out -a -s err
truth "no control character is printed" \
    sh -c "! cat out err | LC_ALL=C grep -q \$(printf '[\\001-\\010\\013-\\037\\177]')"
truth "no control characters of two bytes are printed" sh -c "! cat out err | LC_ALL=C grep -q \$(printf '\\302[\\200-\\237]')"

# ---- Files that are left ----------------------------------------------------------------------
umask 022
expect 0 out '' anonymize data.csv "${small[@]}" -k 2 -o mode.csv --result mode.json \
    --save-recoding mode.rec --quiet
truth "outputs are for the owner alone" test "$(stat -c %a mode.csv mode.json mode.rec | sort -u)" = 600
echo old >real.csv
ln -s real.csv link.csv
expect 0 out '' anonymize data.csv "${small[@]}" -k 2 -o link.csv --quiet
truth "a link stays a link" test -L link.csv
truth "the target of a link is written" grep -q black real.csv
truth "for the owner alone" test "$(stat -c %a real.csv)" = 600
ln -s loop1 loop2 && ln -s loop2 loop1
expect 4 err 'links' anonymize data.csv "${small[@]}" -k 2 -o loop1 --quiet

# While a run waits for its input, nothing of it is readable to others.
mkdir spool
mkfifo fifo
TMPDIR=$PWD/spool "$MINGLE" anonymize fifo "${small[@]}" -k 2 -o piped.csv --quiet >out 2>err &
run=$!
exec 7>fifo
cat data.csv >&7
sleep 0.3
truth "spools have no name" test -z "$(ls -A spool)"
truth "a run leaves no core" sh -c "grep -Eq 'Max core file size +0 +0 ' /proc/$run/limits"
exec 7>&-
wait $run
check_result "from a pipe" 0 $? out ''

# Searches that keep a level per column say how many columns they take.
columns=$(seq -s, -f 'c%g' 1 1025)
{ echo "$columns"; yes "$columns" | head -4; } >wide.csv
for method in cell local-suppression; do
    expect 2 err 'at most 1024 quasi-identifier columns, and there are 1025; name fewer' \
        anonymize wide.csv --qi "$columns" -k 2 --method "$method" -o x.csv
done
finish
