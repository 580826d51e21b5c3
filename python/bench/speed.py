"""Measures the Python package: frames of pandas beside the road through files and beside the library
on Arrow tables, and the same questions to pycanon and anjana where they are installed. All figures
are of one run, the least of several; what counts are their ratios.

    make bench-python
    PYTHONPATH=build/python/site python python/bench/speed.py build/mingle [--rows N] [--limit SECONDS]
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import census
import mingle
import others
import pandas as pd
from mingle import _core, frames

RUNS = 5


class Seconds(NamedTuple):
    """What a call took; sums are of calls one after the other."""

    wall: float
    busy: float  # of processors

    def __add__(self, other: Any) -> Seconds:  # type: ignore[override]
        return Seconds(self.wall + other.wall, self.busy + other.busy)

    def beside(self, other: Seconds, digits: int) -> str:
        """Ratios of both."""
        wall, busy = self.wall / other.wall, self.busy / other.busy
        return f"x {wall:.{digits}f} (x {busy:.{digits}f} of processors)"


def _now() -> Seconds:
    times = os.times()
    return Seconds(time.perf_counter(), sum(times[:4]))


def least(call: Callable[[], Any], runs: int = RUNS) -> tuple[Seconds, Any]:
    """The least of several calls, and what the last returned."""
    best, value = Seconds(float("inf"), float("inf")), None
    for _ in range(runs):
        value = None  # what the last call made is not freed while the next is timed
        start = _now()
        value = call()
        end = _now()
        best = Seconds(min(best.wall, end.wall - start.wall), min(best.busy, end.busy - start.busy))
    return best, value


def job_of(frame: pd.DataFrame) -> dict[str, Any]:
    said = {"quasi": list(frame.columns), "k": 5, "method": "mingen", "suppress": "5%"}
    if census.adult() is not None:
        said["hierarchy"] = census.hierarchies(frame)
    return said


# ---- The roads -----------------------------------------------------------------------------------


def by_files(program: str, frame: pd.DataFrame) -> tuple[Seconds, Seconds, Seconds]:
    """Seconds of to_csv, of the program and of read_csv."""
    said = job_of(frame)
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "t.csv"), os.path.join(folder, "r.csv")
        command = [program, "anonymize", source, "-o", target, "--quiet"]
        command += ["--qi", ",".join(said["quasi"]), "-k", str(said["k"])]
        command += ["--method", said["method"], "--suppress", said["suppress"]]
        for column, path in said.get("hierarchy", {}).items():
            command += ["--hierarchy", f"{column}={path}"]
        writing, _ = least(lambda: frame.to_csv(source, index=False), 1)
        running, _ = least(lambda: subprocess.run(command, check=True), 3)
        reading, read = least(lambda: pd.read_csv(target, dtype="category"), 1)
    assert len(read) == len(frame)
    return writing, running, reading


def by_library(table: Any, said: dict[str, Any]) -> Any:
    """From Arrow to Arrow: nothing but calls of the library, and no row is seen by Python."""
    release = mingle.anonymize(table, **said)
    return _core.read(release.__arrow_c_stream__())


def roads(program: str, rows: int) -> None:
    frame, origin = census.drawn(rows)
    said = {**job_of(frame), "brief": True}
    python, released = least(lambda: mingle.anonymize(frame, **said).to_pandas())
    assert len(released) == rows and set(released.columns) == set(frame.columns)
    assert all(isinstance(kind, pd.CategoricalDtype) for kind in released.dtypes)
    release = mingle.anonymize(frame, **said)
    seconds = release.result["seconds"]
    giving, _ = least(lambda: frames.give(frame))
    taking, _ = least(release.to_pandas)
    writing, running, reading = by_files(program, frame)
    files = writing + running + reading
    print(f"A frame of {rows:,} rows and 9 categorical columns, {origin}, to a released frame:")
    print(f"  Python {python.wall:.3f} s: frame to buffers {giving.wall:.3f}, import and counting "
          f"{seconds['read']:.3f}, search {seconds['search']:.3f}, gather and guard "
          f"{seconds['write']:.3f}, verify {seconds['verify']:.3f}, release to frame {taking.wall:.3f}")
    print(f"  files {files.wall:.3f} s: to_csv {writing.wall:.3f}, program {running.wall:.3f}, "
          f"read_csv {reading.wall:.3f}")
    print(f"  Python takes {python.beside(files, 3)} of files; at most 0.100 wanted")
    beside_library(frame, said, python)


def texts(program: str, rows: int) -> None:
    """As pandas reads a table: texts in place of categories, a column of amounts; and the peak of
    memory beside the frame."""
    frame = census.drawn(rows)[0].astype(str)
    frame["amount"] = (pd.Series(range(rows)) * 7919 % 100003) / 100
    said = {"quasi": list(frame.columns[:7]), "rest": "insensitive", "k": 5, "method": "mingen"}
    said |= {"suppress": 0.05, "allow_leaks": True, "brief": True}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    python, released = least(lambda: mingle.anonymize(frame, **said).to_pandas(), 3)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    giving, _ = least(lambda: frames.give(frame), 3)
    assert len(released) == rows
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "t.csv"), os.path.join(folder, "r.csv")
        frame.to_csv(source, index=False)
        command = [program, "anonymize", source, "-o", target, "--quiet", "--rest", "insensitive"]
        command += ["--qi", ",".join(said["quasi"]), "-k", "5", "--method", "mingen"]
        command += ["--suppress", "5%", "--allow-leaks", "--overwrite"]
        running, _ = least(lambda: subprocess.run(command, check=True), 3)
    print(f"A frame of {rows:,} rows, 9 columns of texts and one of amounts, seven generalized:")
    print(f"  frame to buffers {giving.wall:.3f} s, to a released frame {python.wall:.3f} s, "
          f"{peak / 1024:,.0f} MiB above what was in memory before")
    print(f"  Python takes {python.beside(running, 2)} of the program on the same table as a file")


def beside_library(frame: pd.DataFrame, said: dict[str, Any], python: Seconds) -> None:
    try:
        import pyarrow as pa
    except ImportError:
        print("  pyarrow is not installed: the library on Arrow tables is left out")
        return
    table = pa.Table.from_pandas(frame, preserve_index=False)
    library, _ = least(lambda: by_library(table, said))
    to_arrow, _ = least(lambda: pa.Table.from_pandas(frame, preserve_index=False))
    released = mingle.anonymize(table, **said).to_arrow()
    to_frame, _ = least(released.to_pandas)
    bare = to_arrow + to_frame
    print(f"  Arrow to Arrow {library.wall:.3f} s; bare conversion by pyarrow {to_arrow.wall:.3f} + "
          f"{to_frame.wall:.3f}")
    print(f"  Python takes {python.beside(library + bare, 2)} of both; at most 1.30 wanted")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--limit", type=float, default=120, help="seconds that another package may take")
    wish = parser.parse_args()
    roads(wish.program, wish.rows)
    texts(wish.program, wish.rows * 2 // 3)
    others.beside_pycanon(wish.limit)
    others.beside_anjana(wish.limit)


if __name__ == "__main__":
    main()
