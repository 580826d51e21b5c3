"""Random jobs on a table as CSV and in another format give the same rows, whatever is killed leaves
nothing under the final name: MINGLE ENDING [JOBS]. MGL_FORMAT_JOBS says how many jobs there are."""
import collections
import csv
import os
import random
import subprocess
import sys
import time

import format_files

METHODS = ["mingen", "samarati", "datafly", "incognito", "top-down", "cell", "k-member", "mondrian",
           "microaggregate", "local-suppression", "mu-argus"]
NAMES = ["age", 'a "quoted" name', "x,y", "é\\n", " lead", "😀", "select;--", "'", "{}", "null"]
ODD = ["", "NA", "null", "true", "1e5", "007", "-0", "0.10", 'q"', "a,b", "line\nbreak", "\ttab",
       "é", "😀", "\\", "12345678901234567890", " blank ", "=1+1"]
mingle, ending = sys.argv[1:3]
n_jobs = int(os.environ.get("MGL_FORMAT_JOBS", sys.argv[3] if len(sys.argv) > 3 else "8"))
number = failures = 0


def tell(good, name, why=""):
    global number, failures
    number += 1
    failures += not good
    print(("ok" if good else "not ok"), number, "-", name, flush=True)
    if not good:
        print("# " + why.replace("\n", "\n# ")[:3000], flush=True)


def make_table(rng, n_rows):
    """Columns: two quasi-identifiers of texts, one of numbers, a sensitive one, odd ones."""
    names = rng.sample(NAMES, 6)
    levels = rng.randint(2, 5)
    columns = {
        names[0]: [str(rng.randint(20, 40)) for _ in range(n_rows)],
        names[1]: [rng.choice(["é", "b,c", 'd"', "e", "f"][:levels]) for _ in range(n_rows)],
        names[2]: [rng.choice(["", "NA", "u", "v", "w"]) for _ in range(n_rows)],
        names[3]: [rng.choice(["flu", "cold", "none"]) for _ in range(n_rows)],
        names[4]: [rng.choice(ODD) for _ in range(n_rows)],
        names[5]: [rng.choice(["1", "2.50", "", "1e400", "-3"]) for _ in range(n_rows)],
    }
    return names, columns, {names[0]: "number", names[5]: "number"}


def write_csv(path, columns):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values()))


def read_csv(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def job_of(rng, names, method):
    job = ["--rest", "insensitive", "--allow-leaks", "--method", method, "--threads", "1",
           "-k", str(rng.randint(2, 4)), "--suppress", rng.choice(["0", "10%", "100%"]),
           "--sensitive", quoted(names[3]), "--seed", "7"]
    return job + ["--qi", ",".join(quoted(name) for name in names[:3])]


def run(job, data, output):
    return subprocess.run([mingle, "anonymize", data, *job, "--quiet", "-o", output],
                          capture_output=True, text=True)


def random_jobs():
    rng = random.Random(int(os.environ.get("MGL_SEED", "24")))
    for i in range(n_jobs):
        method = METHODS[i % len(METHODS)]
        names, columns, kinds = make_table(rng, rng.randint(20, 60))
        write_csv("data.csv", columns)
        format_files.write("data" + ending, columns, kinds)
        job = job_of(rng, names, method)
        for name in ("wanted.csv", "got" + ending):
            if os.path.exists(name):
                os.remove(name)
        wanted, got = run(job, "data.csv", "wanted.csv"), run(job, "data" + ending, "got" + ending)
        same = wanted.returncode == got.returncode
        if same and wanted.returncode == 0:
            head, rows = read_csv("wanted.csv")
            got_head, got_rows = format_files.read("got" + ending)
            same = head == got_head and collections.Counter(map(tuple, rows)) == \
                collections.Counter(map(tuple, got_rows))
        elif wanted.returncode != 0:
            same = same and not os.path.exists("got" + ending)
        tell(same, "%s job %d: %s ends with %d" % (ending, i + 1, method, wanted.returncode),
             wanted.stderr + got.stderr + " ".join(job))


def kills():
    rng = random.Random(5)
    n = 60000
    columns = {"a": [str(rng.randint(0, 60)) for _ in range(n)],
               "b": [rng.choice("pqrstuv") for _ in range(n)],
               "note": ["%x" % rng.getrandbits(64) for _ in range(n)]}
    format_files.write("large" + ending, columns, {"a": "number"})
    job = ["anonymize", "large" + ending, "--qi", "a,b", "--rest", "insensitive", "--allow-leaks",
           "-k", "5", "--suppress", "10%", "--method", "mingen", "--quiet", "-o", "killed" + ending]
    start = time.monotonic()
    subprocess.run([mingle, *job], check=True)
    whole = time.monotonic() - start
    _, rows = format_files.read("killed" + ending)
    wrong = []
    for moment in range(20):
        if os.path.exists("killed" + ending):
            os.remove("killed" + ending)
        process = subprocess.Popen([mingle, *job])
        time.sleep(whole * (moment + 0.5) / 20)
        process.kill()
        process.wait()
        if os.path.exists("killed" + ending):
            if len(format_files.read("killed" + ending)[1]) != len(rows):
                wrong.append(str(moment))
    tell(not wrong, "%s: killed at 20 moments, nothing that is not whole has the name" % ending,
         " ".join(wrong))


random_jobs()
kills()
print("1..%d" % number)
sys.exit(failures > 0)
