"""Folders of Parquet files on a file system that can rename them at once."""

from __future__ import annotations

import os
import re
import shutil

from ..errors import DataError, SystemFailure, UsageError
from .targets import Folder, Target


def is_local(folder: Folder) -> bool:
    return re.match(r"^[a-z][a-z0-9+.-]*:", folder.path) is None


def demand_local(folder: Folder) -> None:
    if not is_local(folder):
        raise UsageError(
            f"{folder.path} lies where folders cannot be renamed at once; write a table, or a folder "
            "of a file system",
            code="bad-value",
            key="output",
        )


def exists(folder: Folder) -> bool:
    demand_local(folder)
    return os.path.lexists(folder.path)


def demand_writable(folder: Folder) -> None:
    """Fails if the folder cannot be made; those above it are made with it."""
    above = os.path.dirname(os.path.abspath(folder.path))
    while not os.path.lexists(above):
        above = os.path.dirname(above)
    if not os.path.isdir(above) or not os.access(above, os.W_OK | os.X_OK):
        why = "may not write there" if os.path.isdir(above) else f"{above} is no folder"
        raise SystemFailure(f"{folder.path} cannot be made: {why}; nothing was counted", code="write", key="output")


def make(folder: Folder) -> None:
    os.makedirs(folder.path, mode=0o700)


def publish(staged: Target, final: Target) -> None:
    """Renames a folder; never over another one."""
    assert isinstance(staged, Folder) and isinstance(final, Folder)
    if os.path.lexists(final.path):
        raise DataError(f"{final.path} is there already", code="exists", key="output")
    try:
        os.chmod(staged.path, 0o777 & ~_mask())
        os.rename(staged.path, final.path)
    except OSError as error:
        raise SystemFailure(f"{final.path} cannot be made: {error.strerror}", code="write") from error


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def remove(staged: Folder) -> None:
    shutil.rmtree(staged.path, ignore_errors=True)
