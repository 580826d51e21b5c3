"""Persons whose rows stay linked, recomputed from the table: joined.py MINGLE SEED JOBS.

Random small tables of persons with several rows are released with `--entity-view joined` by every
method with one level per column. Plain Python looks at every node: it makes the joined classes (the
persons with the same multiset of released tuples), judges the models on them, leaves whole persons
out, and says which nodes hold, what they cost and what must be written. The definitions are those
of docs/persons.md and docs/definitions.md; nothing of src is used."""
import csv
import itertools
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict
from fractions import Fraction

METHODS = ("mingen", "samarati", "incognito", "datafly", "top-down")
SLACK = Fraction(1, 10**12)


# ---- Random jobs -------------------------------------------------------------------------------------

class Job:
    def __init__(self, seed):
        draw = random.Random(seed)
        self.seed, self.draw = seed, draw
        self.columns = [f"q{i}" for i in range(draw.randint(1, 3))]
        self.trees = [self.tree(name) for name in self.columns]
        self.values = ["flu", "cold", "cough", "burn"][:draw.randint(2, 4)]
        self.rows = []
        for person in range(draw.randint(4, 14)):
            home = [draw.choice(list(tree)) for tree in self.trees]
            for _ in range(draw.choice((1, 1, 1, 2, 2, 3))):
                cells = [draw.choice(list(tree)) if draw.random() < 0.3 else cell
                         for tree, cell in zip(self.trees, home)]
                self.rows.append((f"p{person}", cells, draw.choice(self.values)))
        draw.shuffle(self.rows)
        self.k = draw.randint(2, 3)
        self.limit = draw.choice((0, 0, 1, 3, len(self.rows) // 3))
        self.models = [("k-anonymity", self.k)]
        extra = [("l-diversity", draw.randint(1, 2)), ("entropy-l", draw.choice((1.2, 1.5))),
                 ("alpha", draw.choice((0.5, 0.7, 0.9))), ("t-closeness", draw.choice((0.2, 0.4))),
                 ("p-sensitive", 2), ("max-risk", draw.choice((0.3, 0.5))),
                 ("mean-risk", draw.choice((0.3, 0.5))), ("beta", draw.choice((1.0, 2.0)))]
        self.models += draw.sample(extra, draw.choice((0, 0, 1, 1, 2)))
        self.pseudonym = draw.random() < 0.6
        self.sets = [list(range(len(self.columns)))]
        if len(self.columns) == 3 and draw.random() < 0.4:
            self.sets = [[0, 1], [1, 2]]

    def tree(self, name):
        """A hierarchy: leaf -> labels of its levels, the last one '*'."""
        draw, groups = self.draw, self.draw.randint(1, 3)
        tree = {}
        for g in range(groups):
            for leaf in range(draw.randint(1, 2)):
                value = f"{name}v{g}{leaf}"
                tree[value] = [value, f"{name}g{g}", "*"]
        if draw.random() < 0.3:
            tree = {value: [value, "*"] for value in tree}
        return tree

    def write(self):
        with open("in.csv", "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["id"] + self.columns + ["ill"])
            for person, cells, ill in self.rows:
                out.writerow([person] + cells + [ill])
        for name, tree in zip(self.columns, self.trees):
            with open(f"{name}.csv", "w", newline="") as file:
                csv.writer(file).writerows(tree.values())

    def options(self):
        said = []
        for numbers in self.sets:
            said += ["--qi-set", ",".join(self.columns[i] for i in numbers)]
        said += ["--sensitive", "ill", "--entity", "id",
                "--entity-view", "joined", "--suppressed", "drop", "--suppress", str(self.limit)]
        for name in self.columns:
            said += ["--hierarchy", f"{name}={name}.csv"]
        for name, value in self.models:
            if name == "k-anonymity":
                said += ["-k", str(value)]
            elif name in ("max-risk", "mean-risk", "p-sensitive"):
                said += [f"--{name}", str(value)]
            else:
                said += [f"--{name}", f"ill={value}"]
        if self.pseudonym:
            said += ["--treat", "id=pseudonym", "--key", "key"]
        return said


# ---- Definitions --------------------------------------------------------------------------------------

def shares(counts):
    total = sum(counts.values())
    return {value: Fraction(n, total) for value, n in counts.items()}


def class_holds(name, value, size, ill, whole):
    p, q = shares(ill), shares(whole)
    if name == "k-anonymity":
        return size >= value
    if name in ("l-diversity", "p-sensitive"):
        return len(ill) >= value
    if name == "entropy-l":
        entropy = -sum(float(x) * math.log(x) for x in p.values())
        return entropy >= math.log(value) * (1 - 1e-12)
    if name == "alpha":
        return max(p.values()) <= Fraction(str(value)) * (1 + SLACK)
    if name == "t-closeness":
        return sum(abs(p.get(v, 0) - q[v]) for v in q) / 2 <= Fraction(str(value)) * (1 + SLACK)
    if name == "max-risk":
        return Fraction(1, size) <= Fraction(str(value)) * (1 + SLACK)
    if name == "beta":
        return all((p[v] - q[v]) / q[v] <= Fraction(str(value)) * (1 + SLACK) for v in p)
    return True  # a model of the whole table


def entropy(counts):
    total = sum(counts.values())
    return -sum(n / total * math.log2(n / total) for n in counts.values())


def entropy_distortion(job, released, kept):
    """Of the rows' tuples, whoever has them. Persons are left out with part of the rows of a tuple,
    which then are a tuple more: it can be below 0."""
    if len(job.rows) == 1:
        return 0
    before = Counter(tuple(cells) for _, cells, _ in job.rows)
    after = Counter()
    for person, tuples in released.items():
        after.update(tuples if person in kept else [("*",) * len(job.columns)] * len(tuples))
    return (entropy(before) - entropy(after)) / math.log2(len(job.rows))


class Node:
    """What a node gives, by looking at all persons."""

    def __init__(self, job, levels):
        self.levels = levels
        released = defaultdict(list)
        ills = defaultdict(set)
        for person, cells, ill in job.rows:
            released[person].append(tuple(tree[cell][level] for tree, cell, level
                                          in zip(job.trees, cells, levels)))
            ills[person].add(ill)
        whole = Counter(ill for person in ills for ill in ills[person])
        self.kept = set(released)
        before = None
        while before != self.kept:  # whoever is left out for one quasi-identifier misses in another
            before = set(self.kept)
            for numbers in job.sets:
                for persons in self.classes(released, numbers):
                    ill = Counter(value for person in persons for value in ills[person])
                    if not all(class_holds(name, value, len(persons), ill, whole)
                               for name, value in job.models):
                        self.kept -= set(persons)
            if len(job.sets) == 1:
                break
        self.sizes = [len(persons) for persons in self.classes(released, range(len(job.columns)))]
        self.suppressed = sum(person not in self.kept for person, _, _ in job.rows)
        self.holds = bool(self.kept) and self.suppressed <= job.limit
        for name, value in job.models:
            for numbers in job.sets if name == "mean-risk" and self.kept else []:
                mean = Fraction(len(self.classes(released, numbers)), len(self.kept))
                self.holds = self.holds and mean <= Fraction(str(value)) * (1 + SLACK)
        self.height = sum(levels)
        lost = Fraction(0)
        for person, cells, _ in job.rows:
            for tree, cell, level in zip(job.trees, cells, levels):
                lost += Fraction(level, len(tree[cell]) - 1) if person in self.kept else 1
        self.precision = 1 - lost / (len(job.rows) * len(job.columns))
        self.entropy = entropy_distortion(job, released, self.kept)
        self.persons = Counter()
        observed = defaultdict(list)
        for person, cells, ill in job.rows:
            if person in self.kept:
                observed[person].append((tuple(tree[cell][level] for tree, cell, level
                                               in zip(job.trees, cells, levels)), ill))
        for rows in observed.values():
            self.persons[tuple(sorted(rows))] += 1


    def classes(self, released, numbers):
        """Of those who are kept, on some of the columns."""
        classes = defaultdict(list)
        for person, tuples in released.items():
            if person in self.kept:
                seen = [tuple(cells[i] for i in numbers) for cells in tuples]
                classes[tuple(sorted(seen))].append(person)
        return list(classes.values())


def all_nodes(job):
    heights = [range(len(next(iter(tree.values())))) for tree in job.trees]
    return {levels: Node(job, levels) for levels in itertools.product(*heights)}


def minimal(nodes):
    holding = [levels for levels, node in nodes.items() if node.holds]
    return sorted(v for v in holding
                  if not any(w != v and all(a <= b for a, b in zip(w, v)) for w in holding))


# ---- The program against them ----------------------------------------------------------------------------

def run(mingle, *words):
    done = subprocess.run([mingle, *words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def levels_of(job, node):
    return tuple(node[name] for name in job.columns)


def want(job, condition, what):
    if not condition:
        sys.exit(f"seed {job.seed}: {what}\n{' '.join(job.options())}\nin {os.getcwd()}")


def judge_lattice(mingle, job, nodes):
    code, out, err = run(mingle, "lattice", "in.csv", *job.options(), "--json")
    want(job, code == 0, f"lattice failed: {err}")
    told = json.loads(out)
    for entry in told["lattice"]:
        node = nodes[levels_of(job, entry["node"])]
        want(job, entry["holds"] == node.holds, f"lattice: {entry['node']} holds {node.holds}")
        want(job, entry["suppressed_rows"] == node.suppressed,
             f"lattice: {entry['node']} leaves out {node.suppressed}, not {entry['suppressed_rows']}")
    want(job, sorted(levels_of(job, v) for v in told["minimal_nodes"]) == minimal(nodes),
         "lattice: minimal nodes")


def judge_release(job, node):
    persons = defaultdict(list)
    with open("out.csv", newline="") as file:
        for line in csv.DictReader(file):
            name = line["id"] if job.pseudonym else None
            persons[name].append((tuple(line[c] for c in job.columns), line["ill"]))
    if job.pseudonym:
        want(job, Counter(tuple(sorted(rows)) for rows in persons.values()) == node.persons,
             "the release has other persons")
        return
    rows = Counter()
    for person, n in node.persons.items():
        for row in person:
            rows[row] += n
    want(job, Counter(persons[None]) == rows, "the release has other rows")


def joined_sizes(job, file):
    """The joined classes of a file, whatever made it."""
    persons = defaultdict(list)
    with open(file, newline="") as lines:
        for line in csv.DictReader(lines):
            persons[line["id"]].append(tuple(line[c] for c in job.columns))
    return list(Counter(tuple(sorted(rows)) for rows in persons.values()).values())


def break_release(job):
    """Gives a row to another person, or another cell to a row."""
    with open("out.csv", newline="") as file:
        lines = list(csv.DictReader(file))
    one, other = job.draw.choice(lines), job.draw.choice(lines)
    field = job.draw.choice(["id"] + job.columns)
    one[field] = other[field]
    with open("broken.csv", "w", newline="") as file:
        out = csv.DictWriter(file, lines[0])
        out.writeheader()
        out.writerows(lines)


def judge_broken(mingle, job):
    break_release(job)
    sizes = joined_sizes(job, "broken.csv")
    code, out, err = run(mingle, "check", "broken.csv", "--qi", ",".join(job.columns), "--entity",
                         "id", "--entity-view", "joined", "-k", str(job.k), "--suppressed", "drop",
                         "--json")
    want(job, code == (min(sizes) < job.k), f"check of a broken release: {code} {err}")
    told = json.loads(out)
    want(job, told["models"][0]["measured"] == min(sizes) and
         told["classes"]["count"] == len(sizes), "check of a broken release: classes")
    return min(sizes) < job.k


def judge_check(mingle, job, node):
    file = "out.csv"
    words = ["check", file, "--qi", ",".join(job.columns), "--sensitive", "ill", "--entity",
             "id", "--entity-view", "joined", "-k", str(job.k), "--suppressed", "drop", "--json"]
    code, out, err = run(mingle, *words)
    want(job, code == (min(node.sizes) < job.k), f"check: {err}")
    told = json.loads(out)
    want(job, told["k"] == min(node.sizes) and told["classes"]["count"] == len(node.sizes),
         "check finds other classes")
    words[0] = "risk"
    words.remove("-k")
    words.remove(str(job.k))
    code, out, err = run(mingle, *words)
    want(job, code == 0, f"risk: {err}")
    told = json.loads(out)
    want(job, told["classes"]["count"] == len(node.sizes) and
         told["uniques"] == node.sizes.count(1) and
         math.isclose(told["prosecutor"]["mean"], len(node.sizes) / sum(node.sizes)),
         "risk finds other classes")
    code, out, err = run(mingle, "check", "out.csv", "--against", "result.json")
    want(job, code == 0, f"the audit disagrees: {out}{err}")


def judge_choice(job, method, told, nodes):
    node = nodes[levels_of(job, told["node"])]
    holding = [n for n in nodes.values() if n.holds]
    want(job, math.isclose(told["utility"]["precision"], node.precision, rel_tol=1e-12, abs_tol=1e-12),
         f"{method}: precision is {float(node.precision)}")
    want(job, math.isclose(told["utility"]["entropy_distortion"], node.entropy, abs_tol=1e-12),
         f"{method}: the entropy distortion is {node.entropy}")
    by_entropy = told["measure"] == "entropy_distortion"
    if by_entropy and method == "mingen":
        want(job, math.isclose(node.entropy, min(n.entropy for n in holding), abs_tol=1e-12),
             f"{method}: not the node with the least distortion of the entropy")
    elif method == "mingen":
        want(job, node.precision == max(n.precision for n in holding), "mingen: not the best node")
    if method == "samarati":
        want(job, node.height == min(n.height for n in holding), "samarati: not the least height")
    if method == "incognito":
        want(job, sorted(levels_of(job, v) for v in told["minimal_nodes"]) == minimal(nodes),
             "incognito: minimal nodes")
    if method == "top-down" and told["bound"] is not None:
        best = (-min(n.entropy for n in holding) if by_entropy
                else float(max(n.precision for n in holding)))
        possible = told["bound"]["best_possible"]
        want(job, (-possible if by_entropy else possible) >= best - 1e-9,
             "top-down: the bound is too low")
    want(job, told["suppressed_rows"] == node.suppressed, f"{method}: suppressed rows")
    sizes = {"count": len(node.sizes), "min": min(node.sizes), "max": max(node.sizes)}
    want(job, all(told["classes"][key] == sizes[key] for key in sizes), f"{method}: {sizes}")
    want(job, told["entity_view"] == "joined", "the view is told")
    return node


def judge_methods(mingle, job, nodes):
    any_holds = any(node.holds for node in nodes.values())
    released = broken = 0
    for method, measure in itertools.product(METHODS, ("precision", "entropy")):
        if measure == "entropy" and method not in ("mingen", "top-down"):
            continue
        for name in ("out.csv", "result.json"):
            if os.path.exists(name):
                os.remove(name)
        code, out, err = run(mingle, "anonymize", "in.csv", *job.options(), "--method", method,
                             "--utility", measure, "--rest", "drop", "-o", "out.csv", "--result", "result.json",
                             "--allow-leaks")
        want(job, code in (0, 1), f"{method} failed: {err}{out}")
        want(job, (code == 0) == any_holds, f"{method}: exit code {code}: {err}")
        if code != 0:
            continue
        with open("result.json") as file:
            node = judge_choice(job, method, json.load(file), nodes)
        judge_release(job, node)
        if job.pseudonym:
            judge_check(mingle, job, node)
            broken += judge_broken(mingle, job)
        else:
            code, out, err = run(mingle, "check", "out.csv", "--against", "result.json")
            want(job, code == 0, f"the audit disagrees: {out}{err}")
        released += 1
    return released, broken


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with open("key", "w") as file:
        file.write("a key of more than sixteen bytes")
    os.chmod("key", 0o600)
    released = broken = 0
    for number in range(jobs):
        job = Job(seed * 100000 + number)
        job.write()
        nodes = all_nodes(job)
        judge_lattice(mingle, job, nodes)
        more = judge_methods(mingle, job, nodes)
        released, broken = released + more[0], broken + more[1]
    print(f"{jobs} jobs, {released} releases, {broken} of them broken and found out")
    sys.exit(released == 0 or broken == 0)


main()
