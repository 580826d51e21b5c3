"""Judges of releases by --dp, from the definitions (docs/differential-privacy.md).

differential.py judge TABLE RELEASE RESULT PROMISE     one release
differential.py parameters MINGLE PAGE                 sampling rate and k, and the table of the page
differential.py tamper MINGLE RELEASE RESULT           a result that claims something else
differential.py options MINGLE TABLE                   options of other features beside it
differential.py fixed MINGLE                           hierarchies do not depend on other values
differential.py others MINGLE                          nor does whether a table is refused, or a type
"""
import collections
import csv
import json
import math
import os
import subprocess
import sys

sys.dont_write_bytecode = True  # the tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
from differential import parameters  # the definitions

TREES = ["--hierarchy", "age=intervals(10,20,40)", "--hierarchy", "sex=suppress",
         "--hierarchy", "region=region.csv", "--hierarchy", "job=groups(job.txt)"]
COLUMNS = ["--qi", "age,sex,region,job", *TREES]
LEVELS = ["--level", "age=2,sex=0,region=1,job=1"]


def age(text, level):
    if level in (0, 4):
        return "*" if level else text
    width = (10, 20, 40)[level - 1]
    low = int(text) // width * width
    return "%d-%d" % (low, low + width - 1)


REGIONS = {"north": "upper", "west": "upper", "south": "lower", "east": "lower"}
JOBS = {"baker": "works by hand", "smith": "works by hand", "clerk": "works by head",
        "judge": "works by head", "nurse": "works by head"}


def released(row, node):
    return (age(row["age"], node["age"]),
            (row["sex"], "*")[node["sex"]],
            (row["region"], REGIONS[row["region"]], "*")[node["region"]],
            (row["job"], JOBS[row["job"]], "*")[node["job"]])


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def judge(table, release, result, promise):
    told = json.load(open(result, encoding="utf-8"))
    rows, out = rows_of(table), rows_of(release)
    assert list(out[0]) == ["age", "sex", "region", "job"], out[0]
    section = told["differential_privacy"]
    job = told["audit"]["job"]
    epsilon, delta = (float(x) for x in job["dp"].split(","))
    share = float(job.get("dp-search", 0))
    assert (section["epsilon"], section["delta"]) == (epsilon, delta)
    assert (section["levels"] == "chosen") == (share > 0), section
    if share == 0:
        assert section["epsilon_of_levels"] is None
    else:
        assert section["epsilon_of_levels"] == share
    rate, k = parameters(epsilon - share, delta)
    wanted = max([k] + [m["parameters"]["k"] for m in told["models"]])
    assert section["k"] == wanted, (section, k)
    assert abs(section["sampling_rate"] - rate) < 1e-8
    # each released combination is that of k rows, and of no more than the table has
    node = told["node"]
    whole = collections.Counter(released(row, node) for row in rows)
    shown = collections.Counter(tuple(row.values()) for row in out)
    assert min(shown.values()) >= wanted
    assert all(shown[c] <= whole[c] for c in shown), shown - whole
    # combinations that are frequent are there, and about as many rows as the rate says
    for c, n in whole.items():
        mean, deviation = n * rate, math.sqrt(n * rate * (1 - rate))
        if mean - 8 * deviation >= wanted:
            assert abs(shown[c] - mean) <= 8 * deviation, (c, n, shown[c])
        if mean + 8 * deviation < wanted:
            assert c not in shown, (c, n)
    # nothing is told of the table
    n = len(out)
    assert told["rows"] == told["released_rows"] == n and told["suppressed_rows"] == 0
    sizes = sorted(shown.values())
    assert told["classes"] == {"count": len(sizes), "min": sizes[0], "mean": told["classes"]["mean"],
                               "max": sizes[-1]}
    text = json.dumps(told) + open("out.html", encoding="utf-8").read()
    for secret in (len(rows), "{:,}".format(len(rows))):
        assert '"rows": %s' % secret not in text and '>%s<' % secret not in text, secret
    for key in ("left_out_rows", "row_choice", "alone", "guard", "curve", "known_totals", "seconds",
                "figures", "bound", "minimal_nodes"):
        assert key not in told, key
    assert told["warnings"] == []
    assert told["audit"]["input"] in (None, {"name": "t.csv", "bytes": None, "sha256": None})
    assert "values_before" not in json.dumps(told)
    kept = {"height", "relative_height", "doubling_height", "average_class_size", "discernibility",
            "c_avg"}
    assert all(value is None for key, value in told["utility"].items() if key not in kept)
    promised = json.load(open(promise, encoding="utf-8"))
    assert promised["differential_privacy"] == section and promised["disclosed"] == {}


