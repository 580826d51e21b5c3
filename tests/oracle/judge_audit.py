"""check --against: honest results agree with their releases, and changed ones do not."""
import copy
import json
import os

import judge_cell
import judge_methods
import judge_releases
import judge_sets
from program import Wrong, all_options, write_job
from tables import Table, read


def judge(rng, folder):
    job = rng.choice([judge_releases, judge_cell, judge_methods, judge_sets]).random_job(rng)
    more = further_options(rng, folder, job)
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), *method_of(rng, job),
                              "--allow-leaks", *more, "-o", "release.csv", "--result",
                              "result.json", "--quiet")
    if code != 0:
        return "without a release"
    code, out, err = folder.run("check", "release.csv", "--against", "result.json")
    if code != 0:
        raise Wrong(f"an honest result: exit code {code}: {out}{err}")
    change, result = changed(rng, folder.read_json("result.json"), job.entity is not None)
    with open(folder.file("changed.json"), "w", encoding="utf-8") as file:
        json.dump(result, file)
    code, out, _ = folder.run("check", "release.csv", "--against", "changed.json")
    if code == 0:
        raise Wrong(f"a changed result agrees: {change}: {out}")
    judge_changed_release(rng, folder, job)
    return "agrees"


def method_of(rng, job):
    """The method by its name, or by the levels that it has; or both."""
    by_levels = {"mingen": ["--levels", "uniform"], "cell": ["--levels", "mixed"]}.get(job.method, [])
    by_name = ["--method", job.method]
    return rng.choice([by_name, by_levels or by_name, by_name + by_levels])


def with_column(table, name, cells):
    return Table([*table.names, name], [[*row, cell] for row, cell in zip(table.rows, cells)])


def further_options(rng, folder, job):
    """What other judges leave out: strata, pseudonyms, items with and without a hierarchy, weights
    and likelihoods by set. Adds the columns that it needs to the table."""
    rows, more = len(job.table.rows), []
    if rng.random() < 0.25:
        job.table = with_column(job.table, "ward", [rng.choice("NNS") for _ in range(rows)])
        more += ["--by", "ward"]
    if rng.random() < 0.2:
        drugs = [";".join(rng.sample(["A1", "A2", "B1", "C1"], rng.choice([0, 1, 1, 2])))
                 for _ in range(rows)]
        job.table = with_column(job.table, "drugs", drugs)
        more += ["--km", rng.choice(["drugs=2", "drugs=2,1"])]
        if rng.random() < 0.6:
            with open(folder.file("drugs.tree"), "w", encoding="utf-8") as file:
                file.write("A1;A;*\nA2;A;*\nB1;B;*\nC1;C;*\nD1;D;*\n")
            more += ["--hierarchy", "drugs=drugs.tree"]
    if job.entity and rng.random() < 0.5:
        with open(folder.file("key"), "w", encoding="utf-8") as file:
            file.write("sixteen bytes and more\n")
        os.chmod(folder.file("key"), 0o600)
        more += ["--treat", f"{job.entity}=pseudonym", "--key", "key"]
    return more + by_set(rng, job)


def by_set(rng, job):
    """A weight or a likelihood of a column for each of its sets; with 0 sets can coincide."""
    shared = [name for name in job.qi if sum(name in columns for columns in job.sets or []) == 2]
    if not shared or rng.random() < 0.4:
        return []
    name = rng.choice(shared)
    if rng.random() < 0.5:
        job.weights = {**job.weights, name: rng.choice(["1/3", "2/0.5", "0/1"])}
    else:
        job.likelihood = {**job.likelihood, name: rng.choice(["1/0", "0/1", "0.5/1"])}
    return []


def changed(rng, result, persons):
    """The result with one claim that is no longer true. Who the persons are is not in the
    release: what counts them cannot be compared."""
    result = copy.deepcopy(result)
    model = rng.choice(result["models"])
    kinds = {
        "released_rows": lambda: result.update(released_rows=result["released_rows"] + 1),
        "suppressed_rows": lambda: result.update(suppressed_rows=result["suppressed_rows"] + 1),
        "rows": lambda: result.update(rows=result["rows"] + 1),
        "number of classes": lambda: result["classes"].update(count=result["classes"]["count"] + 1),
        "largest class": lambda: result["classes"].update(max=result["classes"]["max"] + 1),
        "unique rows": lambda: result["risk"].update(uniques=result["risk"]["uniques"] + 1),
        "no models": lambda: result.update(models=[]),
        "no classes": lambda: result.update(classes={}),
        "another schema": lambda: result.update(schema=99),
        "one model less": lambda: result["models"].remove(model),
        "a model that does not hold": lambda: model.update(holds=not model["holds"]),
        "a key that nobody knows": lambda: result.update(approved=True),
    }
    counts = ["number of classes", "largest class", "unique rows", "a model that does not hold"]
    kind = rng.choice(sorted(set(kinds) - set(counts if persons else [])))
    kinds[kind]()
    return kind, result


def judge_changed_release(rng, folder, job):
    """One cell of the release is changed: its hash is not that of the result."""
    release = read(folder.file("release.csv"))
    row, column = rng.randrange(len(release.rows)), rng.randrange(len(release.names))
    release.rows[row][column] += "x"
    Table(release.names, release.rows).write(folder.file("changed.csv"))
    code, out, _ = folder.run("check", "changed.csv", "--against", "result.json")
    if code == 0:
        raise Wrong(f"a changed release agrees: {out}")
