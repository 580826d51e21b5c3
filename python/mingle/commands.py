"""The commands: each a function on a table, and the way from its arguments to an answer.

What people use most are named arguments; all others are those of ``Further``. A session is a table
as well, so its methods are these functions.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack

from . import _core, engines, frames, keys, progress, release, tables
from .answers import Answer, Comparison
from .arguments import Further, Method
from .models import Model
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
    "statement",
    "compare",
    "lattice",
    "look",
    "preview",
    "risk",
    "suggest",
    "utility",
    "what_if",
]

Progress = progress.Wish
#: One column, or several.
Columns = str | Sequence[str]
#: A parameter that serves when one column is sensitive, or a dict of columns and parameters.
ForColumn = float | Mapping[str, Any] | str
Models = Model | Sequence[Model]
#: For each column a builder of ``mingle.hierarchy``, a file, a dict, a frame or a function.
Hierarchies = Mapping[str, Any]


def _ask_alone(command: str, job: _core.Job) -> _core.Result:
    return job.run(command)


def origins_of(given: tables.Given, result: _core.Result) -> dict[str, Origin]:
    """What the columns of a frame were, and which of them come back as they are."""
    if not given.origins:
        return {}
    found = json.loads(result.json())
    kept = {column["column"] for column in found.get("unchanged", [])}
    columns = found.get("perturbation", {}).get("columns", [])
    perturbed = {column["column"] for column in columns if not column["quasi"]}
    named = {frames.name_of(origin.label): origin for origin in given.origins}
    return {
        name: replace(origin, unchanged=name in kept, perturbed=name in perturbed)
        for name, origin in named.items()
    }


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


def _arguments(scope: dict[str, Any], **fixed: Any) -> dict[str, Any]:
    """What a command was called with, by the names of its arguments: of its local variables."""
    named = {name: value for name, value in scope.items() if name not in ("table", "further")}
    return keys.current({**named, **scope["further"], **fixed})


def _on_table(
    command: str, scope: dict[str, Any], **fixed: Any
) -> tuple[_core.Result, str | None, tables.Given]:
    arguments, table = _arguments(scope, **fixed), scope["table"]
    show = arguments.pop("progress", None)
    job = _core.Job()
    if isinstance(table, tables.Opened):
        return (*run(command, job, arguments, None, table.ask, show), table.given)
    given = tables.give(job, "data", table)
    return (*run(command, job, arguments, given, show=show), given)


def _answer(command: str, scope: dict[str, Any], **fixed: Any) -> Answer:
    return Answer(_on_table(command, scope, **fixed)[0])


def _release(command: str, scope: dict[str, Any]) -> Release:
    result, where, given = _on_table(command, scope)
    return Release(result, origins_of(given, result), where)


def anonymize(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    method: Method | None = None,
    levels: Literal["uniform", "mixed"] | None = None,
    utility: str | None = None,
    entity: str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Release:
    """Makes a release: searched, written, verified and guarded.

    table: a frame, anything with ``__arrow_c_stream__``, a path, or a location of a database.
    quasi: columns that others may know; several lists are several quasi-identifiers.
    sensitive: columns with confidential values.
    k, models: what is promised: every row looks like at least k-1 others, and what else is named.
    l_diversity, t_closeness: for each sensitive column the least number of values of a class, the
    greatest distance from the table; a number alone serves where one column is sensitive.
    hierarchy: how columns are generalized: for each a builder of ``mingle.hierarchy``, a file, a
    dict, a frame or a function; columns without one get a proposed hierarchy.
    suppress: what may be left out: a float is a share of the rows (``0.02``), an int so many rows.
    method, levels: how to search; by default cells of a column have several levels, and
    ``levels="uniform"`` gives each column one.
    utility: the measure of what is lost.
    identifier, insensitive, rest: columns that are never released, columns that are released as
    they are, and what to do with columns without a role (``"insensitive"`` or ``"drop"``).
    entity: the column that says which rows are of one person.
    output: a file or a table of a database; without it the release stays in memory.

    All other arguments are keys of job files (``keep_order``, ``time_limit``, ...).

    Returns a Release. Raises PrivacyError if no release keeps the promise; its ``result`` says
    what comes nearest.

    >>> release = mingle.anonymize(frame, quasi=["age", "sex", "zip"], sensitive="disease", k=5)
    >>> release["classes"]["min"] >= 5
    True
    >>> released = release.to_pandas()
    >>> int(released.groupby(["age", "sex", "zip"], observed=True).size().min()) >= 5
    True
    """
    scope = locals()
    if engines.takes(table, output):
        return engines.anonymize(table, _arguments(scope))
    return _release("anonymize", scope)


def apply(
    table: Table,
    *,
    recoding: Any = None,
    suppress: int | float | str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Release:
    """Releases a table as a recoding says.

    recoding: a release that was made with ``save_recoding=True``, its bytes, or a file.
    suppress: how many rows may be suppressed where the promise needs it.

    Returns a Release; raises PrivacyError if the promise does not hold on these rows.

    >>> first = mingle.anonymize(frame, quasi=["age", "zip"], rest="drop", k=5, save_recoding=True)
    >>> again = mingle.apply(frame.copy(), recoding=first)
    >>> again["released_rows"]
    1200
    """
    return _release("apply", locals())


def check(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    entity: str | None = None,
    against: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """Measures the models on a table as it is.

    quasi, sensitive, k, models: as in ``anonymize``.
    against: the result of a release, whose claims are compared with the table.

    Returns an Answer: ``holds`` says whether the named models do, ``answer["k"]`` the size of the
    smallest class, ``answer["attributes"]`` what else can be promised.

    >>> mingle.check(frame, quasi=["sex", "zip"], k=5).holds
    True
    >>> mingle.check(frame, quasi=["age", "sex", "zip"], k=5).holds
    False
    """
    return _answer("check", locals())


def what_if(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    method: Method | None = None,
    levels: Literal["uniform", "mixed"] | None = None,
    utility: str | None = None,
    entity: str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What a job gives, and what each job would give that is one step away from it: another k, a
    little more or less suppression, a column left out or one level finer, another method.
    ``result["changes"]`` has one entry for each, with the keys that change.

    >>> job = {"quasi": ["sex", "zip"], "rest": "drop", "k": 5}
    >>> [found["change"] for found in mingle.what_if(frame, **job, changes=["k"])["changes"]]
    ['k 10 instead of 5', 'k 3 instead of 5']
    """
    return _answer("what-if", locals())


