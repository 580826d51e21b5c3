"""The same questions to pycanon and anjana as to mingle. Each of theirs is asked in a process of its
own, which is ended when it takes longer than the limit; then the ratio is at least what is told."""

from __future__ import annotations

import contextlib
import importlib.util
import io
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import census
import mingle
import numpy as np
import pandas as pd

# ---- pycanon's report ----------------------------------------------------------------------------

REPORT = ["age", "education", "marital-status", "occupation", "sex", "native-country"]
HOURS = "hours-per-week"


def reported() -> pd.DataFrame:
    """pycanon's own example of Adult, 18,327 rows and 91 values of hours; without it, a table of
    as many classes and values."""
    path = os.path.join(census.SHARED, "pycanon/adult_k10.csv")
    if os.path.exists(path):
        return pd.read_csv(path, usecols=[*REPORT, HOURS])
    random = np.random.default_rng(2)
    classes = random.integers(0, 650, 18_000)
    made = {name: [f"{name} {c * (i + 3) % 13}" for c in classes] for i, name in enumerate(REPORT)}
    made["age"] = [f"[{c}, {c + 1}[" for c in classes]
    return pd.DataFrame({**made, HOURS: random.integers(1, 91, 18_000)})


def pycanon_report(frame: pd.DataFrame) -> None:
    from pycanon import report

    with contextlib.redirect_stdout(io.StringIO()):
        report.print_report(frame, REPORT, [HOURS])


def our_report(frame: pd.DataFrame) -> None:
    str(mingle.check(frame, quasi=REPORT, sensitive=HOURS))


# ---- anjana's k-anonymity ------------------------------------------------------------------------


@dataclass
class Persons:
    """Adult as anjana takes it, texts, with hierarchies as frames, a row for each value."""

    frame: pd.DataFrame
    hierarchies: dict[str, pd.DataFrame]

    def __len__(self) -> int:
        return len(self.frame)


def persons() -> Persons:
    found = census.adult()
    frame = (found if found is not None else census.drawn(30_000)[0]).astype(str)
    quasi = list(frame.columns)[:6]
    if found is None:
        rows = {c: pd.DataFrame({0: sorted(frame[c].unique()), 1: "*"}) for c in quasi}
        return Persons(frame, rows)
    files = census.hierarchies(frame)
    rows = {c: pd.read_csv(files[c], sep=";", header=None, dtype=str) for c in quasi}
    return Persons(frame, rows)


def anjana_release(table: Persons) -> pd.DataFrame:
    from anjana.anonymity import k_anonymity

    levels = {c: dict(rows) for c, rows in table.hierarchies.items()}
    with contextlib.redirect_stdout(io.StringIO()):
        return k_anonymity(table.frame, [], list(levels), 10, 50, levels)


def our_release(table: Persons) -> pd.DataFrame:
    return mingle.anonymize(
        table.frame, quasi=list(table.hierarchies), hierarchy=table.hierarchies, rest="insensitive",
        k=10, suppress="50%", suppressed="drop", method="mingen", brief=True, allow_leaks=True,
    ).to_pandas()  # fmt: skip


# ---- Beside each other ---------------------------------------------------------------------------

THEIRS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "pycanon": (reported, pycanon_report),
    "anjana": (persons, anjana_release),
}


def _theirs(package: str, limit: float) -> tuple[float, bool]:
    """Seconds that they took, and whether they came to an end."""
    try:
        done = subprocess.run(
            [sys.executable, __file__, package],
            stdout=subprocess.PIPE, text=True, check=True, timeout=limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return limit, False
    return float(done.stdout), True


def _ours(table: Any, call: Callable[[Any], Any]) -> float:
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        call(table)
        best = min(best, time.perf_counter() - start)
    return best


def _print(package: str, what: str, call: Callable[[Any], Any], limit: float, wanted: str) -> None:
    if importlib.util.find_spec(package) is None:
        print(f"{package} is not installed; left out")
        return
    table = THEIRS[package][0]()
    ours = _ours(table, call)
    theirs, ended = _theirs(package, limit)
    more = "" if ended else "more than "
    print(f"{what}, {len(table):,} rows: {package} {more}{theirs:.2f} s, mingle {ours:.4f} s: "
          f"{more}{theirs / ours:,.0f} times faster{wanted}")


def beside_pycanon(limit: float) -> None:
    _print("pycanon", "Full report, 90 sensitive values", our_report, limit, " (at least 500 wanted)")


def beside_anjana(limit: float) -> None:
    what = "k-anonymity, six columns, k = 10, at most 50 % suppressed"
    _print("anjana", what, our_release, limit, "")


if __name__ == "__main__":
    make, ask = THEIRS[sys.argv[1]]
    table = make()
    start = time.perf_counter()
    ask(table)
    print(time.perf_counter() - start)
