"""What engines would be sent that cannot be had here, as text: sql/ENGINE.sql. These engines were
never run. RECORD=1 writes the files anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pa = pytest.importorskip("pyarrow")
ibis = pytest.importorskip("ibis")

from mingle.engines import counting, joining, plan  # noqa: E402
from mingle.engines.adapter import Engine  # noqa: E402
from mingle.engines.cells import cell_of  # noqa: E402
from mingle.engines.mariadb import MariaDB  # noqa: E402

HERE = Path(__file__).parent / "sql"
SCHEMA = {"zip": "string", 'a"ge': "int64", "income": "float64", "born": "date", "ill": "string"}


class _Paper(Engine):
    """An engine that is not there."""

    def __init__(self, dialect: str) -> None:
        self.name = "paper"
        if dialect == "mysql":
            self.has_nan, self.texts_in_hex = MariaDB.has_nan, MariaDB.texts_in_hex

    def upload(self, table):
        return ibis.table(ibis.schema(table.schema), name="mingle_map")


def statements(dialect: str) -> str:
    engine, table = _Paper(dialect), ibis.table(SCHEMA, name="people")
    cells = [cell_of(engine, table, name) for name in SCHEMA]
    wanted = plan.Plan(cells[:4], cells[4:], [], list(SCHEMA), None, False)
    small = pa.table(
        {
            "c0": ["02138", None],
            "c1": pa.array([1, 2], pa.int64()),
            "c2": [0.5, float("nan")],
            "c3": pa.array([None, None], pa.date32()),
            **{f"r{i}": ["*", None] for i in range(4)},
        }
    )
    small = small.set_column(4, "r0", pa.array(["*", None], pa.string()))
    expressions = {
        "count": counting.grouped(table, wanted.counted()),
        "release": joining.release_of(engine, table, wanted, small),
    }
    return "".join(
        f"-- {what}\n{ibis.to_sql(expression, dialect=dialect)};\n" for what, expression in expressions.items()
    )


@pytest.mark.parametrize("dialect", ["trino", "bigquery", "snowflake", "mysql"])
def test_sql(dialect):
    path = HERE / f"{dialect}.sql"
    made = statements(dialect)
    if os.environ.get("RECORD"):
        HERE.mkdir(exist_ok=True)
        path.write_text(made)
    assert made == path.read_text()
    assert "mingle_map" in made and "GROUP BY" in made and "JOIN" in made
