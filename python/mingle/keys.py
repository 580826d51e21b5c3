"""Keyword arguments as keys of a job.

The library's catalogue says which keys there are, which command takes them, and what their values
look like; nothing of that is written down here a second time. ``keep_order`` is the key
``keep-order``; ``quasi`` is ``qi``.
"""

from __future__ import annotations

import csv
import io
import json
import numbers
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from decimal import Decimal
from typing import Any

from . import _core, frames, tables
from .errors import UsageError
from .models import Model

#: Runs a command with a job, on a session or by itself.
Ask = Callable[["str", "_core.Job"], "_core.Result"]

_OTHER_NAMES = {"quasi": "qi", "with_": "with"}
_OLD_NAMES = {"hierarchies": "hierarchy"}  # of the version before
_TABLES = ("population", "external", "release", "with")  # keys that name a further table
_LABELS = ("hierarchy", "sensitive-hierarchy")
_SHARES = ("suppress", "sample")  # a number of rows, or a share of them
_ROLES = ("qi", "qi-set", "sensitive", "identifier", "insensitive")


@lru_cache(maxsize=None)
def catalogue(section: str = "") -> dict[str, Any]:
    """What the library offers: a section of its catalogue, or all of it."""
    found: dict[str, Any] = json.loads(_core.catalogue(section))
    return dict(found[section]) if section else found


def key_of(name: str) -> str:
    """The key that a keyword argument means."""
    return _OTHER_NAMES.get(name, name.replace("_", "-"))


def name_of(key: str) -> str:
    """The keyword argument that means a key."""
    for name, other in _OTHER_NAMES.items():
        if other == key:
            return name
    return key.replace("-", "_")


