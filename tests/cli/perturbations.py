"""Expectations of a perturbed release: perturbations.py TABLE RELEASE RESULT SHARE KEEP.

Bounds are eight standard errors wide, so that they hold for any table and any key."""
import csv
import json
import math
import sys


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def covariance(x, y):
    mean_x, mean_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    return math.fsum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / len(x)


def near(what, found, expected, error):
    assert abs(found - expected) <= 8 * error, (what, found, expected, error)


def main():
    table, release, result = read(sys.argv[1]), read(sys.argv[2]), json.load(open(sys.argv[3], encoding="utf-8"))
    share, keep, n = float(sys.argv[4]), float(sys.argv[5]), len(table)
    before = {name: [float(row[name]) for row in table] for name in ("income", "spend")}
    after = {name: [float(row[name]) for row in release] for name in ("income", "spend")}
    added = {name: [b - a for a, b in zip(before[name], after[name])] for name in before}
    for one in before:
        for other in before:
            there = covariance(before[one], before[other])
            size = math.sqrt(covariance(before[one], before[one]) * covariance(before[other], before[other]))
            # The noise itself has the share of the covariance, so the sum has both.
            near("noise", covariance(added[one], added[other]), share ** 2 * there,
                 share ** 2 * size * math.sqrt(2 / n))
            near("sum", covariance(after[one], after[other]), (1 + share ** 2) * there,
                 size * share * (2 + share) * math.sqrt(2 / n))
        near("mean", math.fsum(added[one]) / n, 0,
             share * math.sqrt(covariance(before[one], before[one]) / n))
    entries = {one["column"]: one for one in result["perturbation"]["columns"]}
    said = entries["income"]["correlations"][0]
    for key, cells in (("before", before), ("after", after)):
        exact = covariance(cells["income"], cells["spend"]) / math.sqrt(
            covariance(cells["income"], cells["income"]) * covariance(cells["spend"], cells["spend"]))
        assert abs(said[key] - exact) < 1e-9, (key, said, exact)
    factors = {one["column"]: [float(word) for word in one["treatment"].split(";")[1].rstrip(")").split(",")]
               for one in result["treatments"] if ";" in one["treatment"]}
    noise = {(a, b): math.fsum(x * y for x, y in zip(factors[a], factors[b])) for a in before for b in before}
    there = {(a, b): covariance(before[a], before[b]) for a in before for b in before}
    a, b = "income", "spend"
    variance = (there[a, a] * noise[b, b] + there[b, b] * noise[a, a] + 2 * there[a, b] * noise[a, b]
                + noise[a, a] * noise[b, b] + noise[a, b] ** 2) / n
    errors = (covariance(after[a], after[b]) - there[a, b] - noise[a, b]) / math.sqrt(variance)
    assert abs(errors) <= 8 and abs(said["standard_errors"] - errors) < 1e-6, (said, errors)
    for sex in "fm":
        jobs = [(a["job"], b["job"]) for a, b in zip(table, release) if a["sex"] == sex]
        for job in ("cook", "nurse", "clerk"):
            count = sum(a == job for a, _ in jobs)
            near("shares", sum(b == job for _, b in jobs), count, math.sqrt(len(jobs)) / 2)
            stays = keep + (1 - keep) * count / len(jobs)
            near("kept", sum(a == b == job for a, b in jobs), stays * count, math.sqrt(count) / 2)


main()
