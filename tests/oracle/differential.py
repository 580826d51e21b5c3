"""Differential privacy by sampling and k: the sampling rate and k of the theorem, in whole numbers
and fractions; probabilities by their definition."""
import functools
import math
from fractions import Fraction

ONE = 2 ** 32


def tail(n, rate, gamma):
    """P(X > gamma n), X binomial of n and rate / 2^32."""
    first = math.floor(gamma * n) + 1
    ways = sum(math.comb(n, j) * rate ** j * (ONE - rate) ** (n - j) for j in range(first, n + 1))
    return Fraction(ways, ONE ** n)


@functools.lru_cache(maxsize=None)
def parameters(epsilon, delta):
    """The rate, as a number from 0 to 1, and the least k: at most delta for every n from
    ceil(k / gamma - 1) on. From `last` on Chernoff's bound is below delta."""
    rate = math.floor(-math.expm1(-epsilon) * ONE)
    gamma = 1 - (1 - Fraction(rate, ONE)) * Fraction(math.exp(-epsilon))
    share, odds = rate / ONE, float(gamma)
    distance = odds * math.log(odds / share) + (1 - odds) * math.log((1 - odds) / (1 - share))
    last = math.ceil(-math.log(delta) / distance) + 1
    above = [n for n in range(last + 1) if tail(n, rate, gamma) > delta]
    k = 1
    while above and math.ceil(k / gamma - 1) <= above[-1]:
        k += 1
    return share, k


def scores(counts, trees, weights, rows):
    """The score of each node: counts are those of ground tuples, a tree has for each ground value its
    labels by level, rows is what a combination needs in the table."""
    nodes = [()]
    for tree in trees:
        height = len(next(iter(tree.values()))) - 1
        nodes = [node + (level,) for node in nodes for level in range(height + 1)]
    return {node: score(node, counts, trees, weights, rows) for node in nodes}


def score(node, counts, trees, weights, rows):
    sizes = {}
    for values, count in counts.items():
        cells = tuple(tree[value][level] for tree, value, level in zip(trees, values, node))
        sizes[cells] = sizes.get(cells, 0) + count
    heights = [len(next(iter(tree.values()))) - 1 for tree in trees]
    lost = sum(Fraction(w) * v / h for w, v, h in zip(weights, node, heights))
    precision = 1 - lost / sum(map(Fraction, weights))
    return precision * sum(min(n, 2 * max(0, n - rows)) for n in sizes.values())
