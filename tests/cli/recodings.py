"""What `apply` must give, by brute force: random tables, recodings of all kinds, other rows.

usage: recodings.py MINGLE [JOBS [SEED]]
What is recorded is read off the release itself (rows keep their order); which recorded tuple a new
one gets is found by looking at all of them.
"""

import collections
import csv
import json
import random
import subprocess
import sys

LEVELS = ["mingen", "samarati", "incognito", "top-down", "datafly"]
TUPLES = ["cell", "mondrian", "k-member", "local-suppression"]


class File:
    """A hierarchy file; some of its lines are for values that do not occur."""

    def __init__(self, rng, name):
        self.path, groups = f"{name}.csv", rng.randint(2, 4)
        names = [f"v{i}" for i in range(rng.randint(6, 12))]
        self.rows = [[v, f"g{i % groups}", "half" + str(i % groups % 2), "*"] for i, v in enumerate(names)]
        self.rows.sort(key=lambda r: r[1])
        self.height, self.spec = 3, self.path
        self.seen = rng.sample(names, rng.randint(3, len(names)))
        self.others = names + ["strange"]
        with open(self.path, "w", encoding="utf-8") as out:
            for row in self.rows:
                out.write(";".join(row) + "\n")

    def leaves(self, _):
        return [r[0] for r in self.rows]

    def path_of(self, value):
        return next((r for r in self.rows if r[0] == value), None)


class Numbers:
    spec, height = "intervals(5,10)", 3

    def __init__(self, rng, _):
        self.seen = [str(rng.randint(0, 29)) for _ in range(8)]
        self.others = self.seen + [str(rng.randint(0, 45)) for _ in range(8)] + ["many"]

    def leaves(self, values):
        return sorted(values, key=int)

    def path_of(self, value):
        if not value.isdigit():
            return None
        low, wide = int(value) // 5 * 5, int(value) // 10 * 10
        return [value, f"{low}-{low + 4}", f"{wide}-{wide + 9}", "*"]


class Codes:
    spec, height = "mask(right,2)", 3

    def __init__(self, rng, _):
        codes = [a + b + c for a in "xy" for b in "pq" for c in "123"]
        self.seen = rng.sample(codes, 5)
        self.others = codes

    def leaves(self, values):
        return sorted(values)

    def path_of(self, value):
        return [value, value[:2] + "*", value[:1] + "**", "*"]


class Plain:
    """Values or *."""
    spec, height = "suppress", 1

    def __init__(self, rng, _):
        self.seen = list("abc")[: rng.randint(2, 3)]
        self.others = list("abcd")

    def leaves(self, values):
        return sorted(values)

    def path_of(self, value):
        return [value, "*"]


class Column:
    def __init__(self, kind, values):
        self.kind, self.height = kind, kind.height
        self.leaves = kind.leaves(sorted({v for v in values if v})) + ([""] if "" in values else [])

    def path(self, value):
        return [""] * self.height + ["*"] if value == "" else self.kind.path_of(value)

    def covers(self, label, value):
        return label in self.path(value)

    def level(self, label):
        return min(self.path(v).index(label) for v in self.leaves if label in self.path(v))

    def under(self, label):
        return [i for i, v in enumerate(self.leaves) if label in self.path(v)]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [tuple(r) for r in rows[1:]]


def write(path, rows, m):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow([f"q{i}" for i in range(m)] + ["s"])
        out.writerows(rows)


