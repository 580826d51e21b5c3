"""Random jobs: the statement of each is a function of its release and its promise.

usage: statements.py MINGLE FIRST LAST

The jobs are those of audit_honest.py. In a folder that has nothing but the release and the promise
`statement` must give the bytes that `anonymize` wrote, and `check --against` must accept them. A
release with one cell changed, and a promise that promises more, are rejected or give another
statement. Neither file has a value of a column that is not released.
"""
import json
import os
import random
import re
import shutil
import sys

import audit_honest as honest

DISCLOSED = ["bound", "dropped", "utility", "before", "builders", "method", "models", "leaks"]


def tampered(rng, name):
    """Changes one cell of a text release; False: it is no text, or nothing was changed."""
    if not name.endswith((".csv", ".tsv")):
        return False
    with open(os.path.join("elsewhere", name)) as file:
        lines = file.read().split("\n")
    at = rng.randrange(1, len(lines) - 1)
    separator = "\t" if "\t" in lines[0] else ","
    cells = lines[at].split(separator)
    cells[0] = "zz"
    lines[at] = separator.join(cells)
    with open(os.path.join("elsewhere", name), "w") as file:
        file.write("\n".join(lines))
    return True


def complaint_about(rng, name, location):
    """What is wrong with the files of a release; '': nothing."""
    os.mkdir("elsewhere")
    for file in (name, "promise.json"):
        shutil.copy(file, "elsewhere")
    code, _, error = honest.run("statement", location, "--promise", "promise.json", "-o",
                                "again.json", "--quiet", cwd="elsewhere")
    if code not in (0, 1):
        return f"statement: exit {code}: {error}"
    with open("statement.json", "rb") as a, open("elsewhere/again.json", "rb") as b:
        text = a.read()
        if text != b.read():
            return "the statement differs from that of the release and the promise alone"
    statement = json.loads(text)
    with open("promise.json", "rb") as file:
        text += file.read()
    if re.search(rb"\bP[0-9]+\b", text):
        return "a name is in promise or statement"
    code, output, error = honest.run("check", location, "--against", "again.json", "--json",
                                     cwd="elsewhere")
    if code not in (0, 1) or not json.loads(output)["against"]["agrees"]:
        return f"check --against: exit {code}: {error}{output}"
    if code != (0 if statement["holds"] else 1):
        return f"agrees, but exit {code}"
    for k in statement["promise"]["models"]:
        if k["model"] == "k-anonymity":
            k["parameters"]["k"] += 1000
    with open("elsewhere/boast.json", "w") as file:
        json.dump(statement, file)
    if honest.run("check", location, "--against", "boast.json", cwd="elsewhere")[0] != 1:
        return "a promise of a larger k is accepted"
    if tampered(rng, name) and honest.run("check", location, "--against", "again.json",
                                          cwd="elsewhere")[0] == 0:
        return "a changed release is accepted"
    return ""


def state(number):
    """What is wrong with job number; None: it cannot be met, '': nothing."""
    rng = random.Random(number)
    for old in os.listdir("."):
        if old != "earlier.rec":
            shutil.rmtree(old) if os.path.isdir(old) else os.remove(old)
    honest.write_table(rng, rng.choice([12, 40, 120]))
    honest.write_hierarchies()
    shutil.copy("data.csv", "people.csv")
    options = honest.choose_job(rng)
    name, location = honest.release_of(rng, options)
    if "--history" in options:
        honest.run("anonymize", "data.csv", "--qi", "zip,age", "--rest", "drop", "-k", "2",
                   "--method", "mingen", "--save-recoding", "earlier.rec", "--quiet")
    if name.endswith(".sqlite"):
        open(name, "w").close()
    disclosed = rng.sample(DISCLOSED, rng.choice([0, 0, 1, 3, len(DISCLOSED)]))
    command = ["anonymize", "data.csv", *options, "-o", location, "--save-promise", "promise.json",
               "--statement", "statement.json", "--quiet"]
    if disclosed:
        command += ["--disclose", ",".join(disclosed)]
    code, _, error = honest.run(*command)
    if (code in (1, 2) and "please report" not in error) or "needs the library" in error:
        return None
    if code != 0:
        return f"anonymize: exit {code}: {error}"
    return complaint_about(rng, name, location)


def main():
    wrong, stated = [], 0
    for number in range(honest.FIRST, honest.LAST):
        complaint = state(number)
        stated += complaint is not None
        if complaint:
            rng = random.Random(number)
            honest.write_table(rng, rng.choice([12, 40, 120]))
            print(f"job {number}: {' '.join(honest.choose_job(rng))}\n    {complaint}")
            wrong.append(number)
    print(f"{stated} statements made anew, {len(wrong)} differ: {wrong}")
    return 1 if wrong or stated < (honest.LAST - honest.FIRST) // 3 else 0


if __name__ == "__main__":
    sys.exit(main())
