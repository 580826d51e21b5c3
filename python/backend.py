"""Builds the package with scikit-build-core. Two things are added to it: a source package carries
the sources of the library, which in a checkout lie one folder up, and the version is the library's.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from scikit_build_core.build import (
    build_editable,
    build_wheel,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from scikit_build_core.build import build_sdist as _build_sdist

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

_HERE = Path(__file__).parent
_COPY = _HERE / "engine"
_NEEDED = ["CMakeLists.txt", "LICENSE", "cmake", "include", "src"]


def _in_checkout() -> bool:
    return (_HERE.parent / "include" / "mingle" / "version.h").exists()


def build_sdist(folder: str, settings: dict[str, str] | None = None) -> str:
    """In a checkout the library's sources are copied into the package while it is packed."""
    if not _in_checkout():
        return _build_sdist(folder, settings)
    shutil.rmtree(_COPY, ignore_errors=True)
    _COPY.mkdir()
    try:
        for name in _NEEDED:
            source = _HERE.parent / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, _COPY / name)
        return _build_sdist(folder, settings)
    finally:
        shutil.rmtree(_COPY)


def dynamic_metadata(field: str, settings: dict[str, object] | None = None) -> str:
    """The version that the library's header says."""
    engine = _HERE.parent if _in_checkout() else _COPY
    header = (engine / "include" / "mingle" / "version.h").read_text()
    return ".".join(re.findall(r"define MGL_VERSION_[A-Z]+ (\d+)", header))
