"""Small random tables with --least-count: every node of the lattice, the best node and the best
release of single cells, worked out plainly from what is counted.

least_count_random.py MINGLE SEED TABLES
"""
import collections
import itertools
import json
import random
import subprocess
import sys

mingle, seed, tables = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def run(*arguments):
    done = subprocess.run([mingle, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit("%s: %s" % (" ".join(arguments), done.stderr))
    return json.loads(done.stdout) if done.returncode == 0 else None


def draw_hierarchy(draw, name):
    """[[label of level 0, 1, ...]] of each value; some labels stand on two levels."""
    n, height = draw.randrange(2, 6), draw.randrange(1, 4)
    rows = [["%s%d" % (name, i)] for i in range(n)]
    groups = [[i] for i in range(n)]
    for level in range(1, height):
        merged = []
        while groups:
            group = groups.pop(0)
            if groups and draw.random() < 0.6:
                group = group + groups.pop(0)
            merged.append(group)
        groups = merged
        for g, group in enumerate(groups):
            below = {rows[i][-1] for i in group}
            label = below.pop() if len(below) == 1 and draw.random() < 0.5 else \
                "%s%d_%d" % (name, level, g)
            for i in group:
                rows[i].append(label)
    return [row + ["*"] for row in rows]


def count(rows, hierarchies, least):
    """The leaves of each row as labels per level: those below what it is counted by are gone."""
    last, found = max(len(h[0]) - 1 for h in hierarchies), [None] * len(rows)
    for level in range(last + 1):
        def at(row):
            return tuple(h[v][min(level, len(h[v]) - 1)] for h, v in zip(hierarchies, row))
        left = collections.Counter(at(r) for r, f in zip(rows, found) if f is None)
        for i, row in enumerate(rows):
            if found[i] is None and (left[at(row)] >= least or level == last):
                found[i] = min(level, last)
    return found


def cell(h, value, counted, level):
    return h[value][max(min(counted, len(h[value]) - 1), level)]


def distortion(h, value, label):
    return h[value].index(label) / (len(h[value]) - 1)


def node_outcome(rows, counted, hierarchies, node, k, treatment):
    """(models hold, suppressed rows, precision or None where a choice among classes matters)."""
    released = [tuple(cell(h, v, c, l) for h, v, l in zip(hierarchies, row, node))
                for row, c in zip(rows, counted)]
    top = tuple("*" for _ in hierarchies)
    sizes = collections.Counter(released)
    n = len(rows)
    known = True
    if sizes[top] == n:
        return n >= k, 0, 0.0
    if treatment == "drop":
        gone = {t for t in sizes if sizes[t] < k}
    else:
        gone = {t for t in sizes if sizes[t] < k or t == top}
    suppressed = sum(sizes[t] for t in gone)
    holds = True
    if treatment == "keep" and gone:
        left = sorted(sizes[t] for t in sizes if t not in gone)
        while suppressed < k and left:
            known = False
            suppressed += left.pop(0)
        holds = suppressed >= k
    if treatment == "drop" and suppressed == n:
        holds = False
    if treatment == "exempt" and suppressed == n:
        holds = n >= k
    lost = sum(1.0 if t in gone else sum(distortion(h, v, l) for h, v, l in
                                         zip(hierarchies, row, t)) / len(node)
               for row, t in zip(rows, released))
    return holds, suppressed, 1 - lost / n if known else None


def partitions(items, k, weight):
    """All ways to put the items into groups of weight k at least."""
    if not items:
        yield []
        return
    first, others = items[0], items[1:]
    for size in range(len(others) + 1):
        for chosen in itertools.combinations(others, size):
            group = (first, *chosen)
            if sum(weight[x] for x in group) < k:
                continue
            for more in partitions([x for x in others if x not in chosen], k, weight):
                yield [group, *more]


def best_cells(rows, counted, hierarchies, k):
    """The best precision of any release of single cells, nothing left out."""
    tuples = collections.Counter(
        (tuple(cell(h, v, c, 0) for h, v in zip(hierarchies, row)), ) for row, c in
        zip(rows, counted))
    example = {}
    for row, c in zip(rows, counted):
        example.setdefault((tuple(cell(h, v, c, 0) for h, v in zip(hierarchies, row)), ), (row, c))
    if len(tuples) > 8:
        return None

    def price(group):
        lost = 0
        for a, h in enumerate(hierarchies):
            for level in range(len(h[0])):
                labels = {cell(h, example[t][0][a], example[t][1], level) for t in group}
                if len(labels) == 1:
                    break
            lost += sum(tuples[t] * distortion(h, example[t][0][a], next(iter(labels)))
                        for t in group)
        return lost
    return 1 - min((sum(price(g) for g in p) for p in partitions(list(tuples), k, tuples)),
                   default=float("inf")) / len(rows) / len(hierarchies)


def compare(what, one, other):
    if one is None or other is None or abs(one - other) > 1e-9:
        sys.exit("%s: %s, expected %s" % (what, one, other))


def trial(draw):
    m = draw.choice([2, 2, 3])
    hierarchies = [draw_hierarchy(draw, "abc"[a]) for a in range(m)]
    n = draw.randrange(4, 30)
    rows = [tuple(min(draw.randrange(len(h)), draw.randrange(len(h))) for h in hierarchies)
            for _ in range(n)]
    with open("t.csv", "w") as out:
        print(*"abc"[:m], sep=",", file=out)
        for row in rows:
            print(*(h[v][0] for h, v in zip(hierarchies, row)), sep=",", file=out)
    for a, h in enumerate(hierarchies):
        with open("%s.txt" % "abc"[a], "w") as out:
            for line in h:
                print(*line, sep=";", file=out)
    least, k, limit = draw.randrange(2, 7), draw.randrange(1, 5), draw.choice([0, 0, 2, n // 3, n])
    treatment = draw.choice(["keep", "drop", "exempt"])
    counted = count(rows, hierarchies, least)
    job = ["t.csv", "--qi", ",".join("abc"[:m]), "-k", str(k), "--least-count", str(least),
           "--suppress", str(limit), "--suppressed", treatment]
    for a in range(m):
        job += ["--hierarchy", "%s=%s.txt" % ("abc"[a], "abc"[a])]
    seen = 0
    best = None
    if k <= n:
        result = run("lattice", *job)
        for entry in result["lattice"] if result else []:
            node = [entry["node"]["abc"[a]] for a in range(m)]
            holds, suppressed, precision = node_outcome(rows, counted, hierarchies, node, k,
                                                        treatment)
            what = "%s, node %s" % (" ".join(job), node)
            if entry["holds"] != (holds and suppressed <= limit):
                sys.exit("%s: holds %s" % (what, entry["holds"]))
            if holds:
                compare(what + ": suppressed", entry["suppressed_rows"], suppressed)
            if holds and precision is not None:
                compare(what + ": precision", entry["utility"]["precision"], precision)
            if entry["holds"]:
                value = entry["utility"]["precision"]
                best = value if best is None else max(best, value)
            seen += 1
        for method in ("mingen", "top-down", "samarati", "incognito"):
            found = run("anonymize", *job, "--method", method, "-o", "r.csv")
            if (found is None) != (best is None):
                sys.exit("%s %s: released %s, best %s" % (method, job, found is not None, best))
            if found is not None and method == "mingen":
                compare(" ".join(job) + ": mingen", found["utility"]["precision"], best)
            if found is not None and found["utility"]["precision"] > best + 1e-9:
                sys.exit("%s %s: better than the best" % (method, job))
    if treatment == "keep" and k <= n:
        cells = run("anonymize", *job, "--method", "cell", "-o", "r.csv")
        optimum = best_cells(rows, counted, hierarchies, k)
        if optimum is not None and cells["bound"]["best_possible"] < optimum - 1e-9:
            sys.exit("%s: bound %s, optimum %s" % (job, cells["bound"], optimum))
        if optimum is not None and cells["bound"]["exact"]:
            compare(" ".join(job) + ": cell", cells["utility"]["precision"], optimum)
            seen += 1
    return seen


checks = 0
for number in range(tables):
    checks += trial(random.Random("%d %d" % (seed, number)))
print("%d checks" % checks)
assert checks > tables
