"""The road of a table that stays in its engine, from the call to the release."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from ..errors import DataError, SystemFailure, UsageError
from ..release import Release
from . import below_base, coarser, collations, counting, guarding, is_spark, joining, plan, searching, targets, told, verifying
from .adapter import Engine
from .targets import Folder


def _engine_of(table: Any) -> tuple[Engine, Any]:
    """The engine of a table, and the table as one of Ibis."""
    if importlib.util.find_spec("pyarrow") is None:
        raise SystemFailure("tables of engines need the package pyarrow", code="library")
    if is_spark(table):
        from .spark import of_frame

        return of_frame(table)
    backends, has_unbound = table._find_backends()
    if has_unbound or len(backends) != 1:
        raise UsageError("the table belongs to no engine, or to several", code="usage", key="data")
    return _adapter(backends[0]), table


def _adapter(backend: Any) -> Engine:
    if backend.name == "duckdb":
        from .duckdb import DuckDB

        return DuckDB(backend)
    if backend.name == "sqlite":
        from .sqlite import SQLite

        return SQLite(backend)
    if backend.name == "polars":
        from .polars import Polars

        return Polars(backend)
    if backend.name == "postgres":
        from .postgresql import PostgreSQL

        return PostgreSQL(backend)
    if backend.name == "mysql":
        from .mariadb import MariaDB

        return MariaDB(backend)
    if backend.name == "datafusion":
        from .datafusion import DataFusion

        return DataFusion(backend)
    if backend.name == "clickhouse":
        from .clickhouse import ClickHouse

        return ClickHouse(backend)
    if backend.name == "pyspark":
        from .spark import Spark

        return Spark(backend)
    return Engine(backend)


def _target(output: Any, partition_by: Any, engine: Engine, chosen: plan.Plan) -> targets.Target:
    if output is None:
        raise UsageError(
            "say where the engine is to write the release: output='SCHEMA.NAME', or a folder",
            code="missing-key",
            key="output",
        )
    if engine.name == "spark" and targets.is_parquet(output):
        output = Folder(output)  # a folder of that name, as of Spark's own writer
    if targets.is_of_library(output):
        raise UsageError(
            f"{engine.name} writes tables and folders of Parquet files, and {os.fspath(output)!r} is neither; a "
            "folder has a slash at its end",
            code="bad-value",
            key="output",
        )
    target = targets.of(output, partition_by)
    engine.demand_name(target)
    if isinstance(target, Folder):
        quasi = [cell.name for cell in chosen.quasi]
        for name in target.partition_by:
            if name not in quasi:
                raise UsageError(
                    f"a release is partitioned by quasi-identifiers, and {name!r} is none",
                    code="bad-value",
                    key="output",
                )
    if engine.exists(target):
        raise DataError(f"{target} is there already", code="exists", key="output")
    engine.try_to_write(target)
    return target


def anonymize(table: Any, arguments: dict[str, Any]) -> Release:
    """Makes a release where the table lies. The arguments are those of ``mingle.anonymize``."""
    said = dict(arguments)
    show = said.pop("progress", None)
    engine, source = _engine_of(table)
    try:
        return _run(engine, source, said, show)
    finally:
        engine.forget()


def _run(engine: Engine, source: Any, said: dict[str, Any], show: Any) -> Release:
    asked = plan.make(engine, source, said)
    target = None if said.get("dry_run") else _target(said.get("output"), said.get("partition_by"), engine, asked)
    collations.demand_bytes(engine, source, asked.counted())
    engine.demand_storage(source, asked.counted())
    made = coarser.coarsened(engine, source, asked, said)
    column = counting.free_name(list(made.plan.roles))
    counts = counting.of_columns(engine, made.table, made.plan.counted(), "the table", column)
    if made.rows not in (None, counts.rows()):
        raise verifying.changed(engine, "counted with labels")
    guarded: list[guarding.Guarded] = []
    below: list[counting.Counts] = []
    guard: dict[str, Any] = {}
    if target is not None:  # what is not released is not guarded
        guarded = guarding.count(engine, made.table, made.plan, counts)
        below = below_base.judge(engine, source, asked, made.told.get("base_level"), said)
        guard = guarding.for_search(made.plan, counts, guarded)
    found = searching.search(counts, made.plan, made.said, guard, show)
    guarding.refuse_unnamed(made.plan, guarded, found.document)
    of_release = None
    if target is not None:
        of_release = _write(engine, made, counts, guarded, found, target)
    for_guard = [*below, *(one.counts for one in guarded)]
    result = told.document(engine, made, found, target, told.left(counts, made, of_release, for_guard))
    told.tell_guarded(result, guarding.told(made.plan, guarded, result))
    return told.EngineRelease(found.core, str(target or ""), result, found.document)


def _write(
    engine: Engine,
    made: coarser.Coarser,
    counts: counting.Counts,
    guarded: list[guarding.Guarded],
    found: searching.Found,
    target: targets.Target,
) -> counting.Counts:
    """Writes the release beside its place, verifies it there, and gives it its name."""
    staged = target.staged()
    try:
        small = searching.typed_map(counts, made.plan, found, made.has_marks)
        release = joining.release_of(engine, made.table, made.plan, small)
        engine.write(staged, release)
        written = engine.written(staged, release)
        of_release = verifying.verify(engine, written, made, found, guarded)
        if engine.exists(target):
            raise DataError(f"{target} is there already", code="exists", key="output")
        engine.publish(staged, target)
    except BaseException as error:
        _take_back(engine, staged, error)
        raise
    return of_release


def _take_back(engine: Engine, staged: targets.Target, error: BaseException) -> None:
    """Drops what was not released. If that fails, too (a lost connection), the error says what is
    left; it is under no name that anybody reads."""
    try:
        engine.remove(staged)
    except SystemFailure:
        error.add_note(f"{staged} may be left in {engine.name}; drop it by hand")
