"""Versions of the libraries behind engines that work together; ``pip install
'mingle-privacy[engines]'`` installs them."""

from __future__ import annotations

from importlib import metadata

__all__ = ["hint"]

#: The first version of each that Ibis 12 is not made for.
_TOO_NEW = {"ibis-framework": (13,), "sqlglot": (30, 10), "duckdb": (2,), "datafusion": (52,), "polars": (2,)}
#: Of which engines.
_SERVES = {"duckdb": ("duckdb",), "datafusion": ("datafusion",), "polars": ("polars",)}


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


def hint(engine: str) -> str:
    """What installed versions may have to do with a failure of an engine; empty: nothing."""
    found = []
    for package, limit in _TOO_NEW.items():
        if engine not in _SERVES.get(package, (engine,)):
            continue
        try:
            version = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
        if _numbers(version) >= limit:
            found.append(f"{package} {version}")
    if not found:
        return ""
    return (
        f"; {' and '.join(found)} {'is' if len(found) == 1 else 'are'} installed and not supported yet: "
        "pip install 'mingle-privacy[engines]' has versions that work together"
    )
