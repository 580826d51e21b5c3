"""What is told about a release that an engine wrote."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

from .. import _core
from ..answers import write_private
from ..release import Release
from . import counting, guarding, of_rows
from .counting import Counts


class EngineRelease(Release):
    """A release that lies in its engine. ``result`` says what left the engine (``left_database``);
    it is about the rows that were written, and ``counted`` about counts of them: with that, counts by
    the engine can be held against the result, and no row leaves it."""

    def __init__(self, core: _core.Result, location: str, result: dict[str, Any], counted: dict[str, Any]) -> None:
        super().__init__(core, None, location, result)
        self.counted = counted

    def _shown(self) -> _core.Result:
        """The document as the library shows it: what the search alone would show knows nothing of the
        engine, of where the release lies, and of columns that pass through."""
        job = _core.Job()
        job.give_bytes("result.json", json.dumps(self.result).encode())
        job.set("data", "memory:result.json")
        return job.run("report")

    def _page(self) -> str:
        return self._shown().html()

    def __str__(self) -> str:
        return self._shown().text(False, shutil.get_terminal_size().columns)

    def save(self, path: str | os.PathLike[str]) -> None:
        text = json.dumps(self.result, indent=2, ensure_ascii=False)
        write_private(path, text, "a result", (".json", ".txt"))


def left(counts: Counts, made: Any, of_release: Counts | None, for_guard: list[Counts]) -> dict[str, Any]:
    """What left the engine, in the words of other databases (docs/databases.md)."""
    import pyarrow.compute as compute

    names = [cell.name for cell in made.plan.quasi]
    combined = counts.table.group_by(names).aggregate([(counts.column, "sum")])
    sums = combined.column(f"{counts.column}_sum")
    told: dict[str, Any] = {
        "rows": 0,
        "combinations": combined.num_rows,
        "standing_for": counts.rows(),
        "once": counting.of_one(sums),
        "rarest": compute.min(sums).as_py() or 0,
        "with_sensitive": {"groups": counts.table.num_rows, "once": counts.once()},
    }
    if of_release is not None:
        told["of_release"] = {"groups": of_release.table.num_rows, "once": of_release.once()}
    if for_guard:
        told["for_guard"] = guarding.left(for_guard)
    if made.values:
        told["values"] = made.values
    return told


def document(engine: Any, made: Any, found: Any, target: Any, left_it: dict[str, Any]) -> dict[str, Any]:
    """The result of the search, with what became of it."""
    told = of_rows.result(found.document, made.plan, target)
    told["left_database"] = left_it
    about = dict(made.told)
    _tell_precision(about.get("base_level"), told)
    told["engine"] = {
        "name": engine.name,
        "order": "kept" if made.plan.keep_order else "random",
        "passed_through": made.plan.passed,
        "answers": [{"what": why, "rows": rows} for why, rows in engine.answers],
        **about,
    }
    return told


def tell_guarded(told: dict[str, Any], columns: list[dict[str, Any]]) -> None:
    """What the leak guard found of columns that pass through, also where it says that of others."""
    told["engine"]["guard"] = columns
    if "guard" in told:
        listed = {column["column"] for column in told["guard"]["columns"]}
        further = [{"role": "insensitive", **column} for column in columns if column["column"] not in listed]
        told["guard"] = {**told["guard"], "columns": [*told["guard"]["columns"], *further]}


def _tell_precision(base: dict[str, Any] | None, told: dict[str, Any]) -> None:
    """What is left of the detail of the table, where it was counted at a base level: the utility of
    the result is about the labels that were counted."""
    if base is None:
        return
    left: list[float] = []
    for column in told["figures"]["columns"]:
        level = base["levels"].get(column["column"], 0)
        height = column["height"] + level
        rows = sum(column["rows_at_level"]) + column["rows_dropped"]
        lost = sum(n * (i + level) for i, n in enumerate(column["rows_at_level"]))
        lost += column["rows_dropped"] * height
        if height and rows and not column["rows_made"]:
            left.append(1 - lost / (height * rows))
    whole = len(left) == len(told["figures"]["columns"])
    base["precision"] = sum(left) / len(left) if left and whole else None
