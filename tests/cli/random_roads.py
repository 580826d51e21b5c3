"""Random jobs inside databases give the rows that the same jobs give through files: all methods, NULLs, odd values,
hostile names. What a road refuses it refuses in words, and that is counted.

random_roads.py MINGLE ROAD JOBS SEED [HOST...]    ROAD: postgresql, odbc, sqlite or shards
"""
import collections
import csv
import io
import json
import os
import random
import sqlite3
import subprocess
import sys

METHODS = ["mingen", "cell", "datafly", "samarati", "incognito", "top-down", "mu-argus", "local-suppression", "mondrian",
           "k-member", "microaggregate"]
NAMES = ["zip", "k1", "h", "r1", "select", "a b", 'q"uote', "s", "m", "Ünï", "c'; --", "x%20", "n", "o", "i"]
TYPES = ["text", "integer", "bigint", "date", "numeric(6,2)", "double precision", "timestamp", "varchar(9)", "smallint",
         'text COLLATE "C"', "boolean"]
# SQLite has no types but these: a cell of any other reads as what was put in.
LITE_TYPES = ["text", "integer", "INT", "varchar(9)", "text COLLATE NOCASE"]
TARGETS = ["made", 'made "it\'s"']


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(cell):
    return "NULL" if cell is None else "'" + cell.replace("'", "''") + "'"


def escaped(table):
    return "".join("%%%02x" % b for b in quoted(table).encode())


def rows_of(text):
    return sorted(map(tuple, list(csv.reader(io.StringIO(text)))[1:]))


