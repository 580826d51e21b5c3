"""Data frames of pandas without Arrow: columns as buffers for the library, and back.

A frame goes in column by column. What a column was is remembered (``Origin``), so that one which is
passed through comes back as what it was: its dtype, its categories, its objects. The index never
goes in, so it is never released.
"""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Callable
from functools import partial
from typing import Any

from . import _core
from .errors import DataError, UsageError
from .origins import Origin, module, recoded, restored, retyped, spans, unpacked

_NUMBERS = {
    "int8": "c",
    "uint8": "C",
    "int16": "s",
    "uint16": "S",
    "int32": "i",
    "uint32": "I",
    "int64": "l",
    "uint64": "L",
    "float16": "e",
    "float32": "f",
    "float64": "g",
}
_DTYPES = {code: name for name, code in _NUMBERS.items()}
_EXACT = decimal.Context(prec=80)  # more digits than any column has
_UNITS = {"s": "s", "ms": "m", "us": "u", "ns": "n"}


def is_frame(table: Any) -> bool:
    """Whether it is a frame of pandas, or one derived of it; pandas is not imported for that."""
    return _derives(table, "DataFrame")


def is_column(table: Any) -> bool:
    """Whether it is a column of pandas, which is no table."""
    return _derives(table, "Series")


def _derives(table: Any, name: str) -> bool:
    kinds = type(table).__mro__
    return any(k.__name__ == name and k.__module__.split(".")[0] == "pandas" for k in kinds)


# ---- To the library ------------------------------------------------------------------------------


def _bits(there: Any) -> tuple[int, Any]:
    """Nulls and bitmap of a mask of what is there."""
    np = module("numpy")

    nulls = int(len(there) - np.count_nonzero(there))
    return nulls, (None if nulls == 0 else np.packbits(there, bitorder="little"))


def _plain(name: str, code: str, values: Any, there: Any = None) -> Any:
    np = module("numpy")

    nulls, bits = (0, None) if there is None else _bits(there)
    values = np.ascontiguousarray(values)
    return _core.column(name, code, len(values), nulls, (bits, values), None, False)


def _refuse_nul(origin: Origin) -> DataError:
    return DataError(
        f"column {origin.label!r}: a text has a NUL character; remove it, for example with "
        ".str.replace('\\0', '', regex=False)",
        code="bad-cell",
        column=name_of(origin.label),
    )


def _utf8(text: str, origin: Origin) -> bytes:
    if "\0" in text:
        raise _refuse_nul(origin)
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise DataError(
            f"column {origin.label!r}: a text has half of a surrogate pair, which is no character; "
            "remove it",
            code="bad-cell",
            column=name_of(origin.label),
        ) from None


def _texts(texts: list[str], origin: Origin) -> Any:
    """Entries of a column."""
    np = module("numpy")

    encoded = [_utf8(text, origin) for text in texts]
    offsets = np.zeros(len(encoded) + 1, dtype=np.int64)
    np.cumsum([len(e) for e in encoded], out=offsets[1:])
    return _core.column("", "U", len(texts), 0, (None, offsets, b"".join(encoded)), None, False)


def _coded(name: str, codes: Any, entries: Any, ordered: bool = False) -> Any:
    """Codes with -1 where nothing is."""
    np = module("numpy")

    codes = np.ascontiguousarray(codes)
    whole = len(codes) == 0 or codes.min() >= 0
    nulls, bits = (0, None) if whole else _bits(codes >= 0)
    code = _NUMBERS[codes.dtype.name]
    return _core.column(name, code, len(codes), nulls, (bits, codes), entries, ordered)


def _narrowest(n: int) -> str:
    """The smallest type of codes of n things."""
    return "int8" if n < 128 else "int16" if n < 32768 else "int32"


def _demand_no_nul(series: Any, origin: Origin) -> None:
    """Before cells are put together: pandas compares the texts of objects up to their first NUL.
    Those of Arrow it compares as a whole, and entries are looked at when they are written."""
    if getattr(series.dtype, "storage", "") == "pyarrow":
        return
    cells, some = series.to_numpy(dtype=object), 65536
    for begin in range(0, len(cells), some):
        if "\0" in "".join(cell for cell in cells[begin : begin + some] if isinstance(cell, str)):
            raise _refuse_nul(origin)


