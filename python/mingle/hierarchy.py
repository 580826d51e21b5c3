"""Builders of value hierarchies: ``hierarchy={"zip": mask("right"), "age": intervals(5, 20)}``.

Each function writes a builder as job files have it; any builder can be given as such a text, too
(``mingle help builders`` lists them).
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "suppress",
    "mask",
    "intervals",
    "cuts",
    "top",
    "bottom",
    "dates",
    "groups",
    "order",
    "rare",
    "labels",
    "grid",
    "icd10",
    "icd9",
    "iso3166",
    "isco",
    "isced",
    "iscedf",
    "nace",
    "nace21",
    "atc",
    "nuts",
    "columns",
]


class Builder(str):
    """The text of a builder. A plain string says the same."""


def _number(x: float) -> str:
    return repr(int(x)) if float(x).is_integer() else repr(float(x))


def _call(name: str, *parts: str) -> Builder:
    return Builder(f"{name}({'; '.join(part for part in parts if part)})")


def _levels(builder: str, levels: tuple[str, ...]) -> Builder:
    """The builder of a classification: with the levels that are usual, or those that are named."""
    return _call(builder, ",".join(levels)) if levels else Builder(builder)


def suppress() -> Builder:
    """The value or nothing: two levels.

    >>> mingle.hierarchy.suppress()
    'suppress'
    """
    return Builder("suppress")


def mask(side: str = "right", levels: int | None = None, *, at: Sequence[int] = ()) -> Builder:
    """One character more per level becomes ``*``; ``at``: how many characters on each level.

    >>> mingle.hierarchy.mask("right", at=[1, 2, 5])
    'mask(right; 1,2,5)'
    """
    first = side if levels is None else f"{side},{levels}"
    return _call("mask", first, ",".join(str(n) for n in at))


def intervals(*widths: float, origin: float | None = None) -> Builder:
    """Numbers in intervals of growing widths, each a multiple of the one before.

    >>> mingle.hierarchy.intervals(5, 10, 20)
    'intervals(5,10,20)'
    """
    begin = "" if origin is None else f"from {_number(origin)} by "
    return _call("intervals", begin + ",".join(_number(w) for w in widths))


def cuts(*bounds: float) -> Builder:
    """Numbers between the given bounds: one level of bands.

    >>> mingle.hierarchy.cuts(18, 65)
    'cuts(18,65)'
    """
    return _call("cuts", ",".join(_number(b) for b in bounds))


def top(*bounds: float) -> Builder:
    """Numbers from a bound on become one value, smaller ones stay.

    >>> mingle.hierarchy.top(90)
    'top(90)'
    """
    return _call("top", ",".join(_number(b) for b in bounds))


def bottom(*bounds: float) -> Builder:
    """Numbers up to a bound become one value, larger ones stay.

    >>> mingle.hierarchy.bottom(18)
    'bottom(18)'
    """
    return _call("bottom", ",".join(_number(b) for b in bounds))


def dates(*units: str, written: str | None = None) -> Builder:
    """Days and times by units: hour, day, week, month, quarter, year, ``10y``.

    ``written``: ``"ymd"``, ``"dmy"`` or ``"mdy"``, where the values do not tell.

    >>> mingle.hierarchy.dates("month", "year")
    'dates(month,year)'
    """
    return _call("dates", written or "", ",".join(units))


def groups(file: str) -> Builder:
    """Groups of your own, from a file of lines ``GROUP: value, value``.

    >>> mingle.hierarchy.groups("groups.txt")
    'groups(groups.txt)'
    """
    return _call("groups", str(file))


def order(values: str | Sequence[str], *sizes: int) -> Builder:
    """Values in an order of your own (a list, or a file), in groups of so many neighbours.

    >>> mingle.hierarchy.order(["low", "middle", "high"], 2)
    'order(low < middle < high; 2)'
    """
    first = str(values) if isinstance(values, str) else " < ".join(values)
    return _call("order", first, ",".join(str(n) for n in sizes))


def rare(n: int, *, label: str | None = None, keep: Sequence[str] = ()) -> Builder:
    """Values that fewer than n rows have become one.

    >>> mingle.hierarchy.rare(10, label="other")
    'rare(10; as other)'
    """
    named = "" if label is None else f"as {label}"
    kept = "keep " + ",".join(keep) if keep else ""
    return _call("rare", str(n), named, kept)


def labels() -> Builder:
    """What the data itself calls its codes (SPSS, Stata and SAS files).

    >>> mingle.hierarchy.labels()
    'labels'
    """
    return Builder("labels")


def grid(*sizes: str | float, axis: str | None = None) -> Builder:
    """Places in cells of a grid, in degrees or, as ``"10km"``, kilometres.

    >>> mingle.hierarchy.grid("1km", "10km")
    'grid(1km,10km)'
    """
    written = ",".join(s if isinstance(s, str) else _number(s) for s in sizes)
    return _call("grid", axis or "", written)


def icd10(*levels: str) -> Builder:
    """Codes of ICD-10: category, block, chapter.

    >>> mingle.hierarchy.icd10("category", "chapter")
    'icd10(category,chapter)'
    """
    return _levels("icd10", levels)


def icd9(*levels: str) -> Builder:
    """Diagnoses of ICD-9: category, block, chapter.

    >>> mingle.hierarchy.icd9("category", "chapter")
    'icd9(category,chapter)'
    """
    return _levels("icd9", levels)


def iso3166(*levels: str) -> Builder:
    """Countries by their codes or English names: intermediate, subregion, region.

    >>> mingle.hierarchy.iso3166("region")
    'iso3166(region)'
    """
    return _levels("iso3166", levels)


def isco(*levels: str) -> Builder:
    """Occupations of ISCO-08: unit, minor, submajor, major.

    >>> mingle.hierarchy.isco("submajor", "major")
    'isco(submajor,major)'
    """
    return _levels("isco", levels)


def isced(*levels: str) -> Builder:
    """Levels of education of ISCED 2011: category, level, group.

    >>> mingle.hierarchy.isced("level", "group")
    'isced(level,group)'
    """
    return _levels("isced", levels)


def iscedf(*levels: str) -> Builder:
    """Fields of education of ISCED-F 2013: detailed, narrow, broad.

    >>> mingle.hierarchy.iscedf("broad")
    'iscedf(broad)'
    """
    return _levels("iscedf", levels)


def nace(*levels: str) -> Builder:
    """Economic activities of NACE Rev. 2: class, group, division, section.

    >>> mingle.hierarchy.nace("division", "section")
    'nace(division,section)'
    """
    return _levels("nace", levels)


def nace21(*levels: str) -> Builder:
    """Economic activities of NACE Rev. 2.1: class, group, division, section.

    >>> mingle.hierarchy.nace21("section")
    'nace21(section)'
    """
    return _levels("nace21", levels)


def atc(*levels: str) -> Builder:
    """Medicines by ATC: chemical, pharmacological, therapeutic, anatomical.

    >>> mingle.hierarchy.atc("therapeutic")
    'atc(therapeutic)'
    """
    return _levels("atc", levels)


def nuts(*levels: str) -> Builder:
    """Regions of NUTS: nuts2, nuts1, country.

    >>> mingle.hierarchy.nuts("nuts1", "country")
    'nuts(nuts1,country)'
    """
    return _levels("nuts", levels)


def columns(*names: str) -> Builder:
    """What other columns of the table say, from fine to coarse.

    >>> mingle.hierarchy.columns("city", "county")
    'columns(city,county)'
    """
    return _call("columns", ",".join(names))
