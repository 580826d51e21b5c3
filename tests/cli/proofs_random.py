"""Random tiny tables: what --save-proof writes holds, proves what the result claims, and the other
reader agrees, also where steps were tampered with. Arguments: program, number of tables. One line for
each: NAME or NAME<tab>WHY."""
import copy
import hashlib
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import proofs_reader

program, times = sys.argv[1], int(sys.argv[2])


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True)


def make_table(chance):
    with open("tiny.csv", "w") as file:
        file.write("a,b,c,s\n")
        sizes = [chance.randint(1, n) for n in (6, 8, 2, 3)]
        for _ in range(chance.choice([4, 5, 6, 7, 8])):
            a, b, c, s = (chance.randrange(n) for n in sizes)
            file.write(f"{a + 20},{100 + b * 7},{'xy'[c]},s{s}\n" * chance.choice([1, 1, 1, 2]))
    return sizes


def make_job(chance, sizes):
    job = ["--qi", "a,b,c", "--sensitive", "s", "--hierarchy", "a=intervals(2,4)", "--hierarchy",
           chance.choice(["b=mask(right)", "b=intervals(10,30)"]), "--hierarchy", "c=suppress", "-k",
           str(chance.randint(1, 4)), "--utility",
           chance.choice(["precision", "loss", "ncp", "precision", "nonuniform-entropy"]),
           "--suppressed", chance.choice(["keep", "drop", "exempt"])]
    if chance.random() < 0.6:
        job += ["--suppress", str(chance.randint(0, 4))]
    if chance.random() < 0.5:
        job += ["--weights", f"a={chance.choice([2, 0.3, 1.25, 7])},c={chance.choice([0, 1, 0.01])}"]
    if chance.random() < 0.3:
        job += ["--l-diversity", f"s={min(sizes[3], chance.randint(1, 3))}"]
    if chance.random() < 0.2:
        job += ["--level", chance.choice(["a=1..2", "b=0..1", "a=0..2", "c=0"])]
    return job


def verdict_of(proof, result):
    text = json.dumps(proof).encode()
    open("changed.proof", "wb").write(text)
    told = copy.deepcopy(result)
    told["bound"]["proof"]["sha256"] = hashlib.sha256(text).hexdigest()
    json.dump(told, open("changed.json", "w"))
    found = run("check", "--proof", "changed.proof", "--against", "changed.json", "--json")
    return json.loads(found.stdout)["proof"]["verdict"] if found.stdout else found.stderr


def change_steps(chance, exact):
    """One thing that may matter, or not."""
    steps = exact["steps"]
    prices = [s for s in steps if "prices" in s]
    kind = chance.randrange(7)
    step = chance.choice(prices)
    t = chance.randrange(len(step["prices"]))
    if kind == 0:
        step["prices"][t] += exact["step"] // chance.choice([1, 2, 64]) + 1
    elif kind == 1:
        exact["bound"] += exact["step"]
    elif kind == 2 and len(steps) > 1:
        steps.remove(chance.choice([s for s in steps[1:]]))
    elif kind == 3 and step["cuts"]:
        step["cuts"][chance.randrange(len(step["cuts"]))][0] //= 2
    elif kind == 4:
        step["left"] += exact["step"]
    elif kind == 5:  # costs are said to differ by more than they do
        exact["bound"] += exact["step"] * 1000002
        exact["step"] *= 1000003
    else:
        step["prices"][t] -= exact["step"]
    return kind


def balanced(steps):
    """Do pairs begin and end as they must? Else the file is refused, or proves nothing."""
    open_pairs = []
    for s in steps:
        if "together" in s:
            open_pairs.append([s["together"], False])
        elif "apart" in s:
            if not open_pairs or open_pairs[-1][1]:
                return False
            open_pairs[-1][1] = True
        elif "end" in s:
            if not open_pairs or not open_pairs.pop()[1]:
                return False
    return not open_pairs


def by_sets(proof, result):
    """What the verdicts are if the tuples are divided in all ways, by the bound that the other reader
    finds so and by the next one; and what is proved then."""
    rounded = proof["measure"] == "nonuniform_entropy"
    changed = dict(proof, exact={"method": "sets", "rounded": rounded, "bound": 0})
    changed["exact"]["bound"] = proofs_reader.Steps(changed).divide()
    # Logarithms are rounded in another way: by a unit for each cell, and what is taken off there.
    slack = 64 * len(proof["columns"]) * proof["rows"] if rounded else 0
    changed["exact"]["bound"] = max(0, changed["exact"]["bound"] - slack)
    verdict, value = verdict_of(changed, result), proofs_reader.verify_all(changed)[1]
    changed["exact"]["bound"] += 1 + 2 * slack
    return verdict, verdict_of(changed, result), value


counts = {"exact": 0, "steps": 0, "sets": 0, "changed": 0, "failed": 0}
for number in range(times):
    chance = random.Random(number)
    job = make_job(chance, make_table(chance))
    name = f"random {number}"
    made = run("anonymize", "tiny.csv", *job, "-o", "tiny_release.csv", "--result", "tiny.json",
               "--save-proof", "tiny.proof", "--quiet")
    if made.returncode == 1:
        continue  # no release holds
    if made.returncode != 0:
        print(f"{name}\texit {made.returncode}: {made.stderr} {' '.join(job)}")
        continue
    found = run("check", "tiny.csv", "--proof", "tiny.proof", "--against", "tiny.json", "--json")
    proof, result = json.load(open("tiny.proof")), json.load(open("tiny.json"))
    holds, value = proofs_reader.verify_all(proof)
    told = json.loads(found.stdout)["proof"] if found.stdout else {"verdict": found.stderr}
    counts["exact"] += result["bound"]["exact"]
    counts["steps"] += "steps" in proof.get("exact", {})
    near = holds and abs(value - told.get("proved", 1e9)) <= 1e-8 * max(1, abs(value))
    if told["verdict"] == "holds" and near:
        print(name)
    else:
        print(f"{name}\t{told} but the other reader: {holds} {value} {' '.join(job)}")
    if any(max(proofs_reader.parts(proof, a).values()) for a in range(3)):
        good, bad, value = by_sets(proof, result)
        best = result["bound"]["best_possible"]
        same = abs(value - best) <= 1e-7 * max(1, abs(best))
        counts["sets"] += same
        if good != "holds" or bad != "fails" or (result["bound"]["exact"] and not same):
            print(f"{name}, all sets\t{good} {bad} {value} {best} {' '.join(job)}")
    for _ in range(2 if "steps" in proof.get("exact", {}) else 0):
        changed = copy.deepcopy(proof)
        kind = change_steps(chance, changed["exact"])
        if not balanced(changed["exact"]["steps"]):
            continue
        verdict = verdict_of(changed, result)
        holds, _ = proofs_reader.verify_all(changed)
        counts["changed"] += 1
        counts["failed"] += not holds
        if (verdict == "fails") != (not holds):
            print(f"{name}, changed ({kind})\t{verdict}, the other reader: {holds}")
for what, n in counts.items():
    print(f"enough tables: {what} {n}" if n > times // 20 else f"enough tables: {what}\tonly {n}")