def run(mingle, *arguments):
    return subprocess.run([mingle, *arguments], capture_output=True, text=True, check=False)


def tried(mingle, epsilon, delta):
    """What the program says: k is in the message where nothing is released."""
    with open("one.csv", "w", encoding="utf-8") as file:
        file.write("a\nx\n")
    done = run(mingle, "anonymize", "one.csv", "--qi", "a", "--hierarchy", "a=suppress", "--level", "a=0",
               "--dp", "%s,%s" % (epsilon, delta), "--dry-run")
    assert done.returncode == 1, done
    words = done.stderr.split()
    return int(words[words.index("needs") + 1])


def table_of(page):
    lines = [line.strip("| \n").split(" | ") for line in open(page, encoding="utf-8") if line.startswith("| ")]
    head = next(i for i, line in enumerate(lines) if line[0] == "epsilon")
    deltas = [float(cell.split()[-1]) for cell in lines[head][2:]]
    for line in lines[head + 1:]:
        yield float(line[0]), float(line[1]), dict(zip(deltas, map(int, line[2:])))


def check_parameters(mingle, page):
    n = 0
    for epsilon, rate, ks in table_of(page):
        for delta, k in ks.items():
            if epsilon <= 2 and delta >= 1e-6:
                exact, least = parameters(epsilon, delta)
                assert least == k, (epsilon, delta, k, least)
                assert abs(exact - rate) < 1e-6, (epsilon, rate, exact)
            assert tried(mingle, epsilon, delta) == k, (epsilon, delta, k)
            n += 1
    assert n == 35, n


def tamper(mingle, release, result):
    """Each claim of the section, and figures that are left out, put back."""
    changes = [("epsilon", 0.5), ("delta", 1e-9), ("k", 2), ("sampling_rate", 0.1), ("levels", "chosen")]
    told = json.load(open(result, encoding="utf-8"))
    for key, value in changes:
        changed = json.loads(json.dumps(told))
        assert changed["differential_privacy"][key] != value
        changed["differential_privacy"][key] = value
        expect_differs(mingle, release, changed, key)
    changed = json.loads(json.dumps(told))
    del changed["differential_privacy"]
    expect_differs(mingle, release, changed, "without the section")
    changed = json.loads(json.dumps(told))
    changed["rows"] = changed["rows"] + 100
    expect_differs(mingle, release, changed, "rows")
    changed = json.loads(json.dumps(told))
    changed["audit"]["job"]["dp"] = "1,1e-3"
    expect_differs(mingle, release, changed, "another job")


def expect_differs(mingle, release, changed, what):
    with open("changed.json", "w", encoding="utf-8") as file:
        json.dump(changed, file)
    done = run(mingle, "check", release, "--against", "changed.json")
    assert done.returncode == 1, (what, done.stdout, done.stderr)


# Options of other features: refused with these words, or taken (None).
OPTIONS = [
    (["--sample", "50%"], "draws a sample of its own"), (["--seed", "1"], "every draw is the system's"),
    (["--keep-order"], "in the order of the input"), (["--where", "age > 20"], "make a view or a file"),
    (["--qi-set", "age,sex", "--qi-set", "region,job"], "each of several sets"),
    (["--likelihood", "age=0.5"], "lowers k"), (["--entity", "id"], "counts persons"),
    (["--count", "id"], "draws single ones"), (["--least-count", "5"], "which values are regrouped"),
    (["--treat", "disease=constant(x)"], "in no combination"), (["--aggregate", "age=mean"], "values from those"),
    (["--linked", "sex,disease"], "passed through"), (["--follow"], "passed through"),
    (["--by", "sex"], "each stratum"), (["--history", "old.rec"], "earlier releases"),
    (["--population", "t.csv"], "needs none"), (["--weight", "id"], "needs none|no model of the job looks"),
    (["--sampling-fraction", "0.1"], "needs none|no model of the job looks"), (["--household", "id"], "others of their household|no model of the job looks"),
    (["--suppress-above", "0.1"], "risk in the table"), (["--suppress", "10%"], "depends on the data"),
    (["--suppressed", "keep"], "leaves out what is rare"), (["--suppressed", "exempt"], "leaves out what is rare"),
    (["--fold-case"], "the spelling that most rows"), (["--utility", "loss"], "chosen by precision"),
    (["--save-recoding", "x.rec"], "values of the input"), (["--save-map", "x.map.csv"], "values of the input"),
    (["--save-proof", "x.proof"], "proves a bound"), (["--print-sql", "sqlite"], "draws the rows itself"),
    (["--disclose", "bound", "--save-promise", "p.json"], "tells nothing of it"),
    (["--curve", "2,5"], "other k"), (["--hint"], "other choices"), (["--allow-leaks"], "counts every column"),
    (["--method", "cell"], "leave `--method` out|leave --method out"), (["--method", "datafly"], "levels are given"),
    (["--method", "mondrian"], "levels are given"), (["--missing-matches", "all"], "counts equal ones"),
    (["--policy", "hipaa-safe-harbor"], "raises levels"),
    (["--sensitive", "disease"], "would be released as it is"),
    (["--sensitive", "disease", "--l-diversity", "disease=2"], "would be released as it is"),
    (["--insensitive", "disease"], "would be released as it is"),
    (["--max-risk", "0.1"], "for another reason"), (["--mean-risk", "0.1"], "for another reason"),
    (["--km", "disease=2,2"], "released as it is|sets of items"),
    (["--rest", "insensitive"], "give --rest drop|give `--rest drop`"),
    (["--method", "mingen"], None), (["-k", "20"], None), (["--trim"], None), (["--brief"], None),
    (["--threads", "3"], None), (["--weights", "age=2,sex=0.5"], None), (["--neutralize"], None),
    (["--identifier", "id,disease"], None), (["--title", "x", "--purpose", "y"], None),
    (["--delimiter", ","], None), (["--missing", "NA"], None), (["--verbose"], None),
    (["--time-limit", "60"], None), (["--prefer", "loss"], None), (["--quiet"], None),
]


