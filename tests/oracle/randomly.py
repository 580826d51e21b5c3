"""Random tables, hierarchies, models and jobs: tiny ones, with the odd things that files have."""
import unicodedata
from fractions import Fraction

import hierarchies
from hierarchies import Hierarchy
from job import Job, limit_of
from tables import Table

WORDS = ["ash", "beech", "cedar", "elm", "fir", "holly", "larch", "maple", "oak", "pine"]
KINDS = ["file", "file", "file", "suppress", "mask", "intervals", "cuts", "dates"]
TOKEN_LABELS = 0.1  # how often a label reads like a token for missing cells
TOKENS = [["", "NA"], ["NA", ""], ["?"], ["unknown", "?", "-"], ["-9", "", "NA"]]


def job(rng, **wishes):
    """A random job. Wishes: rows, columns, nodes (most), and anything that a Job has."""
    rows = wishes.pop("rows", None) or rng.choice([1, 2, 3, 5, 8, 8, 12, 12, 16, 20, 30, 40])
    most_columns = wishes.pop("columns", 4)
    most_nodes = wishes.pop("nodes", 48)
    missing = rng.choice(TOKENS)
    wild = wishes.pop("wild", True)
    kinds = [rng.choice(KINDS) for _ in range(rng.randint(1, most_columns))]
    columns = [column(rng, rows, missing, kind) for kind in kinds]
    if rng.random() < 0.3:
        repeat_rows(rng, columns)
    names, made, nodes = [], {}, 1
    for name, kind, cells in zip("abcd", kinds, columns):
        tree = hierarchy(rng, kind, cells, missing, wild)
        if not names or nodes * (tree.height + 1) <= most_nodes:
            nodes *= tree.height + 1
            names.append(name)
            made[name] = tree
    columns = [columns["abcd".index(name)] for name in names]
    sensitive = rng.choice([[], ["s"], ["s"], ["s", "t"]])
    spells = {name: rng.random() < 0.4 for name in sensitive}
    others, numbers = {}, {}
    for name in sensitive:
        others[name], numbers[name] = sensitive_column(rng, rows, missing, spells[name])
    table = Table(["rid", *names, *sensitive, "name"],
                  [[f"r{row}", *(cells[row] for cells in columns),
                    *(others[name][row] for name in sensitive), f"n{row}"]
                   for row in range(rows)])
    order = names[:]
    if rng.random() < 0.5:
        rng.shuffle(order)
    result = Job(table, order, made, sensitive=sensitive, insensitive=["rid"],
                 identifier=["name"], missing=missing,
                 spelling=rng.choice(["folded"] * 4 + ["exact"]),
                 missing_sensitive=rng.choice(["none"] * 3 + ["value"]),
                 kinds={name: rng.choice(["number", "number", "nominal"]) for name in sensitive
                        if numbers[name] and rng.random() < 0.5})
    limit(rng, result)
    bounds(rng, result)
    result.__dict__.update(wishes)
    return result


def has_token_labels(job):
    return any(set(tree.labels()) & set(job.missing[1:]) for tree in job.hierarchies.values())


