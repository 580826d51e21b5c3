"""Earlier releases of the same table: what they reveal together must hold the models too."""
import models
import randomly
import releasing
from program import (Wrong, hierarchy_options, model_options, role_options, search_options,
                     write_job)
from suppression import Judge

METHODS = ["mingen", "mingen", "cell", "cell", "samarati", "incognito", "datafly", "mondrian",
           "k-member", "local-suppression"]


def random_job(rng):
    job = randomly.job(rng, nodes=36)
    randomly.models(rng, job, table_level=False)
    if job.smallest_k() is None:
        job.models.append({"model": "k-anonymity", "k": 2})
    job.method = rng.choice(METHODS)
    return job


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    earlier = Earlier(rng, job, folder)
    if earlier.released is None:
        return "no earlier release"
    code, _, err = release(folder, job, "second", ["--history", "first.rec"])
    if code == 1:
        return "without a release"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    released = releasing.read_back(folder, job, True, "second.csv")
    releasing.judge_promise(job, released, limited=False)
    judge_joint(job, earlier.released, released, folder.read_json("second.json"))
    return "released"


class Earlier:
    """The first release, with levels, method and limit of its own."""

    def __init__(self, rng, job, folder):
        kept = {name: getattr(job, name) for name in ("levels", "treatment", "method", "limit",
                                                      "limit_text")}
        job.levels = {}
        randomly.bounds(rng, job)
        randomly.limit(rng, job)
        job.method = rng.choice(["mingen", "cell", "datafly"])
        code, _, err = release(folder, job, "first", ["--save-recoding", "first.rec"])
        if code not in (0, 1):
            raise Wrong(f"first release: exit code {code}: {err.strip()}")
        self.released = releasing.read_back(folder, job, True, "first.csv") if code == 0 else None
        job.__dict__.update(kept)


def release(folder, job, name, extra):
    return folder.run("anonymize", "table.csv", *role_options(job), *hierarchy_options(job),
                      *model_options(job), *search_options(job), "--method", job.method,
                      "--allow-leaks", "--keep-order", "-o", f"{name}.csv",
                      "--result", f"{name}.json", "--quiet", *extra)


def judge_joint(job, earlier, released, result):
    """Rows are joined on the row of the input."""
    judge = Judge(job)
    joint = [None if cells is None else (before, cells)
             for before, cells in zip(earlier, judge.judged(released))]
    classes = judge.classes(joint)
    for model in job.models:
        if not all(models.holds(model, one, judge.around) for one in classes):
            raise Wrong(f"together with the earlier release {model} does not hold")
