#!/bin/bash
# Releases of averages: utility and attack go by distance, since averages match nobody exactly.
. "$(dirname "$0")/../support/by_hand.bash"
. "$SOURCE/tests/cli/support.bash"

python3 - <<'END'
import random
random.seed(3)
with open("data.csv", "w") as out:
    print("id,age,income,ill", file=out)
    for i in range(300):
        print(f"p{i},{random.randint(18, 90)},{random.randint(10, 99)}{random.randint(0, 99):02d}.5,"
              f"{random.choice('abc')}", file=out)
END
micro=(data.csv --identifier id --qi age,income --sensitive ill -k 4 --method microaggregate)
for replace in mean median; do
    expect 0 out '"microaggregation"' anonymize "${micro[@]}" --replace $replace -o release.csv --json
    mv out made.json
    expect 0 out '"compared_with": "nearest"' utility data.csv release.csv --qi age,income --json
    truth "utility of ${replace}s is what plain loops find" python3 - <<'END'
import csv, json, math
made, found = json.load(open("made.json")), json.load(open("out"))
original = [(float(r["age"]), float(r["income"])) for r in csv.DictReader(open("data.csv"))]
released = sorted({(float(r["age"]), float(r["income"])) for r in csv.DictReader(open("release.csv"))})
n = len(original)
mean = [sum(x[a] for x in original) / n for a in (0, 1)]
variance = [sum((x[a] - mean[a]) ** 2 for x in original) / n for a in (0, 1)]
span = [max(x[a] for x in original) - min(x[a] for x in original) for a in (0, 1)]
sse, loss, il1s = 0, [0, 0], 0
for x in original:
    y = min(released, key=lambda y: sum((x[a] - y[a]) ** 2 / variance[a] for a in (0, 1)))
    for a in (0, 1):
        sse += (x[a] - y[a]) ** 2 / variance[a]
        loss[a] += abs(x[a] - y[a]) / span[a] / n
        il1s += abs(x[a] - y[a]) / math.sqrt(2 * variance[a] * n / (n - 1))
sums = found["microaggregation"]
assert math.isclose(sums["sse"], sse, rel_tol=1e-9), (sums["sse"], sse)
assert math.isclose(sums["sst"], 2 * n, rel_tol=1e-9)
assert math.isclose(sums["il1s"], il1s, rel_tol=1e-9)
assert math.isclose(found["utility"]["loss"], sum(loss) / 2, rel_tol=1e-9)
# It is the least that can have been lost.
assert 0 < sums["sse"] <= made["microaggregation"]["sse"] * (1 + 1e-12)
# Measures that must know which values a cell stands for are not defined.
for key in "precision", "ambiguity", "nonuniform_entropy", "query_error":
    assert found["utility"][key] is None, key
assert found["utility"]["average_class_size"] == made["utility"]["average_class_size"]
END
done
expect 0 out '^averages +[0-9]+ groups' utility data.csv release.csv --qi age,income
# A column that is no number cannot be compared so.
expect 3 err 'is no value of its hierarchy' utility data.csv release.csv --qi age,income,ill \
    --hierarchy 'income=intervals(10)'

# The attack: nobody matches, and yet the nearest row is mostly the own one.
expect 0 out '' anonymize "${micro[@]}" -o release.csv
expect 0 out '"code": "nearest-rows"' attack release.csv data.csv --qi age,income --sensitive ill \
    --identifier id --json
truth "nobody is asked for a hierarchy" test -z "$(grep unmatched-column out)"
truth "the nearest rows are what plain loops find" python3 - <<'END'
import csv, json, collections, math
found = json.load(open("out"))["nearest"]
people = [(float(r["age"]), float(r["income"])) for r in csv.DictReader(open("data.csv"))]
rows = [((float(r["age"]), float(r["income"])), r["ill"]) for r in csv.DictReader(open("release.csv"))]
n = len(people)
mean = [sum(x[a] for x in people) / n for a in (0, 1)]
variance = [sum((x[a] - mean[a]) ** 2 for x in people) / n for a in (0, 1)]
values = collections.defaultdict(list)
for point, ill in rows:
    values[point].append(ill)
chosen, sizes, learnt = collections.defaultdict(list), [], 0
for x in people:
    y = min(values, key=lambda y: sum((x[a] - y[a]) ** 2 / variance[a] for a in (0, 1)))
    chosen[y].append(x)
    sizes.append(len(values[y]))
    learnt += len(set(values[y])) == 1
assert found["rows"]["min"] == min(sizes) and found["rows"]["max"] == max(sizes)
assert math.isclose(found["rows"]["mean"], sum(sizes) / n)
assert found["unique_matches"] == sizes.count(1) == 0
assert found["disclosed"] == {"ill": learnt}
assert found["right_at_most"] == sum(min(len(p), len(values[y])) for y, p in chosen.items())
certain = sum(len(p) for y, p in chosen.items() if len(p) == len(values[y]) and all(
    math.isclose(sum(x[a] for x in p) / len(p), y[a], rel_tol=1e-9) for a in (0, 1)))
assert found["right_for_certain"] == certain > 0
END
expect 0 out '^nearest +4 to ' attack release.csv data.csv --qi age,income --identifier id
expect 0 out '' attack release.csv data.csv --qi age,income --identifier id --report attack.html
truth "the page tells of them" grep -q 'The nearest rows' attack.html
# Where everybody matches there is nothing to add.
cut -d, -f2- data.csv >same.csv
expect 0 out '' attack same.csv data.csv --qi age,income --identifier id --json
truth "exact matches need no distance" test -z "$(grep '"nearest"' out)"
finish
