"""tables_for_dbt.py PACKAGE N ENGINE: N random tables in DuckDB, or in the PostgreSQL that PGHOST names,
each tested by the dbt package and by the program; the verdicts must be equal. Prints TAP. (dbt imports
every module that is called dbt_...) Runs in the current folder, which is left full."""

import csv
import json
import os
import random
import subprocess
import sys

from dbt.cli.main import dbtRunner

PACKAGE, N, ENGINE = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
MINGLE = os.environ["MINGLE"]
SEED = int(os.environ.get("SEED", "1"))
NAMES = ["q one", 'q"two', "order", "Größe", "q5"]


#: How dbt reaches the tables.
PROFILES = {
    "duckdb": {"type": "duckdb", "path": "tables.duckdb", "threads": 2},
    "postgres": {
        "type": "postgres", "host": os.environ.get("PGHOST", ""), "port": 5432, "user": "owner", "password": "",
        "dbname": "test", "schema": "public", "threads": 2,
    },
}  # fmt: skip
SCHEMA = {"duckdb": "main", "postgres": "public"}[ENGINE]


def connect():
    if ENGINE == "duckdb":
        import duckdb

        return duckdb.connect("tables.duckdb")
    import psycopg2

    connection = psycopg2.connect(host=os.environ["PGHOST"], user="owner", dbname="test")
    connection.autocommit = True
    return connection


def texts(draw):
    return [None, "", "a", "A", "ä", "b", " a", "it's", 'x"y', "10", "9"][: draw.randint(3, 11)]


def make_table(draw):
    """Columns by name, and which of them are what."""
    n = draw.randint(6, 90)
    quasi = draw.sample(NAMES, draw.randint(1, 3))
    columns = {}
    for name in quasi:
        values = draw.sample(texts(draw), draw.randint(1, 3))
        columns[name] = [draw.choice(values) for _ in range(n)]
    values = draw.sample(texts(draw), draw.randint(2, 3))
    columns["illness"] = [draw.choice(values) for _ in range(n)]
    top = draw.choice([3, 20, 1000])
    columns["amount"] = [draw.randint(-top, top) for _ in range(n)]
    kind = draw.choice(["few", "run", "shuffled run", "gaps", "alone", "half", "none"])
    first = draw.randint(0, 500)
    run = list(range(first, first + n))
    if kind == "shuffled run":
        draw.shuffle(run)
    columns["extra"] = {
        "few": [draw.choice("xyz") for _ in range(n)],
        "run": run,
        "shuffled run": run,
        "gaps": sorted(draw.sample(range(n * 3), n)),
        "alone": [f"w{i}" + draw.choice("abc") * 3 for i in range(n)],
        "half": [f"w{i}" if draw.random() < 0.5 else "same" for i in range(n)],
        "none": [None] * n,
    }[kind]
    return quasi, columns


