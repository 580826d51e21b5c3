"""Table 4 of A. Campan and T. M. Truta, Extended p-sensitive k-anonymity (2006), on samples of the public
Adult table: how many rows and classes of k-anonymous releases break p-sensitivity.

table4.py MINGLE ADULT.csv [SAMPLES [FIRST]]     the table, for samples FIRST (0), FIRST + 1, ...
table4.py MINGLE ADULT.csv --time [ROWS]         processor time of searches with the conditions, as multiples
                                                 of the same search for k alone

Each sample is of 400 rows, drawn by its number; what the file lacks, gains, losses and taxes, is drawn evenly
from the 3, 4 and 10 values that the paper names. scripts/papers shows the table in docs/papers.md.
"""
import concurrent.futures
import json
import os
import random
import resource
import subprocess
import sys
import tempfile

ROWS = 400
# The paper's table 3, whose label Other stands on two levels.
RACE = ["White;White;White", "Black;Black;Other", "Asian-Pac-Islander;Other;Other",
        "Amer-Indian-Eskimo;Other;Other", "Other;Other;Other"]
EXAMPLE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples", "psensitive")
QI = "Age,Marital_Status,Race,Sex"
COLUMNS = ["Pay", "Capital_Gain", "Capital_Loss", "Tax_Amount"]
# What the paper prints: (method, k, p) and tuples and groups by column; of Samarati's search disclosures alone.
PRINTED = {
    ("k-member", 3, 2): {"Pay": (38, 12), "Capital_Gain": (36, 12), "Capital_Loss": (15, 5),
                         "Tax_Amount": (0, 0), "Tax_Amount, extended": (3, 1)},
    ("k-member", 5, 3): {"Capital_Gain": (164, 31), "Capital_Loss": (30, 6), "Tax_Amount": (11, 2),
                         "Tax_Amount, extended": (11, 2)},
    ("samarati", 2, 2): {"all": 6},
    ("samarati", 3, 2): {"all": 2},
}


def adults(path):
    with open(path, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(";")
        places = [names.index(name) for name in ("age", "marital-status", "race", "sex", "salary-class")]
        return [[row[place] for place in places]
                for row in (line.rstrip("\n").split(";") for line in file)]


def below(dice, n):
    """A number below n; random() gives the same numbers in every version of Python."""
    return int(dice.random() * n)


def sample(rows, number, size=ROWS):
    dice = random.Random(number)
    rows = list(rows)
    for i in range(size):
        j = i + below(dice, len(rows) - i)
        rows[i], rows[j] = rows[j], rows[i]
    lines = [",".join(["Age", "Marital_Status", "Race", "Sex"] + COLUMNS)]
    for row in rows[:size]:
        amounts = [1000 * (1 + below(dice, 3)), 1000 * (1 + below(dice, 4)), 100 * (1 + below(dice, 10))]
        lines.append(",".join(row + [str(amount) for amount in amounts]))
    return "\n".join(lines) + "\n"


def run(mingle, *words):
    done = subprocess.run([mingle, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          check=False)
    if done.returncode > 1:
        sys.exit(f"mingle {' '.join(words)}: {done.stderr}")
    return done


def job(race, method, k):
    """Samarati's search may suppress a tenth of the rows, as examples/psensitive."""
    return ["--qi", QI, "--hierarchy", f"Age={EXAMPLE}/age.csv", "--hierarchy",
            f"Marital_Status={EXAMPLE}/marital.csv", "--hierarchy", f"Race={race}", "--hierarchy", "Sex=suppress",
            "-k", str(k), "--method", method] + (["--suppress", "10%"] if method == "samarati" else [])


def conditions(p):
    """The models of p-sensitivity; Pay, which has two values, is sensitive for p = 2 only."""
    return ["--sensitive", ",".join(COLUMNS if p == 2 else COLUMNS[1:]), "--p-sensitive", str(p), *extended(p)]


def extended(p):
    return ["--extended-p", f"Tax_Amount={p}", "--sensitive-hierarchy", f"Tax_Amount={EXAMPLE}/tax.csv",
            "--protect", "Tax_Amount=high"]


def asked(mingle, released, columns, models):
    """What check finds: tuples and groups that break the last model."""
    model = json.loads(run(mingle, "check", released, "--qi", QI, "--sensitive", columns, *models,
                           "--json").stdout)["models"][-1]
    return model["violating_rows"], model["violating_classes"]


def counted(released, column, p):
    """The same for p-sensitivity, counted here: a process for each column would take longer than the search."""
    with open(released, encoding="utf-8") as file:
        names = file.readline().rstrip("\n").split(",")
        rows = [line.rstrip("\n").split(",") for line in file]
    places = [names.index(name) for name in QI.split(",")]
    classes = {}
    for row in rows:
        classes.setdefault(tuple(row[place] for place in places), []).append(row[names.index(column)])
    few = [values for values in classes.values() if len(set(values)) < p]
    return sum(map(len, few)), len(few)


def broken(mingle, folder, number, method, k, p):
    """Tuples and groups that break the models, by column; None: the search finds no release."""
    table, released = (os.path.join(folder, f"{number}-{word}.csv") for word in ("table", "released"))
    if run(mingle, "anonymize", table, *job(f"{folder}/race.csv", method, k), "--sensitive", ",".join(COLUMNS),
           "-o", released, "--quiet", "--overwrite", "--allow-leaks", ",".join(COLUMNS)).returncode != 0:
        return None
    columns = COLUMNS if p == 2 else COLUMNS[1:]
    found = {column: counted(released, column, p) for column in columns}
    if number % 100 == 0:
        assert found == {c: asked(mingle, released, c, ["--p-sensitive", str(p)]) for c in columns}
    if method == "k-member":
        found["Tax_Amount, extended"] = asked(mingle, released, "Tax_Amount", extended(p))
    os.unlink(released)
    return found


def one_sample(mingle, folder, rows, number):
    table = os.path.join(folder, f"{number}-table.csv")
    with open(table, "w", encoding="utf-8") as file:
        file.write(sample(rows, number))
    found = {key: broken(mingle, folder, number, *key) for key in PRINTED}
    os.unlink(table)
    return found


def ranges(mingle, adult, samples, first=0):
    """For each figure of the paper: (method, k, p), column, what is counted, the printed figure, and those of the
    samples in order of size."""
    rows = adults(adult)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/race.csv", "w", encoding="utf-8") as file:
            file.write("".join(line + ";*\n" for line in RACE))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda number: one_sample(mingle, folder, rows, number),
                                  range(first, first + samples)))
    for key, printed in PRINTED.items():
        done = [one[key] for one in found if one[key] is not None]
        for column, figure in printed.items():
            if column == "all":
                yield key, "all columns", "disclosures", figure, sorted(
                    sum(groups for name, (_, groups) in one.items() if "extended" not in name) for one in done)
                continue
            for place, what in enumerate(["tuples", "groups"]):
                yield key, column, what, figure[place], sorted(one[column][place] for one in done)


