"""Privacy models (docs/definitions.md#models): does a class hold, and the figure that is measured.

A model is a dict with "model" and its parameters, as in results. Shares are fractions, so
that a comparison is exact; only logarithms are floating."""
import math
from fractions import Fraction

from values import KNOWN_ONLY, known

TABLE_LEVEL = ("mean-risk", "risk-share", "sample-uniqueness")
UPWARD_CLOSED = ("k-anonymity", "k-map", "max-risk", "l-diversity", "p-sensitive",
                 "extended-p-sensitive")
SLACK = Fraction(1, 10**12)


def at_most(value, bound):
    """Comparisons allow a relative 1e-12 in favour of holding."""
    return value <= bound + abs(Fraction(bound)) * SLACK


def at_least(value, bound):
    return value >= bound - abs(Fraction(bound)) * SLACK


def below(value, bound):
    return value < bound


class Surroundings:
    """What models know beside the class: the input's distribution, trees, the population."""

    def __init__(self, whole, trees=None, protected=None, matching=None, k_given=True,
                 known_only=True):
        self.known_only = known_only  # a missing cell is no value to some models
        self.whole = whole  # attribute -> counts of the whole input
        self.trees = trees or {}  # attribute -> Hierarchy of the sensitive values
        self.protected = protected or {}  # attribute -> set of labels
        self.k_given = k_given  # without it p-sensitivity asks for p persons, too
        self.matching = matching  # function of a released tuple: rows of the population


def looked_at(counts, kind, around):
    """What a model looks at of the counts of a class, or of the table."""
    return known(counts) if around.known_only and kind in KNOWN_ONLY else counts


def shares(counts):
    total = sum(counts.values())
    return {value: Fraction(count, total) for value, count in counts.items()}


def entropy_l(counts):
    if not counts:
        return 0
    return math.exp(-sum(float(p) * math.log(p) for p in shares(counts).values()))


def recursive_c(counts, l):
    """The infimum of c with r_1 < c (r_l + ... + r_d), None if there is none."""
    sorted_counts = sorted(counts.values(), reverse=True)
    if len(sorted_counts) < l or not sorted_counts:
        return None
    return Fraction(sorted_counts[0], sum(sorted_counts[l - 1:]))


def alpha(counts):
    return max(shares(counts).values(), default=Fraction(0))


def t_equal(p, q):
    return sum(abs(p.get(value, 0) - q[value]) for value in q) / 2


def t_ordered(p, q, ranked):
    if len(ranked) < 2:
        return Fraction(0)
    total, cumulative = Fraction(0), Fraction(0)
    for value in ranked:
        cumulative += p.get(value, 0) - q[value]
        total += abs(cumulative)
    return total / (len(ranked) - 1)


def t_hierarchical(p, q, tree):
    total = Fraction(0)
    for level in range(1, tree.height + 1):
        children = {}
        for leaf, path in tree.paths.items():
            excess = p.get(leaf, 0) - q.get(leaf, 0)
            node = children.setdefault(path[level:], {})
            node[path[level - 1:]] = node.get(path[level - 1:], Fraction(0)) + excess
        for node in children.values():
            positive = sum(excess for excess in node.values() if excess > 0)
            negative = -sum(excess for excess in node.values() if excess < 0)
            total += Fraction(level, tree.height) * min(positive, negative)
    return total


def distance(counts, name, kind, around):
    from tables import in_order

    p, q = shares(counts), shares(around.whole[name])
    if kind == "ordered":
        return t_ordered(p, q, in_order(q))
    if kind == "hierarchical":
        return t_hierarchical(p, q, around.trees[name])
    return t_equal(p, q)


def delta(counts, whole):
    """max |ln(p/q)| over the values of the table, None if the class lacks one."""
    p, q = shares(counts), shares(whole)
    if any(value not in p for value in q):
        return None
    return max(abs(math.log(p[value] / q[value])) for value in q)


def gains(counts, whole):
    p, q = shares(counts), shares(whole)
    return [(q[value], (p[value] - q[value]) / q[value]) for value in p if p[value] > q[value]]


def beta(counts, whole):
    return max((gain for _, gain in gains(counts, whole)), default=Fraction(0))


def enhanced_beta(counts, whole):
    """The strongest beta, None where a gain exceeds -ln q, so that no beta holds."""
    for q, gain in gains(counts, whole):
        if not at_most(gain, Fraction(-math.log(q))):
            return None
    return beta(counts, whole)


def strong(value, tree, protected):
    """The highest protected label above the value; a ground value is protected itself."""
    result = value
    for label in tree.paths[value]:
        if label in protected:
            result = label
    return result


def subtrees(counts, tree, protected):
    return len({strong(value, tree, protected) for value in counts})


def with_k(values, one, around):
    """Without -k, k = p."""
    return values if around.k_given else min(values, one.size)


