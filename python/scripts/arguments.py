"""Writes mingle/arguments.py, the types of all keyword arguments, from the library's catalogue.

    python scripts/arguments.py > mingle/arguments.py

A test compares the file with what this prints.
"""

from __future__ import annotations

import textwrap

from mingle import keys

HEAD = '''"""Keyword arguments of the commands, one for each key of a job.

Made from the library's catalogue by scripts/arguments.py; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .models import Model
from .progress import Wish

__all__ = ["Arguments"]

Path = Union[str, "os.PathLike[str]"]


class Arguments(TypedDict, total=False):
    """All of them; which of them a command takes is told where it is called with another. None is
    as if nothing had been said."""

    models: Sequence[Model] | Model | None
    """What is promised, as values of mingle.models."""
    progress: Wish
    """Whether to show how far it is, or a function that is told."""
    base_level: int | Mapping[str, int] | None
    """Of tables in engines: the level of its hierarchy at which a column is counted."""
'''


def single(entry: dict) -> str:
    kind = entry["value"]
    if kind == "choice" and entry["choices"]:
        return f"Literal[{', '.join(repr(c) for c in entry['choices'])}]"
    kinds = {"flag": "bool", "flag-or-columns": "bool | Sequence[str]", "number": "float"}
    kinds |= {"whole": "int", "file": "Path", "choice": "str"}
    return kinds.get(kind, "str")


def type_of(key: str, entry: dict) -> str:
    if key in ("qi", "qi-set"):
        return "str | Sequence[str] | Sequence[Sequence[str]]"
    if key in ("population", "external", "release", "with", "output"):
        return "Any"
    if key in ("hierarchy", "sensitive-hierarchy"):
        return "Mapping[str, Any]"
    if key == "save-recoding":
        return "bool | Path"
    if key == "recoding":
        return "Any"
    if key == "against":
        return "Any"
    if key in ("suppress", "sample"):
        return "int | str"
    if entry["where"] == "model":
        protects = keys.catalogue("models")[entry["model"]]["attribute"]
        return "Mapping[str, Any] | str" if protects else "float | Sequence[float] | str"
    inner = single(entry)
    if entry["where"] == "column":
        return f"Mapping[str, {'Any' if inner == 'str' else inner + ' | Sequence[' + inner + ']'}] | str"
    if entry["value"] == "text" and entry["syntax"] == "EPSILON,DELTA":
        return "str | Sequence[float]"
    return f"{inner} | Sequence[{inner}]" if entry["list"] else inner


def main() -> None:
    print(HEAD, end="")
    for key, entry in keys.catalogue("keys").items():
        if key == "data":
            continue
        print(f"    {keys.name_of(key)}: {type_of(key, entry)} | None".replace("Any | None", "Any"))
        help_text = entry["help"].replace("\\", "\\\\")
        lines = textwrap.wrap(help_text[0].upper() + help_text[1:] + ".", 88)
        print(textwrap.indent('"""' + "\n".join(lines) + '"""', "    "))


if __name__ == "__main__":
    main()
