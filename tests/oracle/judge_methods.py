"""Mondrian, k-member, local suppression: whatever is released must hold, and be told truly."""
from fractions import Fraction

import cells
import models
import randomly
import releasing
import richly
from hierarchies import Hierarchy, Ranges, suppress
from job import excludes_top
from program import Wrong, all_options, write_job
from suppression import Judge

METHODS = {"mondrian": [[], ["--cut", "relaxed"]], "k-member": [[]], "local-suppression": [[]]}
MOST_TUPLES = 6  # of local suppression, to know whether there is a release


def random_job(rng):
    job = randomly.job(rng, nodes=200)
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=True)
    randomly.models(rng, job)
    job.method = rng.choice(sorted(METHODS))
    if job.method == "local-suppression":
        job.levels = {}
        only_suppressed(job)
    elif rng.random() < 0.4:
        ranges(job)
    if rng.random() < 0.2:
        richly.persons(rng, job)
    elif rng.random() < 0.2 and job.sensitive:
        richly.sensitive_tree(rng, job)
    return job


def ranges(job):
    """Columns of numbers lose their hierarchy, and are released as ranges."""
    for place, name in enumerate(job.qi):
        cells = [row[place] for row in job.tuples()]
        numbers = [cell for cell in cells if cell != job.missing[0]]
        if numbers and all(cell.isdigit() and (cell == "0" or cell[0] != "0") for cell in numbers):
            job.hierarchies[name] = Ranges(cells, job.missing[0])
            job.levels.pop(name, None)


def only_suppressed(job):
    """A cell is released as it is, or as the top of its hierarchy."""
    for place, name in enumerate(job.qi):
        values = sorted({row[place] for row in job.tuples()} - {job.missing[0]})
        if not values:
            continue
        occurs = any(row[place] == job.missing[0] for row in job.tuples())
        tree = Hierarchy(suppress(values), job.missing[0] if occurs else None)
        tree.option, tree.lines = "suppress", None
        job.hierarchies[name] = tree


def judge(rng, folder):
    job = random_job(rng)
    extra = rng.choice(METHODS[job.method])
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method", job.method,
                              *extra, "--allow-leaks", "--keep-order", "-o", "release.csv",
                              "--result", "result.json", "--quiet")
    if code == 1:
        judge_refusal(job, err)
        return "without a release"
    if code == 2 and "relaxed" in extra and job.entity:
        return "refused"  # relaxed cuts with persons and a model that is not upward closed
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    released = releasing.read_back(folder, job, keep_order=True)
    releasing.judge_cells(job, released)
    unlimited = job.method == "local-suppression" and job.limit_text is None
    binds = job.treatment != "keep" or excludes_top(job)
    releasing.judge_promise(job, released, limited=binds and not unlimited)
    releasing.judge_result(job, released, folder.read_json("result.json"), heights=False)
    return "released"


def judge_refusal(job, err):
    """There must be a release if the whole table as one class is one."""
    if models.refused(job.models, job.around(), job.smallest_k()):
        return
    if not job.levels and Judge(job).release_holds([job.tops()] * job.rows):
        raise Wrong(f"no release, but all rows at the top hold: {err.strip()}")
    if job.method == "local-suppression" and len(set(job.tuples())) <= MOST_TUPLES:
        if job.limit_text is None:
            job.limit = job.rows
        if cells.Search(job, lambda box: Fraction(0)).best() is not None:
            raise Wrong(f"no release, but there is one: {err.strip()}")
