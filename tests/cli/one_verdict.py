"""The leak guard's verdict does not depend on where a table is stored: random tables, of which some leak by one
column, by two together, or not at all, are released from and to every store there is, and the exit code, what is
refused, `leaks`, `guard` and `warnings` of the result and its figures must be those of a text file.

one_verdict.py MINGLE SEED TABLES STORE...    STORE: gz, jsonl, arrow, apply, counted, sqlite, fetched, parquet,
pushed, folder, duckdb, duckdb_fetched, postgresql=HOST, postgresql_fetched=HOST, shards=HOST,HOST, mariadb=SOCKET
"""
import collections
import csv
import gzip
import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
QUASI = ["zip", "age", "sex"]


# ---- Tables ------------------------------------------------------------------------------------

#: What a further column may be: a function of the draw and the quasi-identifiers of the row.
COLUMNS = {
    "town": lambda draw, z, a, s: f"town {z}",
    "nearly": lambda draw, z, a, s: f"town {z}" if draw.random() < 0.97 else "elsewhere",
    "half": lambda draw, z, a, s: f"town {z}" if draw.random() < 0.5 else "elsewhere",
    "some": lambda draw, z, a, s: f"town {z}" if z.endswith("3") else "elsewhere",
    "few_rows": lambda draw, z, a, s: f"t{z}" if z.startswith("00") and draw.random() < 0.3 else "-",
    "since": lambda draw, z, a, s: str(2020 - a),
    "near_age": lambda draw, z, a, s: str(a + draw.randrange(2)),
    "salary": lambda draw, z, a, s: "%.2f" % (draw.random() * 90000),
    "notes": lambda draw, z, a, s: f"lives at {z} since {draw.randrange(50)}",
    "same": lambda draw, z, a, s: "x",
    "level": lambda draw, z, a, s: str(draw.randrange(4)),
    "empty": lambda draw, z, a, s: "" if draw.random() < 0.5 else str(draw.randrange(3)),
    "missing_both": lambda draw, z, a, s: "" if s == "f" else "NA",
    "spelled": lambda draw, z, a, s: ("Yes" if s == "f" else "yes") if draw.random() < 0.98 else "no",
    "blank": lambda draw, z, a, s: "v" if int(z) % 2 else "v ",
    "zeros": lambda draw, z, a, s: "%0*d" % (1 + a % 3, draw.randrange(10)),
    "rare": lambda draw, z, a, s: f"{z}{a}" if draw.random() < 0.3 else "",
    "mail": lambda draw, z, a, s: f"person{draw.randrange(10**6)}@example.org",
    "score": lambda draw, z, a, s: str(draw.randrange(30)),
    "visits": lambda draw, z, a, s: str(min(draw.randrange(1, 4), draw.randrange(1, 9))),
    "when": lambda draw, z, a, s: f"20{draw.randrange(10, 22)}-0{draw.randrange(1, 10)}-1{draw.randrange(10)}",
}
HARMLESS = ["same", "level", "empty", "half", "few_rows", "zeros", "score", "visits"]


def draw_table(draw, kind):
    """(names, rows): quasi-identifiers, a sensitive column, and what passes through. Of five kinds of tables two are
    harmless, and one leaks by two columns together. Some have all rows ten times over."""
    n = draw.choice([200, 600, 1500]) if kind != 0 else 600
    zips = draw.choice([10, 30, 100]) if kind != 0 else 10
    harmless = kind < 3
    names = draw.sample(HARMLESS if harmless else sorted(COLUMNS), draw.randrange(1, 5))
    two = kind == 0 or (not harmless and draw.random() < 0.5)
    counted = not harmless and draw.random() < 0.15
    rows = []
    for i in range(n):
        z, a, s = "%03d" % draw.randrange(zips), draw.randrange(18, 18 + draw.choice([10, 40])), draw.choice("fm")
        row = [z, str(a), s, draw.choice(["flu", "cold", "angina", f"f{int(z) // 10}"])]
        row += [COLUMNS[name](draw, z, a, s) for name in names]
        if two:
            x = draw.randrange(10)
            row += [str(x), str((int(z) - x) % 10)]
        rows.append(row + ([str(i + 1)] if counted else []))
    if kind != 0 and draw.random() < 0.2:
        rows *= 10
    names = QUASI + ["ill"] + names + ["first", "second"] * two + ["serial"] * counted
    order = draw.sample(range(len(names)), len(names))
    return [names[i] for i in order], [[row[i] for i in order] for row in rows]


