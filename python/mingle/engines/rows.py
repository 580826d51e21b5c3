"""Rows of a cursor as Arrow: a way through pandas would make floats of whole numbers with NULLs."""

from __future__ import annotations

from typing import Any


def to_arrow(rows: list[Any], schema: Any) -> Any:
    """schema: of Arrow."""
    import pyarrow

    columns: list[Any] = list(zip(*rows)) or [[] for _ in schema]
    arrays = [_array(cells, field.type) for cells, field in zip(columns, schema)]
    return pyarrow.Table.from_arrays(arrays, names=schema.names)


def _array(cells: Any, dtype: Any) -> Any:
    import pyarrow

    if pyarrow.types.is_boolean(dtype):
        cells = [None if cell is None else bool(cell) for cell in cells]
    return pyarrow.array(cells, dtype)