def _as_objects(name: str, series: Any, origin: Origin) -> Any:
    """Things that are written as texts; they come back as the things they were."""
    pd = module("pandas")

    _demand_no_nul(series, origin)
    codes, things = pd.factorize(series)
    gone = codes < 0
    origin.missing = series.iloc[int(gone.argmax())] if gone.any() else None
    texts = [thing if type(thing) is str else str(thing) for thing in things]
    origin.objects = dict(zip(texts, things))
    if len(origin.objects) < len(texts):
        raise DataError(
            f"column {origin.label!r}: different values have the same text; make them one or apart",
            code="bad-cell",
            column=name,
        )
    return _coded(name, codes.astype(_narrowest(len(texts))), _texts(texts, origin))


def _of_mixed(name: str, series: Any, origin: Origin) -> Any:
    """A column of Python objects, all of one kind."""
    pd = module("pandas")

    kind = pd.api.types.infer_dtype(series, skipna=True)
    if kind == "mixed":  # NaT stands beside cells of any type
        kind = pd.api.types.infer_dtype(series[[cell is not pd.NaT for cell in series]], skipna=True)
    if kind in ("string", "date", "datetime", "datetime64", "decimal", "time", "period", "interval"):
        return _as_objects(name, series, origin)
    if kind == "empty":
        return _as_objects(name, series, origin)
    if kind == "boolean":
        origin.restore = partial(unpacked, _first_missing(series))
        return _of_nullable(name, series.astype("boolean"), origin)
    if kind == "integer":
        try:
            made = _of_nullable(name, series.astype("Int64"), origin)
            origin.restore = partial(unpacked, _first_missing(series))
            return made
        except (OverflowError, TypeError, ValueError):
            return _as_objects(name, series, origin)
    if kind in ("floating", "mixed-integer-float"):
        return _of_numbers(name, series.astype("float64"), origin)
    raise DataError(
        f"column {origin.label!r} has cells {_of_several(series)}, or leave the column out",
        code="column-type",
        column=name,
    )


#: Missing values that go with cells of one type only.
_ODD_MISSING = {
    "datetime64": "numpy's NaT, the missing value of dates",
    "timedelta64": "numpy's NaT, the missing value of spans of time",
    "Decimal": "a Decimal that is not a number",
}


def _of_several(series: Any) -> str:
    """What keeps the cells of a column from being of one kind, and what to do."""
    pd = module("pandas")

    found = sorted({type(cell).__name__ for cell in series if not _is_missing(cell)})
    if len(found) > 1:
        return (
            f"of different types ({', '.join(found)}); make them one type, for example with "
            ".astype(str)"
        )
    gone = {type(cell).__name__ for cell in series if _is_missing(cell)}
    odd = [_ODD_MISSING[name] for name in sorted(gone) if name in _ODD_MISSING]
    if odd and pd.api.types.infer_dtype(series.dropna()) != "mixed":
        return (
            f"of type {found[0]} and {' and '.join(odd)}; make missing cells None, for "
            "example with .where(column.notna(), None)"
        )
    if found == ["bytes"]:
        return "of type bytes; make them texts, for example with .str.decode('utf-8')"
    return f"of type {found[0]}, which has no text of its own; make them texts, for example with .astype(str)"


def _first_missing(series: Any) -> Any:
    gone = series[series.isna()]
    return gone.iloc[0] if len(gone) else None


def _is_missing(cell: Any) -> bool:
    pd = module("pandas")

    return pd.api.types.is_scalar(cell) and bool(pd.isna(cell))


def _of_category(name: str, series: Any, origin: Origin) -> Any:
    pd = module("pandas")

    categories = series.cat.categories
    inner = Origin(label=origin.label)
    if pd.api.types.is_object_dtype(categories.dtype) or not _is_simple(categories.dtype):
        texts = [c if type(c) is str else str(c) for c in categories]
        inner.objects = dict(zip(texts, categories))
        if len(inner.objects) < len(texts):
            raise DataError(
                f"column {origin.label!r}: different categories have the same text; make them one "
                "or apart, for example with .astype(str)",
                code="bad-cell",
                column=name,
            )
        entries = _texts(texts, origin)
    else:
        entries = _column("", pd.Series(categories), inner)
    dtype = series.dtype
    origin.restore = partial(recoded, inner.objects, dtype)
    return _coded(name, series.cat.codes.to_numpy(), entries, bool(dtype.ordered))


def _is_simple(dtype: Any) -> bool:
    return getattr(dtype, "name", "") in _NUMBERS or getattr(dtype, "kind", "") == "M"


def _of_numbers(name: str, series: Any, origin: Origin) -> Any:
    np = module("numpy")

    values = series.to_numpy()
    there = ~np.isnan(values) if values.dtype.kind == "f" else None
    if there is not None and there.all():
        there = None
    return _plain(name, _NUMBERS[values.dtype.name], values, there)