def write_table(connection, number, columns):
    name = f"t{number}"
    quoted = {c: '"' + c.replace('"', '""') + '"' for c in columns}
    kinds = {c: "BIGINT" if any(isinstance(v, int) for v in columns[c]) else "VARCHAR" for c in columns}
    rows, place = list(zip(*columns.values())), "?" if ENGINE == "duckdb" else "%s"
    cursor = connection.cursor()
    cursor.execute(f"CREATE TABLE {name} ({', '.join(f'{quoted[c]} {kinds[c]}' for c in columns)})")
    cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join([place] * len(columns))})", rows)
    cursor.close()
    with open(f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(["" if v is None else v for v in row] for row in rows)


def make_tests(draw, quasi):
    """What dbt is asked, and the same for the program."""
    k, l = draw.randint(1, 6), draw.randint(1, 4)
    t = draw.choice([0.05, 0.1, 0.2, 0.25, 0.3, 0.5])
    return {
        "k_anonymous": ({"k": k}, ["-k", str(k)]),
        "l_diverse": ({"sensitive": "illness", "l": l}, [f"--l-diversity=illness={l}"]),
        "t_close": (
            {"sensitive": "illness", "t": t},
            [f"--t-closeness=illness={t}", "--distance=illness=equal"],
        ),
        "t_close_ordered": (
            {"sensitive": "amount", "t": t, "distance": "ordered"},
            [f"--t-closeness=amount={t}", "--distance=amount=ordered"],
        ),
        "no_leaks": ({"sensitive": ["illness", "amount"]}, None),
    }


def ask_program(number, quasi, arguments):
    """True: the table passes. Without arguments: what the gate says of leaks."""
    names = ",".join('"' + c.replace('"', '""') + '"' for c in quasi)
    command = [MINGLE, "check" if arguments else "gate", f"t{number}.csv", "--qi", names]
    command += ["--sensitive", "illness,amount", "--missing", "", "--json"]
    # What a column looks like by its name and values is no test of the package: it is accepted by name.
    command += arguments or ["-k", "1", "--insensitive", "extra"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{command}: {done.stderr}")
    if arguments:
        return done.returncode == 0
    tests = json.loads(done.stdout)["tests"]
    return not any(test["test"].startswith("no leaks of") for test in tests)


def write_project(asked):
    tables = []
    for number, (quasi, tests) in enumerate(asked):
        entries = []
        for name, (arguments, _) in tests.items():
            kind = name.removesuffix("_ordered")
            entries.append({f"mingle.{kind}": {"name": f"{name}__{number}", "arguments": {"quasi": quasi, **arguments}}})
        tables.append({"name": f"t{number}", "data_tests": entries})
    os.makedirs("models", exist_ok=True)
    files = {
        "models/schema.yml": {"version": 2, "sources": [{"name": "given", "schema": SCHEMA, "tables": tables}]},
        "packages.yml": {"packages": [{"local": PACKAGE}]},
        "dbt_project.yml": {
            "name": "tables",
            "version": "1.0",
            "profile": "tables",
            "flags": {"send_anonymous_usage_stats": False, "require_generic_test_arguments_property": True},
        },
        "profiles.yml": {
            "tables": {"target": "d", "outputs": {"d": PROFILES[ENGINE]}}
        },
    }
    for path, content in files.items():
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False)  # JSON is YAML


def ask_dbt():
    runner = dbtRunner()
    for command in (["deps"], ["test"]):
        done = runner.invoke([*command, "--quiet", "--log-level", "none", "--profiles-dir", "."])
        if done.exception:
            raise SystemExit(f"dbt {command}: {done.exception}")
    with open("target/run_results.json", encoding="utf-8") as file:
        results = json.load(file)["results"]
    verdicts = {}
    for result in results:
        if result["status"] not in ("pass", "fail"):
            raise SystemExit(f"{result['unique_id']}: {result['message']}")
        verdicts[result["unique_id"].split(".")[2]] = result["status"] == "pass"
    return verdicts


def main():
    connection = connect()
    asked = []
    for number in range(N):
        draw = random.Random(f"{SEED}/{number}")
        quasi, columns = make_table(draw)
        write_table(connection, number, columns)
        asked.append((quasi, make_tests(draw, quasi)))
    connection.close()
    write_project(asked)
    verdicts = ask_dbt()
    seen, n_wrong = {}, 0
    for name in asked[0][1]:
        wrong = []
        for number, (quasi, tests) in enumerate(asked):
            wanted, found = ask_program(number, quasi, tests[name][1]), verdicts[f"{name}__{number}"]
            seen.setdefault(name, set()).add(wanted)
            if wanted != found:
                wrong.append(f"t{number}: program {wanted}, dbt {found}, {tests[name][0]}")
        print(f"{'not ok' if wrong else 'ok'} - {name} is what the program says of {N} tables in {ENGINE}")
        n_wrong += len(wrong)
        for line in wrong:
            print(f"# {line}")
    both = all(verdict == {True, False} for verdict in seen.values())
    print(f"{'ok' if both else 'not ok'} - every test passes and fails")
    sys.exit(0 if both and n_wrong == 0 else 1)


main()
