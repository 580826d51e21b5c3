"""A check for schemas of pandera.

>>> import pandera.pandas as pa
>>> from mingle.pandera import k_anonymous
>>> schema = pa.DataFrameSchema(checks=k_anonymous(quasi=["sex", "zip"], k=5))
>>> len(schema.validate(frame[["sex", "zip"]]))
1200
"""

from __future__ import annotations

from typing import Any

from pandera.api.checks import Check

from .commands import gate

__all__ = ["k_anonymous"]


def k_anonymous(*, quasi: Any, k: int, **arguments: Any) -> Check:
    """A check of a whole frame: it is k-anonymous, shows no identifiers, and no other column gives
    persons away. Other arguments are those of ``mingle.gate``."""

    def passes(table: Any) -> bool:
        return bool(gate(table, quasi=quasi, k=k, **arguments).holds)

    return Check(passes, name="k_anonymous", error=f"it does not pass mingle.gate with k={k}")
