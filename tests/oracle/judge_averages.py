"""Microaggregation: groups hold the models, and are released as their own mean or range."""
import findings
import models
import randomly
import releasing
import richly
from comparing import expect, expect_figures
from hierarchies import Ranges
from program import Wrong, model_options, role_options, write_job
from suppression import Judge


def random_job(rng):
    """Columns of whole numbers, some cells missing."""
    job = randomly.job(rng, columns=3)
    for name in job.qi:
        place = job.table.names.index(name)
        for row in job.table.rows:
            if row[place] not in job.missing or rng.random() < 0.5:
                row[place] = str(rng.choice([rng.randint(0, 9), rng.randint(0, 60)]))
    job.levels, job.treatment = {}, "keep"
    for place, name in enumerate(job.qi):
        job.hierarchies[name] = Ranges([row[place] for row in job.tuples()], job.missing[0])
    randomly.models(rng, job)
    if rng.random() < 0.2:
        richly.persons(rng, job)
    return job


def judge(rng, folder):
    job = random_job(rng)
    how = rng.choice(["mean", "median", "range"])
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *role_options(job), *model_options(job),
                              "--method", "microaggregate", "--replace", how, "--allow-leaks",
                              "--keep-order", "-o", "release.csv", "--result", "result.json",
                              "--quiet")
    if code == 1:
        refused = models.refused(job.models, job.around(), job.smallest_k())
        if not refused and Judge(job).release_holds([job.tops()] * job.rows):
            raise Wrong(f"no release, but all rows as one group hold: {err.strip()}")
        return "without a release"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    released = releasing.read_back(folder, job, keep_order=True)
    releasing.judge_promise(job, released, limited=False)
    judge_groups(job, released, how)
    judge_result(job, released, folder.read_json("result.json"))
    return "released"


def judge_groups(job, released, how):
    """Every cell of a class is what its rows have in common."""
    judge, tuples, alike = Judge(job), job.tuples(), {}
    for ground, cells in zip(tuples, released):
        if alike.setdefault(ground, cells) != cells:
            raise Wrong(f"equal tuples {ground} are released as {alike[ground]} and {cells}")
    for one in judge.classes(released):
        for place, cell in enumerate(one.released):
            judge_cell(job, [tuples[row][place] for row in one.rows], cell, how)


def judge_cell(job, originals, cell, how):
    numbers = [int(value) for value in originals if value != job.missing[0]]
    if not numbers:
        expect("a group without numbers", cell, job.missing[0])
    elif cell == "*":
        if len(numbers) == len(originals):
            raise Wrong(f"{originals} have no missing cell, but are suppressed")
    elif len(numbers) < len(originals):
        raise Wrong(f"{originals} with missing cells are released as {cell}")
    elif how == "mean":
        expect(f"the mean of {originals}", float(cell), sum(numbers) / len(numbers))
    elif how == "range":
        low, high = min(numbers), max(numbers)
        expect(f"the range of {originals}", cell, str(low) if low == high else f"{low}-{high}")
    elif not min(numbers) <= float(cell) <= max(numbers):
        raise Wrong(f"{cell} is no median of {originals}")


def judge_result(job, released, result):
    judge = Judge(job)
    classes = judge.classes(released)
    expect("rows", result["released_rows"], job.rows)
    expect_figures("classes", result["classes"], findings.class_figures(classes))
    expect_figures("risk", result["risk"], findings.risk_figures(classes))
    releasing.judge_models(job, classes, judge.around, result["models"])
