"""Tables that stay in their engine: the engine counts and applies, mingle searches.

``mingle.anonymize(table, ..., output="schema.release")`` does it for a table of Ibis or a frame of
Spark: nothing but counted combinations leaves the engine, and the release is written by it. Tables
are named by texts (``SCHEMA.NAME``), folders of Parquet files by paths or :class:`Folder`.
"""

from __future__ import annotations

from typing import Any

from ..release import Release
from . import targets
from .targets import Folder, TableName

__all__ = ["Folder", "TableName"]


def _is_ibis(table: Any) -> bool:
    return type(table).__module__.startswith("ibis.expr")


def is_spark(table: Any) -> bool:
    return type(table).__module__.startswith("pyspark.sql")


def takes(table: Any, output: Any) -> bool:
    """Whether a release of the table is the engine's to write."""
    if is_spark(table):
        return True
    return _is_ibis(table) and output is not None and not targets.is_of_library(output)


def anonymize(table: Any, arguments: dict[str, Any]) -> Release:
    """Makes a release where the table lies. The arguments are those of ``mingle.anonymize``."""
    from . import road  # what it needs is loaded when an engine is there

    return road.anonymize(table, arguments)
