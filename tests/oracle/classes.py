"""Classes of a release: rows with equal quasi-identifier cells, and whom they count."""


class Class:
    """One class: its released tuple, the numbers of its rows, and what models count of them."""

    def __init__(self, released, rows, persons, sensitive):
        self.released = released
        self.rows = rows
        self.size = len({persons[row] for row in rows}) if persons else len(rows)
        self.counts = {
            name: counted(rows, values, persons) for name, values in sensitive.items()
        }


def counted(rows, values, persons=None):
    """How many rows (persons) have each value. A person with two values counts for both."""
    seen = set()
    counts = {}
    for row in rows:
        value = values[row]
        if persons is not None:
            if (persons[row], value) in seen:
                continue
            seen.add((persons[row], value))
        counts[value] = counts.get(value, 0) + 1
    return counts


def grouped(released):
    """Row numbers by released tuple; rows that are left out (None) are in no class."""
    groups = {}
    for row, cells in enumerate(released):
        if cells is not None:
            groups.setdefault(cells, []).append(row)
    return groups


def classes(released, persons, sensitive):
    return [Class(cells, rows, persons, sensitive) for cells, rows in grouped(released).items()]
