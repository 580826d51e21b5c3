"""Jobs on counted tables, compared with the same jobs on the records that their rows stand for, and judged from the
files alone."""
import collections
import csv
import json
import random
import sqlite3
import subprocess
import sys

METHODS = ["cell", "mingen", "samarati", "incognito", "datafly", "top-down", "mondrian", "k-member",
           "local-suppression"]


def run(mingle, *arguments):
    done = subprocess.run([mingle, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def make_table(rng):
    values = [[str(rng.randint(20, 45)) for _ in range(8)], ["02138", "02139", "02141", "02142", ""], ["m", "f"]]
    n = rng.choice([rng.randint(2, 6), rng.randint(20, 90), rng.randint(20, 90), rng.randint(20, 90)])
    return [(*(rng.choice(v) for v in values), rng.choice(["flu", "cold", "hiv", "NA"])) for _ in range(n)]


def classes_of(counted):
    classes = collections.defaultdict(collections.Counter)
    for row, n in counted.items():
        classes[row[:3]][row[3]] += n
    return classes


def check_release(counted, k, l, treatment, told):
    for cells, values in classes_of(counted).items():
        if treatment == "exempt" and set(cells) == {"*"} and len(classes_of(counted)) > 1:
            continue
        assert sum(values.values()) >= k, f"class {cells} has {values}: {told}"
        assert len(values) >= l, f"class {cells} has {values}: {told}"


def check_measured(mingle, claimed, told):
    """What `utility` measures of the counted release, of records."""
    done = subprocess.run([mingle, "utility", "counts.csv", "counts.out", "--against", "counts.json", "--json"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"utility: {done.stderr}: {told}"
    for name, value in json.loads(done.stdout)["utility"].items():
        wanted = claimed[name]
        same = value == wanted or None not in (value, wanted) and abs(value - wanted) <= 1e-9 * max(1, abs(wanted))
        assert same, f"utility measures {name} {value}, the result has {wanted}: {told}"


def check_job(mingle, rng, seen):
    records = make_table(rng)
    groups = list(collections.Counter(records).items())
    rng.shuffle(groups)
    if rng.random() < 0.5:  # combinations may come several times
        row, n = groups.pop()
        groups += [(row, 1)] * n
    place = rng.randint(0, 4)
    header = ["age", "zip", "sex", "dis"]
    write("records.csv", header, records)
    write("counts.csv", header[:place] + ["n"] + header[place:],
          [[*row[:place], n, *row[place:]] for row, n in groups])
    k, l = rng.randint(2, 4), rng.randint(1, 2)
    method, treatment = rng.choice(METHODS), rng.choice(["keep", "keep", "drop", "exempt"])
    job = ["--qi", "age,zip,sex", "--sensitive", "dis", "-k", k, "--l-diversity", f"dis={l}", "--method", method,
           "--suppressed", treatment, "--suppress", rng.choice(["0", "20%", "60%"]), "--hierarchy", "age=intervals(5,10)",
           "--hierarchy", "zip=mask(right,2)", "--allow-leaks", "--quiet"]
    told = " ".join(map(str, job))
    one = run(mingle, "anonymize", "records.csv", *job, "-o", "records.out", "--result", "records.json")
    two = run(mingle, "anonymize", "counts.csv", "--count", "n", *job, "-o", "counts.out", "--result", "counts.json")
    assert one[0] == two[0], f"{one} for records, {two} for counts: {told}"
    if one[0] != 0:
        seen["refused"] += 1
        return
    with open("records.json", encoding="utf-8") as a, open("counts.json", encoding="utf-8") as b:
        a, b = json.load(a), json.load(b)
    rows = read("counts.out")
    assert rows[0] == header[:place] + ["n"] + header[place:], rows[0]
    released = collections.Counter()
    for row in rows[1:]:
        cells = tuple(row[:place] + row[place + 1:])
        assert cells not in released, f"{cells} twice: {told}"
        released[cells] = int(row[place])
    check_release(released, k, l, treatment, told)
    for key in ["rows", "released_rows", "suppressed_rows", "node"]:
        assert a[key] == b[key], f"{key}: {a[key]} for records, {b[key]} for counts: {told}"
    if method not in ("k-member", "mondrian", "local-suppression"):  # these look at the order of rows
        assert abs(a["utility"]["loss"] - b["utility"]["loss"]) < 1e-9, told
    if a["node"] is not None:
        assert released == collections.Counter(map(tuple, read("records.out")[1:])), told
    assert len(b["counts"].pop("rows_sha256")) == 64, b["counts"]
    assert b["counts"] == {"column": "n", "rows": len(groups), "once": sum(n == 1 for _, n in groups),
                           "released_rows": len(rows) - 1}, b["counts"]
    check_measured(mingle, b["utility"], told)
    code, err = run(mingle, "check", "counts.out", "--against", "counts.json", "--quiet")
    assert code == 0, f"{err}: {told}"
    seen[method] += 1
    seen["audited"] += 1
    row = rng.randrange(1, len(rows))
    rows[row][place] = str(int(rows[row][place]) + 1)
    write("forged.out", rows[0], rows[1:])
    code, _ = run(mingle, "check", "forged.out", "--against", "counts.json", "--quiet")
    assert code == 1, f"a count was changed and not found: {told}"


def road(mingle, rng, seen):
    """An engine counts its records, gets a map, makes the release and counts that again."""
    records = make_table(rng)
    engine = sqlite3.connect(":memory:")
    engine.execute("CREATE TABLE patients (age TEXT, zip TEXT, sex TEXT, dis TEXT)")
    engine.executemany("INSERT INTO patients VALUES (?, ?, ?, ?)",
                       [[None if c == "" else c for c in row] for row in records])
    counts = engine.execute("SELECT age, zip, sex, dis, COUNT(*) FROM patients GROUP BY 1, 2, 3, 4").fetchall()
    write("counts.csv", ["age", "zip", "sex", "dis", "n"], counts)
    treatment = rng.choice(["keep", "drop"])
    job = ["--qi", "age,zip,sex", "--sensitive", "dis", "-k", 3, "--suppress", "30%", "--suppressed", treatment,
           "--method", rng.choice(METHODS), "--missing", "", "--hierarchy", "zip=mask(right,2)"]
    code, err = run(mingle, "anonymize", "counts.csv", "--count", "n", *job, "--quiet", "--save-map", "map.csv",
                    "-o", "counts.out")
    if code == 1:
        return
    assert code == 0, err
    rows = read("map.csv")
    assert rows[0] == ["age", "zip", "sex", "released_age", "released_zip", "released_sex"], rows[0]
    assert len({tuple(r[:3]) for r in rows[1:]}) == len(rows) - 1, "a combination stands in the map twice"
    engine.execute("CREATE TABLE map (age TEXT, zip TEXT, sex TEXT, a TEXT, z TEXT, s TEXT)")
    engine.executemany("INSERT INTO map VALUES (?, ?, ?, ?, ?, ?)", [[c or None for c in r] for r in rows[1:]])
    release = engine.execute("""SELECT m.a, m.z, m.s, p.dis, COUNT(*) FROM patients p JOIN map m
        ON p.age IS m.age AND p.zip IS m.zip AND p.sex IS m.sex GROUP BY 1, 2, 3, 4""").fetchall()
    write("release.csv", ["age", "zip", "sex", "dis", "n"], release)
    assert sorted(read("release.csv")[1:]) == sorted(read("counts.out")[1:]), f"the engine released other rows: {job}"
    code, err = run(mingle, "check", "release.csv", "--count", "n", "--qi", "age,zip,sex", "-k", 3, "--quiet")
    assert code == 0, err
    seen["roads"] += 1


def main():
    mingle, jobs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 60
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(10**6)
    seen = collections.Counter()
    for number in range(jobs):
        try:
            check_job(mingle, random.Random(seed + number), seen)
            road(mingle, random.Random(seed + number), seen)
        except AssertionError as error:
            print(f"not ok: job {seed + number}: {error}")
            return 1
    assert jobs < 60 or (seen["refused"] > 0 and seen["audited"] > 10 and seen["roads"] > 10), seen
    print(f"ok: {jobs} jobs from {seed}: {dict(seen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
