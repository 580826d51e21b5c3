"""What a call asks for: which columns are what, and what has no place where rows stay away."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass, field
from typing import Any

from .. import _core, keys
from ..errors import DataError, PrivacyError, UsageError
from . import cells
from .cells import Cell

_ROWS = "asks for single rows, which stay in the engine"
_ENGINE = "is for the engine to do: give it the table that you want, as in table.filter(...)"
_LATER = "is not for releases that an engine writes; the answer has it (save, report, result)"
_FILES = "is for tables that the library reads or writes itself"
_RARE = (
    "it would have to be counted together with the quasi-identifiers, and least_count keeps rare "
    "combinations in the engine"
)

#: Arguments that are refused, and why.
_REFUSED = {
    **dict.fromkeys(("where", "sample", "sample_seed", "trim", "fold_case"), _ENGINE),
    **dict.fromkeys(
        ("entity", "entity_view", "history", "history_judged", "treat", "aggregate", "linked")
        + ("follow", "km", "km_within", "km_separator", "key", "household", "weight", "by"),
        _ROWS,
    ),
    **dict.fromkeys(("result", "report", "sign", "save_job", "save_proof", "save_map"), _LATER),
    **dict.fromkeys(
        ("count", "shards", "parts", "delimiter", "header", "no_header", "encoding", "unpack")
        + ("neutralize", "overwrite", "print_sql", "memory"),
        _FILES,
    ),
}

#: Arguments that the library does not have.
_OF_ENGINES = ("base_level", "partition_by", "output")

#: What says which columns are what; hierarchies are not asked for until the counts are there.
_OF_ROLES = ("quasi", "qi", "qi_set", "sensitive", "identifier", "insensitive", "rest", "models", "missing")


@dataclass
class Plan:
    """The columns of a release, in the order of the table."""

    quasi: list[Cell]
    sensitive: list[Cell]
    passed: list[str]  # columns that pass through
    released: list[str]
    missing: list[str] | None  # texts that the call says mean missing
    keep_order: bool
    guarded: list[Cell] = field(default_factory=list)  # of what passes through, all but what is accepted
    is_guarded: bool = True  # whether the leak guard looks at anything
    roles: dict[str, str] = field(default_factory=dict)  # of every column of the table
    named: list[str] = field(default_factory=list)  # columns that the call gives a role

    def counted(self) -> list[Cell]:
        return self.quasi + self.sensitive


def refuse_arguments(said: dict[str, Any]) -> None:
    for name, value in said.items():
        if name in _REFUSED and value not in (None, False):
            raise UsageError(
                f"{name} cannot be used with a table of an engine: it {_REFUSED[name]}",
                code="conflict",
                key=keys.key_of(name),
            )


def _job_of(told: dict[str, Any]) -> dict[str, Any]:
    """The job that the library makes of arguments."""
    job = _core.Job()
    keys.Filling(job, "anonymize", lambda command, asked: asked.run(command)).fill(told)
    found: dict[str, Any] = json.loads(job.json())
    return found


def _names_columns(name: str) -> bool:
    entry = keys.catalogue("keys").get(keys.key_of(name))
    return name in _OF_ROLES or (entry is not None and entry["where"] == "model")


def _demand_possible(said: dict[str, Any]) -> None:
    """Lets the library look at what can be told without the table, before that is counted."""
    _job_of({name: value for name, value in said.items() if name not in _OF_ENGINES and _is_plain(value)})


def _is_plain(value: Any) -> bool:
    """Whether an argument is words and numbers; tables and functions are looked at with the counts."""
    if isinstance(value, dict):
        return all(_is_plain(one) for one in value.values())
    if isinstance(value, (list, tuple)):
        return all(_is_plain(one) for one in value)
    return value is None or isinstance(value, (str, int, float))


def _demand_known(names: list[str], named: list[str]) -> None:
    """A name that no column has may be a slip, and then another column is not what it should be."""
    for name in named:
        if name not in names:
            listed = [*names[:20], "..."] if len(names) > 20 else names
            near = difflib.get_close_matches(name, names, 1)
            hint = f'did you mean "{near[0]}"? ' if near else ""
            raise UsageError(
                f'there is no column "{name}"; {hint}the columns are: {", ".join(listed)}',
                code="unknown-column",
                column=name,
            )


def _hierarchies_for(said: dict[str, Any]) -> list[str]:
    given = said.get("hierarchy")
    return list(given) if isinstance(given, dict) else []


def _demand_roles(of_column: dict[str, Any]) -> None:
    for name, role in of_column.items():
        if role is None:
            raise UsageError(
                f"column {name!r} has no role; name it as quasi, sensitive, identifier or "
                "insensitive, or give rest='insensitive' or rest='drop'",
                code="no-role",
                column=name,
            )


def not_accepted(passed: list[str], said: dict[str, Any]) -> list[str]:
    """The columns that the leak guard has to look at."""
    accepted = _accepted(said)
    return [] if accepted is None else [name for name in passed if name not in accepted]


def _accepted(said: dict[str, Any]) -> list[str] | None:
    """The columns that `allow_leaks` names; None: all."""
    found = _job_of({"allow_leaks": said.get("allow_leaks")}).get("allow-leaks", "false")
    if isinstance(found, str):
        return None if found == "true" else []
    return list(found)


def _refuse_unseen(name: str, why: str) -> PrivacyError:
    return PrivacyError(
        f"column {name!r} would pass through, and the leak guard cannot look at it: {why}; leave it out "
        f"(rest='drop', identifier=...), or release it without a look by allow_leaks=[{name!r}]",
        code="leak",
        column=name,
        key="allow-leaks",
    )


def _guarded(engine: Any, table: Any, passed: list[str], said: dict[str, Any]) -> list[Cell]:
    made = []
    for name in not_accepted(passed, said):
        if said.get("least_count"):
            raise _refuse_unseen(name, _RARE)
        try:
            made.append(cells.cell_of(engine, table, name))
        except DataError as error:
            raise _refuse_unseen(name, str(error)) from None
    return made


def make(engine: Any, table: Any, said: dict[str, Any]) -> Plan:
    """Refuses what cannot be done before anything is asked of the engine."""
    refuse_arguments(said)
    _demand_possible(said)
    job = _job_of({name: value for name, value in said.items() if _names_columns(name)})
    roles = {name: entry.get("role") for name, entry in job.get("attributes", {}).items()}
    names = list(table.columns)
    _demand_known(names, [*roles, *(_accepted(said) or []), *_hierarchies_for(said)])
    if not any(role == "quasi" for role in roles.values()):
        raise UsageError("no quasi-identifier is named", code="missing-key", key="qi")
    of_column = {name: roles.get(name) or job.get("rest") for name in names}
    _demand_roles(of_column)
    passed = [name for name in names if of_column[name] == "insensitive"]
    guarded = _guarded(engine, table, passed, said)
    cell = {
        name: cells.cell_of(engine, table, name)
        for name in names
        if of_column[name] in ("quasi", "sensitive")
    }
    return Plan(
        [cell[name] for name in names if of_column[name] == "quasi"],
        [cell[name] for name in names if of_column[name] == "sensitive"],
        passed,
        [name for name in names if of_column[name] in ("quasi", "sensitive", "insensitive")],
        job.get("missing"),
        bool(said.get("keep_order")),
        guarded,
        not said.get("least_count"),
        {name: "left out" if role == "drop" else str(role) for name, role in of_column.items()},
        [name for name, role in roles.items() if role],
    )