class Rule:
    """What was recorded, and what it says of a tuple: released tuple and whether it is the top."""

    def __init__(self, columns, by_levels, node, old, released):
        self.columns, self.by_levels, self.node = columns, by_levels, node
        m = len(columns)
        self.top = ("*",) * m
        self.recorded = {o[:m]: r[:m] for o, r in zip(old, released)}
        self.sizes = collections.Counter(r[:m] for r in released)

    def order(self, label):
        cost = sum(self.columns[a].level(c) / self.columns[a].height for a, c in enumerate(label))
        leaves = [self.columns[a].under(c) for a, c in enumerate(label)]
        return (round(cost, 9), -self.sizes[label], [(u[0], len(u)) for u in leaves])

    def of(self, new):
        paths = [c.path(v) for c, v in zip(self.columns, new)]
        if self.by_levels:
            if any(p is None and l < c.height for p, l, c in zip(paths, self.node, self.columns)):
                return self.top
            return tuple("*" if l == c.height else p[l] for p, l, c in zip(paths, self.node, self.columns))
        if new in self.recorded:
            return self.recorded[new]
        if any(p is None for p in paths):
            return self.top
        able = [r for r in self.sizes if r != self.top
                and all(c.covers(label, v) for c, label, v in zip(self.columns, r, new))]
        return min(able, key=self.order) if able else self.top


def violates(rows, k, l):
    return len(rows) < k or len({r[-1] for r in rows}) < l


def classes_of(cells, rows):
    groups = collections.defaultdict(list)
    for i, cell in enumerate(cells):
        groups[cell].append(i)
    return groups, lambda members: [rows[i] for i in members]


def treat(cells, rows, top, k, l, treatment):
    """Cells after suppression, rows that had to be suppressed and all at the top; None: not possible."""
    groups, rows_of = classes_of(cells, rows)
    at_top = set(groups.pop(top, []))
    ruled = len(at_top)
    if treatment == "exempt" and not groups:
        return (len(rows), 0, ruled) if not violates(rows, k, l) else None
    for label in [g for g in groups if violates(rows_of(groups[g]), k, l)]:
        at_top.update(groups.pop(label))
    if treatment == "keep":
        while at_top and violates(rows_of(at_top), k, l):
            if not groups:
                return None
            at_top.update(groups.pop(min(groups, key=lambda g: len(groups[g]))))
    if treatment == "drop" and not groups:
        return None
    if treatment == "exempt" and not groups and violates(rows, k, l):
        return None
    return len(at_top), len(at_top) - ruled, ruled


