"""The result of a search on counts as one of the rows that the engine wrote.

Whoever has the released rows holds the result against them (``check``, ``gate`` with ``against``):
its columns are those of the table, also those that pass through, and no count is among them. What it
says of rows, classes and models is the same for both.
"""

from __future__ import annotations

from typing import Any

from .plan import Plan
from .targets import Folder, Target

#: Keys of the job that are about counts.
_OF_COUNTS = ("count", "guard-counts", "save-map")


def result(found: dict[str, Any], plan: Plan, target: Target | None) -> dict[str, Any]:
    """target: where the rows are; None: nothing was released."""
    where = None if target is None else str(target)
    told = {key: value for key, value in found.items() if key != "counts"}
    told["output"] = where
    told["audit"] = {
        **found["audit"],
        "job": {**_job(found["audit"]["job"], plan, target), "output": where},
        "columns": _columns(found["audit"]["columns"], plan),
        "release": None,  # nobody has seen the rows for a digest of them
    }
    passed = [{"column": name, "role": "insensitive"} for name in plan.passed]
    told["unchanged"] = [*found.get("unchanged", []), *passed]
    return told


def _job(job: dict[str, Any], plan: Plan, target: Target | None) -> dict[str, Any]:
    made = {key: value for key, value in job.items() if key not in _OF_COUNTS}
    others = {
        name: {"role": role} for name, role in plan.roles.items() if role in ("identifier", "insensitive")
    }
    made["attributes"] = {**job["attributes"], **others}
    if "left out" in plan.roles.values():
        made["rest"] = "drop"
    if isinstance(target, Folder) and target.partition_by:
        made["partition-by"] = list(target.partition_by)
    return made


def _columns(counted: list[dict[str, Any]], plan: Plan) -> list[dict[str, Any]]:
    known = {entry["column"]: entry for entry in counted if entry["role"] != "count"}
    return [
        known.get(name, {"column": name, "role": role, "released": role == "insensitive"})
        for name, role in plan.roles.items()
    ]