def _of_nullable(name: str, series: Any, origin: Origin) -> Any:
    np = module("numpy")

    there = ~series.isna().to_numpy()
    if series.dtype.name == "boolean":
        values = np.packbits(series.to_numpy(dtype=bool, na_value=False), bitorder="little")
        nulls, bits = _bits(there)
        return _core.column(name, "b", len(series), nulls, (bits, values), None, False)
    dtype = series.dtype.numpy_dtype.name
    return _plain(name, _NUMBERS[dtype], series.to_numpy(dtype=dtype, na_value=0), there)


def _of_bool(name: str, series: Any, origin: Origin) -> Any:
    np = module("numpy")

    values = np.packbits(series.to_numpy(dtype=bool), bitorder="little")
    return _core.column(name, "b", len(series), 0, (None, values), None, False)


def _of_moments(name: str, series: Any, origin: Origin) -> Any:
    np = module("numpy")

    zone = getattr(series.dtype, "tz", None)
    if zone is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    values = series.to_numpy()
    unit = np.datetime_data(values.dtype)[0]
    ticks = np.ascontiguousarray(values).view(np.int64)
    there = ticks != np.iinfo(np.int64).min
    code = f"ts{_UNITS[unit]}:{_zone_name(zone)}"
    return _plain(name, code, ticks, None if there.all() else there)


def _zone_name(zone: Any) -> str:
    """The name of a zone; of one that has none that others know, UTC: the moments are the same."""
    pd = module("pandas")

    if zone is None:
        return ""
    try:
        pd.Timestamp(0, tz=str(zone))
    except Exception:  # each version of pandas has others
        return "UTC"
    return str(zone)


def _of_spans(name: str, series: Any, origin: Origin) -> Any:
    """Spans of time are numbers in their unit; those of the frame come back."""
    np = module("numpy")

    values = np.ascontiguousarray(series.to_numpy())
    dtype = values.dtype
    ticks = values.view(np.int64)
    there = ticks != np.iinfo(np.int64).min
    origin.restore = partial(spans, dtype)
    return _plain(name, "l", ticks, None if there.all() else there)


def _of_arrow(name: str, series: Any, origin: Origin) -> Any:
    array = series.array.__arrow_array__()
    if hasattr(array, "combine_chunks"):
        array = array.combine_chunks()
    return _core.column_of(name, *array.__arrow_c_array__())


def _column(name: str, series: Any, origin: Origin) -> Any:
    pd = module("pandas")

    dtype = series.dtype
    kind = getattr(dtype, "kind", "")
    if isinstance(dtype, pd.CategoricalDtype):
        return _of_category(name, series, origin)
    if isinstance(dtype, pd.SparseDtype):
        return _column(name, series.sparse.to_dense(), origin)
    if type(dtype).__name__ == "ArrowDtype":
        return _of_arrow(name, series, origin)
    if isinstance(dtype, pd.StringDtype) or kind == "O" and not hasattr(dtype, "numpy_dtype"):
        return _of_mixed(name, series, origin)
    if hasattr(dtype, "numpy_dtype"):
        return _of_nullable(name, series, origin)
    if kind == "M":
        return _of_moments(name, series, origin)
    if kind == "m":
        return _of_spans(name, series, origin)
    if kind == "b":
        return _of_bool(name, series, origin)
    if dtype.name in _NUMBERS:
        return _of_numbers(name, series, origin)
    raise DataError(
        f"column {origin.label!r} has values of type {dtype}, which have no text of their own; "
        "make them numbers or texts, or leave the column out",
        code="column-type",
        column=name,
    )


def name_of(label: Any) -> str:
    """The name of a column as a text."""
    return label if isinstance(label, str) else str(label)


def names_of(frame: Any) -> list[str]:
    """The names of the columns as texts, which must differ."""
    if getattr(frame.columns, "nlevels", 1) > 1:
        raise UsageError(
            "the columns of the frame have several levels (MultiIndex); "
            "make them one, for example with frame.columns.map('_'.join)",
            code="header",
        )
    names = [name_of(label) for label in frame.columns]
    for name in names:
        if "\0" in name or not name.isascii() and any("\ud800" <= c <= "\udfff" for c in name):
            raise UsageError(f"the name of column {name!r} is no text; rename it", code="header")
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(
            f"several columns are called {', '.join(map(repr, twice))}; rename all but one",
            code="header",
            column=twice[0],
        )
    return names


