"""The best release at the cell level, by trying every assignment of tuples to boxes.

A release gives each distinct tuple a box: a released tuple that covers it. The tuples of one box
are a class. Boxes are taken one after another; for each, every set of tuples that are not placed
yet and lie under it is tried as its class. That is every release there is."""
import itertools
from fractions import Fraction

import models
from classes import Class
from suppression import Judge


class Search:
    """Feasible releases of one job. row_cost(released tuple) is what a row costs there, a
    constant left aside; `allowed(name)` gives the levels that a cell may have."""

    def __init__(self, job, row_cost):
        self.job = job
        self.judge = Judge(job)
        self.row_cost = row_cost
        self.tops = job.tops()
        self.grounds = sorted(set(job.tuples()))
        self.rows_of = {ground: [] for ground in self.grounds}
        for row, ground in enumerate(job.tuples()):
            self.rows_of[ground].append(row)
        self.table_models = [model for model in job.models
                             if model["model"] in models.TABLE_LEVEL]
        self.everything = (1 << len(self.grounds)) - 1

    def rows(self, members):
        return [row for number, ground in enumerate(self.grounds) if members >> number & 1
                for row in self.rows_of[ground]]

    def boxes(self):
        """Released tuples within the level bounds, and which tuples lie under each, as bits."""
        found = {}
        for number, ground in enumerate(self.grounds):
            labels = [{self.job.hierarchies[name].at(cell, level)
                       for level in range(self.job.bounds(name)[0], self.job.bounds(name)[1] + 1)}
                      for name, cell in zip(self.job.qi, ground)]
            for box in itertools.product(*labels):
                found[box] = found.get(box, 0) | 1 << number
        return found

    def best(self):
        """The least cost over all releases, None if there is none."""
        costs = [self.all_at_top(), self.least()]
        return min((cost for cost in costs if cost is not None), default=None)

    def all_at_top(self):
        """Every row at the top: one class, judged. The levels or the limit must allow it."""
        if self.tops not in self.boxes() and self.job.rows > self.job.limit:
            return None
        if self.tops not in self.boxes() and self.job.treatment == "drop":
            return None
        whole = self.class_of(self.tops, self.everything)
        if not self.judge.class_holds(whole) or not self.tallies_hold(self.tally(whole)):
            return None
        return self.row_cost(self.tops) * self.job.rows

    def class_of(self, box, members):
        return Class(box, self.rows(members), self.judge.persons, self.judge.sensitive)

    def least(self):
        """Releases with rows below the top, or dropped beside a class."""
        states = self.starts()
        for box, under in self.boxes().items():
            if box == self.tops and self.job.treatment == "exempt":
                continue  # rows at the top are suppressed rows
            choices = [(members, self.class_of(box, members)) for members in subsets(under)]
            choices = [(members, self.row_cost(box) * len(one.rows), self.tally(one))
                       for members, one in choices if self.judge.class_holds(one)]
            states = self.extended(states, choices)
        costs = [cost for (placed, tally), cost in states.items()
                 if placed == self.everything and tally[0] > 0 and self.tallies_hold(tally)]
        return min(costs, default=None)

    def starts(self):
        """Which tuples are suppressed to begin with: within the limit, at the cost of the top."""
        nothing = (0,) * 4
        result = {(0, nothing): Fraction(0)}
        if self.job.treatment == "keep":
            return self.kept_beyond_levels(result)
        for members in subsets(self.everything):
            rows = len(self.rows(members))
            if rows <= self.job.limit:
                result[members, nothing] = self.row_cost(self.tops) * rows
        return result

    def kept_beyond_levels(self, result):
        """Under keep the top is a box like any other, unless the level bounds exclude it: then
        suppressed rows are there, a class within the limit."""
        if self.tops in self.boxes():
            return result
        for members in subsets(self.everything):
            one = self.class_of(self.tops, members)
            if len(one.rows) <= self.job.limit and self.judge.class_holds(one):
                result[members, self.tally(one)] = self.row_cost(self.tops) * len(one.rows)
        return result

    def extended(self, states, choices):
        result = dict(states)
        for (placed, tally), cost in states.items():
            for members, class_cost, counted in choices:
                if placed & members:
                    continue
                key = (placed | members, added(tally, counted))
                if key not in result or cost + class_cost < result[key]:
                    result[key] = cost + class_cost
        return result

    def tally(self, one):
        """What table-level models count: classes, rows, and rows in classes that they mind."""
        if not self.table_models:
            return (1, 0, 0, 0)
        shares = [model for model in self.table_models if model["model"] == "risk-share"]
        above = shares and not models.at_most(Fraction(1, one.size), shares[0]["threshold"])
        return (1, one.size, one.size if above else 0, one.size if one.size == 1 else 0)

    def tallies_hold(self, tally):
        classes, rows, above, alone = tally
        for model in self.table_models:
            count = {"mean-risk": classes, "risk-share": above, "sample-uniqueness": alone}
            bound = model["share"] if model["model"] == "risk-share" else model["x"]
            if not models.at_most(Fraction(count[model["model"]], rows), bound):
                return False
        return True


def added(tally, counted):
    """Without table-level models it only matters whether there is a class at all."""
    if counted[1] == 0:
        return (1, 0, 0, 0)
    return tuple(a + b for a, b in zip(tally, counted))


def subsets(members):
    """All subsets but the empty one, as bits."""
    subset = members
    while subset:
        yield subset
        subset = (subset - 1) & members
