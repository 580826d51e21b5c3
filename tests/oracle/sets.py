"""Several quasi-identifiers: each must hold on its own projection (docs/definitions.md#holding)."""
import math
from fractions import Fraction

import models
from classes import classes
from fulldomain import Lattice
from suppression import Judge, Outcome


class SetsJudge(Judge):
    """Rows of classes that violate a model on a projection are suppressed, set by set in their
    order, again and again, since what is left of other classes may violate then."""

    def __init__(self, job):
        super().__init__(job)
        self.places = [[job.qi.index(name) for name in columns] for columns in job.sets]

    def k_of(self, columns, k):
        """max(2, ceil(k * largest likelihood)), at most k."""
        likelihood = max(Fraction(str(self.job.likelihood.get(name, 1))) for name in columns)
        return min(k, max(2, math.ceil(k * likelihood)))

    def demands(self, columns):
        return [dict(model, k=self.k_of(columns, model["k"]))
                if model["model"] == "k-anonymity" else model for model in self.job.models]

    def projected(self, released, places):
        cells = [None if row is None else tuple(row[place] for place in places)
                 for row in released]
        return classes(cells, self.persons, self.sensitive)

    def violating(self, released, columns, places):
        demanded = models.class_wise(self.demands(columns))
        return {row for one in self.projected(released, places)
                if not all(models.holds(model, one, self.around) for model in demanded)
                for row in one.rows}

    def release_holds(self, released):
        judged = self.judged(released)
        if all(cells is None for cells in judged):
            return False
        return all(models.all_hold(self.demands(columns), self.projected(judged, places),
                                   self.around)
                   for columns, places in zip(self.job.sets, self.places))

    def treated(self, recoded, limit=None):
        """Under drop and exempt; what keep adds to a class at the top is not defined by row."""
        limit = self.job.limit if limit is None else limit
        gone, before = set(), None
        while gone != before:
            before = set(gone)
            for columns, places in zip(self.job.sets, self.places):
                left = [None if row in gone else cells for row, cells in enumerate(recoded)]
                gone |= self.violating(left, columns, places)
        dropped = None if self.job.treatment == "drop" else self.tops
        released = [dropped if row in gone else cells for row, cells in enumerate(recoded)]
        count = len(gone)
        if self.job.treatment == "exempt" and count:
            count = len(self.rows_at_top(released))
        return Outcome(released, count, self.release_holds(released) and count <= limit)


class SetsLattice(Lattice):
    judge_type = SetsJudge
