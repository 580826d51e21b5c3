"""Random small tables with several quasi-identifiers, released by every method: releases are judged
here, by definitions of this file alone, and the cell level is compared with all releases there are.

several_sets.py MINGLE SEED JOBS
"""
import csv
import itertools
import json
import os
import random
import subprocess
import sys

COLUMNS = "abcd"
METHODS = {
    "cell": [], "mingen": [], "datafly": [], "samarati": [], "incognito": [], "top-down": [],
    "mondrian": [], "k-member": [], "local-suppression": [], "mu-argus": ["--combinations", "all"],
    "microaggregate": [],
}


def hierarchy(numbers):
    """Levels of the values 0..numbers-1: themselves, pairs, everything."""
    return {str(v): [str(v), f"{v // 2 * 2}-{v // 2 * 2 + 1}", "*"] for v in range(numbers)}


class Table:
    def __init__(self, chance, m, n_rows, n_values):
        self.m = m
        self.values = [chance.randint(2, n_values) for _ in range(m)]
        self.levels = [hierarchy(v) for v in self.values]
        self.rows = [tuple(str(chance.randrange(v)) for v in self.values) for _ in range(n_rows)]
        self.secret = [chance.choice("xyz") for _ in range(n_rows)]

    def write(self):
        with open("t.csv", "w", encoding="utf-8") as out:
            out.write(",".join(COLUMNS[: self.m]) + ",s\n")
            for row, secret in zip(self.rows, self.secret):
                out.write(",".join(row) + "," + secret + "\n")
        for a in range(self.m):
            with open(COLUMNS[a] + ".csv", "w", encoding="utf-8") as out:
                for value in sorted(self.levels[a], key=int):
                    out.write(";".join(self.levels[a][value]) + "\n")


def holds_on(tuples, secrets, columns, k, l):
    """Is every class on these columns of k rows at least, with l values at least?"""
    classes = {}
    for row, secret in zip(tuples, secrets):
        classes.setdefault(tuple(row[a] for a in columns), []).append(secret)
    return all(len(c) >= k and len(set(c)) >= l for c in classes.values())


def holds(tuples, secrets, sets, k, l):
    return all(holds_on(tuples, secrets, columns, k, l) for columns in sets)


def precision_loss(table, tuples):
    """Sum of level/height over the cells of all rows."""
    lost = 0
    for row in tuples:
        for a, cell in enumerate(row):
            level = min(x for levels in table.levels[a].values() for x in range(3) if levels[x] == cell)
            lost += level / 2
    return lost


def at(table, row, node):
    return tuple(table.levels[a][value][node[a]] for a, value in enumerate(row))


def judged(table, released, secrets, treatment):
    """The rows that models look at, as the treatment says."""
    top = ("*",) * table.m
    if treatment != "exempt" or all(row == top for row in released):
        return released, secrets
    kept = [(row, s) for row, s in zip(released, secrets) if row != top]
    return [row for row, _ in kept], [s for _, s in kept]


def best_node(table, sets, k, l):
    """The least loss of a node at which nothing need be suppressed."""
    best = None
    for node in itertools.product(range(3), repeat=table.m):
        tuples = [at(table, row, node) for row in table.rows]
        if holds(tuples, table.secret, sets, k, l):
            lost = precision_loss(table, tuples)
            best = lost if best is None or lost < best else best
    return best


def best_release(table, sets, k, l):
    """The least loss of any release that gives every tuple a node; nothing is left out."""
    tuples = sorted(set(table.rows))
    nodes = list(itertools.product(range(3), repeat=table.m))
    best = None
    for choice in itertools.product(nodes, repeat=len(tuples)):
        node_of = dict(zip(tuples, choice))
        released = [at(table, row, node_of[row]) for row in table.rows]
        if holds(released, table.secret, sets, k, l):
            lost = precision_loss(table, released)
            best = lost if best is None or lost < best else best
    return best


def run(mingle, arguments):
    return subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)


