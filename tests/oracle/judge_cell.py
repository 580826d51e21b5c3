"""Cell-level releases: the written file, and whether a better one exists (tiny tables)."""
import math
from fractions import Fraction

import cells
import measures
import models
import randomly
import releasing
import richly
from comparing import expect
from job import excludes_top
from program import Wrong, all_options, write_job

MEASURES = ["precision", "precision", "loss", "ncp", "nonuniform-entropy"]
MOST_TUPLES = 6


def random_job(rng):
    while True:
        job = randomly.job(rng, columns=3, nodes=24,
                           rows=rng.choice([2, 4, 5, 6, 6, 8, 8, 10, 14]))
        if len(set(job.tuples())) <= MOST_TUPLES:
            break
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=True)
    randomly.models(rng, job)
    if rng.random() < 0.25:
        richly.enrich(rng, job)
    job.method = "cell"
    job.measure = rng.choice(MEASURES)
    return job


def row_cost(job):
    """What a row costs that is released as a tuple, in the measure of the job up to a constant."""
    total = sum(Fraction(str(job.weights.get(name, 1))) for name in job.qi)
    column = {name: [row[place] for row in job.tuples()] for place, name in enumerate(job.qi)}

    def cell_cost(name, label):
        tree, weight = job.hierarchies[name], Fraction(str(job.weights.get(name, 1)))
        if job.measure == "precision":
            return weight * Fraction(tree.level(label), tree.height) / total
        if job.measure == "nonuniform-entropy":
            leaves = tree.leaves(label)
            return math.log2(sum(cell in leaves for cell in column[name]))
        leaves = len(tree.order)
        loss = Fraction(len(tree.leaves(label)) - 1, leaves - 1) if leaves > 1 else 0
        return weight * loss / total if job.measure == "ncp" else Fraction(loss) / len(job.qi)

    known = {}

    def cost(box):
        if box not in known:
            known[box] = sum(cell_cost(name, label) for name, label in zip(job.qi, box))
        return known[box]

    return cost


def total_cost(job, released):
    cost = row_cost(job)
    return sum(cost(job.tops() if cells is None else cells) for cells in released)


def value(job, cost):
    """The measure of a release that costs so much."""
    if job.measure == "precision":
        return 1 - float(cost) / job.rows
    if job.measure == "nonuniform-entropy":
        return float(cost) - float(total_cost(job, job.tuples()))
    return float(cost) / job.rows


def judge(rng, folder):
    job = random_job(rng)
    effort = rng.choice(["fast", "balanced", "balanced", "best"])
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method", "cell",
                              "--effort", effort, "--allow-leaks", "--keep-order",
                              "-o", "release.csv", "--result", "result.json", "--quiet")
    best = cells.Search(job, row_cost(job)).best()
    if code == 1:
        refused = models.refused(job.models, job.around(), job.smallest_k())
        if best is not None and not refused and not may_be_missed(job):
            raise Wrong(f"no release, but there is one of {job.measure} {value(job, best)}: {err}")
        return "without a release"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    return judge_release(job, folder, best)


def may_be_missed(job):
    """Where unions of classes that hold need not hold (delta-presence; persons and models that
    are not upward closed) the search, which puts classes together, does not promise a release."""
    return any(model["model"] == "delta-presence" or
               job.entity and model["model"] not in models.UPWARD_CLOSED for model in job.models)


def judge_release(job, folder, best):
    result = folder.read_json("result.json")
    released = releasing.read_back(folder, job, keep_order=True)
    releasing.judge_cells(job, released)
    releasing.judge_promise(job, released, limited=job.treatment != "keep" or excludes_top(job))
    figures = releasing.judge_result(job, released, result, heights=False)
    if best is None:
        raise Wrong("there is no release by the definitions, but the program wrote one")
    return judge_bound(job, result["bound"], value(job, best), figures[measures.KEYS[job.measure]])


def judge_bound(job, bound, best, achieved):
    slack = 1e-9 * max(1, abs(best))
    sign = 1 if job.measure == "precision" else -1
    expect("bound achieved", bound["achieved"], achieved)
    if sign * (float(achieved) - best) > slack:
        raise Wrong(f"{achieved} is better than the best, {best}: the oracle is wrong")
    if sign * (best - bound["best_possible"]) > slack:
        raise Wrong(f"best_possible is {bound['best_possible']}, but {best} is possible")
    if bound["exact"]:
        if sign * (best - float(achieved)) > slack:
            raise Wrong(f"{achieved} is called the best possible, but {best} is possible")
        expect("gap of an exact claim", bound["gap"], 0)
        return "exact"
    return "not proved"
