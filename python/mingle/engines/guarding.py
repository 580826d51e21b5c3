"""The leak guard by counts: each column that passes through, counted by the engine together with what
was searched, and judged by the library (docs/leak-guard.md).

What is judged are counts of the table; the written release is counted by the same columns, and must
have what the map makes of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..errors import PrivacyError, UsageError
from . import collations, counting, texts
from .cells import Cell
from .counting import Counts
from .searching import Found

#: A column with more groups than this is not fetched, and does not pass through unless it is
#: accepted unseen.
MOST_GROUPS = 4_000_000

#: So many columns are counted two by two, as many as the library tests.
MOST_PAIRED = 30

_ORDERED = ("integer", "text", "date")  # kinds of which every engine knows the least


@dataclass(frozen=True)
class Guarded:
    """A column, or two together, with the counts that the guard looks at."""

    cell: Cell
    counts: Counts
    other: Cell | None = None


def refuse_too_many(cell: Cell) -> PrivacyError:
    return PrivacyError(
        f"column {cell.name!r} would pass through, and has more than {MOST_GROUPS:,} combinations with "
        "quasi-identifiers and sensitive columns, too many for the leak guard to look at; leave it out "
        "(rest='drop', identifier=...), count coarser (base_level), or release it without a look by "
        f"allow_leaks=[{cell.name!r}]",
        code="leak",
        column=cell.name,
        key="allow-leaks",
    )


def _constants(engine: Any, table: Any, cells: list[Cell]) -> dict[str, Any]:
    """Columns of one value, found in one pass: they need no counts of their own. No value leaves the
    engine but that one."""
    import ibis

    tried = [cell for cell in cells if cell.kind in _ORDERED and not cell.is_hex]
    if len(tried) < 2:  # as many passes as counting it
        return {}
    asked = {"n": table.count()}
    for number, cell in enumerate(tried):
        column = cell.value(table)
        least = column.min()
        asked[f"v{number}"] = ibis.ifelse(least == column.max(), least, ibis.null(column.type()))
        asked[f"n{number}"] = column.count()
    found = engine.fetch(table.aggregate(**asked), "columns of one value")
    rows = found.column("n")[0].as_py()
    return {
        cell.name: found.column(f"v{number}")
        for number, cell in enumerate(tried)
        if found.column(f"v{number}")[0].is_valid and found.column(f"n{number}")[0].as_py() == rows
    }


def _with_constant(counts: Counts, name: str, value: Any) -> Counts:
    import pyarrow

    cells = value.take(pyarrow.array([0] * counts.table.num_rows, pyarrow.int64()))
    place = counts.table.num_columns - 1
    return Counts(counts.table.add_column(place, name, cells), counts.column)


def count(engine: Any, table: Any, plan: Any, counts: Counts) -> list[Guarded]:
    """Counts every column that passes through and was not accepted unseen."""
    collations.demand_bytes(engine, table, plan.guarded)
    constants = _constants(engine, table, plan.guarded) if counts.table.num_rows else {}
    made = []
    for cell in plan.guarded:
        if cell.name in constants:
            made.append(Guarded(cell, _with_constant(counts, cell.name, constants[cell.name])))
            continue
        why = f"{cell.name}, for the leak guard"
        found = counting.of_columns(engine, table, [*plan.counted(), cell], why, counts.column, MOST_GROUPS + 1)
        if found.table.num_rows > MOST_GROUPS:
            raise refuse_too_many(cell)
        made.append(Guarded(cell, found))
    varying = [cell for cell in plan.guarded if cell.name not in constants]
    return made + _count_pairs(engine, table, plan, counts, varying[: max(MOST_PAIRED - len(plan.sensitive), 0)])


def _count_pairs(engine: Any, table: Any, plan: Any, counts: Counts, cells: list[Cell]) -> list[Guarded]:
    """Columns two by two. Those with too many groups are left out, and the result names them."""
    made = []
    for number, one in enumerate(cells):
        for other in cells[number + 1 :]:
            why = f"{one.name} and {other.name}, for the leak guard"
            wanted = [*plan.counted(), one, other]
            found = counting.of_columns(engine, table, wanted, why, counts.column, MOST_GROUPS + 1)
            if found.table.num_rows <= MOST_GROUPS:
                made.append(Guarded(one, found, other))
    return made


def for_search(plan: Any, counts: Counts, guarded: list[Guarded]) -> dict[str, Any]:
    """What the library is told of them. Sensitive columns are in the counts of the table."""
    if not plan.is_guarded:
        return {}
    return {
        "insensitive": plan.passed or None,
        "guard_counts": [one.counts.table for one in guarded] or [counts.table],
    }


def refuse_unnamed(plan: Any, guarded: list[Guarded], document: dict[str, Any]) -> None:
    """Columns that pass by `rest` and that the library judges identifiers or quasi-identifiers are
    refused, as they are elsewhere; the library is given all columns by name here."""
    unnamed = {one.cell.name for one in guarded} - set(plan.named)
    said = document.get("guard", {}).get("warnings", [])
    found = [entry for entry in said if entry["code"] == "passed-through" and entry["column"] in unnamed]
    if found:
        lines = "".join(f"  {entry['message']}\n" for entry in found)
        raise UsageError(
            "columns that the call does not name would pass through as they are (rest='insensitive'), and "
            f"others may know them; nothing was written:\n{lines}  quasi, sensitive or identifier gives a "
            "column a role, insensitive accepts it by its name",
            code="unnamed",
            column=found[0]["column"],
            key="rest",
        )


def verify(engine: Any, written: Any, cells: list[Cell], found: Found, guarded: list[Guarded]) -> bool:
    """Whether the written release has the counts that were judged, of every column."""
    for one in guarded:
        if one.other is not None:  # both were counted alone as well
            continue
        cell = replace(one.cell, dtype=written.schema()[one.cell.name])
        why = f"{cell.name} in the release, for the leak guard"
        counts = counting.of_columns(engine, written, [*cells, cell], why, one.counts.column)
        if not _agree(_texts(counts, found), _released(one.counts, found, len(found.map.column_names) // 2)):
            return False
    return True


def _texts(counts: Counts, found: Found) -> Any:
    """Texts t0, t1, ... and the counts, n."""
    import pyarrow

    columns = [texts.of_column(column, found.missing) for column in counts.table.columns[:-1]]
    made = {f"t{i}": column for i, column in enumerate(columns)}
    return pyarrow.table({**made, "n": counts.table.column(counts.column)})


def _released(counts: Counts, found: Found, n_quasi: int) -> Any:
    """What the map makes of counts of the table."""
    ground = _texts(counts, found)
    names = [f"t{i}" for i in range(n_quasi)]
    joined = ground.join(found.map, keys=names, right_keys=[f"m{i}" for i in range(n_quasi)], join_type="inner")
    for i, name in enumerate(names):
        place = joined.column_names.index(name)
        joined = joined.set_column(place, name, joined.column(f"m{n_quasi + i}"))
    return joined.select(ground.column_names)


def _agree(one: Any, other: Any) -> bool:
    import pyarrow
    import pyarrow.compute as compute

    other = other.set_column(other.num_columns - 1, "n", compute.negate(other.column("n").cast("int64")))
    one = one.set_column(one.num_columns - 1, "n", one.column("n").cast("int64"))
    both = pyarrow.concat_tables([one, other])
    sums = both.group_by([name for name in one.column_names if name != "n"]).aggregate([("n", "sum")])
    return bool(compute.all(compute.equal(sums.column("n_sum"), 0)).as_py() in (True, None))


def told(plan: Any, guarded: list[Guarded], document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every column that passes through: whether the guard looked at it, and what it found."""
    seen = {one.cell.name for one in guarded}
    said = [*document.get("leaks", []), *document.get("guard", {}).get("warnings", [])]
    return [
        {
            "column": name,
            "looked_at": name in seen,
            "found": [entry["code"] for entry in said if name in (entry["column"], entry.get("with"))],
        }
        for name in plan.passed
    ]


def left(counts: list[Counts]) -> dict[str, int]:
    """What left the engine for the guard."""
    return {"groups": sum(one.table.num_rows for one in counts), "once": sum(one.once() for one in counts)}
