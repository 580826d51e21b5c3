"""The same release by every engine as by the road of files, with many rows (MANY_ROWS): the engine makes
the table of a small one, so that no row goes through this process, and rows are compared by counts."""

from __future__ import annotations

import os

import mingle
import pytest
from mingle.engines import TableName
from mingle.engines.road import _adapter

pa = pytest.importorskip("pyarrow")
ibis = pytest.importorskip("ibis")

PART, RARE = 20_000, 500  # rows that are repeated, and rows that are not
TIMES = max(int(os.environ.get("MANY_ROWS", "40000")) // PART, 1)
NAMES = ["zip", "age", "sex", "ill"]
SAID = {
    "quasi": NAMES[:3],
    "sensitive": "ill",
    "k": 5,
    "suppress": "1%",
    "method": "mingen",
    "hierarchy": {"zip": mingle.hierarchy.mask("right"), "age": mingle.hierarchy.intervals(5, 10, 20)},
}


def part() -> pa.Table:
    return pa.table(
        {
            "zip": [f"{i * i * 7919 % 997:05d}" for i in range(PART)],
            "age": pa.array([18 + i * i * 31 % 73 for i in range(PART)], pa.int64()),
            "sex": [["f", "m"][i % 2] for i in range(PART)],
            "ill": [["flu", "cold", "angina"][i % 3] for i in range(PART)],
        }
    )


def rare() -> pa.Table:
    return part().slice(0, RARE).set_column(1, "age", pa.array(range(100, 100 + RARE), pa.int64()))


def counted(table: pa.Table) -> dict:
    """How many rows have each combination; cells as texts."""
    sums: dict = {}
    for row in table.to_pylist():
        key = tuple(None if row[name] is None else str(row[name]) for name in NAMES)
        sums[key] = sums.get(key, 0) + row["n"]
    return sums


@pytest.fixture(scope="session")
def by_files(tmp_path_factory):
    """The release of a file of CSV, into another one."""
    import pyarrow.csv

    folder = tmp_path_factory.mktemp("files")
    schema = part().schema
    with pyarrow.csv.CSVWriter(folder / "people.csv", schema) as file:
        for table in [part()] * TIMES + [rare()]:
            file.write(table)
    mingle.anonymize(folder / "people.csv", output=folder / "released.csv", **SAID)
    sums = []
    options = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(NAMES, pa.string()))
    for batch in pyarrow.csv.open_csv(folder / "released.csv", convert_options=options):
        sums.append(pa.table(batch).group_by(NAMES).aggregate([([], "count_all")]))
    for name in ("people.csv", "released.csv"):
        os.remove(folder / name)
    made = pa.concat_tables(sums)
    return counted(made.rename_columns([*made.column_names[:-1], "n"]).select([*NAMES, "n"]))


def many_rows(place):
    """A table of the engine: the part as often as it takes, and the rare rows once."""

    def given(name, table):
        put = place.put(name, table)
        return place.backend.table(name) if place.name == "spark" else put

    repeated = given("part", part())
    times = given("times", pa.table({"time": pa.array(range(TIMES), pa.int64())}))
    rows = repeated.cross_join(times).select(*NAMES).union(given("rare", rare()), distinct=False)
    _adapter(place.backend).write(TableName("people"), rows)
    return place.backend.table("people")


def test_many_rows(place, by_files):
    release = mingle.anonymize(many_rows(place), output="released", **SAID)
    assert release["left_database"]["standing_for"] == TIMES * PART + RARE
    found = place.backend.table("released")
    question = found.group_by(*NAMES).agg(n=found.count())
    assert counted(_adapter(place.backend).fetch(question, "the release")) == by_files
