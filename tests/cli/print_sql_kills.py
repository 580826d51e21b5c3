"""Kills the road of --print-sql through sqlite3's shell at 20 moments: under the name of the release stands nothing, or a
release that was verified, and the road can be walked again.

print_sql_kills.py MINGLE"""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time

ROWS = 3000
mingle = sys.argv[1]
job = ["--qi", "zip,age", "--sensitive", "dis", "-k", "5", "--hierarchy", "zip=mask(right,2)", "--hierarchy", "age=intervals(5,10)"]


def base(statement):
    with sqlite3.connect("road.db", timeout=20) as connection:
        return connection.execute(statement).fetchall()


def tables():
    return {name for name, in base("SELECT name FROM sqlite_master WHERE type = 'table'")}


for name in ("road.db", "road.db-journal"):
    if os.path.exists(name):
        os.remove(name)
base(f"CREATE TABLE people AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {ROWS}) "
     "SELECT '021' || (30 + i % 7) AS zip, CAST(20 + i % 29 AS TEXT) AS age, 'd' || i % 7 AS dis FROM n")
printed = json.loads(subprocess.run([mingle, "anonymize", "people", *job, "--print-sql", "sqlite", "--json"],
                                    capture_output=True, text=True, check=True).stdout)["sql"]
with open("first.sql", "w", encoding="utf-8") as file:
    file.write(f".bail on\n.headers on\n.mode csv\n.once counts.csv\n{printed['count']};\n")
with open("second.sql", "w", encoding="utf-8") as file:
    file.write(f".bail on\n{printed['map']};\n.import --csv --skip 1 map.csv people_release_map\n{printed['release']};\n"
               f".headers on\n.mode csv\n.once released.csv\n{printed['verify']};\n")
with open("third.sql", "w", encoding="utf-8") as file:
    file.write(f".bail on\n{printed['publish']};\n{printed['clean']};\n")
road = ["bash", "-ec", 'sqlite3 -batch road.db <first.sql; "$0" anonymize counts.csv --count n --missing "" "${@}" --save-map '
        'map.csv -o counted.csv --result result.json --quiet; sqlite3 -batch road.db <second.sql; '
        '"$0" check released.csv --against result.json --quiet; sqlite3 -batch road.db <third.sql', mingle, *job]


def walk(limit):
    """The whole road, or until it is killed with all that runs for it."""
    for name in ("map.csv", "counted.csv", "result.json", "counts.csv", "released.csv"):
        if os.path.exists(name):
            os.remove(name)
    with subprocess.Popen(road, start_new_session=True, stdout=subprocess.DEVNULL) as process:
        try:
            process.wait(limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return process.returncode


def clear():
    for name in tables() - {"people"}:
        base(f'DROP TABLE "{name}"')


begin = time.monotonic()
assert walk(None) == 0
took = time.monotonic() - begin
assert tables() == {"people", "people_release"}, tables()
whole = base("SELECT count(*), count(DISTINCT age) FROM people_release")
assert whole[0][0] == ROWS
seen = []
for moment in range(20):
    clear()
    walk(took * moment / 19)
    left = tables() - {"people"}
    seen.append("+".join(sorted(left)) or "nothing")
    if "people_release" in left:
        assert base("SELECT count(*), count(DISTINCT age) FROM people_release") == whole, f"moment {moment}: a part of it"
        assert "people_release_unchecked" not in left, f"moment {moment}: {left}"
clear()
assert walk(None) == 0 and base("SELECT count(*), count(DISTINCT age) FROM people_release") == whole
print("20 kills left: " + ", ".join(seen))
