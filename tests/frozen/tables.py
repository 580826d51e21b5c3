"""The tables, hierarchies and job files that frozen jobs read: made by arithmetic alone, so that
every machine makes the same."""

import gzip
import sqlite3


class Numbers:
    """A generator of our own: Python's may change between versions."""

    def __init__(self, seed):
        self.state = seed

    def below(self, n):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % n

    def pick(self, values):
        return values[self.below(len(values))]


HEADER = ["name", "person", "age", "zip", "sex", "race", "birth", "disease", "score", "ward"]
DISEASES = ["flu", "cold", "angina", "gastritis", "ulcer", "HIV"]


def rows(n, seed):
    draw = Numbers(seed)
    for i in range(n):
        yield [
            f"N{i}",
            f"P{draw.below(n * 2 // 3)}",
            str(20 + draw.below(50)),
            f"02{draw.below(2)}{draw.below(3)}{draw.below(4)}",
            draw.pick(["m", "f"]),
            draw.pick(["asian", "black", "white", "white", "NA", ""]),
            f"19{60 + draw.below(6)}-{1 + draw.below(12):02d}-{1 + draw.below(28):02d}",
            draw.pick(DISEASES),
            str(draw.below(9) * 10),
            draw.pick(["east", "west", "north"]),
        ]


def text(lines, delimiter=","):
    return "".join(delimiter.join(line) + "\n" for line in lines)


def write(name, content):
    with open(name, "w", encoding="utf-8", newline="") as file:
        file.write(content)


def write_sqlite(name, table):
    database = sqlite3.connect(name)
    database.execute("CREATE TABLE t (%s)" % ", ".join(f'"{c}" TEXT' for c in HEADER))
    database.executemany("INSERT INTO t VALUES (%s)" % ",".join("?" * len(HEADER)), table)
    database.commit()
    database.close()


RACE = "asian,person,*\nblack,person,*\nwhite,person,*\nother,person,*\n"
ZIP_TOP = "".join(
    f"02{a}{b}{c},02{a}{b}x,02{a}xx,anywhere\n" for a in range(2) for b in range(3) for c in range(4)
)
DISEASE = (
    "flu,lung,*\ncold,lung,*\nangina,heart,*\ngastritis,belly,*\nulcer,belly,*\nHIV,immune,*\n"
)

JOB = """\
data: data.csv
attributes:
  name:    {role: identifier}
  person:  {role: identifier}
  age:     {role: quasi, hierarchy: "intervals(5,10,20)", weight: 2}
  zip:     {role: quasi, hierarchy: "mask(right,3)"}
  sex:     {role: quasi, hierarchy: suppress}
  disease: {role: sensitive}
rest: drop
privacy: [{k-anonymity: 3}, {l-diversity: {attribute: disease, l: 2}}]
suppress: 5%
"""


def make_all():
    table = list(rows(90, 7))
    write("data.csv", text([HEADER] + table))
    write("data.tsv", text([HEADER] + table, "\t"))
    write("semicolons.csv", text([HEADER] + table, ";"))
    with gzip.GzipFile("data.csv.gz", "wb", mtime=0) as file:
        file.write(text([HEADER] + table).encode())
    write("first.csv", text([HEADER] + table[:50]))
    write("second.csv", text([HEADER] + table[50:]))
    write("large.csv", text([HEADER] + list(rows(1200, 9))))
    write("few.csv", text([HEADER] + table[:14]))
    write("population.csv", text([HEADER] + table + list(rows(150, 8))))
    write("voters.csv", text([["who", "age", "zip", "sex"]] + [[r[0]] + r[2:5] for r in table[:60]]))
    write_sqlite("data.sqlite", table)
    sqlite3.connect("out.sqlite").close()
    write("race.csv", RACE)
    write("zips.csv", ZIP_TOP)
    write("disease.csv", DISEASE)
    write("job.yaml", JOB)
