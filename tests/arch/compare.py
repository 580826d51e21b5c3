"""compare.py HERE FOREIGN [methods]: the same jobs with the program of this machine and with one
of another architecture. FOREIGN is a command line (emulator and program). With "methods" only
a few: each method, and each format of a release.

Releases, parts and recodings must be equal byte for byte, figures to a relative 1e-12.
"""
import itertools
import json
import math
import os
import random
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

programs = {"here": [sys.argv[1]], "foreign": shlex.split(sys.argv[2])}
RELATIVE = 1e-12
# How long it took, and what depends on the machine.
OTHERWISE = {"seconds", "threads", "machine"}

METHODS = ["mingen", "cell", "datafly", "mu-argus", "samarati", "incognito", "mondrian", "k-member",
           "local-suppression", "microaggregate", "top-down"]
MEASURES = ["precision", "loss", "geometric-loss", "ncp", "discernibility", "class-size", "entropy",
            "nonuniform-entropy", "height", "ambiguity"]
CELL_MEASURES = ["precision", "loss", "ncp", "nonuniform-entropy"]
HIERARCHIES = ["--hierarchy", "age=intervals(5,10,20,40)", "--hierarchy", "zip=mask(right,3)"]
MODELS = [["-k", "3"], ["-k", "3", "--l-diversity", "ill=2"], ["-k", "2", "--entropy-l", "ill=1.8"],
          ["-k", "2", "--t-closeness", "ill=0.4"], ["-k", "2", "--enhanced-beta", "ill=2"],
          ["-k", "2", "--delta-disclosure", "ill=1.5"], ["-k", "2", "--recursive-cl", "ill=3,2"],
          ["-k", "2", "--alpha", "ill=0.7"], ["--mean-risk", "0.2", "--sample-uniqueness", "0.02"]]


def write_table(path, rows, seed):
    draw = random.Random(seed)
    with open(path, "w") as table:
        table.write("age,zip,sex,weight,ill\n")
        for _ in range(rows):
            age = min(99, int(draw.expovariate(1 / 30)) + 18)
            table.write(f"{age},02{draw.randrange(3)}{draw.randrange(4)}{draw.randrange(9)},"
                        f"{draw.choice('fm')},{draw.uniform(1, 90):.3f},"
                        f"d{int(draw.paretovariate(1)) % 5}\n")


def numbers_only(method):
    return method == "microaggregate"


def job(table, method, models, measure, *more):
    columns = "age,weight" if numbers_only(method) else "age,zip,sex"
    hierarchies = [] if numbers_only(method) else HIERARCHIES
    if method in ("mondrian", "k-member"):
        hierarchies = HIERARCHIES[2:]  # ages become ranges
    return ["anonymize", table, "--qi", columns, *hierarchies, "--sensitive", "ill", "--rest", "drop",
            "--method", method, "--utility", measure, *models, "--allow-leaks", *more]


def jobs():
    """Command lines, each with the files it writes and the options that name them."""
    release = {"release.csv": "-o", "result.json": "--result"}
    for method in METHODS:
        for models in MODELS:
            if method == "mu-argus" and models[0] != "-k":
                continue
            treatment = ["--suppress", "5%", "--suppressed",
                         ["keep", "drop", "exempt"][len(models) % 3], "--keep-order"]
            yield job("small.csv", method, models, "precision", *treatment), release
    for measure in MEASURES:
        yield job("small.csv", "mingen", MODELS[0], measure, "--seed", "5"), release
        yield ["lattice", "small.csv", "--qi", "age,zip,sex", *HIERARCHIES, "--sensitive", "ill",
               "--rest", "drop", "--utility", measure, *MODELS[1], "--suppress", "2%", "--json"], {}
    for measure, effort in itertools.product(CELL_MEASURES, ["fast", "balanced"]):
        yield job("large.csv", "cell", ["-k", "5"], measure, "--effort", effort, "--threads", "2",
                  "--keep-order"), {**release, "found.rec": "--save-recoding"}
    for replace in ["mean", "median", "range"]:
        yield job("large.csv", "microaggregate", ["-k", "5"], "loss", "--replace", replace,
                  "--keep-order"), release
    for method in ["mondrian", "k-member", "local-suppression", "top-down"]:
        yield job("large.csv", method, ["-k", "5"], "loss", "--seed", "7"), release
    roles = ["--qi", "age,zip,sex"]
    everything = [option for models in MODELS for option in models if models[0] == "-k"]
    yield ["check", "large.csv", *roles, "--sensitive", "ill", *each_once(everything), "--json"], {}
    for fraction in ["0.5", "0.1", "0.001"]:
        yield ["risk", "large.csv", *roles, "--suda", "--weight", "weight", "--sampling-fraction",
               fraction, "--json"], {"rows.csv": "--rows"}
    yield ["count", "large.csv", *roles, "--sensitive", "ill", "--rest", "drop",
           "--quiet"], {"large.part": "-o"}
    yield ["utility", "small.csv", "known.csv", *roles, *HIERARCHIES, "--json"], {}
    yield ["attack", "known.csv", "small.csv", *roles, *HIERARCHIES, "--sensitive", "ill", "--json"], {}


