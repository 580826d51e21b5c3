"""Certificates and results that were tampered with: each must be refused. Arguments: program, folder
with data.csv, result.json and proof.json. One TAP line for each, without numbers: NAME or NAME<tab>WHY.
"""
import copy
import hashlib
import json
import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import proofs_reader

program = sys.argv[1]
text = open("proof.json", "rb").read()
proof, result = json.loads(text), json.load(open("result.json"))


def check(*data):
    return subprocess.run([program, "check", *data, "--proof", "bad.proof", "--against", "bad.json",
                           "--quiet"], capture_output=True, text=True)


def tell(name, run, codes):
    fine = run.returncode in codes and (run.returncode < 2 or not run.stdout)
    print(name if fine else f"{name}\texit {run.returncode}, expected {codes}: {run.stderr[:300]}")


def write(changed, told, hashed=True):
    data = json.dumps(changed).encode() if isinstance(changed, dict) else changed
    open("bad.proof", "wb").write(data)
    if hashed and "proof" in told["bound"]:
        told = copy.deepcopy(told)
        told["bound"]["proof"]["sha256"] = hashlib.sha256(data).hexdigest()
    json.dump(told, open("bad.json", "w"))


def tamper(name, change, codes=(1,), data=(), on="proof"):
    changed, told = copy.deepcopy(proof), copy.deepcopy(result)
    change(changed if on == "proof" else told)
    write(changed, told)
    tell(name, check(*data), codes)


def put(*path):
    def change(document):
        at = document
        for step in path[:-2]:
            at = at[step]
        at[path[-2]] = path[-1](at[path[-2]]) if callable(path[-1]) else path[-1]
    return change


write(proof, result)
tell("what was not changed holds, written in another way", check(), (0,))
tell("and with the table", check("data.csv"), (0,))
write(text + b"\n", result, hashed=False)
tell("a proof with another hash", check(), (1,))

