"""Every key of a result, one by one: removed, altered in several ways, and with a further one beside
it. `check --against` must reject each of these results, unless the key is listed here as open, and
then the answer itself must name it as not compared.

usage: audit_every_key.py MINGLE [all]

Results of many kinds of jobs are gone through. A key that stands in several of them, or at several
entries of a list, is tried at two entries of the first that has it; with `all` of each result.
"""
import copy
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MINGLE, EVERYWHERE = sys.argv[1], "all" in sys.argv[2:]

# Keys that may stay open, each only where the answer of `check` names it. `*` is any column or entry;
# what stands below such a key is open with it.
OPEN = [
    # the run and its files
    "mingle", "seconds", "reference_year", "nodes.checked", "nodes.total", "audit.input.bytes",
    "audit.input.sha256", "audit.hierarchies.*.bytes", "audit.hierarchies.*.sha256",
    "audit.recoding.bytes", "audit.recoding.sha256", "hierarchies.*.hierarchy",
    "hierarchies.*.builder", "bound.exact", "bound.proof", "curve", "history",
    # the table before
    "perturbation.columns.*.rows", "perturbation.columns.*.changed_rows",
    "perturbation.columns.*.near_rows", "perturbation.columns.*.margin_distance",
    "perturbation.columns.*.deviation_before", "perturbation.columns.*.deviation_after",
    "perturbation.columns.*.correlations", "perturbation.nearest",
    "audit.columns.*.values_before", "treatments.*.values_before", "linked.*.generalized_cells",
    "figures.columns.*.distribution.level", "figures.columns.*.distribution.groups.*.value",
    "figures.columns.*.distribution.pooled.values", "figures.sensitive.*.before", "figures.sensitive.*.values",
    "figures.before.classes.max", "figures.lattice.nodes.*.suppressed_rows",
    "unsafe_combinations.before", "unsafe_combinations.after.combinations_left_out",
    "unsafe_combinations.after.tuples_left_out", "known_totals.*.values", "left_out_rows",
    "row_choice", "items.items", "items.occurrences", "items.apriori_ncp", "items.exact",
    "items.cut.*.leaves", "applied",
    # of a recoding that was applied
    "node.*", "heights.*", "audit.hierarchies.*",
    # what was lost
    "utility.ambiguity", "utility.entropy_distortion", "utility.nonuniform_entropy",
    "utility.query_error", "microaggregation.groups", "microaggregation.il1s",
    "aggregation.classes", "aggregation.groups", "aggregation.node.*", "aggregation.exact",
    "aggregation.columns.*.changed_cells", "aggregation.columns.*.il1s",
    "aggregation.columns.*.values_per_cell",
    # strata, of which the searches need the input, and the classes of people their ids
    "strata.*.node.*", "strata.*.value", "strata.*.bound", "strata.*.classes",
    "strata.*.smallest_class",
    # levels with labels of lower ones, where the hierarchy is a file
    "levels.ward",
    # people who are not in the release
    "classes", "models.*.measured", "models.*.violating_rows", "models.*.violating_classes",
    "risk.prosecutor_mean", "risk.uniques", "risk.expected_reidentifications", "alone.rows",
    "figures.class_sizes.after", "figures.sensitive.*.after", "items.released.least",
    # trees of which the release shows the values alone, and tops that no cell shows
    "audit.sensitive.*.levels", "audit.sensitive.*.protected", "audit.tops.sex", "audit.tops.age",
    # what columns give back of cells that were generalized
    "leaks.*.message", "guard.warnings.*.message", "guard.pairs",
]

# Null where the search did not find it out, and where the table came through a pipe.
NULL = {"bound", "minimal_nodes", "unsafe_combinations.after", "aggregation.node", "strata.*.node",
        "audit.input"}

# Keys of the job that leave no trace; the answer names each of them in its entry for the job.
TRACELESS = {
    "accept", "allow-leaks", "combinations", "cut", "effort", "fold-case", "follow", "generalize",
    "header", "household", "identification", "importance", "keep-order", "km-separator", "level",
    "likelihood", "missing", "neutralize", "policy", "population", "prefer", "preference",
    "replace", "result", "sample", "save-proof", "suppress", "suppressed", "time-limit", "trim",
    "where"}

# Warnings that tell of the input, and do not follow from the rest of the result.
UNTOLD = {"treated-rows", "linked-rows", "unlinkable-column", "suppression-helps"}