FORMATS = ["csv.gz", "csv.zst", "tsv", "xlsx", "jsonl", "feather", "arrows"]
STATISTICS = ["sav", "zsav", "dta", "xpt"]


def has_statistics():
    """Both have readstat: a file that is not there is missed, not the library."""
    return all(subprocess.run([*program, "check", "missing.sav", "--qi", "age"],
                              capture_output=True, check=False).returncode == 3
               for program in programs.values())


def jobs_of_methods():
    for number, method in enumerate(METHODS):
        models = MODELS[number % 4 if method != "mu-argus" else 0]
        yield job("small.csv", method, models, "precision", "--suppress", "5%", "--seed",
                  str(number)), {"release.csv": "-o", "result.json": "--result"}
    for ending in FORMATS + (STATISTICS if has_statistics() else []):
        yield job("small.csv", "mingen", MODELS[0], "loss", "--keep-order"), {f"release.{ending}": "-o"}


def each_once(options):
    """Each option once."""
    return [x for pair in dict(zip(options[::2], options[1::2])).items() for x in pair]


def differ(a, b, path="result"):
    """Where two documents differ, or None."""
    if isinstance(a, dict) and isinstance(b, dict):
        if set(a) - OTHERWISE != set(b) - OTHERWISE:
            return f"{path}: other keys"
        return next(filter(None, (differ(a[k], b[k], f"{path}.{k}") for k in a
                                  if k not in OTHERWISE)), None)
    if isinstance(a, list) and isinstance(b, list):
        if len(a) != len(b):
            return f"{path}: {len(a)} and {len(b)} entries"
        return next(filter(None, (differ(x, y, f"{path}[{i}]")
                                  for i, (x, y) in enumerate(zip(a, b)))), None)
    if type(a) is float and type(b) is float:
        same = math.isclose(a, b, rel_tol=RELATIVE, abs_tol=0)
    else:
        same = a == b
    return None if same else f"{path}: {a!r} and {b!r}"


def run(number, arguments, outputs):
    """What both programs make of a job: their exit codes, documents and files."""
    made = {}
    for name, program in programs.items():
        folder = f"{number}.{name}"
        os.mkdir(folder)
        for file in os.listdir("data"):
            os.link(f"data/{file}", f"{folder}/{file}")
        told = [x for file, option in outputs.items() for x in (option, file)]
        done = subprocess.run([*program, *arguments, *told], cwd=folder, capture_output=True,
                              text=True)
        files = {}
        for file in outputs:
            if os.path.exists(f"{folder}/{file}"):
                with open(f"{folder}/{file}", "rb") as bytes_of:
                    files[file] = bytes_of.read()
        documents = [json.loads(files.pop(f)) for f in list(files) if f.endswith(".json")]
        if "--json" in arguments and done.stdout:
            documents.append(json.loads(done.stdout))
        made[name] = done.returncode, done.stderr, documents, files
    return made


def compare(made):
    here, foreign = made["here"], made["foreign"]
    if here[0] not in (0, 1):
        return f"exit code {here[0]}: {here[1]}"
    if here[0] != foreign[0] or here[1] != foreign[1]:
        return f"exit codes {here[0]} and {foreign[0]}: {here[1]} and {foreign[1]}"
    if set(here[3]) != set(foreign[3]):
        return f"files {sorted(here[3])} and {sorted(foreign[3])}"
    for file in here[3]:
        if here[3][file] != foreign[3][file] and not file.endswith("rows.csv"):
            return f"{file} differs"
    rows = [(here[3][f], foreign[3][f]) for f in here[3] if f == "rows.csv"]
    return next((w for h, f in rows if (w := differ(lines(h), lines(f), "rows"))), None) or \
        differ(here[2], foreign[2])


def lines(text):
    return [[number(cell) for cell in line.split(",")] for line in text.decode().splitlines()]


def number(cell):
    try:
        return float(cell)
    except ValueError:
        return cell


def main():
    os.mkdir("data")
    write_table("data/small.csv", 150, 1)
    write_table("data/large.csv", 1500, 2)
    subprocess.run([*programs["here"], *job("data/small.csv", "mingen", ["-k", "5"], "loss"),
                    "-o", "data/known.csv", "--quiet"], check=True)
    listed = list(jobs_of_methods() if sys.argv[3:] == ["methods"] else jobs())
    failed, unmet = 0, 0
    with ThreadPoolExecutor(2) as pool:
        made = pool.map(lambda x: run(x[0], *x[1]), enumerate(listed))
        for (arguments, _), both in zip(listed, made):
            wrong = compare(both)
            unmet += both["here"][0] == 1
            failed += wrong is not None
            if wrong is not None:
                print(f"{shlex.join(arguments)}\n    {wrong}")
    print(f"{len(listed)} jobs, {unmet} of them without a release: {failed} differ")
    return failed > 0 or unmet > len(listed) / 2


if __name__ == "__main__":
    sys.exit(main())
