"""The road through Python gives what the program gives: random tables and jobs."""

from __future__ import annotations

import csv
import os
from collections import Counter

import mingle
import pytest

pd = pytest.importorskip("pandas")
hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

TEXTS = st.sampled_from(["a", "b", "ab", "ä", "é", "x y", 'q"q', "c,d", "A", "line\nbreak", "=1"])
METHODS = ["cell", "mingen", "samarati", "datafly", "incognito", "top-down", "mondrian"]
METHODS += ["k-member", "local-suppression", "mu-argus"]


@st.composite
def jobs(draw):
    n = draw(st.integers(4, 40))
    columns = {
        "text": draw(st.lists(TEXTS, min_size=n, max_size=n)),
        "number": draw(st.lists(st.integers(-3, 40), min_size=n, max_size=n)),
        "odd, \"name\"": draw(st.lists(st.sampled_from(["u", "v", "w"]), min_size=n, max_size=n)),
        "ill": draw(st.lists(st.sampled_from(["flu", "cold"]), min_size=n, max_size=n)),
    }
    if draw(st.booleans()):
        columns["text"] = [None if i % 5 == 0 else t for i, t in enumerate(columns["text"])]
    frame = pd.DataFrame(columns)
    if draw(st.booleans()):
        frame["text"] = frame["text"].astype("category")
    said = {"k": draw(st.integers(1, 4)), "method": draw(st.sampled_from(METHODS))}
    said["suppress"] = draw(st.sampled_from(["0", "10%", "100%"]))
    return frame, said


def _csv_quoted(names):
    return ",".join('"' + name.replace('"', '""') + '"' for name in names)


@settings(
    max_examples=int(os.environ.get("TIMES", "25")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(job=jobs())
def test_roads(job, tmp_path, program):
    import subprocess

    frame, said = job
    quasi = [c for c in frame.columns if c != "ill"]
    source, target = tmp_path / "table.csv", tmp_path / "release.csv"
    frame.to_csv(source, index=False)
    target.unlink(missing_ok=True)
    command = [program, "anonymize", str(source), "--qi", _csv_quoted(quasi), "--sensitive", "ill"]
    for key, value in said.items():
        command += ["-k" if key == "k" else f"--{key}", str(value)]
    command += ["--seed", "5", "--missing", "", "-o", str(target), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    try:
        release = mingle.anonymize(frame, quasi=quasi, sensitive="ill", seed=5, **said)
    except mingle.PrivacyError:
        assert done.returncode == 1, done.stderr
        return
    assert done.returncode == 0, done.stderr
    with open(target, newline="") as file:
        expected = Counter(tuple(row) for row in list(csv.reader(file))[1:])
    found = release.to_pandas().astype(object)
    found = found.where(found.notna(), "")
    assert Counter(tuple(map(str, row)) for row in found.values) == expected
