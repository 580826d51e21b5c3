"""Suppressed rows: the three treatments (docs/definitions.md#suppression, #rows-at-the-top)."""
import classes as grouping
import models


class Outcome:
    """What a recoding comes to: what each row is released as (None: left out), how many rows
    count as suppressed, and whether all models and the limit hold."""

    def __init__(self, released, suppressed, holds):
        self.released = released
        self.suppressed = suppressed
        self.holds = holds


class Judge:
    """Judges releases of one job. `released` has one tuple per row of the table."""

    def __init__(self, job):
        self.job = job
        self.tops = job.tops()
        self.around = job.around()
        self.persons = job.persons()
        self.sensitive = job.sensitive_values()
        self.class_wise = models.class_wise(job.models)

    def classes(self, released):
        return grouping.classes(released, self.persons, self.sensitive)

    def class_holds(self, one):
        return all(models.holds(model, one, self.around) for model in self.class_wise)

    def rows_at_top(self, released):
        return [row for row, cells in enumerate(released) if cells == self.tops]

    def judged(self, released):
        """The rows that models look at: under exempt not those at the top, unless all are."""
        at_top = self.rows_at_top(released)
        if self.job.treatment == "exempt" and len(at_top) < len(released):
            return [None if cells == self.tops else cells for cells in released]
        return released

    def suppressed(self, released):
        """How many rows of a release count as suppressed."""
        left_out = sum(cells is None for cells in released)
        at_top = len(self.rows_at_top(released))
        if self.job.treatment == "drop":
            return left_out
        return 0 if at_top == len(released) else at_top

    def release_holds(self, released):
        """Whether a finished release keeps its promise, the limit left aside."""
        judged = self.classes(self.judged(released))
        return len(judged) > 0 and models.all_hold(self.job.models, judged, self.around)

    def treated(self, recoded, limit=None):
        """Suppresses the classes that violate a model, as the treatment says."""
        limit = self.job.limit if limit is None else limit
        if self.job.treatment == "exempt" and set(recoded) == {self.tops}:
            return Outcome(recoded, 0, self.release_holds(recoded))  # the top node
        violating = {row for one in self.classes(recoded) if not self.class_holds(one)
                     for row in one.rows}
        if self.job.treatment == "drop":
            released = [None if row in violating else cells for row, cells in enumerate(recoded)]
            count = len(violating)
        else:
            released = [self.tops if row in violating else cells
                        for row, cells in enumerate(recoded)]
            count = self.complement(released, violating)
        holds = self.release_holds(released) and count <= limit
        return Outcome(released, count, holds)

    def complement(self, released, violating):
        """Complementary suppression, in place; how many rows the limit counts."""
        if self.job.treatment == "keep" and violating:
            while True:
                top = [one for one in self.classes(released) if one.released == self.tops][0]
                others = [one for one in self.classes(released) if one.released != self.tops]
                if self.class_holds(top) or not others:
                    break
                smallest = min(others, key=lambda one: (one.size, self.rank(one.released)))
                for row in smallest.rows:
                    released[row] = self.tops
                violating = violating | set(smallest.rows)
        return len(violating) if self.job.treatment == "keep" else len(self.rows_at_top(released))

    def rank(self, cells):
        return [self.job.hierarchies[name].rank(label)
                for name, label in zip(self.job.qi, cells)]