class PostgreSQL:
    types = TYPES

    def __init__(self, hosts):
        self.hosts = hosts

    def psql(self, host, *statements, form="-At"):
        args = [part for s in statements for part in ("-c", s)]
        done = subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qX", form, "-v", "ON_ERROR_STOP=1", *args],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{statements}: {done.stderr}")
        return done.stdout

    def make(self, columns, rows):
        """Each host gets some of the rows, the second maybe none."""
        cut = random.choice([0, len(rows) // 3]) if len(self.hosts) > 1 else 0
        shares = [rows] if len(self.hosts) == 1 else [rows[cut:], rows[:cut]]
        for host, share in zip(self.hosts, shares):
            self.psql(host, f"DROP TABLE IF EXISTS t, {', '.join(map(quoted, TARGETS))}",
                      f"CREATE TABLE t ({', '.join(quoted(n) + ' ' + k for n, k in columns)})")
            if share:
                self.psql(host, "INSERT INTO t VALUES " + ", ".join(f"({', '.join(map(literal, r))})" for r in share))

    def rows(self, table):
        names = self.psql(self.hosts[0], f"SELECT quote_ident(attname) FROM pg_attribute WHERE attnum > 0 AND attrelid = "
                                         f"{literal(quoted(table))}::regclass ORDER BY attnum").splitlines()
        cells = ", ".join(f"CAST({name} AS text)" for name in names)  # truth values have another text in psql
        parts = [self.psql(host, f"SELECT {cells} FROM {quoted(table)}", form="--csv") for host in self.hosts]
        parts[0] = self.psql(self.hosts[0], f"SELECT * FROM {quoted(table)} WHERE false", form="--csv") + parts[0].split("\n", 1)[1]
        return "".join([parts[0]] + [part.split("\n", 1)[1] for part in parts[1:]])

    def text(self):
        return self.rows("t")

    def left(self):
        return [self.psql(host, "SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(mingle|made)'").split("\n")[:-1]
                for host in self.hosts if self.psql(host, "SELECT 1 FROM pg_class WHERE relkind = 'r' AND relname ~ '^(mingle|made)'")]

    def data(self):
        return [f"postgresql://owner@/test?host={self.hosts[0]}&table=t"]

    def target(self, table):
        return f"postgresql://owner@/test?host={self.hosts[0]}&table={escaped(table)}"


class Shards(PostgreSQL):
    def data(self):
        with open("shards.txt", "w", encoding="utf-8") as file:
            file.writelines(f"postgresql://owner@/test?host={host}&table=t\n" for host in self.hosts)
        return ["--shards", "shards.txt"]

    def target(self, table):
        return "shards:?table=" + escaped(table)


class Odbc(PostgreSQL):
    def data(self):
        return ["odbc:DSN=test;?table=t"]

    def target(self, table):
        return "odbc:DSN=test;?table=" + escaped(table)


class SQLite:
    types = LITE_TYPES

    def __init__(self, hosts):
        del hosts

    def make(self, columns, rows):
        if os.path.exists("t.db"):
            os.remove("t.db")
        base = sqlite3.connect("t.db")
        base.execute(f"CREATE TABLE t ({', '.join(quoted(n) + ' ' + k for n, k in columns)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(columns))})", rows)
        base.commit()
        base.close()

    def rows(self, table):
        base = sqlite3.connect("t.db")
        found = base.execute(f"SELECT * FROM {quoted(table)}")
        text = io.StringIO()
        out = csv.writer(text)
        out.writerow([d[0] for d in found.description])
        out.writerows(found)
        base.close()
        return text.getvalue()

    def text(self):
        return self.rows("t")

    def left(self):
        base = sqlite3.connect("t.db")
        names = [name for name, in base.execute("SELECT name FROM sqlite_master WHERE name <> 't'")]
        base.close()
        return names

    def data(self):
        return ["sqlite:t.db?table=t"]

    def target(self, table):
        return "sqlite:t.db?table=" + escaped(table)


def value(kind):
    i = random.randrange(random.choice([2, 3, 6]))
    if kind.lower() in ("integer", "bigint", "smallint", "int"):
        return str(i * 7 - 3)
    if kind == "date":
        return f"19{40 + i * 9}-03-0{i + 1}"
    if kind == "timestamp":
        return f"2020-01-0{i + 1} 10:{i:02}:00.5"
    if kind.startswith("numeric"):
        return f"{i}.50"
    if kind == "double precision":
        return random.choice(["0.1", "1e+20", "-2.5", "3"])
    if kind == "boolean":
        return random.choice(["true", "false"])
    return ["x", "é", "a'b", "E\\t", "x y", "na?"][i]


def draw(road):
    names = random.sample(NAMES, random.randint(3, 6))
    while len({n.lower() for n in names}) < len(names):
        names = random.sample(NAMES, random.randint(3, 6))
    method = random.choice(METHODS)
    kinds = road.types if method != "microaggregate" else [k for k in road.types if k.lower() in ("integer", "bigint", "int", "date")]
    n_quasi = random.choice([len(names), random.randint(1, len(names) - 1), random.randint(1, len(names) - 1)])
    columns = [(n, random.choice(kinds if i < n_quasi else road.types)) for i, n in enumerate(names)]
    shares = [random.choice([0, 0, 0.2]) for _ in columns]
    rows = [[None if random.random() < share else value(kind) for (_, kind), share in zip(columns, shares)]
            for _ in range(random.choice([40, 200]))]
    job = ["--qi", ",".join(quoted(n) for n in names[:n_quasi]), "--rest", "insensitive", "--allow-leaks",
           "-k", str(random.choice([2, 4])), "--method", method, "--suppress", random.choice(["0", "30%", "100%"]),
           "--suppressed", random.choice(["keep", "keep", "drop", "exempt"]), "--missing", "", "--quiet"]
    if random.random() < 0.3:
        job.append("--keep-order")
    return columns, rows, method, job


def run(mingle, *arguments):
    done = subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def compare(mingle, road, seen):
    columns, rows, method, job = draw(road)
    road.make(columns, rows)
    with open("t.csv", "w", newline="", encoding="utf-8") as out:
        out.write(road.text())
    for name in ("made.csv", "r.json"):
        if os.path.exists(name):
            os.remove(name)
    target = random.choice(TARGETS)
    code, err = run(mingle, "anonymize", "t.csv", "--delimiter", ",", "-o", "made.csv", *job)
    found, found_err = run(mingle, "anonymize", *road.data(), "-o", road.target(target), "--result", "r.json", *job)
    told = f"{columns} {job}\nfile: {code} {err}\ndatabase: {found} {found_err}"
    if found != 0:
        assert not road.left(), f"left behind: {road.left()}: {told}"
        assert found_err.startswith("mingle: "), told
    if code == 0 and found == 2:
        seen[f"refused by the road: {method}"] += 1
        return
    assert code == found, told
    if code:
        seen[f"refused: {method}"] += 1
        return
    with open("made.csv", newline="", encoding="utf-8") as file:
        wanted = rows_of(file.read())
    assert rows_of(road.rows(target)) == wanted, f"rows differ: {told}"
    seen[method] += 1
    seen["compared"] += 1
    if isinstance(road, Shards):
        assert not os.path.exists("shards.txt.unfinished"), told
    else:
        code, err = run(mingle, "check", road.target(target), "--against", "r.json", "--quiet")
        assert code == 0, f"check --against: {err}: {told}"
    with open("r.json", encoding="utf-8") as file:
        assert json.load(file)["left_database"]["rows"] == 0, f"rows left the database: {told}"


def main():
    mingle, name, jobs, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    road = {"postgresql": PostgreSQL, "shards": Shards, "odbc": Odbc, "sqlite": SQLite}[name](sys.argv[5:])
    seen = collections.Counter()
    for number in range(jobs):
        random.seed(seed * 1000003 + number)
        try:
            compare(mingle, road, seen)
        except AssertionError as error:
            print(f"job {number} of seed {seed} through {name}: {error}")
            return 1
    print(f"{jobs} jobs of seed {seed} through {name}: {dict(sorted(seen.items()))}")
    assert seen["compared"] * 3 > jobs or jobs < 6, seen
    return 0


if __name__ == "__main__":
    sys.exit(main())
