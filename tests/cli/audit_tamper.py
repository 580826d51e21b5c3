"""A table of tamperings: each row edits a result, its release, or both, and says what the audit must
complain about. The untouched pairs must agree.

usage: audit_tamper.py MINGLE
"""
import copy
import hashlib
import json
import random
import re
import subprocess
import sys

MINGLE = sys.argv[1]


# ---- Releases to tamper with ------------------------------------------------------------------

def write_inputs():
    rng = random.Random(7)
    with open("data.csv", "w") as file:
        file.write("name,zip,age,sex,disease,stay\n")
        for i in range(120):
            file.write(f"P{i - (i % 3 == 2)},0{2130 + rng.randrange(8)},{20 + rng.randrange(40)},"
                       f"{rng.choice('fm')},d{rng.randrange(4)},{rng.randrange(9)}\n")
    with open("sex.csv", "w") as file:
        file.write("f;person\nm;person\n")
    with open("disease.csv", "w") as file:
        file.write("d0;A;x;*\nd1;A;x;*\nd2;B;x;*\nd3;C;y;*\n")


ROLES = ["--qi", "zip,age,sex", "--sensitive", "disease", "--insensitive", "stay", "--hierarchy",
         "zip=mask(right)", "--hierarchy", "age=intervals(5,10,20)", "--hierarchy", "sex=sex.csv",
         "--allow-leaks"]
BASES = {
    "full": ["--identifier", "name", "-k", "4", "--l-diversity", "disease=2", "--t-closeness",
             "disease=0.6", "--method", "mingen", "--suppress", "10%", "--title", "Stays"],
    "exempt": ["--identifier", "name", "-k", "4", "--method", "mingen", "--suppressed", "exempt",
               "--suppress", "10%"],
    "cell": ["--identifier", "name", "-k", "4", "--method", "cell"],
    "drop": ["--identifier", "name", "-k", "4", "--t-closeness", "disease=0.6", "--method",
             "mingen", "--suppressed", "drop", "--suppress", "10%", "--level", "zip=0..1"],
    "person": ["--entity", "name", "-k", "4", "--max-risk", "0.3", "--l-diversity", "disease=2"],
    "tree": ["--identifier", "name", "-k", "4", "--extended-p", "disease=2", "--protect",
             "disease=A", "--t-closeness", "disease=0.6,hierarchical", "--sensitive-hierarchy",
             "disease=disease.csv", "--method", "mingen", "--suppress", "10%"],
    "policy": ["--identifier", "name", "--policy", "standard", "--method", "datafly"],
    "map": ["--identifier", "name", "-k", "4", "--k-map", "3", "--population", "data.csv",
            "--method", "mingen", "--suppress", "10%"],
}


