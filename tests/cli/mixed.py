"""Aggregated columns beside generalized ones, recomputed from table and release: mixed.py MINGLE SEED
JOBS.

Random tables have numbers, dates and categories; random jobs generalize some quasi-identifiers by
any method and aggregate the others. Rows are known by a number that is released. For each class of
the written file plain Python works out what stands for its rows in every aggregated column, whether
every model holds, whether generalized cells lie above what they were, and what the result tells of
the loss. The definitions are those of docs/mixed.md; nothing of src is used."""
import csv
import datetime
import json
import math
import random
import subprocess
import sys
from fractions import Fraction

MISSING = ("", "NA")
METHODS = ("cell", "mingen", "samarati", "datafly", "incognito", "top-down", "mondrian", "k-member",
           "local-suppression", "mu-argus", "microaggregate")
QUASI = ("age", "income", "visit", "job", "zone", "sex")
NUMBERS = ("age", "income", "visit")
JOBS = ["clerk", "nurse", "smith", 'a,b', "{x}", 'say "ah"', " blank", "farmer"]


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


# ---- Tables and jobs ------------------------------------------------------------------------------

def make_table(rng, path):
    holes = rng.choice((0, 0, 0.05, 0.3))
    few = rng.random() < 0.3
    first = datetime.date(1990, 1, 1)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(("row", "person") + QUASI + ("ill",))
        for n in range(rng.randint(12, 160)):
            row = [n, rng.randrange(60), rng.randint(20, 25 if few else 80),
                   f"{rng.randint(0, 9 if few else 9000) / 4:.2f}",
                   first + datetime.timedelta(rng.randrange(5 if few else 4000)),
                   rng.choice(JOBS[:rng.randint(2, 8)]), f"{rng.choice('AB')}{rng.choice('xyz')}"
                   f"{rng.randint(0, 3)}", rng.choice("fm"), rng.choice("uvw")]
            for c in range(2, 8):
                if rng.random() < holes:
                    row[c] = rng.choice(MISSING)
            out.writerow(row)


def choose_functions(rng):
    chosen = {}
    for column in NUMBERS:
        if rng.random() < 0.6:
            chosen[column] = rng.choice(("mean", "median", "range", "set", "mode"))
    if rng.random() < 0.6:
        chosen["job"] = rng.choice(("mode", "set"))
    if rng.random() < 0.1:
        chosen["zone"], chosen["sex"] = "mode", "set"
    return chosen or {"income": "mean"}


def choose_models(rng):
    models = {"k": rng.choice((2, 3, 5))}
    if rng.random() < 0.3:
        models["l"] = 2
    if rng.random() < 0.2:
        models["alpha"] = 0.75
    if rng.random() < 0.15:
        models["t"] = 0.4
    if rng.random() < 0.15:
        models["mean-risk"] = 0.2
    return models


def model_options(models):
    options = ["-k", str(models["k"])]
    if "l" in models:
        options += ["--l-diversity", f"ill={models['l']}"]
    if "alpha" in models:
        options += ["--alpha", f"ill={models['alpha']}"]
    if "t" in models:
        options += ["--t-closeness", f"ill={models['t']}", "--distance", "ill=equal"]
    if "mean-risk" in models:
        options += ["--mean-risk", str(models["mean-risk"])]
    return options


# ---- What stands for a class ----------------------------------------------------------------------

def number(column, text):
    if column == "visit":
        return Fraction(datetime.date.fromisoformat(text).toordinal())
    return Fraction(text)


