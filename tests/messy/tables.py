"""Reads tables and releases without the program, and judges releases by what they hold."""
import collections
import csv
import gzip
import io
import pathlib
import re

DELIMITERS = {"tab": "\t"}


class Table:
    def __init__(self, header, rows):
        self.header, self.rows = header, rows

    def column(self, name):
        at = self.header.index(name)
        return [row[at] if at < len(row) else "" for row in self.rows]


def text_of(path, encoding):
    data = pathlib.Path(path).read_bytes()
    if str(path).endswith(".gz"):
        data = gzip.decompress(data)
    return data.decode(encoding)


def read(path, how, encoding=None):
    """A delimited table; how: the `read` line of an expectation."""
    delimiter = how.get("delimiter", ",")
    text = text_of(path, encoding or how.get("encoding", "utf-8"))
    lines = list(csv.reader(io.StringIO(text, newline=""),
                            delimiter=DELIMITERS.get(delimiter, delimiter)))
    lines = [line for line in lines if line]
    if how.get("header") == "no":
        return Table(["column%d" % (i + 1) for i in range(len(lines[0]))], lines)
    if how.get("header") == "short":
        lines[0].insert(0, "")
    return Table(lines[0], lines[1:])


def share_alone(cells):
    """The share of the cells with a value that no other cell has."""
    counts = collections.Counter(cell for cell in cells if cell not in ("", "NA"))
    total = sum(counts.values())
    return sum(1 for n in counts.values() if n == 1) / total if total else 0


def smallest_class(release, columns, persons):
    """The fewest persons that share a released tuple, and that tuple."""
    classes = collections.defaultdict(set)
    cells = [release.column(name) for name in columns]
    for i in range(len(release.rows)):
        classes[tuple(column[i] for column in cells)].add(persons[i])
    tuple_, members = min(classes.items(), key=lambda item: len(item[1]))
    return len(members), tuple_


def number(text):
    try:
        return float(text)
    except ValueError:
        return None


def plain(text):
    """A cell without what loose reading may change: case, blanks, the look of numbers."""
    text = re.sub(r"[\s\u00a0\u202f']", "", text).casefold()
    if re.fullmatch(r"-?\d{1,3}(\.\d{3})+(,\d+)?|-?\d+,\d+", text):
        text = text.replace(".", "").replace(",", ".")
    value = number(text)
    return text if value is None else repr(value)


def covers(cell, value):
    """Whether a released cell can stand for a value; None: not judged here."""
    if cell in ("*", value):
        return True
    if number(cell) is not None and number(value) is not None:
        return number(cell) == number(value)
    mask = re.fullmatch(r"([^*]+)\*+", cell)
    if mask:
        return value.startswith(mask.group(1))
    band = re.fullmatch(r"(-?\d+)-(-?\d+)", cell)
    if band and number(value) is not None:
        return int(band.group(1)) <= number(value) <= int(band.group(2))
    half = re.fullmatch(r"(<|>=)(-?\d+)", cell)
    if half and number(value) is not None:
        return (number(value) < int(half.group(2))) == (half.group(1) == "<")
    return None


def holds_secret(release, secrets):
    """A released column that gives the secret values away, row by row, or None."""
    # A number may occur elsewhere by chance, but not in the same row again and again.
    long_ones = {s for s in secrets if len(s) >= 5 and number(s) is None}
    for name in release.header:
        cells = release.column(name)
        same = sum(1 for cell, secret in zip(cells, secrets) if secret and cell == secret)
        if len(set(secrets)) > 5 and same > max(4, len(cells) / 2):
            return name
        if any(cell in long_ones for cell in cells if cell):
            return name
        if any(secret in long_ones and secret in cell for cell, secret in zip(cells, secrets)):
            return name
    return None
