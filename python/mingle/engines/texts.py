"""The texts of typed cells, made by the library itself."""

from __future__ import annotations

from typing import Any

from .. import _core, keys

_NULL = "\x01"  # no text of a typed cell


def of_values(values: Any) -> list[str]:
    """The text that the library has for each value of an Arrow array without nulls."""
    import pyarrow
    import pyarrow.csv

    if pyarrow.types.is_string(values.type) or pyarrow.types.is_large_string(values.type):
        return list(values.to_pylist())
    if pyarrow.types.is_integer(values.type):
        return [str(value) for value in values.to_pylist()]
    if len(values) == 0:
        return []
    job = _core.Job()
    table = pyarrow.table({"value": values, "one": pyarrow.array(["1"] * len(values))})
    job.give_stream("data", table.__arrow_c_stream__())
    job.set("data", "memory:data")
    keys.Filling(job, "anonymize", lambda command, asked: asked.run(command)).fill(
        {
            "quasi": ["one"],
            "insensitive": ["value"],
            "allow_leaks": ["value"],
            "k": 1,
            "keep_order": True,
            "missing": [_NULL],
            "output": "memory:texts.csv",
        }
    )
    written = pyarrow.csv.read_csv(
        pyarrow.BufferReader(job.run("anonymize").bytes("texts.csv")),
        convert_options=pyarrow.csv.ConvertOptions(
            column_types={"value": pyarrow.string()}, strings_can_be_null=False
        ),
    )
    return list(written.column("value").to_pylist())


def of_column(column: Any, missing: list[str]) -> Any:
    """The texts of an Arrow column, what is missing as the first of the texts that mean it."""
    import pyarrow
    import pyarrow.compute as compute

    column = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    encoded = compute.dictionary_encode(column)
    if isinstance(encoded, pyarrow.ChunkedArray):
        encoded = encoded.combine_chunks()
    texts = [missing[0] if text in missing else text for text in of_values(encoded.dictionary)]
    taken = pyarrow.array(texts, pyarrow.string()).take(encoded.indices)
    return taken.fill_null(missing[0])