def run(*arguments):
    done = subprocess.run([MINGLE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    return done.returncode, done.stdout, done.stderr


def make_bases():
    for name, options in BASES.items():
        code, _, error = run("anonymize", "data.csv", *ROLES, *options, "-o", f"{name}.csv",
                             "--result", f"{name}.json", "--quiet", "--seed", "1")
        assert code == 0, (name, error)


# ---- Ways to edit ------------------------------------------------------------------------------

def find(document, path):
    """The container and the last key of a path such as models.0.parameters.k."""
    *steps, last = path.split(".")
    for step in steps:
        document = document[int(step)] if isinstance(document, list) else document[step]
    return document, int(last) if isinstance(document, list) else last


def put(path, value):
    def edit(document, release):
        where, key = find(document, path)
        assert isinstance(where, list) or where.get(key, ...) != value, f"{path} is {value} already"
        where[key] = value
        return release
    return edit


def add(path, by):
    def edit(document, release):
        where, key = find(document, path)
        where[key] += by
        return release
    return edit


def remove(path):
    def edit(document, release):
        where, key = find(document, path)
        del where[key]
        return release
    return edit


def both(*edits):
    def edit(document, release):
        for one in edits:
            release = one(document, release)
        return release
    return edit


def rehash(document, release):
    """What a forger would do: the hash and the size of the changed release."""
    document["audit"]["release"]["sha256"] = hashlib.sha256(release).hexdigest()
    document["audit"]["release"]["bytes"] = len(release)
    return release


def lines(change, forged=True):
    """change gets the lines of the release; the hash is adjusted unless it is not forged."""
    def edit(document, release):
        changed = ("\n".join(change(release.decode().splitlines())) + "\n").encode()
        assert changed != release
        return rehash(document, changed) if forged else changed
    return edit


def cells(column, change):
    def edit_lines(all_lines):
        header = all_lines[0].split(",")
        rows = [line.split(",") for line in all_lines[1:]]
        for number, row in enumerate(rows):
            row[header.index(column)] = change(number, row[header.index(column)])
        return [all_lines[0]] + [",".join(row) for row in rows]
    return lines(edit_lines)


def swap_columns(all_lines):
    return [",".join([f[1], f[0], *f[2:]]) for f in (line.split(",") for line in all_lines)]


def add_names(all_lines):
    return [all_lines[0] + ",name"] + [f"{line},P{i}" for i, line in enumerate(all_lines[1:])]


def model(name):
    """Where a model of this name stands in base documents that have it."""
    def number(document):
        return [m["model"] for m in document["models"]].index(name)
    return number


# ---- The table ---------------------------------------------------------------------------------

# (base, what is done, how, a pattern that one of the complaints must match)
TABLE = [
    # models
    ("full", "k is 10", put("models.0.parameters.k", 10), "k-anonymity"),
    ("full", "l is 9", put("models.1.parameters.l", 9), "l-diversity"),
    ("full", "t is 0.001", put("models.2.parameters.t", 0.001), "t-closeness"),
    ("full", "k is 10 in the job, too",
     both(put("models.0.parameters.k", 10), put("audit.job.privacy.0.k-anonymity", "10")),
     "k-anonymity (holds|measured)"),
    ("full", "and measured", both(put("models.0.parameters.k", 10), put("models.0.measured", 10),
                                  put("audit.job.privacy.0.k-anonymity", "10")),
     "k-anonymity measured"),
    ("full", "k is 3 in the job alone", put("audit.job.privacy.0.k-anonymity", "3"), "k-anonymity"),
    ("full", "l is 9 in the job, too",
     both(put("models.1.parameters.l", 9), put("audit.job.privacy.1.l-diversity.l", "9")),
     "l-diversity disease holds"),
    ("full", "t is 0.001 in the job, too",
     both(put("models.2.parameters.t", 0.001), put("audit.job.privacy.2.t-closeness.t", "0.001")),
     "t-closeness disease holds"),
    ("full", "another distance", put("models.2.parameters.distance", "ordered"), "t-closeness"),
    ("full", "another column is protected", put("models.1.parameters.attribute", "stay"),
     "l-diversity"),
    ("full", "no models", put("models", []), "^models: missing"),
    ("full", "models are gone", remove("models"), "^models: missing"),
    ("full", "a model is gone", remove("models.1"), "l-diversity disease: missing"),
    ("full", "a model is gone from the job", remove("audit.job.privacy.1"), "l-diversity"),
    ("full", "a model is gone from both",
     both(remove("models.1"), remove("audit.job.privacy.1"), put("utility.c_avg", 1.0)), "c_avg"),
    ("full", "a model twice",
     lambda d, r: (d["models"].append(copy.deepcopy(d["models"][0])), r)[1], "k-anonymity"),
    ("full", "a model more",
     lambda d, r: (d["models"].append(dict(d["models"][0], model="max-risk",
                                           parameters={"x": 0.1})), r)[1], "max-risk"),
    ("full", "an unknown model",
     lambda d, r: (d["models"].append(dict(d["models"][0], model="magic")), r)[1], "magic"),
    ("full", "measured is better", add("models.0.measured", 1), "k-anonymity measured"),
    ("full", "measured is gone", remove("models.0.measured"), "k-anonymity.measured: missing"),
    ("full", "holds is gone", remove("models.0.holds"), "k-anonymity.holds: missing"),
    ("full", "does not hold", put("models.0.holds", False), "k-anonymity holds"),
    ("full", "rows that break it", put("models.0.violating_rows", 3), "violating_rows"),
    ("full", "another promise", put("models.0.promise", "nobody is ever found"), "promise"),
    ("full", "a model has a key more", put("models.0.certified", True), "certified"),
    # classes and risk
    ("full", "no classes", put("classes", {}), "classes.count: missing"),
    ("full", "classes are gone", remove("classes"), "^classes: missing"),
    ("full", "the least class", add("classes.min", 1), "classes.min"),
    ("full", "the largest class", put("classes.max", 77), "classes.max: the result claims 77"),
    ("full", "a class more", add("classes.count", 1), "classes.count"),
    ("full", "the mean class", add("classes.mean", 0.5), "classes.mean"),
    ("full", "classes have a key more", put("classes.median", 5), "classes.median"),
    ("full", "less risk", put("risk.prosecutor_max", 0.01), "risk.prosecutor_max"),
    ("full", "risk is gone", remove("risk"), "^risk: missing"),
    ("full", "no uniques", add("risk.uniques", 1), "risk.uniques"),
    ("full", "sizes of classes", put("figures.class_sizes.after", []), "class_sizes"),
    # rows
    ("full", "rows", add("rows", 1), "^rows"),
    ("full", "released rows", add("released_rows", 1), "released_rows"),
    ("full", "suppressed rows", put("suppressed_rows", 0), "suppressed_rows"),
    ("drop", "more rows were dropped", add("suppressed_rows", 5), "^rows"),
    ("drop", "more rows were dropped, of more", both(add("suppressed_rows", 5), add("rows", 5)),
     "utility|figures"),
    ("exempt", "nothing is exempt", put("suppressed_rows", 0), "suppressed_rows"),
    ("exempt", "the warning of exempt rows is gone", put("warnings", []), "warnings.exempt-rows"),
    # the document
    ("full", "an unknown key", put("certificate", "gold"), "certificate"),
    ("full", "another command", put("command", "risk"), "command"),
    ("full", "another method", put("method", "cell"), "method"),
    ("full", "another measure", put("measure", "loss"), "measure"),
    ("full", "the columns of the node", put("node", {"zip": 1}), "node.age: missing"),
    ("full", "a node above its height", put("node.sex", 9), "node.sex"),
    ("full", "a column is said to be at its top",
     lambda d, r: put("node.age", d["heights"]["age"])(d, r), "node.age"),
    ("full", "heights", put("heights.zip", 0), "heights.zip"),
    ("full", "no height", remove("heights.zip"), "heights.zip: missing"),
    ("full", "what was achieved", put("bound.achieved", 0.99), "bound.achieved"),
    ("full", "the gap", put("bound.gap", 0.5), "bound.gap"),
    ("full", "the best possible is worse", both(put("bound.best_possible", 0.1),
                                                put("bound.exact", False)), "bound"),
    ("full", "precision alone", put("utility.precision", 0.999), "bound.achieved"),
    ("full", "an impossible loss", put("utility.loss", -0.2), "utility.loss"),
    ("full", "discernibility", put("utility.discernibility", 1), "utility.discernibility"),
    ("full", "the average class", put("utility.average_class_size", 4.0), "average_class_size"),
    ("full", "a measure is gone", remove("utility.ncp"), "utility.ncp: missing"),
    ("full", "a measure more", put("utility.beauty", 1.0), "utility.beauty"),
    ("cell", "suppressed cells", add("suppressed_cells.zip", 3), "suppressed_cells.zip"),
    ("cell", "one level per column", put("node", {"zip": 1, "age": 1, "sex": 1}),
     "mixture|suppressed_cells|node"),
    ("full", "another quasi-identifier", put("quasi_identifier", ["zip", "age"]),
     "quasi_identifier"),
    ("full", "persons", put("entity", "name"), "entity"),
    ("full", "unchanged columns", put("unchanged", []), "unchanged"),
    ("full", "another title", put("about.title", "Peace"), "about.title"),
    ("full", "leaks", put("leaks", [{"code": "x", "column": "nobody", "message": "m"}]), "leaks"),
    ("full", "the guard did not look", put("guard.columns", []), "guard.columns"),
    ("full", "missing cells match", put("missing_matches", "all"), "missing_matches"),
    ("full", "seconds are gone", remove("seconds"), "seconds: missing"),
    # the audit trail
    ("full", "the hash", put("audit.release.sha256", "0" * 64), "sha256 of the release"),
    ("full", "the size", add("audit.release.bytes", 1), "audit.release.bytes"),
    ("full", "no hash", remove("audit.release.sha256"), "audit.release.sha256: missing"),
    ("full", "no release", put("audit.release", None), "audit.release"),
    ("full", "another file", put("output", "other.csv"), "output"),
    ("full", "an identifier is said to be released", put("audit.columns.0.released", True),
     "columns of the release"),
    ("full", "a released column is kept quiet", remove("audit.columns.5"), "columns of the release"),
    ("full", "another role", put("audit.columns.5.role", "sensitive"), "audit.columns.stay.role"),
    ("full", "values of a column", add("audit.columns.2.values_after", 1), "values_after"),
    ("full", "another top", put("audit.tops.sex", "f"), "suppressed_rows|classes|suppressed_cells"),
    ("full", "tops are gone", remove("audit.tops"), "audit.tops: missing"),
    ("full", "another treatment", put("audit.job.suppressed", "exempt"), "suppressed|exempt|classes"),
    ("full", "an unknown key of the job", put("audit.job.blessed", "true"), "audit.job.blessed"),
    ("full", "a column of the job changed roles", put("audit.job.attributes.stay.role", "sensitive"),
     "audit.columns.stay.role"),
    ("full", "a hierarchy", put("audit.hierarchies.zip", "mask(left)"), "hierarchies.zip"),
    ("tree", "the groups of values", put("audit.sensitive.disease.levels.0", [0, 1, 2, 3]),
     "extended-p|t-closeness"),
    ("tree", "nothing is protected", put("audit.sensitive.disease.protected", [[2, 0], [2, 1]]),
     "extended-p"),
    ("tree", "the tree is gone", put("audit.sensitive", {}), "audit.sensitive.disease: missing"),
    ("tree", "a value is gone from the tree",
     lambda d, r: ([one.pop() for one in d["audit"]["sensitive"]["disease"]["levels"]],
                   d["audit"]["sensitive"]["disease"]["values"].pop(), r)[2], "audit.sensitive"),
    ("policy", "the policy is gone", remove("audit.job.policy"), "k-anonymity|max-risk|policy"),
    ("policy", "its models are weaker", put("audit.policy.0.k-anonymity", "2"), "k-anonymity"),
    ("person", "more persons than rows", put("models.0.measured", 10000), "k-anonymity measured"),
    ("person", "less risk than persons allow", put("risk.prosecutor_max", 0.001),
     "risk.prosecutor_max"),
    ("person", "a model of persons that holds although it does not",
     lambda d, r: put(f"models.{model('max-risk')(d)}.measured", 0.9)(d, r), "max-risk measured"),
    ("person", "different values of persons",
     lambda d, r: add(f"models.{model('l-diversity')(d)}.measured", 3)(d, r), "l-diversity"),
    ("map", "the model of the population is gone",
     lambda d, r: remove(f"models.{model('k-map')(d)}")(d, r), "models that the job asks for"),
    ("map", "another parameter of it",
     lambda d, r: put(f"models.{model('k-map')(d)}.parameters.k", 99)(d, r), "k-map"),
    # the release
    ("full", "a cell changes", lines(lambda l: [l[0], l[1].replace(",d", ",e")] + l[2:], False),
     "sha256 of the release"),
    ("full", "a row is gone", lines(lambda l: l[:3] + l[4:]), "released_rows"),
    ("full", "a row is added", lines(lambda l: l + [l[1]]), "released_rows"),
    ("full", "an identifying column is added", lines(add_names), "columns of the release"),
    ("full", "a column is gone", lines(lambda l: [x.rpartition(",")[0] for x in l]),
     "columns of the release|no column"),
    ("full", "columns change places", lines(swap_columns), "columns of the release"),
    ("full", "a column is renamed", lines(lambda l: [l[0].replace("stay", "days")] + l[1:]),
     "columns of the release|no column"),
    ("full", "a quasi-identifier is finer", cells("age", lambda i, cell: f"{cell}.{i % 3}"),
     "classes"),
    ("full", "one row is unique", cells("zip", lambda i, cell: "99999" if i == 0 else cell),
     "k-anonymity"),
    ("full", "sensitive values change", cells("disease", lambda i, cell: "d0"), "l-diversity"),
    ("full", "a row is suppressed", lines(
        lambda l: [l[0], ",".join(["*", "*", "person", *l[1].split(",")[3:]])] + l[2:]
        if not l[1].startswith("*") else l[:2] + [
            ",".join(["*", "*", "person", *l[2].split(",")[3:]])] + l[3:]), "."),
    ("tree", "a sensitive value that no tree has", cells("disease", lambda i, cell: "d9" if i == 0
                                                         else cell), "audit.sensitive"),
]


# ---- Judging -----------------------------------------------------------------------------------

def judge(base, edit):
    """Exit code and complaints of the audit of an edited pair."""
    with open(f"{base}.json") as file:
        document = json.load(file)
    with open(f"{base}.csv", "rb") as file:
        release = file.read()
    release = edit(document, release)
    with open("edited.json", "w") as file:
        json.dump(document, file)
    with open("edited.csv", "wb") as file:
        file.write(release)
    code, output, error = run("check", "edited.csv", "--against", "edited.json", "--json")
    if output == "":
        return code, [error]
    result = json.loads(output)
    complaints = [w["message"] for w in result["warnings"] if w["code"] == "differs"]
    assert result["against"]["agrees"] == (complaints == [])
    return code, complaints


def main():
    wrong = []
    write_inputs()
    make_bases()
    for base in BASES:
        code, complaints = judge(base, lambda document, release: release)
        if code != 0 or complaints:
            wrong.append(f"{base}, untouched: exit {code}: {complaints}")
    for base, name, edit, pattern in TABLE:
        code, complaints = judge(base, edit)
        if code != 1 or not any(re.search(pattern, complaint) for complaint in complaints):
            wrong.append(f"{base}: {name}: exit {code}: {complaints}")
    for schema in (2, 0, "1", None):
        code, complaints = judge("full", put("schema", schema))
        if code != 3 or "schema" not in complaints[0]:
            wrong.append(f"schema {schema}: exit {code}: {complaints}")
    print("\n".join(wrong))
    print(f"{len(TABLE)} kinds of tampering, {len(wrong)} not as they should be")
    return 1 if wrong or len({name for _, name, _, _ in TABLE}) < 60 else 0


if __name__ == "__main__":
    sys.exit(main())
