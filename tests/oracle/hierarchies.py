"""Hierarchies of values: levels, labels, leaves, tops (docs/definitions.md#hierarchies)."""
from fractions import Fraction

from tables import in_order


class Hierarchy:
    """Paths from each ground value to the top, `missing` among them if it occurs.

    lines: one list per ground value, level 0 first, all equally long, at least two levels,
    the last level a single value (`completed` makes them so). `option` is what is typed
    behind --hierarchy COLUMN=; a hierarchy from a file has the name of the file there."""

    def __init__(self, lines, missing=None):
        self.height = len(lines[0]) - 1
        self.top = lines[0][-1]
        self.missing = missing
        if missing is not None:
            lines = [list(line) for line in lines] + [[missing] * self.height + [self.top]]
        self.given = lines
        self.order = [line[0] for line in lines]
        self.paths = {line[0]: tuple(line) for line in told_apart(lines)}
        self.repeats = any(self.paths[line[0]] != tuple(line) for line in lines)
        self.read = lambda cell, level: cell  # of a release whose cells have this level

    def at(self, ground, level):
        return self.paths[ground][level]

    def level(self, label):
        """The lowest level that carries the label."""
        if label == self.missing:
            return 0
        return min(path.index(label) for path in self.paths.values() if label in path)

    def leaves(self, label):
        """All ground values that can be released as the label."""
        return [ground for ground in self.order if label in self.paths[ground]]

    def covers(self, label, ground):
        return label in self.paths[ground]

    def loss(self, label):
        """The share of the other leaves that a cell can be as well."""
        if len(self.order) == 1:
            return Fraction(0)
        return Fraction(len(self.leaves(label)) - 1, len(self.order) - 1)

    def within(self, original, label, least, highest):
        """Whether the label is what the original becomes on one of these levels."""
        return label in self.paths[original][least:highest + 1]

    def reaches_top(self, least, highest):
        """Whether all values read as the top on one of these levels."""
        return any(all(path[level] == self.top for path in self.paths.values())
                   for level in range(least, highest + 1))

    def labels(self):
        return {label for path in self.paths.values() for label in path}

    def rank(self, label):
        """Labels are ordered by their first leaf."""
        return min(self.order.index(leaf) for leaf in self.leaves(label))


def told_apart(lines):
    """A label that stands for other values on a higher level has that level behind it there, unless
    the level below has it with the same values. The top keeps its label."""
    names, cover = {}, {}
    for level in range(len(lines[0])):
        for label in dict.fromkeys(line[level] for line in lines):
            leaves = frozenset(line[0] for line in lines if line[level] == label)
            lowest = cover.setdefault(label, leaves)
            below = names.get((level - 1, label, leaves))
            same = lowest == leaves or level == len(lines[0]) - 1
            names[level, label, leaves] = label if same else below or f"{label} (LEVEL {level})"
    return [[next(name for (at, label, leaves), name in names.items()
                  if (at, label) == (level, line[level]) and line[0] in leaves)
             for level in range(len(line))] for line in lines]


def by_level(tree):
    """The hierarchy as methods with one level per column read it, if labels stand on several levels:
    those above the ground have their level behind them. Releases are read so, too (shown_at)."""
    if not tree.repeats:
        return tree
    lines = [[label if level in (0, tree.height) else f"{label} (LEVEL {level})"
              for level, label in enumerate(line)] for line in tree.given]
    made = Hierarchy(lines)
    made.missing, made.given, made.repeats = tree.missing, tree.given, True
    made.option, made.lines = tree.option, tree.lines
    made.read = lambda cell, level: cell if level == 0 or cell == made.top else f"{cell} (LEVEL {level})"
    return made


def completed(lines):
    """Lines with `*` added where the last level is not a single value, or the only level."""
    if len(lines[0]) == 1 or len({line[-1] for line in lines}) > 1:
        return [list(line) + ["*"] for line in lines]
    return [list(line) for line in lines]


def valid(lines):
    """Each level a function of the one below; a label on several levels covers the same leaves."""
    cover = {}
    for level in range(len(lines[0])):
        if level > 0:
            parents = {}
            for line in lines:
                if parents.setdefault(line[level - 1], line[level]) != line[level]:
                    return False
        for label in {line[level] for line in lines}:
            leaves = frozenset(line[0] for line in lines if line[level] == label)
            if cover.setdefault(label, leaves) != leaves:
                return False
    return True


def write(path, lines, delimiter=";"):
    with open(path, "w", encoding="utf-8") as file:
        for line in lines:
            file.write(delimiter.join(line) + "\n")


# ---- What the builders make of the values of a column ----------------------------------


def built(values, labels_of):
    """labels_of(value) gives the labels between the value and `*`."""
    return [[value, *labels_of(value), "*"] for value in in_order(values)]


def suppress(values):
    return built(values, lambda value: [])


def mask_right(values, levels=None):
    longest = max(len(value) for value in values)
    if levels is None:
        levels = longest - 1

    def labels(value):
        return [mask_characters(value, count) for count in range(1, levels + 1)]

    return built(values, labels)


def mask_characters(value, count):
    kept = max(len(value) - count, 0)
    return value[:kept] + "*" * (len(value) - kept)


def intervals(values, widths):
    def labels(value):
        result = []
        for width in widths:
            low = (int(value) // width) * width
            result.append(f"{low}-{low + width - 1}")
        return result

    return built(values, labels)


def cuts(values, bounds):
    def label(value):
        if int(value) < bounds[0]:
            return f"<{bounds[0]}"
        if int(value) >= bounds[-1]:
            return f">={bounds[-1]}"
        for low, high in zip(bounds, bounds[1:]):
            if low <= int(value) < high:
                return f"{low}-{high - 1}"

    return built(values, lambda value: [label(value)])

def dates(values, steps):
    """Months, years and runs of years of dates such as 1965-09-13."""
    def label(value, step):
        if step == "month":
            return value[:7]
        if step == "year":
            return value[:4]
        first = int(value[:4]) // int(step[:-1]) * int(step[:-1])
        return f"{first}-{first + int(step[:-1]) - 1}"

    return built(values, lambda value: [label(value, step) for step in steps])


class Ranges:
    """A column of whole numbers without a hierarchy: released as numbers and ranges of them."""

    height, top, option = 1, "*", "ranges"

    def __init__(self, cells, missing):
        self.missing = missing if missing in cells else None
        self.order = in_order(set(cells) - {missing}) + [missing] * (self.missing is not None)
        numbers = [int(cell) for cell in self.order if cell != missing]
        self.least, self.most = min(numbers, default=0), max(numbers, default=0)

    def level(self, label):
        """A range has none."""
        if label in self.order:
            return 0
        return 1 if label == self.top else None

    def reaches_top(self, least, highest):
        return highest >= self.height

    def ends(self, label):
        low, _, high = label.partition("-")
        return int(low), int(high or low)

    def covers(self, label, ground):
        if label == self.top or label == ground:
            return True
        if self.missing in (label, ground) and self.missing is not None:
            return False
        low, high = self.ends(label)
        return low <= int(ground) <= high

    def leaves(self, label):
        return [ground for ground in self.order if self.covers(label, ground)]

    def loss(self, label):
        if label == self.missing or len(self.order) == 1:
            return Fraction(0)
        if label == self.top:
            return Fraction(1)
        if self.least == self.most:
            return Fraction(0)
        low, high = self.ends(label)
        return Fraction(high - low, self.most - self.least)

    def within(self, original, label, least, highest):
        return self.covers(label, original)
