"""Random releases that no search made: each tuple at a node of its own, or all at one."""
from fulldomain import recoded


def released(rng, job):
    """What each row is released as; some rows at the top, under drop some left out."""
    tuples = job.tuples()
    if rng.random() < 0.3:
        levels = [rng.randint(0, job.hierarchies[name].height) for name in job.qi]
        cells = dict(zip(tuples, recoded(job, levels)))
    else:
        cells = {row: generalized(rng, job, row) for row in sorted(set(tuples))}
    for row in sorted(cells):
        if rng.random() < 0.2:
            cells[row] = None if job.treatment == "drop" and rng.random() < 0.6 else job.tops()
    return [cells[row] for row in tuples]


def generalized(rng, job, row):
    return tuple(job.hierarchies[name].at(cell, rng.randint(0, job.hierarchies[name].height))
                 for name, cell in zip(job.qi, row))


def write(job, cells, path, shuffle=None, with_persons=False):
    """Writes the release as the program would: identifiers gone, rows left out."""
    gone = set(job.identifier) | ({job.entity} if job.entity and not with_persons else set())
    names = [name for name in job.table.names if name not in gone]
    rows = []
    for row, released_cells in zip(job.table.rows, cells):
        if released_cells is not None:
            new = dict(zip(job.table.names, row))
            new.update(zip(job.qi, released_cells))
            rows.append([new[name] for name in names])
    if shuffle:
        shuffle(rows)
    type(job.table)(names, rows).write(path)
