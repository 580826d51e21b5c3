"""Weights and sampling fractions, recomputed from the table: weights.py MINGLE SEED JOBS.

Random small tables are released with models that look at what rows stand for in a population. Plain
Python looks at every node of the lattice: classes, their weights, the individual risk of their rows,
who is suppressed under each treatment, what a node costs. The best of them must be what the exact
method finds, and whatever any method writes must hold, by the weights of the rows that were written.
On the smallest tables every cell-level recoding is tried as well, against the bounds that are told.
The definitions are those of docs/weights.md and docs/definitions.md; nothing of src is used."""
import csv
import itertools
import json
import math
import os
import random
import subprocess
import sys
from collections import defaultdict
from fractions import Fraction

METHODS = ("mingen", "cell", "samarati", "incognito", "datafly", "top-down", "mondrian", "k-member",
           "local-suppression", "microaggregate")
CLOSE = 1e-12


# ---- Random jobs -------------------------------------------------------------------------------------

class Job:
    def __init__(self, seed):
        draw = random.Random(seed)
        self.seed, self.draw = seed, draw
        self.tiny = draw.random() < 0.4
        self.columns = [f"q{i}" for i in range(draw.randint(1, 2 if self.tiny else 3))]
        self.trees = [self.tree(name) for name in self.columns]
        n = draw.randint(3, 6) if self.tiny else draw.randint(6, 26)
        kinds = [[draw.choice(list(tree)) for tree in self.trees] for _ in range(draw.randint(2, 4 if self.tiny else 12))]
        self.rows = [draw.choice(kinds) for _ in range(n)]
        weights = draw.choice((["1"], ["2", "5", "10"], ["0.5", "1.25", "3", "40.5", "200"],
                               ["100", "50000000.123", "2500000.5"], ["0.25", "0.5", "1"]))
        self.weights = [draw.choice(weights) for _ in range(n)]
        self.fraction = draw.choice((None, None, None, 0.5, 0.1, 0.01, 1.0))
        self.treatment = draw.choice(("keep", "keep", "drop", "exempt"))
        self.limit = draw.choice((0, 0, 1, 2, n // 3))
        self.models = [self.model()]
        if draw.random() < 0.3:
            self.models.append(self.model())
        self.models = list({name: (name, x) for name, x in self.models}.values())
        self.released = draw.random() < 0.5
        self.households = [f"h{draw.randint(0, max(1, n // 2))}" for _ in range(n)]
        self.above = draw.choice((None, None, None, 0.5, 0.3, 0.1))
        if self.above is not None:
            self.models = [m for m in self.models if m[0] != "max-risk"] + [("max-risk", self.above)]

    def tree(self, name):
        """A hierarchy: leaf -> labels of its levels, the last one '*'."""
        tree = {}
        for g in range(self.draw.randint(1, 3)):
            for leaf in range(self.draw.randint(1, 2)):
                value = f"{name}v{g}{leaf}"
                tree[value] = [value, f"{name}g{g}", "*"]
        return tree

    def model(self):
        draw = self.draw
        return draw.choice((
            ("k-map", draw.choice((2, 5, 20, 100, 1000))),
            ("max-risk", draw.choice((0.5, 0.3, 0.1, 0.02))),
            ("max-risk", draw.choice((0.5, 0.3, 0.1, 0.02))),
            ("k-anonymity", 2),
            ("mean-risk", draw.choice((0.4, 0.2, 0.05))),
            ("household-risk", draw.choice((0.9, 0.7, 0.4, 0.1))),
            ("population-uniqueness", (draw.choice((0, 0.1, 0.3)), "zayatz")),
            ("risk-share", (draw.choice((0.3, 0.1)), draw.choice((0, 0.2, 0.5))))))

    def write(self):
        with open("in.csv", "w", newline="") as file:
            out = csv.writer(file)
            out.writerow(["row", *self.columns, "home", "w"])
            for i, (cells, home, weight) in enumerate(zip(self.rows, self.households, self.weights)):
                out.writerow([i, *cells, home, weight])
        for name, tree in zip(self.columns, self.trees):
            with open(f"{name}.csv", "w", newline="") as file:
                csv.writer(file).writerows(tree.values())

    def order(self, method):
        order = ["in.csv", "--qi", ",".join(self.columns), "--method", method, "--suppress", str(self.limit),
                 "--suppressed", self.treatment, "--insensitive", "row"]
        order += ["--insensitive" if self.released else "--identifier", "w,home"]
        if any(name == "household-risk" for name, _ in self.models):
            order += ["--household", "home"]
        if self.above is not None:
            order += ["--suppress-above", str(self.above)]
        for name in self.columns:
            order += ["--hierarchy", f"{name}={name}.csv"]
        for name, x in self.models:
            if self.above is not None and name == "max-risk":
                continue  # it is promised without being asked for
            text = ",".join(map(str, x)) if isinstance(x, tuple) else str(x)
            order += ["-k" if name == "k-anonymity" else f"--{name}", text]
        return order + self.sample()

    def sample(self):
        if all(name == "k-anonymity" for name, _ in self.models):
            return []
        return ["--weight", "w"] if self.fraction is None else ["--sampling-fraction", str(self.fraction)]


# ---- Definitions --------------------------------------------------------------------------------------

def individual_risk(f, persons):
    """Benedetti and Franconi: E(1/F | f), the approximation that sdcMicro has for f > 2."""
    p = f / persons
    if not p < 1:
        return 1 / f
    q = 1 - p
    if f > 2:
        return p / (f - q)
    if p > 0.5:  # the series of which the closed forms are the sums
        term = total = 1.0
        n = 1
        while term > total * 1e-18:
            term *= q * n / (f + n)
            total += term
            n += 1
        return p / f * total
    return p / q * math.log(1 / p) if f == 1 else p / q - (p / q) ** 2 * math.log(1 / p)


class Judge:
    def __init__(self, job):
        self.job = job
        self.weights = [Fraction(w) for w in job.weights]

    def members(self, row):
        return self.job.households.count(self.job.households[row])

    def fraction(self):
        if self.job.fraction is not None:
            return self.job.fraction
        n = len(self.weights)
        return n / max(n, float(sum(self.weights)))

    def unique_persons(self, classes):
        """Zayatz' estimate, as a share of the population."""
        sizes, fraction = [len(c) for c in classes], self.fraction()
        rows, ones = sum(sizes), sizes.count(1)
        if ones == 0 or fraction >= 1:
            return ones * fraction / rows
        persons = rows / fraction

        def chance(size):
            product = 1.0
            for j in range(1, size):
                product *= max(persons - rows + 1 - j, 0) / (persons - j)
            return size * product
        return ones / sum(map(chance, sizes)) * ones / fraction * fraction / rows

    def household_risk(self, classes):
        hidden = defaultdict(lambda: 1.0)
        for rows in classes:
            for row in rows:
                hidden[self.job.households[row]] *= 1 - self.risk(rows)
        return max(1 - x for x in hidden.values())

    def persons(self, rows):
        if self.job.fraction is not None:
            return len(rows) / self.job.fraction
        return max(len(rows), float(sum(self.weights[i] for i in rows)))

    def risk(self, rows):
        return individual_risk(len(rows), self.persons(rows))

    def class_holds(self, rows):
        for name, x in self.job.models:
            if name == "k-anonymity" and len(rows) < x:
                return False
            if name == "k-map" and self.persons(rows) < x * (1 - CLOSE):
                return False
            if name == "max-risk" and self.risk(rows) > x * (1 + CLOSE):
                return False
            # On the safe side: every member of the largest household could be in such a class.
            if name == "household-risk" and \
                    1 - (1 - self.risk(rows)) ** max(map(self.members, rows)) > x * (1 + 1e-11):
                return False
        return True

    def table_holds(self, classes):
        n = sum(map(len, classes))
        for name, x in self.job.models:
            if n == 0:
                continue
            if name == "mean-risk" and sum(len(c) * self.risk(c) for c in classes) / n > x * (1 + CLOSE):
                return False
            if name == "population-uniqueness" and self.unique_persons(classes) > x[0] * (1 + 1e-11):
                return False
            if name == "risk-share":
                above = sum(len(c) for c in classes if self.risk(c) > x[0] * (1 + CLOSE))
                if above / n > x[1] * (1 + CLOSE):
                    return False
        return True


class Lattice:
    """Every node, as the suppression of docs/definitions.md makes it."""

    def __init__(self, job):
        self.job, self.judge = job, Judge(job)
        self.n = len(job.rows)
        self.heights = [len(next(iter(tree.values()))) - 1 for tree in job.trees]
        self.firsts = [self.first_leaves(tree) for tree in job.trees]

    @staticmethod
    def first_leaves(tree):
        firsts = {}
        for i, labels in enumerate(tree.values()):
            for level, label in enumerate(labels):
                firsts.setdefault((level, label), i)
        return firsts

    def released(self, row, node):
        return tuple(tree[cell][level] for tree, cell, level in zip(self.job.trees, self.job.rows[row], node))

    def place(self, released, node):
        return tuple(firsts[level, label] for firsts, label, level in zip(self.firsts, released, node))

    def risky(self):
        """Rows that are suppressed before anything else, as their classes in the table say."""
        if self.job.above is None:
            return []
        classes = defaultdict(list)
        for row, cells in enumerate(self.job.rows):
            classes[tuple(cells)].append(row)
        return [row for rows in classes.values() if self.judge.risk(rows) > self.job.above * (1 + CLOSE)
                for row in rows]

    def hold(self, node):
        """The suppressed rows, or None if the node does not hold."""
        classes = defaultdict(list)
        for row in range(self.n):
            classes[self.released(row, node)].append(row)
        top = all(level == height for level, height in zip(node, self.heights))
        if top:
            alone = list(range(self.n))
            return set() if self.judge.class_holds(alone) and self.judge.table_holds([alone]) else None
        live = {c: rows for c, rows in classes.items() if self.judge.class_holds(rows)}
        gone = [row for c, rows in classes.items() if c not in live for row in rows]
        if self.job.treatment == "keep" and gone:
            while not self.judge.class_holds(gone):
                if not live:
                    return None
                joins = min(live, key=lambda c: (len(live[c]), self.place(c, node)))
                gone += live.pop(joins)
        if len(gone) > self.job.limit or (not live and self.job.treatment != "keep"):
            return None
        judged = list(live.values())
        if self.job.treatment == "keep" and gone:
            judged.append(gone)
        return set(gone) if self.judge.table_holds(judged) else None

    def precision(self, node, gone):
        cost = sum(Fraction(level, height) for level, height in zip(node, self.heights))
        m = len(node)
        return 1 - (cost * (self.n - len(gone)) + m * len(gone)) / (self.n * m)

    def best(self):
        found = None
        for node in itertools.product(*(range(height + 1) for height in self.heights)):
            gone = self.hold(node)
            if gone is not None:
                value = self.precision(node, gone)
                found = value if found is None or value > found else found
        return found

    def best_of_cells(self):
        """The best of all cell-level recodings; under keep the limit is no matter."""
        kinds = sorted(set(map(tuple, self.job.rows)))
        nodes = list(itertools.product(*(range(height + 1) for height in self.heights)))
        if len(nodes) ** len(kinds) > 7000 or self.job.treatment != "keep":
            return None
        found, m = None, len(self.heights)
        members = [[row for row in range(self.n) if tuple(self.job.rows[row]) == kind] for kind in kinds]
        for chosen in itertools.product(nodes, repeat=len(kinds)):
            classes = defaultdict(list)
            for node, rows in zip(chosen, members):
                classes[self.released(rows[0], node)] += rows
            if not all(map(self.judge.class_holds, classes.values())):
                continue
            if not self.judge.table_holds(list(classes.values())):
                continue
            cost = sum(len(rows) * Fraction(level, height) for node, rows in zip(chosen, members)
                       for level, height in zip(node, self.heights))
            value = 1 - cost / (self.n * m)
            found = value if found is None or value > found else found
        return found


# ---- The program --------------------------------------------------------------------------------------

def fail(job, what, *more):
    print(f"seed {job.seed}: {what}", *more)
    sys.exit(1)


def run(mingle, *order):
    got = subprocess.run([mingle, *order], capture_output=True, text=True, check=False)
    return got.returncode, got.stdout, got.stderr


def only_households(judge, members):
    """Does the class break nothing but what searches ask of households to be sure?"""
    models, judge.job.models = judge.job.models, [m for m in judge.job.models if m[0] != "household-risk"]
    holds = judge.class_holds(members)
    judge.job.models = models
    return holds


def check_risky(job, method, result, rows):
    """Rows above the risk are at the top or not there, and the result counts them."""
    risky = set(Lattice(job).risky())
    told = result["suppressed_above"]
    if told["rows"] != len(risky) or told["risk"] != job.above:
        fail(job, f"{method}: {len(risky)} rows are above the risk, not {told}")
    for row in rows:
        if int(row["row"]) in risky and (job.treatment == "drop" or
                                         any(row[name] != "*" for name in job.columns)):
            fail(job, f"{method}: row {row} is above the risk and was not suppressed")
    if len(job.models) == 1 and job.treatment == "drop" and method in ("mingen", "cell"):
        for row in rows:
            if [row[name] for name in job.columns] != list(job.rows[int(row["row"])]):
                fail(job, f"{method}: row {row} was changed for nothing")


def check_file(job, method, result):
    """What was written holds, whoever wrote it."""
    with open("out.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    classes, judge = defaultdict(list), Judge(job)
    for row in rows:
        classes[tuple(row[name] for name in job.columns)].append(int(row["row"]))
    if job.treatment == "exempt" and len(classes) > 1:
        classes.pop(("*",) * len(job.columns), None)
    for cells, members in classes.items():
        if not judge.class_holds(members) and not only_households(judge, members):
            fail(job, f"{method}: the class {cells} of rows {members} does not hold", job.models)
    if any(name == "household-risk" and judge.household_risk(classes.values()) > x * (1 + 1e-9)
           for name, x in job.models):
        fail(job, f"{method}: a household does not hold", job.models)
    if job.above is not None:
        check_risky(job, method, result, rows)
    if not judge.table_holds(list(classes.values())):
        fail(job, f"{method}: the release does not hold", job.models)
    for told in result["models"]:
        measured = told["measured"]
        if told["model"] == "k-map":
            found = min(judge.persons(c) for c in classes.values())
        elif told["model"] == "max-risk":
            found = max(judge.risk(c) for c in classes.values())
        elif told["model"] == "household-risk":
            found = judge.household_risk(classes.values())
        elif told["model"] == "population-uniqueness":
            found = judge.unique_persons(list(classes.values()))
        elif told["model"] == "mean-risk":
            found = sum(len(c) * judge.risk(c) for c in classes.values()) / sum(map(len, classes.values()))
        else:
            continue
        if abs(measured - found) > 1e-9 * max(1, abs(found)):
            fail(job, f"{method}: {told['model']} measured {measured}, not {found}")


def check_audit(job, mingle, method):
    code, out, err = run(mingle, "check", "out.csv", "--against", "result.json")
    if code != 0:
        fail(job, f"{method}: the audit says {code}", out, err)
    if job.sample()[:1] != ["--weight"] or not job.released or method != "mingen":
        return
    with open("out.csv", newline="") as file:
        lines = list(csv.reader(file))
    for line in lines[1:]:
        line[-1] = "0.01" if line[-1] != "0.01" else "900"
    with open("tampered.csv", "w", newline="") as file:
        csv.writer(file).writerows(lines)
    code, out, err = run(mingle, "check", "tampered.csv", "--against", "result.json")
    if code != 1 or "differs" not in out + err and "claims" not in out + err:
        fail(job, "weights of other rows pass the audit", code, out, err)


def check_exact(job, method, result, best):
    value, bound = result["utility"]["precision"], result["bound"]
    proved = bound is not None and bound["exact"]
    if job.above is not None and proved:
        fail(job, f"{method} proves something where rows are gone before the search")
    if job.above is not None:
        return
    if result["node"] is not None and best is None:
        fail(job, f"{method} found a node where none holds", result["node"])
    if result["node"] is not None and proved and abs(value - float(best)) > 1e-9:
        fail(job, f"{method} found {value} where {float(best)} is the best", result["node"])
    if method == "mingen" and not proved and job.above is None:
        fail(job, "mingen does not know that it is the best")


def check_cells(job, result, lattice):
    best = lattice.best_of_cells() if job.above is None else None
    value, bound = result["utility"]["precision"], result["bound"]
    if best is None:
        return False
    if value > float(best) + 1e-9:
        fail(job, f"cell found {value}, above the best there is, {float(best)}")
    if bound is not None and bound["best_possible"] < float(best) - 1e-9:
        fail(job, f"cell: no release is better than {bound['best_possible']}, but one has {float(best)}")
    if bound is not None and bound["exact"] and abs(value - float(best)) > 1e-9:
        fail(job, f"cell found {value} and takes it for the best, which is {float(best)}")
    return bound is not None and bound["exact"]


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    met = unmet = proved = 0
    for number in range(jobs):
        job = Job(seed * 100003 + number)
        job.write()
        lattice = Lattice(job)
        best = lattice.best()
        methods = ["mingen"] + job.draw.sample(METHODS[1:], 2)
        for method in methods:
            if os.path.exists("out.csv"):
                os.remove("out.csv")
            code, out, err = run(mingle, "anonymize", *job.order(method), "-o", "out.csv", "--allow-leaks", "--json",
                                 "--result", "result.json", "--threads", str(1 + number % 3))
            if "please report" in err:  # the verifier found what the search should have known
                fail(job, f"{method}: the search and the verifier do not agree", err)
            if code not in (0, 1) and not (code == 2 and method != "mingen"):
                fail(job, f"{method}: exit {code}", out, err)
            if method == "mingen" and job.above is None and (code == 0) != (best is not None):
                fail(job, f"mingen: exit {code}, but the best is {best}", job.models, err)
            if code != 0:
                unmet += 1
                continue
            met += 1
            result = json.loads(out)
            check_file(job, method, result)
            check_exact(job, method, result, best)
            if method == "cell":
                proved += check_cells(job, result, lattice)
            check_audit(job, mingle, method)
    if met < jobs or unmet == 0 or (jobs > 60 and proved == 0):
        print(f"{met} releases, {unmet} refusals, {proved} proved: the jobs are not what they should be")
        sys.exit(1)


main()
