#!/bin/bash
# Values of sensitive columns: spellings of one value are one value to every model, and a missing
# cell is none to models that ask for different values.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# Two classes of four: one diagnosis in four spellings, two diagnoses in several.
printf 'age,diagnosis\n30,HIV\n30,hiv\n30,HIV \n30,\302\240Hiv\n40,Flu\n40,flu\n40,HIV\n40,hiv  \n' >t.csv
expect 1 out 'p-sensitive p=2 does not hold: 4 rows in 1 class .measured 1' \
    check t.csv --qi age --sensitive diagnosis --p-sensitive 2
expect 0 out 'p-sensitive p=2 holds .measured 4' \
    check t.csv --qi age --sensitive diagnosis --p-sensitive 2 --spelling exact
for model in 'l-diversity diagnosis=2' 'entropy-l diagnosis=1.5' 'recursive-cl diagnosis=2,2' \
    'alpha diagnosis=0.6' 'extended-p diagnosis=2'; do
    # shellcheck disable=SC2086 # two words
    expect 1 out 'does not hold: 4 rows in 1 class' \
        check t.csv --qi age --sensitive diagnosis -k 2 --${model%% *} "${model#* }" \
        --sensitive-hierarchy diagnosis=suppress
done
expect 1 out 'FAIL +p-sensitive p=2: 4 rows in 1 class' gate t.csv --qi age --sensitive diagnosis -k 2 --p-sensitive 2

# Every method joins the classes, and writes the cells as they are spelled.
for method in mingen cell samarati incognito datafly top-down mondrian k-member microaggregate \
    local-suppression; do
    expect 0 err '' anonymize t.csv --qi age --sensitive diagnosis -k 2 --p-sensitive 2 \
        --method $method --hierarchy age=suppress -o r.csv --result r.json --overwrite --quiet
    truth "$method: no class has one diagnosis" \
        test "$(cut -d, -f1 r.csv | sed 1d | sort -u | wc -l)" = 1
    truth "$method: cells stay as spelled" \
        cmp <(cut -d, -f2 t.csv | sed 1d | sort) <(cut -d, -f2 r.csv | sed 1d | sort)
    expect 0 out 'agrees with r.json' check r.csv --against r.json
done
truth 'the result names the rules' \
    jq -e '.sensitive_values == {"spelling": "folded", "missing": "none"}' r.json
expect 0 err '' anonymize t.csv --qi age --sensitive diagnosis -k 2 --p-sensitive 2 \
    --hierarchy age=suppress --spelling exact -o r.csv --result r.json --overwrite --quiet
truth 'exact spellings keep both classes' test "$(cut -d, -f1 r.csv | sed 1d | sort -u | wc -l)" = 2
truth 'the result says exact' jq -e '.sensitive_values.spelling == "exact"' r.json
expect 0 out 'agrees with r.json' check r.csv --against r.json
jq '.sensitive_values.spelling = "folded"' r.json >f.json
expect 1 out 'sensitive_values' check r.csv --against f.json
jq 'del(.sensitive_values)' r.json >f.json
expect 1 out 'sensitive_values' check r.csv --against f.json
jq 'del(.audit.job.spelling)' r.json >f.json
expect 1 out '' check r.csv --against f.json
expect 2 err 'spelling' check t.csv --qi age --sensitive diagnosis --spelling loose

# The guard compares cells as they are released: a spelling can give something back.
for i in $(seq 1 60); do
    if [ $((i % 2)) = 0 ]; then echo 30,HIV; else echo 40,hiv; fi
    if [ $((i % 3)) = 0 ]; then echo 30,FLU; else echo 40,flu; fi
done | sed '1i age,diagnosis' >g.csv
expect 0 out '' anonymize g.csv --qi age --sensitive diagnosis -k 2 --p-sensitive 2 \
    --hierarchy age=suppress --level age=1 -o r.csv --overwrite
truth 'the guard looks at spellings' grep -q '"diagnosis" gives back the value of "age"' out err

# With --fold-case and --trim cells are released in one spelling, and that is what the guard looks at.
drawn 'BEGIN { seed(9); print "zip,age,town"
    for (i = 0; i < 800; i++) {
        zip = int(uniform() * 8); town = "sankt georgen ortsteil " substr("abcdefgh", zip + 1, 1); spelled = ""
        for (j = 1; j <= length(town); j++) {
            letter = substr(town, j, 1); spelled = spelled (uniform() < 0.5 ? toupper(letter) : letter)
        }
        print "00" zip "," 20 + int(uniform() * 20) "," spelled
    } }' >towns.csv
