"""The search on counts, by the library, and the map that comes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from .. import _core, commands, tables
from . import levels, texts
from .counting import Counts

_NOT_FOR_SEARCH = ("output", "identifier", "insensitive", "rest", "keep_order", "partition_by")
_OFFERED = ("", "NA", "null", "(missing)")


@dataclass
class Found:
    """What the search found: its result, and what combinations are released as."""

    core: _core.Result
    document: dict[str, Any]
    map: Any  # of Arrow: the quasi-identifiers by their texts, then under released_NAME
    missing: list[str]


def missing_texts(named: list[str] | None, tables: list[Any]) -> list[str]:
    """The texts that mean missing. If none are named, one that no cell has stands for NULL, so that
    it is kept apart from every text."""
    if named:
        return named
    import pyarrow.compute as compute

    had: set[str] = set()
    for column in (column for table in tables for column in table.columns):
        if str(column.type) in ("string", "large_string"):
            had.update(text for text in compute.unique(column).to_pylist() if text is not None)
    number = 2
    candidates = iter(_OFFERED)
    while True:
        text = next(candidates, None)
        if text is None:
            text, number = f"(missing {number})", number + 1
        if text not in had:
            return [text]


def _map_of(core: _core.Result, quasi: list[str]) -> Any:
    """The map: m0, m1, ... in the order of the table, then what they are released as."""
    import pyarrow
    import pyarrow.csv

    n = len(quasi)
    names = [f"m{i}" for i in range(2 * n)]
    read = pyarrow.csv.read_csv(
        pyarrow.BufferReader(core.bytes("map.csv")),
        read_options=pyarrow.csv.ReadOptions(column_names=names),
        parse_options=pyarrow.csv.ParseOptions(newlines_in_values=True),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types=dict.fromkeys(names, pyarrow.string()), strings_can_be_null=False
        ),
    )
    header = [read.column(i)[0].as_py() for i in range(n)]
    places = [header.index(name) for name in quasi]
    return read.slice(1).select(places + [n + i for i in places]).rename_columns(names)


def search(counts: Counts, plan: Any, said: dict[str, Any], guard: dict[str, Any], show: Any) -> Found:
    """Runs the search; nothing is released yet. guard: what the leak guard is told."""
    missing = missing_texts(plan.missing, [counts.table, *guard.get("guard_counts", [])])
    told = {name: value for name, value in said.items() if name not in _NOT_FOR_SEARCH}
    told.update(guard, count=counts.column, missing=missing, save_map="memory:map.csv")
    if told.pop("dry_run", None):
        told.pop("save_map")
        told["dry_run"] = True
    job = _core.Job()
    given = tables.give(job, "data", counts.table)
    core, _ = commands.run("anonymize", job, told, given, show=show)
    found = Found(core, json.loads(core.json()), None, missing)
    if "save_map" in told:
        found.map = _map_of(core, [cell.name for cell in plan.quasi])
    return found


def typed_map(counts: Counts, plan: Any, found: Found, has_marks: bool) -> Any:
    """The map with the keys as the engine has them: c0, c1, ... and what they are released as, r0,
    r1, ...; NULL where that is missing."""
    import pyarrow
    import pyarrow.compute as compute

    names = [cell.name for cell in plan.quasi]
    distinct = counts.table.select(names).group_by(names).aggregate([])
    keyed = {f"m{i}": texts.of_column(distinct.column(name), found.missing) for i, name in enumerate(names)}
    keyed["row"] = pyarrow.array(range(distinct.num_rows), pyarrow.int64())
    joined = pyarrow.table(keyed).join(found.map, keys=[f"m{i}" for i in range(len(names))], join_type="inner")
    made = {f"c{i}": distinct.column(name).take(joined.column("row")) for i, name in enumerate(names)}
    for i in range(len(names)):
        released = joined.column(f"m{len(names) + i}")
        is_missing = compute.equal(released, found.missing[0])
        released = levels.plain(released) if has_marks else released
        made[f"r{i}"] = compute.if_else(is_missing, pyarrow.scalar(None, pyarrow.string()), released)
    return pyarrow.table(made)
