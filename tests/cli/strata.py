"""Strata on their own, compared with jobs on their rows alone: strata.py MINGLE SEED JOBS.

Random tables are released with `--by`. For each stratum the same job runs on its rows alone
(`--where`), and what it finds must be what the whole job says of the stratum: exit code, levels,
suppressed rows, classes, measure, bound, and every released row. Plain Python judges the file, too:
columns of strata are what they were in every row, and each stratum keeps the models and the limit
(docs/strata.md). Nothing of src is used."""
import csv
import json
import math
import random
import subprocess
import sys
from collections import Counter, defaultdict

UNIFORM = ("mingen", "samarati", "incognito", "datafly", "top-down")
OTHERS = ("cell", "mondrian", "k-member", "local-suppression", "mu-argus")


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


# ---- Random jobs -----------------------------------------------------------------------------------

def write_trees(draw):
    """Hierarchies are files, so that a stratum alone has the same values as the whole table."""
    ages = [str(age) for age in range(20, 20 + draw.randint(4, 24))]
    zips = ["02138", "02139", "02141", "94138", "94142"][:draw.randint(2, 5)]
    with open("age.csv", "w", encoding="utf-8") as file:
        for age in ages:
            file.write(f"{age},{int(age) // 4 * 4}+,{int(age) // 12 * 12}++,*\n")
    with open("zip.csv", "w", encoding="utf-8") as file:
        for code in zips:
            file.write(f"{code},{code[:3]}**,*\n")
    with open("sex.csv", "w", encoding="utf-8") as file:
        file.write("f,*\nm,*\n")
    return {"age": ages, "sex": ["f", "m"], "zip": zips}


