"""mingle attack: whom a release and a table with names give away."""
from collections import Counter
from fractions import Fraction

import randomized
import randomly
from comparing import expect, expect_figures
from program import hierarchy_options, role_options, write_job
from tables import Table
from values import MISSING


def external(rng, job):
    """Persons of the table and others, by the values of the table."""
    rows = [list(row) for row in job.table.columns(job.qi) if rng.random() < 0.7]
    for _ in range(rng.randint(1, 5)):
        rows.append([rng.choice(job.table.column(name)) for name in job.qi])
    return Table([*job.qi, "name"], [[*row, f"n{number}"] for number, row in enumerate(rows)])


def judge(rng, folder):
    job = randomly.job(rng)
    while randomly.has_token_labels(job):  # a table may have them for missing cells
        job = randomly.job(rng)
    released = randomized.released(rng, job)
    if all(cells is None for cells in released):
        return "empty"
    persons = external(rng, job)
    write_job(folder, job)
    persons.write(folder.file("external.csv"))
    randomized.write(job, released, folder.file("release.csv"))
    said = folder.json("attack", "release.csv", "external.csv", *role_options(job),
                       *hierarchy_options(job))
    expect("persons", said["persons"], len(persons.rows))
    judge_matches(job, released, job.tuples(persons), said)
    return "judged"


def matches(job, released, person):
    return [row for row, cells in enumerate(released) if cells is not None and
            all(job.hierarchies[name].covers(label, cell)
                for name, label, cell in zip(job.qi, cells, person))]


def judge_matches(job, released, persons, said):
    found = [matches(job, released, person) for person in persons]
    matched = Counter(str(len(rows)) for rows in found)
    expect("matched", {key: count for key, count in said["matched"].items() if count},
           dict(matched))
    expect("unique_matches", said["unique_matches"], matched["1"])
    kept = [row for row, cells in enumerate(released) if cells is not None]
    for name in job.sensitive:
        cells = job.sensitive_values()[name]
        ignored = MISSING if job.missing_sensitive == "none" else None
        counted = [Counter(cells[row] for row in rows if cells[row] != ignored)
                   for rows in [kept, *found]]
        learnt = sum(len(counts) == 1 for counts in counted[1:])
        expect(f"disclosed {name}", said["disclosed"][name], learnt)
        guessed = [Fraction(max(counts.values(), default=0), max(sum(counts.values()), 1))
                   for counts in counted]
        before = guessed[0]
        shares = [share for share, rows in zip(guessed[1:], found) if rows]
        after = sum(shares) / len(shares) if shares else 0
        expect_figures(f"inference {name}", said["inference"][name],
                       {"before": before, "after": after})
