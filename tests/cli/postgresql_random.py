"""Random jobs inside PostgreSQL give the rows that the same jobs give through files, and a kill at any
moment leaves nothing under the name of the release."""
import csv, io, os, random, subprocess, sys, time

mingle, host, times, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
random.seed(seed)
TYPES = ["text", "integer", "bigint", "date", "numeric(6,2)", "double precision", "timestamp",
         "varchar(9)", "smallint", 'text COLLATE "C"']
NAMES = ["zip", "k1", "h", "r1", "select", "a b", 'q"uote', "s", "m", "Ünï", "c'; --", "x%20"]
METHODS = ["mingen", "cell", "datafly", "top-down", "mondrian", "samarati", "incognito"]


def psql(*statements):
    args = [part for s in statements for part in ("-c", s)]
    done = subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qAtX", "-v",
                           "ON_ERROR_STOP=1"] + args, capture_output=True, text=True)
    if done.returncode:
        sys.exit("%s: %s" % (statements, done.stderr))
    return done.stdout


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def value(kind):
    i = random.randrange(random.choice([2, 3, 6]))
    if kind in ("integer", "bigint", "smallint"):
        return str(i * 7 - 3)
    if kind == "date":
        return "19%02d-03-0%d" % (40 + i * 9, i + 1)
    if kind == "timestamp":
        return "2020-01-0%d 10:%02d:00.5" % (i + 1, i)
    if kind.startswith("numeric"):
        return "%d.5" % i
    if kind == "double precision":
        return random.choice(["0.1", "1e20", "-2.5", "3"])
    return ["x", "é", "a'b", "E\\t", "x y", "na?"][i]


def make(columns, rows):
    psql("DROP TABLE IF EXISTS t, made", "CREATE TABLE t (%s)" %
         ", ".join("%s %s" % (quoted(n), k) for n, k in columns))
    lines = []
    for _ in range(rows):
        cells = [None if random.random() < share else value(k) for (n, k), share in zip(columns, shares)]
        lines.append("(%s)" % ", ".join("NULL" if c is None else "'" + c.replace("'", "''") + "'" for c in cells))
    psql("INSERT INTO t VALUES " + ", ".join(lines))
    with open("t.csv", "w") as out:
        subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qX", "--csv", "-c",
                        "SELECT * FROM t"], stdout=out, check=True)


def rows_of(text):
    return sorted(map(tuple, list(csv.reader(io.StringIO(text)))[1:]))


def at(table):
    return "postgresql://owner@/test?host=%s&table=%s" % (host, table)


compared = 0
for job in range(times):
    names = random.sample(NAMES, random.randint(3, 6))
    columns = [(n, random.choice(TYPES)) for n in names]
    shares = [random.choice([0, 0, 0.2]) for _ in columns]
    make(columns, random.choice([40, 200]))
    n_quasi = random.randint(1, len(columns) - 1)
    quoted_list = ",".join('"%s"' % n.replace('"', '""') for n in names[:n_quasi])
    how = ["--qi", quoted_list, "--rest", "insensitive", "--allow-leaks", "-k", str(random.choice([2, 4])),
           "--method", random.choice(METHODS), "--suppress", "30%", "--missing", "", "--quiet"]
    if random.random() < 0.3:
        how.append("--keep-order")
    for name in ("made.csv", "r.json"):
        if os.path.exists(name):
            os.remove(name)
    text = subprocess.run([mingle, "anonymize", "t.csv", "--delimiter", ",", "-o", "made.csv"] + how, capture_output=True, text=True)
    made = subprocess.run([mingle, "anonymize", at("t"), "-o", at("made")] + how, capture_output=True, text=True)
    if text.returncode != made.returncode:
        sys.exit("job %d of %d: %s\n%s\nfile: %s\ndatabase: %s" % (job, seed, columns, how, text.stderr, made.stderr))
    if text.returncode:
        continue
    compared += 1
    there = subprocess.run(["psql", "-h", host, "-U", "owner", "-d", "test", "-qX", "--csv", "-c",
                            "SELECT * FROM made"], capture_output=True, text=True).stdout
    if rows_of(there) != rows_of(open("made.csv").read()):
        sys.exit("job %d of %d: rows differ: %s %s" % (job, seed, columns, how))
print("%d of %d jobs compared" % (compared, times))
assert compared * 3 > times or times < 6

shares = [0, 0, 0]
make([("zip", "text"), ("age", "integer"), ("d", "text")], 3000)
command = [mingle, "anonymize", at("t"), "-o", at("made"), "--qi", "zip,age", "--rest", "insensitive",
           "--allow-leaks", "-k", "5", "--quiet"]
begin = time.monotonic()
subprocess.run(command, check=True)
whole = time.monotonic() - begin
psql("DROP TABLE made")
for moment in range(20):
    process = subprocess.Popen(command)
    time.sleep(whole * moment / 20)
    process.kill()
    process.wait()
    for _ in range(200):
        if psql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'mingle'").strip() == "0":
            break
        time.sleep(0.05)
    left = psql("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(mingle|made)'").split()
    if left == ["made"]:  # it had its name before: then it is whole
        assert psql("SELECT count(*) FROM made").strip() == "3000", moment
        psql("DROP TABLE made")
    elif left:
        sys.exit("killed at moment %d: %s is left" % (moment, left))
