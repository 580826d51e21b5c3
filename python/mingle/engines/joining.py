"""The release as an expression of the engine: the table joined with the map.

Keys are joined by plain equality, which every engine can hash. Columns in which something is
missing have a mark beside the value, so that NULL meets NULL and NaN meets NaN, and nothing else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from .cells import Cell, to_hex


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


_FILLS = {"text": "", "float": 0.0, "integer": 0, "boolean": False}


def _fill_of(column: Any, cell: Cell) -> Any:
    """Something of the type of the column; None: there is nothing in it."""
    if cell.kind in _FILLS:
        return _FILLS[cell.kind]
    return next((value for value in column.to_pylist() if value is not None), None)


def _as_grouped(column: Any, cell: Cell) -> Any:
    return to_hex(column) if cell.is_hex else column


def _keys(cells: list[Cell], small: Any, table: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys c0, c1, ... of a small table of Arrow, and what they are of the table's rows."""
    keys: dict[str, Any] = {}
    wanted: dict[str, Any] = {}
    for i, cell in enumerate(cells):
        column = small.column(f"c{i}")
        if not _has_marks(column, cell):
            keys[f"c{i}"], wanted[f"c{i}"] = _as_grouped(column, cell), cell.value(table)
            continue
        keys[f"f{i}"], wanted[f"f{i}"] = _marks(column, cell), cell.mark(table)
        fill = _fill_of(column, cell)
        if fill is not None:  # else every cell is missing, and the mark says so
            keys[f"c{i}"] = _as_grouped(_filled(column, cell, fill), cell)
            wanted[f"c{i}"] = cell.filled(table, fill)
    return keys, wanted


def with_map(engine: Any, table: Any, cells: list[Cell], small: Any, extras: list[str]) -> Any:
    """The rows of a table that a small table knows, with columns of that."""
    import pyarrow

    keys, wanted = _keys(cells, small, table)
    uploaded = engine.upload(pyarrow.table({**keys, **{name: small.column(name) for name in extras}}))
    ours = {f"mingle_{key}": value for key, value in wanted.items()}
    names = list(table.columns)
    rows = table.mutate(**ours)
    joined = rows.join(uploaded, [rows[f"mingle_{key}"] == uploaded[key] for key in keys])
    return joined.select(*(joined[name] for name in (*names, *extras)))


def with_groups(table: Any, cells: list[Cell], groups: Any, levels: list[Any], extras: list[str]) -> Any:
    """The rows of a table with columns of a table of the engine, which has a row for each
    combination (its keys are mingle_k0, mingle_k1, ...)."""
    ours: dict[str, Any] = {}
    theirs: dict[str, Any] = {}
    for i, cell in enumerate(cells):
        key = replace(cell, name=f"mingle_k{i}")
        values = levels[i].values
        fill = _fill_of(values, cell) if _has_marks(values, cell) else None
        if fill is None and not values.null_count:
            ours[f"mingle_o{i}"], theirs[f"mingle_t{i}"] = cell.value(table), key.value(groups)
            continue
        ours[f"mingle_p{i}"], theirs[f"mingle_u{i}"] = cell.mark(table), key.mark(groups)
        if fill is not None:
            ours[f"mingle_o{i}"] = cell.filled(table, fill)
            theirs[f"mingle_t{i}"] = key.filled(groups, fill)
    names = list(table.columns)
    rows = table.mutate(**ours)
    right = groups.select(**theirs, **{name: groups[name] for name in extras})
    joined = rows.join(right, [rows[a] == right[b] for a, b in zip(ours, theirs)])
    return joined.select(*(joined[name] for name in (*names, *extras)))


def release_of(engine: Any, table: Any, plan: Any, made: Any) -> Any:
    """The released rows, in random order unless the order is to be kept."""
    keys, wanted = _keys(plan.quasi, made, table)
    place = {cell.name: i for i, cell in enumerate(plan.quasi)}
    passed = {name: f"p{i}" for i, name in enumerate(plan.released) if name not in place}
    wanted.update({key: table[name] for name, key in passed.items()})
    released = {f"r{i}": made.column(f"r{i}") for i in place.values()}
    rows = table.select(**wanted)
    if engine.shuffles_numbers and not plan.keep_order:
        joined = _shuffled_by_number(engine, rows, keys, released, list(passed.values()))
    else:
        joined = _joined(engine, rows, keys, released)
    chosen = {
        name: joined[f"r{place[name]}"] if name in place else joined[passed[name]]
        for name in plan.released
    }
    release = joined.select(**chosen)
    return release if plan.keep_order or engine.shuffles_numbers else engine.shuffled(release)


def _joined(engine: Any, rows: Any, keys: dict[str, Any], columns: dict[str, Any]) -> Any:
    import pyarrow

    small = engine.upload(pyarrow.table({**keys, **columns}))
    return rows.join(small, [rows[key] == small[key] for key in keys])


def _shuffled_by_number(
    engine: Any, rows: Any, keys: dict[str, Any], released: dict[str, Any], passed: list[str]
) -> Any:
    """Rows with the number of their combination are put in a random order, and what it is released as
    is joined afterwards: numbers are shorter than texts, and shuffling is most of the work. Whatever a
    join does to the order, it knows nothing of the one the rows had."""
    import pyarrow

    numbers = pyarrow.array(range(len(next(iter(released.values())))), pyarrow.int32())
    joined = _joined(engine, rows, keys, {"mingle_number": numbers})
    shuffled = engine.shuffled(joined.select("mingle_number", *passed))
    small = engine.upload(pyarrow.table({"mingle_n": numbers, **released}))
    return shuffled.join(small, [shuffled["mingle_number"] == small["mingle_n"]])