def choose_sets(chance, m):
    """Two or three sets that have every column; some overlap."""
    while True:
        sets = [sorted(chance.sample(range(m), chance.randint(1, m - 1)))
                for _ in range(chance.randint(2, 3))]
        if set().union(*sets) == set(range(m)) and len(set(map(tuple, sets))) == len(sets):
            return sets


def job_of(table, sets, k, l, treatment, limit):
    job = ["anonymize", "t.csv", "-k", str(k), "--sensitive", "s", "--suppressed", treatment,
           "--suppress", str(limit), "--keep-order", "-o", "out.csv", "--json", "--result", "r.json",
           "--allow-leaks"]
    for columns in sets:
        job += ["--qi-set", ",".join(COLUMNS[a] for a in columns)]
    for a in range(table.m):
        job += ["--hierarchy", f"{COLUMNS[a]}={COLUMNS[a]}.csv"]
    if l > 1:
        job += ["--l-diversity", f"s={l}"]
    return job


def check_release(table, sets, k, l, treatment, limit, method, result):
    with open("out.csv", encoding="utf-8") as file:
        lines = list(csv.reader(file))[1:]
    released = [tuple(line[:-1]) for line in lines]
    secrets = [line[-1] for line in lines]
    if treatment != "drop":
        assert len(released) == len(table.rows)
        seen = {}
        for row, out in zip(table.rows, released):
            assert seen.setdefault(row, out) == out, "equal tuples are released alike"
    assert len(table.rows) - len(released) <= limit, "more rows are left out than may be"
    tuples, left = judged(table, released, secrets, treatment)
    if treatment == "exempt" and method != "datafly":
        assert len(released) - len(tuples) <= limit
    assert holds(tuples, left, sets, k, l), "a class does not hold"
    if method in ("cell", "mingen") and treatment != "drop":
        lost = precision_loss(table, released)
        assert abs(result["utility"]["precision"] - (1 - lost / len(table.rows) / table.m)) < 1e-9
    return released


def judge_named(mingle, chance, table):
    """Combinations by name: models hold on these, and cells of other columns stay."""
    m = table.m
    combinations = [c for c in {tuple(sorted(chance.sample(range(m), chance.randint(2, m))))
                                for _ in range(chance.randint(1, 3))}]
    k, l = chance.randint(2, 3), chance.choice([1, 1, 2])
    named = ",".join("+".join(COLUMNS[a] for a in c) for c in combinations)
    job = job_of(table, [range(m)], k, l, "keep", len(table.rows))
    for method in ("local-suppression", "mu-argus"):
        done = run(mingle, job + ["--method", method, "--combinations", named])
        told = f"{' '.join(job)} --method {method} --combinations {named}: {done.stderr}"
        can = holds([("*",) * m] * len(table.rows), table.secret, combinations, k, l)
        assert done.returncode == 0 or not can, told
        if done.returncode != 0:
            continue
        released = check_release(table, combinations, k, l, "keep", len(table.rows), method, None)
        audit = run(mingle, ["check", "out.csv", "--against", "r.json"])
        assert audit.returncode == 0, told + audit.stdout + audit.stderr
        models = json.loads(done.stdout)["models"]
        judged_sets = {tuple(sorted(x["quasi_identifier"])) for x in models}
        assert judged_sets == {tuple(COLUMNS[a] for a in c) for c in combinations}, told
        for a in set(range(m)) - {a for c in combinations for a in c}:
            for row, out in zip(table.rows, released):
                assert method != "local-suppression" or out[a] in (row[a], "*"), told


