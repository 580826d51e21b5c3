"""Whether an engine tells texts apart by their bytes.

Collations ignore case, accents or blanks at the end, and each column may have one of its own. The
engine is asked to group a handful of texts as it groups the column; it must keep them apart.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from .cells import Cell, refuse

#: Texts that some collation takes for equal.
PROBES = ("a", "A", "á", "a\u0301", "a ", "a\t", " a", "ß", "ss", "ａ", "1", "01", "", " ", "I", "ı")


def probes(cell: Cell) -> list[str]:
    """Those that fit into the column."""
    length = getattr(cell.dtype, "length", None)
    return [text for text in PROBES if length is None or len(text) <= length]


def probe(engine: Any, table: Any, cell: Cell) -> list[str]:
    """The probes as the engine groups them by the collation of a column; no rows are read."""
    import ibis

    column = cell.value(table)
    rows = [table.filter(ibis.literal(False)).select(c=column)]
    rows += [
        ibis.literal(text, "string").cast(column.type()).name("c").as_table() for text in probes(cell)
    ]
    probed = reduce(lambda above, below: above.union(below, distinct=False), rows)
    groups = probed.group_by("c").agg(n=probed.count())
    found: list[str] = engine.fetch(groups, "texts of our own, to try a collation").column("c").to_pylist()
    return found


def demand_bytes(engine: Any, table: Any, cells: list[Cell]) -> None:
    """Fails if a column of texts is compared otherwise than byte for byte."""
    for cell in cells:
        if cell.kind == "text" and sorted(engine.probe(table, cell)) != sorted(probes(cell)):
            raise refuse(
                cell.name,
                f"has a collation in {engine.name} that takes different texts for equal",
                "give a view in which it has a binary collation",
            )
