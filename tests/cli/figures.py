"""figures.py MINGLE: the aggregates of a result against plain counting, on random tables.

Rows are released in order, so that every row can be compared with what became of it.
"""
import csv
import json
import random
import subprocess
import sys
from collections import Counter

mingle = sys.argv[1]
failures = 0


def check(right, what):
    global failures
    if not right:
        failures += 1
        print("wrong:", what)


def run(options):
    got = subprocess.run([mingle, "anonymize", "t.csv", "--qi", "age,zip,sex", "--hierarchy",
                          "age=intervals(5,10,20)", "--hierarchy", "zip=mask(right,2)",
                          "--sensitive", "s", "--keep-order", "--allow-leaks", "--result", "r.json",
                          "-o", "o.csv", "--quiet", "--threads", "1"] + options, capture_output=True,
                         text=True)
    if got.returncode != 0:
        return None
    return json.load(open("r.json"))


def rows_of(path):
    return [(r["age"], r["zip"], r["sex"]) for r in csv.DictReader(open(path))]


def members(bins):
    return {(b["from"], b["to"]): (b["classes"], b["rows"]) for b in bins}


def in_bins(sizes, bins):
    return {(b["from"], b["to"]): (sum(b["from"] <= n <= b["to"] for n in sizes),
                                   sum(n for n in sizes if b["from"] <= n <= b["to"]))
            for b in bins}


def at_level(column, value, level):
    """What a ground value is on a level."""
    if level == 0:
        return value
    if column == "zip":
        return value[:-level] + "*" * level
    width = {1: 5, 2: 10, 3: 20}[level]
    low = int(value) // width * width
    return f"{low}-{low + width - 1}"


def check_column(figure, column, before, after, threshold):
    d, n = figure["distribution"], len(before)
    check(sum(figure["rows_at_level"]) + figure["rows_made"] + figure["rows_dropped"] == n,
          f"{column}: levels of {n} rows")
    check(sum(g["before"] for g in d["groups"]) + d["pooled"]["before"] == n, f"{column}: before")
    check(sum(g["after"] for g in d["groups"]) + d["pooled"]["after"] + d["coarser"] + d["dropped"]
          == n, f"{column}: after")
    for g in d["groups"]:
        check(g["before"] >= threshold, f"{column}: {g} is rarer than {threshold}")
    if d["groups"] and d["pooled"]["before"] > 0:
        check(d["pooled"]["before"] >= threshold, f"{column}: the pool {d['pooled']} is rare")
        check(d["pooled"]["values"] >= 2, f"{column}: the pool {d['pooled']} is one value")
    hidden = [g for g in d["groups"] if g["before"] > g["after"]]
    pooled = d["pooled"]["before"] - d["pooled"]["after"]
    check(len(hidden) != 1 or pooled > 0 or len(d["groups"]) < 2,
          f"{column}: what was hidden is {hidden}")
    if d["level"] is None:
        return
    levels = range(d["level"] + 1)
    counts = Counter(at_level(column, v, d["level"]) for v in before)
    told = Counter(at_level(column, before[i], d["level"]) for i in range(n)
                   if after[i] in {at_level(column, before[i], l) for l in levels})
    for g in d["groups"]:
        check(g["before"] == counts[g["value"]], f"{column}: {g}, counted {counts[g['value']]}")
        check(g["after"] == told[g["value"]], f"{column}: {g}, counted after {told[g['value']]}")


def check_sensitive(figure, before, after, secrets):
    for side, tuples in (("before", before), ("after", after)):
        values = {}
        for t, s in zip(tuples, secrets):
            values.setdefault(t, []).append(s)
        distinct = Counter()
        for group in values.values():
            distinct[min(len(set(group)), 10)] += len(group)
        check(figure[side]["distinct_values"] == [distinct[i] for i in range(1, 11)],
              f"sensitive values {side}")
        whole, distances = Counter(secrets), [0] * 10
        for group in values.values():
            share = Counter(group)
            d = sum(abs(share[v] / len(group) - whole[v] / len(secrets)) for v in whole) / 2
            distances[min(int(d * 10 + 1e-9), 9)] += len(group)
        check(figure[side]["distances"] == distances, f"distances {side}")


random.seed(2002)
tried = 0
for case in range(24):
    n = random.choice([12, 60, 300])
    table = [(str(random.randint(17, 17 + random.choice([6, 60]))),
              "021%02d" % random.randint(30, 30 + random.choice([3, 40])),
              random.choice("fm"), random.choice("abcd")) for _ in range(n)]
    with open("t.csv", "w") as out:
        out.write("age,zip,sex,s\n" + "".join(",".join(row) + "\n" for row in table))
    k = random.choice([2, 3, 5])
    method = random.choice(["cell", "mingen", "mondrian", "datafly", "local-suppression", "k-member"])
    treatment = random.choice(["keep", "drop", "exempt"]) if method == "mingen" else "keep"
    options = ["-k", str(k), "--method", method, "--suppressed", treatment, "--curve", f"{k},{k + 2}"]
    if method == "mingen":
        options += ["--suppress", "20%", "--l-diversity", "s=2"]
    result = run(options)
    if result is None:
        continue
    tried += 1
    figures = result["figures"]
    before, after = [row[:3] for row in table], rows_of("o.csv")
    check(figures["threshold"] == k, "threshold")
    bins = figures["class_sizes"]
    check(members(bins["before"]) == in_bins(Counter(before).values(), bins["before"]),
          f"{method}: class sizes before")
    if treatment == "keep":
        check(members(bins["after"]) == in_bins(Counter(after).values(), bins["after"]),
              f"{method}: class sizes after")
        for a, column in enumerate(("age", "zip", "sex")):
            check_column(figures["columns"][a], column, [t[a] for t in before],
                         [t[a] for t in after], k)
        if method == "mingen":
            check_sensitive(figures["sensitive"]["s"], before, after, [row[3] for row in table])
    alone = sum(c == 1 for c in Counter(before).values())
    check(figures["before"]["risk"]["uniques"] == alone, "unique rows before")
    curve = result["curve"]
    check(curve[0]["utility"] == result["utility"], f"{method}: the point of the job's own k")
    options[1] = str(k + 2)
    other = run(options)
    if other is None:
        check("error" in curve[1], f"{method}: k = {k + 2} has no release")
    else:
        check(curve[1]["utility"] == other["utility"] and curve[1]["classes"] == other["classes"],
              f"{method}: the point of k = {k + 2}")
    lattice = figures.get("lattice")
    if lattice and "nodes" in lattice:
        holding = [node["levels"] for node in lattice["nodes"] if node["holds"]]
        check(lattice["chosen"] in holding or method == "datafly", f"{method}: the chosen node holds")
        check(len(holding) == lattice["holding"], "nodes that hold")
        least = [v for v in holding if not any(w != v and all(x <= y for x, y in zip(w, v))
                                               for w in holding)]
        check(sorted(least) == sorted(lattice["minimal"]), "minimal nodes")
print(f"{tried} tables")
sys.exit(failures > 0 or tried < 12)
