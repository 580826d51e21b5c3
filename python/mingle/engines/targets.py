"""Where an engine writes a release: a table of its own, or a folder of Parquet files."""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from typing import Any, Union

from ..errors import UsageError

__all__ = ["Folder", "TableName"]

_PART = re.compile(r'"((?:[^"]|"")+)"|([^."]+)')
#: What the library writes itself: files by their endings, and locations.
_OF_LIBRARY = re.compile(
    r"^(memory|sqlite|postgres|postgresql|odbc|shards):|\.(csv|tsv|txt|dat|parquet|arrow|arrows|feather|jsonl|ndjson|json|xlsx|ods|sav|dta|"
    r"sas7bdat|xpt|duckdb|db)(\.(gz|zst|bz2|xz|zip))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Folder:
    """A folder of Parquet files, with a folder in it for each value of ``partition_by``
    (quasi-identifiers as they are released)."""

    path: str
    partition_by: tuple[str, ...] = ()

    def __init__(self, path: str | os.PathLike[str], partition_by: Any = ()) -> None:
        object.__setattr__(self, "path", os.fspath(path).rstrip("/"))
        columns = (partition_by,) if isinstance(partition_by, str) else tuple(partition_by)
        object.__setattr__(self, "partition_by", columns)

    def __str__(self) -> str:
        return self.path

    def staged(self) -> Folder:
        """A folder beside it, which no reader of tables looks into by its name."""
        head, tail = os.path.split(self.path)
        path = os.path.join(head, f".mingle_release_{secrets.token_hex(8)}_{tail}")
        return Folder(path, self.partition_by)


@dataclass(frozen=True)
class TableName:
    """A table of the engine: ``NAME``, ``SCHEMA.NAME`` or ``CATALOG.SCHEMA.NAME``."""

    name: str
    within: tuple[str, ...] = ()

    def __str__(self) -> str:
        return ".".join(_quoted_if_needed(part) for part in (*self.within, self.name))

    def staged(self) -> TableName:
        """A name beside it, for what is not verified yet."""
        return TableName(f"mingle_release_{secrets.token_hex(8)}", self.within)


Target = Union[Folder, TableName]


def _quoted_if_needed(part: str) -> str:
    return '"' + part.replace('"', '""') + '"' if re.search(r'[."]', part) else part


def is_of_library(output: Any) -> bool:
    """Whether the library writes there, and not the engine."""
    return isinstance(output, (str, os.PathLike)) and _OF_LIBRARY.search(os.fspath(output)) is not None


def is_parquet(output: Any) -> bool:
    """Whether it is called like Parquet."""
    return isinstance(output, (str, os.PathLike)) and os.fspath(output).lower().endswith(".parquet")


def _table_named(text: str) -> TableName:
    parts, place = [], 0
    while True:
        found = _PART.match(text, place)
        if found is None:
            break
        parts.append(found[1].replace('""', '"') if found[1] is not None else found[2])
        place = found.end()
        if place == len(text) and len(parts) <= 3:
            return TableName(parts[-1], tuple(parts[:-1]))
        if text[place : place + 1] != ".":
            break
        place += 1
    raise UsageError(
        f"{text!r} names no table; write NAME, SCHEMA.NAME or CATALOG.SCHEMA.NAME, names with dots "
        "between double quotes, and a folder with a slash at its end",
        code="bad-value",
        key="output",
    )


def of(output: Any, partition_by: Any = None) -> Target:
    """What the arguments ``output`` and ``partition_by`` name."""
    target: Target
    if isinstance(output, (Folder, TableName)):
        target = output
    elif isinstance(output, os.PathLike):
        target = Folder(output)
    else:
        text = str(output)
        target = Folder(text) if text.endswith("/") else _table_named(text)
    if not partition_by:
        return target
    if isinstance(target, Folder):
        return Folder(target.path, partition_by)
    raise UsageError(
        f"partition_by is for folders, and {target} names a table", code="conflict", key="partition-by"
    )