# ---- Results to tamper with --------------------------------------------------------------------

def write_inputs():
    rng = random.Random(7)
    with open("data.csv", "w") as file:
        file.write("name,zip,age,sex,ward,disease,stay,home,sw,drugs,seen,amount,city\n")
        for i in range(160):
            zip_code = 2130 + rng.randrange(8)
            drugs = ";".join(sorted(rng.sample(["A1", "A2", "B1", "C1"], rng.choice([1, 1, 2, 3]))))
            file.write(
                f"P{i - (i % 3 == 2)},0{zip_code},{20 + rng.randrange(40)},{rng.choice('fm')},"
                f"{rng.choice('NNS')},d{rng.randrange(4)},{rng.randrange(9)},h{i // 2},"
                f"{rng.choice([1, 2, 5])},{drugs},2021-0{rng.randrange(1, 10)}-1{rng.randrange(10)},"
                f"{rng.randrange(1000, 900000)}.{rng.randrange(10, 100)},t{zip_code}\n")
    write("sex.csv", "f;person\nm;person\n")
    write("disease.csv", "d0;A;x;*\nd1;A;x;*\nd2;B;x;*\nd3;C;y;*\n")
    write("ward.csv", "N;N;all\nS;S;all\n")
    write("drugs.csv", "A1;A;*\nA2;A;*\nB1;B;*\nC1;C;*\nD1;D;*\n")
    write("key", "sixteen bytes and more\n")
    os.chmod("key", 0o600)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)


TREES = ["--hierarchy", "zip=mask(right)", "--hierarchy", "age=intervals(5,10,20)"]
SEX = ["--hierarchy", "sex=sex.csv"]
ROLES = ["--qi", "zip,age,sex", "--sensitive", "disease", *TREES, *SEX, "--rest", "drop"]
PLAIN = [*ROLES, "--insensitive", "stay", "-k", "4"]
LIMIT = ["--suppress", "10%"]

