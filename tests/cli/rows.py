"""Random conditions on random tables, judged here by three-valued logic: what is released are the
rows that satisfy the condition, whatever the source; samples have the size that was asked for.

rows.py MINGLE SEED TABLES [LOCATION...]
A location is a further source of the same table: sqlite:FILE?table=t is filled here.
"""
import collections
import csv
import datetime
import json
import os
import random
import sqlite3
import subprocess
import sys

mingle, seed, tables = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
names = ["age", "zip code", "in", "born", "note"]
MISSING = ("", "NA")


def run(*arguments, codes=(0,)):
    done = subprocess.run([mingle, *arguments, "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode not in codes:
        sys.exit("%r: %d %s" % (arguments, done.returncode, done.stderr))
    return json.loads(done.stdout) if done.returncode == 0 else None


# ---- Conditions: ("not", x), ("and", x, y), ("or", x, y), (column, comparison, values) ---------

def draw_value(draw, column):
    if column == "age":
        return draw.choice([draw.randrange(-2, 12), draw.randrange(0, 20) / 2])
    if column == "born":
        return datetime.date(2020, 1, 1) + datetime.timedelta(draw.randrange(40))
    return draw.choice(["a", "B", "it's", "é", "01", "1", "10", "x%", "", "ab_"])


def draw_condition(draw, depth):
    kind = draw.random()
    if depth > 0 and kind < 0.25:
        return ("not", draw_condition(draw, depth - 1))
    if depth > 0 and kind < 0.75:
        return (draw.choice(["and", "or"]), draw_condition(draw, depth - 1),
                draw_condition(draw, depth - 1))
    column = draw.choice(names)
    comparison = draw.choice(["=", "<>", "!=", "<", "<=", ">", ">=", "in", "not in", "between",
                              "not between", "is missing", "is not missing", "like", "not like"])
    if comparison.endswith("like") and column in ("age", "born"):
        comparison = "in"
    if comparison.endswith("missing"):
        return (column, comparison, [])
    if comparison.endswith("like"):
        return (column, comparison, [draw.choice(["a%", "%1%", "_", "%", "it_s", "x%", "a_%b"])])
    n = draw.randrange(1, 5) if comparison.endswith("in") else 2 if "between" in comparison else 1
    return (column, comparison, [draw_value(draw, column) for _ in range(n)])


def say_value(value):
    return "'%s'" % value.replace("'", "''") if isinstance(value, str) else str(value)


def say(draw, c, inside=False):
    if c[0] == "not":
        return "%s %s" % (draw.choice(["not", "NOT"]), say(draw, c[1], True))
    if c[0] in ("and", "or"):
        text = "%s %s %s" % (say(draw, c[1], True), c[0], say(draw, c[2], True))
        return "(%s)" % text if inside else text
    column, comparison, values = c
    name = column if column.isalpha() and column != "in" and draw.random() < 0.5 else \
        '"%s"' % column
    if "between" in comparison:
        return "%s %s %s and %s" % (name, comparison, *map(say_value, values))
    if comparison.endswith("in"):
        return "%s %s (%s)" % (name, comparison, ", ".join(map(say_value, values)))
    return " ".join([name, comparison, *map(say_value, values)])


def is_like(text, pattern):
    if pattern == "":
        return text == ""
    if pattern[0] == "%":
        return any(is_like(text[i:], pattern[1:]) for i in range(len(text) + 1))
    return text != "" and pattern[0] in ("_", text[0]) and is_like(text[1:], pattern[1:])


def read_cell(cell, value):
    if isinstance(value, str):
        return cell.encode()
    return datetime.date.fromisoformat(cell) if isinstance(value, datetime.date) else float(cell)


def compare(cell, comparison, values):
    if comparison.endswith("missing"):
        return (cell in MISSING) != ("not" in comparison)
    if cell in MISSING:
        return None
    if comparison.endswith("like"):
        return is_like(cell, values[0]) != ("not" in comparison)
    x = read_cell(cell, values[0])
    v = [v.encode() if isinstance(v, str) else v for v in values]
    if comparison.endswith("in"):
        return (x in v) != ("not" in comparison)
    if "between" in comparison:
        return (v[0] <= x <= v[1]) != ("not" in comparison)
    return {"=": x == v[0], "<>": x != v[0], "!=": x != v[0], "<": x < v[0], "<=": x <= v[0],
            ">": x > v[0], ">=": x >= v[0]}[comparison]


def judge(c, row):
    if c[0] == "not":
        x = judge(c[1], row)
        return None if x is None else not x
    if c[0] in ("and", "or"):
        both = [judge(c[1], row), judge(c[2], row)]
        decides = c[0] == "or"
        return decides if decides in both else None if None in both else not decides
    return compare(row[c[0]], c[1], c[2])


# ---- Tables --------------------------------------------------------------------------------------

def draw_cell(draw, column):
    if draw.random() < 0.12:
        return draw.choice(MISSING)
    value = draw_value(draw, column)
    return "NA" if value == "" else str(value)


def write_csv(path, rows):
    with open(path, "w", newline="") as f:
        out = csv.DictWriter(f, ["nr", *names], lineterminator="\n")
        out.writeheader()
        out.writerows(rows)


def fill_sqlite(location, rows):
    path = location[len("sqlite:"):].split("?")[0]
    if os.path.exists(path):
        os.remove(path)
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE t (nr INTEGER, age %s, \"zip code\" TEXT, \"in\" TEXT COLLATE NOCASE, "
                 "born TEXT, note)" % ("REAL" if len(rows) % 2 else "TEXT"))
    base.executemany("INSERT INTO t VALUES (%s)" % ",".join("?" * (1 + len(names))),
                     [[None if r[n] == "" else float(r[n]) if n == "age" and r[n] not in MISSING
                       and len(rows) % 2 else r[n] for n in ["nr", *names]] for r in rows])
    base.commit()
    base.close()


ROLES = ["--qi", "nr", "--hierarchy", "nr=intervals(1000)", "--rest", "insensitive", "-k", "1",
         "--missing", ",NA", "--allow-leaks", "--seed", "1", "--method", "mingen", "--brief"]


def released_there(location, text):
    """The same where the engine counts and writes the release: numbers of rows, and the result."""
    path = location[len("sqlite:"):].split("?")[0]
    base = sqlite3.connect(path)
    base.execute("DROP TABLE IF EXISTS made")
    base.close()
    result = run("anonymize", location, *ROLES, "--where", text, "-o", "sqlite:%s?table=made" % path,
                 codes=(0, 3))
    if result is None:
        return None, []
    base = sqlite3.connect(path)
    found = sorted(int(nr) for nr, in base.execute("SELECT nr FROM made"))
    base.close()
    return result, found


def released(data, *arguments):
    result = run("anonymize", data, *ROLES, *arguments, "-o", "out.csv", codes=(0, 3))
    if result is None:
        return None, []
    with open("out.csv", newline="") as f:
        return result, sorted(int(r["nr"]) for r in csv.DictReader(f))


def judge_table(draw, sources):
    rows = [dict({n: draw_cell(draw, n) for n in names}, nr=i) for i in range(draw.randrange(1, 60))]
    write_csv("t.csv", rows)
    for location in sources:
        if location.startswith("sqlite:"):
            fill_sqlite(location, rows)
    for _ in range(3):
        c = draw_condition(draw, 3)
        text = say(draw, c)
        expected = [r["nr"] for r in rows if judge(c, r)]
        for data in ["t.csv", *sources]:
            result, found = released(data, "--where", text)
            assert found == expected, (data, text, expected, found)
            if result is None:
                continue
            assert result["rows"] == len(expected)
            assert result["left_out_rows"] == len(rows) - len(expected)
            assert result["row_choice"] == {"read": len(rows), "where": len(rows) - len(expected),
                                            "sample": 0}
        for location in [s for s in sources if s.startswith("sqlite:")]:
            result, found = released_there(location, text)
            assert found == expected, ("in the engine", text, expected, found)
            assert result is None or result["left_database"]["rows"] == 0
        if not expected:
            continue
        n = draw.randrange(1, len(expected) + 3)
        size = draw.choice([str(n), "%g%%" % draw.choice([10, 50, 99.5, 100])])
        share = float(size[:-1]) if size.endswith("%") else None
        wanted = min(n, len(expected)) if share is None else \
            int(len(expected) * share / 100 + 0.5)
        samples = [released(data, "--where", text, "--sample", size, "--sample-seed", "5",
                            "--threads", str(draw.randrange(1, 4)))[1]
                   for data in ["t.csv", *sources, "t.csv"]]
        assert all(s == samples[0] for s in samples), (size, samples)
        assert len(samples[0]) == wanted and set(samples[0]) <= set(expected), (size, samples[0])


def judge_likelihood():
    """Each pair of six rows is drawn about as often as any other, by all seeds of a range."""
    write_csv("t.csv", [dict.fromkeys(names, "a") | {"nr": i, "age": 1, "born": ""}
                        for i in range(6)])
    pairs = collections.Counter(tuple(released("t.csv", "--sample", "2", "--sample-seed", str(s))[1])
                                for s in range(300))
    assert len(pairs) == 15 and min(pairs.values()) >= 5 and max(pairs.values()) <= 45, pairs


draw = random.Random(seed)
for _ in range(tables):
    judge_table(draw, sys.argv[4:])
judge_likelihood()
