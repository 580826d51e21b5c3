"""What a table can be, and how it is given to a job."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol, Union, runtime_checkable

from . import _core, frames
from .errors import DataError, UsageError
from .origins import Origin

__all__ = ["Table", "ArrowStream"]


@runtime_checkable
class ArrowStream(Protocol):
    """Anything that hands a table out by the Arrow PyCapsule interface."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


#: A path or a location of a database, a data frame, or anything with ``__arrow_c_stream__``.
Table = Union[str, "os.PathLike[str]", ArrowStream, Any]


@dataclass
class Given:
    """A table as the job names it."""

    location: str
    origins: list[Origin] = field(default_factory=list)

    def in_memory(self) -> bool:
        return self.location.startswith("memory:")


class Opened:
    """A table that is open already: what commands ask of a session."""

    given: Given

    def ask(self, command: str, job: _core.Job) -> _core.Result:
        """Runs a command on it with a job."""
        raise NotImplementedError


def _refuse_odd_names(table: Any) -> None:
    """Names end at a NUL where tables pass from one library to another."""
    names = getattr(table, "column_names", None)  # pyarrow
    if not isinstance(names, list) and hasattr(table, "collect_schema"):  # polars
        names = list(table.collect_schema().names())
    elif not isinstance(names, list):
        names = getattr(table, "columns", None)
    for name in names if isinstance(names, list) else []:
        if isinstance(name, str) and "\0" in name:
            raise UsageError(f"the name of column {name!r} is no text; rename it", code="header")


def _stream_of(table: Any) -> Any:
    """The capsule of a table that is not one of pandas."""
    _refuse_odd_names(table)
    if frames.is_column(table):
        raise UsageError(
            "a Series is one column and no table; make it one with .to_frame()",
            code="usage",
            key="data",
        )
    if isinstance(table, ArrowStream):
        return table.__arrow_c_stream__()
    for method in ("to_arrow", "to_pyarrow", "arrow", "collect"):  # relations, lazy frames
        convert = getattr(table, method, None)
        if callable(convert):
            made = convert()
            if isinstance(made, ArrowStream):
                return made.__arrow_c_stream__()
    raise UsageError(
        f"{type(table).__name__} is no table; give a path, a location of a database, a data "
        "frame, or anything with __arrow_c_stream__ (polars, pyarrow, duckdb, ibis)",
        code="usage",
        key="data",
    )


def _is_for_pyarrow(path: str) -> bool:
    """Whether a file is Parquet that the library cannot read here, and pyarrow can."""
    return (
        path.lower().endswith(".parquet")
        and os.path.isfile(path)
        and importlib.util.find_spec("pyarrow") is not None
        and not _library_reads_parquet()
    )


@lru_cache(maxsize=None)
def _library_reads_parquet() -> bool:
    from .features import features

    return bool(features()["formats"]["parquet"]["read"])


def _read_by_pyarrow(path: str) -> Any:
    import pyarrow
    from pyarrow import parquet

    try:
        file = parquet.ParquetFile(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise DataError(
            f"{path}: pyarrow cannot read it as Parquet: {error}", code="format", file=path
        ) from error
    return pyarrow.RecordBatchReader.from_batches(file.schema_arrow, file.iter_batches())


def give(job: _core.Job, name: str, table: Table) -> Given:
    """Gives a table to a job; returns where the job finds it."""
    if isinstance(table, (str, os.PathLike)):
        path = os.fspath(table)
        if not _is_for_pyarrow(path):
            return Given(path)
        table = _read_by_pyarrow(path)
    if frames.is_frame(table):
        stream, origins = frames.give(table)
    else:
        stream, origins = _stream_of(table), []
    job.give_stream(name, stream)
    return Given(f"memory:{name}", origins)
