#!/bin/bash
# Safe Harbor and years of birth: none that makes somebody older than 89 on the date of the release.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

python3 - <<'END'
with open("births.csv", "w") as out:
    print("name,birthyear,sex,ill", file=out)
    for i in range(60):
        print(f"n{i},{1926 + i},{'mf'[i % 2]},{'xyz'[i % 3]}", file=out)
END
harbor=(births.csv --identifier name --sensitive ill --policy hipaa-safe-harbor --method mingen)
years() { tail -n +2 release.csv | cut -d, -f1 | sort -u | tr '\n' ' '; }

# As they are, a column of years tells who is older than 89.
expect 1 err '"birthyear" .*a year of birth that makes a person older than 89' \
    anonymize "${harbor[@]}" --qi sex --insensitive birthyear -k 2 --date 2026-05-31 -o release.csv
truth "a release against Safe Harbor is not written" test ! -e release.csv
# Levels begin where no value tells too much: decades that begin before 1937 do, all before 1937
# together do not.
expect 0 out '^levels +birthyear 2/2' anonymize "${harbor[@]}" --qi birthyear,sex -k 2 \
    --hierarchy 'birthyear=intervals(10)' --date 2026-05-31 -o release.csv
truth "no decade is left" test "$(years)" = "* "
expect 0 out '^levels +birthyear 1/2' anonymize "${harbor[@]}" --qi birthyear,sex -k 2 \
    --hierarchy 'birthyear=cuts(1937,1957,1977)' --date 2026-05-31 -o release.csv
truth "the oldest are together" test "$(years)" = "1937-1956 1957-1976 <1937 >=1977 "
# The date of the release decides: in 2015 nobody of 1926 is older than 89.
expect 0 out '"reference_year": 2015' anonymize "${harbor[@]}" --qi birthyear,sex -k 2 \
    --hierarchy 'birthyear=cuts(1946,1966)' --date 2015-01-01 -o release.csv --json
truth "years may be told then" python3 - <<'END'
import json
assert json.load(open("out"))["node"]["birthyear"] <= 1
END
# Without a date it is this year.
expect 0 out "\"reference_year\": $(date -u +%Y)" anonymize "${harbor[@]}" --qi birthyear,sex -k 2 \
    --hierarchy 'birthyear=cuts(1946,1966)' -o release.csv --json

# Dates of birth, as years and as runs of years.
awk -F, 'NR == 1 { print "name,birth,sex,ill"; next }
    { printf "%s,%d-%02d-11,%s,%s\n", $1, $2, NR % 12 + 1, $3, $4 }' births.csv >dates.csv
dates=(dates.csv "${harbor[@]:1}" --qi birth,sex -k 2 --hierarchy 'birth=dates(year,10y)')
expect 0 out '^levels +birth 3/3' anonymize "${dates[@]}" --date 2026-05-31 -o release.csv
truth "1920-1929 is not released" test "$(years)" = "* "
expect 0 out '^levels +birth 2/3' anonymize "${dates[@]}" --date 2009-05-31 -o release.csv
truth "in 2009 it was" test -n "$(grep '^1920-1929' release.csv)"
finish
