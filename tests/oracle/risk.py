"""Risk of a table as it is (docs/definitions.md#risk; formulas in docs/risk.md)."""
import itertools
import math
from collections import Counter
from fractions import Fraction


def intruder(risks, threshold):
    """max, mean and share above the threshold of the rows' risks."""
    return {"max": max(risks), "mean": sum(risks) / len(risks),
            "share_above": Fraction(sum(risk > threshold for risk in risks), len(risks))}


def columns(rows, names):
    """Per set of columns: distinct tuples per row, pairs of rows that differ, rows alone."""
    result = {}
    for size in range(1, len(names) + 1):
        for places in itertools.combinations(range(len(names)), size):
            counts = Counter(tuple(row[place] for place in places) for row in rows)
            pairs = len(rows) * (len(rows) - 1) // 2
            together = sum(count * (count - 1) // 2 for count in counts.values())
            result[frozenset(names[place] for place in places)] = {
                "distinction": Fraction(len(counts), len(rows)),
                "separation": Fraction(pairs - together, pairs) if pairs else 0,
                "unique_rows": Fraction(sum(count == 1 for count in counts.values()), len(rows))}
    return result


def individual(f, weight):
    """The approximation that is common in practice, for f rows that stand for `weight` persons."""
    if f >= weight:
        return 1 / f
    p = f / weight
    q = 1 - p
    if f == 1:
        return p / q * math.log(1 / p)
    if f == 2:
        return p / q - (p / q) ** 2 * math.log(1 / p)
    return p / (f - q)


def exact_individual(f, weight):
    """(p/f) 2F1(1, 1; f + 1; q), by its series."""
    if f >= weight:
        return 1 / f
    p = f / weight
    q = 1 - p
    term, total, n = 1.0, 0.0, 0
    while term > 1e-18 * total:
        total += term
        term *= q * (n + 1) / (f + 1 + n)
        n += 1
    return p / f * total


def special_uniques(rows):
    """Per row the sizes of its minimal sample uniques, with the sets of columns."""
    width = len(rows[0])
    found = [[] for _ in rows]
    for size in range(1, width + 1):
        for places in itertools.combinations(range(width), size):
            counts = Counter(tuple(row[place] for place in places) for row in rows)
            for number, row in enumerate(rows):
                alone = counts[tuple(row[place] for place in places)] == 1
                if alone and not any(set(small) <= set(places) for small in found[number]):
                    found[number].append(places)
    return found


def suda(rows, names, fraction=0.01):
    width = len(names)
    found = special_uniques(rows)
    scores = [sum(math.factorial(width - len(places)) for places in sets) for sets in found]
    positive = [score for score in scores if score]
    sizes = Counter(len(places) for sets in found for places in sets)
    by_column = [sum(math.factorial(width - len(places)) for sets in found for places in sets
                     if column in places) for column in range(width)]
    counts = Counter(rows)
    in_pairs = sum(counts[row] == 2 for row in rows)
    power = 1 + (8 - width) / 20
    scale = sum(score ** -power for score in positive)
    odds = in_pairs * (1 - fraction) / fraction
    dis = [1 / (1 + odds / (score ** power * scale)) for score in positive]
    total = sum(scores)
    return {"sum_score": total, "rows_above_zero": len(positive),
            "max_score": max(scores), "sum_dis": sum(dis),
            "uniques_by_size": [sizes[size] for size in range(1, width + 1)],
            "contribution": {name: 100 * part / total if total else 0
                             for name, part in zip(names, by_column)}}


def zayatz(rows, fraction):
    """By Bayes' rule, classes of the population being as large as those of the sample."""
    sizes = Counter(Counter(rows).values())
    sample = len(rows)
    whole = round(sample / fraction)

    def one_drawn(size):
        return Fraction(size * math.comb(whole - size, sample - 1), math.comb(whole, sample))

    total = sum(count * one_drawn(size) for size, count in sizes.items())
    if total == 0 or sizes[1] == 0:
        return 0
    return sizes[1] * one_drawn(1) / total * sizes[1] / fraction
