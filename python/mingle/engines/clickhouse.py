"""ClickHouse: a server, or chdb in this process."""

from __future__ import annotations

from typing import Any

from .adapter import Engine, asking
from .collations import probes
from .targets import TableName, Target


class ClickHouse(Engine):
    def probe(self, table: Any, cell: Any) -> list[str]:
        return probes(cell)  # texts are bytes

    def execute(self, statement: str) -> None:
        self.backend.con.command(statement)

    def _fetch(self, expression: Any) -> Any:
        found = self.backend.con.query_arrow(self.backend.compile(expression), use_strings=True)
        return found.cast(expression.schema().to_pyarrow())

    def _table(self, name: str, schema: Any) -> None:
        """A table of the engine: what belongs to a session alone would need one with a number."""
        columns = ", ".join(
            f"{self.sql_name(TableName(column))} {_type(dtype)}" for column, dtype in schema.items()
        )
        self.execute(f"CREATE TABLE {self.sql_name(TableName(name))} ({columns}) ENGINE = Memory")

    def _put(self, name: str, table: Any) -> Any:
        import ibis

        self._table(name, ibis.schema(table.schema))
        if table.num_rows:
            self.backend.con.insert_arrow(name, table)
        return self.backend.table(name)

    def _keep(self, name: str, expression: Any) -> Any:
        rows = self.backend.compile(expression)
        self.execute(f"CREATE TABLE {self.sql_name(TableName(name))} ENGINE = Memory AS {rows}")
        return self.backend.table(name)

    def write(self, target: Target, expression: Any) -> None:
        assert isinstance(target, TableName)
        with asking(self.name, "write the release"):
            rows = self.backend.compile(expression)
            self.execute(
                f"CREATE TABLE {self.sql_name(target)} ENGINE = MergeTree ORDER BY tuple() AS {rows}"
            )

    def publish(self, staged: Target, final: Target) -> None:
        assert isinstance(staged, TableName) and isinstance(final, TableName)
        with asking(self.name, "rename the release"):
            self.execute(f"RENAME TABLE {self.sql_name(staged)} TO {self.sql_name(final)}")


def _type(dtype: Any) -> str:
    """Its `Date` begins in 1970."""
    from ibis.backends.sql.datatypes import ClickHouseType

    return "Nullable(Date32)" if dtype.is_date() else ClickHouseType.to_string(dtype.copy(nullable=True))