def middle(numbers):
    numbers = sorted(numbers)
    return (numbers[(len(numbers) - 1) // 2] + numbers[len(numbers) // 2]) / 2


def reads_as(column, wanted, text):
    """An average: dates are rounded to the day, numbers have at least 12 digits."""
    if column == "visit":
        days = {math.floor(wanted + Fraction(1, 2) + off) for off in (0, Fraction(-1, 10**6))}
        return datetime.date.fromisoformat(text).toordinal() in days
    return abs(Fraction(text) - wanted) <= Fraction(1, 10**9) * max(1, abs(wanted))


def range_text(column, numbers, texts):
    low = {text for text, n in zip(texts, numbers) if n == min(numbers)}
    high = {text for text, n in zip(texts, numbers) if n == max(numbers)}
    if min(numbers) == max(numbers):
        return low
    if column == "age":
        return {f"{a}-{b}" for a in low for b in high}
    return {f"[{a},{b}]" for a in low for b in high}


def order_of(column, values):
    """The order of leaves: numbers and dates by size, others by bytes."""
    if column in NUMBERS:
        return sorted(values, key=lambda text: (number(column, text), text))
    return sorted(values, key=lambda text: text.encode())


def set_text(column, values):
    values = order_of(column, set(values))
    if len(values) == 1 and not values[0].startswith("{"):
        return values[0]
    quoted = []
    for value in values:
        plain = value.strip(" ") == value and value and not set(value) & set('{},"')
        quoted.append(value if plain else '"' + value.replace('"', '""') + '"')
    return "{" + ",".join(quoted) + "}"


def is_right(column, function, texts, shown):
    """Is this what stands for these cells?"""
    present = [text for text in texts if text not in MISSING]
    if not present:
        return shown in MISSING or shown == "*"
    if len(present) < len(texts):
        return shown == "*"
    if function == "set":
        return shown == set_text(column, present)
    if function == "mode":
        most = max(present.count(text) for text in present)
        return shown == order_of(column, [t for t in set(present) if present.count(t) == most])[0]
    numbers = [number(column, text) for text in present]
    if function == "range":
        return shown in range_text(column, numbers, present)
    wanted = middle(numbers) if function == "median" else sum(numbers) / len(numbers)
    return reads_as(column, wanted, shown)


# ---- Judging --------------------------------------------------------------------------------------

def lies_above(column, raw, shown):
    if shown == "*" or shown == raw or (raw in MISSING and shown in MISSING):
        return True
    if column == "zone":
        return len(raw) == len(shown) and all(s in (r, "*") for r, s in zip(raw, shown))
    if column == "age" and "-" in shown[1:]:
        low, high = shown.split("-")
        return raw not in MISSING and int(low) <= int(raw) <= int(high)
    return None  # income, visit and sex have no levels between


def histogram(rows, persons):
    """How often each value occurs; a person has a value once."""
    seen = {(row["person"] if persons else row["row"], row["ill"]) for row in rows}
    counts = {}
    for _, value in seen:
        counts[value] = counts.get(value, 0) + 1
    return counts


def size(rows, persons):
    return len({row["person"] for row in rows}) if persons else len(rows)


def broken_model(classes, table, models, persons):
    for rows in classes:
        if size(rows, persons) < models["k"]:
            return f"k: {size(rows, persons)}"
        counts, everyone = histogram(rows, persons), histogram(table, persons)
        if "l" in models and len(counts) < models["l"]:
            return "l"
        if "alpha" in models and max(counts.values()) > models["alpha"] * sum(counts.values()) + 1e-9:
            return "alpha"
        if "t" in models:
            all_of, here = sum(everyone.values()), sum(counts.values())
            if sum(abs(counts.get(v, 0) / here - n / all_of) for v, n in everyone.items()) / 2 \
                    > models["t"] + 1e-9:
                return "t"
    if "mean-risk" in models:
        total = sum(len(rows) for rows in classes)
        if sum(len(rows) / size(rows, persons) for rows in classes) / total \
                > models["mean-risk"] + 1e-9:
            return "mean-risk"
    return None


def check_loss(column, told, rows, shown_of):
    """The sums of squares that the result tells, by plain arithmetic; a top counts as the mean."""
    pairs = [(float(number(column, row[column])), shown_of.get(row["row"], "*"))
             for row in rows if row[column] not in MISSING]
    mean = sum(x for x, _ in pairs) / len(pairs)
    total = sum((x - mean) ** 2 for x, _ in pairs)
    if total == 0:
        return
    spread = math.sqrt(2 * total / (len(pairs) - 1))
    off = [x - (mean if shown == "*" else float(number(column, shown))) for x, shown in pairs]
    for key, wanted in (("sse_share", sum(d * d for d in off) / total),
                        ("il1s", sum(abs(d) for d in off) / spread)):
        if abs(told[key] - wanted) > 1e-6 * max(1, wanted):
            raise SystemExit(f"{column}: {key} is {wanted}, the result tells {told[key]}")


def check_cells(job, group, released, all_top):
    for column in QUASI:
        shown = released[column]
        if column in job["functions"]:
            if all_top and shown == "*":
                continue
            if not is_right(column, job["functions"][column], [row[column] for row in group], shown):
                raise SystemExit(f"{column}: {shown!r} is not the {job['functions'][column]} of "
                                 f"{[row[column] for row in group]}")
        elif job["method"] != "microaggregate" and job["method"] not in ("mondrian", "k-member"):
            for row in group:
                if lies_above(column, row[column], shown) is False:
                    raise SystemExit(f"{column}: {shown!r} does not lie above {row[column]!r}")


def judge(job, rows, after):
    if job["treatment"] != "drop" and len(after) != len(rows):
        raise SystemExit("rows are missing")
    raw = {row["row"]: row for row in rows}
    classes = {}
    for row in after:
        classes.setdefault(tuple(row[column] for column in QUASI), []).append(row)
    beside = [column for column in QUASI
              if column not in job["functions"] and job["method"] != "microaggregate"]
    judged = []
    for key, members in classes.items():
        group = [raw[row["row"]] for row in members]
        all_top = all(cell == "*" for cell in key)
        check_cells(job, group, members[0], all_top)
        hidden = beside and all(members[0][column] == "*" for column in beside)
        if hidden and not all_top and any(any(row[column] != "*" for column in beside)
                                          for row in after) and job["treatment"] != "drop":
            raise SystemExit("a suppressed row shows what was aggregated")
        if not (job["treatment"] == "exempt" and all_top and len(classes) > 1):
            judged.append(group)
    broken = broken_model(judged, rows, job["models"], job["persons"])
    if broken and not job["unsafe"]:
        raise SystemExit(f"{broken} does not hold")


def check_result(job, rows, after):
    with open("result.json", encoding="utf-8") as file:
        told = json.load(file)["aggregation"]
    columns = {one["column"]: one for one in told["columns"]}
    if job["method"] != "microaggregate" and \
            {c: one["function"] for c, one in columns.items()} != job["functions"]:
        raise SystemExit(f"the result tells of {columns}")
    shown = {row["row"]: row for row in after}
    for column, one in columns.items():
        cells = [row[column] for row in after]
        if one["top_cells"] != cells.count("*"):
            raise SystemExit(f"{column}: {cells.count('*')} cells are at the top")
        if one["function"] in ("mean", "median") and column != "visit" and job["treatment"] != "drop":
            check_loss(column, one, rows, {n: row[column] for n, row in shown.items()})
    return told


# ---- Running --------------------------------------------------------------------------------------

def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def make_job(rng):
    job = {"functions": choose_functions(rng), "method": rng.choice(METHODS),
           "models": choose_models(rng), "treatment": rng.choice(("keep", "keep", "drop", "exempt")),
           "persons": rng.random() < 0.2}
    job["unsafe"] = job["method"] == "mu-argus"
    if job["method"] == "microaggregate":  # the columns that say nothing must be numbers
        job["functions"].update({c: rng.choice(("mode", "set")) for c in ("job", "zone", "sex")})
    return job


def command_of(mingle, job, rng):
    command = [mingle, "anonymize", "in.csv", "--qi", ",".join(QUASI), "--insensitive", "row",
               "--sensitive", "ill", "--method", job["method"], "--suppressed", job["treatment"],
               "--aggregate", ",".join(f"{c}={f}" for c, f in job["functions"].items()),
               "--allow-leaks", "-o", "out.csv", "--result", "result.json"]
    command += ["--entity", "person"] if job["persons"] else ["--identifier", "person"]
    for column, builder in (("age", "intervals(5,10,20)"), ("zone", "mask(right)")):
        if column not in job["functions"] and job["method"] != "microaggregate":
            command += ["--hierarchy", f"{column}={builder}"]
    if rng.random() < 0.5:
        command += ["--suppress", rng.choice(("10%", "3", "50%"))]
    if job["unsafe"]:
        command += ["--accept", "unsafe"]
    return command + model_options(job["models"])


def random_job(mingle, rng):
    """Returns how many groups there are beyond the classes they were cut from; None: no release."""
    make_table(rng, "in.csv")
    rows = read("in.csv")
    job = make_job(rng)
    command = command_of(mingle, job, rng)
    done = run(command)
    if done.returncode == 1 and "please report" not in done.stderr:
        return None
    if done.returncode != 0:
        raise SystemExit(f"exit {done.returncode}: {' '.join(command)}\n{done.stderr}")
    after = read("out.csv")
    try:
        judge(job, rows, after)
        told = check_result(job, rows, after)
    except SystemExit as problem:
        raise SystemExit(f"{problem}\n{' '.join(command)}") from problem
    again = run([mingle, "check", "out.csv", "--against", "result.json"])
    if again.returncode != 0 and not job["unsafe"]:
        raise SystemExit(f"the audit objects: {again.stdout}{again.stderr}\n{' '.join(command)}")
    return told["groups"] - (told["classes"] or 0)


# ---- One column of numbers: the best division -----------------------------------------------------

def best_division(tuples, k):
    """The least sum of squares of a class whose tuples (number, rows) are cut into runs of k rows."""
    tuples = sorted(tuples)
    best = [0] + [None] * len(tuples)
    for end in range(1, len(tuples) + 1):
        rows = total = squares = 0
        for start in range(end - 1, -1, -1):
            number_of, count = tuples[start]
            rows, total = rows + count, total + count * number_of
            squares += count * number_of ** 2
            if rows >= k and best[start] is not None:
                cost = best[start] + squares - total ** 2 / rows
                best[end] = cost if best[end] is None else min(best[end], cost)
    return best[-1]


def optimum_job(mingle, rng):
    """Rows repeat, and every tuple has a number of its own: nothing is better than the best runs."""
    k = rng.choice((2, 3, 5))
    numbers = rng.sample(range(10**6), rng.randint(10, 60))
    towns = {number_of: rng.choice("abc") for number_of in numbers}
    rows = [number_of for number_of in numbers for _ in range(rng.randint(1, 4))]
    rng.shuffle(rows)
    with open("in.csv", "w", encoding="utf-8") as file:
        file.write("town,income\n" + "".join(f"{towns[n]},{n}\n" for n in rows))
    done = run([mingle, "anonymize", "in.csv", "--qi", "town,income", "--hierarchy", "town=suppress",
                "--aggregate", "income=mean", "-k", str(k), "--method", "mingen", "--keep-order", "-o",
                "out.csv"])
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    after = read("out.csv")
    classes, found = {}, Fraction(0)
    for raw, row in zip(rows, after):
        counts = classes.setdefault(row["town"], {})
        counts[raw] = counts.get(raw, 0) + 1
        found += (raw - Fraction(row["income"])) ** 2
    best = sum(best_division([(Fraction(n), c) for n, c in counts.items()], k)
               for counts in classes.values())
    if abs(found - best) > Fraction(1, 10**6) * max(1, best):
        raise SystemExit(f"the groups lose {float(found)}, and {float(best)} is possible")


def adult_job(mingle, folder):
    """Groups within classes keep more than the means of whole classes."""
    beside = ("sex", "race", "marital-status", "education")
    command = [mingle, "anonymize", f"{folder}/adult.csv", "--qi", "age," + ",".join(beside), "--rest",
               "drop", "--aggregate", "age=mean", "-k", "5", "--method", "mingen", "--keep-order", "-o",
               "adult.csv", "--result", "result.json"]
    for column in beside:
        command += ["--hierarchy", f"{column}={folder}/adult_hierarchy_{column}.csv"]
    if run(command).returncode != 0:
        raise SystemExit("no release of Adult")
    tables = []
    for path in (f"{folder}/adult.csv", "adult.csv"):
        with open(path, newline="", encoding="utf-8") as file:
            tables.append(list(csv.DictReader(file, delimiter=";")))
    classes, groups = {}, 0.0
    for raw, row in zip(*tables):
        classes.setdefault(tuple(row[c] for c in beside), []).append(int(raw["age"]))
        groups += (int(raw["age"]) - float(row["age"])) ** 2
    whole = sum(sum((age - sum(ages) / len(ages)) ** 2 for age in ages) for ages in classes.values())
    with open("result.json", encoding="utf-8") as file:
        told = json.load(file)["aggregation"]
    if told["classes"] != len(classes) or told["groups"] <= len(classes) or groups > 0.01 * whole:
        raise SystemExit(f"{told['groups']} groups in {len(classes)} classes lose {groups} of {whole}")
    print(f"Adult: {told['groups']} groups in {len(classes)} classes, {groups / whole:.2%} of what whole "
          "classes lose")


def main():
    if sys.argv[2] == "adult":
        adult_job(sys.argv[1], sys.argv[3])
        return
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    cuts = [random_job(mingle, rng) for _ in range(jobs)]
    for _ in range(jobs // 3):
        optimum_job(mingle, rng)
    written = [cut for cut in cuts if cut is not None]
    print(f"{jobs} jobs, {len(written)} releases, {sum(cut > 0 for cut in written)} with classes "
          "that were cut")
    if len(written) < jobs / 2 or not any(cut > 0 for cut in written):
        raise SystemExit("too few releases to judge anything")


main()
