"""What a command found out."""

from __future__ import annotations

import html
import json
import os
import shutil
import tempfile
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any

from . import _core
from .errors import UsageError, spelled
from .origins import module

if TYPE_CHECKING:
    import pandas

__all__ = ["Answer", "Comparison", "Document"]


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


#: Parts of a result that are tables, the first of which is what the command was asked for.
_TABLES = ("lattice", "changes", "advice", "window", "hierarchies", "tests", "columns", "attributes", "models")
_ATTACKERS = ("prosecutor", "journalist", "marketer")


class Document:
    """What a command found out: the document that the program writes as JSON, which is ``result``,
    with the methods of a mapping. What people look at most are attributes as well.

    ``print`` shows a summary, a notebook the page that ``report`` writes.
    """

    def __init__(self, core: _core.Result | None, document: Any = None) -> None:
        self._core = core
        self._document = document

    @property
    def result(self) -> Any:
        """The whole document as a dict; of ``compare`` a list, one for each method."""
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

    @property
    def k(self) -> int | None:
        """The size of the smallest class of rows that look alike."""
        smallest: int | None = self.get("k", (self.get("classes") or {}).get("min"))
        return smallest

    @property
    def models(self) -> list[dict[str, Any]]:
        """The models that were judged: their parameters, whether they hold, what was measured."""
        return list(self.get("models") or [])

    @property
    def risk(self) -> dict[str, Any] | None:
        """How likely it is that a person is found; of ``risk`` by each kind of attacker."""
        by_attacker = {kind: self[kind] for kind in _ATTACKERS if kind in self}
        return self._part("risk") or by_attacker or None

    @property
    def utility(self) -> dict[str, Any] | None:
        """What is left of the detail, by each measure."""
        return self._part("utility")

    @property
    def bound(self) -> dict[str, Any] | None:
        """How far from the best the release can be, proved."""
        return self._part("bound")

    def _part(self, name: str) -> dict[str, Any] | None:
        part: dict[str, Any] | None = self.get(name)
        return part

    def _page(self) -> str:
        if self._core is None:
            raise UsageError("what was pickled has its document alone; run the command again")
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
        return spelled(_plainly(self._core.text(False, shutil.get_terminal_size().columns)))

    def __repr__(self) -> str:
        return f"<mingle {type(self).__name__}>\n{self}"

    def _entries(self) -> Mapping[str, Any]:
        entries: Mapping[str, Any] = self.result
        return entries

    def __getitem__(self, key: Any) -> Any:
        return self._entries()[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries()

    def get(self, key: str, default: Any = None) -> Any:
        """A part of the document, or the default."""
        return self._entries().get(key, default)

    def keys(self) -> KeysView[str]:
        """The keys of the document."""
        return self._entries().keys()

    def items(self) -> ItemsView[str, Any]:
        """The keys of the document and what they have."""
        return self._entries().items()

    def values(self) -> ValuesView[Any]:
        """What the document has."""
        return self._entries().values()

    def __reduce__(self) -> Any:
        return (type(self), (None, self.result))


class Answer(Document, Mapping[str, Any]):
    """An answer that is no table: a mapping in every respect.

    >>> answer = mingle.check(frame, quasi=["sex", "zip"], k=5)
    >>> answer["rows"], answer.holds, answer.k == answer["k"]
    (1200, True, True)
    >>> "models" in answer, answer.get("nothing")
    (True, None)
    """

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries())

    def __len__(self) -> int:
        return len(self._entries())

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def to_pandas(self) -> pandas.DataFrame:
        """What the answer lists as a frame: the nodes of a lattice, the changes of a what-if, what
        is advised for each column, the rows of a preview, the models of a check.

        >>> list(mingle.check(frame, quasi=["sex", "zip"], k=5).to_pandas()["model"])
        ['k-anonymity']
        """
        for name in _TABLES:
            rows = self.get(name)
            if isinstance(rows, list) and rows and isinstance(rows[0], Mapping):
                return module("pandas").json_normalize(rows)
        raise UsageError("this answer lists nothing that is a table; its document is in result")


class Comparison(Answer):
    """What several methods make of one job: a mapping of methods and documents.

    >>> found = mingle.compare(frame, quasi=["age", "zip"], k=5, methods=["cell", "mingen"])
    >>> [found[name].get("method") for name in found]
    ['cell', 'mingen']
    """

    def _entries(self) -> Mapping[str, Any]:
        return {one["method"]: one for one in self.result}

    def __getitem__(self, key: Any) -> Any:
        return self.result[key] if isinstance(key, int) else super().__getitem__(key)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for each method: rows, classes, loss by each measure, how near to the best."""
        pd = module("pandas")
        found = pd.json_normalize([dict(one) for one in self.result])
        parts = ("method", "error", "released_rows", "suppressed_rows", "classes.", "utility.", "bound.gap", "seconds.total")
        kept = [name for name in found.columns if name.startswith(parts)]
        return found[kept]