def repeat_rows(rng, columns):
    """Equal tuples are what classes are made of: copy some rows over others."""
    rows = len(columns[0])
    for _ in range(rows // 2):
        source, target = rng.randrange(rows), rng.randrange(rows)
        for cells in columns:
            cells[target] = cells[source]


def column(rng, rows, missing, kind):
    """Random cells, some of them missing."""
    if kind in ("file", "suppress"):
        domain = rng.sample(WORDS, rng.randint(1, 6))
    elif kind == "mask":
        domain = [f"0{rng.choice('12')}{rng.choice('3478')}" for _ in range(5)]
    elif kind == "dates":
        years = [1964, 1965, 1968, 1971]
        domain = [f"{rng.choice(years)}-0{rng.randint(1, 3)}-1{rng.randint(0, 2)}"
                  for _ in range(6)]
    else:
        domain = [str(rng.randint(0, 24)) for _ in range(rng.randint(1, 7))]
    cells = [rng.choice(domain) for _ in range(rows)]
    if rng.random() < 0.3:
        cells = [rng.choice(missing) if rng.random() < 0.2 else cell for cell in cells]
    return cells


def hierarchy(rng, kind, cells, missing, wild):
    """A hierarchy for the cells: `option` is what is typed behind --hierarchy COLUMN= (None: a
    file), `lines` what the file has."""
    values = sorted({cell for cell in cells if cell not in missing})
    option = None
    if kind == "file" or not values:
        lines = random_lines(rng, values, wild)
        read_like_missing(rng, lines, missing)
    elif kind == "mask":
        levels = rng.choice([None, 1, 2])
        option = "mask(right)" if levels is None else f"mask(right,{levels})"
        lines = hierarchies.mask_right(values, levels)
    elif kind == "intervals":
        widths = rng.choice([[5], [5, 10], [2, 10]])
        option = f"intervals({','.join(map(str, widths))})"
        lines = hierarchies.intervals(values, widths)
    elif kind == "cuts":
        option, lines = "cuts(6,12)", hierarchies.cuts(values, [6, 12])
    elif kind == "dates":
        steps = rng.choice([["month"], ["year", "5y"], ["month", "year", "10y"]])
        option, lines = f"dates({','.join(steps)})", hierarchies.dates(values, steps)
    else:
        option, lines = "suppress", hierarchies.suppress(values)
    occurs = any(cell in missing for cell in cells)
    tree = Hierarchy(hierarchies.completed(lines), missing[0] if occurs else None)
    if not hierarchies.valid(list(tree.paths.values())):
        return hierarchy(rng, kind, cells, missing, wild)
    tree.option, tree.lines = option, lines
    return tree


def random_lines(rng, values, wild):
    """Lines of a hierarchy file: groups of groups, in no order, some values never used."""
    unused = rng.choice([0, 0, 1, 2]) if values else 1
    values = values + rng.sample([word + "s" for word in WORDS], unused)
    rng.shuffle(values)
    lines = [[value] for value in values]
    for level in range(1, rng.choice([1, 2, 2, 3]) + (0 if wild else 1)):
        below = sorted({line[-1] for line in lines})
        groups = {}
        for label in below:
            groups.setdefault(rng.randrange(max(1, len(below) // 2 + 1)), []).append(label)
        names = {}
        for group, labels in groups.items():
            keep = len(labels) == 1 and rng.random() < 0.5
            for label in labels:
                names[label] = label if keep else f"{'wxyz'[level]}{group}"
        lines = [line + [names[line[-1]]] for line in lines]
    top = rng.choice(["*", "*", "person", None])
    if top and len({line[-1] for line in lines}) > 1:
        lines = [line + [top] for line in lines]
    return lines


def repeat_labels(rng, job, apart):
    """Now and then a label of a file stands for other values on a lower level, too. apart: cells of
    a column can have several levels."""
    if rng.random() > 0.3:
        return
    for name, tree in job.hierarchies.items():
        lines = tree.lines
        places = [level for level in range(1, tree.height) if tree.lines and level < len(lines[0])]
        if tree.option is not None or not places or rng.random() < 0.3:
            continue
        level = rng.choice(places)
        lower = sorted({label for line in lines for label in line[:level]} -
                       {label for line in lines for label in line[level:]} - set(job.missing))
        old = rng.choice(sorted({line[level] for line in lines}))
        if not lower or old in job.missing or old == tree.top:
            continue
        new = rng.choice(lower)
        for line in lines:
            line[level] = new if line[level] == old else line[level]
        made = Hierarchy(hierarchies.completed(lines), tree.missing)
        made.option, made.lines = tree.option, lines
        job.hierarchies[name] = made if apart else hierarchies.by_level(made)


def read_like_missing(rng, lines, missing):
    """Now and then a label is called like a token for missing cells that is not the first."""
    labels = sorted({label for line in lines for label in line[1:]} - {line[0] for line in lines})
    tokens = [token for token in missing[1:] if token]
    if labels and tokens and rng.random() < TOKEN_LABELS:
        old, new = rng.choice(labels), rng.choice(tokens)
        for line in lines:
            line[:] = [new if label == old else label for label in line]


def sensitive_column(rng, rows, missing, spells):
    """Cells, and whether they are numbers; some in other spellings, some missing."""
    domain = rng.choice([["u", "v"], ["u", "v", "w"], ["1", "2", "10"], ["u", "v", "w", "x"],
                         ["\u00c9 t", "stra\u00dfe"]])
    weights = [rng.choice([1, 1, 3]) for _ in domain]
    cells = rng.choices(domain, weights, k=rows)
    if spells:
        cells = [spelled(rng, cell) for cell in cells]
    share = rng.choice([0, 0, 0.1, 0.3])
    tokens = missing + [token.lower() + " " for token in missing] * spells
    cells = [rng.choice(tokens) if rng.random() < share else cell for cell in cells]
    return cells, domain[0] == "1"


def spelled(rng, cell):
    """The same value, however it is written."""
    ways = [cell, cell, cell.upper(), cell + " ", "\u00a0" + cell, cell.replace(" ", "  "),
            unicodedata.normalize("NFD", cell)]
    return rng.choice(ways + [cell + ".0", "0" + cell] * (cell.isdigit()))


def limit(rng, job):
    job.treatment = rng.choice(["keep", "drop", "exempt"])
    job.limit_text = rng.choice([None, "0", "1", "2", "4", "10%", "12.5%", "33%", "50%"])
    job.limit = limit_of(job.limit_text or "0", job.rows)


def bounds(rng, job):
    for name in job.qi:
        if rng.random() < 0.12:
            height = job.hierarchies[name].height
            low = rng.randint(0, height)
            job.levels[name] = (low, rng.randint(low, height))


def weights(rng, job):
    if rng.random() < 0.3:
        job.weights = {name: rng.choice([0.5, 1, 2, 3]) for name in job.qi}


def models(rng, job, table_level=True):
    """One to three models that the job's columns allow."""
    choice = []
    if rng.random() < 0.8 or not job.sensitive:
        choice.append({"model": "k-anonymity", "k": rng.choice([1, 2, 2, 2, 3, 3, 4, 5])})
    for _ in range(rng.choice([0, 1, 1, 2])):
        if job.sensitive:
            choice.append(sensitive_model(rng, rng.choice(job.sensitive)))
        elif rng.random() < 0.4:
            choice.append({"model": "max-risk", "x": Fraction(rng.choice(["0.5", "0.34", "0.2"]))})
    if table_level and rng.random() < 0.12:
        choice.append(rng.choice([
            {"model": "mean-risk", "x": Fraction(rng.choice(["0.5", "0.3", "0.2"]))},
            {"model": "risk-share", "threshold": Fraction(rng.choice(["0.4", "0.5", "0.2"])),
             "share": Fraction(rng.choice(["0", "0.2", "0.5"]))},
            {"model": "sample-uniqueness", "x": Fraction(rng.choice(["0", "0.1", "0.25"]))}]))
    kinds = set()
    job.models = []
    for model in choice or [{"model": "k-anonymity", "k": 2}]:
        key = (model["model"], model.get("attribute"))
        if key not in kinds:
            kinds.add(key)
            job.models.append(model)


def sensitive_model(rng, name):
    kind = rng.choice(["l-diversity", "entropy-l", "recursive-cl", "p-sensitive", "alpha",
                       "t-closeness", "t-closeness", "delta-disclosure", "beta", "enhanced-beta"])
    model = {"model": kind, "attribute": name}
    if kind == "l-diversity":
        model["l"] = rng.choice([1, 2, 2, 3])
    elif kind == "entropy-l":
        model["l"] = Fraction(rng.choice(["1.5", "1.8", "2"]))
    elif kind == "recursive-cl":
        model.update(c=Fraction(rng.choice(["1", "1.5", "2", "3"])), l=rng.choice([2, 2, 3]))
    elif kind == "p-sensitive":
        model = {"model": kind, "p": rng.choice([1, 2, 2, 3])}
    elif kind == "alpha":
        model["alpha"] = Fraction(rng.choice(["0.5", "0.6", "0.75", "0.9"]))
    elif kind == "t-closeness":
        model.update(t=Fraction(rng.choice(["0.1", "0.2", "0.3", "0.5"])),
                     distance=rng.choice(["equal", "ordered"]))
    elif kind == "delta-disclosure":
        model["delta"] = Fraction(rng.choice(["0.5", "1", "1.5"]))
    else:
        model["beta"] = Fraction(rng.choice(["0.3", "0.5", "1", "2"]))
    return model
