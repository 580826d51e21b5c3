"""What a table with nearly as many combinations as rows costs when it is counted at a base level.

    python bench/base_level.py ROWS FOLDER

A table of birth dates, ZIP codes, sexes and diseases is made by DuckDB in FOLDER and removed again.
Prints how many combinations it has, how many were counted, what the base level costs at most, and the
time and memory that the release took (meters.py).
"""

from __future__ import annotations

import os
import shutil
import sys

import ibis
import mingle
from meters import Apart, forget_most, timed

COLUMNS = """
    DATE '1920-01-01' + CAST(hash(r) % 36525 AS INTEGER) AS birth, printf('%05d', hash(r * 3) % 100000) AS zip,
    CASE WHEN hash(r * 5) % 2 = 0 THEN 'f' ELSE 'm' END AS sex, 'disease ' || (hash(r * 7) % 20) AS disease"""
SAID = {
    "quasi": ["birth", "zip", "sex"],
    "sensitive": "disease",
    "k": 5,
    "method": "mingen",
    "suppress": "1%",
    "hierarchy": {"birth": mingle.hierarchy.dates("month", "year", "10y"), "zip": mingle.hierarchy.mask("right")},
}
BASE = {"birth": 2, "zip": 3}


def main(rows: int, folder: str) -> None:
    from mingle.engines.road import _adapter

    place = f"{folder}/distinct_{rows}"
    os.makedirs(place, exist_ok=True)
    connection = ibis.duckdb.connect(memory_limit="8GB", temp_directory=f"{folder}/spilled")
    connection.con.execute(f"COPY (SELECT {COLUMNS} FROM range({rows}) t(r)) TO '{place}/people.parquet'")
    table = connection.read_parquet(f"{place}/people.parquet")
    apart = Apart()
    forget_most()
    apart.watch(type(_adapter(connection)))
    apart.begin()
    answers: list[mingle.Release] = []
    spent = timed(
        lambda: answers.append(mingle.anonymize(table, base_level=BASE, output=f"{place}/release/", **SAID))
    )
    apart.pause()
    hashed = f"SELECT DISTINCT hash(birth, zip, sex) FROM '{place}/people.parquet'"
    distinct = connection.con.execute(f"SELECT count(*) FROM ({hashed})").fetchone()[0]
    shutil.rmtree(place)
    base, left = answers[0]["engine"]["base_level"], answers[0]["left_database"]
    print(
        f"duckdb, {rows} rows, {distinct} combinations: {left['combinations']} counted at {base['levels']} of "
        f"{base['heights']}; precision {base['precision']:.3f}, at most {base['precision_costs_at_most']:.3f} less "
        f"than without; {spent.seconds:.1f} s ({spent.processors:.1f} s of processors); values of columns "
        f"{ {name: told['values'] for name, told in left['values'].items()} }, for the guard {left['for_guard']}; "
        f"memory: at most {apart.most} MB, the engine's among it, lists, search and map at most {apart.ours} MB"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
