"""Random jobs on tables of MariaDB: the release that the engine writes, and the one that is made of
fetched rows, have the same rows as that of a file. Columns have hostile names, cells hostile texts.

mariadb_random.py MINGLE SOCKET SEED JOBS
"""
import csv
import json
import os
import random
import subprocess
import sys

mingle, socket, seed, jobs = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
METHODS = ["cell", "mingen", "datafly", "samarati", "incognito", "top-down", "mondrian", "k-member",
           "local-suppression", "mu-argus", "microaggregate"]
NAMES = ["`", "``a`", "it's", 'say "so"', "back\\", "50%", "%s", "_", "näme", "名前",
         "a b", "select", "Ä;--", "k1", "r1", "c1", "m", "s", "n", "h", "-"]
TEXTS = ["e", "E", "é", "e\u0301", "e ", " e", "NA", "na", "null", "NULL", "'", "''", '"', "\\", "\\'", "\\n",
         "%", "a\tb", "a\nb", "ß", "ss", "\U0001F600", "\U0001F601", "`x`", "0", "00", "-0", "1e3", "ﬁ", "fi",
         "x" * 1100 + "1", "x" * 1100 + "2", "?", "{fn x}", "--", "/*", ";", "\u00a0", "ı", "I", "i"]
TARGETS = ["made", "made`'\"\\%"]
problems = []


def sql(text):
    done = subprocess.run(["mariadb", "--no-defaults", "-u", "root", "-S", socket, "-N",
                           "--default-character-set=utf8mb4", "test"], input=text.encode(),
                          capture_output=True)
    if done.returncode != 0:
        sys.exit("%s: %s" % (text[:300], done.stderr.decode()))
    return done.stdout.decode()


def quoted(name):
    return "`%s`" % name.replace("`", "``")


def located(table):
    escaped = "".join("%%%02x" % b for b in ('"%s"' % table.replace('"', '""')).encode())
    return "odbc:DSN=root;?table=" + escaped


def rows_of_table(table, columns):
    cells = ",".join("IFNULL(HEX(CAST(%s AS CHAR CHARACTER SET utf8mb4)), '')" % quoted(c) for c in columns)
    lines = sql("SELECT CONCAT_WS(',', %s) FROM %s;" % (cells, quoted(table))).splitlines()
    return sorted([bytes.fromhex(c).decode() for c in line.split(",")] for line in lines)


def rows_of_file(name):
    with open(name, newline="", encoding="utf-8") as file:
        return sorted(list(csv.reader(file))[1:])


def draw_table(draw):
    """(names, kinds, rows): texts, numbers and dates; None is NULL."""
    n = draw.randrange(2, 5)
    names = draw.sample(NAMES, n + 2)
    kinds = [draw.choice(["text", "varchar(2000)", "int", "date", "text", "decimal(6,2)"]) for _ in range(n)]
    kinds += ["varchar(20)", "text"]
    pools = []
    for kind in kinds:
        if kind == "int":
            pools.append([str(draw.randrange(-5, 60)) for _ in range(6)])
        elif kind == "decimal(6,2)":
            pools.append(["%.2f" % draw.uniform(-3, 9) for _ in range(5)])
        elif kind == "date":
            pools.append(["19%02d-0%d-1%d" % (draw.randrange(100), draw.randrange(1, 10), draw.randrange(10))
                          for _ in range(6)])
        else:
            texts = TEXTS if kind != "varchar(20)" else [t for t in TEXTS if len(t) <= 20]
            pools.append(draw.sample(texts, draw.randrange(2, 7)))
        if draw.random() < 0.4:
            pools[-1].append(None)
    rows = [[draw.choice(pool) for pool in pools] for _ in range(draw.randrange(30, 120))]
    return names, kinds, rows


def literal(cell):
    return "NULL" if cell is None else "CONVERT(X'%s' USING utf8mb4)" % cell.encode().hex()


def make(names, kinds, rows, collation):
    with open("data.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(names)
        out.writerows(["" if c is None else c for c in row] for row in rows)
    columns = ", ".join("%s %s" % (quoted(n), k) for n, k in zip(names, kinds))
    values = ",".join("(%s)" % ",".join(map(literal, row)) for row in rows)
    sql("DROP TABLE IF EXISTS data, %s; CREATE TABLE data (%s) CHARACTER SET utf8mb4 COLLATE %s;"
        "INSERT INTO data VALUES %s;" % (", ".join(map(quoted, TARGETS)), columns, collation, values))


def run(data, target, roles, options):
    with open("job.yaml", "w", encoding="utf-8") as file:
        json.dump({"data": data, **roles}, file)
    done = subprocess.run([mingle, "anonymize", "job.yaml", "-o", target, "--quiet", *options],
                          capture_output=True, text=True)
    return done.returncode, done.stderr


def check(number, draw):
    names, kinds, rows = draw_table(draw)
    make(names, kinds, rows, draw.choice(["utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_bin"]))
    quasi, method = names[:-2], draw.choice(METHODS)
    roles = {"attributes": {**{n: {"role": "quasi"} for n in quasi}, names[-2]: {"role": "sensitive"},
                            names[-1]: {"role": "insensitive"}}, "missing": [""]}
    options = ["-k", str(draw.randrange(2, 6)), "--method", method, "--allow-leaks",
               "--suppress", draw.choice(["0", "10%", "100%"])]
    if draw.random() < 0.3:
        options += ["--l-diversity", names[-2] + "=2"] if method not in ("mu-argus", "local-suppression") and \
            "=" not in names[-2] else []
    if draw.random() < 0.2:
        options += ["--least-count", "3"]
    target = draw.choice(TARGETS)
    file_code, file_err = run("data.csv", "file.csv", roles, options)
    base_code, base_err = run(located("data"), located(target), roles, options + ["--result", "result.json"])
    what = "job %d (seed %d): %s" % (number, seed, " ".join(options))
    if file_code != base_code:
        problems.append("%s: exit %d of the file, %d of the database: %s / %s"
                        % (what, file_code, base_code, file_err[-300:], base_err[-300:]))
    elif file_code == 0:
        if rows_of_file("file.csv") != rows_of_table(target, names):
            problems.append("%s: other rows" % what)
        code = subprocess.run([mingle, "check", located(target), "--against", "result.json"],
                              capture_output=True).returncode
        if code != 0:
            problems.append("%s: check --against ends with %d" % (what, code))
        code, err = run(located("data"), "rows.csv", roles, options)
        if code != 0 or rows_of_file("rows.csv") != rows_of_file("file.csv"):
            problems.append("%s: fetched rows differ: %s" % (what, err))
    elif sql("SHOW TABLES LIKE 'm%';").strip():
        problems.append("%s: a table is left" % what)
    if problems and os.environ.get("MGL_KEEP"):
        sys.exit(problems[0])
    return file_code, file_err


codes = [check(i, random.Random(seed * 1000003 + i)) for i in range(jobs)]
released = sum(code == 0 for code, _ in codes)
print("1..2")
print("%sok 1 - releases of %d jobs are those of files" % ("not " if problems else "", jobs))
for problem in problems:
    print("# " + problem.replace("\n", " "))
print("# " + " | ".join(sorted({err.strip()[-200:] for code, err in codes if code != 0})).replace("\n", " "))
print("%sok 2 - half of them have a release (%d)" % ("" if 2 * released >= jobs else "not ", released))
sys.exit(bool(problems) or 2 * released < jobs)
