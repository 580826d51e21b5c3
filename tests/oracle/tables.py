"""Tables: a list of column names and rows of texts, and how they are written and read."""
import csv

from values import MISSING


class Table:
    def __init__(self, names, rows):
        self.names = list(names)
        self.rows = [list(row) for row in rows]

    def column(self, name):
        place = self.names.index(name)
        return [row[place] for row in self.rows]

    def columns(self, names):
        """One tuple of cells per row."""
        places = [self.names.index(name) for name in names]
        return [tuple(row[place] for place in places) for row in self.rows]

    def write(self, path):
        with open(path, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(self.names)
            writer.writerows(self.rows)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        lines = [line for line in csv.reader(file)]
    return Table(lines[0], [line if line else [""] for line in lines[1:]])


def number(text):
    """The number a cell reads as, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def in_order(values):
    """Values by rank: numbers by value if all are numbers, else bytewise; missing cells last."""
    if MISSING in values:
        return in_order([value for value in values if value != MISSING]) + [MISSING]
    if all(number(value) is not None for value in values):
        return sorted(values, key=lambda value: (number(value), value.encode()))
    return sorted(values, key=lambda value: value.encode())
