"""Perturbed columns: every cell, what releases keep, and what results say of it, together with
other treatments, conditions, persons, strata, suppression, methods and threads."""
import math
import os
from fractions import Fraction

import perturbations
from comparing import expect
from program import Wrong
from tables import Table, read

KEY = b"a key of more than sixteen bytes"


def distinct(rng, n, low, high):
    return [str(x) for x in rng.sample(range(low, high), n)]


def random_table(rng):
    n = rng.randint(12, 60)
    decimals = rng.choice([0, 1, 2])
    money = [x if not decimals else perturbations.plain(
        perturbations.Decimal(x).scaleb(-decimals)) for x in distinct(rng, n, -500, 90000)]
    columns = {
        "age": [rng.choice(["20", "30", "40"]) for _ in range(n)],
        "sex": [rng.choice("fm") for _ in range(n)],
        "who": [f"p{rng.randint(0, n // 2)}" for _ in range(n)],
        "a": money,
        "b": distinct(rng, n, 0, 5000),
        "c": [str(rng.randint(0, 9)) for _ in range(n)],
        "kind": [rng.choice(["x", "y", "y", "z z", "ü"]) for _ in range(n)],
        "day": [f"20{rng.randint(10, 20)}-{rng.randint(1, 12):02}-{rng.randint(13, 28)}"
                for _ in range(n)],
    }
    for name in ("a", "c", "kind", "day"):
        for row in range(n):
            if rng.random() < 0.07:
                columns[name][row] = rng.choice(["", "NA"])
    return columns


