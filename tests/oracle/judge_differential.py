"""Releases by `dp`: sampling rate and k, released combinations, the node that is likely, what results tell."""
import collections
import csv
import math

import differential
from program import Wrong

WORDS = ["ab", "cd", "ef", "gh", "ij", "kl"]


def random_tree(rng):
    """Labels by level of each ground value, the last is the top; as a file."""
    values = WORDS[:rng.randint(2, len(WORDS))]
    levels = rng.randint(0, 2)
    tree = {value: [value] for value in values}
    for level in range(1, levels + 1):
        for place, value in enumerate(values):
            tree[value].append("%s%d" % ("gq"[level - 1], place // 2 ** level))
    for value in values:
        tree[value].append("*")
    return tree


def random_job(rng, folder):
    trees = [random_tree(rng) for _ in range(rng.randint(1, 3))]
    names = "abc"[:len(trees)]
    rows = []
    for _ in range(rng.randint(1, 600)):
        rows.append(tuple(rng.choice(list(tree)[:rng.randint(1, len(tree))]) for tree in trees))
    with open(folder.file("table.csv"), "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([[*names, "gone"], *([*row, "x%d" % i] for i, row in enumerate(rows))])
    for name, tree in zip(names, trees):
        with open(folder.file(name + ".csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=";").writerows(tree.values())
    return names, trees, rows


def judge(rng, folder):
    names, trees, rows = random_job(rng, folder)
    epsilon, delta = rng.choice([0.2, 0.5, 1, 1.5, 2]), rng.choice([0.1, 0.01, 1e-3])
    heights = [len(next(iter(tree.values()))) - 1 for tree in trees]
    levels = [rng.randint(0, height) for height in heights] if rng.random() < 0.5 else None
    share = rng.choice([0.1, 0.25, 0.5]) * epsilon if levels is None and rng.random() < 0.7 else None
    k = rng.choice([0, 0, 3, 40])
    weights = [rng.choice([1, 1, 2]) for _ in trees]
    options = ["--qi", ",".join(names), "--rest", "drop", "--dp", "%s,%s" % (epsilon, delta)]
    for name, weight in zip(names, weights):
        options += ["--hierarchy", "%s=%s.csv" % (name, name), "--weights", "%s=%s" % (name, weight)]
    if levels:
        options += ["--level", ",".join("%s=%d" % pair for pair in zip(names, levels))]
    if share:
        options += ["--dp-search", repr(share)]
    if k:
        options += ["-k", str(k)]
    code, _, err = folder.run("anonymize", "table.csv", *options, "-o", "release.csv", "--result", "result.json")
    spent = 0 if levels else share or epsilon * 0.1
    rate, least = differential.parameters(epsilon - spent, delta)
    least = max(least, k)
    if code == 1 and "nothing is released" in err:
        judge_nothing(trees, rows, levels, rate, least)
        return "nothing left"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    judge_release(folder, names, trees, rows, levels, (rate, least))
    if not levels:
        judge_node(folder, names, trees, rows, weights, (spent, rate, least))
    code, out, err = folder.run("check", "release.csv", "--against", "result.json")
    if code != 0:
        raise Wrong(f"check: {out} {err}")
    return "levels given" if levels else "levels chosen"


def sizes_of(trees, rows, node):
    return collections.Counter(tuple(tree[value][level] for tree, value, level in zip(trees, row, node))
                               for row in rows)


def deviations(n, rate):
    return 8 * math.sqrt(n * rate * (1 - rate)) + 1e-9


def judge_nothing(trees, rows, levels, rate, least):
    """No combination is so frequent that it is in the sample almost surely."""
    for n in sizes_of(trees, rows, levels).values() if levels else ():
        if n * rate - deviations(n, rate) >= least:
            raise Wrong(f"nothing was released, and a combination has {n} rows")


def judge_release(folder, names, trees, rows, levels, found):
    rate, least = found
    told = folder.read_json("result.json")
    section = told["differential_privacy"]
    node = [told["node"][name] for name in names]
    if levels and node != levels:
        raise Wrong(f"levels {node}, not {levels}")
    if section["k"] != least or abs(section["sampling_rate"] - rate) > 1e-8:
        raise Wrong(f"{section}, not rate {rate} and k {least}")
    with open(folder.file("release.csv"), encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))
    if lines[0] != list(names):
        raise Wrong(f"columns {lines[0]}")
    whole, shown = sizes_of(trees, rows, node), collections.Counter(map(tuple, lines[1:]))
    for cells, n in shown.items():
        if n < least or n > whole[cells] or abs(n - whole[cells] * rate) > deviations(whole[cells], rate):
            raise Wrong(f"{cells}: {n} released of {whole[cells]}, k {least}, rate {rate}")
    for cells, n in whole.items():
        if cells not in shown and n * rate - deviations(n, rate) >= least:
            raise Wrong(f"{cells}: none released of {n}")
    if told["rows"] != len(lines) - 1 or told["suppressed_rows"] != 0:
        raise Wrong("rows of the table are told")
    for key in ("seconds", "figures", "bound", "minimal_nodes", "left_out_rows", "row_choice", "guard"):
        if key in told:
            raise Wrong(f"{key} is told")


def judge_node(folder, names, trees, rows, weights, found):
    """No node is chosen that is a million times less likely than the best."""
    spent, rate, least = found
    told = folder.read_json("result.json")
    node = tuple(told["node"][name] for name in names)
    counts = collections.Counter(rows)
    scores = differential.scores(counts, trees, weights, math.ceil(least / rate))
    behind = float(max(scores.values()) - scores[node]) * spent / 2
    if behind > 14 + math.log(len(scores)):
        raise Wrong(f"{node} has {float(scores[node])}, the best {float(max(scores.values()))}")
