#!/bin/bash
# Builders that know their values, from the command line: what they make, what becomes of the
# columns that a hierarchy is made of, and what is proposed.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

truth "random values are placed as definitions say" \
    python3 "$SOURCE/tests/cli/builders.py" "$MINGLE" 11 6

# ---- columns(county,state): the parents are left out, refused or accepted -----------------------
drawn 'BEGIN { seed(4); print "id,zip,county,state,age,disease"
    for (i = 1; i <= 600; i++) { z = int(uniform() * 24)
        printf "%d,%05d,county%d,%s,%d,%s\n", i, 1000 + z * 7, z / 3, z < 12 ? "MA" : "NH",
            20 + int(uniform() * 40), substr("abc", 1 + int(uniform() * 3), 1) } }' >t.csv
how=(--qi zip,age --hierarchy 'zip=columns(county,state)' --hierarchy 'age=intervals(5,10,20)'
    --sensitive disease --identifier id -k 5 --seed 1)
expect 0 out 'column county is a level of the hierarchy of another column and is not released' \
    anonymize t.csv "${how[@]}" --method mingen -o out.csv --result out.json --save-recoding out.rec
truth "parents are not released" test "$(head -1 out.csv)" = zip,age,disease
expect 0 out 'agrees with out.json' check out.csv --against out.json
truth "the result names the builder" grep -q '"resolved": "columns(county,state)"' out.json
expect 0 out '' anonymize t.csv "${how[@]}" --method mingen --rest insensitive -o rest.csv
truth "--rest does not release them either" cmp out.csv rest.csv
expect 1 err "column 'county' is a level of the hierarchy of another column" \
    anonymize t.csv "${how[@]}" --insensitive county -o no.csv
truth "nothing was written" test ! -e no.csv
expect 0 out 'column county is a level of the hierarchy of another column and gives it back' \
    anonymize t.csv "${how[@]}" --insensitive county --allow-leaks county -o leak.csv
# The file that build writes is the same hierarchy.
expect 0 out '' hierarchy build t.csv --hierarchy 'zip=columns(zip,county,state)' -o zip.csv
how[3]='zip=zip.csv'
expect 0 out '' anonymize t.csv "${how[@]}" --method mingen --rest drop -o file.csv
truth "as the file says" cmp out.csv file.csv
how[3]='zip=columns(county,state)'
# Old and new rows of the same values, by the recoding.
expect 0 out '' apply out.rec t.csv -o again.csv
# Values that the recoding has not seen: codes find their place by rule, others have none.
cat >old.csv <<'END'
dx,zip,county
E11.9,z1,c1
E10.1,z1,c1
E11.9,z2,c1
I10,z3,c2
I15.2,z3,c2
I10,z3,c2
END
cat >new.csv <<'END'
dx,zip,county
E13.3,z2,c1
E119,z1,c1
I11.0,z3,c2
I13.1,z3,c2
I12.9,z9,c2
E12,z9,c1
END
expect 0 out '' anonymize old.csv --qi dx,zip --hierarchy dx=icd10 --hierarchy 'zip=columns(county)' \
    --level dx=2..2 --level zip=1..1 --method mingen -k 2 -o old_out.csv --save-recoding old.rec
expect 0 out '' apply old.rec new.csv -o new_out.csv --suppress 100% --keep-order
truth "new codes are in their blocks, new places at the top" diff - new_out.csv <<'END'
dx,zip
E10-E14,c1
E10-E14,c1
I10-I15,c2
I10-I15,c2
*,*
*,*
END
# Windows and threads see the same rows.
expect 0 out '' anonymize t.csv "${how[@]}" --method mingen --memory 1K --threads 3 -o window.csv
truth "a table larger than memory" cmp out.csv window.csv
if "$MINGLE" check 'sqlite:none.db?table=t' --qi a -k 2 2>&1 | grep -q 'built without\|needs the library'; then
    :
else
    python3 - <<'END'
import csv, sqlite3
rows = list(csv.reader(open("t.csv")))
with sqlite3.connect("t.db") as base:
    base.execute("create table t (id, zip, county, state, age integer, disease)")
    base.executemany("insert into t values (?, ?, ?, ?, ?, ?)", rows[1:])
