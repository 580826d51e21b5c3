"""Writes mingle/arguments.py, the types of all keyword arguments, from the library's catalogue.

    python scripts/arguments.py > mingle/arguments.py

A test compares the file with what this prints.
"""

from __future__ import annotations

import textwrap

from mingle import keys

#: Arguments that commands name in their signatures; of all others Further has the types.
NAMED = ("quasi", "sensitive", "identifier", "insensitive", "rest", "k", "l_diversity", "t_closeness")
NAMED += ("models", "hierarchy", "suppress", "method", "methods", "levels", "utility", "entity", "output")
NAMED += ("progress", "recoding", "external", "release", "against", "promise")

HEAD = '''"""Keyword arguments of the commands, one for each key of a job.

Made from the library's catalogue by scripts/arguments.py; do not edit.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict, Union

from .models import Model
from .progress import Wish

__all__ = ["Arguments", "Further", "Method", "Named"]

Path = Union[str, "os.PathLike[str]"]
'''

FURTHER = '''

class Further(TypedDict, total=False):
    """What commands take beside what their signatures name; one that has no use for an argument
    refuses it. None is as if it were not given."""

    base_level: int | Mapping[str, int] | None
    """Of tables in engines: the level of its hierarchy at which a column is counted."""
'''

NAMED_HEAD = '''

class Named(TypedDict, total=False):
    """What the signatures of commands name."""

    models: Sequence[Model] | Model | None
    """What is promised, as values of mingle.models."""
    progress: Wish
    """Whether to show how far it is, or a function that is called with it."""
'''

TAIL = '''

class Arguments(Named, Further, total=False):
    """All of them."""
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
        return "int | float | str"
    if key == "method":
        return "Method"
    if key == "methods":
        return "Sequence[Method] | Method"
    if entry["where"] == "model":
        protects = keys.catalogue("models")[entry["model"]]["attribute"]
        return "float | Mapping[str, Any] | str" if protects else "float | Sequence[float] | str"
    inner = single(entry)
    if entry["where"] == "column":
        return f"Mapping[str, {'Any' if inner == 'str' else inner + ' | Sequence[' + inner + ']'}] | str"
    if entry["value"] == "text" and entry["syntax"] == "EPSILON,DELTA":
        return "str | Sequence[float]"
    return f"{inner} | Sequence[{inner}]" if entry["list"] else inner


def fields(named: bool) -> None:
    """The arguments that signatures name, or all others."""
    for key, entry in keys.catalogue("keys").items():
        if key == "data" or (keys.name_of(key) in NAMED) != named:
            continue
        print(f"    {keys.name_of(key)}: {type_of(key, entry)} | None".replace("Any | None", "Any"))
        help_text = entry["help"].replace("\\", "\\\\")
        lines = textwrap.wrap(help_text[0].upper() + help_text[1:] + ".", 88)
        print(textwrap.indent('"""' + "\n".join(lines) + '"""', "    "))


def main() -> None:
    print(HEAD, end="")
    methods = ", ".join(repr(name) for name in keys.catalogue("methods"))
    print(f"#: How to search.\nMethod = Literal[{methods}]")
    print(NAMED_HEAD, end="")
    fields(named=True)
    print(FURTHER, end="")
    fields(named=False)
    print(TAIL, end="")


if __name__ == "__main__":
    main()
