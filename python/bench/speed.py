"""Measures the Python package: frames of pandas beside the road through files, and beside pycanon and
anjana where they are installed. All figures are ratios inside one run.

    PYTHONPATH=build/python/site python python/bench/speed.py build/mingle [--rows N] [--adult adult.csv]
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import subprocess
import tempfile
import time

import mingle
import numpy as np
import pandas as pd

QUASI = [f"q{i}" for i in range(9)]
SIZES = [74, 2, 5, 7, 16, 7, 41, 2, 14]


def timed(call):
    """Seconds of the best of three calls, and what the last returned."""
    best, value = float("inf"), None
    for _ in range(3):
        start = time.perf_counter()
        value = call()
        best = min(best, time.perf_counter() - start)
    return best, value


def categorical(rows: int) -> pd.DataFrame:
    """Columns as skewed as a census has them."""
    random = np.random.default_rng(1)
    made = {}
    for name, size in zip(QUASI, SIZES):
        shares = 1 / np.arange(1, size + 1)
        codes = random.choice(size, rows, p=shares / shares.sum())
        made[name] = pd.Categorical.from_codes(codes.astype(np.int8), [f"v{i}" for i in range(size)])
    return pd.DataFrame(made)


def roads(program: str, rows: int) -> None:
    frame = categorical(rows)
    said = {"quasi": QUASI, "k": 5, "method": "mingen", "suppress": "5%", "brief": True}

    def by_python():
        release = mingle.anonymize(frame, **said)
        return release.to_pandas()

    def by_files():
        with tempfile.TemporaryDirectory() as folder:
            source, target = os.path.join(folder, "t.csv"), os.path.join(folder, "r.csv")
            frame.to_csv(source, index=False)
            command = [program, "anonymize", source, "--qi", ",".join(QUASI), "-k", "5", "--quiet"]
            command += ["--method", "mingen", "--suppress", "5%", "-o", target]
            subprocess.run(command, check=True)
            return pd.read_csv(target, dtype=str)

    def in_and_out():
        """The conversions alone, without a job."""
        stream, _ = mingle.frames.give(frame)
        return mingle.frames.take(stream, {})

    python, released = timed(by_python)
    files, read = timed(by_files)
    converting, _ = timed(in_and_out)
    core, _ = timed(lambda: mingle.anonymize(frame, **said))
    assert len(released) == len(read) == rows
    print(f"{rows} rows, 9 categorical columns: Python x {python / files:.3f} of to_csv, program and "
          f"read_csv (at most 0.100 wanted); {python:.2f} s and {files:.2f} s")
    print(f"    x {python / (core + converting):.2f} of the road without taking the frame, and the "
          f"bare conversions (at most 1.30 wanted)")


def beside_pycanon() -> None:
    try:
        from pycanon import report
    except ImportError:
        print("pycanon is not installed; left out")
        return
    random = np.random.default_rng(2)
    rows = 18000
    frame = pd.DataFrame({
        "age": random.integers(18, 90, rows), "sex": random.choice(["m", "f"], rows),
        "zip": random.integers(0, 200, rows), "ill": [f"d{i}" for i in random.integers(0, 90, rows)],
    })
    quasi = ["age", "sex", "zip"]
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        report.print_report(frame, quasi, ["ill"])
    theirs = time.perf_counter() - start
    ours, _ = timed(lambda: mingle.check(frame, quasi=quasi, sensitive="ill"))
    print(f"full report of 18,000 rows, 90 sensitive values: pycanon {theirs:.2f} s, "
          f"x {theirs / ours:.0f} of ours (at least 500 wanted)")


def beside_anjana(path: str | None) -> None:
    try:
        from anjana.anonymity import k_anonymity
    except ImportError:
        print("anjana is not installed; left out")
        return
    if path is None:
        print("anjana: no --adult; left out")
        return
    frame = pd.read_csv(path, skipinitialspace=True)
    frame.columns = [c.strip() for c in frame.columns]
    quasi = ["age", "sex", "race"]
    bands = {5: "5", 10: "10", 20: "20"}
    age = {0: frame["age"].values}
    for level, width in enumerate(bands, start=1):
        age[level] = np.array([f"[{v // width * width}, {v // width * width + width})" for v in frame["age"]])
    stars = {c: {0: frame[c].values, 1: np.array(["*"] * len(frame))} for c in quasi[1:]}
    hierarchies = {"age": age, **stars}
    start = time.perf_counter()
    k_anonymity(frame.copy(), [], quasi, 10, 0, hierarchies)
    theirs = time.perf_counter() - start
    ours, _ = timed(lambda: mingle.anonymize(
        frame, quasi=quasi, rest="drop", k=10, method="datafly",
        hierarchies={"age": mingle.intervals(5, 10, 20)}).to_pandas())
    print(f"k-anonymity of Adult, 3 columns: anjana {theirs:.2f} s, x {theirs / ours:.0f} of ours")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=3_000_000)
    parser.add_argument("--adult")
    wish = parser.parse_args()
    roads(wish.program, wish.rows)
    beside_pycanon()
    beside_anjana(wish.adult)


if __name__ == "__main__":
    main()
