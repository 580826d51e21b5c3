"""Sessions: a table that is opened once and asked many questions."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Unpack

from . import _core, commands, keys, tables
from .answers import Answer
from .arguments import Arguments
from .release import Release
from .tables import Table

__all__ = ["Session"]


class Session:
    """A table, opened once: further questions cost their search.

    table: as in ``anonymize``.
    Keyword arguments say how the table is read (``missing``, ``delimiter``, ``threads``); those of
    its methods are those of the functions of the same name, without the table. Threads may share a
    session; they are served one after the other.

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
        self._given = tables.give(job, "data", table)
        job.set("data", self._given.location)
        keys.Filling(job, "anonymize", lambda command, asked: asked.run(command)).fill(arguments)
        self._core = _core.Session(job)

    def _ask(self, command: str, job: _core.Job) -> _core.Result:
        return self._core.run(command, job)

    def _run(self, command: str, arguments: Any) -> tuple[_core.Result, str | None]:
        said = dict(arguments)
        show = said.pop("progress", None)
        return commands.run(command, _core.Job(), said, None, self._ask, show)

    def anonymize(self, **arguments: Unpack[Arguments]) -> Release:
        """Makes a release; ``dry_run=True`` answers without one."""
        result, where = self._run("anonymize", arguments)
        return Release(result, commands.origins_of(self._given, result), where)

    def apply(self, **arguments: Unpack[Arguments]) -> Release:
        """Releases the table as a recoding says (``recoding=``)."""
        result, where = self._run("apply", arguments)
        return Release(result, commands.origins_of(self._given, result), where)

    def what_if(self, **arguments: Unpack[Arguments]) -> Answer:
        """What single changes of a job would give."""
        return Answer(self._run("what-if", arguments)[0])

    def preview(self, **arguments: Unpack[Arguments]) -> Answer:
        """Rows of the table beside what they would be released as."""
        return Answer(self._run("preview", arguments)[0])

    def look(self, **arguments: Unpack[Arguments]) -> Answer:
        """What the table is read as: its format, columns and first rows."""
        return Answer(self._run("look", arguments)[0])

    def check(self, **arguments: Unpack[Arguments]) -> Answer:
        """Measures the models on the table as it is."""
        return Answer(self._run("check", arguments)[0])

    def gate(self, **arguments: Unpack[Arguments]) -> Answer:
        """Tests the table as it is: models, identifiers, leaks."""
        return Answer(self._run("gate", arguments)[0])

    def risk(self, **arguments: Unpack[Arguments]) -> Answer:
        """How likely it is that a person is found in the table."""
        return Answer(self._run("risk", arguments)[0])

    def advise(self, **arguments: Unpack[Arguments]) -> Answer:
        """What each column is, and a job to begin with."""
        return Answer(self._run("risk", {**arguments, "advise": True})[0])

    def attack(self, **arguments: Unpack[Arguments]) -> Answer:
        """What the table gives away about the persons of another one (``external=``)."""
        return Answer(self._run("attack", arguments)[0])

    def utility(self, **arguments: Unpack[Arguments]) -> Answer:
        """What a release (``release=``) lost."""
        return Answer(self._run("utility", arguments)[0])

    def compare(self, **arguments: Unpack[Arguments]) -> Answer:
        """Several methods, side by side."""
        return Answer(self._run("compare", arguments)[0])

    def lattice(self, **arguments: Unpack[Arguments]) -> Answer:
        """Every node of the lattice."""
        return Answer(self._run("lattice", arguments)[0])

    def suggest(self, **arguments: Unpack[Arguments]) -> Answer:
        """The hierarchies that would be proposed."""
        return Answer(self._run("hierarchy suggest", arguments)[0])

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
