"""What --least-count must count, worked out plainly from the table and its hierarchies.

make DIR            a table with rare and frequent combinations, and a hierarchy as a file
counted TABLE N HIERARCHY...   checks RESULT (read from stdin) and, if RELEASE is set, its rows
"""
import collections
import csv
import json
import os
import random
import sys

QUASI = ["zip", "age", "town"]
MISSING = ("", "NA")


def make(folder):
    draw = random.Random(11)
    towns = ["t%d" % i for i in range(12)]
    with open(folder + "/town.csv", "w") as out:
        for i, town in enumerate(towns + ["unseen"]):
            # one region has a single town, and one town is its own region
            region = "alone" if i == 11 else town if i == 10 else "r%d" % (i // 3)
            print(town, region, "north" if i < 6 else "south", "*", sep=";", file=out)
    rows = []
    for number in range(700):
        common = draw.random() < 0.6
        rows.append([
            "P%d" % number,
            "0213%d" % (draw.choice([0, 0, 0, 8]) if common else draw.randrange(10))
            if draw.random() < 0.97 else "0%d" % draw.randrange(1000, 9999),
            draw.choice(["30", "31", "45"]) if common else draw.choice(
                [str(draw.randrange(18, 90)), "", "NA"]),
            draw.choice(towns[:2]) if common else draw.choice(towns),
            "d%d" % draw.randrange(4),
            "j%d" % draw.randrange(3)])
    with open(folder + "/people.csv", "w", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(
            [["id", "zip", "age", "town", "disease", "job"]] + rows)


def read_hierarchy(path):
    """{value: [label of level 0, 1, ...]}; a value that is missing stays itself until the top."""
    with open(path, newline="") as lines:
        table = {row[0]: row for row in csv.reader(lines, delimiter=";")}
    height = len(next(iter(table.values()))) - 1
    top = {row[-1] for row in table.values()}
    assert len(top) == 1
    table.setdefault("", [""] * height + [top.pop()])
    return table


def count(rows, hierarchies, least):
    """The labels that each row is counted by."""
    ground = [tuple("" if row[c] in MISSING else row[c] for c in QUASI) for row in rows]
    last = max(len(h[""]) for h in hierarchies) - 1
    labels = [None] * len(rows)
    for level in range(last + 1):
        def at(values):
            return tuple(h[v][min(level, len(h[v]) - 1)] for h, v in zip(hierarchies, values))
        left = collections.Counter(at(g) for g, label in zip(ground, labels) if label is None)
        for i, g in enumerate(ground):
            if labels[i] is None and (left[at(g)] >= least or level == last):
                labels[i] = at(g)
    return ground, labels


def level_of(hierarchy, value, label):
    """The lowest level on which the value reads so."""
    return hierarchy[value].index(label)


def check(path, least, files):
    rows = list(csv.DictReader(open(path, newline="")))
    hierarchies = [read_hierarchy(name) for name in files]
    ground, labels = count(rows, hierarchies, least)
    groups = collections.Counter(labels)
    regrouped = [l for l, g in zip(labels, ground) if l != g]
    top = tuple(h[""][-1] for h in hierarchies)
    result = json.load(sys.stdin)
    told = result["least_count"]
    expected = {"n": least, "combinations": len(groups),
                "regrouped": {"combinations": len(set(regrouped)), "rows": len(regrouped),
                              "at_top": groups.get(top, 0)}}
    for key, value in expected.items():
        assert told[key] == value, (key, told[key], value)
    detail = 1 - sum(level_of(h, v, l) / (len(h[v]) - 1) for g, label in zip(ground, labels)
                     for h, v, l in zip(hierarchies, g, label)) / len(rows) / len(QUASI)
    if told["measure"] == "precision":
        assert abs(told["counted"] - detail) < 1e-12, (told["counted"], detail)
        if result["bound"]:
            assert result["bound"]["best_possible"] <= told["counted"] + 1e-12
            assert result["bound"]["achieved"] <= result["bound"]["best_possible"] + 1e-12
    if regrouped:
        for key in ("entropy_distortion", "nonuniform_entropy", "query_error", "height"):
            assert result["utility"][key] is None, key
    left = result.get("left_database")
    if left is not None and left["rows"] == 0:
        rare = sorted(n for n in groups.values() if n < least)
        assert len(rare) <= 1, rare
        assert left["combinations"] == len(groups) and left["rarest"] == min(groups.values())
        assert left["once"] == sum(n == 1 for n in groups.values())
        # the file lists the towns: none of them is told
        assert left["values"]["town"] == {"values": 0, "rare": 0}, left["values"]
        zips = collections.Counter(g[0] for g in ground)
        assert left["values"]["zip"] == {"values": len(zips),
                                         "rare": sum(n < least for n in zips.values())}
    if "RELEASE" not in os.environ:
        return
    # rows in the order of the table: none is released finer than it was counted
    released = list(csv.DictReader(open(os.environ["RELEASE"], newline="")))
    assert len(released) == len(rows)
    for row, values, label in zip(released, ground, labels):
        for c, h, v, l in zip(QUASI, hierarchies, values, label):
            assert level_of(h, v, row[c]) >= level_of(h, v, l), (row, values, label)


if sys.argv[1] == "make":
    make(sys.argv[2])
else:
    check(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