def preview(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    method: Method | None = None,
    levels: Literal["uniform", "mixed"] | None = None,
    utility: str | None = None,
    entity: str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """Rows of the table beside what they would be released as (``window="1,20"``,
    ``show="changed"``), with the sizes of their classes. The answer holds cells of the table.

    >>> rows = mingle.preview(frame, quasi=["sex", "zip"], rest="drop", k=5, window="1,3")["window"]
    >>> len(rows)
    3
    """
    return _answer("preview", locals())


def look(
    table: Table,
    *,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What a table is read as: its format, its columns with what their values are, and its first
    rows. The answer holds cells of the table.

    >>> mingle.look(frame)["rows"] == len(frame)
    True
    """
    return _answer("look", locals())


def gate(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    entity: str | None = None,
    against: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """Tests a table as it is: the models of the call and its policy, that no identifier is in it,
    and that no other column gives persons away. ``result["tests"]`` has one verdict for each,
    ``holds`` of the answer is true if all pass.

    >>> mingle.gate(frame[["sex", "zip"]], quasi=["sex", "zip"], k=5).holds
    True
    """
    return _answer("gate", locals())


def risk(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    hierarchy: Hierarchies | None = None,
    entity: str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """How likely it is that a person is found in a table.

    quasi: columns that others may know.

    Returns an Answer with ``uniques``, ``rows_below`` and risks by several models of attackers.

    >>> mingle.risk(frame, quasi=["sex", "zip"])["uniques"]
    0
    """
    return _answer("risk", locals())


def advise(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    hierarchy: Hierarchies | None = None,
    entity: str | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What each column of a table is, and a job to begin with.

    Returns an Answer: ``answer["advice"]`` has a role for each column, and why.

    >>> mingle.advise(frame)["advice"] != []
    True
    """
    return _answer("risk", locals(), advise=True)


def attack(
    table: Table,
    *,
    external: Any = None,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    method: Method | None = None,
    levels: Literal["uniform", "mixed"] | None = None,
    utility: str | None = None,
    against: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What a release gives away about the persons of another table.

    external: a table that names persons.
    against: the result of the release, for its columns and hierarchies.

    >>> release = mingle.anonymize(frame, quasi=["age", "zip"], rest="drop", k=5)
    >>> mingle.attack(release, external=frame, against=release)["unique_matches"]
    0
    """
    return _answer("attack", locals())


def utility(
    table: Table,
    *,
    release: Any = None,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    hierarchy: Hierarchies | None = None,
    utility: str | None = None,
    against: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What a release lost against its table.

    release: the release, a table.

    >>> made = mingle.anonymize(frame, quasi=["age", "zip"], rest="drop", k=5)
    >>> lost = mingle.utility(frame, release=made, quasi=["age", "zip"])
    >>> abs(lost["utility"]["precision"] - made["utility"]["precision"]) < 1e-9
    True
    """
    return _answer("utility", locals())


def compare(
    table: Table,
    *,
    methods: Sequence[Method] | Method | None = None,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    utility: str | None = None,
    entity: str | None = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Comparison:
    """Several methods on one job, side by side; nothing is released.

    methods: their names; without it all that fit.

    Returns a Comparison: ``answer["cell"]`` is the document of a method, ``to_pandas()`` a row for
    each.

    >>> found = mingle.compare(frame, quasi=["age", "zip"], k=5, methods=["cell", "mingen"])
    >>> list(found), list(found.to_pandas()["method"])
    (['cell', 'mingen'], ['cell', 'mingen'])
    """
    return Comparison(_on_table("compare", locals())[0])


def lattice(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    sensitive: Columns | None = None,
    identifier: Columns | None = None,
    insensitive: Columns | None = None,
    rest: Literal["insensitive", "drop"] | None = None,
    k: int | None = None,
    l_diversity: ForColumn | None = None,
    t_closeness: ForColumn | None = None,
    models: Models | None = None,
    hierarchy: Hierarchies | None = None,
    suppress: int | float | str | None = None,
    utility: str | None = None,
    entity: str | None = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """Every node of the lattice: does it hold, what does it cost.

    >>> found = mingle.lattice(frame, quasi=["sex", "zip"], k=5)
    >>> found["nodes"]["total"] == len(found["lattice"])
    True
    """
    return _answer("lattice", locals())


def suggest(
    table: Table,
    *,
    quasi: Columns | Sequence[Columns] | None = None,
    hierarchy: Hierarchies | None = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """The hierarchies that would be proposed for the columns of a table.

    >>> [found["column"] for found in mingle.suggest(frame)["hierarchies"]]
    ['age', 'sex', 'zip', 'disease']
    """
    return _answer("hierarchy suggest", locals())


def codebook(
    table: Any,
    *,
    release: Any = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What the recipient of a release is told about its columns.

    table: the result of a release, written by ``release.save(path)``.
    release: the table that it describes.

    >>> made = mingle.anonymize(frame, quasi=["sex"], rest="drop", k=5, output="release.csv")
    >>> made.save("result.json")
    >>> [column["column"] for column in mingle.codebook("result.json")["columns"]]
    ['sex']
    """
    return _answer("codebook", locals())


def statement(
    table: Any,
    *,
    promise: Any = None,
    output: Any = None,
    progress: Progress = None,
    **further: Unpack[Further],
) -> Answer:
    """What the recipient of a release may know, from the release and its promise alone.

    table: the release.
    promise: the file that ``save_promise`` wrote with it.

    >>> made = mingle.anonymize(frame, quasi=["sex"], rest="drop", k=5, output="release.csv",
    ...                         save_promise="promise.json")
    >>> mingle.statement("release.csv", promise="promise.json")["holds"]
    True
    """
    return _answer("statement", locals())
