"""Sets of items, recomputed from the table and the release: items.py MINGLE SEED JOBS.

Random tables have a column of items, which random hierarchies stand above. Of every release plain
Python asks what docs/items.md promises: every combination of at most m items that a row shows is
shown by at least k rows or persons, in the table or in each class; items are recoded by whole
subtrees, the same in all rows, and nothing else is released; what was left out is counted right; and
no cut of the tree loses less, where the result says so. All cuts are enumerated for that. Nothing of
src is used."""
import csv
import itertools
import json
import random
import subprocess
import sys

MISSING = ("", "NA")
METHODS = ("cell", "mingen", "samarati", "mondrian", "local-suppression", "k-member")


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [dict(zip(rows[0], row)) for row in rows[1:] if row or len(rows[0]) == 1]


def items_of(cell, separator):
    items = [item.strip(" \t") for item in cell.split(separator)] if cell not in MISSING else []
    return list(dict.fromkeys(item for item in items if item not in MISSING))


# ---- Hierarchies: a path from each leaf to the top ----------------------------------------------


def make_hierarchy(rng, path):
    """Paths [leaf, ..., top] of a tree, a level each; some leaves occur in no row."""
    n, height = rng.randint(2, 7), rng.randint(1, 3)
    leaves = [f"i{number}" for number in range(n)]
    groups = {leaf: leaf for leaf in leaves}
    paths = {leaf: [leaf] for leaf in leaves}
    for level in range(1, height):
        names = sorted(set(groups.values()))
        above = {name: f"g{level}_{rng.randrange(max(1, len(names) - 1))}" for name in names}
        for leaf in leaves:
            groups[leaf] = above[groups[leaf]]
            paths[leaf].append(groups[leaf])
    for leaf in leaves:
        paths[leaf].append("*")
    with open(path, "w", encoding="utf-8") as file:
        for leaf in leaves:
            file.write(",".join(paths[leaf]) + "\n")
    return paths


def leaves_under(paths):
    """{label below the top: frozenset of leaves}."""
    under = {}
    for leaf, labels in paths.items():
        for label in labels[:-1]:
            under.setdefault(label, set()).add(leaf)
    return {label: frozenset(leaves) for label, leaves in under.items()}


def all_cuts(under, n_leaves):
    """Every recoding {leaf: released leaves, or None} by whole subtrees."""
    sets = sorted(set(under.values()), key=len)

    def below(whole):
        """Recodings of the leaves of a set of leaves that is a node."""
        inner = [s for s in sets if s < whole]
        children = [s for s in inner if not any(s < other for other in inner)]
        yield {leaf: whole for leaf in whole}
        if not children:
            yield {leaf: None for leaf in whole}
            return
        yield from together(children)

    def together(nodes):
        for parts in itertools.product(*(list(below(node)) for node in nodes)):
            yield {leaf: to for part in parts for leaf, to in part.items()}

    tops = [s for s in sets if not any(s < other for other in sets)]
    assert sum(map(len, tops)) == n_leaves
    return together(tops)


def loss(node, n_leaves):
    if node is None:
        return 1.0
    return (len(node) - 1) / (n_leaves - 1) if len(node) > 1 else 0.0


# ---- Combinations --------------------------------------------------------------------------------


def counts(rows, m):
    """{class: {combination: rows or persons}} of (class, person, items)."""
    shown = {}
    for number, (group, person, items) in enumerate(rows):
        who = number if person is None else person
        for size in range(1, m + 1):
            for combination in itertools.combinations(sorted(items, key=str), size):
                shown.setdefault((group, combination), set()).add(who)
    return {key: len(persons) for key, persons in shown.items()}


def holds(rows, k, m):
    return all(count >= k for count in counts(rows, m).values())


def best_loss(rows, under, leaves, k, m):
    total = sum(len(items) for _, _, items in rows)
    best = 1.0
    for cut in all_cuts(under, len(leaves)):
        lost = sum(loss(cut[item], len(leaves)) for _, _, items in rows for item in items)
        if total == 0 or lost / total >= best - 1e-12:
            continue
        recoded = [(group, person, {cut[item] for item in items} - {None})
                   for group, person, items in rows]
        ordered = [(group, person, {tuple(sorted(node)) for node in items})
                   for group, person, items in recoded]
        if holds(ordered, k, m):
            best = lost / total
    return best if total > 0 else 0.0


# ---- Tables --------------------------------------------------------------------------------------


