"""Perturbed columns (docs/definitions.md#perturbations): random numbers by a key, noise, swapping,
PRAM and shuffling, each for all rows of a column. A missing cell is None."""
import hashlib
import hmac
import math
import struct
from datetime import date
from decimal import Decimal


# ---- Random numbers (docs/definitions.md#random-numbers-of-perturbations) --------------------------

def keyed(key, purpose, text):
    return hmac.new(key, (purpose + text).encode(), hashlib.sha256).digest()


def rotate(x, by):
    return (x << by | x >> 32 - by) & 0xffffffff


def block(key, number):
    start = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, *struct.unpack("<8I", key),
             number & 0xffffffff, number >> 32, 0, 0]
    x = list(start)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            for at, more, to, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[at] = (x[at] + x[more]) & 0xffffffff
                x[to] = rotate(x[to] ^ x[at], by)
    return [(one + other) & 0xffffffff for one, other in zip(x, start)]


class Stream:
    """ChaCha20 with the key's HMAC of a purpose, a column and what else they depend on for a key."""

    def __init__(self, key, purpose, column, about):
        self.key, self.number, self.words = keyed(key, purpose, f"{column}\0{about}"), 0, []

    def word(self):
        if not self.words:
            self.words = block(self.key, self.number)
            self.number += 1
        return self.words.pop(0)

    def double(self):
        low = self.word()
        return low | self.word() << 32

    def below(self, limit):
        while True:
            x = self.double()
            if x >= 2 ** 64 % limit:
                return x % limit

    def below_32(self, limit):
        while True:
            product = self.word() * limit
            if product % 2 ** 32 >= 2 ** 32 % limit:
                return product >> 32

    def permute(self, numbers):
        for i in range(len(numbers), 1, -1):
            j = self.below_32(i)
            numbers[i - 1], numbers[j] = numbers[j], numbers[i - 1]


def spelled(cell):
    """Numbers are the same however they are written."""
    try:
        return plain(Decimal(cell))
    except ArithmeticError:
        return cell


def about(share, columns):
    """What random numbers depend on beside key, purpose and column: the share, and all cells."""
    cells = "".join(f"{name}\0" + "".join(spelled(cell or "") + "\0" for cell in columns[name])
                    for name in sorted(columns, key=str.encode))
    return f"{share:.6g} {hashlib.sha256(cells.encode()).hexdigest()}"


def draws(key, purpose, column, cells, persons, what):
    """Two numbers of 64 bits for each row."""
    stream = Stream(key, purpose, column, what)
    for row, cell in enumerate(cells):
        if persons is None:
            yield stream.double(), stream.double()
        else:
            made = keyed(key, purpose, f"{column}\0{what}\0{persons[row]}\0{cell or ''}")
            yield struct.unpack("<2Q", made[:16])


def unit(x):
    return (x >> 11) / 2 ** 53


def normal(pair):
    size = math.sqrt(-2 * math.log(((pair[0] >> 11) + 1) / 2 ** 53))
    return size * math.cos(2 * math.pi * unit(pair[1]))


# ---- Rows that take part ---------------------------------------------------------------------------

def place(cell):
    try:
        return float(cell)
    except ValueError:
        return float(date.fromisoformat(cell).toordinal())


def groups(stream, cells, ordered, within=None):
    """The rows of each group, by value and then at random; groups as they begin in the table.
    within: {column: cells}"""
    keys = [tuple(column[row] for column in within.values()) if within else 0 for row in range(len(cells))]
    numbers = {}
    for key in keys:
        numbers.setdefault(key, len(numbers))
    found = [[] for _ in numbers]
    for row, cell in enumerate(cells):
        drawn = stream.double()
        if cell is not None:
            found[numbers[keys[row]]].append((place(cell) if ordered else 0, drawn, row))
    return [[row for *_, row in sorted(one)] for one in found]


# ---- Noise -----------------------------------------------------------------------------------------

def numbers_of(cells):
    return [None if cell is None else float(cell) for cell in cells]


def factors(columns, own, share):
    """What independent numbers of the columns, by name, are multiplied by: a row of the Cholesky
    triangle of their covariance over complete rows, times the share, in six digits."""
    names = sorted(columns, key=str.encode)
    rows = [row for row in zip(*(numbers_of(columns[name]) for name in names)) if None not in row]
    means = [math.fsum(column) / len(rows) for column in zip(*rows)]
    covariance = [[math.fsum((row[i] - means[i]) * (row[j] - means[j]) for row in rows) / len(rows)
                   for j in range(len(names))] for i in range(len(names))]
    lower = [[0.0] * len(names) for _ in names]
    for i in range(len(names)):
        for j in range(i + 1):
            rest = covariance[i][j] - math.fsum(lower[i][m] * lower[j][m] for m in range(j))
            if i == j:
                lower[i][i] = math.sqrt(rest) if rest > 1e-12 * covariance[i][i] else 0.0
            else:
                lower[i][j] = rest / lower[j][j] if lower[j][j] else 0.0
    return {name: float(f"{share * lower[names.index(own)][j]:.6g}")
            for j, name in enumerate(names)}


def plain(number):
    text = format(number.normalize(), "f")
    return "0" if text in ("-0", "") else text


