"""Counts by an engine: how many rows have each combination."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .cells import Cell, from_hex


@dataclass(frozen=True)
class Counts:
    """Combinations with their counts, as Arrow; `column` is the name of the counts."""

    table: Any
    column: str

    def rows(self) -> int:
        """How many rows were counted."""
        import pyarrow.compute as compute

        return int(compute.sum(self.table.column(self.column)).as_py() or 0)

    def once(self) -> int:
        """How many combinations occur once."""
        return of_one(self.table.column(self.column))


def of_one(counts: Any) -> int:
    import pyarrow.compute as compute

    return int(compute.sum(compute.equal(counts, 1)).as_py() or 0)


def free_name(names: list[str]) -> str:
    """A name for the counts that no column has."""
    name, number = "count", 2
    while name in names:
        name, number = f"count {number}", number + 1
    return name


def grouped(table: Any, cells: list[Cell]) -> Any:
    """The question: c0, c1, ... and how many rows have them, n."""
    by = [cell.value(table).name(f"c{number}") for number, cell in enumerate(cells)]
    return table.group_by(by).agg(n=table.count())


def of_columns(
    engine: Any, table: Any, cells: list[Cell], why: str, column: str | None = None, most: int | None = None
) -> Counts:
    """Every combination that occurs, with its count; at most so many of them. column: the name of
    the counts."""
    question = grouped(table, cells)
    found = engine.fetch(question if most is None else question.limit(most), why)
    for place, cell in enumerate(cells):
        if cell.is_hex:
            found = found.set_column(place, f"c{place}", from_hex(found.column(place)))
    column = column or free_name([cell.name for cell in cells])
    return Counts(found.rename_columns([*(cell.name for cell in cells), column]), column)
