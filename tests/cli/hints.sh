#!/bin/bash
# What a few suppressed rows would gain or make possible.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

# One row of 1,201 forces a column up.
python3 - <<'END'
with open("data.csv", "w") as out:
    print("name,town,age,ill", file=out)
    for i in range(1200):
        print(f"n{i},{'AB'[i % 2]}{i % 4},{20 + i % 8},{'xy'[i % 2]}", file=out)
    print("odd,C9,99,x", file=out)
END
job=(data.csv --identifier name --qi town,age --sensitive ill --hierarchy 'town=mask(right)'
    --hierarchy 'age=intervals(5,20)' -k 5 --suppressed drop)
mingen=("${job[@]}" --method mingen)
expect 0 out '^warning +with --suppress 1% precision would be [0-9.]+ instead of [0-9.]+' \
    anonymize "${mingen[@]}" -o release.csv
expect 0 out '"code": "suppression-helps"' anonymize "${mingen[@]}" -o release.csv --json
truth "the hint tells what suppression would give" python3 - <<'END'
import json, re, subprocess, os
told = [w["message"] for w in json.load(open("out"))["warnings"] if w["code"] == "suppression-helps"]
then, now = map(float, re.search(r"would be (\S+) instead of (\S+):", told[0]).groups())
found = json.load(open("out"))["utility"]["precision"]
assert abs(found - now) < 0.001 and then > now
open("then", "w").write(str(then))
END
expect 0 out '' anonymize "${mingen[@]}" --suppress 1% -o release.csv --json
truth "the release with suppression has what the hint told" python3 - <<'END'
import json
result = json.load(open("out"))
assert abs(result["utility"]["precision"] - float(open("then").read())) < 0.001
assert not [w for w in result["warnings"] if w["code"] == "suppression-helps"]
END
expect 0 out '' anonymize "${mingen[@]}" -o release.csv --brief
truth "--brief wants no hints" test -z "$(grep -- '--suppress 1%' out)"
expect 0 out '' anonymize "${mingen[@]}" -o release.csv --time-limit 5
truth "a time limit leaves no time for them" test -z "$(grep -- '--suppress 1%' out)"
grep -v '^odd' data.csv >even.csv
expect 0 out '' anonymize even.csv "${mingen[@]:1}" -o release.csv
truth "no hint where there is nothing to gain" test -z "$(grep -- '--suppress 1%' out)"

# No node holds: how many rows would have to go, and that so many are enough.
bounded=("${job[@]}" --level town=0..1 --level age=0..1)
expect 1 err 'suppressing 1 row \(0.0833 %\) would do: --suppress 1;' anonymize "${bounded[@]}" \
    --method mingen -o none.csv
truth "a job that cannot be met writes nothing" test ! -e none.csv
expect 0 out '1 suppressed' anonymize "${bounded[@]}" --method mingen --suppress 1 -o release.csv
for method in samarati incognito; do
    expect 1 err 'would do: --suppress 1;' anonymize "${bounded[@]}" --method $method -o none.csv
done
expect 1 err 'however few rows are left' anonymize even.csv "${mingen[@]:1}" \
    --level town=0..0 --level age=0..0 --t-closeness ill=0.01 -o none.csv
finish
