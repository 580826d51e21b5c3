"""Sessions: a table that is opened once and asked many questions."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Unpack

from . import _core, commands, keys, tables
from .arguments import Arguments
from .errors import UsageError
from .tables import Table

__all__ = ["Session"]


class Session(tables.Opened):
    """A table, opened once: further questions cost their search.

    table: as in ``anonymize``.
    Keyword arguments say how the table is read (``missing``, ``delimiter``, ``threads``); its
    methods are the functions of the same name, without the table. Threads may share a session;
    they are served one after the other.

    >>> with mingle.Session(frame) as session:
    ...     for k in (2, 5, 10):
    ...         found = session.anonymize(quasi=["age", "zip"], rest="drop", k=k, dry_run=True)
    ...         print(k, found["classes"]["min"] >= k)
    2 True
    5 True
    10 True
    """

    def __init__(self, table: Table, **arguments: Unpack[Arguments]) -> None:
        job = _core.Job()
        self.given = tables.give(job, "data", table)
        job.set("data", self.given.location)
        said: dict[str, Any] = dict(arguments)
        for name in said:
            known = keys.catalogue("keys").get(keys.key_of(name))
            if known is not None and not known["session"]:
                raise UsageError(
                    f"{name} does not say how the table is read; give it with each question",
                    code="session-key",
                    key=keys.key_of(name),
                )
        keys.Filling(job, "anonymize", lambda command, asked: asked.run(command)).fill(said)
        self._core = _core.Session(job)

    def ask(self, command: str, job: _core.Job) -> _core.Result:
        return self._core.run(command, job)

    anonymize = commands.anonymize
    apply = commands.apply
    check = commands.check
    gate = commands.gate
    risk = commands.risk
    advise = commands.advise
    attack = commands.attack
    utility = commands.utility
    compare = commands.compare
    lattice = commands.lattice
    suggest = commands.suggest
    what_if = commands.what_if
    preview = commands.preview
    look = commands.look

    def close(self) -> None:
        """Lets the table go; answers live on."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
