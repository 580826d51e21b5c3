#!/bin/bash
# --missing-matches all: classes and risk are counted as the model counts; --entity: in persons.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

python3 - <<'END'
import random
random.seed(7)
with open("data.csv", "w") as out:
    print("id,a,b,c", file=out)
    for i in range(200):
        print(f"{i // 2},{random.randint(1, 4)},{random.choice('xyz')},{random.randint(1, 6)}", file=out)
END
all=(data.csv --qi a,b,c --identifier id -k 3 --method local-suppression --missing-matches all)
agrees() { # NAME FILE RESULT
    truth "$1" python3 - "$2" "$3" <<'END'
import csv, json, math, sys
rows = [tuple(r[c] for c in "abc") for r in csv.DictReader(open(sys.argv[1]))]
matches = {x: sum(all(p == q or "*" in (p, q) for p, q in zip(x, y)) for y in rows) for x in set(rows)}
result = json.load(open(sys.argv[2]))
classes, risk = result["classes"], result["risk"]
assert classes["count"] == len(matches)
assert (classes["min"], classes["max"]) == (min(matches.values()), max(matches.values())), classes
assert math.isclose(risk["prosecutor_max"], 1 / min(matches.values()))
assert math.isclose(risk["prosecutor_mean"], sum(1 / matches[x] for x in rows) / len(rows))
assert risk["uniques"] == sum(matches[x] == 1 for x in rows)
model = result["models"][0]
assert model["measured"] == classes["min"] and model["holds"] == (classes["min"] >= 3)
sizes = result["figures"]["class_sizes"]
bins = sizes.get("after", sizes.get("now"))
for one in bins:
    assert one["rows"] == sum(one["from"] <= matches[x] <= one["to"] for x in rows), one
END
}
for treatment in keep drop; do
    expect 0 out '' anonymize "${all[@]}" --suppressed $treatment -o release.csv --result result.json
    agrees "the risk of a release ($treatment)" release.csv result.json
    expect 0 out '' check release.csv --qi a,b,c -k 3 --missing-matches all --result check.json
    agrees "the risk of a check ($treatment)" release.csv check.json
done
expect 0 out '^classes +[0-9]+ different, each matched by [0-9]+ to [0-9]+ rows' \
    anonymize "${all[@]}" -o release.csv
expect 0 out '^risk +at most 33.3 %' anonymize "${all[@]}" -o release.csv

# Persons with several rows.
expect 0 out '^classes +[0-9]+ of [0-9]+ to [0-9]+ persons' anonymize data.csv --qi a,b,c \
    --entity id -k 3 --method mingen -o release.csv
expect 0 out '^classes +[0-9]+ of [0-9]+ to [0-9]+ rows' anonymize data.csv --qi a,b,c \
    --identifier id -k 3 --method mingen -o release.csv
finish
