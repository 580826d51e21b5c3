"""Full-domain searches by looking at every node (docs/definitions.md#mingen)."""
import itertools

import measures
from suppression import Judge


class Node:
    def __init__(self, levels, outcome, figures):
        self.levels = levels
        self.outcome = outcome
        self.figures = figures

    @property
    def holds(self):
        return self.outcome.holds


class Lattice:
    """Every node within the level bounds, evaluated."""

    judge_type = Judge

    def __init__(self, job, with_figures=True, limit=None):
        self.job = job
        self.judge = self.judge_type(job)
        self.limit = limit
        ranges = [range(low, high + 1) for low, high in map(job.bounds, job.qi)]
        self.nodes = [self.evaluated(levels, with_figures)
                      for levels in itertools.product(*ranges)]

    def evaluated(self, levels, with_figures):
        outcome = self.judge.treated(recoded(self.job, levels), self.limit)
        figures = None
        if with_figures:
            k = self.job.smallest_k()
            figures = measures.measured(self.job, outcome.released, levels, k)
        return Node(levels, outcome, figures)

    def holding(self):
        return [node for node in self.nodes if node.holds]

    def minimal(self):
        """Holding nodes with no holding node below them."""
        holding = [node.levels for node in self.holding()]
        return [high for high in holding
                if not any(low != high and below(low, high) for low in holding)]

    def find(self, levels):
        return next(node for node in self.nodes if node.levels == tuple(levels))


def recoded(job, levels):
    return [tuple(job.hierarchies[name].at(cell, level)
                  for name, cell, level in zip(job.qi, row, levels))
            for row in job.tuples()]


def below(low, high):
    return all(a <= b for a, b in zip(low, high))


def criterion(job, name, node):
    """Lower is better, for each word of --prefer and the measures."""
    if name == "absolute":
        return sum(node.levels)
    if name == "relative":
        return node.figures["relative_height"]
    if name == "distribution":
        # What is dropped is not released: it makes no tuple.
        rows = {job.tops() if row is None else row for row in node.outcome.released
                if row is not None or job.treatment != "drop"}
        return -len(rows)
    if name == "suppression":
        return node.outcome.suppressed
    return measures.cost(name, node.figures)


def close(a, b):
    return abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def least(nodes, value):
    """The nodes with the least value; values within a relative 1e-12 are ties."""
    best = min(value(node) for node in nodes)
    return [node for node in nodes if close(float(value(node)), float(best))]


def preferred(job, nodes, first):
    """The one node that criteria, height and the order of the columns choose."""
    for name in [*first, "absolute"]:
        nodes = least(nodes, lambda node: criterion(job, name, node))
    return min(nodes, key=lambda node: node.levels)


def suppresses_all(job, node):
    top = {job.tops()}
    return set(node.outcome.released) <= {None, *top} and set(recoded(job, node.levels)) != top


def optimum(job, lattice):
    """MinGen at the attribute level: measure, --prefer, height, lexicographic. By height a node at
    which all rows are suppressed is the top node, so others go first."""
    nodes = lattice.holding()
    if job.measure == "height":
        nodes = [node for node in nodes if not suppresses_all(job, node)] or nodes
    return preferred(job, nodes, [job.measure, *job.prefer])


def samarati(job, lattice):
    """The least height with a holding node; of these --prefer chooses, then the measure."""
    height = min(sum(node.levels) for node in lattice.holding())
    nodes = [node for node in lattice.holding() if sum(node.levels) == height]
    return preferred(job, nodes, [*job.prefer, job.measure])


def incognito(job, lattice):
    """The best of the minimal nodes."""
    minimal = lattice.minimal()
    nodes = [node for node in lattice.holding() if node.levels in minimal]
    return preferred(job, nodes, [job.measure, *job.prefer])
