"""mu-Argus, cell by cell, and whether its result is refused where it is unsafe."""
import argus
import models
import randomly
import releasing
from comparing import expect
from job import excludes_top
from program import Wrong, all_options, pairs, write_job
from suppression import Judge


def random_job(rng):
    job = randomly.job(rng)
    randomly.models(rng, job)
    if not any(model["model"] == "k-anonymity" for model in job.models):
        job.models.append({"model": "k-anonymity", "k": rng.choice([2, 3])})
    job.method = "mu-argus"
    job.identification = {name: rng.randint(1, 3) for name in job.qi if rng.random() < 0.7}
    job.generalize = {name: 1 for name in job.qi if rng.random() < 0.1
                      and job.hierarchies[name].height > 1}
    job.combinations = rng.choice([(2, 3), (2, 3), (2,), "published", "all", "all"])
    return job


def judge(rng, folder):
    job = random_job(rng)
    unsafe = job.combinations != "all" and rng.random() < 0.6
    write_job(folder, job)
    words = job.combinations if isinstance(job.combinations, str) else \
        ",".join(map(str, job.combinations))
    code, _, err = folder.run(
        "anonymize", "table.csv", *all_options(job), "--method", "mu-argus",
        *pairs("--identification", job.identification), *pairs("--generalize", job.generalize),
        "--combinations", words, *(["--accept", "unsafe"] if unsafe else []), "--allow-leaks",
        "--keep-order", "-o", "release.csv", "--result", "result.json", "--quiet")
    if code not in (0, 1):
        raise Wrong(f"exit code {code}: {err.strip()}")
    steps = argus.Argus(job, job.identification, job.generalize, job.combinations)
    return judge_cells(job, folder, code, steps, unsafe, err)


def treated(job, judge, steps, cells):
    """Rows without cells are suppressed rows; with `all` classes that break a model join them.
    Where the levels alone are the top node nothing is suppressed."""
    gone = set(judge.rows_at_top(cells)) if set(steps.rows) != {judge.tops} else set()
    if job.combinations == "all":
        gone |= {row for one in judge.classes(cells) if not judge.class_holds(one)
                 for row in one.rows}
    count = len(gone)
    if job.treatment == "drop":
        cells = [None if row in gone else cell for row, cell in enumerate(cells)]
    else:
        cells = [judge.tops if row in gone else cell for row, cell in enumerate(cells)]
        if job.combinations == "all" and gone:
            count = judge.complement(cells, gone)
    if job.treatment == "exempt" and job.combinations != "all" and not excludes_top(job) and \
            set(cells) == {judge.tops}:
        count = 0  # it is the top node; rounds count what they took all the same
    within = job.limit_text is None or count <= job.limit
    return cells, within, judge.release_holds(cells)


def judge_cells(job, folder, code, steps, unsafe, err):
    judge = Judge(job)
    cells = steps.rounds() if job.combinations == "all" else steps.suppressed()
    cells, within, holds = treated(job, judge, steps, cells)
    if models.refused(job.models, judge.around, job.smallest_k()):
        expect("exit code where a necessary condition fails", code, 1)
        return "refused"
    unsafe = unsafe and any(cell is not None for cell in cells)
    if code == 1:
        up_front = "no release can hold it" in err or "condition" in err
        if within and (holds or unsafe and not up_front):
            raise Wrong(f"no release, but the result holds: {err.strip()}")
        return "without a release"
    if not within:
        raise Wrong("more rows are suppressed than allowed")
    if not holds and not unsafe:
        raise Wrong("the result is unsafe, but it was written")
    released = releasing.read_back(folder, job, keep_order=True)
    releasing.judge_cells(job, released) if not job.levels else None
    expect("cells", released, cells)
    releasing.judge_result(job, released, folder.read_json("result.json"), heights=False)
    told = folder.read_json("result.json")["unsafe_combinations"]
    judge_unsafe("before", told["before"], steps.unsafe(steps.rows))
    judge_unsafe("after", told["after"], steps.unsafe(cells))
    judge_suppressed(job, told["before"], steps, cells)
    return "released" if holds else "unsafe"


def judge_unsafe(when, told, wanted):
    """Tables are so small that nothing is left out."""
    expect(f"{when}: values", told["values"], wanted["values"])
    expect(f"{when}: rows", told["rows"], wanted["rows"])
    expect(f"{when}: combinations", {tuple(one["columns"]): (one["values"], one["rows"])
                                     for one in told["combinations"]}, wanted["combinations"])
    expect(f"{when}: the worst first", [one["rows"] for one in told["combinations"]],
           sorted((one["rows"] for one in told["combinations"]), reverse=True))
    expect(f"{when}: tuples", sorted(
        (one["rows"], sorted(map(tuple, one["outliers"]))) for one in told["tuples"]),
        wanted["tuples"])
    for key in ("combinations_left_out", "tuples_left_out"):
        expect(f"{when}: {key}", told[key], 0)


def judge_suppressed(job, told, steps, cells):
    """The cells that tuples are said to lose are the cells that their rows lose, as far as rows are
    not suppressed as a whole by the rounds of "all" or for a model."""
    lost = sorted(sorted(name for name, was, now in zip(job.qi, steps.rows[row], cells[row])
                         if was != now)
                  for row in range(len(cells)) if steps.outliers[row] and cells[row] is not None)
    said = sorted(sorted(one["suppressed"]) for one in told["tuples"] for _ in range(one["rows"]))
    if job.combinations != "all" and job.treatment != "drop":
        expect("cells that outliers lose", said, lost)