END
    expect 0 out '' anonymize 'sqlite:t.db?table=t' "${how[@]}" --method mingen -o base.csv
    truth "a database" cmp <(sort out.csv) <(sort base.csv)
fi
# Wrong uses.
expect 2 err 'there is no column "stat"' hierarchy check t.csv --hierarchy 'zip=columns(county,stat)'
expect 2 err 'it names no other column' hierarchy check t.csv --hierarchy 'zip=columns(zip)'
expect 2 err 'goes neither with a population' anonymize t.csv "${how[@]}" --k-map 6 \
    --population t.csv -o no.csv
sed '4s/,county[0-9]*,/,county9,/' t.csv >two.csv
expect 3 err "of column 'zip' lies in '.*' \(line [0-9]+\) and in '.*' \(line [0-9]+\) of column 'county'" \
    hierarchy check two.csv --hierarchy 'zip=columns(county,state)' --verbose
awk -F, -v OFS=, 'NR == 4 { $4 = $4 == "MA" ? "NH" : "MA" } { print }' t.csv >two.csv
expect 3 err "lies in '.*' \(line [0-9]+\) and in '.*' \(line [0-9]+\) of column 'state'" \
    hierarchy check two.csv --hierarchy 'zip=columns(state)' --verbose

# ---- Errors name line and value -----------------------------------------------------------------
printf 'dx\nE11.9\nfoo\n' >dx.csv
expect 2 err "dx.csv:3: column 'dx', icd10: the value 'foo' is no code of ICD-10" \
    hierarchy check dx.csv --hierarchy dx=icd10 --verbose
printf 'at\n"52.5,13.4"\n"13.4;152.5"\n"91,1"\n' >at.csv
expect 2 err "at.csv:4: column 'at', grid\(1\): the value '91,1' is no place" \
    hierarchy check at.csv --hierarchy 'at=grid(1)' --verbose
printf 'low\nmid\nhigh\nmid\n' >order.txt
printf 'x\nlow\nhigh\n' >x.csv
expect 3 err "order.txt:4: 'mid' stands in the order on line 2 already" \
    hierarchy check x.csv --hierarchy 'x=order(order.txt)' --verbose
# Paths of a job file are relative to it, sizes behind them stay.
mkdir -p sub && printf 'low\nmid\nhigh\n' >sub/order.txt
cat >sub/job.yaml <<'END'
data: ../x.csv
attributes:
  x: {role: quasi, hierarchy: "order(order.txt; 2)"}
END
expect 0 out 'height 2, values per level 3 > 2 > 1' hierarchy check sub/job.yaml

# ---- What is proposed ---------------------------------------------------------------------------
cat >looks.csv <<'END'
dx,room,origin,code,country,place,line
E11.9,A01,Germany,CA,DE,"52.52,13.405",E11
E10.1,B12,France,DE,FR,"52.53,13.39",E12
I21.4,C07,Japan,IN,JP,"48.85,2.35",I10
I10,D33,Kenya,AL,KE,"51.5,-0.12",J45
J45.0,E10,Peru,CO,PE,"40.71,-74",K21
J45.1,F02,Spain,GA,ES,"52.5,13.4",M54
END
cat >nine.csv <<'END'
diag,amount,room
250.02,12.5,V01
V30.00,250.02,E12
E850.0,99.1,V02
008.45,8.45,E13
414.01,300.25,V03
428.0,7.1,E14
END
expect 0 out "diag=icd9\(" hierarchy suggest nine.csv
truth "amounts and rooms are no diagnoses" test "$(grep -c "amount=icd9\|room=icd9" out)" -eq 0
expect 0 out "dx=icd10\(category,block,chapter\)'" hierarchy suggest looks.csv
truth "names are told from codes" grep -q "origin=iso3166(subregion,region)'" out
truth "two letters need the name of the column" grep -q "country=iso3166(subregion,region)'" out
truth "and are no countries elsewhere" test "$(grep -c "code=iso3166" out)" -eq 0
truth "rooms are no diagnoses" test "$(grep -c "room=icd10\|line=icd10" out)" -eq 0
truth "coordinates" grep -q "place=grid(0.1,1)'" out
finish
