"""MariaDB and MySQL: texts are grouped and joined by their bytes, whatever their collation."""

from __future__ import annotations

from typing import Any

from . import rows
from .adapter import Engine, asking
from .cells import Cell, refuse

_UNICODE = ("utf8mb4", "utf8mb3", "utf8", "ascii")
_LONGEST = 2000  # characters of a text that is kept in its row
_KEY_BYTES, _KEY_COLUMNS = 3000, 16  # of an index
_AT_A_TIME = 2000


class MariaDB(Engine):
    longest_name = 64
    has_nan = False  # it refuses NaN
    texts_in_hex = True  # case, accents and blanks at the end are ignored by most collations

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        with asking(self.name, "tell times in UTC"):
            self.execute("SET @@session.time_zone = '+00:00'")  # Ibis takes them for that

    def kind_of(self, column: str, dtype: Any, kind: str | None) -> str | None:
        if kind == "time":
            raise refuse(column, "is a time, which can be longer than a day here", "cast it to a text")
        return kind

    def probe(self, table: Any, cell: Cell) -> list[str]:
        """Bytes need no trying; but they must be those of a text in UTF-8."""
        from .collations import probes

        column = self.backend.compile(table.select(c=table[cell.name]).limit(0))
        with asking(self.name, "tell a character set"), self.backend._safe_raw_sql(
            f"SELECT CHARSET(b.c) FROM (SELECT 1 AS one) a LEFT JOIN ({column}) b ON 1"
        ) as found:
            charset = found.fetchall()[0][0]
        if charset not in _UNICODE:
            raise refuse(
                cell.name, f"is of the character set {charset}", "give a view in which it is utf8mb4"
            )
        return probes(cell)

    def demand_storage(self, table: Any, cells: list[Cell]) -> None:
        """Dates of the year 0 would be read as NULL."""
        dated = [cell for cell in cells if cell.kind in ("date", "timestamp")]
        if not dated:
            return
        sums = {f"c{i}": (table[cell.name].year() == 0).sum() for i, cell in enumerate(dated)}
        found = self.fetch(table.aggregate(**sums), "dates of the year 0")
        for number, cell in enumerate(dated):
            if found.column(f"c{number}")[0].as_py():
                raise refuse(cell.name, "has dates of the year 0", "make them NULL in a view")

    def _fetch(self, expression: Any) -> Any:
        with self.backend._safe_raw_sql(self.backend.compile(expression)) as cursor:
            return rows.to_arrow([_cells(row) for row in cursor.fetchall()], expression.schema().to_pyarrow())

    def _put(self, name: str, table: Any) -> Any:
        import ibis

        schema = ibis.schema(table.schema)
        keys = [column for column in schema if column[0] in "cf"]
        columns = [_defined(column, schema[column], table.column(column)) for column in schema]
        bytes_of_key = sum(_bytes(schema[key], table.column(key)) for key in keys)
        if 0 < len(keys) <= _KEY_COLUMNS and bytes_of_key <= _KEY_BYTES:
            columns.append(f"KEY ({', '.join(_quoted(key) for key in keys)})")
        self.execute(f"CREATE TEMPORARY TABLE {_quoted(name)} ({', '.join(columns)})")
        places = ",".join(["%s"] * table.num_columns)
        with self.backend.con.cursor() as cursor:
            for batch in table.to_batches(max_chunksize=_AT_A_TIME):
                cells = list(zip(*(column.to_pylist() for column in batch.columns)))
                cursor.executemany(f"INSERT INTO {_quoted(name)} VALUES ({places})", cells)
        self.backend.con.commit()
        return ibis.expr.operations.DatabaseTable(name, schema=schema, source=self.backend).to_expr()

    def _keep(self, name: str, expression: Any) -> Any:
        import ibis

        rows_kept = self.backend.compile(expression)
        self.execute(f"CREATE TEMPORARY TABLE {_quoted(name)} AS {rows_kept}")
        return ibis.expr.operations.DatabaseTable(
            name, schema=expression.schema(), source=self.backend
        ).to_expr()

    def _drop_kept(self, name: str) -> None:
        self.execute(f"DROP TEMPORARY TABLE IF EXISTS {_quoted(name)}")


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _longest(column: Any) -> int:
    import pyarrow.compute as compute

    return int(compute.max(compute.utf8_length(column)).as_py() or 0) + 1


def _bytes(dtype: Any, column: Any) -> int:
    return _longest(column) if dtype.is_string() else 8


def _defined(name: str, dtype: Any, column: Any) -> str:
    """Keys are digits of bytes, and are compared as bytes; released texts tell all texts apart."""
    if not dtype.is_string():
        from ibis.backends.sql.datatypes import MySQLType

        return f"{_quoted(name)} {MySQLType.to_string(dtype)}"
    length = _longest(column)
    if name[0] == "c":
        return f"{_quoted(name)} " + (f"VARBINARY({length})" if length < 60000 else "LONGBLOB")
    kind = f"VARCHAR({length})" if length <= _LONGEST else "LONGTEXT"
    return f"{_quoted(name)} {kind} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin"


def _cells(row: Any) -> list[Any]:
    return [cell.decode() if isinstance(cell, bytes) else cell for cell in row]
