#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Role advice, and the policy that follows HIPAA's Safe Harbor.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

drawn 'BEGIN { seed(7); print "name,ssn,zip,birth,age,sex,admitted,diagnosis,ward"
    for (i = 0; i < 400; i++)
        printf "Person %d,%03d-%02d-%04d,02%d%d%d,%d-%02d-%02d,%d,%s,2019-%02d-%02d,d%d,%s\n", i,
            100 + i, 10 + i % 80, 1000 + i, uniform() * 2, uniform() * 10, uniform() * 10,
            1930 + uniform() * 70, 1 + uniform() * 12, 1 + uniform() * 28, 20 + uniform() * 75,
            uniform() < 0.5 ? "f" : "m", 1 + uniform() * 12, 1 + uniform() * 28, uniform() * 5,
            uniform() < 0.5 ? "east" : "west" }' >patients.csv

expect 0 out '^ssn +identifier' risk patients.csv --advise -o job.yaml
for line in 'name +identifier' 'zip +quasi' 'birth +quasi' 'age +quasi' 'sex +quasi' \
    'admitted +quasi' 'diagnosis +sensitive' 'ward +quasi'; do
    truth "advice: $line" grep -Eq "^$line" out
done
truth "every column has a reason" test "$(grep -Ec '^(name|ssn|zip|birth|age|sex|admitted|diagnosis|ward) +[a-z]+ +[a-z]' out)" -eq 9
expect 0 out '^privacy +k-anonymity k=5 holds' anonymize job.yaml --effort fast
truth "the proposed job releases" test -s release.csv
truth "the advised release has no identifiers" test "$(head -1 release.csv)" = zip,birth,age,sex,admitted,diagnosis,ward
expect 0 out '"role": "identifier"' risk patients.csv --advise --json
expect 2 err 'advise' anonymize patients.csv --advise
truth "the job file is private" test "$(stat -c %a job.yaml)" = 600

# chain NAME TABLE [OPTION...]: the advised job gives a release, without a look at it.
chain() {
    local name=$1 table=$2
    shift 2
    rm -f chain.yaml chain.csv
    expect 0 out '^tried +this job gives a release' risk "$table" --advise -o chain.yaml "$@"
    cp out advice
    expect 0 out '' anonymize chain.yaml -o chain.csv --quiet
    truth "$name: the release has as many rows" test "$(wc -l <chain.csv)" -eq "$(wc -l <"$table")"
}
advised() { # advised COLUMN ROLE
    truth "$1 is $2" grep -Eq "^$1 +$2 " advice
}

# Whatever singles most rows out is never passed through.
drawn 'BEGIN { seed(11); print "who,at,amount,key,note,stamp,sex"
    for (i = 0; i < 60; i++)
        printf "Ann%c Berg%c%c,2016.%04d,%d,%08x-aaaa-bbbb-cccc-%012x,seen on ward %d and sent home,2020-01-01T10:%02d:%02d,%s\n",
            97 + i % 26, 97 + i % 7, 97 + int(i / 7), i * 131 % 9973, i * i * 37 + 5, i * 7919, i,
            i * 31, i % 60, i * 7 % 60, i % 2 ? "f" : "m" }' >single.csv
chain "singling out" single.csv
advised who identifier
advised at quasi
advised amount quasi
advised key identifier
advised note identifier
advised stamp quasi
truth "identifying columns are never advised to be insensitive" test "$(grep -Ec '^[a-z]+ +insensitive' advice)" -eq 0
truth "no name is released" test "$(grep -c Berg chain.csv)" -eq 0

# Patients with several rows: k counts them, and who forgets that is warned.
drawn 'BEGIN { seed(5); print "patient_id,household_id,sex,birth,ward,diagnosis"
    for (p = 0; p < 60; p++) { sex = uniform() < 0.5 ? "f" : "m"; year = 1930 + int(uniform() * 60)
        for (v = 0; v < 3; v++) printf "%d,%d,%s,%d-05-%02d,%s,d%d\n", 1000 + 7 * p, int(p / 2), sex,
            year, 1 + p % 28, substr("ABC", 1 + uniform() * 3, 1), uniform() * 5 } }' >visits.csv
