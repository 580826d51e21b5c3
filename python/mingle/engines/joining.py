"""The release as an expression of the engine: the table joined with the map.

Keys are joined by plain equality, which every engine can hash. Columns in which something is
missing have a mark beside the value, so that NULL meets NULL and NaN meets NaN, and nothing else.
"""

from __future__ import annotations

from typing import Any

from .cells import Cell


def _has_marks(column: Any, cell: Cell) -> bool:
    import pyarrow.compute as compute

    if column.null_count:
        return True
    return cell.kind == "float" and bool(compute.any(compute.is_nan(column)).as_py())


def _marks(column: Any, cell: Cell) -> Any:
    import pyarrow
    import pyarrow.compute as compute

    marks = compute.if_else(compute.is_null(column), 1, 0)
    if cell.kind == "float":
        marks = compute.if_else(compute.fill_null(compute.is_nan(column), False), 2, marks)
    return marks.cast(pyarrow.int8())


def _filled(column: Any, cell: Cell, fill: Any) -> Any:
    import pyarrow
    import pyarrow.compute as compute

    scalar = pyarrow.scalar(fill, column.type)
    if cell.kind == "float":
        column = compute.if_else(compute.fill_null(compute.is_nan(column), True), scalar, column)
    return compute.fill_null(column, scalar)


def _fill_of(column: Any, cell: Cell) -> Any:
    """Some value of the column: of its type, whatever that is."""
    import pyarrow.compute as compute

    for value in compute.unique(column).to_pylist():
        if value is not None and value == value:
            return value
    return {"text": "", "float": 0.0, "integer": 0, "boolean": False}.get(cell.kind)


def release_of(engine: Any, table: Any, plan: Any, made: Any) -> Any:
    """The released rows, in random order unless the order is to be kept."""
    import pyarrow

    keys: dict[str, Any] = {}  # of the map
    wanted: dict[str, Any] = {}  # of the table
    for i, cell in enumerate(plan.quasi):
        column = made.column(f"c{i}")
        fill = _fill_of(column, cell) if _has_marks(column, cell) else None
        if fill is None and column.null_count == len(column):
            keys[f"f{i}"], wanted[f"f{i}"] = _marks(column, cell), cell.mark(table)
            continue
        if fill is not None:
            keys[f"f{i}"], wanted[f"f{i}"] = _marks(column, cell), cell.mark(table)
            keys[f"c{i}"], wanted[f"c{i}"] = _filled(column, cell, fill), cell.filled(table, fill)
        else:
            keys[f"c{i}"], wanted[f"c{i}"] = column, cell.value(table)
    released = {f"r{i}": made.column(f"r{i}") for i in range(len(plan.quasi))}
    number = {name: i for i, name in enumerate(plan.released)}
    place = {cell.name: i for i, cell in enumerate(plan.quasi)}
    for name in plan.released:
        if name not in place:
            wanted[f"p{number[name]}"] = table[name]
    small = engine.upload(pyarrow.table({**keys, **released}))
    rows = table.select(**wanted)
    joined = rows.join(small, [rows[key] == small[key] for key in keys])
    chosen = {
        name: joined[f"r{place[name]}"] if name in place else joined[f"p{number[name]}"]
        for name in plan.released
    }
    release = joined.select(**chosen)
    return release if plan.keep_order else engine.shuffled(release)