def give(frame: Any) -> tuple[Any, list[Origin]]:
    """The frame as an Arrow stream, and what its columns were."""
    names = names_of(frame)
    origins, columns = [], []
    for i, name in enumerate(names):
        series = frame.iloc[:, i]
        origin = Origin(label=frame.columns[i], dtype=series.dtype)
        columns.append(_column(name, series, origin))
        origins.append(origin)
    return _core.stream([(columns, len(frame))]), origins


# ---- From the library ----------------------------------------------------------------------------


def _there(chunk: Any) -> Any:
    np = module("numpy")

    bits = chunk.buffer(0)
    if bits is None:
        return None
    unpacked = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")
    return unpacked[chunk.offset : chunk.offset + chunk.length].astype(bool)


def _cells(chunk: Any, dtype: str) -> Any:
    np = module("numpy")

    all_cells = np.frombuffer(chunk.buffer(1), dtype=dtype)
    return all_cells[chunk.offset : chunk.offset + chunk.length]


def _joined(chunks: list[Any], dtype: str) -> tuple[Any, Any]:
    """The cells of all chunks, and which are there (None: all)."""
    np = module("numpy")

    cells = [_cells(chunk, dtype) for chunk in chunks]
    masks = [_there(chunk) for chunk in chunks]
    values = np.concatenate(cells) if cells else np.zeros(0, dtype=dtype)
    if all(mask is None for mask in masks):
        return values, None
    full = [
        np.ones(chunk.length, dtype=bool) if mask is None else mask
        for chunk, mask in zip(chunks, masks)
    ]
    return values, np.concatenate(full)


def _entries(chunks: list[Any]) -> tuple[list[Any], list[Any]]:
    """One list of the entries of all chunks, and of each chunk where its own entries are in it."""
    np = module("numpy")

    entries: list[Any] = []
    places: dict[Any, int] = {}
    moves: list[Any] = []
    last: Any = None
    for chunk in chunks:
        dictionary = chunk.dictionary
        if last is not None and dictionary.same_cells(last):
            moves.append(moves[-1])
            continue
        found = _series([dictionary], "", False).tolist()
        for entry in found:
            if entry not in places:
                places[entry] = len(entries)
                entries.append(entry)
        moves.append(np.array([places[entry] for entry in found], dtype=np.int32))
        last = dictionary
    return entries, moves


def _codes(chunks: list[Any]) -> tuple[Any, list[Any]]:
    """Codes into one list of entries, -1 where nothing is. They are written where they stay, in as
    few bytes as they need."""
    np = module("numpy")

    entries, moves = _entries(chunks)
    codes = np.empty(sum(chunk.length for chunk in chunks), dtype=_narrowest(len(entries)))
    end = 0
    for chunk, moved in zip(chunks, moves):
        begin, end = end, end + chunk.length
        cells = _cells(chunk, _DTYPES[chunk.format])
        there = _there(chunk)
        if there is not None:  # what stands where nothing is may be any number
            cells = np.where(there, cells, 0)
        if _is_identity(moved):
            codes[begin:end] = cells
        elif len(moved):
            np.take(moved.astype(codes.dtype), cells, out=codes[begin:end], mode="clip")
        if there is not None:
            codes[begin:end][~there] = -1
    return codes, entries


def _is_identity(moved: Any) -> bool:
    np = module("numpy")

    return bool((moved == np.arange(len(moved))).all())


def _moments(chunks: list[Any], code: str) -> Any:
    np = module("numpy")
    pd = module("pandas")

    unit = {"s": "s", "m": "ms", "u": "us", "n": "ns"}[code[2]]
    values, there = _joined(chunks, "int64")
    moments = values.astype(f"datetime64[{unit}]")
    if there is not None:
        moments[~there] = np.datetime64("NaT")
    series = pd.Series(moments)
    zone = code[4:]
    return series.dt.tz_localize("UTC").dt.tz_convert(zone) if zone else series


def _days(chunks: list[Any], code: str) -> Any:
    np = module("numpy")
    pd = module("pandas")

    values, there = _joined(chunks, "int32" if code == "tdD" else "int64")
    days = values.astype("datetime64[D]" if code == "tdD" else "datetime64[ms]")
    objects = days.astype("datetime64[D]").astype(object)
    if there is not None:
        objects[~there] = None
    return pd.Series(np.asarray(objects, dtype=object))