class Job:
    def __init__(self, seed):
        draw = self.draw = random.Random(seed)
        values = write_trees(draw)
        self.by = ["region"] if draw.random() < 0.7 else ["region", "year"]
        self.qi = draw.sample(["age", "sex", "zip"], draw.randint(2, 3))
        self.method = draw.choice(UNIFORM + OTHERS)
        self.treatment = draw.choice(("keep", "drop", "exempt"))
        self.limit = draw.choice((None, "0", str(draw.randint(1, 6)), f"{draw.randint(1, 40)}%"))
        self.k = draw.randint(1, 5)
        self.l = draw.choice((None, None, 2, 3))
        self.risk = draw.choice((None, None, 0.2, 0.35)) if self.method in UNIFORM else None
        self.entity = draw.random() < 0.25
        self.t = draw.choice((0.3, 0.5)) if draw.random() < 0.15 and not self.entity else None
        self.household_risk = draw.choice((0.9, 0.6, 0.4)) if draw.random() < 0.2 and not self.entity else None
        self.measure = draw.choice(("precision", "loss", "ncp") if self.method in OTHERS else
                                   ("precision", "loss", "discernibility", "class-size", "height"))
        self.rows = []
        regions = draw.sample("ABCDE", draw.randint(1, 4))
        size = draw.randint(5, 40)
        for n in range(draw.randint(5, 40) * len(regions) // 2):
            row = {"n": str(n), "region": draw.choice(regions + regions[:1]),
                   "year": draw.choice(("2020", "2021")), "ill": draw.choice("abcd"),
                   "person": f"p{draw.randrange(size)}"}
            row.update({name: draw.choice(values[name]) for name in values})
            # Within a stratum, so that the rows of one alone have the same households.
            row["home"] = "-".join(self.stratum_of(row)) + f"-{draw.randrange(6)}"
            self.rows.append(row)
        with open("in.csv", "w", encoding="utf-8") as file:
            names = ["n", "region", "year", "age", "sex", "zip", "ill", "person", "home"]
            file.write(",".join(names) + "\n")
            for row in self.rows:
                file.write(",".join(row[name] for name in names) + "\n")

    def stratum_of(self, row):
        return tuple(row[name] for name in self.by)

    def strata(self):
        out = defaultdict(list)
        for row in self.rows:
            out[self.stratum_of(row)].append(row)
        return out

    def order(self, mingle, name, alone=None):
        command = [mingle, "anonymize", "in.csv", "--qi", ",".join(self.qi), "--sensitive", "ill",
                   "--insensitive", "n", "--rest", "drop", "--allow-leaks", "--keep-order",
                   "--method", self.method, "--suppressed", self.treatment, "-k", str(self.k),
                   "--utility", self.measure, "--quiet", "--verbose", "-o", name + ".csv",
                   "--result", name + ".json"]
        for column in self.qi:
            command += ["--hierarchy", f"{column}={column}.csv"]
        if self.limit is not None:
            command += ["--suppress", self.limit]
        if self.l is not None:
            command += ["--l-diversity", f"ill={self.l}"]
        if self.t is not None:
            command += ["--t-closeness", f"ill={self.t}"]
        if self.risk is not None:
            command += ["--mean-risk", str(self.risk)]
        if self.household_risk is not None:
            command += ["--household", "home", "--household-risk", str(self.household_risk)]
        if self.entity:
            command += ["--entity", "person"]
        if self.method == "mu-argus":
            command += ["--accept", "unsafe"]
        if alone is None:
            return command + ["--by", ",".join(self.by)]
        where = " and ".join(f"{name} = '{value}'" for name, value in zip(self.by, alone))
        return command + ["--where", where]


# ---- What must be the same ---------------------------------------------------------------------------

class Failure(Exception):
    pass


def same(what, got, wanted):
    if isinstance(wanted, float) and isinstance(got, (int, float)):
        alike = math.isclose(got, wanted, rel_tol=1e-9, abs_tol=1e-12)
    else:
        alike = got == wanted
    if not alike:
        raise Failure(f"{what}: {got!r} where {wanted!r} is due")


MEASURES = {"class-size": "average_class_size"}


def compare_stratum(job, name, told, alone, released, rows):
    same(f"rows of {name}", told["rows"], alone["rows"])
    same(f"suppressed rows of {name}", told["suppressed_rows"], alone["suppressed_rows"])
    same(f"classes of {name}", told["classes"], alone["classes"]["count"])
    same(f"smallest class of {name}", told["smallest_class"], alone["classes"]["min"])
    same(f"node of {name}", told["node"], alone["node"])
    key = MEASURES.get(job.measure, job.measure)
    same(f"{key} of {name}", told["value"], alone["utility"][key])
    if alone["bound"] is None:
        same(f"bound of {name}", told["bound"], None)
    else:
        same(f"bound of {name}", told["bound"]["exact"], alone["bound"]["exact"])
        same(f"bound of {name}", told["bound"]["best_possible"], alone["bound"]["best_possible"])
    columns = ["n", "ill"] + job.qi
    same(f"rows of {name} as released", [[row[c] for c in columns] for row in released],
         [[row[c] for c in columns] for row in rows])


def add_up(job, told, alone, strata):
    """The bound of the whole: a mean over cells, of which those of strata cost nothing."""
    if job.measure not in ("precision", "loss", "ncp") or any(a["bound"] is None for a in alone):
        return
    cells = len(job.qi) / (len(job.qi) + len(job.by))
    cost = 0
    for one, rows in zip(alone, strata):
        best = one["bound"]["best_possible"]
        cost += (1 - best if job.measure == "precision" else best) * len(rows) * cells
    cost /= len(job.rows)
    best = 1 - cost if job.measure == "precision" else cost
    same("bound of the whole", told["bound"]["best_possible"], best)
    same("exact", told["bound"]["exact"], all(a["bound"]["exact"] for a in alone))


# ---- A judge of the file -----------------------------------------------------------------------------

def limit_of(job, n):
    if job.limit.endswith("%"):
        return n * int(job.limit[:-1]) // 100
    return int(job.limit)


def closeness(job, rows):
    """The distance to the whole table, not to the stratum."""
    everybody = Counter(row["ill"] for row in job.rows)
    here = Counter(row["ill"] for row in rows)
    return sum(abs(here[v] / len(rows) - everybody[v] / len(job.rows)) for v in everybody) / 2


def judge_stratum(job, name, before, after):
    top = [row for row in after if all(row[c] == "*" for c in job.qi)]
    gone = len(before) - len(after)
    suppressed = gone if job.treatment == "drop" else len(top) if len(top) < len(after) else 0
    if job.limit is not None and job.method in UNIFORM and suppressed > limit_of(job, len(before)):
        raise Failure(f"{suppressed} suppressed rows of {name}, more than {job.limit}")
    exempt = job.treatment == "exempt" and len(top) < len(after)
    classes = defaultdict(list)
    for row in after:
        if not (exempt and row in top):
            classes[tuple(row[c] for c in job.qi)].append(row)
    person = {row["n"]: row["person"] if job.entity else row["n"] for row in before}
    sizes = [len({person[row["n"]] for row in rows}) for rows in classes.values()]
    if job.method != "mu-argus" and min(sizes) < job.k:
        raise Failure(f"a class of {min(sizes)} in {name}")
    if job.l is not None and job.method != "mu-argus":
        least = min(len({row["ill"] for row in rows}) for rows in classes.values())
        if least < job.l:
            raise Failure(f"{least} different values in a class of {name}")
    if job.t is not None and job.method != "mu-argus":
        most = max(closeness(job, rows) for rows in classes.values())
        if most > job.t + 1e-9:
            raise Failure(f"a class of {name} is {most} from the table")
    if job.risk is not None and not job.entity and len(sizes) / sum(sizes) > job.risk + 1e-12:
        raise Failure(f"a mean risk of {len(sizes) / sum(sizes)} in {name}")
    return suppressed, min(sizes), len(sizes) / sum(sizes)


def judge(job, told, released):
    """Every released row is a row of the input, in its own stratum."""
    before = {row["n"]: row for row in job.rows}
    strata = defaultdict(list)
    for row in released:
        same("stratum of a row", job.stratum_of(row), job.stratum_of(before[row["n"]]))
        strata[job.stratum_of(row)].append(row)
    if max(Counter(row["n"] for row in released).values()) > 1:
        raise Failure("a row is released twice")
    found = [judge_stratum(job, name, rows, strata[name]) for name, rows in job.strata().items()]
    same("suppressed rows", told["suppressed_rows"], sum(one[0] for one in found))
    if job.method == "mu-argus":
        return
    measured = {model["model"]: model["measured"] for model in told["models"]}
    same("measured k", measured["k-anonymity"], min(one[1] for one in found))
    if job.risk is not None and not job.entity:
        same("measured mean risk", measured["mean-risk"], max(one[2] for one in found))


# ---- One job -----------------------------------------------------------------------------------------

def check_failure(job, whole, failed):
    if len(failed) == len(job.strata()) and "no release can hold" in whole.stderr:
        return  # not even the whole table could
    if "strata cannot be released" not in whole.stderr:
        raise Failure(f"exit {whole.returncode}: {whole.stderr}")
    said = f"{len(failed)} of {len(job.strata())} strata"
    for name in failed:
        said_name = ", ".join(f'{c} "{v}"' for c, v in zip(job.by, name))
        rows = len(job.strata()[name])
        if said not in whole.stderr or f"{said_name} ({rows} row" not in whole.stderr:
            raise Failure(f"{said_name} is not named, or {said} is not said: {whole.stderr}")


def check_readers(job, mingle, told):
    audit = run([mingle, "check", "whole.csv", "--against", "whole.json"])
    if audit.returncode != 0 and job.method != "mu-argus":
        raise Failure(f"audit: {audit.stdout}")
    trees = [x for c in job.qi for x in ("--hierarchy", f"{c}={c}.csv")]
    roles = ["--by", ",".join(job.by), "--qi", ",".join(job.qi), "--suppressed", job.treatment]
    lost = run([mingle, "utility", "in.csv", "whole.csv", "--json", *roles, *trees])
    if lost.returncode != 0:
        raise Failure(f"utility: {lost.stderr}")
    measured = json.loads(lost.stdout)
    for key in ("rows", "released_rows", "suppressed_rows"):
        same(f"utility: {key}", measured[key], told[key])
    for key, value in told["utility"].items():
        if value is not None and key not in ("c_avg", "classification"):
            same(f"utility: {key}", measured["utility"][key], value)
    if job.entity:
        return
    same("utility: classes", measured["classes"], told["classes"])
    risk = run([mingle, "risk", "whole.csv", "--json", *roles])
    same("risk: classes", json.loads(risk.stdout)["classes"], told["classes"])


def check_alone(job, mingle, whole):
    if whole.returncode == 1:
        return False
    same(f"exit code ({whole.stderr})", whole.returncode, 0)
    with open("whole.json", encoding="utf-8") as file:
        told = json.load(file)
    judge(job, told, read("whole.csv"))
    check_readers(job, mingle, told)
    return True


def check_job(mingle, seed):
    job = Job(seed)
    whole = run(job.order(mingle, "whole") + ["--threads", str(1 + seed % 3)])
    if job.t is not None:  # rows alone would be compared with their own distribution
        return check_alone(job, mingle, whole)
    strata = job.strata()
    alone, failed, rows = {}, [], {}
    for name in strata:
        one = run(job.order(mingle, "alone", name))
        if one.returncode == 1:
            failed.append(name)
            continue
        same(f"exit code of {name} alone ({one.stderr})", one.returncode, 0)
        with open("alone.json", encoding="utf-8") as file:
            alone[name] = json.load(file)
        rows[name] = read("alone.csv")
    same(f"exit code ({whole.stderr})", whole.returncode, 1 if failed else 0)
    if failed:
        check_failure(job, whole, failed)
        return False
    with open("whole.json", encoding="utf-8") as file:
        told = json.load(file)
    released = read("whole.csv")
    same("strata", sorted(tuple(s["by"][c] for c in job.by) for s in told["strata"]), sorted(strata))
    for stratum in told["strata"]:
        name = tuple(stratum["by"][c] for c in job.by)
        own = [row for row in released if job.stratum_of(row) == name]
        compare_stratum(job, name, stratum, alone[name], own, rows[name])
    add_up(job, told, [alone[name] for name in strata], list(strata.values()))
    judge(job, told, released)
    check_readers(job, mingle, told)
    return True


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    released = 0
    for number in range(seed, seed + jobs):
        try:
            released += check_job(mingle, number)
        except Failure as failure:
            job = Job(number)
            raise SystemExit(f"job {number}: {failure}\n{' '.join(job.order(mingle, 'whole'))}")
    if released < jobs // 4:
        raise SystemExit(f"only {released} of {jobs} jobs were released")
    print(f"{released} of {jobs} jobs released")


main()