# One price at a time: what the other reader says of it.
for t in range(0, len(proof["tuples"]), max(1, len(proof["tuples"]) // 12)):
    for more in (2**30, 2**44, 2**51):
        changed = copy.deepcopy(proof)
        changed["tuples"][t][2] += more
        write(changed, result)
        holds, _ = proofs_reader.verify(changed)
        tell(f"price {t} raised by {more}", check(), (0,) if holds else (1,))
for t in range(len(proof["tuples"])):
    changed = copy.deepcopy(proof)
    changed["tuples"][t][2] += 2**51
    write(changed, result)
    tell(f"price {t} raised above the top", check(), (1,))


def lower_all(p):
    for t in p["tuples"]:
        t[2] -= 2**40


def drop_tuple(p):
    p["rows"] -= p["tuples"].pop(3)[1]


def move_row(p):
    p["tuples"][0][1] += 1
    next(t for t in p["tuples"][1:] if t[1] > 1 or True)[1] += 1
    p["tuples"].pop()


def swap_parents(p):
    leaves = p["columns"][0]["leaves"]
    leaves[0][1:], leaves[-1][1:] = leaves[-1][1:], leaves[0][1:]


def merge_values(p):
    for t in p["tuples"]:
        t[3] = [[0] for _ in t[3]]


k = next(i for i, m in enumerate(proof["models"]) if m["model"] == "k-anonymity")
l = next(i for i, m in enumerate(proof["models"]) if m["model"] == "l-diversity")
lower, raise_ = (lambda n: n - 1), (lambda n: n + 1)
for name, change, codes in [
    ("all prices lowered", lower_all, (1,)),
    ("k lowered", put("models", k, "parameter", lower), (1,)),
    ("k raised", put("models", k, "parameter", raise_), (1,)),
    ("l raised", put("models", l, "parameter", raise_), (1,)),
    ("a model that the release does not promise",
     lambda p: p["models"].append({"model": "max-risk", "parameter": 0.1, "sensitive": []}), (1,)),
    ("a model that is unknown",
     lambda p: p["models"].append({"model": "t-closeness", "parameter": 0.1, "sensitive": []}), (3,)),
    ("a model of an attribute that is not there", put("models", l, "sensitive", [7]), (3,)),
    ("another sensitive attribute", put("sensitive", 0, "attribute", "zip"), (1,)),
    ("a tuple is missing", lambda p: p["tuples"].pop(3), (3,)),
    ("a tuple is missing, rows are adjusted", drop_tuple, (1,)),
    ("a tuple is there twice", lambda p: p["tuples"].insert(3, p["tuples"][3]), (3,)),
    ("tuples are not ascending", lambda p: p["tuples"].reverse(), (3,)),
    ("rows", put("rows", raise_), (3,)),
    ("a count of 0", put("tuples", 0, 1, 0), (3,)),
    ("a count that is too large", put("tuples", 0, 1, 2**60), (3,)),
    ("a price that is no number", put("tuples", 0, 2, "1"), (3,)),
    ("a price that is a fraction", put("tuples", 0, 2, 0.5), (3,)),
    ("a leaf that is not there", put("tuples", 0, 0, 0, 10**6), (3,)),
    ("a leaf below 0", put("tuples", 0, 0, 0, -1), (3,)),
    ("a tuple with too few leaves", put("tuples", 0, 0, [0]), (3,)),
    ("sensitive values are missing", put("tuples", 0, 3, []), (3,)),
    ("sensitive values twice", put("tuples", 0, 3, [[1, 1]]), (3,)),
    ("weight", put("columns", 0, "weight", 3), (1,)),
    ("a negative weight", put("columns", 0, "weight", -1), (3,)),
    ("least level", put("columns", 1, "levels", [1, 4]), (1,)),
    ("highest level", put("columns", 1, "levels", [0, 3]), (1,)),
    ("levels that are not there", put("columns", 1, "levels", [0, 9]), (3,)),
    ("levels that contradict each other", put("columns", 1, "levels", [2, 1]), (3,)),
    ("name of a column", put("columns", 1, "name", "other"), (1,)),
    ("two columns of one name", put("columns", 1, "name", proof["columns"][0]["name"]), (3,)),
    ("label of the top", put("columns", 0, "values", -1, "all"), (1,)),
    ("a label twice", put("columns", 0, "values", 1, proof["columns"][0]["values"][0]), (3,)),
    ("a label that is no text", put("columns", 0, "values", 1, 5), (3,)),
    ("a leaf with another number of levels", put("columns", 0, "leaves", 0, [0]), (3,)),
    ("a leaf with a value that is not there", put("columns", 0, "leaves", 0, 0, 10**6), (3,)),
    ("levels that are no functions", put("columns", 0, "leaves", 0, 2, 0), (3,)),
    ("no top", put("columns", 0, "leaves", 0, -1, 0), (3,)),
    ("a hierarchy that ends earlier",
     lambda p: [path.pop(1) for path in p["columns"][0]["leaves"]], (1, 3)),
    ("measure", put("measure", "loss"), (1,)),
    ("a measure that does not add up", put("measure", "discernibility"), (3,)),
    ("treatment", put("treatment", "exempt"), (1,)),
    ("limit", put("limit", raise_), (1,)),
    ("method", put("method", "mingen"), (1,)),
    ("table", put("input", "0" * 64), (1,)),
    ("version", put("mingle_proof", 2), (3,)),
    ("unit", put("unit", 2**40), (3,)),
    ("no columns", put("columns", []), (3,)),
    ("no tuples", put("tuples", []), (3,)),
    ("tuples that are none", put("tuples", "many"), (3,)),
    ("too many tuples to divide in all ways", lambda p: p.update(
        exact={"method": "sets", "rounded": False, "bound": 1}), (3,)),
    ("a method of a better bound that is unknown", lambda p: p.update(
        exact={"method": "luck", "rounded": False, "bound": 1}), (3,)),
    ("a method that is no text", lambda p: p.update(
        exact={"method": 5, "rounded": False, "bound": 1}), (3,)),
]:
    tamper(name, change, codes)
for key in proof:
    if key != "exact":
        tamper(f"without {key}", lambda p, key=key: p.pop(key), (1, 3))
for name, change in [("counts that are others", lambda p: (put("tuples", 0, 1, raise_)(p),
                                                           put("rows", raise_)(p))),
                     ("parents that are exchanged", swap_parents),
                     ("sensitive values that are others", merge_values),
                     ("a label that is another", put("columns", 0, "values", 0, "02999"))]:
    tamper(f"with the table: {name}", change, (1,), ("data.csv",))
better = (lambda x: x - 0.001)
for name, change, codes in [
    ("best possible", put("bound", "best_possible", better), (1,)),
    ("best possible, gap adjusted", lambda r: r["bound"].update(
        best_possible=r["bound"]["best_possible"] - 0.001, gap=r["bound"]["gap"] - 0.001), (1,)),
    ("achieved", put("bound", "achieved", lambda x: x + 0.001), (1,)),
    ("achieved and utility beyond the bound", lambda r: (r["utility"].update(precision=0.999),
                                                         r["bound"].update(achieved=0.999)), (1,)),
    ("gap", put("bound", "gap", lambda x: x + 0.01), (1,)),
    ("exact", put("bound", "exact", lambda x: not x), (1,)) if not result["bound"]["exact"] else
    ("gap of what is exact", put("bound", "gap", 0.1), (1,)),
    ("rows", put("rows", raise_), (1,)),
    ("method", put("method", "mingen"), (1,)),
    ("k", put("models", 0, "parameters", "k", raise_), (1,)),
    ("no models", put("models", []), (1,)),
    ("weight", put("audit", "job", "attributes", "zip", "weight", "7"), (1,)),
    ("role", put("audit", "job", "attributes", "zip", "role", "insensitive"), (1, 2, 3)),
    ("input", put("audit", "input", "sha256", "0" * 64), (1,)),
    ("no bound", put("bound", None), (3,)),
    ("no audit", put("audit", None), (3,)),
    ("bound of another measure", put("bound", "measure", "loss"), (1,)),
]:
    if name == "no bound":
        told = dict(result, bound=None)
        open("bad.proof", "wb").write(text)
        json.dump(told, open("bad.json", "w"))
        tell("result: no bound", check(), codes)
    else:
        tamper(f"result: {name}", change, codes, on="result")
# Cut off anywhere, or with a bit that is wrong.
chance = random.Random(5)
for size in [0, 1, len(text) - 3] + [chance.randrange(len(text) - 3) for _ in range(12)]:
    write(text[:size], result)
    tell(f"cut off after {size} bytes", check(), (3,))
for _ in range(40):
    at = chance.randrange(len(text))
    flipped = bytearray(text)
    flipped[at] ^= 1 << chance.randrange(8)
    write(bytes(flipped), result, hashed=False)
    tell(f"a bit of byte {at}", check(), (1, 3))
