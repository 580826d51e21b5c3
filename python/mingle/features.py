"""What this build of the library can do."""

from __future__ import annotations

from typing import Any

from . import keys

__all__ = ["features"]


def features() -> dict[str, Any]:
    """Formats that tables can be read from and written to, with the version of the library."""
    from . import __version__

    formats = {
        name: {"read": entry["read"], "written": entry["written"], "endings": entry["endings"]}
        for name, entry in keys.catalogue("formats").items()
    }
    return {"version": __version__, "formats": formats}
