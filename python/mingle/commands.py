"""The commands: each a function on a table, and the way from its arguments to an answer."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Unpack

from . import _core, engines, frames, keys, progress, release, tables
from .answers import Answer
from .arguments import Arguments
from .origins import Origin
from .release import Release
from .tables import Table

__all__ = [
    "anonymize",
    "apply",
    "attack",
    "advise",
    "check",
    "gate",
    "codebook",
    "compare",
    "lattice",
    "risk",
    "suggest",
    "utility",
]


def _ask_alone(command: str, job: _core.Job) -> _core.Result:
    return job.run(command)


def origins_of(given: tables.Given, result: _core.Result) -> dict[str, Origin]:
    """What the columns of a frame were, and which of them come back as they are."""
    if not given.origins:
        return {}
    kept = {column["column"] for column in json.loads(result.json()).get("unchanged", [])}
    named = {frames.name_of(origin.label): origin for origin in given.origins}
    return {name: replace(origin, unchanged=name in kept) for name, origin in named.items()}


def run(
    command: str,
    job: _core.Job,
    arguments: dict[str, Any],
    given: tables.Given | None,
    ask: keys.Ask = _ask_alone,
    show: progress.Wish = None,
) -> tuple[_core.Result, str | None]:
    """Fills a job and runs it; also where a release was written, None: to memory."""
    said = dict(arguments)
    if given is not None and given.location:
        job.set("data", given.location)
    releasing = command in ("anonymize", "apply") and not said.get("dry_run")
    if releasing and said.get("output") is None:
        said["output"] = f"memory:{release.NAME}"
    if said.get("save_recoding") is True:
        said["save_recoding"] = "memory:recoding"
    keys.Filling(job, command.split()[0], ask).fill(said)
    with progress.shown(job, show):
        result = ask(command, job)
    output = said.get("output")
    where = None if output is None or str(output).startswith("memory:") else str(output)
    return result, where


def _on_table(command: str, table: Table, arguments: dict[str, Any]) -> tuple[Any, ...]:
    show = arguments.pop("progress", None)
    job = _core.Job()
    given = tables.give(job, "data", table)
    result, where = run(command, job, arguments, given, show=show)
    return result, where, given


def _answer(command: str, table: Table, arguments: Any, **fixed: Any) -> Answer:
    return Answer(_on_table(command, table, {**arguments, **fixed})[0])


def _release(command: str, table: Table, arguments: Any) -> Release:
    result, where, given = _on_table(command, table, dict(arguments))
    return Release(result, origins_of(given, result), where)


def anonymize(table: Table, **arguments: Unpack[Arguments]) -> Release:
    """Makes a release: searched, written, verified and guarded.

    ``quasi`` names the columns that others may know, ``sensitive`` those that nobody should learn;
    ``k`` and the other models are what is promised. ``hierarchies`` says how columns are
    generalized: a builder, a file, a dict, a frame or a function for each; columns without one get
    a proposed hierarchy.

    >>> release = mingle.anonymize(frame, quasi=["age", "zip"], sensitive=["disease"], k=5)
    >>> release.to_pandas()

    Raises PrivacyError if no release keeps the promise.
    """
    if engines.takes(table, arguments.get("output")):
        return engines.anonymize(table, dict(arguments))
    return _release("anonymize", table, arguments)


def apply(table: Table, **arguments: Unpack[Arguments]) -> Release:
    """Releases a table as a recoding says (``recoding=``): a release that was made with
    ``save_recoding=True``, its bytes, or a file."""
    return _release("apply", table, arguments)


def check(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """Measures the models on a table as it is; ``holds`` of the answer tells about those named."""
    return _answer("check", table, arguments)


def gate(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """Tests a table as it is: the models of the call and its policy, that no identifier is in it,
    and that no other column gives persons away. ``result["tests"]`` has one verdict for each,
    ``holds`` of the answer is true if all pass."""
    return _answer("gate", table, arguments)


def risk(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """How likely it is that a person is found in a table."""
    return _answer("risk", table, arguments)


def advise(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """What each column of a table is, and a job to begin with."""
    return _answer("risk", table, arguments, advise=True)


def attack(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """What a release gives away about the persons of another table (``external=``)."""
    return _answer("attack", table, arguments)


def utility(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """What a release (``release=``) lost against its table."""
    return _answer("utility", table, arguments)


def compare(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """Several methods on one job, side by side; nothing is released."""
    return _answer("compare", table, arguments)


def lattice(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """Every node of the lattice: does it hold, what does it cost."""
    return _answer("lattice", table, arguments)


def suggest(table: Table, **arguments: Unpack[Arguments]) -> Answer:
    """The hierarchies that would be proposed for columns."""
    return _answer("hierarchy suggest", table, arguments)


def codebook(table: Any, **arguments: Unpack[Arguments]) -> Answer:
    """What the recipient of a release is told about its columns."""
    return _answer("codebook", table, arguments)