def make_table(rng, leaves, separator, path):
    used = leaves[:rng.randint(max(1, len(leaves) - 2), len(leaves))]
    weights = [rng.random() ** 2 + 0.05 for _ in used]
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["n", "id", "age", "zip", "dx"])
        for n in range(rng.randint(12, 90)):
            items = rng.choices(used, weights, k=rng.choice((0, 1, 1, 2, 2, 3, 4)))
            if rng.random() < 0.1:
                items.append(rng.choice(MISSING))
            cell = separator.join(" " * (rng.random() < 0.1) + item for item in items)
            writer.writerow([n, f"p{rng.randrange(40)}", rng.randint(20, 27), rng.choice("ab"),
                             rng.choice(MISSING) if not items else cell])
        writer.writerow([n + 1, "p0", 20, "a", separator.join(used[:2] + used[:1])])


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fail(order, message):
    raise SystemExit(f"{message}\n  {' '.join(order)}")


def check_release(order, told, paths, before, after, options):
    """Compares the released column with what the cut makes of the table."""
    under = leaves_under(paths)
    separator, k, m = options["separator"], options["k"], options["m"]
    cut = [entry["item"] for entry in told["cut"]]
    for a, b in itertools.combinations(cut, 2):
        if under[a] & under[b]:
            fail(order, f"the cut has {a} and {b}, which share leaves")
    to = {leaf: next((label for label in cut if leaf in under[label]), None) for leaf in paths}
    places = {label: min(list(paths).index(leaf) for leaf in under[label]) for label in cut}
    rows, recoded = [], []
    left_out, occurrences, emptied, lost = set(), 0, 0, 0.0
    for row in after:
        raw = before[int(row["n"])]
        items = items_of(raw["dx"], separator)
        wanted = sorted({to[item] for item in items} - {None}, key=places.get)
        got = row["dx"].split(separator) if row["dx"] not in MISSING else []
        if got != wanted:
            fail(order, f"row {row['n']}: {got} where {wanted} is due")
        group = (row["age"], row["zip"]) if options["within"] else None
        person = raw["id"] if options["entity"] else None
        rows.append((group, person, items))
        recoded.append((group, person, wanted))
        occurrences += len(items)
        left_out |= {item for item in items if to[item] is None}
        emptied += bool(items) and not wanted
        lost += sum(loss(under[to[item]] if to[item] else None, len(paths)) for item in items)
    found = counts(recoded, m)
    if any(count < k for count in found.values()):
        fail(order, f"a combination is rarer than {k}")
    figures = {"items": len({item for _, _, items in rows for item in items}),
               "occurrences": occurrences,
               "left_out": {"items": len(left_out), "emptied_rows": emptied,
                            "occurrences": sum(item in left_out for _, _, items in rows
                                               for item in items)},
               "released": {"items": len({item for _, _, items in recoded for item in items}),
                            "combinations": len(found), "rare": 0,
                            "least": min(found.values()) if found else None}}
    for key, value in figures.items():
        if told[key] != value:
            fail(order, f"{key} is {told[key]} and should be {value}")
    ncp = lost / occurrences if occurrences else 0.0
    if abs(told["ncp"] - ncp) > 1e-9:
        fail(order, f"ncp is {told['ncp']} and should be {ncp}")
    best = best_loss(rows, under, list(paths), k, m)
    if told["ncp"] < best - 1e-9 or told["best_possible"] > best + 1e-9:
        fail(order, f"ncp {told['ncp']}, bound {told['best_possible']}: the best cut has {best}")
    if told["exact"] and told["ncp"] > best + 1e-9:
        fail(order, f"ncp {told['ncp']} is said to be the best, which is {best}")
    return bool(told["exact"])


def check_check(mingle, rng, path, rows, options):
    """The verdict of `check` on a table as it is."""
    k, m, within = rng.randint(1, 4), rng.randint(1, 3), rng.random() < 0.4
    order = [mingle, "check", path, "--qi", "age,zip", "--km", f"dx={k},{m}", "--json",
             "--km-separator", options["separator"]] + ["--km-within"] * within
    entity = rng.random() < 0.4 and "id" in rows[0]
    order += ["--entity", "id"] if entity else []
    done = run(order)
    found = counts([((row["age"], row["zip"]) if within else None, row["id"] if entity else None,
                     items_of(row["dx"], options["separator"])) for row in rows], m)
    rare = sum(count < k for count in found.values())
    if done.returncode != (rare > 0):
        fail(order, f"exit {done.returncode} where {rare} combinations are rare: {done.stderr}")
    told = json.loads(done.stdout)["items"]["released"]
    if (told["rare"], told["combinations"]) != (rare, len(found)):
        fail(order, f"{told} where {rare} of {len(found)} combinations are rare")