BASES = {
    "full": [*PLAIN, "--l-diversity", "disease=2", "--t-closeness", "disease=0.6", "--method",
             "mingen", *LIMIT, "--title", "Stays", "--author", "The holder"],
    "exempt": [*PLAIN, "--method", "mingen", "--suppressed", "exempt", *LIMIT, "--prefer",
               "distribution,suppression"],
    "cell": [*PLAIN, "--method", "cell", "--effort", "fast", "--weights", "zip=2"],
    "leaks": [*ROLES, "-k", "4", "--insensitive", "amount,city,stay", "--method", "mingen",
              "--allow-leaks", "amount,city", *LIMIT],
    "all leaks": [*ROLES, "-k", "4", "--insensitive", "name,city", "--sensitive", "amount",
                  "--method", "cell", "--allow-leaks"],
    "drop": [*PLAIN, "--t-closeness", "disease=0.6", "--method", "mingen", "--suppressed", "drop",
             *LIMIT, "--level", "zip=0..1"],
    "person": [*PLAIN, "--entity", "name", "--max-risk", "0.3", "--l-diversity", "disease=2"],
    "pseudonym": [*PLAIN, "--entity", "name", "--treat", "name=pseudonym", "--key", "key",
                  "--entity-view", "rows"],
    "joined": [*PLAIN, "--method", "mingen", "--entity", "name", "--treat", "name=pseudonym", "--key", "key",
               "--entity-view", "joined", "--suppressed", "drop", "--suppress", "60%"],
    "strata of people": [*PLAIN, "--entity", "name", "--by", "ward", "--method", "mingen",
                         "--suppress", "60%"],
    "private": ["--qi", "age,sex", "--rest", "drop", "--hierarchy", "age=intervals(20)", *SEX, "--level",
                "age=1..2", "--dp", "1,0.1"],
    "tree": [*PLAIN, "--extended-p", "disease=2", "--protect", "disease=A", "--t-closeness",
             "disease=0.6,hierarchical", "--sensitive-hierarchy", "disease=disease.csv",
             "--method", "mingen", *LIMIT],
    "policy": [*ROLES, "--insensitive", "stay", "--policy", "standard", "--method", "datafly",
               "--preference", "zip=0.5"],
    "map": [*PLAIN, "--k-map", "3", "--population", "data.csv", "--method", "mingen", *LIMIT],
    "weight": [*ROLES, "--k-map", "6", "--weight", "sw", "--insensitive", "sw", "--method",
               "mingen", *LIMIT],
    "fraction": [*PLAIN, "--sampling-fraction", "0.1", "--k-map", "6", "--method", "mingen",
                 "--suppress-above", "0.9", *LIMIT],
    "household": [*PLAIN, "--household", "home", "--household-risk", "0.9", "--method", "mingen"],
    "strata": [*PLAIN, "--by", "ward", "--method", "mingen", *LIMIT],
    "strata of cells": [*PLAIN, "--by", "ward", "--method", "cell", "--suppressed", "drop"],
    "sets": ["--qi-set", "zip,age", "--qi-set", "age,sex", *TREES, *SEX, "--sensitive", "disease",
             "--rest", "drop", "-k", "3", "--method", "mingen", "--weights", "age=1/3",
             "--likelihood", "sex=0.5", *LIMIT],
    "treatments": [*ROLES, "-k", "4", "--insensitive", "stay,amount,seen", "--treat",
                   "amount=round(100000)", "--treat", "seen=date(month)", "--treat",
                   "stay=top(5)", "--allow-leaks"],
    "perturbed": [*ROLES, "-k", "4", "--insensitive", "stay,amount,seen", "--treat",
                  "amount=noise(10 %, correlated with stay)", "--treat",
                  "stay=noise(10 %, correlated with amount)", "--treat", "seen=swap(rank 10 %)",
                  "--treat", "disease=pram(keep 80 %)", "--allow-leaks"],
    "perturbed quasi": [*PLAIN, "--treat", "age=swap(rank 10 %)", "--accept-perturbed", "age",
                        "--allow-leaks", "stay"],
    "linked": [*PLAIN, "--insensitive", "city", "--linked", "zip,city", "--method", "mingen",
               "--neutralize"],
    "follow": [*PLAIN, "--insensitive", "city", "--follow", "--method", "mingen", "--allow-leaks"],
    "items": [*PLAIN, "--km", "drugs=2,2", "--hierarchy", "drugs=drugs.csv", "--km-separator", ";",
              "--allow-leaks"],
    "aggregate": [*PLAIN, "--aggregate", "age=mean", "--method", "mingen", *LIMIT],
    "set": [*PLAIN, "--aggregate", "sex=set", "--method", "cell"],
    "mondrian": [*PLAIN, "--method", "mondrian", "--cut", "strict"],
    "k-member": [*PLAIN, "--method", "k-member", "--utility", "loss"],
    "averages": ["--qi", "age,stay", "--sensitive", "disease", "--rest", "drop", "-k", "4",
                 "--method", "microaggregate", "--replace", "mean"],
    "argus": [*PLAIN, "--method", "mu-argus", "--accept", "unsafe", "--identification",
              "zip=1,age=2,sex=3"],
    "local": [*PLAIN, "--method", "local-suppression", "--missing-matches", "all", "--importance",
              "zip=2"],
    "argus by hand": ["--qi", "zip,ward", "--sensitive", "disease", "-k", "4", "--rest", "drop",
                      "--hierarchy", "zip=mask(right)", "--hierarchy", "ward=ward.csv", "--method",
                      "mu-argus", "--accept", "unsafe", "--generalize", "ward=1,zip=1"],
    "items alone": ["--qi", "zip,age", *TREES, "-k", "4", "--km", "drugs=2,2", "--hierarchy",
                    "drugs=drugs.csv", "--km-separator", ";", "--rest", "drop", "--treat",
                    "seen=date(month)", "--allow-leaks"],
    "sets of people": ["--qi-set", "zip,age", "--qi-set", "sex", *TREES, *SEX, "--rest", "drop",
                       "-k", "4", "--delta-presence", "0,1", "--population", "data.csv",
                       "--method", "mingen", *LIMIT, "--suppressed", "drop"],
    "pairs": [*PLAIN, "--method", "local-suppression", "--combinations", "2"],
    "samarati": [*PLAIN, "--method", "samarati", *LIMIT, "--suppressed", "exempt", "--keep-order"],
    "incognito": [*PLAIN, "--method", "incognito", "--utility", "classification=disease"],
    "top-down": [*PLAIN, "--method", "top-down", "--curve", "2,4", "--hint"],
    "history": [*PLAIN, "--method", "mingen", "--history", "earlier.rec", *LIMIT],
    "some rows": [*PLAIN, "--method", "mingen", "--where", "age > 25", "--sample", "100", *LIMIT],
    "proposed": ["--qi", "zip,age,sex", "--sensitive", "disease", "--rest", "drop", "-k", "4",
                 "--method", "mingen", "--missing", ",NA,d3", "--trim", "--fold-case"],
    "proved": [*PLAIN, "--method", "cell", "--save-proof", "proof", "--time-limit", "20"],
    "harbor": [*ROLES, "--policy", "hipaa-safe-harbor", "-k", "4", "--method", "mingen",
               "--allow-leaks", *LIMIT],
    "spelling": [*PLAIN, "--l-diversity", "disease=2", "--spelling", "exact", "--missing-sensitive",
                 "value", "--method", "mingen", "--header", "yes"],
}


