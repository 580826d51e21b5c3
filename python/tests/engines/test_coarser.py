"""Tables that are counted coarser than they are."""

from __future__ import annotations

from collections import Counter

import mingle
import pytest
from mingle.engines import coarser

pa = pytest.importorskip("pyarrow")
pytest.importorskip("ibis")

N = 400


def people():
    return pa.table(
        {
            "zip": [None if i % 41 == 0 else f"{(i * 7919) % 97:05d}" for i in range(N)],
            "age": [(i * 31) % 83 for i in range(N)],
            "ill": [["flu", "cold", "angina"][i % 3] for i in range(N)],
        }
    )


def said(**more):
    return {
        "quasi": ["zip", "age"],
        "sensitive": "ill",
        "k": 4,
        "suppress": "20%",
        "hierarchy": {"zip": mingle.hierarchy.mask("right"), "age": mingle.hierarchy.intervals(5, 20)},
        **more,
    }


def level_of(column, label):
    if column == "zip":
        return 5 if label in (None, "*****", "*") else label.count("*")
    return 3 if label == "*" else 0 if label.isdigit() else 1 if width(label) == 5 else 2


def width(label):
    low, high = map(int, label.split("-"))
    return high - low + 1


def test_base_level(place):
    table = people()
    release = mingle.anonymize(
        place.put("people", table), output="released", base_level={"zip": 2, "age": 1}, **said()
    )
    rows = place.rows("released")
    assert place.tables() == ["people", "released"]
    assert len(rows) == release["released_rows"]
    assert all(level_of("zip", row["zip"]) >= 2 and level_of("age", row["age"]) >= 1 for row in rows)
    assert min(Counter((row["zip"], row["age"]) for row in rows).values()) >= 4
    base = release["engine"]["base_level"]
    assert base["levels"] == {"zip": 2, "age": 1} and base["heights"] == {"zip": 5, "age": 3}
    assert base["precision_costs_at_most"] == pytest.approx((2 / 5 + 1 / 3) / 2)
    # the bound holds: the release of the whole table is better by no more than that
    whole = mingle.anonymize(table, method="mingen", **said())["utility"]["precision"]
    coarse = mingle.anonymize(
        place.backend.table("people"), output="by_node", base_level={"zip": 2, "age": 1}, method="mingen", **said()
    )
    assert coarse["engine"]["base_level"]["precision"] >= whole - base["precision_costs_at_most"] - 1e-9
    left = release["left_database"]
    coarse_zip = [None if z is None else z[:3] for z in table["zip"].to_pylist()]
    counted = Counter(zip(coarse_zip, [a // 5 for a in table["age"].to_pylist()]))
    assert left["combinations"] == len(counted)
    assert left["values"]["age"]["values"] == 83


@pytest.mark.parametrize("level", [{"ill": 1}, {"zip": -1}, {"zip": "x"}])
def test_base_levels_that_cannot_be(place, level):
    with pytest.raises(mingle.UsageError, match="base_level takes levels"):
        mingle.anonymize(place.put("people", people()), output="released", base_level=level, **said())


def test_values_that_come_later(place, monkeypatch):
    """A row whose value came after the labels were made would be lost, in the counts and in the release."""
    if place.name in ("polars", "datafusion", "clickhouse"):
        pytest.skip("no statement that changes single rows at once")
    source = place.put("people", people())
    made = coarser.levels_of

    def make_and_change(engine, table, cell, said):
        found = made(engine, table, cell, said)
        place.run("UPDATE people SET zip = '99999' WHERE age = 7")
        return found

    monkeypatch.setattr(coarser, "levels_of", make_and_change)
    with pytest.raises(mingle.DataError, match="changed meanwhile"):
        mingle.anonymize(source, output="released", base_level={"zip": 2}, **said())
    assert place.tables() == ["people"]


def test_least_count(place):
    table = people()
    if place.name == "polars":
        with pytest.raises(mingle.UsageError, match="window functions"):
            mingle.anonymize(place.put("people", table), output="released", least_count=4, **said())
        return
    release = mingle.anonymize(place.put("people", table), output="released", least_count=4, **said(method="cell"))
    assert place.tables() == ["people", "released"]
    left = release["left_database"]
    assert left["once"] <= 1 and left["combinations"] > 1
    told = release["engine"]["least_count"]
    assert told["n"] == 4 and 0 < told["regrouped"]["rows"] <= N
    here = mingle.anonymize(table, least_count=4, **said(method="cell"))
    assert left["combinations"] == here["least_count"]["combinations"]
    assert told["regrouped"]["rows"] == here["least_count"]["regrouped"]["rows"]
    assert told["regrouped"]["at_top"] == here["least_count"]["regrouped"]["at_top"]
    rows = place.rows("released")
    assert min(Counter((row["zip"], row["age"]) for row in rows).values()) >= 4
    assert len(rows) == release["released_rows"]


def test_least_counts_that_cannot_be(place):
    if place.name == "polars":
        pytest.skip("none can be")
    source = place.put("people", people())
    with pytest.raises(mingle.UsageError, match="does not go with level"):
        mingle.anonymize(source, output="released", least_count=4, level={"zip": 1}, **said())
    with pytest.raises(mingle.UsageError, match="whole number of at least 2"):
        mingle.anonymize(source, output="released", least_count=1, **said())
