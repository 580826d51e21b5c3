"""Plays the whole road of --print-sql on random jobs through sqlite3's shell and DuckDB's Python package: the engine
counts, mingle searches, the engine takes the map, makes the release and counts that, mingle judges the counts.

print_sql.py MINGLE ENGINE JOBS [SEED]"""
import collections
import csv
import json
import os
import random
import sqlite3
import subprocess
import sys

BY_ORDER = ["mondrian", "k-member", "local-suppression"]  # these look at the order of rows
METHODS = ["cell", "mingen", "samarati", "incognito", "datafly", "top-down", "mu-argus", "microaggregate", *BY_ORDER]
NAMES = ["age", 'a"b', "it's", "new\nline", "\u00fcn\u00ef", "select", "[x]", "b`t", "c1", "c2", "a,b", "a=b", "x -- y",
         "released_c1", "Straße", "m", "s", "t"]
ODD = ["", "NA", "na", "x", "x ", " x", "X", "\u00e9", "e\u0301", "e", "a\nb", "it's", 'a"b', "\u65e5\u672c", "a\tb", "1",
       "01", "1.0", "**", "|", "x|", "null", "\\", "\\n", "%s", "a,b", " "]


def run(mingle, *arguments):
    done = subprocess.run([mingle, *map(str, arguments)], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.reader(file))


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(rows)


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Shell:
    """SQLite by its own shell: rows come out and go in as CSV."""

    def __init__(self, parquet):
        del parquet
        for name in ["road.db", "counts.csv", "released.csv"]:
            if os.path.exists(name):
                os.remove(name)
        self.map = "map.csv"

    def make(self, table, columns, rows):
        base = sqlite3.connect("road.db")
        base.execute(f"CREATE TABLE {quoted(table)} ({', '.join(quoted(c) + ' TEXT COLLATE NOCASE' for c in columns)})")
        base.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * len(columns))})", rows)
        base.commit()
        base.close()

    def shell(self, text):
        done = subprocess.run(["sqlite3", "-batch", "road.db"], input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr, done.stderr + text

    def statement(self, text):
        self.shell(text + ";\n")

    def unload(self, query, path):
        self.shell(f".headers on\n.mode csv\n.once {path}\n{query};\n")

    def load(self, table):
        self.shell(f'.import --csv --skip 1 map.csv "{table}"\n')

    def rows(self, table):
        base = sqlite3.connect("road.db")
        found = base.execute(f"SELECT * FROM {quoted(table)}")
        names, rows = [d[0] for d in found.description], found.fetchall()
        base.close()
        return names, rows


class DuckDB:
    def __init__(self, parquet):
        import duckdb  # of the environment that the test makes
        self.base = duckdb.connect(":memory:")
        self.map = "map.parquet" if parquet else "map.csv"

    def make(self, table, columns, rows):
        self.base.execute(f"CREATE TABLE {quoted(table)} ({', '.join(quoted(c) + ' VARCHAR COLLATE NOCASE' for c in columns)})")
        self.base.executemany(f"INSERT INTO {quoted(table)} VALUES ({', '.join('?' * len(columns))})", rows)

    def statement(self, text):
        self.base.execute(text)

    def unload(self, query, path):
        self.base.execute(f"COPY ({query}) TO '{path}' (HEADER)")

    def load(self, table):
        if self.map == "map.parquet":
            self.base.execute(f"INSERT INTO {quoted(table)} SELECT * FROM 'map.parquet'")
        else:
            self.base.execute(f"COPY {quoted(table)} FROM 'map.csv' (HEADER)")

    def rows(self, table):
        found = self.base.execute(f"SELECT * FROM {quoted(table)}")
        return [d[0] for d in found.description], found.fetchall()


def make_job(rng):
    names = rng.sample(NAMES, 5)
    while len({n.casefold() for n in names}) < 5:
        names = rng.sample(NAMES, 5)
    n_quasi = rng.randint(1, 3)
    quasi, sensitive, rest = names[:n_quasi], names[n_quasi:4], names[4:]
    pools, attributes = {}, {}
    method = rng.choice(METHODS)
    averaged = method == "microaggregate" and rng.random() < 0.8  # of texts it has no averages, and says so
    for name in quasi:
        kind = "number" if averaged else rng.choice(["odd", "odd", "number", "code"])
        if kind == "number":
            pools[name] = [str(rng.randint(20, 45)) for _ in range(8)] + ["", None]
            attributes[name] = {"role": "quasi", "hierarchy": "intervals(5,10)"}
        elif kind == "code":
            pools[name] = ["02138", "02139", "02141", "02142", None]
            attributes[name] = {"role": "quasi", "hierarchy": "mask(right,2)"}
        else:
            pools[name] = rng.sample(ODD, 6) + [None]
            attributes[name] = {"role": "quasi", "hierarchy": "suppress"}
    for name in sensitive:
        pools[name] = rng.sample(ODD, 4) + [None]
        attributes[name] = {"role": "sensitive"}
    passed = rng.random() < 0.3
    for name in rest:
        pools[name] = ["p", "q", None, "NA"]
        attributes[name] = {"role": "insensitive" if passed else "identifier"}
    n = rng.choice([rng.randint(2, 8), rng.randint(20, 90), rng.randint(20, 90)])
    rows = [tuple(rng.choice(pools[name]) for name in names) for _ in range(n)]
    models = [{"k-anonymity": rng.randint(2, 4)}]
    if rng.random() < 0.4:
        models.append({"l-diversity": {"attribute": sensitive[0], "l": 2}})
    job = {"attributes": attributes, "privacy": models, "method": method, "rest": "drop", "allow-leaks": True,
           "suppress": rng.choice(["0", "20%", "60%"]), "suppressed": rng.choice(["keep", "keep", "drop", "exempt"])}
    missing = rng.choice([None, [""], ["NA", ""], ["", "NA", "it's", "\\"]])
    if missing is not None:
        job["missing"] = missing
    return names, rows, quasi, sensitive, rest if passed else [], job


def canon(rows, header, names, missing):
    """The multiset of rows; NULL reads as the first missing text."""
    places = [header.index(name) for name in names]
    return collections.Counter(tuple(missing if row[p] is None else str(row[p]) for p in places) for row in rows)


def expand(path):
    rows = read(path)
    place = rows[0].index("n#")
    header = rows[0][:place] + rows[0][place + 1:]
    return header, [row[:place] + row[place + 1:] for row in rows[1:] for _ in range(int(row[place]))]


def same_missing(counter, columns, names, tokens):
    """Sensitive values of a counted table have one text for what is missing."""
    made = collections.Counter()
    for row, n in counter.items():
        made[tuple(tokens[0] if name in columns and cell in tokens else cell for cell, name in zip(row, names))] += n
    return made


def tamper(rng, engine, table, columns):
    """Does something to the release that its counts must show."""
    names, rows = engine.rows(table)
    kind = rng.choice(["lost", "twice", "changed"])
    row = rng.choice(rows)
    where = " AND ".join(f"{quoted(n)} IS NOT DISTINCT FROM {literal(c)}" if isinstance(engine, DuckDB) else
                         f"{quoted(n)} COLLATE BINARY IS {literal(c)}" for n, c in zip(names, row))
    if kind == "lost":
        engine.statement(f"DELETE FROM {quoted(table)} WHERE {where}")
    elif kind == "twice":
        engine.statement(f"INSERT INTO {quoted(table)} SELECT * FROM {quoted(table)} WHERE {where}")
    else:
        engine.statement(f"UPDATE {quoted(table)} SET {quoted(rng.choice(columns))} = 'forged value' WHERE {where}")
    return kind


def literal(cell):
    return "NULL" if cell is None else "'" + cell.replace("'", "''") + "'"


def road(mingle, make_engine, rng, seen, parquet):
    names, rows, quasi, sensitive, passed, job = make_job(rng)
    told = json.dumps(job)
    tokens = job.get("missing", [""])  # in a database NA is a value
    released = quasi + sensitive + passed
    engine = make_engine(parquet and rng.random() < 0.5)
    table = rng.choice(["people", "it's \"a\" table"]) if isinstance(engine, DuckDB) else "people"
    target = table + " k"
    engine.make(table, names, rows)
    with open("job.yaml", "w", encoding="utf-8") as file:
        json.dump(job, file)
    code, out, err = run(mingle, "anonymize", "job.yaml", "--data", quoted(table), "-o", quoted(target), "--count", "n#",
                         "--print-sql", "duckdb" if isinstance(engine, DuckDB) else "sqlite", "--json", "--save-job",
                         "saved.yaml")
    assert code == 0, f"{err}: {told}"
    sql = json.loads(out)["sql"]
    engine.unload(sql["count"], "counts.csv")
    code, _, err = run(mingle, "anonymize", "saved.yaml", "counts.csv", "-o", "counted.csv", "--save-map",
                       engine.map, "--result", "result.json", "--quiet")
    write("records.csv", names, [[tokens[0] if c is None else c for c in row] for row in rows])
    other, _, other_err = run(mingle, "anonymize", "job.yaml", "records.csv", "-o", "records.out", "--quiet",
                              *([] if "missing" in job else ["--missing", '""']))
    assert code == other, f"{code} {err} for counts, {other} {other_err} for records: {told}"
    if code != 0:
        assert code == 1 or "microaggregate replaces numbers" in err, f"{err}: {told}"
        seen["refused " + job["method"]] += 1
        return
    for name in [engine.map, "counted.csv", "result.json"]:
        assert os.stat(name).st_mode & 0o777 == 0o600, f"others can read {name}"
    engine.statement(sql["map"])
    engine.load(target + "_map")
    engine.statement(sql["release"])
    engine.unload(sql["verify"], "released.csv")
    header, made = engine.rows(target + "_unchecked")
    assert header == released, f"{header} where {released} was wanted"
    found = canon(made, header, released, tokens[0])
    counted_header, counted = expand("counted.csv")
    both = quasi + sensitive
    assert same_missing(canon(made, header, both, tokens[0]), sensitive, both, tokens) == \
        same_missing(canon(counted, counted_header, both, tokens[0]), sensitive, both, tokens), f"other rows than mingle counts: {told}"
    if job["method"] not in BY_ORDER:
        files = read("records.out")
        wanted = canon(files[1:], files[0], released, tokens[0])
        assert same_missing(found, both, released, tokens) == same_missing(wanted, both, released, tokens), \
            f"other rows than the road of files: {found - wanted} {wanted - found}: {told}"
        seen["as files"] += 1
    code, out, err = run(mingle, "check", "released.csv", "--against", "result.json")
    assert code == 0, f"the counts of an honest release are refused: {out}{err}: {told}"
    kind = tamper(rng, engine, target + "_unchecked", both)
    engine.unload(sql["verify"], "released.csv")
    code, out, err = run(mingle, "check", "released.csv", "--against", "result.json")
    assert code in (1, 3), f"a release was forged ({kind}) and not found: {out}{err}: {told}"
    seen[kind] += 1
    for part in ["publish", "clean"]:
        engine.statement(sql[part])
    assert engine.rows(target)[0] == released
    seen[job["method"]] += 1
    seen["roads"] += 1
    seen[engine.map] += 1


def main():
    mingle, engine, jobs = sys.argv[1], {"sqlite": Shell, "duckdb": DuckDB}[sys.argv[2]], int(sys.argv[3])
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(10**6)
    parquet = os.path.exists(os.environ.get("MINGLE_DUCKDB", "none"))
    seen = collections.Counter()
    for number in range(jobs):
        try:
            road(mingle, engine, random.Random(seed + number), seen, parquet)
        except AssertionError as error:
            print(f"not ok: job {seed + number} of {sys.argv[2]}: {error}")
            return 1
    assert jobs < 20 or seen["roads"] >= jobs // 4, seen
    print(f"ok: {jobs} jobs from {seed} through {sys.argv[2]}: {dict(seen)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
