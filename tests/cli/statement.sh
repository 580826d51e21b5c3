#!/bin/bash
# Promises and statements: what a recipient gets is a function of the release and the promise alone,
# in every format and for every kind of job; results and reports are confidential.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

{
    echo name,birth,sex,zip,area,visits,diagnosis,codes
    i=0
    for zip in 02138 02139 02141 02142; do
        for birth in 1960 1961 1965 1971 1972 1980; do
            for sex in M F; do
                i=$((i + 1))
                echo "Person$i,$birth,$sex,$zip,${zip%?},$((1 + i % 3)),d$((i * 7 % 5)),c$((i % 2));c2"
            done
        done
    done
} >data.csv
job=(data.csv --qi "birth,sex,zip" --hierarchy 'birth=intervals(5,10,20)' --hierarchy 'zip=mask(right)'
    --hierarchy sex=suppress --identifier name --sensitive diagnosis --rest insensitive --allow-leaks)

# same NAME LOCATION [OPTION...]: anonymize writes what statement gives in a folder without the input.
same() {
    local name=$1 location=$2 file
    shift 2
    file=${location#*:} file=${file%%\?*}
    rm -rf elsewhere
    mkdir elsewhere
    "$MINGLE" anonymize "$@" -o "$location" --save-promise p.json --statement s.json --quiet >out 2>err ||
        { not_ok "$name" "anonymize: $(cat err)"; return; }
    cp -r "$file" p.json elsewhere/
    (cd elsewhere && "$MINGLE" statement "$location" --promise p.json -o s.json --quiet) >out 2>err ||
        { not_ok "$name" "statement: $(cat err)"; return; }
    if ! cmp -s s.json elsewhere/s.json; then
        not_ok "$name" "$(diff s.json elsewhere/s.json | head -20)"
    elif ! (cd elsewhere && "$MINGLE" check "$location" --against s.json) >out 2>err; then
        not_ok "$name" "check: $(cat out err)"
    elif grep -q Person s.json p.json; then
        not_ok "$name" "a name is in promise or statement"
    else
        ok "$name"
    fi
}

# ---- Formats ---------------------------------------------------------------------------------------------
for ending in csv tsv csv.gz xlsx sav dta jsonl arrow; do
    same "the same statement of .$ending" "r.$ending" "${job[@]}" -k 3 --method mingen --suppress 10%
done
same "the same statement of a table of SQLite" 'sqlite:r.sqlite?table=r' "${job[@]}" -k 3 --method mingen \
    --suppress 10%

# ---- Jobs ------------------------------------------------------------------------------------------------
base=("${job[@]}" -k 3)
same "cell level" r.csv "${base[@]}"
same "averages" r.csv data.csv --qi birth,visits --identifier name --rest drop -k 3 --method microaggregate
same "ranges" r.csv "${base[@]}" --method mondrian
same "single cells" r.csv "${base[@]}" --method local-suppression
same "rows that are dropped" r.csv "${base[@]}" --method mingen --suppress 30% --suppressed drop
same "rows that are exempt" r.csv "${base[@]}" --method mingen --suppress 30% --suppressed exempt
same "strata" r.csv data.csv --qi birth,zip --by sex --hierarchy 'birth=intervals(5,10,20)' \
    --hierarchy 'zip=mask(right)' --identifier name --rest drop -k 3
same "treated columns" r.csv "${base[@]}" --treat 'visits=round(2)'
same "a column that follows" r.csv data.csv --qi birth,zip --hierarchy 'zip=mask(right)' --identifier name \
    --insensitive area --rest drop --linked zip,area -k 2
same "sets of items" r.csv data.csv --qi birth,sex --identifier name --km codes=2,1 --km-separator ';' --rest drop -k 3
same "persons that are not released" r.csv data.csv --qi sex,zip --entity name --rest drop -k 3
(umask 077 && head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n' >key)
for view in rows joined; do
    same "pseudonyms of persons, $view" r.csv data.csv --qi sex,zip --entity name --entity-view "$view" \
        --treat name=pseudonym --key key --rest drop -k 3 --suppressed drop --suppress 50% --method mingen
done
same "several quasi-identifiers" r.csv data.csv --qi-set birth,sex --qi-set sex,zip --hierarchy 'zip=mask(right)' \
    --identifier name --rest drop -k 3 --method mingen
same "counted rows" r.csv data.csv --qi sex,zip --count visits --rest drop -k 3
same "models of values" r.csv "${base[@]}" --l-diversity diagnosis=2 --alpha diagnosis=0.8 --entropy-l diagnosis=1.5
same "models that compare with the input" r.csv "${base[@]}" --t-closeness diagnosis=0.6 --beta diagnosis=4
truth "which are listed as open" test "$(jq -c '[.not_checkable[].model]' s.json)" = '["t-closeness","beta"]'
truth "and are not measured" test "$(jq -c '[.models[].model]' s.json)" = '["k-anonymity"]'

# Spellings and missing sensitive cells count as the promise says.
{ echo age,s; for i in 1 2 3 4 5 6; do echo "3$i,HIV"; echo "3$i,hiv "; echo "3$i,flu"; echo "3$i,"; done; } >spelled.csv
for more in '' '--spelling exact' '--missing-sensitive value'; do
    # shellcheck disable=SC2086 # several words
    same "spellings $more" r.csv spelled.csv --qi age --hierarchy 'age=intervals(10)' --sensitive s -k 2 --l-diversity s=2 $more
done
truth "which the statement has" test "$(jq -c '[.promise.sensitive_values.missing, .sensitive_values.missing]' s.json)" = \
    '["value","value"]'

# ---- What is in a statement --------------------------------------------------------------------------------
expect 0 out '' anonymize "${base[@]}" --method mingen --suppress 10% --suppressed drop -o r.csv \
    --save-promise p.json --statement s.json --result r.json --quiet
truth "the promise has models with numbers" test "$(jq -c '.models[0].parameters' p.json)" = '{"k":3}'
truth "the statement has the digest" test "$(jq -r .release.sha256 s.json)" = "$(sha256sum r.csv | cut -d ' ' -f 1)"
truth "and what the verifier measures" test "$(jq -c '[.k >= 3, .models[0].holds, .rows]' s.json)" = \
    "[true,true,$(($(wc -l <r.csv) - 1))]"
truth "builders are named without what is between their brackets" test \
    "$(jq -c '[.columns[] | select(.builder) | .builder]' p.json)" = '["intervals","suppress","mask"]'
truth "no key tells of the input" test "$(jq -c '[has("bound"), has("utility"), .disclosed]' p.json)" = \
    '[false,false,{}]'
expect 0 out 'agrees with s.json' check r.csv --against s.json
expect 0 out 'sha256 ' statement r.csv --promise p.json
expect 0 out '"statement": 1' statement r.csv --promise p.json --json
truth "--json prints the bytes of the file" cmp -s out s.json
expect 0 out '^written     s.html' statement r.csv --promise p.json -o s.html
truth "a page" grep -q 'Statement about a release' s.html
expect 0 out '' anonymize "${base[@]}" --method mingen --suppress 10% --suppressed drop -o r2.csv --seed 1 \
    --save-promise p2.json --statement s2.html --quiet
expect 0 out '' statement r2.csv --promise p2.json -o again.html --quiet
truth "the page of anonymize is that of statement" cmp -s s2.html again.html
expect 0 out '' report s.json -o s3.html --quiet
truth "report makes the same page of the statement" cmp -s s.html s3.html

# ---- What does not agree -----------------------------------------------------------------------------------
sed '2s/[^,]*/1066/' r.csv >changed.csv
expect 1 out 'does not agree with s.json' check changed.csv --against s.json
jq '.promise.models[0].parameters.k = 50' s.json >boast.json
expect 1 out 'does not agree' check r.csv --against boast.json
jq '.promise.models[0].parameters.k = 50 | .models[0].parameters.k = 50' s.json >boast.json
expect 1 out 'does not agree' check r.csv --against boast.json
jq 'del(.models)' s.json >less.json
expect 1 out 'does not agree' check r.csv --against less.json
# What the promise says in other words than those that are judged is compared as well.
for change in '.promise.models[0].promise = "nobody can be found"' 'del(.promise.models[0].promise)' \
    '.promise.sensitive_values.spelling = "exact"' 'del(.promise.sensitive_values)'; do
    jq "$change" s.json >false.json
    expect 1 out 'does not agree' check r.csv --against false.json
done
for change in '.quasi_identifiers[0] += ["diagnosis"]' '.quasi_identifiers[0][0] = "income"' \
    '.quasi_identifiers[0] |= .[1:]' '.quasi_identifiers = []'; do
    jq ".promise$change" s.json >false.json
    expect 3 err 'quasi_identifiers are not the columns with that role' check r.csv --against false.json
    jq "$change" p.json >false.json
    expect 3 err 'quasi_identifiers are not the columns' statement r.csv --promise false.json -o false.html
done
expect 0 out 'left open .*promise: the file was judged by it' check r.csv --against s.json
jq '.models[0].parameters.k = 2' p.json >weaker.json
expect 0 out '' statement r.csv --promise weaker.json -o weaker.s.json --quiet
truth "another promise is another statement" test "$(cmp -s weaker.s.json s.json || echo differs)" = differs

expect 3 err 'this is a statement' gate r.csv --against s.json
expect 3 err 'this is a statement' utility data.csv r.csv --against s.json

# ---- What is refused ---------------------------------------------------------------------------------------
expect 2 err 'no promise; name with --promise' statement r.csv
expect 3 err 'p0.json' statement r.csv --promise p0.json
expect 3 err 'this is not JSON' statement r.csv --promise data.csv
expect 3 err 'no promise' statement r.csv --promise r.json
expect 3 err 'this is a statement' statement r.csv --promise s.json
jq '.promise = 2' p.json >later.json
expect 3 err 'version 2' statement r.csv --promise later.json
jq '.settings.population = "/etc/passwd"' p.json >files.json
expect 3 err 'a key that no promise has' statement r.csv --promise files.json
printf 'a,b\n1,2\n' >other.csv
expect 3 err 'the promise does not fit the release' statement other.csv --promise p.json
jq '.settings.suppressed = "never"' p.json >other_keys.json
expect 3 err "does not fit the release: 'never' is not possible; give the promise" statement r.csv --promise other_keys.json
truth "no option is named that the command does not have" test "$(grep -c -e --against -e --sensitive err)" = 0
jq '.columns |= map(select(.column != "visits"))' p.json >less_columns.json
expect 3 err 'it has no column "visits"; give the promise' statement r.csv --promise less_columns.json
expect 2 err 'standard input' statement - --promise p.json
expect 2 err "'everything' is none of bound, dropped, utility|bound" anonymize "${base[@]}" -o x.csv --statement s9.json \
    --disclose everything
expect 2 err 'add --save-promise' anonymize "${base[@]}" -o x.csv --disclose bound
expect 2 err 'about a release' anonymize "${base[@]}" --dry-run --statement s9.json
expect 2 err 'ends? in|end its name in' anonymize "${base[@]}" -o x.csv --statement s9.csv
truth "nothing is written" test ! -e x.csv -a ! -e s9.json
expect 2 err 'both name the statement' statement r.csv --promise p.json -o a.json --statement b.json

# ---- Disclosing --------------------------------------------------------------------------------------------
expect 0 out '' anonymize "${base[@]}" --method mingen --suppress 10% --suppressed drop -o r.csv --save-promise p.json \
    --statement s.json --disclose bound,dropped,builders --quiet
truth "what is disclosed is listed" test "$(jq -c '.promise.disclosed | keys_unsorted' s.json)" = \
    '["bound","dropped","builders"]'
truth "with its values" test "$(jq -c '.disclosed.dropped.rows' p.json)" = 48
expect 0 out 'left open .*bound' check r.csv --against s.json

# ---- A function of release and promise ---------------------------------------------------------------------
# Two tables that differ in rows that are dropped give the same release, promise and statement.
{ cat data.csv; echo Odd1,1901,M,99999,9999,9,hiv,c9; } >one.csv
{ cat data.csv; echo Odd2,1888,F,77777,7777,8,plague,c7; } >two.csv
for table in one two; do
    "$MINGLE" anonymize "$table.csv" --qi birth,sex,zip --hierarchy 'birth=intervals(5,10,20)' \
        --hierarchy 'zip=mask(right)' --hierarchy sex=suppress --identifier name --sensitive diagnosis --rest drop \
        -k 3 --method mingen --level birth=2..2,zip=1..1,sex=0..1 --suppress 3% --suppressed drop --seed 7 \
        -o "$table.out.csv" --save-promise "$table.p.json" --statement "$table.s.json" --result "$table.r.json" --quiet
done
truth "the releases are the same" cmp -s one.out.csv two.out.csv
truth "the promises are the same" cmp -s one.p.json two.p.json
truth "the statements are the same" cmp -s one.s.json two.s.json
truth "nothing of the dropped rows is in them" test \
    "$(cat one.[ps].json two.[ps].json | grep -c -e 1901 -e 9999 -e hiv -e 7777 -e plague)" = 0

# What is proposed for a column depends on all its values, and so does the height of a hierarchy.
{
    echo name,day,ward
    for i in $(seq 1 40); do echo "P$i,$((1931 + i % 2 * 90))-02-10,$((i / 2 % 2))"; done
} >days.csv
{ cat days.csv; echo Odd,1975-12-01,9; } >one.csv
{ cat days.csv; echo Odd,soon,9; } >two.csv
for by in 3 15; do
    for table in one two; do
        "$MINGLE" anonymize "$table.csv" --qi day,ward --identifier name -k "$by" --level ward=0 --method mingen --suppress 1 \
            --suppressed drop --keep-order --seed 7 -o "$table.out.csv" --save-promise "$table.p.json" \
            --statement "$table.s.json" --quiet
    done
    truth "k=$by: releases of another hierarchy are the same" cmp -s one.out.csv two.out.csv
    truth "k=$by: so are the promises" cmp -s one.p.json two.p.json
    truth "k=$by: so are the statements" cmp -s one.s.json two.s.json
done
truth "a column of tops has no level" test "$(jq -c '[.columns[] | [.column, .level]]' one.p.json)" = '[["day",null],["ward",0]]'
truth "and is called suppressed" test "$(jq -r '.columns[0].done' one.s.json)" = 'quasi-identifier, suppressed in all rows'

# ---- Signatures --------------------------------------------------------------------------------------------
if openssl genpkey -algorithm ed25519 -out key.pem 2>/dev/null && openssl pkey -in key.pem -pubout -out pub.pem; then
    expect 0 out '' anonymize "${base[@]}" -o r.csv --statement s.json --sign key.pem --quiet
    expect 0 out 'signature   verified' check r.csv --against s.json --verify-key pub.pem
    echo >>s.json
    expect 1 out 'signature   bad' check r.csv --against s.json --verify-key pub.pem
    expect 0 out '' anonymize "${base[@]}" -o r.csv --statement s.json --save-promise p.json --quiet
    rm -f s.json.sig
    expect 0 out '' statement r.csv --promise p.json -o s.json --sign key.pem --quiet
    expect 0 out 'signature   verified' check r.csv --against s.json --verify-key pub.pem
    expect 2 err 'statement: FILE|--statement' anonymize "${base[@]}" -o r.csv --sign key.pem
fi

# ---- Confidential ------------------------------------------------------------------------------------------
umask 022
for file in r.json r.html p.json s.json rows.csv; do : >"$file"; chmod 644 "$file"; done
expect 0 out '' anonymize "${base[@]}" -o r.csv --result r.json --report r.html --save-promise p.json --statement s.json \
    --save-job j.yaml --save-recoding r.rec --save-map m.csv --quiet
expect 0 out '' risk "${job[0]}" --qi birth,sex,zip --rows rows.csv --quiet
truth "files are for their owner, also those that replace others" test \
    "$(stat -c %a r.csv r.json r.html p.json s.json j.yaml r.rec m.csv rows.csv | sort -u)" = 600
truth "a result states first that it is confidential" test "$(jq -r 'keys_unsorted[0]' r.json)" = confidential
truth "in its first line" grep -q confidential <(sed -n 2p r.json)
truth "a report does so before its title" test "$(tr -d '\n' <r.html | grep -o '<body>.*<h1>' | grep -c Confidential)" = 1
expect 0 out 'confidential' anonymize "${base[@]}" -o r.csv --result r.json --report r.html
expect 0 out '' check r.csv --against r.json
truth "a statement does not" test "$(grep -ci confidential s.json)" = 0

# ---- Rare values are those of few persons ------------------------------------------------------------------
{
    echo person,clinic,age
    for i in 1 2 3 4 5 6 7 8; do echo "Lone,Rarehill,$((30 + i % 2))"; done
    for i in $(seq 1 40); do echo "Q$i,Main,$((30 + i % 2))"; done
    for i in $(seq 41 80); do echo "Q$i,North,$((30 + i % 2))"; done
    for i in $(seq 81 120); do echo "Q$i,South,$((30 + i % 2))"; done
} >visits.csv
expect 0 out '' anonymize visits.csv --qi clinic,age --hierarchy clinic=suppress --hierarchy age=suppress --entity person -k 5 \
    -o v.csv --result v.json --report v.html --suppress 20% --quiet
truth "a clinic that one person visited eight times is not named" test "$(jq -c '.figures' v.json | grep -c Rarehill)" = 0
truth "nor in the report" test "$(grep -c Rarehill v.html)" = 0
truth "others are" test "$(jq -c '.figures' v.json | grep -c North)" = 1

# ---- Random jobs -------------------------------------------------------------------------------------------
if found=$(python3 "$SOURCE/tests/cli/statements.py" "$MINGLE_RELEASE" 0 120 2>&1); then
    ok "$(tail -n 1 <<<"$found")"
else
    not_ok "statements of random jobs are made anew" "$found"
fi
finish
