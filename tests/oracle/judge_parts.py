"""Slices: count, search together, apply to each; the whole table must come out the same."""
import randomly
import richly
from comparing import expect
from program import (Wrong, hierarchy_options, model_options, pairs, role_options, search_options,
                     write_job)
from tables import Table, read

METHODS = ["mingen", "mingen", "cell", "samarati", "incognito", "datafly", "mondrian", "k-member",
           "top-down"]
TOLD = ["rows", "released_rows", "suppressed_rows", "classes", "node", "minimal_nodes", "bound",
        "models", "risk"]


def random_job(rng):
    job = randomly.job(rng)
    randomly.weights(rng, job)
    randomly.repeat_labels(rng, job, apart=False)
    randomly.models(rng, job)
    job.method = rng.choice(METHODS)
    if job.method == "datafly" and job.smallest_k() is None:
        job.models.append({"model": "k-anonymity", "k": 2})
    if job.sensitive and rng.random() < 0.2:
        richly.sensitive_tree(rng, job)
    return job


def slices(rng, job):
    """Two or three runs of rows, now and then one without any."""
    cuts = sorted(rng.randint(0, job.rows) for _ in range(rng.choice([1, 2])))
    ends = [0, *cuts, job.rows]
    return [Table(job.table.names, job.table.rows[low:high]) for low, high in zip(ends, ends[1:])]


def judge(rng, folder):
    job = random_job(rng)
    write_job(folder, job)
    names = []
    for number, part in enumerate(slices(rng, job)):
        part.write(folder.file(f"slice{number}.csv"))
        names.append(number)
        count(folder, job, number)
    search_whole = [*hierarchy_options(job), *model_options(job), *search_options(job),
                    "--method", job.method]
    search = search_whole + pairs("--kind", job.kinds)
    parts = [f"{number}.part" for number in names]
    code, _, err = folder.run("anonymize", *parts, *search, "--save-recoding", "found.rec",
                              "--result", "parts.json", "--quiet")
    whole, _, whole_err = folder.run(
        "anonymize", "table.csv", *role_options(job), *search_whole, "--allow-leaks", "--keep-order",
        "-o", "release.csv", "--result", "whole.json", "--quiet")
    if code != whole:
        raise Wrong(f"exit code {code} of parts, {whole} of the whole: {err} {whole_err}")
    if code != 0:
        return "without a release"
    judge_told(folder.read_json("parts.json"), folder.read_json("whole.json"))
    judge_slices(folder, job, names)
    return "released"


def count(folder, job, number):
    kinds, job.kinds = job.kinds, {}  # a part has cells as they are spelled
    code, _, err = folder.run("count", f"slice{number}.csv", *role_options(job),
                              "-o", f"{number}.part", "--quiet")
    job.kinds = kinds
    if code != 0:
        raise Wrong(f"count of a slice: exit code {code}: {err.strip()}")


def judge_told(parts, whole):
    for name in TOLD:
        expect(f"{name} of parts", parts[name], whole[name])
    for name, figure in whole["utility"].items():
        expect(f"utility {name} of parts", parts["utility"][name], figure)


def reading(job):
    return ["--missing", ",".join(job.missing), "--allow-leaks", "--keep-order"]


def judge_slices(folder, job, names):
    """Released slice by slice, the rows are those of the whole table, in their order."""
    rows = []
    for number in names:
        code, _, err = folder.run("apply", "found.rec", f"slice{number}.csv", *reading(job),
                                  "-o", f"release{number}.csv", "--quiet")
        if code != 0:
            raise Wrong(f"apply to slice {number}: exit code {code}: {err.strip()}")
        rows += read(folder.file(f"release{number}.csv")).rows
    expect("rows of the slices", rows, read(folder.file("release.csv")).rows)
    code, _, err = folder.run("apply", "found.rec", "table.csv", *reading(job), "-o", "again.csv",
                              "--quiet")
    if code != 0:
        raise Wrong(f"apply to the whole table: exit code {code}: {err.strip()}")
    expect("rows of the whole", read(folder.file("again.csv")).rows, rows)
