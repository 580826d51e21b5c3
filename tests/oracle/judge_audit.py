"""check --against: honest results agree with their releases, and changed ones do not."""
import copy
import json

import judge_cell
import judge_methods
import judge_releases
from program import Wrong, all_options, write_job
from tables import Table, read


def judge(rng, folder):
    job = rng.choice([judge_releases, judge_cell, judge_methods]).random_job(rng)
    write_job(folder, job)
    code, _, err = folder.run("anonymize", "table.csv", *all_options(job), "--method", job.method,
                              "--allow-leaks", "-o", "release.csv", "--result", "result.json",
                              "--quiet")
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
