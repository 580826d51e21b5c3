"""Releases with one level per column: the file, every figure, and whether it is the best."""
import datafly
import fulldomain
import measures
import models
import randomly
import releasing
import richly
from comparing import expect
from program import Wrong, all_options, write_job

METHODS = ["mingen", "mingen", "samarati", "incognito", "datafly", "top-down"]
MEASURES = ["precision", "precision", "loss", "geometric-loss", "ncp", "discernibility",
            "class-size", "ambiguity", "entropy", "nonuniform-entropy", "height"]
CRITERIA = ["absolute", "relative", "distribution", "suppression", "loss", "discernibility"]


def random_job(rng):
    job = randomly.job(rng)
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=False)
    randomly.models(rng, job)
    if rng.random() < 0.3:
        richly.enrich(rng, job)
    job.method = rng.choice(METHODS)
    job.measure = rng.choice(MEASURES)
    if job.method == "datafly":
        make_datafly(rng, job)
    elif rng.random() < 0.3:
        job.prefer = rng.sample(CRITERIA, rng.choice([1, 2]))
    return job


def make_datafly(rng, job):
    if job.smallest_k() is None:
        job.models.append({"model": "k-anonymity", "k": 2})
    if rng.random() < 0.3:
        job.preference = {name: rng.choice([0, 0.5, 1]) for name in job.qi}


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method", job.method,
                              "--allow-leaks", "--keep-order", "-o", "release.csv",
                              "--result", "result.json", "--quiet")
    if code == 1:
        judge_refusal(job, err)
        return "without a release"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    judge_release(job, folder)
    return "released"


def judge_refusal(job, err):
    if models.refused(job.models, job.around(), job.smallest_k()):
        return
    if job.method == "datafly":
        levels, outcome = datafly.run(job, job.limit_text is not None)
        if outcome.holds:
            raise Wrong(f"no release, but Datafly's node {levels} holds: {err.strip()}")
        return
    holding = [node.levels for node in fulldomain.Lattice(job, with_figures=False).holding()]
    if holding:
        raise Wrong(f"no release, but these nodes hold: {holding}: {err.strip()}")


def judge_release(job, folder):
    result = folder.read_json("result.json")
    node = tuple(result["node"][name] for name in job.qi)
    released = releasing.read_back(folder, job, keep_order=True, node=node)
    limited = job.method != "datafly" or job.limit_text is not None
    releasing.judge_cells(job, released)
    releasing.judge_promise(job, released, limited)
    releasing.judge_result(job, released, result, node)
    if job.method == "datafly":
        levels, outcome = datafly.run(job, limited)
        expect("node", node, told_node(job, levels, outcome))
        expect("cells", released, outcome.released)
        return
    lattice = fulldomain.Lattice(job)
    judge_choice(job, lattice, node, released, result)


def told_node(job, levels, outcome):
    """Where suppression takes all rows to the top, the release is that of the top node."""
    top = {job.tops()}
    if set(outcome.released) == top and set(fulldomain.recoded(job, levels)) != top:
        return tuple(job.hierarchies[name].height for name in job.qi)
    return tuple(levels)


def judge_choice(job, lattice, node, released, result):
    """The node is the one that the method is to choose, and claims of a bound are true."""
    choose = {"mingen": fulldomain.optimum, "samarati": fulldomain.samarati,
              "incognito": fulldomain.incognito}.get(job.method)
    if choose:
        found = choose(job, lattice)
    else:
        found = next((one for one in lattice.holding()
                      if told_node(job, one.levels, one.outcome) == node), None)
        if found is None:
            raise Wrong(f"node {node} does not hold")
    expect("node", node, told_node(job, found.levels, found.outcome))
    expect("cells", released, found.outcome.released)
    if result.get("minimal_nodes") is not None:
        said = {tuple(low[name] for name in job.qi) for low in result["minimal_nodes"]}
        expect("minimal nodes", sorted(said), sorted(lattice.minimal()))
    judge_bound(job, lattice, result, moved=node != found.levels)


def judge_bound(job, lattice, result, moved):
    """moved: the node that is told is the top, which suppression came to."""
    bound = result["bound"]
    if bound is None:
        return
    best = fulldomain.optimum(job, lattice)
    possible = abs(float(fulldomain.criterion(job, job.measure, best)))
    expect("bound achieved", bound["achieved"], result["utility"][measures.KEYS[job.measure]])
    sign = -1 if job.measure == "precision" else 1
    if sign * (bound["best_possible"] - possible) > 1e-9 * max(1, possible):
        raise Wrong(f"best_possible is {bound['best_possible']}, a node has {possible}")
    if bound["exact"] and not moved:
        expect("exact claim", bound["achieved"], possible)
        expect("gap of an exact claim", bound["gap"], 0)
