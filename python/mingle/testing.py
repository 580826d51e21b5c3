"""Checks for tests and pipelines: that a table keeps its promise, as ``mingle gate`` judges it.

>>> from mingle.testing import assert_k_anonymous
>>> assert_k_anonymous(frame[["sex", "zip"]], quasi=["sex", "zip"], k=5)
"""

from __future__ import annotations

from typing import Any

from .answers import Answer
from .commands import gate
from .tables import Table

__all__ = ["assert_k_anonymous", "failures"]


def failures(answer: Answer) -> list[str]:
    """What a gate found: a line for each test that fails."""
    return [f"{test['test']}: {test['found']}" for test in answer["tests"] if not test["holds"]]


def assert_k_anonymous(table: Table, *, quasi: Any, k: int, **arguments: Any) -> None:
    """Fails as a test does if the table is not k-anonymous, shows identifiers, or has columns that
    give persons away. Other arguments are those of ``mingle.gate``.

    >>> from mingle.testing import assert_k_anonymous
    >>> try:
    ...     assert_k_anonymous(frame[["age", "sex"]], quasi=["age", "sex"], k=50)
    ... except AssertionError as error:
    ...     print(str(error).splitlines()[0])
    the table does not pass:
    """
    answer = gate(table, quasi=quasi, k=k, **arguments)
    if not answer.holds:
        raise AssertionError("\n- ".join(["the table does not pass:", *failures(answer)]))
