"""Local suppression where a suppressed cell matches every value: a simple greedy that looks at
all rows again after each cell. How few cells are enough is not known; a search that needs more
than this one is no good."""

GONE = "*"


def matches(a, b):
    return all(x == y or x == GONE or y == GONE for x, y in zip(a, b))


def matching(rows, one):
    return sum(matches(row, one) for row in rows)


def suppressed(rows, k):
    """How many cells the greedy suppresses until each row matches k rows."""
    rows, cells = [list(row) for row in rows], 0
    while True:
        counts = [matching(rows, row) for row in rows]
        fewest = min(counts)
        if fewest >= k:
            return cells
        row = rows[counts.index(fewest)]
        row[best_place(rows, row)] = GONE
        cells += 1


def best_place(rows, row):
    """The cell without which the row matches most rows; the first of equally good ones."""
    gains = []
    for place, cell in enumerate(row):
        if cell != GONE:
            without = row[:place] + [GONE] + row[place + 1:]
            gains.append((-matching(rows, without), place))
    return min(gains)[1]
