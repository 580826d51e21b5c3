"""Labels of generalized numbers and days, read again: what each covers, so that a column of them
sorts as its values do, or becomes intervals and periods of pandas.

How labels are written is that of the library's builders (docs/hierarchies.md).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from .origins import Origin, module

__all__ = ["Span", "number", "day", "ordered", "as_spans"]


class Span(NamedTuple):
    """What a label covers."""

    low: Any
    high: Any
    closed: str  # which ends belong to it, as pandas says it: left, right, both or neither


_NUMBER = r"-?\d+(?:\.\d+)?"
_FORMS: list[tuple[re.Pattern[str], Callable[[re.Match[str]], Span]]] = [
    (re.compile(rf"({_NUMBER})"), lambda m: Span(_value(m[1]), _value(m[1]), "both")),
    (re.compile(r"(-?\d+)-(-?\d+)"), lambda m: Span(int(m[1]), int(m[2]), "both")),
    (re.compile(rf"\[({_NUMBER}),({_NUMBER})\)"), lambda m: Span(_value(m[1]), _value(m[2]), "left")),
    (re.compile(rf"\[({_NUMBER}),({_NUMBER})\]"), lambda m: Span(_value(m[1]), _value(m[2]), "both")),
    (re.compile(rf"<({_NUMBER})"), lambda m: Span(-math.inf, _value(m[1]), "neither")),
    (re.compile(rf"<=({_NUMBER})"), lambda m: Span(-math.inf, _value(m[1]), "right")),
    (re.compile(rf">({_NUMBER})"), lambda m: Span(_value(m[1]), math.inf, "neither")),
    (re.compile(rf">=({_NUMBER})"), lambda m: Span(_value(m[1]), math.inf, "left")),
]
_DAY = r"\d{4}-\d{2}-\d{2}"
#: The units of days and times, by the form of their labels and the frequency of pandas.
_UNITS = [
    (re.compile(r"\d{4}"), "Y"),
    (re.compile(r"\d{4}-Q[1-4]"), "Q"),
    (re.compile(r"\d{4}-\d{2}"), "M"),
    (re.compile(_DAY), "D"),
    (re.compile(_DAY + r"[T ]\d{2}"), "h"),
    (re.compile(_DAY + r"[T ]\d{2}:\d{2}"), "min"),
    (re.compile(_DAY + r"[T ]\d{2}:\d{2}:\d{2}"), "s"),
]
_WEEK = re.compile(r"(\d{4})-W(\d{2})")
_YEARS = re.compile(r"(\d{4})-(\d{4})")

#: Builders whose labels are of numbers, of days.
_OF_NUMBERS = ("intervals", "cuts", "top", "bottom", "bands")
_OF_DAYS = ("dates",)


def _value(text: str) -> int | float:
    return float(text) if "." in text else int(text)


def number(label: str) -> Span | None:
    """What a label of a number covers; None: it is none."""
    for form, read in _FORMS:
        found = form.fullmatch(label)
        if found:
            return read(found)
    return None


def _period(label: str) -> Any:
    """The period of pandas that a label names; None: it names none."""
    pd = module("pandas")

    week = _WEEK.fullmatch(label)
    try:
        if week:
            return pd.Period(pd.Timestamp.fromisocalendar(int(week[1]), int(week[2]), 1), freq="W")
        for form, unit in _UNITS:
            if form.fullmatch(label):
                return pd.Period(label.replace("-Q", "Q"), freq=unit)
    except ValueError:  # there is no such day
        return None
    return None


def day(label: str) -> Span | None:
    """What a label of a day or time covers; None: it is none."""
    years = _YEARS.fullmatch(label)
    first, last = (_period(years[1]), _period(years[2])) if years else (_period(label),) * 2
    if first is None or last is None:
        return None
    return Span(first.start_time, last.end_time, "both")


def _reader(builder: str | None, origin: Origin | None) -> Callable[[str], Span | None] | None:
    """What reads the labels of a column, by the builder of its hierarchy and what it was."""
    name = (builder or "").split("(")[0]
    kind = getattr(getattr(origin, "dtype", None), "kind", None)
    if name in _OF_DAYS or (kind == "M" and name not in _OF_NUMBERS):
        return day
    if name in _OF_NUMBERS or kind in ("i", "u", "f"):
        return number
    return None


def _read(series: Any, builder: str | None, origin: Origin | None) -> dict[str, Span | None] | None:
    """What each category covers, None for the top; None: not all of them are labels of values."""
    read = _reader(builder, origin)
    if read is None or not hasattr(series, "cat"):
        return None
    found: dict[str, Span | None] = {}
    for label in series.cat.categories:
        found[label] = read(label) if isinstance(label, str) else None
        if found[label] is None and label != "*":
            return None
    return found


def ordered(series: Any, builder: str | None, origin: Origin | None) -> Any:
    """A generalized column whose categories are in the order of what they cover, the top last."""
    found = _read(series, builder, origin)
    if found is None:
        return series
    last = (1, 0, 0)

    def place(label: str) -> tuple[Any, ...]:
        span = found[label]
        return last if span is None else (0, span.low, span.high)

    return series.cat.reorder_categories(sorted(found, key=place), ordered=True)


def as_spans(series: Any, builder: str | None, origin: Origin | None) -> Any:
    """A generalized column as intervals, or as periods where every label is one of the same unit;
    what covers every value is missing."""
    pd = module("pandas")

    found = _read(series, builder, origin)
    if found is None:
        return series
    made: dict[str, Any] = {}
    if _reader(builder, origin) is day:
        made = {label: _period(label) for label, span in found.items() if span is not None}
    if not made or None in made.values() or len({period.freqstr for period in made.values()}) > 1:
        made = {
            label: pd.Interval(span.low, span.high, closed=span.closed)
            for label, span in found.items()
            if span is not None
        }
    cells = [made.get(label) for label in series.astype(object)]
    if len({getattr(one, "closed", "") for one in made.values()}) > 1:
        return pd.Series(cells, dtype=object)  # pandas has no column of several kinds of ends
    return pd.Series(pd.array(cells)) if made else pd.Series(cells, dtype=object)