def options(mingle, table):
    """Each by itself, then pairs of what is taken."""
    def command(more):
        rest = [] if "--rest" in more else ["--rest", "drop"]
        columns = TREES if "--qi-set" in more else COLUMNS
        return ["anonymize", table, *columns, *LEVELS, *rest, "--dp", "1,1e-5", *more, "-o", "o.csv"]

    wrong = []
    for more, words in OPTIONS:
        if os.path.exists("o.csv"):
            os.remove("o.csv")
        done = run(mingle, *command(more))
        if words is None:
            assert done.returncode == 0, (more, done.stderr)
            judge_rows("o.csv")
        else:
            if done.returncode != 2 or not any(w in done.stderr for w in words.split("|")):
                wrong.append((more, done.returncode, done.stderr))
            assert not os.path.exists("o.csv"), more
    assert not wrong, "\n".join(map(str, wrong))
    taken = [more for more, words in OPTIONS if words is None and "--brief" not in more]
    for i, one in enumerate(taken):
        other = taken[(i * 5 + 3) % len(taken)]
        if one == other:
            continue
        if os.path.exists("o.csv"):
            os.remove("o.csv")
        done = run(mingle, *command(one + other))
        assert done.returncode in (0, 2), (one, other, done.stderr)
        if done.returncode == 0:
            judge_rows("o.csv")


def judge_rows(path):
    counts = collections.Counter(tuple(row.values()) for row in rows_of(path))
    assert counts and min(counts.values()) >= parameters(1, 1e-5)[1], counts


NUMBERS = [str(n) for n in range(-40, 130)]
WORDS = ["a%s%d" % (c, n) for c in "bcdefgh" for n in range(10, 40)]
BUILDERS = [
    ("suppress", WORDS), ("mask(right,2)", WORDS), ("mask(left; 1,3)", WORDS),
    ("intervals(5,10,20)", NUMBERS), ("intervals(from 3 by 5,10)", NUMBERS), ("cuts(18,30,46)", NUMBERS),
    ("top(90,80)", NUMBERS), ("bottom(18,25)", NUMBERS), ("order(%s; 2,4)" % " < ".join(WORDS[:20]), WORDS[:20]),
    ("icd10(category,block,chapter)", ["A%02d" % n for n in range(100)] + ["E11.9", "I10", "J45.0", "C50"]),
    ("icd9(block,chapter)", ["%03d" % n for n in range(1, 200)] + ["250.02", "V10", "401.9"]),
    ("iso3166(subregion,region)", ["DE", "FR", "DEU", "276", "BR", "JP", "Kenya", "US", "FRA", "IN"]),
    ("nace(group,division,section)", ["10.11", "C10.11", "1011", "01.1", "62", "47.11", "86"]),
    ("isco(minor,submajor,major)", ["2221", "2222", "1111", "931", "22", "5", "7115"]),
    ("isced(level,group)", ["354", "35", "3", "ED3", "0", "8", "665"]),
    ("atc(therapeutic,anatomical)", ["N02BE01", "N02BE", "A01AA01", "C03", "J01CA04"]),
    ("nuts(nuts1,country)", ["DE212", "DE21", "FR101", "AT130", "ITC4", "DE3"]),
]