def run(mingle, *arguments):
    done = subprocess.run([mingle, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def make_job(rng, number):
    kinds = [k(rng, f"h{number}_{i}") for i, k in
             enumerate(rng.sample([File, Numbers, Codes, Plain], rng.randint(1, 3)))]
    missing = rng.random() < 0.4

    def rows(n, values):
        return [tuple("" if missing and rng.random() < 0.1 else rng.choice(values(k)) for k in kinds)
                + (rng.choice("tuv"),) for _ in range(n)]
    old = rows(rng.randint(20, 60), lambda k: k.seen)
    new = rows(rng.randint(15, 60), lambda k: k.others)
    if rng.random() < 0.4:
        new = [r for r in new if all(v not in ("strange", "many") for v in r)] or new
    return kinds, old, new


def check_job(mingle, rng, number, seen):
    kinds, old, new = make_job(rng, number)
    m, k, l = len(kinds), rng.randint(2, 4), rng.randint(1, 2)
    method = rng.choice(LEVELS + TUPLES + ["cell"])
    treatment = asked = rng.choice(["keep", "keep", "drop", "exempt"])
    limit = rng.choice([0, 3, len(new) // 3, len(new)])
    write("old.csv", old, m)
    write("new.csv", new, m)
    job = ["--qi", ",".join(f"q{i}" for i in range(m)), "--sensitive", "s", "-k", k,
           "--l-diversity", f"s={l}", "--method", method, "--suppressed", "keep", "--suppress", "100%",
           "--allow-leaks", "--quiet"]
    for i, kind in enumerate(kinds):
        job += ["--hierarchy", f"q{i}={kind.spec}"]
    code, err = run(mingle, "anonymize", "old.csv", *job, "-o", "old.out", "--keep-order",
                    "--save-recoding", "found.rec", "--result", "old.json")
    if code == 1:
        return
    assert code == 0, err
    with open("old.json", encoding="utf-8") as file:
        node = json.load(file)["node"]
    columns = [Column(kind, [r[i] for r in old]) for i, kind in enumerate(kinds)]
    levels = [node[f"q{i}"] for i in range(m)] if node else None
    rule = Rule(columns, method in LEVELS, levels, old, read("old.out"))
    cells = [rule.of(r[:m]) for r in new]
    answer = treat(cells, new, rule.top, k, l, treatment)
    if levels == [c.height for c in columns]:  # the top node: one class, nothing is suppressed
        answer, treatment = (None if violates(new, k, l) else (len(new), 0, 0)), "keep"
    if levels != [c.height for c in columns]:
        check_joined(mingle, (rule, cells, new, k, l, treatment, limit), seen)
    code, err = run(mingle, "apply", "found.rec", "new.csv", "-o", "new.out", "--keep-order", "--suppressed",
                    asked, "--suppress", limit, "--allow-leaks", "--quiet", "--result", "new.json")
    told = f"{method}, k {k}, l {l}, {treatment}, limit {limit}: {err}"
    counted = answer and (answer[1] if treatment == "keep" else answer[1] + answer[2])
    if treatment == "exempt" and answer and answer[0] == len(new):
        counted = 0 if answer[2] == len(new) else len(new)  # the top node, or everything suppressed
    if answer is None or counted > limit:
        seen["refused"] += 1
        assert code == 1, f"exit code {code} where {answer} was expected: {told}"
        return
    assert code == 0, f"exit code {code} where {answer} was expected: {told}"
    seen[method if method in LEVELS else "tuples"] += 1
    compare(cells, new, answer, rule.top, treatment, told, seen)
    check_audit(mingle, rng, "new.out", "new.json", told, seen)


def forge(rng, result):
    """Changes one claim of a result that the file or the rest of it contradicts."""
    models, job = result["models"], result["audit"]["job"]
    changes = [
        lambda: result.update(rows=result["rows"] + 1),
        lambda: result.update(released_rows=result["released_rows"] + 1),
        lambda: result.update(command="anonymize"),
        lambda: result.update(method="samarati" if result["method"] != "samarati" else "cell"),
        lambda: result["applied"].update(new_rows=result["applied"]["new_rows"] + 1),
        lambda: result["audit"]["release"].update(sha256="0" * 64),
        lambda: result.update(sha256="1" * 64),
        lambda: models[0]["parameters"].update(k=models[0]["parameters"]["k"] + 1),
        lambda: models.pop(),
        lambda: job["attributes"]["q0"].update(role="insensitive"),
        lambda: result["audit"].pop("recoding"),
        lambda: result.update(bound=None),
        lambda: result.update(counted=True),
    ]
    if "with" not in result:
        changes += [lambda: result["classes"].update(min=result["classes"]["min"] + 1),
                    lambda: result["risk"].update(uniques=result["risk"]["uniques"] + 1),
                    lambda: models[0].update(measured=models[0]["measured"] + 1),
                    lambda: result["figures"]["class_sizes"]["after"][0].update(rows=10**6)]
    else:
        changes = [c for i, c in enumerate(changes) if i not in (7, 8)]  # not judged without the earlier rows
    number = rng.randrange(len(changes))
    changes[number]()
    return number


def check_audit(mingle, rng, release, path, told, seen):
    """The release agrees with its result, and no longer if a claim is changed."""
    code, err = run(mingle, "check", release, "--against", path, "--quiet")
    assert code == 0, f"the audit ends with {code}: {told} {err}"
    with open(path, encoding="utf-8") as file:
        result = json.load(file)
    number = forge(rng, result)
    with open("forged.json", "w", encoding="utf-8") as file:
        json.dump(result, file)
    code, err = run(mingle, "check", release, "--against", "forged.json", "--quiet")
    assert code != 0, f"claim {number} was forged and not found: {told} {err}"
    seen["audited"] += 1


def compare(cells, new, answer, top, treatment, told, seen):
    m, released = len(top), read("new.out")
    with open("new.json", encoding="utf-8") as file:
        result = json.load(file)
    assert result["applied"]["treated_rows"] == answer[1] or answer[0] == len(new), told
    if treatment == "drop":
        assert len(released) == len(new) - answer[0], told
        expected = collections.Counter(c + r[m:] for c, r in zip(cells, new))
        assert not collections.Counter(released) - expected, told
        return
    assert len(released) == len(new), told
    at_top = 0
    for cell, row, out in zip(cells, new, released):
        assert out[m:] == row[m:] and out[:m] in (cell, top), f"{row} became {out}, not {cell}: {told}"
        at_top += out[:m] == top
        seen["covered"] += out[:m] == cell != top
    assert at_top == answer[0], f"{at_top} rows at the top, {answer}: {told}"


def joined(cells, new, earlier, top, k, l, treatment):
    """The same where new rows are judged with those of an earlier release, which stay."""
    cells = list(cells)
    ruled = {i for i, c in enumerate(cells) if c == top}
    out = set(ruled)

    def classes():
        groups = collections.defaultdict(list)
        for row in earlier:
            groups[row[:-1]].append(row)
        for i, row in enumerate(new):
            if not (treatment == "drop" and i in out):
                groups[top if i in out else cells[i]].append(row)
        if treatment == "exempt" and len(groups) > 1:
            groups.pop(top, None)
        return groups
    while True:
        groups = classes()
        bad = {g for g, rows in groups.items() if violates(rows, k, l)}
        if not bad:
            return len(out) - len(ruled), len(ruled)
        moved = {i for i in range(len(new)) if i not in out and cells[i] in bad and cells[i] != top}
        if not moved and top in bad and treatment == "keep":
            sizes = {cells[i]: len(groups[cells[i]]) for i in range(len(new)) if i not in out}
            least = min(sizes.values(), default=None)
            if least is None:
                return None
            if list(sizes.values()).count(least) > 1:
                return "tie"
            moved = {i for i in range(len(new)) if i not in out and sizes.get(cells[i]) == least}
        if not moved:
            return None
        out |= moved


def check_joined(mingle, job, seen):
    rule, cells, new, k, l, treatment, limit = job
    m = len(rule.top)
    answer = joined(cells, new, read("old.out"), rule.top, k, l, treatment)
    code, err = run(mingle, "apply", "found.rec", "new.csv", "-o", "both.out", "--with", "old.out", "--keep-order",
                    "--suppressed", treatment, "--suppress", limit, "--allow-leaks", "--quiet", "--result",
                    "both.json")
    if answer == "tie":
        return
    told = f"with an earlier release, k {k}, l {l}, {treatment}, limit {limit}, {answer}: {err}"
    if answer is None or (answer[0] if treatment == "keep" else sum(answer)) > limit:
        assert code == 1, f"exit code {code}: {told}"
        return
    if treatment == "drop" and sum(answer) == len(new):
        return
    assert code == 0, f"exit code {code}: {told}"
    seen["joined"] += 1
    released = read("both.out")
    at_top = sum(r[:m] == rule.top for r in released) if treatment != "drop" else len(new) - len(released)
    assert at_top == sum(answer), f"{at_top} rows at the top: {told}"
    groups, rows_of = classes_of([r[:m] for r in read("old.out") + released], read("old.out") + released)
    for cell, members in groups.items():
        assert treatment == "exempt" and cell == rule.top or not violates(rows_of(members), k, l), told
    check_audit(mingle, random.Random(limit), "both.out", "both.json", told, seen)


def main():
    mingle, jobs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)
    seen = collections.Counter()
    for number in range(jobs):
        try:
            check_job(mingle, random.Random(seed + number), number, seen)
        except AssertionError as error:
            print(f"not ok: job {seed + number}: {error}")
            return 1
    for what in ["refused", "tuples", "covered", "joined", "audited"]:
        assert seen[what] > 0 or jobs < 60, f"no job was {what} (seed {seed})"
    print(f"ok: {jobs} jobs from {seed}: {dict(seen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
