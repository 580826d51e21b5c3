"""Columns as an engine counts them: equal exactly if the texts of their cells are.

Texts of typed cells are the library's (docs/arrow.md). An engine groups and joins typed values,
which is exact for the types below; floats have a mark for NaN and one zero. What an engine would
merge or change is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ..errors import DataError

KINDS = ("integer", "boolean", "float", "decimal", "text", "date", "timestamp", "time")

_PLAIN, _NULL, _NAN = 0, 1, 2  # marks


@dataclass(frozen=True)
class Cell:
    """A column that is counted: its name, kind, and type in Ibis."""

    name: str
    kind: str
    dtype: Any
    may_be_nan: bool = False
    in_hex: bool = False  # texts are grouped by the digits of their bytes, whatever their collation

    @property
    def is_hex(self) -> bool:
        return self.in_hex and self.kind == "text"

    def value(self, table: Any) -> Any:
        """What is grouped by: the cell, one zero for floats."""
        column = table[self.name]
        if self.kind == "float":
            return column + 0.0
        column = column.cast("string") if self.kind == "text" and not column.type().is_string() else column
        return _hex()(column) if self.is_hex else column

    def mark(self, table: Any) -> Any:
        """Whether the cell is a value, NULL or NaN."""
        import ibis

        column = self.value(table)
        plain, null, nan = (ibis.literal(mark, "int8") for mark in (_PLAIN, _NULL, _NAN))
        mark = ibis.ifelse(column.isnull(), null, plain)
        # NaN first: Ibis takes it for NULL, too, in Spark
        return ibis.ifelse(column.isnan(), nan, mark) if self.may_be_nan else mark

    def filled(self, table: Any, fill: Any) -> Any:
        """The value, with something that is equal to itself where it is NULL or NaN."""
        import ibis

        column = self.value(table)
        literal = ibis.literal(fill, column.type())
        if self.may_be_nan:
            column = ibis.ifelse(column.isnan(), literal, column)
        return ibis.coalesce(column, literal)


@lru_cache(maxsize=1)
def _hex() -> Any:
    """HEX(column), as a function that the engine has."""
    import ibis

    def digits(text: str) -> str:
        return text  # never called: the engine has its own

    return ibis.udf.scalar.builtin(name="HEX")(digits)


def to_hex(texts: Any) -> Any:
    """Texts of Arrow as the digits of their bytes."""
    import pyarrow

    return pyarrow.array(
        [None if text is None else text.encode().hex().upper() for text in texts.to_pylist()], pyarrow.string()
    )


def from_hex(digits: Any) -> Any:
    import pyarrow

    return pyarrow.array(
        [None if one is None else bytes.fromhex(one).decode() for one in digits.to_pylist()], pyarrow.string()
    )


def _kind(dtype: Any) -> str | None:
    tests = {
        "integer": dtype.is_integer(),
        "boolean": dtype.is_boolean(),
        "float": dtype.is_floating(),
        "decimal": dtype.is_decimal() and None not in (dtype.precision, dtype.scale),
        "text": dtype.is_string(),
        "date": dtype.is_date(),
        "timestamp": dtype.is_timestamp(),
        "time": dtype.is_time(),
    }
    return next((kind for kind, fits in tests.items() if fits), None)


def refuse(column: str, why: str, remedy: str) -> DataError:
    return DataError(f"column {column!r} {why}; {remedy}", code="column-type", column=column)


def cell_of(engine: Any, table: Any, name: str) -> Cell:
    """A column of a table, if it can be counted."""
    dtype = table.schema()[name]
    kind = engine.kind_of(name, dtype, _kind(dtype))
    if kind is None and dtype.is_decimal():
        raise refuse(
            name,
            "is a decimal without a scale, so that equal numbers have different texts",
            "cast it to decimal(p, s)",
        )
    if kind is None:
        raise refuse(name, f"is of the type {dtype}, which cannot be counted", "cast it to a text")
    return Cell(name, kind, dtype, kind == "float" and engine.has_nan, engine.texts_in_hex)
