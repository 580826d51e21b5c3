"""What is told about a release that an engine wrote."""

from __future__ import annotations

import json
import os
from typing import Any

from ..release import Release
from . import counting
from .counting import Counts


class EngineRelease(Release):
    """A release that lies in its engine. ``result`` says what left the engine
    (``left_database``)."""

    def save(self, path: str | os.PathLike[str]) -> None:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(self.result, file, indent=2, ensure_ascii=False)


def left(counts: Counts, plan: Any, of_release: Counts | None) -> dict[str, Any]:
    """What left the engine, in the words of other databases (docs/databases.md)."""
    import pyarrow.compute as compute

    names = [cell.name for cell in plan.quasi]
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
    return told


def document(engine: Any, plan: Any, found: Any, target: Any, left_it: dict[str, Any]) -> dict[str, Any]:
    """The result of the search, with what became of it."""
    told: dict[str, Any] = dict(found.document)
    told["output"] = None if target is None else str(target)
    told["left_database"] = left_it
    guard = dict(told.get("guard") or {})
    guard["columns"] = [*guard.get("columns", [])] + [
        {"column": name, "role": "insensitive", "looked_at": False, "found": []} for name in plan.passed
    ]
    told["guard"] = guard
    told["unchanged"] = [
        *told.get("unchanged", []),
        *({"column": name, "role": "insensitive"} for name in plan.passed),
    ]
    told["engine"] = {
        "name": engine.name,
        "order": "kept" if plan.keep_order else "random",
        "answers": [{"what": why, "rows": rows} for why, rows in engine.answers],
    }
    return told