def draw_job(draw, names, kind):
    passed = [name for name in names if name not in (*QUASI, "ill")]
    job = {"privacy": [{"k-anonymity": draw.choice([2, 5, 9])}], "suppress": draw.choice(["0", "5%", "20%"]),
           "suppressed": draw.choice(["keep", "keep", "drop", "exempt"]),
           "method": draw.choice(["mingen", "mingen", "cell", "datafly", "mondrian", "local-suppression"]),
           "missing": draw.choice([[""], ["", "NA"]])}
    if kind == 0:
        job.update({"privacy": [{"k-anonymity": 9}], "suppress": "0", "suppressed": "keep", "method": "mingen"})
    sensitive = ["ill"] + (draw.sample(passed, 1) if draw.random() < 0.3 else [])
    attributes = {"zip": {"role": "quasi", "hierarchy": "mask(right)"},
                  "age": {"role": "quasi", "hierarchy": "intervals(5,20)"}, "sex": {"role": "quasi"}}
    if kind == 0:
        attributes["zip"]["level"] = "1..2"
    attributes.update({name: {"role": "sensitive"} for name in sensitive})
    if job["method"] in ("mingen", "cell") and draw.random() < 0.3:
        job["privacy"].append({"l-diversity": {"attribute": "ill", "l": 2}})
    # By name, or by `rest`, which refuses more.
    if kind == 0 or draw.random() < 0.7:
        attributes.update({name: {"role": "insensitive"} for name in passed if name not in sensitive})
    else:
        job["rest"] = "insensitive"
    return {"attributes": attributes, **job}


# ---- Stores ------------------------------------------------------------------------------------

def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def literal(cell):
    return "NULL" if cell == "" else "'" + cell.replace("'", "''") + "'"


