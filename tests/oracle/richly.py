"""Random jobs with persons, populations, and hierarchies of sensitive values."""
from fractions import Fraction

import hierarchies
import randomly
from hierarchies import Hierarchy
from tables import Table
from values import MISSING


def persons(rng, job):
    """Rows belong to persons, some of whom have several."""
    count = rng.randint(1, job.rows)
    job.entity = "person"
    job.table.names.append("person")
    for row in job.table.rows:
        row.append(f"p{rng.randrange(count)}")


def population(rng, job):
    """The rows of the table and others of the same values; k-map or delta-presence."""
    names = job.qi[:]
    rng.shuffle(names)
    rows = [list(row) for row in job.table.columns(names)]
    for _ in range(rng.randint(0, 2 * job.rows)):
        rows.append([rng.choice(job.table.column(name)) for name in names])
    rng.shuffle(rows)
    job.population = Table(names, rows)
    if rng.random() < 0.6:
        job.models.append({"model": "k-map", "k": rng.choice([2, 3, 5])})
    else:
        job.models.append({"model": "delta-presence", "lo": Fraction(rng.choice(["0", "0.2"])),
                           "hi": Fraction(rng.choice(["0.5", "0.7", "0.9"]))})


def sensitive_tree(rng, job):
    """A hierarchy of the values of s with extended p-sensitivity or hierarchical t-closeness."""
    found = job.sensitive_values()["s"]
    values = sorted(set(found) - {MISSING})
    if not values:
        return
    while True:
        lines = randomly.random_lines(rng, values, wild=False)
        tree = Hierarchy(hierarchies.completed(lines), MISSING if MISSING in found else None)
        if hierarchies.valid(list(tree.paths.values())):
            break
    spellings = {line[0]: line[0] for line in lines}
    spellings.update(zip(found, job.table.column("s")))  # a file has one of them
    above = tree.labels() - set(values)
    tree.lines = [[line[0] if spellings[line[0]] in above else spellings[line[0]], *line[1:]]
                  for line in lines]
    job.trees["s"] = tree
    job.protected["s"] = set()
    if rng.random() < 0.5:
        inner = sorted(tree.labels() - set(tree.paths))
        job.protected["s"] = set(rng.sample(inner, rng.randint(0, len(inner))))
        job.models.append({"model": "extended-p-sensitive", "attribute": "s",
                           "p": rng.choice([1, 2, 2, 3])})
    else:
        job.models = [model for model in job.models if model["model"] != "t-closeness"]
        job.models.append({"model": "t-closeness", "attribute": "s",
                           "t": Fraction(rng.choice(["0.1", "0.2", "0.3", "0.5"])),
                           "distance": "hierarchical"})


def enrich(rng, job):
    """Adds one of them, now and then two."""
    kinds = [persons, population] + ([sensitive_tree, sensitive_tree] if job.sensitive else [])
    for kind in rng.sample(kinds, rng.choice([1, 1, 1, 2])):
        if kind is not sensitive_tree or not job.trees:
            kind(rng, job)
