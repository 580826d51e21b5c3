"""Several quasi-identifiers and linking likelihoods: each set holds on its own projection."""
import fulldomain
import measures
import models
import randomly
import releasing
from comparing import expect, expect_figures
from judge_releases import told_node
from program import Wrong, all_options, write_job
from sets import SetsJudge, SetsLattice


def random_job(rng):
    while True:
        job = randomly.job(rng, nodes=36)
        if len(job.qi) >= 2:
            break
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=False)
    randomly.models(rng, job)
    job.method = rng.choice(["mingen", "mingen", "samarati"])
    job.sets = random_sets(rng, job.qi)
    if rng.random() < 0.3:
        job.likelihood = {name: rng.choice(["0.3", "0.5", "0.8", "1"]) for name in job.qi}
    return job


def random_sets(rng, names):
    """Sets that together name every column; the order of the columns is that of the sets."""
    if rng.random() < 0.2:
        return [names[:]]
    cut = rng.randint(1, len(names) - 1)
    first, second = names[:cut], names[cut:]
    if rng.random() < 0.5:
        second = [rng.choice(first), *second]
    return [first, second]


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method", job.method,
                              "--allow-leaks", "--keep-order", "-o", "release.csv",
                              "--result", "result.json", "--quiet")
    if code not in (0, 1):
        raise Wrong(f"exit code {code}: {err.strip()}")
    lattice = SetsLattice(job) if job.treatment != "keep" else None
    if code == 1:
        if models.refused(job.models, job.around(), job.smallest_k()):
            return "refused"
        if lattice and lattice.holding():
            raise Wrong(f"no release, but {lattice.holding()[0].levels} holds: {err.strip()}")
        return "without a release"
    judge_release(job, folder, lattice)
    return "released"


def judge_release(job, folder, lattice):
    result = folder.read_json("result.json")
    node = tuple(result["node"][name] for name in job.qi)
    released = releasing.read_back(folder, job, keep_order=True, node=node)
    releasing.judge_cells(job, released)
    judge = SetsJudge(job)
    if not judge.release_holds(released):
        raise Wrong("the release breaks a model on a projection")
    if judge.suppressed(released) > job.limit:
        raise Wrong(f"{judge.suppressed(released)} rows are suppressed, the limit is {job.limit}")
    expect("suppressed_rows", result["suppressed_rows"], judge.suppressed(released))
    figures = measures.measured(job, released, node, job.smallest_k())
    expect_figures("utility", result["utility"], figures)
    if lattice:
        choose = fulldomain.optimum if job.method == "mingen" else fulldomain.samarati
        found = choose(job, lattice)
        expect("node", node, told_node(job, found.levels, found.outcome))
        expect("cells", released, found.outcome.released)
