"""Commands that look and write nothing, against those that do: views.py MINGLE SEED JOBS.

Random small tables and jobs of all methods. Each entry of what-if must have the figures of a run of
the job with that change, made by its merge patch. Each row of preview must read as the row of the
release that the job writes, with the class sizes that are counted there and in `risk --rows`, and
its filters must leave the rows that plain Python leaves. Trees of hierarchies must come back as the
hierarchies they were. Plain Python alone; nothing of src is used."""
import csv
import json
import random
import subprocess
import sys
from collections import Counter

METHODS = ("mingen", "samarati", "incognito", "datafly", "top-down", "cell", "mondrian", "k-member",
           "local-suppression", "mu-argus")
FIGURES = ("method", "node", "measure", "released_rows", "suppressed_rows", "classes", "utility",
           "bound", "models", "risk")
NAMES = ("q0", "a.b", 'say "x"', "größe", "q 4")


class Failed(Exception):
    pass


def want(truth, *words):
    if not truth:
        raise Failed(" ".join(map(str, words)))


def run(mingle, *arguments):
    done = subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)
    want(done.returncode in (0, 1, 2, 3), arguments, done.returncode, done.stderr)
    return done


# ---- Random jobs -------------------------------------------------------------------------------------

def make_job(draw):
    columns = draw.sample(NAMES, draw.randint(1, 3))
    values = {c: [f"{c[0]}{g}{v}" for g in range(draw.randint(1, 3)) for v in range(draw.randint(1, 3))]
              for c in columns}
    rows = [[draw.choice(values[c]) for c in columns] + [draw.choice("xyz")] for _ in range(draw.randint(8, 60))]
    with open("data.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([columns + ["d"]] + rows)
    attributes = {}
    for i, column in enumerate(columns):
        path = f"h{i}.csv"
        with open(path, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, delimiter=";").writerows([[v, v[:2], "*"] for v in values[column]])
        attributes[column] = {"role": "quasi", "hierarchy": path}
    attributes["d"] = {"role": draw.choice(("sensitive", "insensitive"))}
    job = {"data": "data.csv", "attributes": attributes,
           "privacy": [{"k-anonymity": draw.choice((2, 3, 5, 4, 7))}],
           "method": draw.choice(METHODS), "output": "release.csv",
           "suppressed": draw.choice(("keep", "keep", "drop", "exempt")), "allow-leaks": True}
    if draw.random() < 0.6:
        job["suppress"] = draw.choice(("10%", "2", "20%", "5", "1%"))
    if attributes["d"]["role"] == "sensitive" and draw.random() < 0.5:
        job["privacy"].append({"l-diversity": {"attribute": "d", "l": 2}})
    return job, columns, rows


def write_job(job, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(job, file, ensure_ascii=False)


# ---- What if -----------------------------------------------------------------------------------------

def patched(document, patch):
    """RFC 7396."""
    if not isinstance(patch, dict):
        return patch
    result = dict(document) if isinstance(document, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = patched(result.get(key), value)
    return result


def same_figures(mingle, job, told, what):
    write_job(job, "changed.yaml")
    done = run(mingle, "anonymize", "changed.yaml", "--dry-run", "--brief", "--json")
    if told["error"] is not None:
        want(done.returncode in (1, 3), what, "says", told["error"], "but a run gives", done.returncode)
        return
    want(done.returncode == (0 if told["holds"] else 1), what, "holds", told["holds"], done.returncode, done.stderr)
    found = json.loads(done.stdout)
    for key in FIGURES:
        want(found.get(key) == told[key], what, key, told[key], "in a run:", found.get(key))


def try_what_if(mingle, job):
    write_job(job, "job.yaml")
    done = run(mingle, "what-if", "job.yaml", "--json")
    want(done.returncode in (0, 1), "what-if", done.returncode, done.stderr)
    told = json.loads(done.stdout)
    want(told["left_out"] == [], "nothing is left out without a budget")
    same_figures(mingle, job, told["answer"], "answer")
    for change in told["changes"]:
        same_figures(mingle, patched(job, change["patch"]), change, change["change"])
    kinds = [change["kind"] for change in told["changes"]]
    for kind in set(kinds):
        some = json.loads(run(mingle, "what-if", "job.yaml", "--json", "--changes", kind).stdout)
        strip = [{k: v for k, v in c.items() if k != "seconds"} for c in some["changes"]]
        want(strip == [{k: v for k, v in c.items() if k != "seconds"} for c in told["changes"] if c["kind"] == kind],
             "--changes", kind, "gives something else")
        want("answer" not in some, "the answer was not asked for")
    return len(kinds)


# ---- Preview -----------------------------------------------------------------------------------------

def preview(mingle, *options):
    done = run(mingle, "preview", "job.yaml", "--json", *options)
    want(done.returncode in (0, 1), "preview", done.returncode, done.stderr)
    return json.loads(done.stdout)


def try_preview(mingle, draw, job, columns, rows):
    write_job(job, "job.yaml")
    shown = preview(mingle, "--window", "1,1000")
    want([r["before"] for r in shown["window"]] == [r[:-1] for r in rows], "before is the table")
    want([r["row"] for r in shown["window"]] == list(range(1, len(rows) + 1)), "numbers of rows")
    before = Counter(tuple(r[:-1]) for r in rows)
    for told, row in zip(shown["window"], rows):
        want(told["size_before"] == before[tuple(row[:-1])], "size before", told)
    done = run(mingle, "anonymize", "job.yaml", "--keep-order")
    if done.returncode == 0:
        released = list(csv.reader(open("release.csv", encoding="utf-8")))
        want(released[0][:-1] == columns, "columns of the release")
        after = [r["after"] for r in shown["window"] if r["after"] is not None]
        want(after == [r[:-1] for r in released[1:]], "after is the release")
        sizes = Counter(map(tuple, after))
        for told in shown["window"]:
            if told["size"] is not None:
                want(told["size"] == sizes[tuple(told["after"])], "size", told)
    elif shown["error"] is not None:
        want(all(r["after"] is None for r in shown["window"]), "nothing is released")
    try_filters(mingle, draw, job, shown)


def try_filters(mingle, draw, job, shown):
    rows = shown["window"]
    row = draw.randint(1, len(rows))
    same = rows[row - 1]
    wanted = {
        "changed": [r for r in rows if shown["error"] is None and (r["after"] is None or r["after"] != r["before"])],
        "suppressed": [r for r in rows if r["suppressed"]],
        "breaking": [r for r in rows if r["breaks"]],
        f"class={row}": [r for r in rows if (r["class"] == same["class"] if shown["error"] is None
                                             else r["before"] == same["before"])],
    }
    if list(map(list, job["privacy"])) == [["k-anonymity"]]:
        k = job["privacy"][0]["k-anonymity"]
        want(wanted["breaking"] == [r for r in rows if r["size_before"] < k], "rows that break k-anonymity")
    for name, left in wanted.items():
        first, n = draw.randint(1, len(left) + 1), draw.randint(0, 9)
        some = preview(mingle, "--show", name, "--window", f"{first},{n}")
        want(some["matching"] == len(left), name, some["matching"], len(left))
        want(some["window"] == left[first - 1:first - 1 + n], name, "window", first, n)


# ---- Trees -------------------------------------------------------------------------------------------

def try_trees(mingle, columns, rows):
    # On a command line a name is quoted if it has a comma or an equals sign; these have neither.
    for i, column in enumerate(columns):
        if '"' in column:
            continue
        given = f"{column}=h{i}.csv"
        plain = run(mingle, "hierarchy", "build", "data.csv", "--hierarchy", given).stdout
        told = json.loads(run(mingle, "hierarchy", "tree", "data.csv", "--hierarchy", given, "--json").stdout)
        tree = told["hierarchies"][0]["tree"]
        counts = Counter(r[i] for r in rows)

        def check(node):
            below = sum(map(check, node["nodes"])) if "nodes" in node else counts[node["label"]]
            want(node["rows"] == below, "rows of", node["label"])
            return below

        want(check(tree) == len(rows), "all rows are under the top")
        with open("tree.json", "w", encoding="utf-8") as file:
            json.dump(tree, file)
        again = run(mingle, "hierarchy", "build", "data.csv", "--hierarchy", f"{column}=tree.json").stdout
        want(again == plain, "a tree comes back as it was", column)


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    changes = 0
    for number in range(seed, seed + jobs):
        draw = random.Random(number)
        job, columns, rows = make_job(draw)
        try:
            try_preview(mingle, draw, job, columns, rows)
            try_trees(mingle, columns, rows)
            if number % 4 == 0:
                changes += try_what_if(mingle, job)
        except Failed as wrong:
            print(f"seed {number}: {wrong}", file=sys.stderr)
            sys.exit(1)
    want(changes > jobs, "too few changes were tried")


main()