def run(*arguments):
    done = subprocess.run([MINGLE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    return done.returncode, done.stdout, done.stderr


def file_of(base):
    return base.replace(" ", "_")


def make(base):
    """The result of a base; its release stays in a file."""
    name = file_of(base)
    seed = [] if "--dp" in BASES[base] else ["--seed", "1"]
    code, _, error = run("anonymize", "data.csv", *BASES[base], "-o", f"{name}.csv", "--result",
                         f"{name}.json", "--quiet", *seed, "--threads", "1")
    assert code == 0, (base, code, error)
    with open(f"{name}.json") as file:
        return json.load(file)


def make_applied():
    """The result of `apply`, which has keys of its own."""
    run("anonymize", "data.csv", *PLAIN, "--method", "mingen", *LIMIT, "-o", "first.csv",
        "--save-recoding", "rule.rec", "--quiet")
    with open("data.csv") as file:
        lines = file.read().splitlines()
    write("more.csv", "\n".join([lines[0], *lines[1:90]]) + "\n")
    code, _, error = run("apply", "rule.rec", "more.csv", "-o", "applied.csv", "--result",
                         "applied.json", "--quiet", "--suppress", "30%")
    assert code == 0, error
    with open("applied.json") as file:
        return json.load(file)


# ---- Ways to edit ------------------------------------------------------------------------------

COLUMNS = ["name", "zip", "age", "sex", "ward", "disease", "stay", "home", "sw", "drugs", "seen",
           "amount", "city"]


def parts(value, path=()):
    """The paths of everything that has no parts, and of every object and list."""
    yield path, value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from parts(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from parts(part, (*path, i))


def kind_of(path):
    """A path without what differs from result to result."""
    return tuple("*" if isinstance(step, int) or step in COLUMNS else step for step in path)


def others(value):
    """Values that could stand in the place of one: near it, of another kind, and none."""
    return [*similar(value), *([] if value is None else [None])]


def similar(value):
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, (int, float)):
        return [value + 1, value * 1.01 + 0.001 if isinstance(value, float) else value + 1000]
    if value is None:
        return [1, "x"]
    if isinstance(value, str):
        near = []
        if value.replace(".", "", 1).isdigit():
            near = [str(int(value) + 1) if value.isdigit() else str(float(value) / 2)]
        elif value in ("true", "false"):
            near = ["false" if value == "true" else "true"]
        elif value in COLUMNS:
            near = [COLUMNS[COLUMNS.index(value) - 1]]
        return [*near, value + "x", ""]
    if isinstance(value, dict):
        return [{**value, "further": 1}, {}] if value else [{"further": 1}]
    return [[*value, copy.deepcopy(value[-1])], value[:-1]] if value else [["further"], [1]]


def edited(document, path, *value):
    """A copy with another value at a path, or without what is there."""
    if not path:
        return value[0]
    copied = copy.copy(document)
    if len(path) == 1 and not value:
        del copied[path[0]]
    else:
        copied[path[0]] = edited(document[path[0]], path[1:], *value) if len(path) > 1 else value[0]
    return copied


def edits(document, path, value):
    """(what is done, the edited document)"""
    if path:
        yield "removed", edited(document, path)
    for other in others(value):
        yield f"{json.dumps(other)[:60]} for {json.dumps(value)[:60]}", edited(document, path, other)


# ---- Judging -----------------------------------------------------------------------------------

def matches(pattern, path):
    """Is it the key of a pattern, or a part of it?"""
    steps = pattern.split(".")
    return len(steps) <= len(path) and all(step in ("*", str(there))
                                           for step, there in zip(steps, path))


def is_named(not_compared, path, document):
    """Does the answer name the key as not compared? Of the job, by name."""
    for entry in not_compared:
        keys, why = entry.split(": ", 1)
        if keys == "audit.job":
            if path[:2] == ("audit", "job") and set(path) & set(why.replace(",", "").split()):
                return True
        elif any(matches(key.strip(), path) for key in keys.split(",")):
            return True
        elif path[0] == "models" and len(path) == 3 and keys == model_name(document["models"][path[1]]):
            return True
    return False


def model_name(model):
    return " ".join([str(model.get("model")), *filter(None, [model.get("parameters", {}).get("attribute")])])


def is_idle(path, what, document):
    """Keys of the job that say what would be so anyway, or that nothing uses."""
    attributes, last = document["audit"]["job"]["attributes"], path[-1]
    return (last == "method" and what == "removed" and document["method"] == "cell" or
            last == "rest" and len(attributes) == len(document["audit"]["columns"]) or
            last == "hierarchy" and "aggregate" in attributes[path[-2]])


def is_open(path, what, document):
    """May the key be accepted, if the answer names it?"""
    if path[:2] == ("audit", "job"):
        return bool(TRACELESS & set(path)) or is_idle(path, what, document)
    if path[0] == "warnings":
        codes = [str(warning.get("code")) for warning in document["warnings"]]
        return not codes or any(code.startswith(tuple(UNTOLD)) for code in codes)
    if path[:2] == ("audit", "columns"):  # nobody sees columns that were not released
        columns = document["audit"]["columns"]
        unseen = what == "removed" or len(path) == 2 or not columns[path[2]]["released"]
        return path[-1] == "values_before" or unseen and path[-1] not in ("role", "released")
    removed = what == "removed" and isinstance(path[-1], str)
    if what.startswith("null for") and ".".join(kind_of(path)) in NULL:
        return True
    return any(matches(key, path) for key in OPEN) and not (removed and path[:1] != ("history",) and
                                                           path[-1] != "suppressed")


def judge(task):
    """What is wrong with the answer to an edited result; None: nothing."""
    number, base, path, what, document = task
    name = f"edited{number}.json"
    write(name, json.dumps(document))
    code, output, error = run("check", f"{file_of(base)}.csv", "--against", name, "--json")
    os.remove(name)
    where = ".".join(map(str, path))
    if output == "":
        return None if code in (1, 2, 3) and error.startswith("mingle: ") else f"{where}: {what}: exit {code}"
    against = json.loads(output)["against"]
    if not against["agrees"]:
        return None if code == 1 else f"{where}: {what}: exit {code}"
    if not is_named(against["not_compared"], path, document):
        return f"{where}: {what}: accepted"
    return None if is_open(path, what, document) else f"{where}: {what}: is open, and may not be"


def tasks(results):
    seen, number = set(), 0
    for base, document in results.items():
        fresh = {}
        for path, value in parts(document):
            kind = kind_of(path)
            fresh[kind] = fresh.get(kind, 0) + 1
            if fresh[kind] > 2 or kind in seen and not EVERYWHERE:
                continue
            for what, document_now in edits(document, path, value):
                number += 1
                yield number, base, path, what, document_now
        seen |= set(fresh)


def main():
    write_inputs()
    run("anonymize", "data.csv", "--qi", "zip,age", "--rest", "drop", "-k", "2", "--method",
        "mingen", "--save-recoding", "earlier.rec", "--quiet")
    results = {base: make(base) for base in BASES}
    results["applied"] = make_applied()
    wrong = []
    for base in results:
        code, output, error = run("check", f"{file_of(base)}.csv", "--against",
                                  f"{file_of(base)}.json", "--json")
        against = json.loads(output)["against"] if output else {"agrees": False, "differences": error}
        if not against["agrees"]:
            wrong.append(f"{base}: untouched, and rejected: {against['differences']}")
    everything = list(tasks(results))
    with ThreadPoolExecutor(2) as pool:
        for task, answer in zip(everything, pool.map(judge, everything)):
            if answer is not None:
                wrong.append(f"{task[1]}: {answer}")
    print("\n".join(wrong))
    print(f"{len(everything)} edits of {len(results)} results, {len(wrong)} not as they should be")
    return 1 if wrong or len(everything) < 2000 else 0


if __name__ == "__main__":
    sys.exit(main())