chain persons visits.csv
truth "the job counts persons" grep -qx 'entity: patient_id' chain.yaml
truth "the advice says how many" grep -q '60 persons' advice
advised household_id identifier
by_hand=(--qi sex,birth,ward --sensitive diagnosis -k 5 --effort fast -o hand.csv)
expect 0 out 'rows, but column "patient_id" tells persons apart' anonymize visits.csv "${by_hand[@]}" \
    --identifier patient_id,household_id
expect 0 out '"code": "rows-not-persons"' anonymize visits.csv --qi sex,birth,ward,diagnosis -k 5 \
    --effort fast -o hand.csv --identifier patient_id,household_id --json
"$MINGLE" anonymize visits.csv "${by_hand[@]}" --identifier household_id --entity patient_id >out
truth "no warning where persons are counted" test "$(grep -c 'tells persons apart' out)" -eq 0
cut -d, -f2- visits.csv >households.csv
"$MINGLE" anonymize households.csv "${by_hand[@]}" --identifier household_id >out
truth "a household is no person" test "$(grep -c 'tells persons apart' out)" -eq 0
"$MINGLE" risk households.csv --advise --json >out
truth "nor for the advice" grep -q '"entity": null' out

# Constants pass, weights and row numbers do not; a sensitive column that is constant has no model.
drawn 'BEGIN { seed(9); print "n,age,sex,country,sampling_weight,income,hiv"
    for (i = 1; i <= 80; i++) printf "%d,%d,%s,AT,%d.5,%d,no\n", i, 18 + uniform() * 60,
        uniform() < 0.5 ? "f" : "m", 10 + i % 7, 1000 + uniform() * 90000 }' >survey.csv
chain survey survey.csv
advised n identifier
advised country insensitive
advised sampling_weight identifier
advised income sensitive
advised hiv insensitive
truth "risk gets the weights" grep -qx 'weight: sampling_weight' chain.yaml
expect 0 out '^weighted' risk chain.yaml

# Amounts alone.
drawn 'BEGIN { seed(13); print "assets,sales,profit"
    for (i = 0; i < 100; i++) printf "%d,%d,%d\n", uniform() * 1e6, uniform() * 1e5, uniform() * 1e4 - 3000 }' \
    >amounts.csv
chain amounts amounts.csv
truth "amounts are averaged" grep -qx 'method: microaggregate' chain.yaml
advised sales quasi

# What was said about reading, and what was found out, goes into the job.
printf 'Jos\351;34;13.02.1980;x\nAnn;.;14.03.1981;x\n' >latin.csv
drawn 'BEGIN { seed(3); for (i = 0; i < 60; i++)
    printf "P%d;%d;%02d.%02d.%d;%s\n", i, 20 + uniform() * 60, 1 + uniform() * 28, 1 + uniform() * 12,
        1940 + uniform() * 60, uniform() < 0.5 ? "x" : "X " }' >>latin.csv
echo 'Zoe;41;31.02.1977;x' >>latin.csv
rm -f chain.csv
expect 0 out 'no date|is taken for missing' risk latin.csv --advise -o chain.yaml --no-header \
    --encoding ISO-8859-1
cp out advice
for line in 'no-header: true' 'encoding: ISO-8859-1' 'missing: .*"\."|missing: .*, \., ' \
    'missing: .*31.02.1977'; do
    truth "the job says $line" grep -Eq "^$line" chain.yaml
done
truth "advice tells of spellings of one value" grep -q 'letter case or blanks only' advice
truth "the impossible day does not make a text of dates" grep -Eq 'column3: .*dates\(' chain.yaml
expect 0 out '' anonymize chain.yaml -o chain.csv --quiet

