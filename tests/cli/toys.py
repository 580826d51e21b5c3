"""Small random tables released by every method with the toy model: the model holds in every class
of every release, by plain counting, and searches that claim the best node by a toy measure have
found the one that the lattice lists as best.

toys.py MINGLE SEED TABLES
"""
import collections
import csv
import json
import random
import subprocess
import sys

mingle, seed, tables = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
LOSSES = {"toy-worst": lambda utility: utility["toy_worst"],
          "toy-kept": lambda utility: -utility["toy_kept"]}
ONE_LEVEL = ("mingen", "samarati", "incognito", "top-down", "datafly", "toy-even")


def run(*arguments):
    """The result; None: the models cannot be met."""
    done = subprocess.run([mingle, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return json.loads(done.stdout) if done.returncode == 0 else None


def methods():
    listed = subprocess.run([mingle, "help", "methods"], capture_output=True, text=True).stdout
    return [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and
            line[2] != " "]


def draw_table(draw):
    with open("table.csv", "w", encoding="ascii") as out:
        out.write("age,zip,ill\n")
        for _ in range(draw.randrange(4, 22)):
            out.write("%d,0%d,%s\n" % (draw.randrange(20, 40), draw.randrange(10, 10 + 9),
                                       draw.choice(("flu", "cold", "cough"))))


def violations(path, times, uneven, k, treatment):
    """Classes of the release in which a model does not hold."""
    classes = collections.defaultdict(collections.Counter)
    with open(path, encoding="ascii") as rows:
        for row in csv.DictReader(rows):
            classes[row["age"], row["zip"]][row["ill"]] += 1
    if treatment == "exempt" and len(classes) > 1:
        classes.pop(("*", "*"), None)
    return [key for key, values in classes.items()
            if max(values.values()) > times * min(values.values()) or sum(values.values()) < k or
            sum(values.values()) % uneven == 0]


def best_nodes(job):
    """The best values of both measures over the nodes that hold, as losses; None: none holds."""
    lattice = run("lattice", *job)["lattice"]
    held = [node["utility"] for node in lattice if node["holds"]]
    return {key: min(map(loss, held)) for key, loss in LOSSES.items()} if held else None


def check_best(job, found):
    """No release of one level per column is better than the best node, and mingen has that."""
    best = best_nodes(job)
    for (method, measure), result in found.items():
        loss = LOSSES[measure](result["utility"]) if best else -1
        if method in ONE_LEVEL and (not best or loss < best[measure] - 1e-12):
            sys.exit("%s %s: better than the best node" % (method, " ".join(job)))
        if method == "mingen" and loss > best[measure] + 1e-12:
            sys.exit("mingen %s: not the best node by %s" % (" ".join(job), measure))
    if best and ("mingen", "toy-worst") not in found:
        sys.exit("mingen %s: finds none" % " ".join(job))


def check_table(draw, listed):
    draw_table(draw)
    times, k = draw.choice((1, 1.5, 2, 4, 1e9)), draw.choice((1, 2, 3))
    treatment, uneven = draw.choice(("keep", "drop", "exempt")), draw.choice((2, 3, 1e9))
    job = ["table.csv", "--qi", "age,zip", "--hierarchy", "age=intervals(5,10)", "--hierarchy",
           "zip=mask(right)", "--sensitive", "ill", "-k", str(k), "--suppressed", treatment,
           "--suppress", draw.choice(("0", "20%", "50%"))]
    job += ["--toy-balance", "ill=%g" % times] if times < 1e9 else []
    job += ["--toy-uneven", str(uneven)] if uneven < 1e9 else []
    found = {}
    for method in listed:
        for measure in LOSSES:
            if method == "cell" and measure == "toy-worst":
                continue  # it needs measures that add up over cells
            result = run("anonymize", *job, "--method", method, "--utility", measure, "--seed", "1",
                         "-o", "release.csv")
            if result is None:
                continue
            wrong = violations("release.csv", times, uneven, k, treatment)
            if wrong:
                sys.exit("%s %s: classes that do not hold: %s" % (method, " ".join(job), wrong))
            found[method, measure] = result
    check_best(job, found)
    return len(found)


def main():
    draw, listed = random.Random(seed), methods()
    released = sum(check_table(draw, listed) for _ in range(tables))
    if "toy-even" not in listed or released < 4 * tables:
        sys.exit("only %d releases of %d tables" % (released, tables))


main()
