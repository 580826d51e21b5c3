"""What the engine wrote, counted by the engine and judged by the verifier."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .. import commands, keys
from ..errors import DataError, PrivacyError
from ..release import Release
from . import counting, guarding, levels, texts
from .cells import Cell
from .counting import Counts
from .searching import Found


def _released_cells(written: Any, plan: Any) -> list[Cell]:
    schema = written.schema()
    quasi = [
        replace(cell, kind="text", dtype=schema[cell.name], may_be_nan=False) for cell in plan.quasi
    ]
    return quasi + [replace(cell, dtype=schema[cell.name], may_be_nan=False) for cell in plan.sensitive]


def verify(engine: Any, written: Any, made: Any, found: Found, guarded: list[Any]) -> Counts:
    """Counts what was written. Every model must hold on it, and the counts must be those that the
    search promised, combination for combination: a row that is lost, doubled or changed is found,
    whether the table changed meanwhile, or something on the way."""
    cells = _released_cells(written, made.plan)
    counts = counting.of_columns(engine, written, cells, "the release")
    promised = found.document["counts"]["column"]
    table = counts.table.rename_columns([*counts.table.column_names[:-1], promised])
    if table.num_rows == 0 and found.document["released_rows"] == 0:
        return counts
    if table.num_rows == 0:
        raise changed(engine)
    if made.has_marks:
        answer = commands.check(table, **_asked_of_check(made.said), count=promised, missing=found.missing)
        agrees = _texts(table, found.missing) == _texts(_promised(made, found), found.missing)
    else:
        answer = commands.check(table, against=found.document, missing=found.missing)
        agrees = answer["against"]["agrees"]
    if agrees and not guarding.verify(engine, written, cells, found, guarded):
        agrees = False
    if agrees and _models_hold(answer):
        return counts
    if not agrees:
        raise changed(engine)
    raise PrivacyError(
        f"what {engine.name} wrote does not keep the promise; nothing was released", code="unmet"
    )


_OF_CHECK = (
    "qi",
    "qi-set",
    "sensitive",
    "distance",
    "sensitive-hierarchy",
    "policy",
    "kind",
    "spelling",
    "missing-sensitive",
)


def _asked_of_check(said: dict[str, Any]) -> dict[str, Any]:
    """The roles and models of a call."""
    known = keys.catalogue("keys")
    asked = {}
    for name, value in said.items():
        entry = known.get(keys.key_of(name))
        if name == "models" or (entry is not None and entry["where"] == "model"):
            asked[name] = value
        elif keys.key_of(name) in _OF_CHECK:
            asked[name] = value
    return asked


def _promised(made: Any, found: Found) -> Any:
    """The release of the search, with labels as they are written."""
    import pyarrow

    table = pyarrow.RecordBatchReader.from_stream(Release(found.core)).read_all()
    for cell in made.plan.quasi:
        place = table.column_names.index(cell.name)
        texts_of = levels.plain(table.column(place).cast(pyarrow.string()))
        table = table.set_column(place, cell.name, texts_of)
    return table


def _texts(table: Any, missing: list[str]) -> dict[Any, int]:
    """Combinations by their texts, with their counts; the counts are the last column."""
    columns = [texts.of_column(column, missing).to_pylist() for column in table.columns[:-1]]
    order = sorted(range(len(columns)), key=lambda i: str(table.column_names[i]))
    sums: dict[Any, int] = {}
    for row in zip(*(columns[i] for i in order), table.columns[-1].to_pylist()):
        sums[row[:-1]] = sums.get(row[:-1], 0) + row[-1]
    return sums


def _models_hold(answer: Any) -> bool:
    return all(model["holds"] for model in answer["models"])


def changed(engine: Any, what: str = "wrote") -> DataError:
    return DataError(
        f"what {engine.name} {what} does not have the rows that were counted: the table was changed "
        "meanwhile, or is another one each time it is asked; nothing was released, run again when "
        "nothing writes to it",
        code="changed",
    )
