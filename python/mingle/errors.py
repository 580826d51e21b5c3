"""Exceptions: one kind for each way in which a call can end."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import _core

__all__ = [
    "MingleError",
    "PrivacyError",
    "UsageError",
    "DataError",
    "SystemFailure",
    "Cancelled",
]


class MingleError(Exception):
    """What went wrong, where, and what to do.

    ``code`` is a word that stays the same (``"unknown-column"``); every error has one. ``key``,
    ``column``, ``file``, ``line`` and ``position`` say where, and are None where that is not known. No field
    holds a cell of the table.

    >>> try:
    ...     mingle.anonymize(frame, quasi=["age", "sux"], k=5)
    ... except mingle.MingleError as error:
    ...     print(type(error).__name__, error.code, error.column)
    UsageError unknown-column sux
    """

    #: What an error of this kind is called that has no word of its own.
    _usual_code = "internal"

    code: str
    key: str | None
    column: str | None
    file: str | None
    line: int | None
    position: int | None

    def __init__(
        self,
        message: str,
        *,
        code: str | None = None,
        key: str | None = None,
        column: str | None = None,
        file: str | None = None,
        line: int | None = None,
        position: int | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code or self._usual_code
        self.key = key
        self.column = column
        self.file = file
        self.line = line
        self.position = position

    def __reduce__(self) -> Any:
        return (_again, (type(self), self.message, dict(self.__dict__)))


class PrivacyError(MingleError):
    """The privacy promise does not hold, or cannot be reached; nothing was released.

    ``result`` is the document that the release would have had, as a dict: of what was found and is
    refused, or else of the node of the lattice that comes nearest. ``result["refused"]`` says why,
    ``result["models"]`` which models hold there and what they measure, ``result["failing_rows"]``
    the first rows of the table (from 1) that are in classes that break one, and
    ``result["nearest"]`` the levels and how many rows would have to be suppressed.

    >>> try:
    ...     mingle.anonymize(frame, quasi=["age", "zip"], rest="drop", k=2000)
    ... except mingle.PrivacyError as error:
    ...     print(error.code, error.result["models"][0]["measured"])
    impossible 1200
    """

    _usual_code = "unmet"

    result: dict[str, Any]

    def __init__(self, message: str, **fields: Any) -> None:
        super().__init__(message, **fields)
        why = {"code": self.code, "message": message, "key": self.key, "column": self.column}
        self.result = {"refused": why}


class UsageError(MingleError, ValueError):
    """A wrong call: a key, a value, keys that do not go together."""

    _usual_code = "usage"


class DataError(MingleError, ValueError):
    """A table, a hierarchy or another input that cannot be used."""

    _usual_code = "data"


class SystemFailure(MingleError, OSError):
    """The system failed: memory, a file, a database, a library that is not there."""

    _usual_code = "system"

    def __str__(self) -> str:
        return self.message


class Cancelled(MingleError):
    """The call was asked to stop; nothing was written."""

    _usual_code = "cancelled"


_KINDS: dict[int, type[MingleError]] = {
    1: PrivacyError,
    2: UsageError,
    3: DataError,
    4: SystemFailure,
    5: Cancelled,
}


def _again(kind: type[MingleError], message: str, fields: dict[str, Any]) -> MingleError:
    error = kind(message)
    error.__dict__.update(fields)
    return error


#: Keyword arguments whose names are not those of their keys, or of fields of columns.
_NAMES = {"qi": "quasi", "quasi-identifiers": "quasi", "weight of": "weights"}

#: Where Python lists what the program lists by a command.
_LISTS = {
    "help models": "help(mingle.models)",
    "help builders": "help(mingle.hierarchy)",
    "help formats": "mingle.features()",
    "help keys": "help(mingle.anonymize)",
    "help methods": "mingle.compare",
}


def _name(key: str) -> str:
    return _NAMES.get(key, key).replace("-", "_")


def _value(text: str) -> str:
    """A value as Python writes it; N, X and the like stand for numbers."""
    told = {"true": "True", "false": "False"}.get(text)
    if told is None:
        told = text if re.fullmatch(r"[0-9.]+|[A-Z]", text) else f'"{text}"'
    return told


def _argument(found: re.Match[str]) -> str:
    """A key with its value as a keyword argument: `suppress: 7` is `suppress=7`, and
    `t-closeness: disease=T` is `t_closeness={"disease": T}`."""
    key, value = _name(found[1]), found[2]
    of_column = re.fullmatch(r"([^=(]+)=(.+)", value)
    if of_column:
        return f'`{key}={{"{of_column[1]}": {_value(of_column[2])}}}`'
    return f"`{key}={_value(value)}`"


def _of_column(found: re.Match[str]) -> str:
    """`attributes.age.level: 1` is `level={"age": 1}`."""
    column, field, value = found[1].strip('"').replace('""', '"'), found[2], found[3]
    if field == "role":
        return f"role of {column!r}"
    name = _name("weight of" if field == "weight" else field)
    return f'`{name}={{"{column}": {_value(value) if value else "..."}}}`'


def _of_model(found: re.Match[str]) -> str:
    column = found[2].strip('"').replace('""', '"') if found[2] else ""
    return f"`models` ({found[1]}{' of ' + column if column else ''})"


def spelled(message: str) -> str:
    """Keys as Python writes them: the library has them between backquotes; a table in memory has
    no file to be named."""
    message = re.sub(r"memory:data(: |, )", "", message)
    message = re.sub(r"memory:([a-z-]+) \d+", lambda m: _name(m[1]), message)
    message = message.replace("let `risk` propose them (`advise`)", "let `mingle.advise` propose them")
    for command, here in _LISTS.items():
        message = message.replace(f"`{command}`", f"`{here}`")
    column = r'("(?:[^"`]|"")*"|[^.`"]+)'
    message = re.sub(rf"`attributes\.{column}\.([a-z-]+)(?:: ([^`]+))?`", _of_column, message)
    message = re.sub(rf"`privacy\.([a-z-]+)(?:\.{column})?`", _of_model, message)
    message = re.sub(r"`role: ([a-z]+)`", r"`\1=[...]`", message)
    message = re.sub(r"`([a-z-]+): ([^`]+)`", _argument, message)
    return re.sub(r"`([a-z-]+)`", lambda m: f"`{_name(m[1])}`", message)


def of_library(
    status: int,
    code: str,
    message: str,
    key: str,
    column: str,
    file: str,
    line: int,
    position: int,
    refusal: _core.Result | None = None,
) -> MingleError:
    """The exception for an error of the library; the extension module calls it."""
    error = _KINDS.get(status, MingleError)(
        spelled(message),
        code=code,
        key=key or None,
        column=column or None,
        file=file or None,
        line=line or None,
        position=position or None,
    )
    if isinstance(error, PrivacyError) and refusal is not None:
        error.result = json.loads(refusal.json())
    return error
