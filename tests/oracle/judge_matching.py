"""Local suppression where a suppressed cell matches every value: k rows match each row."""
import judge_methods
import randomized
import randomly
import releasing
import richly
from comparing import expect
from program import Wrong, all_options, hierarchy_options, model_options, role_options, write_job
from suppression import Judge
from tables import Table


def random_job(rng):
    job = randomly.job(rng, columns=4)
    job.levels = {}
    judge_methods.only_suppressed(job)
    job.models = [{"model": "k-anonymity", "k": rng.choice([1, 2, 2, 3, 4, 5])}]
    if rng.random() < 0.2:
        richly.persons(rng, job)
    return job


def match(job, one, other):
    return all(a == b or top in (a, b) for a, b, top in zip(one, other, job.tops()))


def fewest(job, released):
    """The fewest rows (persons) that match a row that is judged, itself included."""
    persons = job.persons() or list(range(job.rows))
    judged = Judge(job).judged(released)
    rows = [row for row, cells in enumerate(judged) if cells is not None]
    return min((len({persons[other] for other in rows if match(job, judged[row], judged[other])})
                for row in rows), default=None)


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    judge_check(rng, folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method",
                              "local-suppression", "--missing-matches", "all", "--allow-leaks",
                              "--keep-order", "-o", "release.csv", "--result", "result.json",
                              "--quiet")
    k = job.smallest_k()
    if code == 1:
        if fewest(job, [job.tops()] * job.rows) >= k:
            raise Wrong(f"no release, but all rows at the top match: {err.strip()}")
        return "without a release"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    released = releasing.read_back(folder, job, keep_order=True)
    releasing.judge_cells(job, released)
    found = fewest(job, released)
    if found is None or found < k:
        raise Wrong(f"only {found} rows match a row")
    result = folder.read_json("result.json")
    expect("measured", result["models"][0]["measured"], found)
    count = Judge(job).suppressed(released)
    expect("suppressed_rows", result["suppressed_rows"], count)
    if job.limit_text is not None and job.treatment != "keep" and count > job.limit:
        raise Wrong(f"{count} rows are suppressed, the limit is {job.limit}")
    return "released"


def judge_check(rng, folder, job):
    """mingle check --missing-matches all on a random release."""
    released = [row for row in randomized.released(rng, job)]
    kept = [row for row, cells in enumerate(released) if cells is not None]
    if not kept:
        return
    whole, gone = job.table, job.identifier
    job.identifier = []
    randomized.write(job, released, folder.file("checked.csv"), with_persons=True)
    job.table = Table(whole.names, [whole.rows[row] for row in kept])
    found = fewest(job, [released[row] for row in kept])
    said = folder.json("check", "checked.csv", *role_options(job), *model_options(job),
                       *hierarchy_options(job), "--suppressed", job.treatment,
                       "--missing-matches", "all",
                       codes=(0 if found >= job.smallest_k() else 1,))
    expect("check measured", said["models"][0]["measured"], found)
    job.table, job.identifier = whole, gone
