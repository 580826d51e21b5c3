"""SQLite: cells have types of their own, whatever their column says."""

from __future__ import annotations

from typing import Any

from . import rows
from .adapter import Engine, asking
from .collations import probes
from .cells import Cell, refuse

#: How cells of a kind are stored.
_STORED = {"integer": "integer", "boolean": "integer", "float": "real", "text": "text"}


class SQLite(Engine):
    names_ignore_case = True
    has_nan = False  # it keeps NaN as NULL

    def kind_of(self, column: str, dtype: Any, kind: str | None) -> str | None:
        if kind == "decimal" or dtype.is_decimal():
            raise refuse(column, "is a decimal, which SQLite keeps as a float", "cast it to float64")
        return "text" if kind in ("date", "timestamp", "time") else kind

    def probe(self, table: Any, cell: Cell) -> list[str]:
        """With the statement as SQLite takes it: no unions within unions."""
        column = self.backend.compile(table.select(c=cell.value(table)))
        texts = probes(cell)
        places = ",".join(["(?)"] * len(texts))
        with asking(self.name, "try a collation"):
            found = self.backend.con.execute(
                f'SELECT "c" FROM (SELECT "c" FROM ({column}) WHERE 0 UNION ALL VALUES {places}) '
                'GROUP BY "c"',
                texts,
            )
            return [row[0] for row in found]

    def demand_storage(self, table: Any, cells: list[Cell]) -> None:
        others = {}
        for number, cell in enumerate(cells):
            column = table[cell.name]
            wrong = ~column.cast(cell.dtype).typeof().isin([_STORED[cell.kind], "null"])
            if cell.kind == "boolean":
                wrong = wrong | ~column.cast("int64").isin([0, 1])
            others[f"c{number}"] = wrong.sum()
        found = self.fetch(table.aggregate(**others), "cells that are not of the type of their column")
        for number, cell in enumerate(cells):
            if found.column(f"c{number}")[0].as_py():
                raise refuse(
                    cell.name,
                    f"has cells that are no {_STORED[cell.kind]}s, which SQLite allows",
                    "cast it to a text in a view",
                )

    def _fetch(self, expression: Any) -> Any:
        """Row by row from the cursor: the way through pandas would make floats of whole numbers."""
        cursor = self.backend.con.execute(self.backend.compile(expression))
        return rows.to_arrow(cursor.fetchall(), expression.schema().to_pyarrow())

    def _put(self, name: str, table: Any) -> Any:
        import ibis

        self.backend.create_table(name, schema=ibis.schema(table.schema), temp=True)
        places = ",".join("?" * table.num_columns)
        cells = zip(*(column.to_pylist() for column in table.columns))
        self.backend.con.executemany(f'INSERT INTO temp."{name}" VALUES ({places})', cells)
        self.backend.con.commit()
        return self.backend.table(name, database="temp")

    def _keep(self, name: str, expression: Any) -> Any:
        self.backend.create_table(name, obj=expression, temp=True)
        return self.backend.table(name, database="temp")

    def _drop_kept(self, name: str) -> None:
        self.execute(f'DROP TABLE IF EXISTS temp."{name}"')