# Few rows, and nothing to find anybody by.
(head -6 survey.csv) >five.csv
chain "five rows" five.csv
head -5 survey.csv >four.csv
expect 0 out 'only 4 rows' risk four.csv --advise
printf 'id,country\n' >nobody.csv
for i in $(seq 30); do echo "$i,AT"; done >>nobody.csv
expect 0 out 'no person to find' risk nobody.csv --advise -o nobody.yaml
truth "the job is there to be edited" test -s nobody.yaml
expect 0 out '^age +sensitive +as given' risk survey.csv --advise --sensitive age
cp survey.csv release.csv
expect 0 out '' risk release.csv --advise -o beside.yaml
truth "the release is not the data" grep -qx 'output: released.csv' beside.yaml
rm release.csv
awk 'BEGIN { print "a,b"; for (i = 0; i < 40; i++) print (i % 9 ? i % 3 : "*") "," i % 4 }' >stars.csv
chain "cells that are stars" stars.csv

# Safe Harbor: years, three digits, nobody above 89 by age.
harbor=(--qi zip,birth,age,sex,admitted --sensitive diagnosis --insensitive ward
    --hierarchy 'zip=mask(right,4)' --hierarchy 'birth=dates(month,year,10y)'
    --hierarchy 'age=cuts(30,50,70,90)' --hierarchy 'admitted=dates(month,year)'
    -k 2 --effort fast --policy hipaa-safe-harbor)
expect 0 out '^privacy' anonymize patients.csv "${harbor[@]}" --identifier name,ssn -o release.csv
truth "no value tells too much" python3 - <<'END'
import csv, re
for row in csv.DictReader(open("release.csv")):
    assert re.fullmatch(r"\d{1,3}\*+|\*", row["zip"]), row
    assert re.fullmatch(r"\d{4}(-\d{4})?|\*", row["birth"]), row
    assert re.fullmatch(r"\d{4}|\*", row["admitted"]), row
    assert re.fullmatch(r"<30|30-49|50-69|70-89|>=90|\*", row["age"]), row
END
rm -f release.csv
expect 1 err 'column "ssn"' anonymize patients.csv "${harbor[@]}" --identifier name \
    --insensitive ssn -o release.csv
truth "a release with a social security number is not written" test ! -e release.csv
expect 1 err 'column "birth" shows a date finer than a year' anonymize patients.csv "${harbor[@]}" \
    --identifier name,ssn --level birth=0..1 --suppress 80% -o release.csv

# Three digits must stand for more than 20,000 persons of the population.
awk 'BEGIN { print "zip"; for (i = 0; i < 30000; i++) printf "020%02d\n", i % 100
    for (i = 0; i < 500; i++) printf "021%02d\n", i % 100 }' >population.csv
places=(--qi zip --sensitive diagnosis --rest drop --hierarchy 'zip=mask(right,4)' -k 2
    --policy hipaa-safe-harbor --population population.csv -o release.csv)
expect 1 err 'has "021..", where only 500 persons of the population live' anonymize patients.csv "${places[@]}"
truth "a release with a small ZIP area is not written" test ! -e release.csv
cp population.csv both.csv
tail -n +2 population.csv | sed 's/^020/021/' >>both.csv
expect 0 out '' anonymize patients.csv "${places[@]/population.csv/both.csv}" --quiet

# ---- Persons by small numbers, amounts with a unit ------------------------------------------------
drawn 'BEGIN { seed(11); print "kto,login,zor,mip,tak,dwe,fra"
    for (i = 0; i < 40; i++)
        for (j = 0; j < 7; j++)
            printf "%d,u.n%d%s,%s,%d,%s,2023-%02d-%02d,$%.2f\n", i * 3 + 2, i * 17, i % 3 ? "" : "x",
                i % 2 ? "x" : "y", 1930 + i * 37 % 61, substr("TUOZ", 1 + int(i / 3) % 4, 1),
                1 + uniform() * 12, 1 + uniform() * 28, 800 + 300 * (uniform() + uniform() + uniform()) }' >panel.csv
