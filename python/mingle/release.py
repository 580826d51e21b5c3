"""Releases: tables that keep their promise, and what is known about them."""

from __future__ import annotations

import html
import importlib.util
import json
import os
from typing import TYPE_CHECKING, Any

from . import _core, frames, pickling, spans as covered
from .answers import Document, write_private
from .errors import MingleError, UsageError
from .origins import Origin, released

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .plot import Plots

__all__ = ["Release"]

def _shortly(value: Any) -> str:
    return f"{value:g}" if isinstance(value, (int, float)) else str(value)


NAME = "release"  # under which a release is in memory


class Release(Document):
    """A release. It was verified before it could be had.

    As a table it is Arrow (``__arrow_c_stream__``, ``to_arrow``, ``to_polars``) or a frame
    (``to_pandas``): generalized columns are categorical, of numbers and days in their order, all
    others are what they were. It has no index; rows are in random order unless ``keep_order`` was
    asked for. ``len``, ``shape``, ``columns`` and ``head`` are of the table; ``[]``, ``in``,
    ``get`` and ``keys`` are of the document, as of every answer.

    >>> release = mingle.anonymize(frame, quasi=["age", "zip"], sensitive="disease", rest="drop", k=5)
    >>> release.columns, release.shape, len(release)
    (['age', 'zip', 'disease'], (1200, 3), 1200)
    >>> str(release.to_pandas()["zip"].dtype), release.location
    ('category', None)
    >>> bool(release.to_pandas()["age"].cat.ordered)
    True
    """

    def __init__(
        self,
        core: _core.Result | None,
        origins: dict[str, Origin] | None = None,
        location: str | None = None,
        document: Any = None,
        table: list[pickling.Kept] | None = None,
    ) -> None:
        super().__init__(core, document)
        self._origins = origins or {}
        self._table = table  # of one that was pickled
        #: Where the release was written; None: it is in memory.
        self.location = location

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The release as Arrow hands tables over; as often as wanted."""
        if self.location is not None:
            raise UsageError(f"the release was written to {self.location}; read it from there")
        if self._core is not None:
            return self._core.stream(NAME)
        if self._table is None:
            raise UsageError("nothing was released that could have been pickled (dry_run)")
        return pickling.thaw(self._table)

    def __reduce__(self) -> Any:
        table, origins = self._table, self._origins
        if table is None:
            try:
                table = pickling.freeze(self.__arrow_c_stream__())
            except MingleError:  # it was written elsewhere, or not at all
                origins = {}
            if origins:
                origins = released(origins, self.to_pandas())
        return (Release, (None, origins, self.location, self.result, table))

    def to_arrow(self) -> pyarrow.Table:
        """The release as a table of pyarrow."""
        import pyarrow

        table: pyarrow.Table = pyarrow.RecordBatchReader.from_stream(self).read_all()
        return table

    def to_polars(self) -> polars.DataFrame:
        """The release as a frame of polars; generalized columns are categorical."""
        import polars

        return polars.DataFrame(self)

    def to_pandas(self, *, spans: bool = False) -> pandas.DataFrame:
        """The release as a frame of pandas; pyarrow is not needed.

        spans: generalized numbers and days as intervals (``pandas.Interval``) and periods
        (``pandas.Period``) in place of ordered categories; what was suppressed is missing.

        >>> made = mingle.anonymize(frame, quasi="age", rest="drop", k=5, hierarchy={"age": "intervals(10)"})
        >>> str(made.to_pandas(spans=True)["age"].dtype)
        'interval[int64, both]'
        """
        frame: pandas.DataFrame = frames.take(self.__arrow_c_stream__(), self._origins)
        shown = covered.as_spans if spans else covered.ordered
        for name, builder in self._builders().items():
            origin = self._origins.get(name)
            label = name if origin is None else origin.label
            if label in frame.columns:
                frame[label] = shown(frame[label], builder, origin)
        return frame

    def _builders(self) -> dict[str, str | None]:
        """Of each generalized column the builder of its hierarchy."""
        quasi = self.result.get("quasi_identifier") or []
        named = [name for one in quasi for name in ([one] if isinstance(one, str) else one)]
        made = dict.fromkeys(named) | dict(self.result.get("hierarchies") or {})
        return {
            name: known.get("resolved") if isinstance(known, dict) else None
            for name, known in made.items()
        }

    # As a table ----------------------------------------------------------------------------------

    @property
    def columns(self) -> list[Any]:
        """The names of the released columns."""
        return [self._label(name) for name, _, _ in _core.read(self.__arrow_c_stream__())]

    def _label(self, name: str) -> Any:
        origin = self._origins.get(name)
        return name if origin is None else origin.label

    @property
    def shape(self) -> tuple[int, int]:
        """Released rows and columns."""
        return (len(self), len(self.columns))

    def __len__(self) -> int:
        return int(self.result["released_rows"])

    #: Rows, columns and keys could be meant: say ``keys()``, ``columns`` or ``to_pandas()``.
    __iter__ = None

    def __bool__(self) -> bool:
        return True  # also one of no rows

    def head(self, n: int = 5) -> pandas.DataFrame:
        """The first rows as a frame of pandas."""
        return self.to_pandas().head(n)

    def _verdict(self) -> str:
        """What it keeps, in a line."""
        kept = []
        for model in self.models:
            of = "".join(f" {name}={_shortly(value)}" for name, value in model["parameters"].items())
            kept.append(f"{model['model']}{of} {'holds' if model['holds'] else 'does not hold'}")
        risk = (self.risk or {}).get("prosecutor_max")
        most = "" if risk is None else f"; risk at most {100 * risk:.3g} %"
        return f"{len(self)} rows; {'; '.join(kept) or 'no model'}{most}"

    def _shows_frame(self) -> bool:
        held = self.location is None and (self._core is not None or self._table is not None)
        return held and not self._is_trial() and importlib.util.find_spec("pandas") is not None

    def _is_trial(self) -> bool:
        return self.result.get("output") is None

    def __repr__(self) -> str:
        if not self._shows_frame():
            return super().__repr__()
        return f"<mingle Release: {self._verdict()}>\n{self.to_pandas()!r}"

    def _repr_html_(self) -> str:
        if not self._shows_frame():
            return super()._repr_html_()
        shown = self.to_pandas()._repr_html_()
        page = "" if self._core is None else (
            f"<details><summary>report</summary>{super()._repr_html_()}</details>"
        )
        return f"<p>{html.escape(self._verdict())}</p>{shown}{page}"

    def recoding(self) -> bytes:
        """What was done, for ``apply``; the job must say ``save_recoding=True``. It holds values
        of the data: keep it as secret."""
        if self._core is None:
            raise UsageError("a release that was pickled has no recoding")
        return self._core.bytes("recoding")

    @property
    def plot(self) -> Plots:
        """Plots, on matplotlib if it is installed."""
        from .plot import Plots

        return Plots(self.result)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the document of the release as JSON, as ``result=`` does."""
        text = json.dumps(self.result, indent=2) if self._core is None else self._core.json()
        write_private(path, text, "a result", (".json", ".txt"))
