#!/bin/bash
# shellcheck disable=SC2054 # the commas are in lists of columns
# Role advice, and the policy that follows HIPAA's Safe Harbor.
. "$SOURCE/tests/cli/support.bash"

awk 'BEGIN { srand(7); print "name,ssn,zip,birth,age,sex,admitted,diagnosis,ward"
    for (i = 0; i < 400; i++)
        printf "Person %d,%03d-%02d-%04d,02%d%d%d,%d-%02d-%02d,%d,%s,2019-%02d-%02d,d%d,%s\n", i,
            100 + i, 10 + i % 80, 1000 + i, rand() * 2, rand() * 10, rand() * 10,
            1930 + rand() * 70, 1 + rand() * 12, 1 + rand() * 28, 20 + rand() * 75,
            rand() < 0.5 ? "f" : "m", 1 + rand() * 12, 1 + rand() * 28, rand() * 5,
            rand() < 0.5 ? "east" : "west" }' >patients.csv

expect 0 out '^ssn +identifier' risk patients.csv --advise -o job.yaml
for line in 'name +identifier' 'zip +quasi' 'birth +quasi' 'age +quasi' 'sex +quasi' \
    'admitted +quasi' 'diagnosis +sensitive' 'ward +quasi'; do
    truth "advice: $line" grep -Eq "^$line" out
done
truth "every column has a reason" test "$(grep -Ec '^(name|ssn|zip|birth|age|sex|admitted|diagnosis|ward) +[a-z]+ +[a-z]' out)" -eq 9
expect 0 out '^privacy +k-anonymity k=5 holds' anonymize job.yaml --effort fast
truth "the proposed job releases" test -s release.csv
truth "identifiers are gone" test "$(head -1 release.csv)" = zip,birth,age,sex,admitted,diagnosis,ward
expect 0 out '"role": "identifier"' risk patients.csv --advise --json
expect 2 err 'advise' anonymize patients.csv --advise
truth "the job file is private" test "$(stat -c %a job.yaml)" = 600

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
truth "nothing is written" test ! -e release.csv
expect 1 err 'column "birth" tells a date finer than a year' anonymize patients.csv "${harbor[@]}" \
    --identifier name,ssn --level birth=0..1 -o release.csv

# Three digits must stand for more than 20,000 persons of the population.
awk 'BEGIN { print "zip"; for (i = 0; i < 30000; i++) printf "020%02d\n", i % 100
    for (i = 0; i < 500; i++) printf "021%02d\n", i % 100 }' >population.csv
places=(--qi zip --sensitive diagnosis --rest drop --hierarchy 'zip=mask(right,4)' -k 2
    --policy hipaa-safe-harbor --population population.csv -o release.csv)
expect 1 err 'only 500 persons of the population live in "021' anonymize patients.csv "${places[@]}"
truth "nothing is written" test ! -e release.csv
cp population.csv both.csv
tail -n +2 population.csv | sed 's/^020/021/' >>both.csv
expect 0 out '' anonymize patients.csv "${places[@]/population.csv/both.csv}" --quiet
finish
