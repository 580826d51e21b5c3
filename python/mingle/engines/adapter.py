"""An engine behind Ibis: what it is asked, what it writes, and what it is called.

Everything that is specific to one engine is a method here that a subclass has otherwise
(`sqlite.py`, `polars.py`, `spark.py`).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ..errors import MingleError, SystemFailure, UsageError
from . import collations, versions
from .targets import Folder, TableName, Target

#: Engines whose ALTER TABLE wants the new name with its schema.
_QUALIFIED_NEW_NAME = ("mysql", "trino", "snowflake", "databricks", "singlestoredb")

_INTERRUPTED = "Query interrupted"  # what DuckDB makes of Ctrl-C


@contextmanager
def asking(engine: str, what: str) -> Iterator[None]:
    """Failures of an engine as ours. Its own words may have cells in them: they are the cause, and
    no part of the message."""
    try:
        yield
    except (MingleError, KeyboardInterrupt):
        raise
    except Exception as error:
        if str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        raise SystemFailure(
            f"{engine} failed when it was to {what} ({type(error).__name__}); nothing was released, "
            f"and what the engine said is the cause of this error{versions.hint(engine)}",
            code="engine",
        ) from error


class Engine:
    """An engine, by its backend of Ibis."""

    names_ignore_case = False  # of tables
    longest_name: int | None = None  # bytes of the name of a table
    has_nan = True
    has_windows = True
    texts_in_hex = False
    shuffles_numbers = False  # whether combinations are numbered while rows are put in a random order

    def __init__(self, backend: Any) -> None:
        self.backend = backend
        self.name: str = backend.name
        #: What was asked of which the answer left the engine: why, and how many rows that were.
        self.answers: list[tuple[str, int]] = []
        self._maps: list[str] = []
        self._kept: list[str] = []

    # What can be counted --------------------------------------------------------------------------

    def kind_of(self, column: str, dtype: Any, kind: str | None) -> str | None:
        """What a column is here; None: it cannot be counted."""
        return kind

    def probe(self, table: Any, cell: Any) -> list[str]:
        """The texts that are left when texts of ours are grouped as this column is."""
        return collations.probe(self, table, cell)

    def demand_storage(self, table: Any, cells: list[Any]) -> None:
        """Fails if cells are something else than the types of their columns say."""

    # What leaves it -------------------------------------------------------------------------------

    def _fetch(self, expression: Any) -> Any:
        return expression.to_pyarrow()

    def fetch(self, expression: Any, why: str) -> Any:
        """An answer as a table of Arrow."""
        with asking(self.name, f"count {why}"):
            table = self._fetch(expression)
        self.answers.append((why, table.num_rows))
        return table

    # What goes into it ----------------------------------------------------------------------------

    def upload(self, table: Any) -> Any:
        """A small table of ours, for this connection alone, until `forget`."""
        name = f"mingle_map_{secrets.token_hex(8)}"
        with asking(self.name, "take the map"):
            self._maps.append(name)
            return self._put(name, table)

    def forget(self) -> None:
        """Drops what was uploaded."""
        for names, drop in ((self._maps, self._drop), (self._kept, self._drop_kept)):
            while names:
                with suppress(Exception):  # they go with the connection if that is lost
                    drop(names.pop())

    def keep(self, expression: Any) -> Any:
        """An answer that stays in the engine, until `forget`."""
        name = f"mingle_groups_{secrets.token_hex(8)}"
        with asking(self.name, "group rare combinations"):
            self._kept.append(name)
            return self._keep(name, expression)

    def _keep(self, name: str, expression: Any) -> Any:
        return self.backend.create_table(name, obj=expression, temp=True)

    def _drop_kept(self, name: str) -> None:
        self.execute(f"DROP TABLE IF EXISTS {self.sql_name(TableName(name))}")

    def _put(self, name: str, table: Any) -> Any:
        return self.backend.create_table(name, obj=table, temp=True)

    def _drop(self, name: str) -> None:
        self._drop_kept(name)

    # What it writes -------------------------------------------------------------------------------

    def shuffled(self, expression: Any) -> Any:
        """Rows in an order that tells nothing about the one they had."""
        import ibis

        return expression.order_by(ibis.random())

    def sql_name(self, name: TableName) -> str:
        import sqlglot

        catalog, schema = (None, None, *name.within)[-2:]
        table = sqlglot.table(name.name, db=schema, catalog=catalog, quoted=True)
        return str(table.sql(self.backend.dialect))

    def _within(self, name: TableName) -> str | None:
        """Where a table lies, as Ibis wants to be told; it takes texts apart at dots."""
        if any("." in part for part in name.within):
            raise UsageError(
                f"{name} lies in a schema with a dot in its name, which Ibis cannot be told",
                code="bad-value",
                key="output",
            )
        return ".".join(name.within) or None

    def demand_name(self, target: Target) -> None:
        """Refuses the name of a table that the engine would cut, so that it lay under another one."""
        if not isinstance(target, TableName) or self.longest_name is None:
            return
        if len(target.name.encode()) > self.longest_name:
            raise UsageError(
                f"{target} is longer than the {self.longest_name} bytes that a name of {self.name} has",
                code="bad-value",
                key="output",
            )

    def exists(self, target: Target) -> bool:
        if isinstance(target, Folder):
            raise UsageError(f"{self.name} writes tables, no folders", code="bad-value", key="output")
        with asking(self.name, "list its tables"):
            found = self.backend.list_tables(database=self._within(target))
        if self.names_ignore_case:
            return target.name.lower() in [name.lower() for name in found]
        return target.name in found

    def try_to_write(self, target: Target) -> None:
        """Writes a table of one cell beside the place of the release and drops it again, so that a
        schema that is not there, or a right that is missing, is told before anything is counted."""
        import ibis

        trial = target.staged()
        try:
            self.write(trial, ibis.literal(1, "int64").name("trial").as_table())
        except SystemFailure as error:
            cause = error.__cause__
            raise SystemFailure(
                f"{self.name} cannot write {target} ({type(cause).__name__}): is its schema there, and may "
                "this connection make tables in it? Nothing was counted; what the engine said is the cause "
                "of this error",
                code="engine",
                key="output",
            ) from cause
        self.remove(trial)

    def write(self, target: Target, expression: Any) -> None:
        """Writes a table under a name that nobody reads yet."""
        assert isinstance(target, TableName)
        with asking(self.name, "write the release"):
            rows = self.backend.compile(expression)
            self.execute(f"CREATE TABLE {self.sql_name(target)} AS {rows}")

    def written(self, target: Target, expression: Any) -> Any:
        """What was written, to be counted; expression: what was to be written."""
        assert isinstance(target, TableName)
        with asking(self.name, "read the release"):
            return self.backend.table(target.name, database=self._within(target))

    def execute(self, statement: str) -> None:
        with self.backend._safe_raw_sql(statement):
            pass

    def publish(self, staged: Target, final: Target) -> None:
        """Gives what was verified its name."""
        assert isinstance(staged, TableName) and isinstance(final, TableName)
        new = final if self.name in _QUALIFIED_NEW_NAME else TableName(final.name)
        with asking(self.name, "rename the release"):
            self.execute(f"ALTER TABLE {self.sql_name(staged)} RENAME TO {self.sql_name(new)}")

    def remove(self, staged: Target) -> None:
        """Takes back what was not published; what is not there is no failure."""
        assert isinstance(staged, TableName)
        with asking(self.name, "drop what was not released"):
            self.execute(f"DROP TABLE IF EXISTS {self.sql_name(staged)}")
