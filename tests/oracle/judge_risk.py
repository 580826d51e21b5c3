"""mingle risk: intruders, sets of columns, individual risk, special uniques, population uniques."""
from collections import Counter
from fractions import Fraction

import findings
import randomized
import randomly
import richly
import risk
from comparing import expect, expect_figures
from program import hierarchy_options, role_options, write_job
from suppression import Judge
from tables import Table


def random_job(rng):
    job = randomly.job(rng)
    while randomly.has_token_labels(job):  # a table may have them for missing cells
        job = randomly.job(rng)
    job.levels, job.models = {}, []
    if rng.random() < 0.3:
        richly.population(rng, job)
        job.models = []
    job.fraction = rng.choice([None, "0.1", "0.25", "0.5"]) if job.population is None else None
    job.weight = rng.random() < 0.5
    if job.weight:
        for name, values in (("w", ["1", "2.5", "10", "100"]), ("home", ["h1", "h2", "h3"])):
            job.table.names.append(name)
            job.identifier.append(name)
            for row in job.table.rows:
                row.append(rng.choice(values))
    return job


def judge(rng, folder):
    job = random_job(rng)
    raw = rng.random() < 0.4
    released = job.tuples() if raw else randomized.released(rng, job)
    if all(cells is None for cells in released):
        return "empty"
    write_job(folder, job)
    gone, job.identifier = job.identifier, []
    randomized.write(job, released, folder.file("release.csv"))
    job.identifier = gone
    threshold = rng.choice(["0.2", "0.5", "0.3"])
    arguments = ["risk", "release.csv", *role_options(job), *hierarchy_options(job),
                 "--suppressed", job.treatment, "--threshold", threshold, "--suda"]
    arguments += ["--population", "population.csv"] if job.population else []
    arguments += ["--sampling-fraction", job.fraction] if job.fraction else []
    arguments += ["--weight", "w", "--household", "home"] if job.weight else []
    said = folder.json(*arguments)
    kept = [row for row, cells in enumerate(released) if cells is not None]
    job.table = Table(job.table.names, [job.table.rows[row] for row in kept])
    judge_said(job, [released[row] for row in kept], Fraction(threshold), said)
    return "judged"


def judge_said(job, released, threshold, said):
    judge = Judge(job)
    judged = judge.judged(released)
    classes = judge.classes(judged)
    rows = [cells for cells in judged if cells is not None]
    kept = [row for row, cells in enumerate(judged) if cells is not None]
    expect_figures("classes", said["classes"], findings.class_figures(classes))
    sizes = Counter(rows)
    expect("uniques", said["uniques"], sum(size == 1 for size in sizes.values()))
    for bound, count in said["rows_below"].items():
        expect(f"rows_below {bound}", count, sum(s for s in sizes.values() if s < int(bound)))
    judge_intruders(job, rows, sizes, threshold, said)
    sets = risk.columns(rows, job.qi)
    expect("sets of columns", len(said["attributes"]), len(sets))
    for line in said["attributes"]:
        expect_figures(f"columns {line['columns']}", line, sets[frozenset(line["columns"])])
    fraction = float(job.fraction or 0.01)
    computed = risk.suda(rows, job.qi, fraction)
    contribution = computed.pop("contribution")
    expect_figures("suda", said["suda"], {name: value for name, value in computed.items()})
    expect_figures("suda contribution", said["suda"]["contribution"], contribution)
    if job.fraction:
        expect("zayatz", said["population_uniques"]["zayatz"],
               risk.zayatz(rows, Fraction(job.fraction)))
    if job.weight:
        judge_individual(job, rows, kept, sizes, said["individual"])


def judge_intruders(job, rows, sizes, threshold, said):
    prosecutor = [Fraction(1, sizes[row]) for row in rows]
    expect_figures("prosecutor", said["prosecutor"], risk.intruder(prosecutor, threshold))
    if job.population:
        matching = {row: job.matching(row) for row in sizes}
        if 0 in matching.values():
            return
        journalist = [Fraction(1, matching[row]) for row in rows]
    else:
        journalist = [part * Fraction(job.fraction or 1) for part in prosecutor]
    expect_figures("journalist", said["journalist"], risk.intruder(journalist, threshold))
    expect("marketer mean", said["marketer"]["mean"], sum(journalist) / len(journalist))


def judge_individual(job, rows, kept, sizes, said):
    weights = [float(job.table.column("w")[row]) for row in kept]
    homes = [job.table.column("home")[row] for row in kept]
    persons = Counter()
    for row, weight in zip(rows, weights):
        persons[row] += weight
    risks = [risk.individual(sizes[row], persons[row]) for row in rows]
    exact = [risk.exact_individual(sizes[row], persons[row]) for row in rows]
    expect("expected_reidentifications", said["expected_reidentifications"], sum(risks))
    expect("exact_expected_reidentifications", said["exact_expected_reidentifications"], sum(exact))
    safe = {}
    for home, part in zip(homes, risks):
        safe[home] = safe.get(home, 1) * (1 - part)
    members = Counter(homes)
    expect("household_expected_reidentifications", said["household_expected_reidentifications"],
           sum(members[home] * (1 - share) for home, share in safe.items()))