def judge_likelihoods(mingle, chance, table, sets):
    """Each set holds with a k of its own, on the columns that others may link on there."""
    k = chance.randint(3, 6)
    likelihood = {a: [chance.choice(["0", "0.3", "0.5", "1"]) for _ in sets] for a in range(table.m)}
    said = ",".join(f"{COLUMNS[a]}={'/'.join(x)}" for a, x in likelihood.items())
    job = job_of(table, sets, k, 1, "keep", 0) + ["--likelihood", said]
    for method in ("cell", "mingen", "mondrian", "local-suppression"):
        done = run(mingle, job + ["--method", method])
        told = f"{' '.join(job)} --method {method}: {done.stderr}"
        if done.returncode != 0:
            assert k > len(table.rows) or "quasi-identifier" in done.stderr, told
            continue
        with open("out.csv", encoding="utf-8") as file:
            lines = list(csv.reader(file))
        place = [lines[0].index(COLUMNS[a]) for a in range(table.m)]
        released = [tuple(line[i] for i in place) for line in lines[1:]]
        for q, columns in enumerate(sets):
            linked = [a for a in columns if likelihood[a][q] != "0"]
            if not linked:
                continue
            most = max(float(likelihood[a][q]) for a in linked)
            need = k if most >= 1 else min(k, max(2, -int(-k * most // 1)))
            assert holds_on(released, table.secret, linked, need, 1), told


def precision_together(mingle, table, k, l, treatment, limit):
    """What the cell level reaches if all columns are one quasi-identifier; None: nothing."""
    done = run(mingle, job_of(table, [range(table.m)], k, l, treatment, limit))
    return json.loads(done.stdout)["utility"]["precision"] if done.returncode == 0 else None


def one_job(mingle, chance, tiny):
    m = 2 if tiny else chance.randint(3, 4)
    table = Table(chance, m, chance.randint(4, 6) if tiny else chance.randint(8, 40),
                  2 if tiny else 4)
    if tiny and len(set(table.rows)) > 3:
        return
    table.write()
    sets = choose_sets(chance, m)
    k, l = chance.randint(2, 4), chance.choice([1, 1, 2])
    treatment = chance.choice(["keep", "drop", "exempt"])
    limit = 0 if tiny else chance.choice([0, 0, 2, 5])
    judge_named(mingle, chance, table)
    judge_likelihoods(mingle, chance, table, sets)
    job = job_of(table, sets, k, l, treatment, limit)
    can = holds([("*",) * m] * len(table.rows), table.secret, sets, k, l)
    node = best_node(table, sets, k, l)
    reached = {"together": precision_together(mingle, table, k, l, treatment, limit)}
    for method, more in METHODS.items():
        done = run(mingle, job + ["--method", method, *more])
        told = f"{' '.join(job)} --method {method}: {done.stderr}"
        if done.returncode == 1:
            assert not can or treatment != "keep" or method in ("mu-argus", "datafly"), told
            assert node is None or method not in ("cell", "mingen", "samarati", "incognito"), told
            continue
        assert done.returncode == 0, told
        result = json.loads(done.stdout)
        reached[method] = result["utility"]["precision"]
        try:
            check_release(table, sets, k, l, treatment, limit, method, result)
            audit = run(mingle, ["check", "out.csv", "--against", "r.json"])
            assert audit.returncode == 0, audit.stdout + audit.stderr
            if method == "cell":
                lost = 1 - result["bound"]["achieved"]
                assert node is None or lost * len(table.rows) * m <= node + 1e-9, "worse than a node"
                assert result["bound"]["best_possible"] >= result["bound"]["achieved"] - 1e-9
                if tiny:
                    best = best_release(table, sets, k, l)
                    most = 1 - best / len(table.rows) / m
                    assert result["bound"]["best_possible"] >= most - 1e-9, "the bound is wrong"
                    assert not result["bound"]["exact"] or lost * len(table.rows) * m <= best + 1e-9
            if method == "mingen" and limit == 0 and node is not None and treatment == "keep":
                assert abs((1 - result["utility"]["precision"]) * len(table.rows) * m - node) < 1e-9
        except AssertionError as wrong:
            raise AssertionError(f"{wrong}: {told} {result.get('bound')}") from None
    for other in ("mingen", "together"):
        worse = reached.get(other) is not None and reached["cell"] < reached[other] - 1e-9
        assert not worse, f"{' '.join(job)}: cell reaches less than {other}: {reached}"


def main():
    mingle, seed, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    for i in range(jobs):
        one_job(mingle, random.Random(seed * 1000 + i), tiny=i % 3 == 0)


main()
