"""Golden values of the stand-ins: definitions of the oracle, and every node looked at."""
import csv
import json
import math
import os
from collections import Counter
from fractions import Fraction

import averages
import cells
import fulldomain
import models
import risk
from classes import classes
from hierarchies import Hierarchy
from job import Job
from tables import Table, read

KEYS = ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]
MEASURES = {"loss": "geometric_loss", "precision": "precision",
            "discernibility": "discernibility", "aecs": "average_class_size",
            "entropy": "nonuniform_entropy"}
SHARES = ["0", "0.05", "1"]


def adult_job(folder, sensitive, **rest):
    with open(os.path.join(folder, "data/adult/adult.csv"), encoding="utf-8") as file:
        lines = [line.rstrip("\n").split(";") for line in file]
    table = Table(lines[0], lines[1:])
    trees = {}
    for name in table.names:
        path = os.path.join(folder, f"data/adult/adult_hierarchy_{name}.csv")
        with open(path, encoding="utf-8") as file:
            trees[name] = Hierarchy([line.rstrip("\n").split(";") for line in file])
    quasi = [name for name in table.names if name not in sensitive]
    return Job(table, quasi, {name: trees[name] for name in quasi}, sensitive=sensitive,
               treatment="exempt", missing=["", "NA"], **rest)


def best(lattice, measure, share):
    """The least cost of a node that holds with so many suppressed rows."""
    limit = int(Fraction(share) * lattice.job.rows)
    return min(cost(node.figures, measure) for node in lattice.holding()
               if node.outcome.suppressed <= limit)


def cost(figures, measure):
    value = float(figures[measure])
    return 1 - value if measure == "precision" else value


def optima(folder):
    lines = []
    for k in (2, 5, 10):
        job = adult_job(folder, [], models=[{"model": "k-anonymity", "k": k}])
        lattice = fulldomain.Lattice(job, limit=job.rows)
        for name, measure in MEASURES.items():
            for share in SHARES:
                lines.append(f"qi9 k={k} s={share} {name}\t{best(lattice, measure, share)!r}\t0")
    return lines


def sensitive(folder):
    lines = ["# sensitive column, model, its parameters, share of suppressed rows, geometric loss"]
    for column, model, first, second in [
            ("occupation", {"model": "l-diversity", "l": 3}, "3", "0"),
            ("occupation", {"model": "t-closeness", "t": Fraction("0.2"), "distance": "equal"},
             "0.2", "0"),
            ("occupation", {"model": "recursive-cl", "c": 3, "l": 3}, "3", "3"),
            ("occupation", {"model": "entropy-l", "l": 3}, "3", "0"),
            ("occupation", {"model": "alpha", "alpha": Fraction("0.5")}, "0.5", "0"),
            ("salary-class", {"model": "beta", "beta": Fraction("0.5")}, "0.5", "0"),
            ("salary-class", {"model": "t-closeness", "t": Fraction("0.2"), "distance": "equal"},
             "0.2", "0")]:
        model["attribute"] = column
        job = adult_job(folder, [column], models=[{"model": "k-anonymity", "k": 3}, model])
        lattice = fulldomain.Lattice(job, limit=job.rows)
        for share in SHARES:
            lines.append("\t".join([column, model["model"], first, second, share,
                                    repr(best(lattice, "geometric_loss", share))]))
    return lines


def definition(table, quasi, name):
    values = {name: table.column(name)}
    found = classes(table.columns(quasi), None, values)
    around = models.Surroundings({name: classes([()] * len(table.rows), None,
                                                values)[0].counts[name]})

    def strongest(model, **rest):
        value = models.measured({"model": model, "attribute": name, **rest}, found, around)
        return None if value is None else float(value)

    distinct = strongest("l-diversity")
    return {"classes": len(found), "distinct_l": distinct,
            "entropy_l_real": strongest("entropy-l"), "alpha": strongest("alpha"),
            "t_equal_distance": strongest("t-closeness", distance="equal"),
            "t_ordered_distance": strongest("t-closeness", distance="ordered"),
            "basic_beta": strongest("beta"),
            "enhanced_beta_satisfiable": strongest("enhanced-beta") is not None,
            "delta_strict": strongest("delta-disclosure"),
            "recursive_c_infimum_at_l2": strongest("recursive-cl", l=2),
            "recursive_c_infimum_at_l_distinct":
                strongest("recursive-cl", l=int(distinct)) if distinct >= 2 else None,
            "max_risk": strongest("max-risk"),
            "avg_risk_over_records": float(models.table_figure({"model": "mean-risk"}, found)),
            "uniques": sum(one.size == 1 for one in found)}


def golden_models(folder):
    table = read(os.path.join(folder, "data/pycanon/ward.csv"))
    return [{"file": "ward.csv", "qi": quasi, "sa": name, "definition": definition(table, quasi, name)}
            for quasi in (["age", "sex", "town"], ["sex", "town"], ["sex"], ["age", "town", "days"])
            for name in ("illness", "days") if name not in quasi]


def survey_rows(folder):
    with open(os.path.join(folder, "data/sdcmicro/survey.csv"), encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return rows, [tuple(row[key] for key in KEYS) for row in rows]


def survey_risk(folder):
    rows, tuples = survey_rows(folder)
    sizes, persons, safe = Counter(tuples), Counter(), {}
    for row, cells_of_row in zip(rows, tuples):
        persons[cells_of_row] += float(row["sampling_weight"])
    risks = [risk.individual(sizes[one], persons[one]) for one in tuples]
    homes = Counter(row["ori_hid"] for row in rows)
    for row, part in zip(rows, risks):
        safe[row["ori_hid"]] = safe.get(row["ori_hid"], 1) * (1 - part)
    suda = risk.suda(tuples, KEYS)
    suda.pop("contribution")
    return {"classes": len(sizes),
            "rows_below": {str(k): sum(n for n in sizes.values() if n < k) for k in (2, 3, 5)},
            "individual": math.fsum(risks),
            "households": math.fsum(homes[home] * (1 - share) for home, share in safe.items()),
            "suda": suda}


def survey_cells(folder):
    _, tuples = survey_rows(folder)
    return [f"{k}\t{cells.suppressed(tuples, k)}" for k in (2, 3, 5)]


def account_averages(folder):
    with open(os.path.join(folder, "data/sdcmicro/accounts.csv"), encoding="utf-8") as file:
        table = [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]
    if len(set(table)) < len(table):
        raise ValueError("two rows are equal")
    lines = []
    for k in (3, 5, 10):
        share, il1s = averages.lost(table, k)
        lines.append(f"{k} {100 * share:.9f} {il1s:.7f}")
    return lines


def write_all(folder, write):
    def as_json(value):
        return json.dumps(value, indent=1).split("\n")

    write(folder, "golden/averages.tsv", account_averages(folder))
    write(folder, "golden/cells.tsv", survey_cells(folder))
    write(folder, "golden/risk.json", as_json(survey_risk(folder)))
    write(folder, "golden/models.json", as_json(golden_models(folder)))
    write(folder, "golden/optima.tsv", optima(folder))
    write(folder, "golden/sensitive.tsv", sensitive(folder))