def write_matrix(rng, folder):
    values, chances = ["x", "y", "z z", "ü"], {}
    for value in values:
        parts = [rng.randint(0, 5) for _ in values]
        parts[values.index(value)] += 5
        left = [part * 1000 // sum(parts) / 1000 for part in parts[:-1]]
        chances[value] = dict(zip(values, [*left, round(1 - sum(left), 3)]))
    with open(folder.file("matrix.csv"), "w", encoding="utf-8") as file:
        file.write("," + ",".join(values) + "\n")
        for value in rng.sample(values, len(values)):
            file.write(",".join([value, *(f"{chances[value][v]:.3f}" for v in values)]) + "\n")
    return values, chances


def random_treatments(rng, folder, persons, within):
    """{column: (what the job says, function of the columns)}"""
    share = rng.choice([5, 20, 50, 100])
    keep = rng.choice([1, 50, 80, 99.5])
    values, chances = write_matrix(rng, folder)
    behind = f", within {','.join(within)}" if within else ""
    alone = f"(within {','.join(within)})" if within else ""

    def of(name, made):
        return lambda columns, who, groups: made(KEY, name, columns[name], who, groups)
    noise = (f"noise({share} %)", lambda c, who, g: perturbations.noise(
        KEY, {"a": c["a"]}, "a", share / 100, who))
    kinds = [(f"pram(keep {keep} %{behind})", of("kind", lambda key, name, cells, who, g:
              perturbations.pram(key, name, cells, keep / 100, g, who))),
             (f"pram(matrix matrix.csv{behind})", of("kind", lambda key, name, cells, who, g:
              perturbations.pram_matrix(key, name, cells, values, chances, g, who)))]
    if persons:
        return {"a": noise, "kind": rng.choice(kinds)}
    numbers = [(f"swap(rank {share} %{behind})", lambda key, name, cells, who, g:
                perturbations.swap(key, name, cells, share / 100, g)),
               (f"shuffle{alone}", lambda key, name, cells, who, g:
                perturbations.shuffle(key, name, cells, g))]
    chosen = {"kind": rng.choice(kinds + [(numbers[1][0], of("kind", numbers[1][1]))])}
    for name in ("c", "day"):
        said, made = rng.choice(numbers)
        chosen[name] = (said, of(name, made))
    if rng.random() < 0.3:
        chosen["a"] = ("shuffle(given b)", lambda c, who, g: perturbations.shuffle_given(
            KEY, "a", c["a"], {"b": c["b"]}))
    elif rng.random() < 0.5:
        for own, other in (("a", "b"), ("b", "a")):
            chosen[own] = (f"noise({share} %, correlated with {other})",
                           lambda c, who, g, own=own: perturbations.noise(
                               KEY, {"a": c["a"], "b": c["b"]}, own, share / 100))
    else:
        chosen["a"] = noise
    return chosen


def cells_of(columns, rows):
    return {name: [None if cells[row] in ("", "NA") else cells[row] for row in rows]
            for name, cells in columns.items()}


def random_options(rng, persons):
    options = ["--method", rng.choice(["cell", "mingen", "datafly", "mondrian", "k-member"]),
               "--threads", str(rng.randint(1, 3))]
    if rng.random() < 0.3:
        options += ["--memory", "64M"]
    if rng.random() < 0.3:
        options += ["--sensitive", "kind", "--p-sensitive", "1"]
    if rng.random() < 0.2:
        options += ["--insensitive", "c"]
    if rng.random() < 0.2 and not persons:
        options += ["--by", "sex"]
    return options


def judge(rng, folder):
    columns = random_table(rng)
    n = len(columns["a"])
    Table(columns, zip(*columns.values())).write(folder.file("table.csv"))
    with open(folder.file("key"), "wb") as file:
        file.write(KEY + b"\n")
    os.chmod(folder.file("key"), 0o600)
    persons = rng.random() < 0.25
    within = [] if rng.random() < 0.5 else rng.choice([["sex"], ["sex", "age"], ["c"]])
    rows = list(range(n))
    options = random_options(rng, persons)
    if rng.random() < 0.3:
        options += ["--where", "sex = 'f' or age > 25"]
        rows = [row for row in rows if columns["sex"][row] == "f" or int(columns["age"][row]) > 25]
    options += ["--entity", "who"] if persons else ["--identifier", "who"]
    treatments = random_treatments(rng, folder, persons, within)
    for column, (said, _) in treatments.items():
        options += ["--treat", f"{column}={said}"]
    order = ["anonymize", "table.csv", "--qi", "age,sex", "-k", "2", "--rest", "insensitive",
             "--suppress", "100%", "--keep-order", "--allow-leaks", "--key", "key", *options]
    code, _, err = folder.run(*order, "-o", "out.csv", "--result", "result.json",
                              "--save-recoding", "r.rec", "--quiet")
    if code == 2 and "less than one rank" in err:
        return "too few rows to swap"
    if code == 2 and "no variance" in err:
        return "no variance"
    if code == 1 and len(rows) < 4:
        return "too few rows"
    if code != 0:
        raise Wrong(f"exit code {code}: {err.strip()}")
    cells = cells_of(columns, rows)
    who = [columns["who"][row] for row in rows] if persons else None
    groups = {name: [columns[name][row] if columns[name][row] not in ("", "NA") else ""
                     for row in rows] for name in within}
    judge_cells(folder, treatments, cells, who, groups)
    judge_result(folder, treatments, cells)
    code, _, err = folder.run("check", "out.csv", "--against", "result.json", "--quiet")
    if code != 0:
        raise Wrong(f"check --against: {err}")
    code, _, err = folder.run("apply", "r.rec", "table.csv", "-o", "again.csv", "--keep-order",
                              "--allow-leaks", "--key", "key", "--quiet")
    if code == 0 and len(rows) == n:
        same = read(folder.file("again.csv")).rows == read(folder.file("out.csv")).rows
        expect("applied again, the same", same, True)
    elif code not in (0, 1):
        raise Wrong(f"apply: exit code {code}: {err}")
    judge_dropped(folder, order, treatments, cells)
    return "released"


def judge_cells(folder, treatments, cells, who, groups):
    released = read(folder.file("out.csv"))
    for column, (said, made) in treatments.items():
        expected = [cell or "" for cell in made(cells, who, groups or None)]
        found = released.column(column)
        if found != expected:
            raise Wrong(f"{column}, {said}: {[(b, e, f) for b, e, f in zip(cells[column], expected, found) if e != f]}")
        if "swap" in said or "shuffle" in said:
            expect(f"{column}: values", sorted(found), sorted(c or "" for c in cells[column]))


def share_distance(before, after):
    before, after = [c for c in before if c], [c for c in after if c]
    return sum(abs(Fraction(before.count(v), len(before)) - Fraction(after.count(v), len(after)))
               for v in set(before) | set(after)) / 2


def spread(values):
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


def judge_result(folder, treatments, cells):
    result, released = folder.read_json("result.json"), read(folder.file("out.csv"))
    entries = {one["column"]: one for one in result["perturbation"]["columns"]}
    expect("perturbed columns", sorted(entries), sorted(treatments))
    before, after = {}, {}
    for column in treatments:
        one, found = entries[column], [c or None for c in released.column(column)]
        expect("truthful", one["truthful"], False)
        expect("rows", one["rows"], sum(c is not None for c in cells[column]))
        expect("changed_rows", one["changed_rows"],
               sum(a != b for a, b in zip(cells[column], found)))
        expect("margin_distance", one["margin_distance"], share_distance(cells[column], found))
        if column == "kind":
            expect("near_rows", one["near_rows"], None)
            continue
        before[column] = [None if c is None else perturbations.place(c) for c in cells[column]]
        after[column] = [None if c is None else perturbations.place(c) for c in found]
        known = [x for x in before[column] if x is not None]
        near = 0.05 * spread(known)
        counted = [sum(abs(x - y) <= near * factor for x, y in zip(before[column], after[column])
                       if x is not None) for factor in (1 - 1e-9, 1 + 1e-9)]
        if not counted[0] <= one["near_rows"] <= counted[1]:
            raise Wrong(f"{column}: near_rows {one['near_rows']}, {counted}")
        if column != "day":
            expect("deviation_before", one["deviation_before"], spread(known))
            expect("deviation_after", one["deviation_after"],
                   spread([x for x in after[column] if x is not None]))
    judge_nearest(result["perturbation"]["nearest"], before, after)


def judge_nearest(said, before, after):
    """Rows that tie but for rounding leave a range."""
    rows = [row for row in range(len(next(iter(before.values()))))
            if all(values[row] is not None for values in before.values())]
    expect("nearest columns", said["columns"], len(before))
    expect("nearest rows", said["rows"], len(rows))
    scales = {name: spread([values[row] for row in rows]) or 1 if rows else 1
              for name, values in before.items()}
    least = most = 0.0
    for row in rows:
        distances = [math.fsum(((after[name][row] - before[name][other]) / scales[name]) ** 2
                               for name in before) for other in rows]
        own, best = distances[rows.index(row)], min(distances)
        tied = sum(d <= best * (1 + 1e-9) + 1e-15 for d in distances)
        exact = sum(d == best for d in distances)
        if own <= best * (1 + 1e-9) + 1e-15:
            least += 1 / tied if tied == exact else 0
            most += 1 / exact if tied == exact else 1
    if not least - 1e-9 <= said["found"] <= most + 1e-9:
        raise Wrong(f"nearest: {said['found']} found, expected {least} to {most}")


def judge_dropped(folder, order, treatments, cells):
    """Rows that are suppressed and dropped take their values with them, and nothing else goes."""
    at = order.index("-k")
    code, _, err = folder.run(*order[:at], "-k", "4", *order[at + 2:], "--suppressed", "drop",
                              "-o", "less.csv", "--quiet")
    if code == 1:
        return
    if code != 0:
        raise Wrong(f"dropped: exit code {code}: {err.strip()}")
    for column, (said, _) in treatments.items():
        found = read(folder.file("less.csv")).column(column)
        if "swap" in said or "shuffle" in said:
            left = [c or "" for c in cells[column]]
            for cell in found:
                left.remove(cell)
