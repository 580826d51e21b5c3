"""Jobs: what is to be done, to be kept in a file and run on any table."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Unpack

from . import _core, commands, tables
from .answers import Answer, Comparison
from .arguments import Arguments
from .release import Release
from .tables import Table

__all__ = ["Job"]


class Job:
    """A job, as job files have it: ``Job.from_yaml(text)``, ``Job.load(path)``, ``Job({...})``.

    ``run(table)`` makes a release with it; keyword arguments there override what it says. Paths in
    a job that was loaded are relative to its file.

    >>> job = mingle.Job({"attributes": {"age": {"role": "quasi"}, "zip": {"role": "quasi"}},
    ...                   "privacy": [{"k-anonymity": 5}], "rest": "drop"})
    >>> job.run(frame).holds
    True
    >>> mingle.Job.from_yaml(job.to_yaml()) == job
    True
    """

    def __init__(self, document: Mapping[str, Any] | None = None) -> None:
        self._text: str | None = None
        self._path: str | None = None
        if document is not None:
            self._text = json.dumps(document)
            self._read()

    @classmethod
    def from_yaml(cls, text: str) -> Job:
        """A job from a text, YAML or JSON."""
        job = cls()
        job._text = text
        job._read()
        return job

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Job:
        """A job from a file."""
        job = cls()
        job._path = os.fspath(path)
        job._read()
        return job

    def _read(self) -> _core.Job:
        core = _core.Job()
        if self._path is not None:
            core.read_file(self._path)
        if self._text is not None:
            core.parse(self._text)
        return core

    def to_yaml(self) -> str:
        """The job as a job file."""
        return self._read().yaml()

    def to_dict(self) -> dict[str, Any]:
        """The job as a dict."""
        found: dict[str, Any] = json.loads(self._read().json())
        return found

    def run(
        self, table: Table | None = None, command: str = "anonymize", **arguments: Unpack[Arguments]
    ) -> Answer | Release:
        """Runs the job, on this table or on the one it names.

        table: as in ``anonymize``; None: the one that the job names.
        command: ``"anonymize"``, ``"check"`` or another function of this package.
        Keyword arguments override what the job says.
        """
        core = self._read()
        said: dict[str, Any] = dict(arguments)
        show = said.pop("progress", None)
        given = tables.Given("") if table is None else tables.give(core, "data", table)
        if "output" not in said and core.get("output") is not None:
            said["output"] = core.get("output")
        result, where = commands.run(command, core, said, given, show=show)
        if command not in ("anonymize", "apply"):
            return Comparison(result) if command == "compare" else Answer(result)
        return Release(result, commands.origins_of(given, result), where)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Job) and self.to_dict() == other.to_dict()

    def __repr__(self) -> str:
        return f"<mingle Job>\n{self.to_yaml()}"
