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
    """The most that rows of these tuples, enough for a class, are priced above what they cost."""
    above = sum(n * (price - cost) for n, price in members if price > cost)
    missing = rows_needed - sum(n for n, price in members if price > cost)
    for n, price in sorted((x for x in members if x[1] <= cost), key=lambda x: -x[1]):
        if missing > 0:
            above += min(n, missing) * (price - cost)
            missing -= min(n, missing)
    return above


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


if __name__ == "__main__":
    holds, value = verify(json.load(open(sys.argv[1])))
    print(value)
    sys.exit(0 if holds else 1)