def tree(mingle, spec, values):
    with open("values.csv", "w", encoding="utf-8") as file:
        file.write("x\n" + "".join(value + "\n" for value in values))
    done = run(mingle, "hierarchy", "build", "values.csv", "--hierarchy", "x=" + spec, "-o", "tree.csv")
    assert done.returncode == 0, (spec, values, done.stderr)
    with open("tree.csv", encoding="utf-8", newline="") as file:
        return {row[0]: row for row in csv.reader(file, delimiter=";")}


def fixed(mingle):
    """What becomes of some values is the same beside others; of a builder that is refused it is not."""
    for spec, values in BUILDERS:
        some = values[::3]
        whole, part = tree(mingle, spec, values), tree(mingle, spec, some)
        for value in some:
            assert whole[value] == part[value], (spec, value, whole[value], part[value])
    assert tree(mingle, "mask(right)", ["abc", "abcdef"])["abc"] != tree(mingle, "mask(right)", ["abc"])["abc"]


FOLLOWED = ["a", "b", "ab", "a*", "**", "*", "abc", "12", "012", "=1", "", "NA", "a..b"]
OTHERS = [
    ("suppress", FOLLOWED, 1), ("mask(right,2)", FOLLOWED, 1), ("mask(left; 1,3)", FOLLOWED, 2),
    ("order(a < b < ab < a*; 2)", FOLLOWED, 1), ("order(a < b < NA; 2)", FOLLOWED, 1), ("groups(some.txt)", FOLLOWED, 1), ("some.csv", FOLLOWED, 1),
    ("intervals(5,10)", ["7", "07", "-7", "-0", "115", "1000000000", "2.5", "1,000", "*", ""], 1),
    ("top(90,80)", ["7", "85", "-90", "90", "", "NA"], 1), ("codes.grc", ["1", "2", "3", "7"], 1),
]


def labels_of(mingle, values, spec, level, missing):
    """What is released of them, each in many rows; None: the table is refused."""
    with open("values.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, quoting=csv.QUOTE_ALL)
        out.writerow(["x", "y"])
        out.writerows([value, "s"] for value in values for _ in range(150))
    done = run(mingle, "anonymize", "values.csv", "--qi", "x,y", "--hierarchy", "x=" + spec, "--hierarchy",
               "y=suppress", "--level", "x=%d,y=0" % level, "--dp", "1,0.01", "--delimiter", ",", "--header",
               "yes", "--missing", missing, "-o", "labels.csv", "--overwrite", "--quiet")
    assert done.returncode in (0, 2, 3), (values, spec, done)
    return {row["x"] for row in rows_of("labels.csv")} if done.returncode == 0 else None


def others(mingle):
    """Values that can each be given can be given together, and read as they do alone."""
    with open("some.txt", "w", encoding="utf-8") as file:
        file.write("NA: a, b\nH: ab, a*\n")
    with open("some.csv", "w", encoding="utf-8") as file:
        file.write("a;G;*\nb;G;*\nab;NA;*\n12;H;*\n")
    with open("codes.grc", "w", encoding="utf-8") as file:
        file.write("1:1-5\n2:6-10\n")
    for missing in (",NA", "NA"):
        for spec, values, level in OTHERS:
            alone = {value: labels_of(mingle, [value], spec, level, missing) for value in values}
            taken = [value for value in values if alone[value] is not None]
            expected = set().union(*(alone[value] for value in taken))
            found = labels_of(mingle, taken, spec, level, missing) if taken else expected
            assert found == expected, (spec, missing, taken, found, expected)
            assert taken or spec.startswith(("codes", "some", "groups")), (spec, missing)
    types(mingle)


def types(mingle):
    """A text that is not released makes no other column of the numbers beside it."""
    import zipfile
    with open("numbers.csv", "w", encoding="utf-8") as file:
        file.write("1;*\n2;*\nx;*\n")
    kinds = []
    for more in ([], ["x"], [None]):
        with open("numbers.jsonl", "w", encoding="utf-8") as file:
            file.writelines(json.dumps({"n": n}) + "\n" for n in [1, 2] * 300 + more)
        done = run(mingle, "anonymize", "numbers.jsonl", "--qi", "n", "--hierarchy", "n=numbers.csv", "--level",
                   "n=0", "--dp", "1,0.01", "-o", "numbers.xlsx", "--overwrite", "--quiet")
        if "built without" in done.stderr:
            return
        assert done.returncode == 0, done
        sheet = zipfile.ZipFile("numbers.xlsx").read("xl/worksheets/sheet1.xml").decode()
        kinds.append("<v>" in sheet)
    assert kinds == kinds[:1] * 3, kinds


if __name__ == "__main__":
    {"judge": judge, "parameters": check_parameters, "tamper": tamper,
     "options": options, "fixed": fixed, "others": others}[sys.argv[1]](*sys.argv[2:])
