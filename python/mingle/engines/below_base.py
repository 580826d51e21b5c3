"""The leak guard below the base level.

What is counted at a base level tells the guard whether a column gives back its labels. Whether it gives
back the values below them is judged by counts of the column and one quasi-identifier at a time, as if
that were released at its base level: nothing is released finer than that.
"""

from __future__ import annotations

import json
from typing import Any

from .. import _core, commands, tables
from ..errors import PrivacyError
from . import counting, guarding, searching
from .cells import Cell
from .counting import Counts
from .plan import Plan, not_accepted

_GIVES_BACK = ("recovers-column", "text-repeats-column")


def _refuse(cell: Cell, base: Cell) -> PrivacyError:
    return PrivacyError(
        f"column {cell.name!r} gives back values of {base.name!r} below its base level; leave it out, make "
        f"it a quasi-identifier, or accept that by allow_leaks=[{cell.name!r}]",
        code="leak",
        column=cell.name,
        key="allow-leaks",
    )


def _gives_back(base: Cell, cell: Cell, counts: Counts, level: int, asked: Plan, said: dict[str, Any]) -> bool:
    """The verdict of the library on a release of one column at its base level, beside the other. Nobody
    knows here what that would do to classes, so that what is a warning there is an objection here."""
    sums = counts.table.group_by(base.name).aggregate([(counts.column, "sum")])
    job = _core.Job()
    given = tables.give(job, "data", sums.rename_columns([base.name, counts.column]))
    told: dict[str, Any] = {
        "quasi": [base.name],
        "insensitive": [cell.name],
        "guard_counts": [counts.table],
        "count": counts.column,
        "missing": searching.missing_texts(asked.missing, [counts.table]),
        "k": 1,
        "method": "mingen",
        "level": {base.name: level},
        "suppress": "0",
    }
    hierarchies = said.get("hierarchy") or {}
    if base.name in hierarchies:
        told["hierarchy"] = {base.name: hierarchies[base.name]}
    try:
        core, _ = commands.run("anonymize", job, told, given)
    except PrivacyError:
        return True
    warnings = json.loads(core.json()).get("guard", {}).get("warnings", [])
    return any(warning["code"] in _GIVES_BACK for warning in warnings)


def judge(
    engine: Any, table: Any, asked: Plan, base_level: dict[str, Any] | None, said: dict[str, Any]
) -> list[Counts]:
    """Refuses what gives back values below the base level; the counts that left the engine for it.
    Sensitive columns with too many groups are released all the same, and named."""
    if base_level is None or not asked.is_guarded:
        return []
    levels: dict[str, int] = base_level["levels"]
    base_level["not_looked_at"] = []
    looked_at = not_accepted([cell.name for cell in asked.sensitive], said)
    fetched = []
    for base in (cell for cell in asked.quasi if levels.get(cell.name)):
        for cell in (*asked.guarded, *(cell for cell in asked.sensitive if cell.name in looked_at)):
            counts = _counted_together(engine, table, base, cell)
            fetched.append(counts)
            if counts.table.num_rows > guarding.MOST_GROUPS:
                if cell in asked.guarded:
                    raise guarding.refuse_too_many(cell)
                base_level["not_looked_at"].append([cell.name, base.name])
            elif counts.table.num_rows and _gives_back(base, cell, counts, levels[base.name], asked, said):
                raise _refuse(cell, base)
    return fetched


def _counted_together(engine: Any, table: Any, base: Cell, cell: Cell) -> Counts:
    column = counting.free_name([base.name, cell.name])
    why = f"{cell.name} with {base.name}, for the leak guard"
    return counting.of_columns(engine, table, [base, cell], why, column, guarding.MOST_GROUPS + 1)