expect 0 out '^login +identifier .*tells 40 persons apart' risk panel.csv --advise --no-trial
cut -d, -f1,3- panel.csv >numbers.csv
expect 0 out '^kto +identifier .*tells 40 persons apart' risk numbers.csv --advise --no-trial
truth "amounts of money are no keys" grep -Eq '^fra +(quasi|sensitive)' out
# Groups of ages never vary within an age.
awk 'BEGIN { print "zor,tak,mip,dwe"
    for (i = 0; i < 400; i++) { a = 10 + i % 40; print a "," int(a / 10) "," (a < 18 ? "y" : "n") "," i * 7 % 11 } }' >ages.csv
expect 0 out '^zor +quasi' risk ages.csv --advise --no-trial

# ---- Groups with attributes of their own ----------------------------------------------------------
# Goods: category, brand and price never vary, and are no traits of persons.
drawn 'BEGIN { seed(17); print "bidhaa,aina,chapa,bei,kiasi"
    for (i = 0; i < 45; i++)
        for (j = 0; j < 6; j++)
            printf "KB-%04d,%s,%s,%d.99,%d\n", i * 1931 % 9973, substr("fgh", 1 + i % 3, 1),
                substr("QRSTU", 1 + int(i / 3) % 5, 1), 3 + i * 7 % 38, 1 + uniform() * 9 }' >goods.csv
expect 0 out '^bidhaa +quasi' risk goods.csv --advise --no-trial
# Wards: births of many persons lie far apart, whatever else never varies.
drawn 'BEGIN { seed(19); print "osasto,kerros,paikat,avattu,syntynyt"
    for (i = 0; i < 24; i++)
        for (j = 0; j < 12; j++)
            printf "Os%c,%d,%d,%d,%d-%02d-%02d\n", 97 + i, i % 5, 12 + i * 7 % 23, 1960 + i * 5 % 43,
                1931 + uniform() * 74, 1 + uniform() * 12, 1 + uniform() * 28 }' >wards.csv
expect 0 out '^osasto +quasi' risk wards.csv --advise --no-trial
# Ten persons by short numbers: sexes and births of them never vary, and each has another birth.
drawn 'BEGIN { seed(23); print "kto,neme,zul,gym,vako"
    for (i = 0; i < 10; i++)
        for (j = 0; j < 7; j++)
            printf "%d,%s,%d-%02d-11,%d,2023-%02d-%02d\n", 441 + 7 * i, i % 3 ? "f" : "n", 1941 + i * 17 % 59,
                1 + i * 5 % 12, 40 + uniform() * 50, 1 + uniform() * 12, 1 + uniform() * 28 }' >few.csv
expect 0 out '^kto +identifier .*tells 10 persons apart' risk few.csv --advise --no-trial
# Names of few persons in a script without capitals, under a name that speaks of something else.
drawn 'BEGIN { seed(29); print "diagnosis,zor"
    split("דן גל רן טל נוי שי לב עוז", a, " "); split("כהןק לויש מזרח פרץא ביטון אוחנ דהןב אזול", b, " ")
    for (i = 0; i < 16; i++) n[i] = a[1 + i % 8] " " b[1 + (i * 3 + int(i / 8)) % 8]
    for (i = 0; i < 120; i++) printf "%s,%d\n", n[i % 16], uniform() * 30 }' >names.csv
expect 0 out '^diagnosis +identifier .*names of persons' risk names.csv --advise --no-trial
# Amounts below zero in parentheses.
drawn 'BEGIN { seed(31); print "saldo,zor"
    for (i = 0; i < 80; i++) printf "(%.2f),%d\n", 12000 + 9000 * (uniform() + uniform() + uniform()), uniform() * 4 }' >below.csv
expect 0 out '^saldo +(quasi|sensitive)' risk below.csv --advise --no-trial
finish
