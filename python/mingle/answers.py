"""What a command found out."""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
from typing import Any

from . import _core
from .errors import UsageError

__all__ = ["Answer"]


def _plainly(text: str) -> str:
    """Where a release is that was written nowhere, as a person says it."""
    return text.replace("memory:release", "in memory")


def write_private(
    path: str | os.PathLike[str], text: str, what: str, endings: tuple[str, ...]
) -> None:
    """Writes what is confidential to a file that only its owner may read, also where a file that
    others may read is replaced. The name must fit what it is: under that of a table it would be
    written over one."""
    ending = os.path.splitext(os.fspath(path))[1].lower()
    if ending not in ("", *endings):
        raise UsageError(
            f"{os.fspath(path)!r}: {what} is not written as {ending}; end its name in {' or '.join(endings)}",
            code="output",
        )
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):  # a device, a pipe
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return
    # Beside it until it is whole: what was there stays if writing fails.
    folder, name = os.path.split(target)
    number, staged = tempfile.mkstemp(prefix=f".{name[:200]}.mingle-", dir=folder)
    try:
        with open(number, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(staged, target)
    except BaseException:
        os.unlink(staged)
        raise


#: Sections of a result that state what holds: models, tests, items, claims, a proof, a job.
_JUDGED = ("models", "tests", "items", "against", "proof", "answer")


def _is_judged(document: Any) -> bool:
    """Whether a result states that something holds."""
    if isinstance(document, list):
        return any(_is_judged(one) for one in document)
    return any(document.get(key) for key in _JUDGED)


def _all_hold(document: Any) -> bool:
    if isinstance(document, list):
        return any(_all_hold(one) for one in document if "error" not in one)
    judged = [one for key in ("models", "tests") for one in document.get(key) or []]
    return all(one.get("holds", True) for one in judged)


class Answer:
    """A result: ``result`` is the document that the program writes as JSON, and ``answer[key]`` a
    part of it. (It is no mapping, since a release would then be taken for a dict of columns.)

    ``print`` shows a summary, a notebook the page that ``report`` writes.

    >>> answer = mingle.check(frame, quasi=["sex", "zip"], k=5)
    >>> answer["rows"], answer.holds
    (1200, True)
    """

    def __init__(self, core: _core.Result | None, document: Any = None) -> None:
        self._core = core
        self._document = document

    @property
    def result(self) -> Any:
        """The whole document: a dict, of ``compare`` a list."""
        if self._document is None:
            assert self._core is not None
            self._document = json.loads(self._core.json())
        return self._document

    @property
    def holds(self) -> bool | None:
        """Whether every model that was asked for holds; None where none was."""
        if not _is_judged(self.result):
            return None
        if self._core is not None:
            return self._core.holds()
        return _all_hold(self.result)

    def _page(self) -> str:
        if self._core is None:
            raise ValueError("what was pickled has its document alone; run the command again")
        return _plainly(self._core.html())

    def report(self, path: str | os.PathLike[str] | None = None) -> str:
        """The page that shows it, also written to a file if one is named."""
        page = self._page()
        if path is not None:
            write_private(path, page, "a report", (".html", ".htm", ".xhtml"))
        return page

    def _repr_html_(self) -> str:
        if self._core is None:
            return f"<pre>{html.escape(str(self))}</pre>"
        page = html.escape(self._page(), quote=True)
        return (
            f'<iframe sandbox srcdoc="{page}" style="width:100%;height:34em;border:1px solid #ccc">'
            "</iframe>"
        )

    def __str__(self) -> str:
        if self._core is None:
            return json.dumps(self.result, indent=2, ensure_ascii=False)
        return _plainly(self._core.text(False, shutil.get_terminal_size().columns))

    def __repr__(self) -> str:
        return f"<mingle {type(self).__name__}>\n{self}"

    def __getitem__(self, key: Any) -> Any:
        return self.result[key]

    def __reduce__(self) -> Any:
        return (type(self), (None, self.result))
