"""Releases: tables that keep their promise, and what is known about them."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from . import _core, frames, pickling
from .answers import Answer, write_private
from .errors import MingleError, UsageError
from .origins import Origin, released

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

    from .plot import Plots

__all__ = ["Release"]

NAME = "release"  # under which a release is in memory


class Release(Answer):
    """A release. It was verified before it could be had.

    As a table it is Arrow (``__arrow_c_stream__``, ``to_arrow``, ``to_polars``) or a frame
    (``to_pandas``): generalized columns are categorical, all others are what they were. It has no
    index; rows are in random order unless ``keep_order`` was asked for. ``result`` is the document.

    >>> release = mingle.anonymize(frame, quasi=["age", "zip"], sensitive="disease", rest="drop", k=5)
    >>> list(release.to_pandas().columns)
    ['age', 'zip', 'disease']
    >>> str(release.to_pandas()["zip"].dtype), release.location
    ('category', None)
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

    def to_pandas(self) -> pandas.DataFrame:
        """The release as a frame of pandas; pyarrow is not needed."""
        frame: pandas.DataFrame = frames.take(self.__arrow_c_stream__(), self._origins)
        return frame

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