def check_apply(mingle, rng, told, paths, options):
    """A recoding of items alone, applied to another table: the saved cut, or a refusal."""
    under, separator = leaves_under(paths), options["separator"]
    make_table(rng, list(paths), separator, "new.csv")
    cut = [entry["item"] for entry in told["cut"]]
    to = {leaf: next((label for label in cut if leaf in under[label]), None) for leaf in paths}
    rows = read("new.csv")
    wanted = [{to[item] for item in items_of(row["dx"], separator)} - {None} for row in rows]
    good = holds([(None, row["id"] if options["entity"] else None, items)
                  for row, items in zip(rows, wanted)], options["k"], options["m"])
    order = [mingle, "apply", "new.csv", "--recoding", "saved.rec", "-o", "new_out.csv",
             "--allow-leaks", "--result", "new.json"]
    done = run(order)
    if done.returncode != (not good):
        fail(order, f"exit {done.returncode} where the cut holds: {good}: {done.stderr}")
    if not good:
        return
    after = {row["n"]: row["dx"] for row in read("new_out.csv")}
    for row, items in zip(rows, wanted):
        got = after[row["n"]].split(separator) if after[row["n"]] not in MISSING else []
        if set(got) != items or len(got) != len(items):
            fail(order, f"row {row['n']}: {got} where {items} is due")
    audit = run([mingle, "check", "new_out.csv", "--against", "new.json"])
    if audit.returncode != 0:
        fail(order, f"the audit says: {audit.stdout}{audit.stderr}")


def one_job(mingle, rng):
    paths = make_hierarchy(rng, "h.csv")
    options = {"separator": rng.choice([";", "|", ", ", " / "]), "k": rng.randint(1, 6),
               "m": rng.randint(1, 3), "within": rng.random() < 0.35,
               "entity": rng.random() < 0.35}
    make_table(rng, list(paths), options["separator"], "in.csv")
    before = read("in.csv")
    km = f"dx={options['k']}" + (f",{options['m']}" if options["m"] != 2 or rng.random() < 0.5
                                 else "")
    order = [mingle, "anonymize", "in.csv", "--km", km, "--insensitive", "n", "--allow-leaks",
             "--km-separator", options["separator"], "-o", "out.csv", "--result", "result.json"]
    order += ["--entity", "id"] if options["entity"] else ["--identifier", "id"]
    if rng.random() < 0.85:
        order += ["--hierarchy", "dx=h.csv"]
    else:
        paths = {leaf: [leaf, "*"] for leaf in paths if any(
            leaf in items_of(row["dx"], options["separator"]) for row in before)}
        paths = dict(sorted(paths.items()))
    alone = rng.random() < 0.25
    if alone:
        options["within"] = False
        order += ["--identifier", "age,zip", "--save-recoding", "saved.rec"]
    else:
        order += ["--qi", "age,zip", "-k", str(rng.randint(2, 5)), "--method", rng.choice(METHODS),
                  "--suppress", f"{rng.choice((0, 20, 100))}%",
                  "--suppressed", rng.choice(("keep", "drop", "exempt"))]
    order += ["--km-within"] * options["within"]
    done = run(order)
    if done.returncode == 1 and "items" not in done.stderr:
        return None
    if done.returncode != 0:
        fail(order, f"exit {done.returncode}: {done.stderr}")
    after = read("out.csv")
    with open("result.json", encoding="utf-8") as file:
        told = json.load(file)["items"]
    exact = check_release(order, told, paths, before, after, options)
    check_check(mingle, rng, "in.csv", before, options)
    if "age" in after[0]:
        check_check(mingle, rng, "out.csv", after, options)
    audit = run([mingle, "check", "out.csv", "--against", "result.json"])
    if audit.returncode != 0:
        fail(order, f"the audit says: {audit.stdout}{audit.stderr}")
    if alone and "--hierarchy" in order:
        check_apply(mingle, rng, told, paths, options)
    return exact


def main():
    mingle, seed, jobs = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    outcomes = [one_job(mingle, rng) for _ in range(jobs)]
    done = [exact for exact in outcomes if exact is not None]
    if len(done) < jobs // 2 or sum(done) < len(done) // 2:
        raise SystemExit(f"{len(done)} of {jobs} jobs were released, {sum(done)} exactly")


main()
