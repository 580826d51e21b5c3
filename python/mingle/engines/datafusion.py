"""DataFusion behind Ibis: tables in this process, which cannot be renamed."""

from __future__ import annotations

from typing import Any

from .adapter import Engine, asking
from .collations import probes
from .targets import TableName, Target


class DataFusion(Engine):
    def probe(self, table: Any, cell: Any) -> list[str]:
        return probes(cell)  # there are no collations

    def execute(self, statement: str) -> None:
        self.backend.con.sql(statement).collect()

    def _fetch(self, expression: Any) -> Any:
        import pyarrow

        schema = expression.schema().to_pyarrow()
        batches = self.backend.con.sql(self.backend.compile(expression)).collect()
        return pyarrow.Table.from_batches(batches).cast(schema) if batches else schema.empty_table()

    def _put(self, name: str, table: Any) -> Any:
        import pyarrow

        none = pyarrow.RecordBatch.from_pylist([], schema=table.schema)  # one batch there must be
        self.backend.con.register_record_batches(name, [table.to_batches() or [none]])
        return self.backend.table(name)

    def _keep(self, name: str, expression: Any) -> Any:
        self.execute(f"CREATE TABLE {self.sql_name(TableName(name))} AS {self.backend.compile(expression)}")
        return self.backend.table(name)

    def _drop(self, name: str) -> None:
        self.backend.con.deregister_table(name)

    def publish(self, staged: Target, final: Target) -> None:
        """The table is whole before it gets its name."""
        assert isinstance(staged, TableName) and isinstance(final, TableName)
        with asking(self.name, "name the release"):
            self.execute(f"CREATE TABLE {self.sql_name(final)} AS SELECT * FROM {self.sql_name(staged)}")
            self.remove(staged)
