"""Writes random jobs on random tables of Parquet, one a line: name, the statement that makes
t.parquet, options. parquet_jobs.py NUMBER [SEED]"""
import random
import shlex
import sys

METHODS = ["cell", "mingen", "samarati", "datafly", "incognito", "top-down", "mondrian", "k-member",
           "mu-argus", "local-suppression", "microaggregate"]
VALUES = ["NULL", "''", "'NA'", "'a b'", "'x,y'", "'it''s'", "'ä'", "'007'", "'1'", "'\"q\"'"]
NAMES = ["b", "c d", 'e"f', "g'h", "i,j", "select", "ä"]


def column(draw, i, method):
    kind = draw.randrange(2 if method == "microaggregate" else 5)  # that one averages numbers
    if kind == 0:
        return f"(hash(i * 7 + {i}) % {draw.randrange(2, 9)})::INTEGER"
    if kind == 1:
        return f"CASE WHEN hash(i * 5 + {i}) % 9 = 0 THEN NULL ELSE (hash(i + {i}) % 5) / 2 END::DOUBLE"
    if kind == 2:
        return f"DATE '2020-02-27' + (hash(i * 3 + {i}) % 5)::INTEGER"
    if kind == 3:
        return f"hash(i * 11 + {i}) % 2 = 0"
    values = draw.sample(VALUES, draw.randrange(2, 6))
    return f"[{', '.join(values)}][1 + (hash(i * 13 + {i}) % {len(values)})::INTEGER]"


def job(draw, number):
    method = METHODS[number % len(METHODS)]
    names = ["a"] + draw.sample(NAMES, draw.randrange(1, 4))
    columns = [column(draw, i, method) for i in range(len(names))]
    quoted = ['"' + name.replace('"', '""') + '"' for name in names]
    rows = draw.choice([30, 60, 200])
    table = "COPY (SELECT " + ", ".join(f"{c} AS {q}" for c, q in zip(columns, quoted))
    table += f", (hash(i) % 3)::BIGINT + 9007199254740990 AS p FROM range({rows}) t(i)) TO 't.parquet'"
    listed = ",".join('"' + n.replace('"', '""') + '"' if "," in n or '"' in n else n for n in names)
    options = ["--qi", listed, "-k", str(draw.choice([2, 3, 5])), "--method", method, "--allow-leaks",
               "--seed", "1", "--rest", draw.choice(["insensitive", "drop"])]
    if method != "microaggregate":
        options += ["--suppress", draw.choice(["0", "10%", "50%"]), "--suppressed",
                    draw.choice(["keep", "drop"])]
    if draw.randrange(4) == 0:
        options += ["--missing", draw.choice([",NA", ",1,NA", ",*"])]
    return f"job {number} ({method})\t{table}\t{shlex.join(options)}"


def main():
    draw = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 24)
    for number in range(int(sys.argv[1])):
        print(job(draw, number))


main()
