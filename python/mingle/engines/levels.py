"""Labels of the values of a column at every level of its hierarchy, made by the library."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from typing import Any

from .. import _core, keys
from ..errors import UsageError
from . import counting
from .cells import Cell

_NULL = "\x01"
MARK = "\u2063"  # nobody sees it, and no label has it: it is taken off again


@dataclass
class Levels:
    """The values of a column and what they are at each level: labels[level][value]; None: missing."""

    cell: Cell
    values: Any  # of Arrow, typed
    labels: list[list[str | None]]
    rows: list[int]  # that have each value

    @property
    def height(self) -> int:
        return len(self.labels) - 1


def of_column(engine: Any, table: Any, cell: Cell, said: dict[str, Any]) -> Levels:
    """The values leave the engine, each with its count."""
    counts = counting.of_columns(engine, table, [cell], f"values of {cell.name}")
    values = counts.table.column(0).combine_chunks()
    ground, height = _labels(cell.name, values, said, 0)
    made = [ground] + [_labels(cell.name, values, said, n)[0] for n in range(1, height + 1)]
    if any(MARK in label for labels_at in made for label in labels_at if label is not None):
        raise UsageError(
            f"column {cell.name!r} has texts with the invisible character U+2063, which is needed "
            "here to tell labels from values",
            code="bad-value",
            column=cell.name,
        )
    return Levels(cell, values, made, counts.table.column(counts.column).to_pylist())


def _labels(
    name: str, values: Any, said: dict[str, Any], level: int
) -> tuple[list[str | None], int]:
    """The labels at a level, and the height: what a release of these values at that level has."""
    import pyarrow

    job = _core.Job()
    table = pyarrow.table({name: values})
    job.give_stream("data", table.__arrow_c_stream__())
    job.set("data", "memory:data")
    hierarchies = said.get("hierarchy") or {}
    told: dict[str, Any] = {"quasi": [name], "k": 1, "keep_order": True, "level": {name: level}}
    told.update(method="mingen", missing=[_NULL], suppress="0", output="memory:labels.csv")
    if not isinstance(hierarchies, str) and name in hierarchies:
        told["hierarchy"] = {name: hierarchies[name]}
    keys.Filling(job, "anonymize", lambda command, asked: asked.run(command)).fill(told)
    result = job.run("anonymize")
    rows = list(csv.reader(io.StringIO(result.bytes("labels.csv").decode(), newline="")))[1:]
    found = [None if row[0] == _NULL else row[0] for row in rows]
    return found, int(json.loads(result.json())["heights"][name])


def marked(label: str | None, level: int) -> str | None:
    """A label as a value that was counted at a level: apart from the label that finer values get
    there, which the search has to tell from it."""
    return None if label is None else label + MARK * level


def plain(column: Any) -> Any:
    """Labels as they are released."""
    import pyarrow.compute as compute

    return compute.replace_substring(column, MARK, "")


def hierarchy_of(levels: Levels, lowest: list[int]) -> dict[str, list[str]]:
    """A hierarchy whose ground values are the labels of these levels, each below what is above it.
    With several levels, labels above the lowest one are marked."""
    rows: dict[str, list[str]] = {}
    first = min(lowest)
    for level in lowest:
        for number, label in enumerate(levels.labels[level]):
            value = marked(label, level - first)
            if label is None or value is None:
                continue
            above = [levels.labels[n][number] for n in range(level, levels.height + 1)]
            row = [value] * (level - first) + [text for text in above if text is not None]
            rows[value] = row[1:]
    return rows