towns=(anonymize towns.csv --qi zip,age --hierarchy 'zip=mask(right)' --hierarchy 'age=intervals(5,20)'
    --level zip=1..2 --sensitive town -k 5 --method mingen -o r.csv --overwrite --result r.json)
expect 0 out '"town" has a value that no other row has' "${towns[@]}"
expect 1 err '"town" gives back the value of "zip" in 800 of the 800 rows' "${towns[@]}" --fold-case
expect 0 out '' "${towns[@]}" --fold-case --allow-leaks town
truth 'no value is alone any more' test "$(grep -c 'no other row has' out)" = 0
expect 0 out 'agrees with r.json' check r.csv --against r.json

# An attack discloses values, not letters.
printf 'name,age\nAnn,30\nBob,40\n' >p.csv
expect 0 out 'learnt +diagnosis of 1 persons' \
    attack t.csv p.csv --qi age --sensitive diagnosis --identifier name
expect 0 out 'learnt +diagnosis of 0 persons' \
    attack t.csv p.csv --qi age --sensitive diagnosis --identifier name --spelling exact

# Missing cells.
printf 'age,wage\n30,10\n30,\n30,NA\n30,na \n40,10\n40,20\n40,\n50,\n50,\n50,\n' >m.csv
expect 1 out 'l-diversity wage l=2 does not hold: 7 rows in 2 classes .measured 0' \
    check m.csv --qi age --sensitive wage --l-diversity wage=2
expect 1 out 'l-diversity wage l=1 does not hold: 3 rows in 1 class' \
    check m.csv --qi age --sensitive wage --l-diversity wage=1
expect 1 out 'l-diversity wage l=2 does not hold: 3 rows in 1 class .measured 1' \
    check m.csv --qi age --sensitive wage --l-diversity wage=2 --missing-sensitive value
expect 1 out 'alpha wage alpha=0.5 does not hold: 4 rows in 1 class .measured 1' \
    check m.csv --qi age --sensitive wage --alpha wage=0.5
expect 1 out 't-closeness wage t=0.2 equal does not hold' \
    check m.csv --qi age --sensitive wage --t-closeness wage=0.2
for method in mingen cell samarati incognito datafly top-down mondrian k-member \
    local-suppression; do
    expect 0 err '' anonymize m.csv --qi age --sensitive wage -k 2 --l-diversity wage=2 \
        --hierarchy age=suppress --method $method -o r.csv --result r.json --overwrite --quiet
    expect 0 out 'l-diversity wage l=2 holds' check r.csv --against r.json
done
expect 1 err 'has only 2 distinct values' anonymize m.csv --qi age --sensitive wage -k 2 \
    --l-diversity wage=3 --hierarchy age=suppress -o r.csv --overwrite
expect 0 err '' anonymize m.csv --qi age --sensitive wage -k 2 --l-diversity wage=3 \
    --missing-sensitive value --hierarchy age=suppress -o r.csv --result r.json --overwrite --quiet
truth 'the result names the reading' jq -e '.sensitive_values.missing == "value"' r.json
expect 0 out 'agrees with r.json' check r.csv --against r.json
jq '.sensitive_values.missing = "none"' r.json >f.json
expect 1 out 'sensitive_values' check r.csv --against f.json

# A list of --missing without an empty text makes a value of empty cells: everyone who reads is told.
expect 0 out 'warning +column wage has empty cells, which --missing does not name' \
    check m.csv --qi age --sensitive wage -k 2 --missing '?'
expect 0 out 'column wage has empty cells' anonymize m.csv --qi age --sensitive wage -k 2 \
    --l-diversity wage=2 --hierarchy age=suppress --missing '?' -o r.csv --result r.json --overwrite
truth 'the warning has a code' jq -e '[.warnings[].code] | index("empty-values")' r.json
expect 0 out 'column wage has empty cells' gate m.csv --qi age --sensitive wage -k 2 --missing '?'
for said in "--missing ,?" "--missing NA --missing-sensitive value" ''; do
    # shellcheck disable=SC2086 # words
    expect 0 out '' check m.csv --qi age --sensitive wage -k 2 $said
    truth "no such word with '$said'" bash -c '! grep -q "empty cells" out'
