"""A table that stays in its engine: the release is that of the table in memory."""

from __future__ import annotations

import datetime
from collections import Counter
from decimal import Decimal

import mingle
import pytest

pa = pytest.importorskip("pyarrow")
pytest.importorskip("ibis")

HOSTILE = 'a"b`c; DROP TABLE t; -- ä.x'


def texts(rows):
    """Rows as a multiset, cells as texts."""
    return Counter(tuple(sorted((n, None if c is None else str(c)) for n, c in row.items())) for row in rows)


def in_memory(table, **said):
    return mingle.anonymize(table, **said).to_arrow().to_pylist()


def test_adult(place, adult):
    said = {
        "quasi": ["age", "sex", "race", "marital-status", "education"],
        "sensitive": ["salary-class"],
        "rest": "drop",
        "k": 5,
        "suppress": "2%",
        "effort": "fast",
        "hierarchy": {"age": mingle.hierarchy.intervals(5, 10, 20)},
    }
    release = mingle.anonymize(place.put("adult", adult), output="released", **said)
    assert texts(place.rows("released")) == texts(in_memory(adult, **said))
    assert place.tables() == ["adult", "released"]
    assert release.location == "released" and release.holds
    left = release["left_database"]
    assert left["rows"] == 0 and left["standing_for"] == adult.num_rows
    names = said["quasi"]
    counted = adult.group_by(names).aggregate([([], "count_all")])
    assert left["combinations"] == counted.num_rows
    assert left["once"] == counted.column("count_all").to_pylist().count(1)


def odd(kinds):
    """Cells that are easily changed or merged on the way."""
    n = 240
    columns = {
        HOSTILE: [["a", "A", "a ", "", None, "ä", "a\u0301", "x;y\n'\"\\"][i % 8] for i in range(n)],
        "whole": [[2**53 + 1, 2**53, None, -1][i // 8 % 4] for i in range(n)],
        "float": [[0.1, -0.0, 0.0, float("nan"), None, 1e300, 1 / 3][i // 4 % 7] for i in range(n)],
        "truth": [[True, False, None][i % 3] for i in range(n)],
        "date": [[datetime.date(1965, 9, 20), None, datetime.date(2020, 2, 29)][i // 5 % 3] for i in range(n)],
        "instant": [datetime.datetime(2020, 2, 29, 23, 59, 59, [0, 1, 250000][i // 3 % 3]) for i in range(n)],
        "decimal": pa.array([[Decimal("1.50"), None, Decimal("-0.05")][i // 7 % 3] for i in range(n)], pa.decimal128(9, 2)),
        "ill": [["flu", None, "", "Flu"][i % 4] for i in range(n)],
    }
    return pa.table({name: columns[name] for name in columns if name in kinds or name in (HOSTILE, "ill")})


@pytest.mark.parametrize("kind", ["whole", "float", "truth", "date", "instant", "decimal"])
def test_kinds(place, kind):
    table = odd([kind])
    said = {"quasi": [HOSTILE, kind], "sensitive": "ill", "k": 3, "suppress": "100%", "method": "cell"}
    if place.name == "mariadb":
        table = as_sqlite_has_it(table)
        if kind == "truth":  # a number there
            cells = [None if v is None else int(v) for v in table[kind].to_pylist()]
            table = table.set_column(1, kind, pa.array(cells))
    if place.name == "sqlite":
        table = as_sqlite_has_it(table)
        if kind == "decimal":
            source = place.put("odd", odd([])).mutate(decimal=place_decimal())
            with pytest.raises(mingle.DataError, match="SQLite keeps as a float"):
                mingle.anonymize(source, output="released", **said)
            return
        if kind in ("date", "instant"):  # they are texts there
            table = table.set_column(1, kind, pa.array([None if v is None else str(v) for v in table[kind].to_pylist()]))
    mingle.anonymize(place.put("odd", table), output="released", **said)
    assert texts(place.rows("released")) == texts(in_memory(table, **said))


def as_sqlite_has_it(table):
    """SQLite and MariaDB have no NaN, and one zero."""
    for place, name in enumerate(table.column_names):
        if name == "float":
            cells = [None if v is None or v != v else v + 0.0 for v in table[name].to_pylist()]
            table = table.set_column(place, name, pa.array(cells))
    return table


def place_decimal():
    import ibis

    return ibis.literal(Decimal("1.5"), "decimal(9,2)")


def test_sensitive_kinds(place):
    table = odd(["whole", "float"])
    if place.name in ("sqlite", "mariadb"):
        table = as_sqlite_has_it(table)
    said = {"quasi": [HOSTILE], "sensitive": ["whole", "float", "ill"], "k": 3}
    mingle.anonymize(place.put("odd", table), output="released", **said)
    assert texts(place.rows("released")) == texts(in_memory(table, **said))


def test_hostile_names(place):
    table = odd([])
    source = place.put(HOSTILE.replace("`", "").replace(".", ""), table)
    target = mingle.engines.TableName('re"lease; --')
    mingle.anonymize(source, quasi=[HOSTILE], sensitive="ill", k=3, output=target)
    assert texts(place.rows('re"lease; --')) == texts(in_memory(table, quasi=[HOSTILE], sensitive="ill", k=3))


def test_empty(place):
    table = odd([]).slice(0, 0)
    source = place.put("nobody", table)
    with pytest.raises(mingle.MingleError) as here:
        in_memory(table, quasi=[HOSTILE], sensitive="ill", k=3)
    with pytest.raises(type(here.value)):
        mingle.anonymize(source, quasi=[HOSTILE], sensitive="ill", k=3, output="released")
    assert place.tables() == ["nobody"]


def test_schemas(place):
    if place.name not in ("duckdb", "postgresql"):
        pytest.skip("it has no schemas")
    table = odd([])
    place.put("people", table)
    place.run('CREATE SCHEMA "re;sults"', 'CREATE TABLE "re;sults"."taken" (a INTEGER)')
    said = {"quasi": [HOSTILE], "sensitive": "ill", "k": 3}
    source = place.backend.table("people")
    release = mingle.anonymize(source, output='"re;sults".released', **said)
    assert release.location == "re;sults.released"
    found = place.backend.table("released", database="re;sults").to_pyarrow().to_pylist()
    assert texts(found) == texts(in_memory(table, **said))
    assert sorted(place.backend.list_tables(database="re;sults")) == ["released", "taken"]
    with pytest.raises(mingle.DataError, match="taken is there already"):
        mingle.anonymize(source, output='"re;sults".taken', **said)
    with pytest.raises(mingle.MingleError):
        mingle.anonymize(source, output="nowhere.released", **said)
    with pytest.raises(mingle.UsageError, match="a dot in its name"):
        mingle.anonymize(source, output='"a.b".released', **said)
