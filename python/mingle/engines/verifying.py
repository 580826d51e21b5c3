"""What the engine wrote, counted by the engine and judged by the verifier."""

from __future__ import annotations

from typing import Any

from .. import commands
from ..errors import DataError, PrivacyError
from . import counting
from .cells import Cell
from .counting import Counts
from .searching import Found


def _released_cells(written: Any, plan: Any) -> list[Cell]:
    schema = written.schema()
    quasi = [Cell(cell.name, "text", schema[cell.name]) for cell in plan.quasi]
    return quasi + [Cell(cell.name, cell.kind, schema[cell.name]) for cell in plan.sensitive]


def verify(engine: Any, written: Any, plan: Any, found: Found) -> Counts:
    """Counts what was written. Every model must hold on it, and the counts must be those that the
    search promised, combination for combination: a row that is lost, doubled or changed is found,
    whether the table changed meanwhile, or something on the way."""
    counts = counting.of_columns(engine, written, _released_cells(written, plan), "the release")
    promised = found.document["counts"]["column"]
    table = counts.table.rename_columns([*counts.table.column_names[:-1], promised])
    if table.num_rows == 0 and found.document["released_rows"] == 0:
        return counts
    if table.num_rows == 0:
        raise _changed(engine)
    answer = commands.check(table, against=found.document, missing=found.missing)
    if answer["against"]["agrees"] and answer.holds:
        return counts
    if answer["rows"] != found.document["released_rows"] or _models_hold(answer):
        raise _changed(engine)
    raise PrivacyError(
        f"what {engine.name} wrote does not keep the promise; nothing was released", code="unmet"
    )


def _models_hold(answer: Any) -> bool:
    return all(model["holds"] for model in answer["models"])


def _changed(engine: Any) -> DataError:
    return DataError(
        f"what {engine.name} wrote does not have the rows that were counted: the table was changed "
        "meanwhile, or is another one each time it is asked; nothing was released, run again when "
        "nothing writes to it",
        code="changed",
    )
