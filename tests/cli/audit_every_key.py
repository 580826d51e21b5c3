"""Every key of a result, one by one: removed, altered in several ways, and with a further one beside
it. `check --against` must reject each of these results, or name the key itself as not compared.

usage: audit_every_key.py MINGLE [all]

Results of many kinds of jobs are gone through. A key that stands in several of them (a column of
another name, another entry of a list) is tried once, with `all` in every result.
"""
import copy
import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

MINGLE, EVERYWHERE = sys.argv[1], "all" in sys.argv[2:]

# Keys that may stay open, each only where the answer of `check` names it. `*` is any column, entry
# or name; what stands below such a key is open with it.
OPEN = [
]


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
    "joined": [*PLAIN, "--entity", "name", "--treat", "name=pseudonym", "--key", "key",
               "--entity-view", "joined", "--suppressed", "drop", "--suppress", "60%"],
    "strata of people": [*PLAIN, "--entity", "name", "--by", "ward", "--method", "mingen",
                         "--suppress", "60%"],
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
    code, _, error = run("anonymize", "data.csv", *BASES[base], "-o", f"{name}.csv", "--result",
                         f"{name}.json", "--quiet", "--seed", "1", "--threads", "1")
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


def leaves(value, path=()):
    """The paths of everything that has no parts, and of every object and list."""
    yield path, value
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from leaves(part, (*path, i))


def kind_of(path):
    """A path without what differs from result to result."""
    return tuple("*" if isinstance(step, int) or step in COLUMNS else step for step in path)


def others(value):
    """Values that could stand in the place of one: near it, and of another kind."""
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


def put(document, path, value):
    for step in path[:-1]:
        document = document[step]
    document[path[-1]] = value


def remove(document, path):
    for step in path[:-1]:
        document = document[step]
    del document[path[-1]]


def edits(document):
    """(path, what is done, the edited document)"""
    for path, value in leaves(document):
        if not path:
            yield path, "a further key", {**document, "further": 1}
            continue
        edited = copy.deepcopy(document)
        remove(edited, path)
        yield path, "removed", edited
        for other in others(value):
            edited = copy.deepcopy(document)
            put(edited, path, other)
            yield path, f"{json.dumps(other)[:60]} for {json.dumps(value)[:60]}", edited


# ---- Judging -----------------------------------------------------------------------------------

def matches(pattern, path):
    """Is it the key of a pattern, or a part of it?"""
    steps = pattern.split(".")
    return len(steps) <= len(path) and all(step in ("*", str(there))
                                           for step, there in zip(steps, path))


def named(not_compared):
    """The keys that an answer names as not compared."""
    return [key.strip() for entry in not_compared for key in entry.split(": ")[0].split(",")]


def judge(task):
    """What is wrong with the answer to an edited result; None: nothing."""
    number, base, path, what, document = task
    name = f"edited{number}.json"
    write(name, json.dumps(document))
    code, output, error = run("check", f"{file_of(base)}.csv", "--against", name, "--json")
    os.remove(name)
    if output == "":
        return None if code in (1, 2, 3) and error.startswith("mingle: ") else f"exit {code}: {error}"
    against = json.loads(output)["against"]
    where = ".".join(map(str, path))
    if not against["agrees"]:
        return None if code == 1 else f"{where}: {what}: exit {code}"
    if any(matches(key, path) for key in named(against["not_compared"])):
        return None if any(matches(key, path) for key in OPEN) else f"{where}: {what}: is open, and may not be"
    return f"{where}: {what}: accepted"


def tasks(results):
    seen, number = set(), 0
    for base, document in results.items():
        fresh = set()
        for path, what, edited in edits(document):
            if not EVERYWHERE and kind_of(path) in seen:
                continue
            fresh.add(kind_of(path))
            number += 1
            yield number, base, path, what, edited
        seen |= fresh


def main():
    write_inputs()
    run("anonymize", "data.csv", "--qi", "zip,age", "--rest", "drop", "-k", "2", "--method",
        "mingen", "--save-recoding", "earlier.rec", "--quiet")
    results = {}
    for base in BASES:
        try: results[base] = make(base)
        except AssertionError as e: print(e)
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
    return 1 if wrong or len(everything) < 3000 else 0


if __name__ == "__main__":
    sys.exit(main())