def _numbers(chunks: list[Any], code: str) -> Any:
    np = module("numpy")
    pd = module("pandas")

    name = _DTYPES[code]
    values, there = _joined(chunks, name)
    if there is None:
        return pd.Series(values)
    if values.dtype.kind == "f":
        values = values.copy()
        values[~there] = np.nan
        return pd.Series(values)
    nullable = name.replace("uint", "UInt").replace("int", "Int") if name[0] == "i" else name
    nullable = name.replace("uint", "UInt") if name[0] == "u" else nullable
    series = pd.Series(values).astype(nullable)
    series[~there] = pd.NA
    return series


def _objects(chunks: list[Any], make: Callable[[Any], list[Any]]) -> Any:
    """Cells that pandas has as objects; None where nothing is."""
    pd = module("pandas")

    made: list[Any] = []
    for chunk in chunks:
        there = _there(chunk)
        cells = make(chunk)
        made += cells if there is None else [c if t else None for c, t in zip(cells, there)]
    return pd.Series(made, dtype=object)


def _decimals(chunk: Any) -> list[Any]:
    scale = int(chunk.format.split(",")[1])
    cells = memoryview(chunk.buffer(1))
    width = len(cells) // max(chunk.offset + chunk.length, 1)
    places = range(chunk.offset * width, (chunk.offset + chunk.length) * width, max(width, 1))
    numbers = [int.from_bytes(cells[i : i + width], "little", signed=True) for i in places]
    return [decimal.Decimal(number).scaleb(-scale, _EXACT) for number in numbers]


def _times(chunk: Any) -> list[Any]:
    """Times of day; what is finer than microseconds, Python's have no room for."""
    cells = _cells(chunk, "int32" if chunk.format in ("tts", "ttm") else "int64")
    per_second = {"s": 1, "m": 10**3, "u": 10**6, "n": 10**9}[chunk.format[2]]
    midnight = datetime.datetime.min
    spans = (int(cell) * 10**6 // per_second for cell in cells)
    return [(midnight + datetime.timedelta(microseconds=span)).time() for span in spans]


def _truths(chunks: list[Any]) -> Any:
    np = module("numpy")
    pd = module("pandas")

    parts: list[Any] = []
    masks: list[Any] = []
    for chunk in chunks:
        bits = np.unpackbits(np.frombuffer(chunk.buffer(1), dtype=np.uint8), bitorder="little")
        parts.append(bits[chunk.offset : chunk.offset + chunk.length].astype(bool))
        mask = _there(chunk)
        masks.append(np.ones(chunk.length, dtype=bool) if mask is None else mask)
    values = np.concatenate(parts) if parts else np.zeros(0, dtype=bool)
    there = np.concatenate(masks) if masks else np.ones(0, dtype=bool)
    if there.all():
        return pd.Series(values)
    series = pd.Series(values).astype("boolean")
    series[~there] = pd.NA
    return series


def _series(chunks: list[Any], code: str, ordered: bool) -> Any:
    """A column as pandas has such things."""
    pd = module("pandas")

    code = code or (chunks[0].format if chunks else "u")
    if chunks and chunks[0].dictionary is not None:
        codes, entries = _codes(chunks)
        index = pd.Index(entries) if entries else pd.Index([], dtype=object)
        return pd.Series(pd.Categorical.from_codes(codes, index, ordered=ordered))
    if code in _DTYPES:
        return _numbers(chunks, code)
    if code == "b":
        return _truths(chunks)
    if code.startswith("ts"):
        return _moments(chunks, code)
    if code.startswith("td"):
        return _days(chunks, code)
    if code in ("u", "U", "vu"):
        return pd.Series([text for chunk in chunks for text in chunk.texts()], dtype=object)
    if code.startswith("d:"):
        return _objects(chunks, _decimals)
    if code.startswith("tt"):
        return _objects(chunks, _times)
    if code == "n":
        return pd.Series([None] * sum(chunk.length for chunk in chunks), dtype=object)
    raise DataError(f"a column of Arrow's format {code!r} needs pyarrow: use .to_arrow()")


def take(stream: Any, origins: dict[str, Origin]) -> Any:
    """The frame of a stream; ``origins``: what its columns were."""
    pd = module("pandas")

    found = {}
    for name, ordered, chunks in _core.read(stream):
        origin = origins.get(name, Origin(label=name))
        series = _series(chunks, "", ordered)
        if origin.unchanged:
            series = restored(series, origin)
        elif origin.perturbed:
            series = retyped(series, origin.dtype)
        found[origin.label] = series
    return pd.DataFrame(found, copy=False)  # the columns are nobody else's
