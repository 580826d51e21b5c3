#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# What the program prints and writes about a table does not repeat the table: cells with marks are
# put into it, many commands fail and succeed on it, and the marks are looked for.
# sanitized: all commands, on success and on failure
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# Quasi-identifiers with marks that no shape or sum can have by chance; one row is alone in each.
cat >data.csv <<'END'
name,birth,zip,age,disease,weight
Qxann,1935-03-07,QZ531,41,Qxflu,1
Qxbob,1935-04-08,QZ532,42,Qxcold,1
Qxcyd,1936-05-09,QZ533,43,Qxflu,2
Qxdan,1936-06-11,QZ534,44,Qxcold,2
Qxeve,1937-07-12,QZ535,45,Qxflu,1
Qxfay,1937-08-13,QZ536,46,Qxcold,1
Qxgus,1938-09-14,QZ537,47,Qxpox,2
Qxhal,1938-10-15,QZ538,48,Qxhiv,2
END
marks='Qx|193[5-8]-|QZ53[1-8]'
sed 's/1938-10-15/Qxday/; s/,48,/,Qxold,/; s/QZ538/Qxzip/; s/,2$/,Qxw/' data.csv >bad.csv
printf 'Qxann,"x\n' | cat data.csv - >broken.csv
printf 'QZ531;QZ53*;*\n' >short.csv
printf 'a: QZ531\n' >groups.txt
sed 's/QZ53\([1-8]\),\(..\)/99\1,4*/' data.csv >other.csv

roles=(--identifier name --sensitive disease)
qi=(--qi birth,zip,age)
levels=(--hierarchy 'birth=dates(month,year,10y)' --hierarchy 'zip=mask(right,4)'
    --hierarchy 'age=intervals(5,10)')
all=("${roles[@]}" "${qi[@]}" "${levels[@]}" --rest drop --allow-leaks)

# silent NAME FILE...: no mark in any of them.
silent() {
    local name=$1
    shift
    if found=$(grep -Eao "$marks" "$@" | head -3) && [ -n "$found" ]; then
        not_ok "$name" "shown: $found in $(grep -Ea "$marks" "$@" | head -3)"
    else
        ok "$name"
    fi
}

# quiet_about CODE ARGUMENT...: runs; nothing that is printed has a mark.
quiet_about() {
    local code=$1 got=0
    shift
    "$MINGLE" "$@" >out 2>err || got=$?
    if [ $got -ne "$code" ]; then
        not_ok "mingle $*" "exit code $got, expected $code: $(head -c 800 err)"
    else
        silent "mingle $*" out err
    fi
}

# ---- What fails -----------------------------------------------------------------------------
for builder in 'birth=dates(month,year)' 'birth=intervals(5)' 'birth=cuts(5)' 'age=intervals(5)' \
    'age=cuts(10)' 'zip=intervals(10)' 'zip=short.csv' 'zip=groups(groups.txt)' 'age=dates(year)'; do
    quiet_about "$(case $builder in *short.csv | *groups*) echo 3 ;; *) echo 2 ;; esac)" \
        anonymize bad.csv "${roles[@]}" "${qi[@]}" --rest drop -k 2 -o r.csv --hierarchy "$builder"
done
quiet_about 3 anonymize broken.csv "${all[@]}" -k 2 -o r.csv
quiet_about 3 risk bad.csv "${qi[@]}" --weight weight
quiet_about 3 utility data.csv other.csv "${qi[@]}" "${levels[@]}"
quiet_about 1 anonymize data.csv "${all[@]}" -k 9 -o r.csv
quiet_about 1 anonymize data.csv "${all[@]}" -k 2 --l-diversity disease=5 -o r.csv
quiet_about 1 check data.csv "${qi[@]}" "${roles[@]}" -k 2 --l-diversity disease=2
quiet_about 1 anonymize data.csv "${roles[@]}" "${qi[@]}" "${levels[@]}" --rest insensitive -k 2 -o r.csv \
    --insensitive weight --method mingen --suppress 0 --level birth=0..0

# A value that is asked for is shown.
expect 2 err "the value 'Qxday'" anonymize bad.csv "${roles[@]}" "${qi[@]}" --rest drop -k 2 -o r.csv \
    --hierarchy 'birth=dates(month,year)' --verbose
expect 2 err "the value 'Aaaaa'.*--verbose shows" anonymize bad.csv "${roles[@]}" "${qi[@]}" --rest drop \
    -k 2 -o r.csv --hierarchy 'birth=dates(month,year)'

# ---- What succeeds ----------------------------------------------------------------------------
for method in cell mingen datafly samarati incognito top-down k-member mondrian; do
    "$MINGLE" anonymize data.csv "${all[@]}" -k 4 --method $method -o r.csv --result r.json --report r.html \
        >out 2>err || not_ok "$method" "$(cat err)"
    silent "result, summary and report of $method" out err r.json r.html
done
for treatment in keep drop exempt; do
    "$MINGLE" anonymize data.csv "${all[@]}" -k 2 --l-diversity disease=2 --t-closeness disease=0.9 \
        --suppress 50% --suppressed $treatment -o r.csv --result r.json --save-recoding r.rec \
        --report r.html --json >out 2>err || not_ok "$treatment" "$(cat err)"
    silent "result with suppressed rows: $treatment" out err r.json r.html
done
"$MINGLE" anonymize data.csv "${all[@]}" -k 4 -o r.csv --result r.json --save-recoding r.rec --quiet
quiet_about 0 check r.csv --against r.json
quiet_about 0 apply r.rec data.csv -o applied.csv --allow-leaks
quiet_about 0 count data.csv "${roles[@]}" "${qi[@]}" --rest drop -o part.mgl
quiet_about 0 compare data.csv "${all[@]:0:10}" -k 4 --json
quiet_about 0 lattice data.csv "${roles[@]}" "${qi[@]}" "${levels[@]}" -k 4 --json
quiet_about 0 risk data.csv "${qi[@]}" --suda --single-out 50% --json
quiet_about 0 risk data.csv --advise --json
quiet_about 0 risk data.csv --advise
quiet_about 0 hierarchy suggest data.csv "${qi[@]}"
quiet_about 0 attack r.csv data.csv "${qi[@]}" --sensitive disease --json
quiet_about 0 utility data.csv r.csv "${qi[@]}" "${levels[@]}" --json

finish
