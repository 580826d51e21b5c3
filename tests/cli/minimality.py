"""attack --minimality against brute force: every permutation of the sensitive values is tried.

usage: minimality.py MINGLE TABLES SEED

Persons are assigned the released sensitive values in all different ways; the program releases each
table, and those whose release is the one at hand are possible. What a person has in them, each
counted once, must be the posterior that the attack reports.
"""
import collections
import itertools
import json
import random
import subprocess
import sys

MINGLE, TABLES, SEED = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


def run(*arguments):
    done = subprocess.run([MINGLE, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    return done.returncode, done.stdout, done.stderr


def write(name, header, rows):
    with open(name, "w") as file:
        file.write(",".join(header) + "\n")
        for row in rows:
            file.write(",".join(row) + "\n")


def released(persons, values, options):
    """The rows that the method releases, sorted; None: there is no release."""
    write("world.csv", ["zip", "age", "s"],
          [[*person[1:], value] for person, value in zip(persons, values)])
    code, _, _ = run("anonymize", "world.csv", *options, "-o", "world.out.csv", "--quiet")
    if code != 0:
        return None
    with open("world.out.csv") as file:
        return sorted(file.read().split("\n")[1:])


def brute(persons, values, options, wanted):
    """Possible worlds, and for each person how often it has which value in them."""
    worlds, had = 0, [collections.Counter() for _ in persons]
    for world in set(itertools.permutations(values)):
        if released(persons, world, options) != wanted:
            continue
        worlds += 1
        for person, value in enumerate(world):
            had[person][value] += 1
    return worlds, had


def attack(rng):
    """What is wrong with one table; None: it has no release."""
    n = rng.choice([4, 5, 5, 6])
    persons = [[f"P{i}", rng.choice(["021", "022", "031"]), str(rng.choice([20, 25, 31]))]
               for i in range(n)]
    values = [rng.choice(["hiv", "flu", "flu"]) for _ in range(n)]
    options = ["--qi", "zip,age", "--sensitive", "s", "--hierarchy", "zip=mask(right)",
               "--hierarchy", "age=intervals(10)", "-k", str(rng.choice([1, 2, 2])),
               "--method", rng.choice(["mingen", "mingen", "cell", "datafly"])]
    options += rng.choice([["--l-diversity", "s=2"], ["--alpha", "s=0.7"], []])
    write("data.csv", ["zip", "age", "s"],
          [[*person[1:], value] for person, value in zip(persons, values)])
    write("persons.csv", ["name", "zip", "age"], persons)
    code, _, _ = run("anonymize", "data.csv", *options, "-o", "release.csv", "--result",
                     "result.json", "--quiet")
    if code != 0:
        return None
    with open("release.csv") as file:
        wanted = sorted(file.read().split("\n")[1:])
    worlds, had = brute(persons, values, options, wanted)
    how = rng.choice([options, ["--against", "result.json"]])
    code, output, error = run("attack", "release.csv", "persons.csv", "--identifier", "name", *how,
                              "--minimality", "--json")
    if code != 0:
        return f"attack: exit {code}: {error}"
    found = json.loads(output)["minimality"]
    for one in found["persons"]:
        person = [p[0] for p in persons].index(one["person"])
        most = max(had[person].values()) / worlds
        if abs(one["posterior"] - most) > 1e-9:
            return f"{one}, and brute force finds {had[person]} in {worlds} worlds"
        if abs(had[person][one["value"]] / worlds - most) > 1e-9:
            return f"{one}: another value is likelier: {had[person]}"
    return "" if len(found["persons"]) == n else "not all persons are listed"


def main():
    rng, wrong, tried = random.Random(SEED), [], 0
    for number in range(TABLES):
        complaint = attack(rng)
        tried += complaint is not None
        if complaint:
            print(f"table {number}: {complaint}")
            wrong.append(number)
    print(f"{tried} tables attacked, {len(wrong)} differ from brute force: {wrong}")
    return 1 if wrong or tried < TABLES // 4 else 0


if __name__ == "__main__":
    sys.exit(main())
