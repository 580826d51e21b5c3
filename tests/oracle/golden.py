#!/usr/bin/env python3
"""The oracle itself against the figures of the papers: prints TAP lines."""
import os
import sys

sys.dont_write_bytecode = True

import argus
import cells
import datafly
import fulldomain
import judge_cell
import measures
import models
from classes import classes
from hierarchies import Hierarchy, completed, suppress
from job import Job
from suppression import Judge
from tables import read

SEEDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "seeds")
number = 0


def seed(name):
    return read(os.path.join(SEEDS, name))


def tree(name):
    with open(os.path.join(SEEDS, name), encoding="utf-8") as file:
        return Hierarchy(completed([line.rstrip("\n").split(";") for line in file]))


def check(name, found, expected):
    global number
    number += 1
    right = abs(found - expected) < 5e-5 if isinstance(expected, float) else found == expected
    print(f"{'ok' if right else 'not ok'} {number} - {name}")
    if not right:
        print(f"# found {found}, expected {expected}")


def k_anonymity(k):
    return [{"model": "k-anonymity", "k": k}]


def figure7(**rest):
    names = {"Race": "000_race.csv", "BirthDate": "000_birthdate.csv", "Gender": "000_gender.csv",
             "ZIP": "000_zip.csv"}
    return Job(seed("000_fig7.csv"), names, {name: tree(file) for name, file in names.items()},
               sensitive=["Problem"], models=k_anonymity(2), **rest)


def best_precision(treatment, limit):
    job = figure7(treatment=treatment, limit=limit)
    lattice = fulldomain.Lattice(job)
    best = fulldomain.optimum(job, lattice)
    return len(lattice.holding()), sorted(lattice.minimal()), float(best.figures["precision"])


def mingen():
    minimal = [[(0, 3, 1, 1), (0, 4, 1, 0), (1, 2, 0, 1)],
               [(0, 2, 0, 1), (0, 4, 0, 0), (1, 2, 1, 0)], [(0, 2, 0, 0)]]
    for limit, count, precision in [(0, 63, 0.6917), (1, 88, 0.7486), (2, 96, 0.75)]:
        holding, lowest, best = best_precision("exempt", limit)
        check(f"figure 7, exempt, {limit}: nodes that hold", holding, count)
        check(f"figure 7, exempt, {limit}: minimal nodes", lowest, minimal[limit])
        check(f"figure 7, exempt, {limit}: best precision", best, precision)
    for limit, count, precision in [(0, 63, 0.6917), (1, 63, 0.6917), (2, 71, 0.75), (3, 96, 0.75)]:
        holding, _, best = best_precision("keep", limit)
        check(f"figure 7, keep, {limit}: nodes that hold", holding, count)
        check(f"figure 7, keep, {limit}: best precision", best, precision)


def sweeney():
    job = figure7(treatment="exempt")
    levels, outcome = datafly.run(job, limited=False)
    check("Datafly's node", levels, [0, 2, 0, 0])
    check("Datafly suppresses t7 and t8",
          [row + 1 for row, row_cells in enumerate(outcome.released) if row_cells == job.tops()],
          [7, 8])
    check("Datafly's precision", float(measures.measured(job, outcome.released)["precision"]), 0.75)
    most = {"BirthDate": 1, "Gender": 2, "ZIP": 2, "Race": 3}
    for combinations in [(2, 3), "published"]:
        released = argus.Argus(job, most, {}, combinations).suppressed()
        check(f"MT of figure 15, {combinations}", released,
              seed("000_fig15_mt.csv").columns(job.qi))
    rounds = argus.Argus(job, most, {}, "all").rounds()
    check("with all combinations t7 and t8 lose everything",
          [row + 1 for row, row_cells in enumerate(rounds) if row_cells == job.tops()], [7, 8])


def pairs():
    """The best release at the cell level, over pairs and threes: more rows cost more here."""
    job = figure7()
    cost = judge_cell.row_cost(job)
    paired = seed("000_fig7_pairs.csv").columns(job.qi)
    check("figure 7: precision of the pairs",
          1 - float(sum(map(cost, paired))) / job.rows, 0.8278)
    half = Job(job.table.__class__(job.table.names, job.table.rows[:6]), job.qi, job.hierarchies,
               sensitive=["Problem"], models=k_anonymity(2))
    best = cells.Search(half, judge_cell.row_cost(half)).best()
    found = sum(judge_cell.row_cost(half)(row) for row in paired[:6])
    check("figure 7: the first six rows are best in pairs", best, found)


def figure4():
    job = Job(seed("000_fig4.csv"), ["Race", "ZIP"],
              {"Race": tree("000_fig4_race.csv"), "ZIP": tree("000_zip.csv")})
    for levels, precision, k in [((1, 0), 3 / 4, 2), ((1, 1), 7 / 12, 4), ((0, 2), 2 / 3, 4),
                                 ((0, 1), 5 / 6, 2)]:
        released = fulldomain.recoded(job, levels)
        check(f"example 6, {levels}", float(measures.measured(job, released)["precision"]),
              precision)
        check(f"example 3, {levels}", min(one.size for one in Judge(job).classes(released)), k)


def slides():
    job = Job(seed("002_race_zip.csv"), ["Race", "ZIP"],
              {"Race": tree("002_race.csv"), "ZIP": tree("002_zip.csv")}, models=k_anonymity(2),
              treatment="exempt", limit=2, prefer=["relative"])
    lattice = fulldomain.Lattice(job)
    check("Samarati's preferred node", fulldomain.samarati(job, lattice).levels, (0, 1))
    check("nodes of the least height",
          sorted(node.levels for node in lattice.holding() if sum(node.levels) == 1),
          [(0, 1), (1, 0)])
    check("relative height", float(lattice.find((1, 1)).figures["relative_height"]), 1.5)
    table = seed("002_entropy.csv")
    job = Job(table, table.names, {name: Hierarchy(suppress(sorted(set(table.column(name)))))
                                   for name in table.names})
    for levels, lost in [((1, 1), 1.0), ((1, 0), 0.38685)]:
        released = fulldomain.recoded(job, levels)
        check(f"entropy distortion {levels}",
              measures.measured(job, released)["entropy_distortion"], lost)


def diversity():
    table = seed("002_condition_4anonymous.csv")
    values = {"Condition": table.column("Condition")}
    found = classes(table.columns(["Zip Code", "Age", "Nationality"]), None, values)
    whole = models.Surroundings({"Condition": classes([()] * len(table.rows), None,
                                                      values)[0].counts["Condition"]})
    check("4-anonymous table: classes", len(found), 3)
    check("4-anonymous table: l", min(len(one.counts["Condition"]) for one in found), 1)
    check("4-anonymous table: t", float(max(models.distance(
        one.counts["Condition"], "Condition", "equal", whole) for one in found)), 0.5833)


mingen()
sweeney()
pairs()
figure4()
slides()
diversity()
print(f"1..{number}")
