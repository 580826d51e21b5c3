"""A job: a table, roles, hierarchies, models, and how suppressed rows are treated."""
from fractions import Fraction

import classes as grouping
import models
import values


class Job:
    """All that a definition needs. Quasi-identifier cells are ground values: a missing cell is
    the first token of --missing, whatever token it has in the file."""

    def __init__(self, table, qi, hierarchies, **rest):
        self.table = table
        self.qi = list(qi)
        self.hierarchies = hierarchies  # column -> Hierarchy
        self.sensitive = []
        self.insensitive = []
        self.identifier = []
        self.entity = None
        self.sets = None  # several quasi-identifiers: lists of columns
        self.models = []
        self.trees = {}
        self.protected = {}
        self.population = None  # Table
        self.treatment = "keep"
        self.limit = 0
        self.levels = {}  # column -> (least, highest)
        self.weights = {}
        self.preference = {}  # of Datafly
        self.likelihood = {}
        self.missing = ["", "NA"]
        self.spelling = "folded"
        self.missing_sensitive = "none"
        self.kinds = {}  # sensitive column -> what its values are
        self.method = "mingen"
        self.measure = "precision"
        self.prefer = []
        self.label = None  # column of classification
        self.__dict__.update(rest)

    @property
    def rows(self):
        return len(self.table.rows)

    def ground(self, cell):
        return self.missing[0] if cell in self.missing else cell

    def tuples(self, table=None):
        cells = (table or self.table).columns(self.qi)
        return [tuple(self.ground(cell) for cell in row) for row in cells]

    def tops(self):
        return tuple(self.hierarchies[name].top for name in self.qi)

    def persons(self):
        return self.table.column(self.entity) if self.entity else None

    def sensitive_values(self):
        return {name: values.values(self.table.column(name), self.missing, self.spelling,
                                    self.kinds.get(name))
                for name in self.sensitive}

    def smallest_k(self):
        """The k of the job: what -k says, or what p-sensitivity implies without it."""
        for key in ("k", "p"):
            given = [model[key] for model in self.models
                     if model["model"] in ("k-anonymity", "p-sensitive", "extended-p-sensitive")
                     and key in model]
            if given:
                return max(given)
        return None

    def around(self, whole_rows=None):
        rows = range(self.rows) if whole_rows is None else whole_rows
        persons = self.persons()
        whole = {name: grouping.counted(rows, values, persons)
                 for name, values in self.sensitive_values().items()}
        k_given = any(model["model"] == "k-anonymity" for model in self.models)
        return models.Surroundings(whole, self.trees, self.protected, self.matching, k_given,
                                   self.missing_sensitive == "none")

    def matching(self, released):
        """Rows of the population that a released tuple can stand for."""
        count = 0
        for cells in self.tuples(self.population):
            if all(self.hierarchies[name].covers(label, cell)
                   for name, label, cell in zip(self.qi, released, cells)):
                count += 1
        return count

    def bounds(self, name):
        return self.levels.get(name, (0, self.hierarchies[name].height))


def excludes_top(job):
    """Where level bounds exclude the top node a row at the top is a suppressed row."""
    return any(not tree.reaches_top(*job.bounds(name)) for name, tree in job.hierarchies.items())


def limit_of(text, rows):
    """A number of rows, or a share: floor, in exact decimal arithmetic."""
    if text.endswith("%"):
        return int(Fraction(text[:-1]) * rows / 100)
    return int(text)
