"""Linked columns, recomputed from the table and the release: linked.py MINGLE SEED JOBS.

Random tables have a code, columns that depend on it, and others. Every cell of a column that follows
quasi-identifiers is compared with what plain Python makes of it: rows that are equal in the released
cells of these show the lowest value of the hierarchy that lies above the cells of all of them. The
definition is that of docs/leak-guard.md; nothing of src is used."""
import csv
import json
import random
import subprocess
import sys

MISSING = ("", "NA")
METHODS = ("cell", "mingen", "samarati", "datafly", "mondrian", "local-suppression", "top-down")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def make_table(rng, path):
    codes = [f"{rng.randrange(10**4):04}" for _ in range(rng.randint(3, 25))]
    towns = {code: "town" + code[:rng.randint(1, 3)] for code in codes}
    with open(path, "w", encoding="utf-8") as file:
        file.write("n,code,age,sex,town,area,mood\n")
        for n in range(rng.randint(20, 250)):
            code = rng.choice(codes)
            town = towns[code] if rng.random() < 0.97 else rng.choice(["NA", "", "elsewhere"])
            area = "area" + code[0] if town not in MISSING else ""
            file.write(f"{n},{code},{rng.randint(20, 60)},{rng.choice('fm')},{town},{area},"
                       f"{rng.choice('abc')}\n")


def make_hierarchy(rng, rows, path):
    """Levels of a column: value, a letter or two, *."""
    values = sorted({row["town"] for row in rows} - set(MISSING))
    levels = {value: [value, value[:5] + "-", "*"] for value in values}
    if rng.random() < 0.5:
        levels = {value: [value, "*"] for value in values}
    with open(path, "w", encoding="utf-8") as file:
        for value in values:
            file.write(",".join(levels[value]) + "\n")
    return levels


def common(values, levels):
    """The lowest label above all of them; a missing cell has nothing above it but the top."""
    values = {"" if value in MISSING else value for value in values}
    if len(values) == 1:
        return values.pop()
    if "" in values or levels is None:
        return "*"
    for labels in zip(*(levels[value] for value in values)):
        if len(set(labels)) == 1:
            return labels[0]
    return "*"


def check_column(column, leads, before, after, levels):
    groups = {}
    for raw, released in zip(before, after):
        groups.setdefault(tuple(released[lead] for lead in leads), []).append(raw[column])
    changed = 0
    for raw, released in zip(before, after):
        wanted = common(groups[tuple(released[lead] for lead in leads)], levels)
        got = "" if released[column] in MISSING else released[column]
        if got != wanted:
            raise SystemExit(f"{column}: {got!r} where {wanted!r} is due, after {leads}")
        changed += wanted != ("" if raw[column] in MISSING else raw[column])
    return changed


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def order(mingle, rng, k):
    return [mingle, "anonymize", "in.csv", "--qi", "code,age,sex", "--rest", "insensitive", "--insensitive", "town",
            "--identifier", "n", "-k", str(k), "--method", rng.choice(METHODS), "--hierarchy",
            "code=mask(right)", "--hierarchy", "age=intervals(5,10,20)", "--keep-order", "-o",
            "out.csv", "--result", "result.json", "--seed", "1"]


def judge(rows, levels):
    """What the result says of each linked column is what the release shows."""
    with open("result.json", encoding="utf-8") as file:
        result = json.load(file)
    after = read("out.csv")
    if len(after) != len(rows):
        raise SystemExit("rows are missing")
    linked = {one["column"]: one for one in result.get("linked", [])}
    for column in ("town", "area", "mood"):
        if column in linked:
            changed = check_column(column, linked[column]["follows"], rows, after,
                                   levels if column == "town" else None)
            if changed != linked[column]["generalized_cells"]:
                raise SystemExit(f"{column}: {changed} cells are generalized, the result says "
                                 f"{linked[column]['generalized_cells']}")
        elif any(a[column] != b[column] for a, b in zip(rows, after)):
            raise SystemExit(f"{column} follows nothing, and is not as it was")
    return linked


def random_job(mingle, rng):
    """Returns whether a release was written, and whether the guard found what follows."""
    make_table(rng, "in.csv")
    rows = read("in.csv")
    levels = make_hierarchy(rng, rows, "town.csv") if rng.random() < 0.5 else None
    command = order(mingle, rng, rng.choice((2, 3, 5, 10)))
    if levels is not None:
        command += ["--hierarchy", "town=town.csv"]
    follow = rng.random() < 0.5
    refused = False
    if follow:
        refused = run(command).returncode == 1
        done = run(command + ["--follow"])
    else:
        done = run(command + ["--linked", rng.choice(("code,town,area", "area,age,town,code"))])
    if done.returncode != 0:
        if done.returncode == 1 and not follow:
            return False, False  # the guard may object to other columns
        if done.returncode == 1 and "gives back" not in done.stderr:
            return False, False
        raise SystemExit(f"exit {done.returncode}: {' '.join(command)}\n{done.stderr}")
    linked = judge(rows, levels)
    if follow and refused != bool(linked):
        raise SystemExit("columns follow although nothing was refused, or the other way round")
    if not follow and set(linked) != {"town", "area"}:
        raise SystemExit(f"{sorted(linked)} follow")
    again = run([mingle, "check", "out.csv", "--against", "result.json"])
    if again.returncode != 0:
        raise SystemExit(f"the audit objects: {again.stdout}{again.stderr}")
    return True, follow and bool(linked)


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    written = found = 0
    for _ in range(jobs):
        a_release, by_guard = random_job(mingle, rng)
        written += a_release
        found += by_guard
    print(f"{jobs} jobs, {written} releases, {found} with columns that the guard found")
    if written < jobs / 2 or found == 0:
        raise SystemExit("too few releases to judge anything")


main()