def p_of(one, around):
    return with_k(min(len(looked_at(counts, "p-sensitive", around))
                      for counts in one.counts.values()), one, around)


def of_attribute(figure, *known):
    """A figure of the class's counts of the model's attribute; known: "whole", a parameter."""
    def computed(model, one, around):
        name = model["attribute"]
        further = [around.whole[name] if what == "whole" else model[what] for what in known]
        return figure(looked_at(one.counts[name], model["model"], around), *further)

    return computed


def t_of(model, one, around):
    return distance(one.counts[model["attribute"]], model["attribute"], model["distance"], around)


def extended_p_of(model, one, around):
    name = model["attribute"]
    found = subtrees(looked_at(one.counts[name], model["model"], around), around.trees[name],
                     around.protected[name])
    return with_k(found, one, around)


def presence(model, one, around):
    """The share of the matching population that is in the class, None if nobody matches."""
    matching = around.matching(one.released)
    return Fraction(one.size, matching) if matching else None


# What is measured of one class, None where no parameter holds.
FIGURES = {
    "k-anonymity": lambda model, one, around: one.size,
    "l-diversity": of_attribute(len),
    "entropy-l": of_attribute(entropy_l),
    "recursive-cl": of_attribute(recursive_c, "l"),
    "p-sensitive": lambda model, one, around: p_of(one, around),
    "extended-p-sensitive": extended_p_of,
    "alpha": of_attribute(alpha),
    "t-closeness": t_of,
    "delta-disclosure": of_attribute(delta, "whole"),
    "beta": of_attribute(beta, "whole"),
    "enhanced-beta": of_attribute(enhanced_beta, "whole"),
    "k-map": lambda model, one, around: around.matching(one.released),
    "delta-presence": presence,
    "max-risk": lambda model, one, around: Fraction(1, one.size),
}

# Whether a figure is good enough: the parameter it is compared with, and how.
BOUNDS = {
    "k-anonymity": ("k", at_least), "l-diversity": ("l", at_least), "entropy-l": ("l", at_least),
    "recursive-cl": ("c", below), "p-sensitive": ("p", at_least),
    "extended-p-sensitive": ("p", at_least), "alpha": ("alpha", at_most),
    "t-closeness": ("t", at_most), "delta-disclosure": ("delta", below),
    "beta": ("beta", at_most), "enhanced-beta": ("beta", at_most), "k-map": ("k", at_least),
    "delta-presence": ("hi", at_most), "max-risk": ("x", at_most),
}


def holds(model, one, around):
    """Whether the class holds a class-wise model."""
    figure = FIGURES[model["model"]](model, one, around)
    parameter, compare = BOUNDS[model["model"]]
    if figure is None or not compare(figure, model[parameter]):
        return False
    return model["model"] != "delta-presence" or at_least(figure, model["lo"])


def measured(model, classes, around):
    """The strongest parameter that all classes hold with, None where there is none."""
    if model["model"] in TABLE_LEVEL:
        return table_figure(model, classes)
    figures = [FIGURES[model["model"]](model, one, around) for one in classes]
    if None in figures:
        return None
    return min(figures) if BOUNDS[model["model"]][1] is at_least else max(figures)


def class_wise(models):
    return [model for model in models if model["model"] not in TABLE_LEVEL]


def table_figure(model, classes):
    """The figure of a table-level model over the classes that are judged."""
    rows = sum(one.size for one in classes)
    if rows == 0:
        return Fraction(0)
    if model["model"] == "mean-risk":
        return Fraction(len(classes), rows)
    if model["model"] == "risk-share":
        above = [one for one in classes if not at_most(Fraction(1, one.size), model["threshold"])]
        return Fraction(sum(one.size for one in above), rows)
    return Fraction(sum(one.size for one in classes if one.size == 1), rows)


def table_holds(model, classes):
    bound = model["share"] if model["model"] == "risk-share" else model["x"]
    return at_most(table_figure(model, classes), bound)


def all_hold(models, classes, around):
    for model in models:
        if model["model"] in TABLE_LEVEL:
            if not table_holds(model, classes):
                return False
        elif not all(holds(model, one, around) for one in classes):
            return False
    return True


def refused(models, around, k):
    """The necessary conditions of p-sensitivity: p <= k, and p subtrees in tree and data."""
    for model in models:
        if model["model"] == "p-sensitive":
            subtrees_there = min(len(looked_at(counts, "p-sensitive", around))
                                 for counts in around.whole.values())
        elif model["model"] == "extended-p-sensitive":
            tree = around.trees[model["attribute"]]
            protected = around.protected[model["attribute"]]
            there = looked_at(around.whole[model["attribute"]], model["model"], around)
            subtrees_there = subtrees(there, tree, protected)
        else:
            continue
        if k is not None and model["p"] > k or subtrees_there < model["p"]:
            return True
    return False
