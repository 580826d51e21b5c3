"""Builds the package with scikit-build-core. Three things are added to it: a source package carries
the sources of the library, which in a checkout lie one folder up, the version is the library's, and
what a build needs beside Python is asked for before anything is compiled.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from scikit_build_core.build import (
    build_editable,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from scikit_build_core.build import build_sdist as _build_sdist
from scikit_build_core.build import get_requires_for_build_editable as _requires_for_editable
from scikit_build_core.build import get_requires_for_build_wheel as _requires_for_wheel

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


#: What must be there: modules of pkg-config and the packages of Debian that have them.
_MODULES = {
    "jansson": "libjansson-dev",
    "libfyaml": "libfyaml-dev",
    "libutf8proc": "libutf8proc-dev",
    "libxxhash": "libxxhash-dev",
    "libzstd": "libzstd-dev",
    "zlib": "zlib1g-dev",
}


def _has_module(pkg_config: str, name: str) -> bool:
    return subprocess.run([pkg_config, "--exists", name], check=False).returncode == 0


def _missing() -> dict[str, str]:
    """What a build lacks here, and the packages of Debian that have it."""
    compilers = [os.environ.get("CC", "cc").split()[0], "gcc", "clang"]
    found = {}
    if not any(shutil.which(compiler) for compiler in compilers):
        found["a C compiler"] = "gcc libc6-dev"
    pkg_config = shutil.which(os.environ.get("PKG_CONFIG", "pkg-config"))
    if pkg_config is None:
        return {**found, "pkg-config": "pkg-config", **_MODULES}
    lacking = {name: package for name, package in _MODULES.items() if not _has_module(pkg_config, name)}
    return {**found, **lacking}


def _demand_what_is_needed() -> None:
    missing = _missing()
    if missing:
        raise SystemExit(
            f"mingle cannot be built here without {', '.join(missing)}.\n"
            f"On Debian: apt-get install {' '.join(missing.values())}\n"
            "A wheel has all of it inside and needs none of this."
        )


def get_requires_for_build_wheel(settings: dict[str, str] | None = None) -> list[str]:
    """Asked for first, before anything is fetched or compiled."""
    _demand_what_is_needed()
    return list(_requires_for_wheel(settings))


def get_requires_for_build_editable(settings: dict[str, str] | None = None) -> list[str]:
    """As for a wheel."""
    _demand_what_is_needed()
    return list(_requires_for_editable(settings))


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
