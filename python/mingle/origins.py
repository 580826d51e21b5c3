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


def released(origins: dict[str, Origin], frame: Any) -> dict[str, Origin]:
    """What the columns of a released frame were, without any value that is not in it."""
    kept = {}
    for name, origin in origins.items():
        if origin.label not in frame.columns:
            continue
        if not origin.unchanged:
            plain = getattr(origin.dtype, "kind", "") in ("i", "u", "f", "M")
            kept[name] = Origin(label=origin.label, dtype=origin.dtype if plain else None)
            continue
        column = frame[origin.label]
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
