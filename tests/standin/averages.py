"""MDAV row by row, as docs/methods.md tells it, for numbers of which no two rows are equal."""
import math


def variance(values):
    mean = sum(values) / len(values)
    return sum((value - mean) ** 2 for value in values) / len(values)


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def center(rows):
    return [sum(column) / len(rows) for column in zip(*rows)]


def take_around(rows, middle, k):
    """The k rows nearest to the middle; they leave the list."""
    near = sorted(rows, key=lambda row: distance(row, middle))[:k]
    for row in near:
        rows.remove(row)
    return near


def farthest(rows, point):
    return max(rows, key=lambda row: distance(row, point))


def groups(rows, k):
    left, found = list(rows), []
    while len(left) >= 2 * k:
        first = farthest(left, center(left))
        found.append(take_around(left, first, k))
        if len(left) >= 2 * k:
            found.append(take_around(left, farthest(left, first), k))
    if left and len(left) < k:
        raise ValueError("fewer rows than a group are left")
    return found + [left] * bool(left)


def lost(table, k):
    """SSE/SST, and IL1s, of the means of the groups."""
    scales = [math.sqrt(variance(column)) for column in zip(*table)]
    rows = [tuple(value / scale for value, scale in zip(row, scales)) for row in table]
    sse, il1s = 0, 0
    for group in groups(rows, k):
        mean = center(group)
        sse += sum(distance(row, mean) for row in group)
        # The standard deviation of the sample is larger than that of the population.
        il1s += sum(abs(x - m) for row in group for x, m in zip(row, mean))
    sample = math.sqrt((len(rows) - 1) / len(rows))
    return sse / (len(rows) * len(scales)), il1s * sample / math.sqrt(2)
