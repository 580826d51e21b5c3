"""What this build of the library can do, here and now."""

from __future__ import annotations

import os
import tempfile
from typing import Any

from . import _core, keys
from .errors import MingleError

__all__ = ["features"]

#: Locations that open nothing; asking for them shows whether the library behind them is there.
_PROBES = {
    "postgresql": "postgresql:///none?host={empty}.none&table=none",
    "sqlite": "sqlite:{empty}?table=none",
    "odbc": "odbc:DSN=no-such-name-for-mingle;?table=none",
    "duckdb": "duckdb:{empty}?table=none",
    "parquet": "{empty}.parquet",
    "xlsx": "{empty}.xlsx",
    "xlsm": "{empty}.xlsm",
    "sav": "{empty}.sav",
    "dta": "{empty}.dta",
    "xpt": "{empty}.xpt",
    "sas7bdat": "{empty}.sas7bdat",
}
_DATABASES = ("postgresql", "sqlite", "odbc", "duckdb")
_LOADED = (*_DATABASES, "parquet", "xlsx", "xlsm")  # by a library that is loaded when needed
_ALIKE = {"shards": "postgresql"}


def _state(name: str, folder: str) -> tuple[str, str | None]:
    """Whether a format can be had, and if not what to do."""
    probe = _PROBES.get(name)
    if probe is None:
        return "built in", None
    empty = os.path.join(folder, "empty")
    location = probe.format(empty=empty)
    if location.startswith(empty) and not os.path.exists(location):
        open(location, "wb").close()
    job = _core.Job()
    job.set("data", location)
    job.set("qi", "none")
    try:
        job.run("check")
    except MingleError as error:
        if error.code == "library":
            return "missing", error.message
        if error.code == "unsupported":
            return "left out", error.message
    return ("loaded" if name in _LOADED else "built in"), None


def features() -> dict[str, Any]:
    """What the library can do here and now.

    Returns a dict:

    - ``version``: that of the library.
    - ``threads``: how many a call uses unless ``threads=`` says otherwise.
    - ``databases``: for ``postgresql``, ``sqlite``, ``odbc`` and ``duckdb`` a word: ``"loaded"``
      (its library was found and loaded), ``"missing"`` (it is not installed here), ``"left out"``
      (this build does not know it).
    - ``formats``: for each format of tables whether it is ``read`` and ``written``, its
      ``endings``, its ``state`` (one of the words above, or ``"built in"``), and a ``message`` that
      says what to do where it cannot be had.
    - ``methods`` and ``models``: their names.

    >>> found = mingle.features()
    >>> found["formats"]["csv"]["state"]
    'built in'
    >>> sorted(found["databases"])
    ['duckdb', 'odbc', 'postgresql', 'sqlite']
    """
    from . import __version__

    formats: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory(prefix="mingle-") as folder:
        open(os.path.join(folder, "empty"), "wb").close()
        for name, entry in keys.catalogue("formats").items():
            state, message = _state(_ALIKE.get(name, name), folder)
            there = state in ("built in", "loaded")
            formats[name] = {
                "read": there and entry["read"],
                "written": there and entry["written"],
                "endings": entry["endings"],
                "state": state,
                "message": message,
            }
    return {
        "version": __version__,
        "threads": len(os.sched_getaffinity(0)),
        "databases": {name: formats[name]["state"] for name in _DATABASES},
        "formats": formats,
        "methods": list(keys.catalogue("methods")),
        "models": list(keys.catalogue("models")),
    }