def write_csv(name, names, rows, opened=open):
    with opened(name, "wt", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(names)
        out.writerows(rows)


class Store:
    """make() puts the table there; data and target are what the job names."""

    counts_alone = True  # rows that are alone with what is passed through
    measures = True  # what the search of the release found

    def __init__(self, data, target):
        self.data, self.target = data, target

    def run(self, mingle, job, options):
        return anonymize(mingle, {**job, "data": self.data}, self.target, options)


class Gzip(Store):
    def __init__(self, _):
        super().__init__("t.csv.gz", "gz.csv.gz")

    def make(self, names, rows):
        write_csv("t.csv.gz", names, rows, gzip.open)


class JsonLines(Store):
    def __init__(self, _):
        super().__init__("t.jsonl", "lines.jsonl")

    def make(self, names, rows):
        with open("t.jsonl", "w", encoding="utf-8") as out:
            for row in rows:
                print(json.dumps(dict(zip(names, row))), file=out)


class Arrow(Store):
    def __init__(self, _):
        super().__init__("t.arrow", "made.arrow")

    def make(self, names, rows):
        del rows
        done = subprocess.run([MINGLE, "anonymize", "t.csv", "--qi", names[0], "--rest", "insensitive", "-k", "1",
                               "--keep-order", "--allow-leaks", "--missing", "", "--quiet", "-o", "t.arrow"],
                              capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


class Apply(Store):
    """Counted, searched and released by three commands."""

    measures = False

    def __init__(self, _):
        super().__init__("t.csv", "applied.csv")

    def make(self, names, rows):
        pass

    def run(self, mingle, job, options):
        # A slice knows k, and no other model of the whole table.
        if "rest" in job or len(job["privacy"]) > 1 or "--allow-leaks" not in options:
            return None
        roles = {"attributes": {name: {"role": told["role"]} for name, told in job["attributes"].items()}}
        write_job({**roles, "missing": job["missing"], "data": "t.csv", "output": "t.part"}, "count.yaml")
        code, err = run(mingle, "count", "count.yaml", "--quiet")
        assert code == 0, err
        found = {key: value for key, value in job.items() if key not in ("attributes", "missing")}
        found["attributes"] = {name: {key: told[key] for key in told if key != "role"}
                               for name, told in job["attributes"].items() if "hierarchy" in told}
        write_job({**found, "data": "t.part", "save-recoding": "t.rec"}, "search.yaml")
        code, err = run(mingle, "anonymize", "search.yaml", "--quiet")
        if code:
            return code, err, None
        code, err = run(mingle, "apply", "t.rec", "t.csv", "-o", "applied.csv", "--quiet", "--result", "r.json", *options)
        return code, err, read_result(code)


class Counted(Store):
    """Counts that are made here, as engines behind Python make them."""

    counts_alone = False

    def __init__(self, _):
        super().__init__("counted.csv", "counted.out")

    def make(self, names, rows):
        self.names, self.rows = names, rows

    def count(self, wanted, name):
        places = [self.names.index(column) for column in wanted]
        groups = collections.Counter(tuple(row[p] for p in places) for row in self.rows)
        write_csv(name, [*wanted, "n"], [[*key, times] for key, times in groups.items()])
        return name

    def run(self, mingle, job, options):
        roles = {name: told["role"] for name, told in job["attributes"].items()}
        fixed = [name for name in self.names if roles.get(name) in ("quasi", "sensitive")]
        passed = [name for name in self.names if roles.get(name) == "insensitive"]
        if "rest" in job:
            return None
        self.count(fixed, "counted.csv")
        tables = [self.count([*fixed, name], f"with_{i}.csv") for i, name in enumerate(passed)]
        tables += [self.count([*fixed, *two], f"with_two_{i}.csv")
                   for i, two in enumerate(itertools.combinations(passed, 2))]
        told = {**job, "data": "counted.csv", "count": "n", "guard-counts": tables or ["counted.csv"]}
        return anonymize(mingle, told, self.target, options)


class SQLite(Store):
    def __init__(self, _):
        super().__init__("sqlite:t.db?table=t", "sqlite:t.db?table=made")

    def make(self, names, rows):
        if os.path.exists("t.db"):
            os.remove("t.db")
        base = sqlite3.connect("t.db")
        base.execute(f"CREATE TABLE t ({', '.join(quoted(name) + ' text' for name in names)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})",
                         [[cell or None for cell in row] for row in rows])
        base.commit()
        base.close()


class Fetched(SQLite):
    """A table of a database whose release is a file."""

    def __init__(self, _):
        super().__init__(None)
        self.target = "fetched.csv"


class Parquet(Store):
    """Rows are fetched for a text file."""

    def __init__(self, _):
        super().__init__("t.parquet", "fetched.csv")

    def make(self, names, rows):
        del rows
        columns = ", ".join("%s: 'VARCHAR'" % literal(name) for name in names)
        text = f"read_csv('t.csv', header = true, delim = ',', quote = '\"', nullstr = '', columns = {{{columns}}})"
        self.copy(text)

    def copy(self, text):
        statements(f"COPY (SELECT * FROM {text}) TO 't.parquet' (FORMAT parquet)")


class Pushed(Parquet):
    """The engine writes a file of Parquet."""

    def __init__(self, _):
        super().__init__(None)
        self.target = "made.parquet"


class Folder(Parquet):
    def __init__(self, _):
        super().__init__(None)
        self.data = "parts"

    def copy(self, text):
        shutil.rmtree("parts", ignore_errors=True)
        os.mkdir("parts")
        for half in (0, 1):
            statements(f"COPY (SELECT * FROM {text} WHERE age::INTEGER % 2 = {half}) TO 'parts/{half}.parquet'")


class DuckDB(Parquet):
    """Counted, and released, by the engine."""

    def __init__(self, _):
        super().__init__(None)
        self.data, self.target = "duckdb:t.duckdb?table=t", "duckdb:t.duckdb?table=made"

    def copy(self, text):
        if os.path.exists("t.duckdb"):
            os.remove("t.duckdb")
        statements(f"CREATE TABLE t AS SELECT * FROM {text}", base="t.duckdb")


class FetchedDuckDB(DuckDB):
    def __init__(self, _):
        super().__init__(None)
        self.target = "fetched.csv"


class PostgreSQL(Store):
    table = "t"

    def __init__(self, hosts):
        self.hosts = hosts.split(",")
        place = f"postgresql://owner@/test?host={self.hosts[0]}&table="
        super().__init__(place + self.table, place + "made")

    def make(self, names, rows):
        for number, host in enumerate(self.hosts):
            with open("t.sql", "w", encoding="utf-8") as out:
                print(f"DROP TABLE IF EXISTS {self.table}, made;", file=out)
                print(f"CREATE TABLE {self.table} ({', '.join(quoted(name) + ' text' for name in names)});", file=out)
                print(f"INSERT INTO {self.table} VALUES", file=out)
                share = rows[number::len(self.hosts)]
                print(",\n".join(f"({', '.join(map(literal, row))})" for row in share), ";", file=out)
            self.statements(host, "\\i t.sql")

    def statements(self, host, text):
        subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qX", "-v", "ON_ERROR_STOP=1"], input=text,
                       text=True, check=True, stderr=subprocess.DEVNULL)


class FetchedPostgreSQL(PostgreSQL):
    """As a source of rows."""

    def __init__(self, hosts):
        super().__init__(hosts)
        self.target = "fetched.csv"


class Shards(PostgreSQL):
    table = "share"
    counts_alone = False

    def __init__(self, hosts):
        super().__init__(hosts)
        self.target = "shards:?table=made"

    def run(self, mingle, job, options):
        with open("shards.txt", "w", encoding="utf-8") as file:
            file.writelines(f"postgresql://owner@/test?host={host}&table={self.table}\n" for host in self.hosts)
        for host in self.hosts:
            self.statements(host, "DROP TABLE IF EXISTS made")
        return anonymize(mingle, {**job, "shards": "shards.txt"}, self.target, options, "--keep-order")


class MariaDB(Store):
    def __init__(self, socket):
        self.socket = socket
        super().__init__("odbc:DSN=root;?table=t", "odbc:DSN=root;?table=made")

    def make(self, names, rows):
        columns = ", ".join(f"`{name}` varchar(200)" for name in names)
        text = f"DROP TABLE IF EXISTS t, made; CREATE TABLE t ({columns}) CHARACTER SET utf8mb4;\nINSERT INTO t VALUES "
        text += ",\n".join(f"({', '.join(map(literal, row))})" for row in rows)
        self.statements(text)

    def statements(self, text):
        subprocess.run(["mariadb", "--no-defaults", "-u", "root", "-S", self.socket, "test"], input=text + ";", text=True,
                       check=True)

    def run(self, mingle, job, options):
        self.statements("DROP TABLE IF EXISTS made")
        return anonymize(mingle, {**job, "data": self.data}, self.target, options, "--keep-order")


STORES = {"gz": Gzip, "jsonl": JsonLines, "arrow": Arrow, "apply": Apply, "counted": Counted, "sqlite": SQLite,
          "fetched": Fetched, "parquet": Parquet, "pushed": Pushed, "folder": Folder, "duckdb": DuckDB,
          "duckdb_fetched": FetchedDuckDB, "postgresql": PostgreSQL, "postgresql_fetched": FetchedPostgreSQL,
          "shards": Shards, "mariadb": MariaDB}


# ---- Runs --------------------------------------------------------------------------------------

def statements(*texts, base="s.db"):
    subprocess.run([sys.executable, "-B", os.path.join(HERE, "../support/duckdb_statements.py"), base, *texts],
                   check=True)


def run(mingle, *arguments):
    done = subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def write_job(job, name="job.yaml"):
    with open(name, "w", encoding="utf-8") as file:
        json.dump(job, file)


def read_result(code):
    if code:
        return None
    with open("r.json", encoding="utf-8") as file:
        return json.load(file)


def anonymize(mingle, job, target, options, how="--overwrite"):
    write_job(job)
    code, err = run(mingle, "anonymize", "job.yaml", "-o", target, how, "--quiet", "--result", "r.json", *options)
    return code, err, read_result(code)


def in_order(message):
    """Counts that were made elsewhere do not tell which of two columns comes first in the table, nor a treatment,
    which is tried on rows; parts may have quasi-identifiers in another order."""
    message = re.sub("with `attributes.*` at least .* treat it so if|release it in classes (.`treat`.|--treat) if",
                     "treat it if", message)
    two = re.match('(.*columns )("[^"]*") and ("[^"]*")( .*)', message)
    if two:
        message = two[1] + " and ".join(sorted(two.group(2, 3))) + two[4]
    given = re.match("(.*the value )(of [^;]*)(;.*)", message)
    return given[1] + str(sorted(given[2].split(", "))) + given[3] if given else message


def told(entries):
    return sorted([e["code"], sorted([e["column"], e.get("with", "")]), in_order(e["message"])] for e in entries)


#: What a result says of the release itself.
ROWS = ["rows", "released_rows", "suppressed_rows"]
FIGURES = [*ROWS, "classes", "levels", "suppressed_cells", "utility", "risk", "models"]


def rounded(value):
    """Sums of an engine may be made in another order."""
    if isinstance(value, float):
        return float("%.9g" % value)
    if isinstance(value, dict):
        return {key: rounded(one) for key, one in value.items()}
    return [rounded(one) for one in value] if isinstance(value, list) else value


def verdict_of(found):
    """All that the guard says, but for what it looked at: that may be rows here and counts there."""
    code, err, result = found
    if code:
        return {"code": code, "refused": sorted(in_order(line) for line in err.splitlines() if line.startswith("  column"))}
    guard = result["guard"]
    for column in guard["columns"]:
        assert column["by"] in ("rows", "counts"), column
    columns = sorted([c["column"], c["role"], c["looked_at"], sorted(c["found"])] for c in guard["columns"])
    codes = {"leak-allowed", "pairs-not-tested", *(entry["code"] for entry in guard["warnings"])}
    warnings = sorted(in_order(w["message"]) for w in result["warnings"] if w["code"] in codes)
    return {"code": 0, "leaks": told(result["leaks"]), "columns": columns, "pairs": guard["pairs"],
            "figures": {key: rounded(result.get(key)) for key in FIGURES}, "guard warnings": told(guard["warnings"]), "accepted": sorted(guard["accepted"]), "warnings": warnings,
            "alone": result.get("alone", {}).get("rows")}


COMPARED = ["released", "exit 1", "pairs", "two together"]


def compare(mingle, stores, number, seen):
    draw = random.Random(number)
    names, rows = draw_table(draw, number % 5)
    job = draw_job(draw, names, number % 5)
    write_csv("t.csv", names, rows)
    for options in ([], ["--allow-leaks"]):
        wanted = verdict_of(anonymize(mingle, {**job, "data": "t.csv"}, "made.csv", options))
        assert wanted["code"] in ((0, 1, 2) if "rest" in job and not options else (0, 1)), (job, wanted)
        if options == []:
            seen["released" if wanted["code"] == 0 else f"exit {wanted['code']}"] += 1
        elif wanted["code"] == 0:
            seen["pairs"] += wanted["pairs"]["tested"]
            seen["two together"] += any(leak[1][0] for leak in wanted["leaks"])
        for name, store in stores:
            if options == []:
                store.make(names, rows)
            found = store.run(mingle, job, options)
            if found is None:
                continue
            got = verdict_of(found)
            seen[name] += 1
            if not store.counts_alone:
                assert got.pop("alone", None) is None
                got["alone"] = wanted.get("alone")
            if not store.measures and "figures" in got:
                got["figures"] = {**wanted["figures"], **{key: got["figures"][key] for key in ROWS}}
            seen["alone"] += bool(wanted.get("alone"))
            different = [key for key in {**wanted, **got} if wanted.get(key) != got.get(key)]
            assert not different, "\n".join([f"{name} {options} {json.dumps(job)}", *(
                f"{key}:\n  file:  {json.dumps(wanted.get(key))}\n  store: {json.dumps(got.get(key))}"
                for key in different), found[1]])


def main():
    seed, tables = int(sys.argv[2]), int(sys.argv[3])
    stores = []
    for told in sys.argv[4:]:
        name, _, where = told.partition("=")
        stores.append((name, STORES[name](where)))
    seen = collections.Counter()
    failed = 0
    number = 0
    # More tables, until all has been seen that is to be compared.
    while number < tables or tables >= 5 and not all(seen[key] for key in COMPARED) and number < 10 * tables:
        try:
            compare(MINGLE, stores, seed * 1000000 + number, seen)
        except AssertionError as error:
            print(f"table {number} of seed {seed}: {error}")
            failed += 1
        number += 1
    print(f"{number} tables of seed {seed}: {dict(sorted(seen.items()))}")
    if tables >= 5:
        assert all(seen[key] for key in COMPARED), seen
    return failed > 0


if __name__ == "__main__":
    MINGLE = sys.argv[1]
    sys.exit(main())