done
expect 0 out '' check m.csv --qi wage -k 1 --missing '?'
truth 'nor of a quasi-identifier' bash -c '! grep -q "empty cells" out'

# Numbers and dates, where the notation is fixed.
printf 'age,wage,day\n30,10,1.2.2020\n30,10.0,01.02.2020\n40,10,13.2.2020\n40,20,1.2.2020\n' >n.csv
expect 0 out 'distinct_l|p +2' check n.csv --qi age --sensitive wage,day --p-sensitive 2
expect 1 out 'l-diversity wage l=2 does not hold: 2 rows' \
    check n.csv --qi age --sensitive wage,day --l-diversity wage=2 --kind wage=number
expect 1 out 'l-diversity wage l=2 does not hold: 2 rows' \
    check n.csv --qi age --sensitive wage,day --l-diversity wage=2 --decimal .
expect 0 out 'l-diversity wage l=2 holds' \
    check n.csv --qi age --sensitive wage,day --l-diversity wage=2 --decimal . --kind wage=nominal
expect 1 out 'l-diversity day l=2 does not hold: 2 rows' \
    check n.csv --qi age --sensitive wage,day --l-diversity day=2 --kind day=date
expect 0 err '' anonymize n.csv --qi age --sensitive wage,day --l-diversity wage=2 \
    --l-diversity day=2 --kind wage=number,day=date --hierarchy age=suppress -o r.csv \
    --result r.json --overwrite --quiet
truth 'the result names the notations' \
    jq -e '.sensitive_values.notations == {"wage": "plain", "day": "dmy"}' r.json
truth 'one class' test "$(cut -d, -f1 r.csv | sed 1d | sort -u | wc -l)" = 1
expect 0 out 'agrees with r.json' check r.csv --against r.json

# A hierarchy may have any spelling of a value.
printf 'hiv;infection;*\nFLU ;infection;*\nBurn;injury;*\n' >d.csv
printf 'age,diagnosis\n30,HIV\n30,Flu\n40,HIV \n40,burn\n' >h.csv
expect 1 out 'extended-p-sensitive diagnosis p=2 does not hold: 2 rows in 1 class' \
    check h.csv --qi age --sensitive diagnosis -k 2 --extended-p diagnosis=2 \
    --sensitive-hierarchy diagnosis=d.csv --protect diagnosis=infection
expect 3 err 'is not in the hierarchy' check h.csv --qi age --sensitive diagnosis -k 2 \
    --extended-p diagnosis=2 --sensitive-hierarchy diagnosis=d.csv --spelling exact

# Parts remember both rules; a recoding hands them on.
head -5 t.csv >t1.csv
(head -1 t.csv && tail -n +6 t.csv) >t2.csv
for i in 1 2; do
    expect 0 err '' count t$i.csv --qi age --sensitive diagnosis --spelling exact -o $i.part --quiet
    expect 0 err '' count t$i.csv --qi age --sensitive diagnosis -o f$i.part --quiet
done
expect 0 err '' anonymize 1.part 2.part -k 2 --p-sensitive 2 --hierarchy age=suppress \
    --save-recoding e.rec --result e.json --quiet
truth 'parts that were counted exactly' jq -e '.classes.count == 2' e.json
expect 0 err '' anonymize f1.part f2.part -k 2 --p-sensitive 2 --hierarchy age=suppress \
    --save-recoding f.rec --result f.json --quiet
truth 'parts that were not' jq -e '.classes.count == 1' f.json
expect 0 err '' apply f.rec t1.csv -o a.csv --overwrite --quiet
truth 'an applied recoding keeps spellings' \
    cmp <(cut -d, -f2 t1.csv | sort) <(cut -d, -f2 a.csv | sort)

# A table through a window of memory.
for i in $(seq 1 4000); do echo "$((20 + i % 40)),HI$(if [ $((i % 2)) = 0 ]; then echo V; else echo v; fi)"; done |
    sed '1i age,diagnosis' >w.csv
echo 20,flu >>w.csv
expect 1 err 'no node|cannot|holds' anonymize w.csv --qi age --sensitive diagnosis -k 2 \
    --p-sensitive 2 --hierarchy 'age=intervals(10)' --level age=0..1 --memory 20K -o r.csv --overwrite
expect 0 err '' anonymize w.csv --qi age --sensitive diagnosis -k 2 --p-sensitive 2 \
    --hierarchy 'age=intervals(10)' --memory 20K -o r.csv --overwrite --quiet

finish
