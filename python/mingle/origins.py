"""What columns of frames were, so that those which are passed through come back as that."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any


def module(name: str) -> Any:
    """numpy and pandas are imported when there is a frame; of neither are there types that fit all
    its versions."""
    return importlib.import_module(name)


@dataclass
class Origin:
    """What a column of a frame was."""

    label: Any  # its name in the frame, which need not be text
    unchanged: bool = False  # it comes back as it is
    perturbed: bool = False  # it comes back with other values of its kind
    dtype: Any = None
    objects: dict[str, Any] | None = None  # what was given as these texts
    missing: Any = None  # what stood where nothing is; the first of them, if they differ
    restore: Callable[[Any], Any] | None = field(default=None, repr=False)


def recoded(objects: dict[str, Any] | None, dtype: Any, found: Any) -> Any:
    """A column of categories with the values they stand for. It has the categories that are
    released and no others, which would tell what was left out; those of an ordered one stay in
    their order, and of others the order means nothing and tells nothing."""
    np = module("numpy")
    pd = module("pandas")

    labels = found.cat.categories
    if objects is not None:
        labels = pd.Index([objects[label] for label in labels], tupleize_cols=False)
    labels = labels.astype(dtype.categories.dtype)
    places = dtype.categories.get_indexer(labels) if dtype.ordered else _ranks(labels)
    order = np.argsort(places, kind="stable")
    ranks = np.append(np.argsort(order), -1)
    categories = pd.CategoricalDtype(labels[order], dtype.ordered)
    return pd.Series(pd.Categorical.from_codes(ranks[found.cat.codes], dtype=categories))


def _ranks(labels: Any) -> Any:
    """Numbers that are in the order of the labels, if these can be compared."""
    np = module("numpy")

    try:
        return np.argsort(labels.argsort())
    except TypeError:
        return np.arange(len(labels))


def spans(dtype: Any, found: Any) -> Any:
    """Numbers as the spans of time they were."""
    np = module("numpy")
    pd = module("pandas")

    gone = found.isna().to_numpy()
    numbers = found.to_numpy(dtype=np.int64, na_value=0)
    return pd.Series(np.where(gone, np.iinfo(np.int64).min, numbers).view(dtype))


def unpacked(missing: Any, found: Any) -> Any:
    """Truth values and whole numbers as the objects they were."""
    things = found.astype(object)
    return things.where(found.notna(), missing) if found.isna().any() else things


def _things(series: Any, origin: Origin) -> Any:
    """The objects that were given as the texts of a column."""
    np = module("numpy")
    pd = module("pandas")

    assert origin.objects is not None
    labels = series.cat.categories
    things = np.empty(len(labels) + 1, dtype=object)
    for i, label in enumerate(labels):
        things[i] = origin.objects[label]
    things[-1] = origin.missing
    return pd.Series(things[series.cat.codes], dtype=object).astype(origin.dtype)


def restored(series: Any, origin: Origin) -> Any:
    """A column that was passed through, as the frame had it."""
    if origin.restore is not None:
        return origin.restore(series)
    if origin.objects is not None:
        return _things(series, origin)
    return series.astype(origin.dtype)


def _categories(series: Any, dtype: Any) -> Any:
    """Texts as the categories they were: those that are released, as `recoded` has them."""
    pd = module("pandas")

    there = set(series.dropna())
    if not there <= set(dtype.categories):
        raise ValueError("there are values that were no categories")
    order = [c for c in dtype.categories if c in there] if dtype.ordered else sorted(there)
    labels = pd.Index(order).astype(dtype.categories.dtype)
    return series.astype(pd.CategoricalDtype(labels, dtype.ordered))


def _typed(series: Any, dtype: Any) -> Any:
    pd = module("pandas")

    if isinstance(dtype, pd.CategoricalDtype):
        return _categories(series, dtype)
    if isinstance(dtype, pd.StringDtype):
        return series.astype(dtype)
    kind = getattr(dtype, "kind", "")
    if kind == "M":
        if (series.dropna().str.len() < len("2026-01-31")).any():
            raise ValueError("months and years are no moments")
        zone = getattr(dtype, "tz", None)
        written = {} if pd.__version__.startswith("1.") else {"format": "ISO8601"}
        moments = pd.to_datetime(series, utc=zone is not None, **written)
        return (moments.dt.tz_convert(zone) if zone is not None else moments).astype(dtype)
    reads: dict[str, Callable[[str], Any]] = {
        "b": {"true": True, "false": False}.__getitem__, "i": int, "u": int, "f": float
    }
    if kind not in reads or type(dtype).__name__ == "ArrowDtype":
        return series
    nullable = hasattr(dtype, "numpy_dtype")
    missing = float("nan") if kind == "f" and not nullable else pd.NA
    cells = [reads[kind](text) if isinstance(text, str) else missing for text in series]
    if kind in "iu" and not _fit(cells, dtype):
        dtype = "Int64" if nullable else "int64"
    return pd.Series(cells, dtype=dtype)


def _fit(numbers: list[Any], dtype: Any) -> bool:
    """Has the type room for these whole numbers? Noise may make them negative."""
    np = module("numpy")

    room = np.iinfo(getattr(dtype, "numpy_dtype", dtype))
    return all(room.min <= n <= room.max for n in numbers if isinstance(n, int))


def retyped(series: Any, dtype: Any) -> Any:
    """A perturbed column, which is released as texts, as the frame had it; as texts if some value
    is none of its type, as months are no moments."""
    try:
        return _typed(series, dtype)
    except (KeyError, TypeError, ValueError, OverflowError):
        return series


def released(origins: dict[str, Origin], frame: Any) -> dict[str, Origin]:
    """What the columns of a released frame were, without any value that is not in it."""
    kept = {}
    for name, origin in origins.items():
        if origin.label not in frame.columns:
            continue
        column = frame[origin.label]
        if not origin.unchanged:
            plain = getattr(origin.dtype, "kind", "") in ("i", "u", "f", "M")  # no values are in it
            dtype = column.dtype if origin.perturbed else origin.dtype if plain else None
            kept[name] = Origin(label=origin.label, perturbed=origin.perturbed, dtype=dtype)
            continue
        kept[name] = replace(
            origin, dtype=column.dtype, objects=_those(origin.objects, column)
        )
        if isinstance(origin.restore, partial) and origin.restore.func is recoded:
            objects = _those(origin.restore.args[0], column)
            kept[name].restore = partial(recoded, objects, column.dtype)
    return kept


def _those(objects: dict[str, Any] | None, column: Any) -> dict[str, Any] | None:
    if objects is None:
        return None
    there = set(column.dropna())
    return {text: thing for text, thing in objects.items() if thing in there}
