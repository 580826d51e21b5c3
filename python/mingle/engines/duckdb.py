"""DuckDB, which also writes folders of Parquet files."""

from __future__ import annotations

import secrets
from contextlib import suppress
from typing import Any

from . import folders
from .adapter import Engine, asking
from .targets import Folder, TableName, Target


class DuckDB(Engine):
    names_ignore_case = True
    shuffles_numbers = True

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self._views: list[str] = []

    def forget(self) -> None:
        super().forget()
        while self._views:
            with suppress(Exception):  # they go with the connection
                self.execute(f"DROP VIEW IF EXISTS temp.{self.sql_name(TableName(self._views.pop()))}")

    def _put(self, name: str, table: Any) -> Any:
        """A table of its own: of one that it reads where it lies in memory DuckDB does not know how
        often values occur, and may join maps with each other before it joins the rows."""
        given, made = self.sql_name(TableName(f"{name}_given")), self.sql_name(TableName(name))
        self.backend.con.register(f"{name}_given", table)
        try:
            self.backend.con.execute(f"CREATE TEMP TABLE {made} AS SELECT * FROM {given}")
        finally:
            self.backend.con.unregister(f"{name}_given")
        return self.backend.table(name, database=("temp", "main"))

    def exists(self, target: Target) -> bool:
        return folders.exists(target) if isinstance(target, Folder) else super().exists(target)

    def try_to_write(self, target: Target) -> None:
        if isinstance(target, Folder):
            folders.demand_writable(target)
        else:
            super().try_to_write(target)

    def write(self, target: Target, expression: Any) -> None:
        if not isinstance(target, Folder):
            super().write(target, expression)
            return
        with asking(self.name, "write the release"):
            folders.make(target)
            path, options = f"{target.path}/part-0.parquet", "FORMAT parquet"
            if target.partition_by:
                columns = ", ".join(self.sql_name(TableName(name)) for name in target.partition_by)
                path, options = target.path, f"{options}, PARTITION_BY ({columns}), OVERWRITE_OR_IGNORE"
            rows, place = self.backend.compile(expression), path.replace("'", "''")
            self.execute(f"COPY ({rows}) TO '{place}' ({options})")

    def written(self, target: Target, expression: Any) -> Any:
        if not isinstance(target, Folder):
            return super().written(target, expression)
        name = f"mingle_written_{secrets.token_hex(8)}"
        self._views.append(name)
        with asking(self.name, "read the release"):
            return self.backend.read_parquet(
                f"{target.path}/**/*.parquet",
                table_name=name,
                hive_partitioning=bool(target.partition_by),
                hive_types_autocast=False,
            )

    def publish(self, staged: Target, final: Target) -> None:
        if isinstance(staged, Folder):
            folders.publish(staged, final)
        else:
            super().publish(staged, final)

    def remove(self, staged: Target) -> None:
        if isinstance(staged, Folder):
            folders.remove(staged)
        else:
            super().remove(staged)