def current(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """What was given, by the names that arguments have now; None is as if it were not given."""
    named: dict[str, Any] = {}
    for name, value in arguments.items():
        if value is None:
            continue
        if name in _OLD_NAMES:
            warnings.warn(f"{name} is called {_OLD_NAMES[name]} now", DeprecationWarning, 2)
        now = _OLD_NAMES.get(name, name)
        first = next((other for other in named if key_of(other) == key_of(now)), None)
        if first is not None:
            raise UsageError(
                f"{first} and {name} are the same argument; give one of them",
                code="repeated",
                key=key_of(now),
            )
        named[now] = value
    return named


def _entry(name: str, key: str, command: str) -> dict[str, Any]:
    entry: dict[str, Any] | None = catalogue("keys").get(key)
    if entry is None:
        import difflib

        known = [name_of(k) for k, e in catalogue("keys").items() if command in e["commands"]]
        near = difflib.get_close_matches(name, known, 1, 0.7)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise UsageError(f"there is no argument {name}{hint}", code="unknown-key", key=key)
    if command not in entry["commands"]:
        raise UsageError(f"{command} has no use for {name}", code="unknown-key", key=key)
    return entry


# ---- Texts of values -----------------------------------------------------------------------------


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _no_text(text: str) -> str | None:
    """What keeps a text from being one; None: nothing."""
    if "\0" in text:
        return "a NUL character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "half of a surrogate pair, which is no character,"
    return None


def _argument_of(key: str) -> str:
    """The argument that a key was given by, of a column or a model its field or the model."""
    parts = key.split(".")
    if parts[0] == "attributes":
        return name_of(parts[-1])
    return "models" if parts[0] == "privacy" else name_of(parts[0])


def text_of(value: Any) -> str:
    """A single value as options write it."""
    if type(value).__name__ in ("bool", "bool_"):  # also numpy's
        return "true" if value else "false"
    if isinstance(value, (bytes, bytearray)):
        raise UsageError(f"{value!r} is no text; decode it: {value!r}.decode()", code="bad-value")
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 2**53 else repr(value)
    return str(os.fspath(value) if isinstance(value, os.PathLike) else value)


def _wrong_type(name: str, key: str, value: Any, takes: str) -> UsageError:
    return UsageError(
        f"{name} takes {takes}, and not {type(value).__name__} {value!r:.40}", code="bad-value", key=key
    )


def _share_text(name: str, key: str, value: Any) -> str:
    """A number of rows (an int), or a share of them (a float from 0 to 1)."""
    if not isinstance(value, bool):
        if isinstance(value, numbers.Integral) and int(value) >= 0:
            return str(int(value))
        if not isinstance(value, numbers.Integral) and isinstance(value, numbers.Real):
            share = float(value)
            if 0 <= share <= 1:
                return f"{Decimal(repr(share)) * 100:f}%"
    raise UsageError(
        f"{name}={value!r}: give a share of the rows, a float from 0 to 1 ({name}=0.02), or a "
        f"number of rows, an int ({name}=20)",
        code="bad-value",
        key=key,
    )


def _list_of(value: Any) -> list[Any]:
    if isinstance(value, (str, os.PathLike)) or not isinstance(value, Iterable):
        return [value]
    return list(value)


def _list_text(values: Iterable[Any]) -> str:
    return ",".join(quoted(text_of(value)) for value in values)


# ---- Keys ----------------------------------------------------------------------------------------


class Filling:
    """A job of the library while it is filled for a command."""

    def __init__(self, job: _core.Job, command: str, ask: Ask) -> None:
        self.job = job
        self.command = command
        self._ask = ask
        self._given = 0
        self._sensitive: Any = None  # as the call names them

    def _name(self, what: str) -> str:
        self._given += 1
        return f"{what} {self._given}"

    def _add(self, key: str, value: str) -> None:
        odd = _no_text(key) or _no_text(value)
        if odd is not None:
            raise UsageError(
                f"{_argument_of(key)}: there is {odd} in it; remove it",
                code="bad-value",
                key=key.split(".")[0],
            )
        self.job.add(key, value)

    def _give(self, key: str, data: Any) -> None:
        name = self._name(key)
        self.job.give_bytes(name, data)
        self._add(key, f"memory:{name}")

    def _table(self, key: str, value: Any) -> Any:
        """A further table, or where it is."""
        if isinstance(value, (str, os.PathLike)):
            return value
        return tables.give(self.job, self._name(key), value).location

    def fill(self, arguments: Mapping[str, Any]) -> None:
        """Adds the arguments as options of the program are added: they override what a job file
        says, and what contradicts among them is refused."""
        given = current(arguments)
        for role in _ROLES:
            if any(key_of(name) == role for name in given):
                self.job.unset(role)  # an argument names all columns of its role
        self._sensitive = given.get("sensitive")
        for name, value in given.items():
            self._fill_one(name, value)

    def _fill_one(self, name: str, value: Any) -> None:
        if name == "models":
            for model in [value] if isinstance(value, Mapping) else _list_of(value):
                self._add_model(model)
            return
        key = key_of(name)
        entry = _entry(name, key, self.command)
        if key in ("qi", "qi-set") and not isinstance(value, str):
            value = _list_of(value)  # looked at twice, which an iterator does not allow
        if entry["where"] == "column":
            self._set_columns(name, key, entry, value)
        elif entry["where"] == "model":
            self._set_model(name, key, entry, value)
        elif key in ("qi", "qi-set") and any(not isinstance(item, str) for item in value):
            for one in value:
                self._add("qi-set", _list_text(_list_of(one)))
        elif key in _TABLES and not isinstance(value, (str, os.PathLike)):
            self._add(key, self._table(key, value))
        elif key == "guard-counts" and not isinstance(value, (str, os.PathLike)):
            self._add(key, _list_text(self._table(key, one) for one in _list_of(value)))
        elif key == "recoding" and not isinstance(value, (str, os.PathLike)):
            made = value.recoding() if hasattr(value, "recoding") else value
            if not isinstance(made, (bytes, bytearray, memoryview)):
                raise _wrong_type(name, key, value, "a release, its bytes or a file")
            self._give(key, made)
        elif key == "against" and not isinstance(value, (str, os.PathLike)):
            document = getattr(value, "result", value)
            if not isinstance(document, Mapping):
                raise _wrong_type(name, key, value, "a release, its result or a file")
            self._give(key, json.dumps(dict(document)).encode())
        elif entry["value"] == "file" and not isinstance(value, (str, os.PathLike, bool, Iterable)):
            raise _wrong_type(name, key, value, "a path")
        elif key in _SHARES and not isinstance(value, str):
            self._add(key, _share_text(name, key, value))
        elif entry["list"] and not isinstance(value, (str, bool)):
            items = _list_of(value)
            if items:  # an empty list names none, which is what no argument means
                self._add(key, _list_text(items))
        elif isinstance(value, (list, tuple)) and all(isinstance(v, (int, float)) for v in value):
            self._add(key, ",".join(map(text_of, value)))  # dp=(1, 1e-6)
        else:
            self._add(key, text_of(value))

    # Columns --------------------------------------------------------------------------------------

    def _set_columns(self, name: str, key: str, entry: dict[str, Any], value: Any) -> None:
        if isinstance(value, str) and "=" in value:  # as options of the program are written
            self._add(key, value)
            return
        if not isinstance(value, Mapping):
            raise UsageError(
                f"{name} takes a dict, what holds for each column, and not {value!r:.40}; write for "
                f'example {name}={{"COLUMN": {value!r:.40}}}',
                code="bad-value",
                key=key,
            )
        for column, said in value.items():
            if key in _LABELS:
                said = self._hierarchy(str(column), said)
            elif not isinstance(said, str) and isinstance(said, Iterable):
                said = ("/" if not entry["list"] else ",").join(text_of(x) for x in said)
            self._add(f"attributes.{quoted(str(column))}.{entry['field']}", text_of(said))

    def _hierarchy(self, column: str, said: Any) -> str:
        """The text of a hierarchy: a builder or a file, or a table of labels in memory."""
        if isinstance(said, (str, os.PathLike)):
            return os.fspath(said)
        given = self._name(f"hierarchy of {column}")
        if isinstance(said, Mapping):
            rows = [[text_of(value), *map(text_of, _list_of(above))] for value, above in said.items()]
            written = io.StringIO()
            csv.writer(written, delimiter=";", lineterminator="\n").writerows(_evened(rows))
            self.job.give_bytes(given + ".csv", written.getvalue().encode())
            return f"memory:{given}.csv"
        if said is None or isinstance(said, (bool, numbers.Number, bytes)):
            raise UsageError(
                f'hierarchy={{{column!r}: {said!r:.40}}}: give a builder (mingle.hierarchy), a file, a '
                "dict, a frame or a function",
                code="bad-value",
                key="hierarchy",
                column=column,
            )
        if callable(said) and not hasattr(said, "__arrow_c_stream__") and not frames.is_frame(said):
            return self._hierarchy(column, {v: said(v) for v in self._values_of(column)})
        return tables.give(self.job, given, said).location

    def _values_of(self, column: str) -> list[str]:
        """The different values of a column, as the library writes them."""
        asking = self.job.copy()
        for key, entry in catalogue("keys").items():
            if key != "data" and ("hierarchy" not in entry["commands"] or not entry["reading"]):
                asking.unset(key)
        asking.unset("attributes")
        asking.unset("privacy")
        asking.set(f"attributes.{quoted(column)}.role", "quasi")
        asking.set(f"attributes.{quoted(column)}.hierarchy", "suppress")
        asking.set("output", "memory:values.csv")
        made = self._ask("hierarchy build", asking).bytes("values.csv").decode()
        return [row[0] for row in csv.reader(io.StringIO(made), delimiter=";")]

    # Models ---------------------------------------------------------------------------------------

    def _set_model(self, name: str, key: str, entry: dict[str, Any], value: Any) -> None:
        model = entry["model"]
        if catalogue("models")[model]["attribute"] and not isinstance(value, (str, Mapping)):
            value = {self._only_sensitive(name, key, value): value}
        elif not catalogue("models")[model]["attribute"] and isinstance(value, Mapping):
            raise _wrong_type(name, key, value, "a number: it is about no single column,")
        if isinstance(value, Mapping):
            for column, said in value.items():
                text = ",".join(text_of(x) for x in _list_of(said))
                self._add(f"privacy.{model}.{quoted(str(column))}", text)
        else:
            self._add(key, ",".join(text_of(x) for x in _list_of(value)))

    def _only_sensitive(self, name: str, key: str, value: Any) -> Any:
        """The column that a parameter without one is for: the one that is sensitive."""
        columns = [] if self._sensitive is None else _list_of(self._sensitive)
        if len(columns) == 1:
            return columns[0]
        column = "..." if not columns else columns[0]
        lacking = "the call names no sensitive column" if not columns else "several columns are sensitive"
        raise UsageError(
            f"{name}: {lacking}; say for which: {name}={{{column!r}: {value!r}}}",
            code="bad-value",
            key=key,
        )

    def _add_model(self, model: Model | Mapping[str, Any]) -> None:
        if not isinstance(model, (Model, Mapping)):
            is_kind = isinstance(model, type) and issubclass(model, Model)
            example = f"{model.__name__}(...)" if is_kind else "KAnonymity(5)"
            lacks = "lacks its parameters" if is_kind else "is none"
            raise UsageError(
                f"models takes models, and {getattr(model, '__name__', text_of(model))!r} {lacks}; "
                f"give for example models=[mingle.{example}]",
                code="bad-value",
                key="privacy",
            )
        said = {model.key: model.parameters()} if isinstance(model, Model) else dict(model)
        for key, parameters in said.items():
            if not isinstance(parameters, Mapping):
                self._add(f"privacy.{key}", text_of(parameters))
                continue
            told: dict[str, Any] = {k: v for k, v in parameters.items() if v is not None}
            attribute = told.pop("attribute", None)
            distance = told.pop("distance", None)
            text = ",".join(text_of(v) for v in told.values())
            place = f"privacy.{key}" + (f".{quoted(attribute)}" if attribute is not None else "")
            self._add(place, text)
            if distance is not None:
                self._add(f"attributes.{quoted(str(attribute))}.distance", distance)


def _evened(rows: list[list[str]]) -> list[list[str]]:
    """Rows of labels that are equally long and end in one top."""
    longest = max((len(row) for row in rows), default=1)
    rows = [row + [row[-1]] * (longest - len(row)) for row in rows]
    one_top = longest > 1 and len({row[-1] for row in rows}) == 1
    return rows if one_top else [row + ["*"] for row in rows]