def verdict(printed, found):
    if printed < found[0]:
        return "below all samples"
    if printed > found[-1]:
        return "above all samples"
    low, high = found[len(found) // 40], found[-1 - len(found) // 40]  # the middle 95 %
    return "within" if low <= printed <= high else "within, at the edge"


def lines(mingle, adult, samples, first=0):
    """The table as a page shows it."""
    yield "| method | column | counted | printed | least | median | most | the printed one lies |"
    yield "|---|---|---|---|---|---|---|---|"
    for (method, k, p), column, what, printed, found in ranges(mingle, adult, samples, first):
        yield (f"| {method}, k = {k}, p = {p} | {column} | {what} | {printed} | {found[0]} | "
               f"{found[len(found) // 2]} | {found[-1]} | {verdict(printed, found)} |")


def seconds(words):
    """Processor time of a run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    if done.returncode != 0:
        sys.exit(" ".join(words) + ": " + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def times(mingle, adult, size):
    """Each search for k alone and with the models, in turn; the sum of ten runs of each."""
    rows = adults(adult)
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/race.csv", "w", encoding="utf-8") as file:
            file.write("".join(line + ";*\n" for line in RACE))
        with open(f"{folder}/table.csv", "w", encoding="utf-8") as file:
            file.write(sample(rows, 1, min(size, len(rows))))
        print("method k p with/alone")
        for method in ("samarati", "k-member"):
            for k, p in ((3, 2), (5, 3)):
                front = [mingle, "anonymize", f"{folder}/table.csv", *job(f"{folder}/race.csv", method, k), "--dry-run",
                         "--rest", "drop", "--allow-leaks", "--quiet", "--threads", "1"]
                alone, held = front + ["--sensitive", ",".join(COLUMNS if p == 2 else COLUMNS[1:])], front + conditions(p)
                found = [(seconds(alone), seconds(held)) for _ in range(10)]
                print(method, k, p, "%.2f" % (sum(f[1] for f in found) / sum(f[0] for f in found)),
                      "%.3f s" % (sum(f[0] for f in found) / 10))


if __name__ == "__main__":
    if "--time" in sys.argv:
        times(sys.argv[1], sys.argv[2], int(sys.argv[4]) if len(sys.argv) > 4 else 30162)
    else:
        more = [int(word) for word in sys.argv[3:]]
        print("\n".join(lines(sys.argv[1], sys.argv[2], *(more or [100]))))
