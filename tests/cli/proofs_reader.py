"""A second reader of certificates, written from docs/proofs.md alone: it goes through every node and
every released tuple, one by one. Prints what the file proves; exit status 1 if it does not hold."""
import itertools
import json
import math
import sys
from fractions import Fraction

UNIT = 2**50


def parts(proof, a):
    """What each value of a column costs, as a part of weight/total."""
    column = proof["columns"][a]
    leaves, height = column["leaves"], len(column["leaves"][0]) - 1
    rows = [0] * len(leaves)
    for tuple_leaves, count, *_ in proof["tuples"]:
        rows[tuple_leaves[a]] += count
    found = {}
    for level in range(height + 1):
        for value in {path[level] for path in leaves}:
            if value in found:
                continue
            under = [i for i, path in enumerate(leaves) if path[level] == value]
            if proof["measure"] == "precision":
                found[value] = Fraction(level, height)
            elif proof["measure"] in ("loss", "ncp"):
                found[value] = Fraction(len(under) - 1, max(1, len(leaves) - 1))
            else:
                found[value] = math.log2(max(1, sum(rows[i] for i in under)))
    return found


def costs(proof):
    """The cost of each value in units, never more than the true one. Rational numbers are exact;
    logarithms are taken to be wrong by less than 2^-40."""
    weighted = proof["measure"] in ("precision", "ncp")
    weights = [Fraction(c["weight"]) if weighted else Fraction(1) for c in proof["columns"]]
    total = sum(weights)
    if proof["measure"] == "nonuniform_entropy":
        total = total * Fraction(math.log2(proof["rows"]) + 2**-40)
    lower = Fraction(0) if proof["measure"] != "nonuniform_entropy" else Fraction(1, 2**40)
    return [{v: max(0, math.floor(UNIT * weights[a] * (Fraction(p) - lower) / total)) if total else 0
             for v, p in parts(proof, a).items()} for a in range(len(weights))], weights, total


def needs(proof):
    rows, distinct = 1, {}
    for model in proof["models"]:
        n = model["parameter"]
        if model["model"] == "max-risk":
            n = math.ceil(1 / n * (1 - 1e-12))
        rows = max(rows, n)
        for s in model["sensitive"]:
            distinct[s] = max(distinct.get(s, 0), n)
    return rows, distinct


def worth(members, cost, rows_needed):
    """The most that tuples of these, enough for a class, are priced above what they cost."""
    above = sum(n * (price - cost) for n, price in members if price > cost)
    missing = rows_needed - sum(n for n, price in members if price > cost)
    if missing <= 0:
        return above
    others = [x for x in members if x[1] <= cost]
    ways = [n * (price - cost) for n, price in others if n >= missing]
    rows = sorted(price - cost for n, price in others if n < missing for _ in range(n))
    if len(rows) >= missing:
        ways.append(sum(rows[-missing:]))
    return above + max(ways)


def verify(proof):
    cost, weights, total = costs(proof)
    columns, tuples = proof["columns"], proof["tuples"]
    rows_needed, distinct = needs(proof)
    top = sum(cost[a][c["leaves"][0][-1]] for a, c in enumerate(columns))
    slack = 64 * (len(columns) + 2)  # the file takes off a few units more than it must
    bad = sum(price > top + slack for _, _, price, _ in tuples)
    for node in itertools.product(*(range(c["levels"][0], c["levels"][1] + 1) for c in columns)):
        boxes = {}
        for t in tuples:
            values = tuple(c["leaves"][leaf][level] for c, leaf, level in zip(columns, t[0], node))
            boxes.setdefault(values, []).append(t)
        for values, members in boxes.items():
            if sum(t[1] for t in members) < rows_needed:
                continue
            if any(len(set().union(*(t[3][s] for t in members))) < n for s, n in distinct.items()):
                continue
            c = sum(cost[a][v] for a, v in enumerate(values))
            bad += worth([(t[1], t[2]) for t in members], c, rows_needed) > 0
    share = Fraction(sum(t[1] * t[2] for t in tuples), UNIT * proof["rows"])
    if proof["measure"] == "precision":
        value = 1 - share
    elif proof["measure"] in ("loss", "ncp"):
        value = share
    else:
        value = share * proof["rows"] * total
        for a, column in enumerate(columns):
            rows = [0] * len(column["leaves"])
            for t in tuples:
                rows[t[0][a]] += t[1]
            value -= Fraction(sum(n * math.log2(n) for n in rows if n))
    return bad == 0, float(value)