def noise(key, columns, own, share, persons=None):
    cells = columns[own]
    sums = [0.0] * len(cells)
    sizes = factors(columns, own, share)
    what = about(share, columns) if persons is None else f"{sizes[own]:.6g}"
    for name, factor in sizes.items():
        if factor:
            for row, pair in enumerate(draws(key, "noise:", name, cells, persons, what)):
                sums[row] += factor * normal(pair)
    scale = max(-min(0, Decimal(cell).normalize().as_tuple().exponent)
                for cell in cells if cell is not None)
    return [None if cell is None else
            plain(Decimal(cell) + Decimal(math.floor(more * 10 ** scale + 0.5)).scaleb(-scale))
            for cell, more in zip(cells, sums)]


# ---- Exchanging values -----------------------------------------------------------------------------

def partner(stream, paired, at, window):
    reach = min(window, len(paired) - 1 - at)
    for _ in range(64 if reach else 0):
        other = at + 1 + stream.below(reach)
        if not paired[other]:
            return other
    left = [other for other in range(at + 1, at + reach + 1) if not paired[other]]
    return left[stream.below(len(left))] if left else None


def swap(key, column, cells, share, within=None):
    stream = Stream(key, "swap:", column, about(share, {column: cells, **(within or {})}))
    out = list(cells)
    for rows in groups(stream, cells, True, within):
        window, paired = int(share * len(rows) + 1e-9), [False] * len(rows)
        for at in range(len(rows)):
            other = None if paired[at] else partner(stream, paired, at, window)
            if other is not None:
                paired[at] = paired[other] = True
                out[rows[at]], out[rows[other]] = cells[rows[other]], cells[rows[at]]
    return out


def shuffle(key, column, cells, within=None):
    stream = Stream(key, "shuffle:", column, about(0, {column: cells, **(within or {})}))
    out = list(cells)
    for rows in groups(stream, cells, False, within):
        order = list(range(len(rows)))
        stream.permute(order)
        for row, at in zip(rows, order):
            out[row] = cells[rows[at]]
    return out


def mean_ranks(values):
    """Around 0; of what is missing 0."""
    known = sorted(value for value in values if value is not None)
    middle = (len(known) - 1) / 2
    return [0.0 if value is None else
            known.index(value) + (known.count(value) - 1) / 2 - middle for value in values]


def fitted(given, ranks):
    """Least squares by Gram-Schmidt: the part of the ranks that lies in the span of the others."""
    basis = []
    for column in given:
        rest = list(column)
        for other in basis:
            times = math.fsum(a * b for a, b in zip(rest, other))
            rest = [a - times * b for a, b in zip(rest, other)]
        size = math.sqrt(math.fsum(a * a for a in rest))
        if size * size > 1e-9 * math.fsum(a * a for a in column):
            basis.append([a / size for a in rest])
    out = [0.0] * len(ranks)
    for other in basis:
        times = math.fsum(a * b for a, b in zip(ranks, other))
        out = [a + times * b for a, b in zip(out, other)]
    return out


def shuffle_given(key, column, cells, given):
    """given: {column: cells}, of numbers"""
    stream, out = Stream(key, "shuffle:", column, about(0, {column: cells, **given})), list(cells)
    rows, = groups(stream, cells, True)
    ranks = mean_ranks([place(cells[row]) for row in rows])
    others = [numbers_of(one) for one in given.values()]
    fit = fitted([mean_ranks([one[row] for row in rows]) for one in others], ranks)
    order = list(range(len(rows)))
    stream.permute(order)
    targets = [math.floor((fit[i] + ranks[order[i]] - fit[order[i]]) * 2 ** 20 + 0.5)
               for i in range(len(rows))]
    for n, i in enumerate(sorted(range(len(rows)), key=lambda i: (targets[i], i))):
        out[rows[i]] = cells[rows[n]]
    return out


# ---- PRAM ------------------------------------------------------------------------------------------

def pram(key, column, cells, share, within=None, persons=None):
    what = f"{share:.6g}" if persons else about(share, {column: cells, **(within or {})})
    drawn, out = list(draws(key, "pram:", column, cells, persons, what)), list(cells)
    for rows in groups(Stream(key, "pram order:", column, what), cells, False, within):
        for row in rows:
            if unit(drawn[row][0]) >= share:
                out[row] = cells[rows[int(unit(drawn[row][1]) * len(rows))]]
    return out


def choose(weights, share):
    whole, passed = sum(weights), 0.0
    for at, weight in enumerate(weights):
        passed += weight
        if weight > 0 and passed > share * whole:
            return at
    return max(at for at, weight in enumerate(weights) if weight > 0)


def pram_matrix(key, column, cells, values, chances, within=None, persons=None):
    """chances: {value: {value: chance}}; values: their order."""
    what = "0" if persons else about(0, {column: cells, **(within or {})})
    drawn, out = list(draws(key, "pram:", column, cells, persons, what)), list(cells)
    for rows in groups(Stream(key, "pram order:", column, what), cells, False, within):
        counts = {value: sum(cells[row] == value for row in rows) for value in values}
        for row in rows:
            there = values[choose([chances[cells[row]][v] for v in values], unit(drawn[row][0]))]
            back = [counts[v] * chances[v][there] for v in values]
            out[row] = values[choose(back, unit(drawn[row][1]))]
    return out


def invariant(counts, chances):
    """The matrix that PRAM has in the end, of exact chances: counts times it are the counts."""
    values = list(counts)
    column = {k: sum(counts[i] * chances[i][k] for i in values) for k in values}
    return {i: {j: sum(chances[i][k] * counts[j] * chances[j][k] / column[k] for k in values
                       if column[k]) for j in values} for i in values}
