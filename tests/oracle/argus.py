"""mu-Argus step by step (docs/definitions.md#mu-argus; figures 11 and 12 of the paper)."""
import itertools

from fulldomain import recoded


class Argus:
    """identification: column -> 1 most, 2 more, 3 identifying. generalize: further levels that
    the holder asks for. combinations: sizes, "published" or "all"."""

    def __init__(self, job, identification, generalize, combinations):
        self.job = job
        self.k = job.smallest_k()
        self.identification = identification
        self.generalize = generalize
        self.tops = job.tops()
        self.persons = job.persons() or list(range(job.rows))
        self.levels = self.common_levels()
        self.rows = recoded(job, self.levels)
        self.whole = combinations == "all"
        width = range(len(job.qi))
        if combinations == "published":
            self.combinations = [c for size in (2, 3) for c in itertools.combinations(width, size)
                                 if self.published(c)]
        else:
            sizes = range(1, len(job.qi) + 1) if combinations == "all" else combinations
            self.combinations = [c for size in sizes for c in itertools.combinations(width, size)]
        self.outliers = [self.outliers_of(row) for row in self.rows]

    def common(self, cells):
        """How many persons have each."""
        found = {}
        for cell, person in zip(cells, self.persons):
            found.setdefault(cell, set()).add(person)
        return {cell: len(persons) for cell, persons in found.items()}

    def common_levels(self):
        levels = []
        for place, name in enumerate(self.job.qi):
            least, highest = self.job.bounds(name)
            tree, level = self.job.hierarchies[name], least
            column = [row[place] for row in self.job.tuples()]
            while level < highest:
                counts = self.common([tree.at(cell, level) for cell in column])
                if min(counts.values()) >= self.k:
                    break
                level += 1
            levels.append(min(level + self.generalize.get(name, 0), highest))
        return levels

    def published(self, combination):
        kinds = "".join(sorted({1: "t", 2: "o", 3: "i"}[self.identification.get(
            self.job.qi[place], 2)] for place in combination))
        several = sum(self.identification.get(name, 2) == 3 for name in self.job.qi) >= 2
        always = ["iot", "itt", "ttt", "io", "it", "ot", "tt"]
        return kinds in always or several and kinds in ["oot", "ott", "oo"]

    def outliers_of(self, row):
        """The combinations on which the row's values together are rarer than k."""
        found = []
        for combination in self.combinations:
            values = [tuple(other[place] for place in combination) for other in self.rows]
            if self.common(values)[tuple(row[place] for place in combination)] < self.k:
                found.append(set(combination))
        return found

    def choice(self, cells, outliers):
        """The live cell in most outliers; ties: more identifying, then the order of the columns."""
        live = [place for place in range(len(cells)) if cells[place] != self.tops[place]]
        return min(live, default=None, key=lambda place: (
            -sum(place in outlier for outlier in outliers),
            self.identification.get(self.job.qi[place], 2), place))

    def suppressed(self):
        """Every row without the cells of its outliers."""
        result = []
        for row, outliers in zip(self.rows, self.outliers):
            cells, left = list(row), list(outliers)
            while left:
                place = self.choice(cells, left)
                if place is None or not any(place in outlier for outlier in left):
                    break
                cells[place] = self.tops[place]
                left = [outlier for outlier in left if place not in outlier]
            result.append(tuple(cells))
        return result

    def rounds(self):
        """`all`: until only rows without cells are in classes below k."""
        released = self.suppressed()
        while True:
            counts = self.common(released)
            rare = [row for row, cells in enumerate(released)
                    if counts[cells] < self.k and cells != self.tops]
            if not rare:
                return released
            before = released[:]
            for row in rare:
                cells = list(before[row])
                place = self.choice(cells, self.outliers[row])
                cells[place] = self.tops[place]
                released[row] = tuple(cells)

    def unsafe(self, cells):
        """What a result tells of a table: the combinations whose values, none of them suppressed,
        fewer than k persons share; by columns, and by distinct tuples. With "all" only those of
        which no part is unsafe. None: the row is not there."""
        rare = {}
        live = [p for p in range(len(self.job.qi)) if any(r[p] != self.tops[p] for r in self.rows)]
        for combination in {tuple(p for p in c if p in live) for c in self.combinations} - {()}:
            sharing = {}
            for row, cell in enumerate(cells):
                if cell is not None and all(cell[p] != self.tops[p] for p in combination):
                    sharing.setdefault(tuple(cell[p] for p in combination), []).append(row)
            for values, rows in sharing.items():
                if len({self.persons[row] for row in rows}) < self.k:
                    rare[combination, values] = rows
        if self.whole:
            rare = {(c, v): rows for (c, v), rows in rare.items()
                    if not any(set(part) < set(c) and
                               (part, tuple(v[c.index(p)] for p in part)) in rare
                               for size in range(1, len(c))
                               for part in itertools.combinations(c, size))}
        name = lambda combination: tuple(self.job.qi[p] for p in combination)
        columns, tuples = {}, {}
        for (combination, _), rows in rare.items():
            values, n = columns.get(name(combination), (0, 0))
            columns[name(combination)] = (values + 1, n + len(rows))
            for row in rows:
                tuples.setdefault(cells[row], (set(), set()))
                tuples[cells[row]][0].add(name(combination))
                tuples[cells[row]][1].add(row)
        return {"values": len(rare), "rows": len({r for rows in rare.values() for r in rows}),
                "combinations": columns,
                "tuples": sorted((len(rows), sorted(outliers)) for outliers, rows in
                                 tuples.values())}