class Steps:
    """A better bound, step by step: every set of tuples is looked at, so that tables must be tiny."""

    def __init__(self, proof):
        self.proof, self.exact = proof, proof["exact"]
        self.tuples = proof["tuples"]
        self.n = len(self.tuples)
        self.counts = [t[1] for t in self.tuples]
        self.rows_needed, self.distinct = needs(proof)
        self.costs, self.top, self.unit = self.whole()
        keep = proof["treatment"] == "keep"
        self.limit = 0 if keep else min(proof["limit"], proof["rows"] - 1)
        self.tops = [c["leaves"][0][-1] for c in proof["columns"]]

    def whole(self):
        columns = self.proof["columns"]
        if self.exact["rounded"]:
            cost, _, total = costs(self.proof)
            cost = [{v: c >> 10 for v, c in column.items()} for column in cost]
            return cost, sum(c[columns[a]["leaves"][0][-1]] for a, c in enumerate(cost)), \
                float(total) / 2**40
        weighted = self.proof["measure"] in ("precision", "ncp")
        found = [{v: (Fraction(str(c["weight"])) if weighted else 1) * p
                  for v, p in parts(self.proof, a).items()} for a, c in enumerate(columns)]
        numbers = [Fraction(x) for column in found for x in column.values()]
        common = math.lcm(*(x.denominator for x in numbers))
        step = Fraction(math.gcd(*(int(x * common) for x in numbers)) or 1, common)
        found = [{v: int(x / step) for v, x in column.items()} for column in found]
        return found, sum(c[columns[a]["leaves"][0][-1]] for a, c in enumerate(found)), step

    def holds(self, members):
        return sum(self.counts[t] for t in members) >= self.rows_needed and all(
            len(set().union(*(self.tuples[t][3][s] for t in members))) >= n
            for s, n in self.distinct.items())

    def row_cost(self, members):
        """The least that a row costs as one of these; None: they are no class."""
        best, keep = [], self.proof["treatment"] == "keep" and self.proof["limit"] > 0
        for a, column in enumerate(self.proof["columns"]):
            low, high = column["levels"]
            choices = [v for level in range(low, high + 1)
                       for v in {column["leaves"][self.tuples[t][0][a]][level] for t in members}
                       if len({column["leaves"][self.tuples[t][0][a]][level] for t in members}) == 1]
            if not choices:
                return self.top if keep else None
            best.append(min(choices, key=lambda v: (self.costs[a][v], v == self.tops[a])))
        if self.proof["treatment"] == "exempt" and best == self.tops:
            return None
        cost = sum(self.costs[a][v] for a, v in enumerate(best))
        return min(cost, self.top) if keep else cost

    def classes(self):
        """Those that cannot be divided, and rows left out: (members, cost, left out)."""
        sets = {}
        for size in range(1, self.n + 1):
            for members in itertools.combinations(range(self.n), size):
                cost = self.row_cost(members) if self.holds(members) else None
                if cost is not None:
                    sets[members] = cost
        for members, cost in sets.items():
            first, rest = members[0], members[1:]
            divided = any(one in sets and two in sets
                          for size in range(len(rest))
                          for others in itertools.combinations(rest, size)
                          for one in [(first,) + others]
                          for two in [tuple(t for t in rest if t not in others)])
            if not divided:
                yield members, cost * sum(self.counts[t] for t in members), False
        for t in range(self.n):
            if self.counts[t] <= self.limit and (t,) not in sets:
                yield (t,), self.top * self.counts[t], True

    def lack(self, step, one):
        members, cost, left_out = one
        lack = cost * self.exact["times"] - sum(step["prices"][t] for t in members)
        lack += step["left"] * self.counts[members[0]] if left_out else 0
        return lack + sum(cut[0] * (len(set(cut[1:]) & set(members)) // 2) for cut in step["cuts"])

    def follow(self, steps, classes):
        """One case, from its first step on: whether it is done, and the steps behind it."""
        enough, done = self.exact["bound"] - self.exact["step"], False
        while steps and not ("apart" in steps[0] or "end" in steps[0]):
            step, steps = steps[0], steps[1:]
            if "prices" in step:
                if done:
                    continue
                bound = sum(step["prices"]) - step["left"] * self.limit
                bound -= sum(cut[0] * ((len(cut) - 1) // 2) for cut in step["cuts"])
                lacks = [self.lack(step, one) for one in classes]
                if min(lacks, default=0) < 0 or step["left"] < 0 or \
                        any(cut[0] < 0 for cut in step["cuts"]):
                    raise ValueError("a class costs less than it is priced")
                done = bound > enough
                classes = [one for one, lack in zip(classes, lacks) if bound + lack <= enough]
            else:
                pair = set(step["together"])
                one, steps = self.follow(steps, [] if done else
                                         [c for c in classes if len(pair & set(c[0])) != 1])
                assert set(steps[0]["apart"]) == pair
                two, steps = self.follow(steps[1:], [] if done else
                                         [c for c in classes if len(pair & set(c[0])) != 2])
                assert set(steps[0]["end"]) == pair
                steps, done = steps[1:], done or (one and two)
        return done, steps

    def divide(self):
        """The least that any division of the tuples costs, without steps. Sets are numbers, with a
        bit for each tuple."""
        every, rows, cost = 2**self.n - 1, [0] * 2**self.n, [None] * 2**self.n
        for chosen in range(1, every + 1):
            members = [t for t in range(self.n) if chosen >> t & 1]
            rows[chosen] = sum(self.counts[t] for t in members)
            each = self.row_cost(members) if self.holds(members) else None
            cost[chosen] = None if each is None else each * rows[chosen]
        best = [None] * (every + 1)  # of the tuples that are no longer left
        for left in range(1, every + 1):
            if rows[every ^ left] <= self.limit:
                best[left] = rows[every ^ left] * self.top
        best[0] = rows[every] * self.top
        for left in range(every, 0, -1):
            others = left & left - 1
            some = others if best[left] is not None else -1
            while some >= 0:
                if cost[left ^ others | some] is not None:
                    sum_here, rest = best[left] + cost[left ^ others | some], others ^ some
                    if best[rest] is None or sum_here < best[rest]:
                        best[rest] = sum_here
                some = (some - 1) & others if some else -1
        return best[0]

    def verify(self):
        if self.exact.get("method") == "sets":
            return self.exact["bound"] <= self.divide(), self.exact["bound"] * float(self.unit)
        if self.exact["bound"] > self.proof["rows"] * self.top * self.exact["times"]:
            return False, 0
        first = self.exact["steps"][0]
        classes = list(self.classes())
        if any(self.lack(first, one) < 0 for one in classes) or first["cuts"]:
            return False, 0
        if any(one[1] * self.exact["times"] % self.exact["step"] for one in classes):
            return False, 0
        try:
            done, rest = self.follow(self.exact["steps"], classes)
        except ValueError:
            return False, 0
        return done and not rest, self.exact["bound"] / self.exact["times"] * float(self.unit)


def verify_all(proof):
    """Prices of rows first, then the steps, if there are any: the better of the two."""
    holds, value = verify(proof)
    if holds and "exact" in proof:
        holds, cost = Steps(proof).verify()
        weighted = proof["measure"] in ("precision", "ncp")
        total = sum(c["weight"] if weighted else 1 for c in proof["columns"])
        if proof["measure"] == "nonuniform_entropy":
            rows = [[0] * len(c["leaves"]) for c in proof["columns"]]
            for t in proof["tuples"]:
                for a, leaf in enumerate(t[0]):
                    rows[a][leaf] += t[1]
            value = max(value, cost - sum(n * math.log2(n) for x in rows for n in x if n))
        elif proof["measure"] == "precision":
            value = min(value, 1 - cost / total / proof["rows"])
        else:
            value = max(value, cost / total / proof["rows"])
    return holds, value


if __name__ == "__main__":
    holds, value = verify_all(json.load(open(sys.argv[1])))
    print(value)
    sys.exit(0 if holds else 1)
