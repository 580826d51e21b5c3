"""What docs/python.md says to those who come from other packages, run."""

from __future__ import annotations

import re
from pathlib import Path

import mingle
import pytest

PAGE = Path(__file__).parents[2] / "docs" / "python.md"
QUASI = ["age", "sex", "zip"]


def _section(begins: str, ends: str) -> str:
    page = PAGE.read_text()
    return page[page.index(begins) : page.index(ends)]


def test_what_pycanon_measures(frame):
    found = mingle.check(frame, quasi=QUASI, sensitive="disease")
    of = found["attributes"]["disease"]
    said = _section("From pyCANON", "From ANJANA")
    named = re.findall(r'of\["([a-z_]+)"\]', said)
    assert len(named) >= 9 and set(named) <= set(of)
    assert found["k"] == frame.groupby(QUASI, observed=True).size().min()


def test_what_anjana_makes(frame):
    said = _section("From ANJANA", "From ARX")
    further = re.findall(r"`([a-z_]+=\{.*?\})`", said)
    assert len(further) >= 8
    for text in further:
        more = eval(f"dict({text})")  # our own page
        try:
            release = mingle.anonymize(
                frame, quasi=QUASI, sensitive="disease", k=2, suppress="50%", method="datafly", **more
            )
        except mingle.PrivacyError:
            continue  # a promise that this table cannot keep is none of a wrong name
        assert release.holds and len(release["models"]) == 2, text


def test_hierarchies_of_anjana_become_frames(frame):
    pd = pytest.importorskip("pandas")
    ages = sorted(map(str, set(frame["age"])))
    levels = {0: ages, 1: [f"{int(a) // 10}x" for a in ages], 2: ["*"] * len(ages)}
    release = mingle.anonymize(
        frame, quasi=QUASI, rest="drop", k=5, hierarchy={"age": pd.DataFrame(levels)}
    )
    assert release.holds


def test_what_arx_is_told(frame):
    release = mingle.anonymize(
        frame, quasi=QUASI, sensitive="disease", method="mingen", suppress="5%", suppressed="exempt",
        utility="geometric-loss", level={"age": "1..3"},
        models=[mingle.KAnonymity(5), mingle.TCloseness("disease", 0.5)],
        hierarchy={"age": mingle.hierarchy.intervals(5, 10, 20), "zip": mingle.hierarchy.mask("right")},
    )
    assert release.holds and set(release["node"]) == set(QUASI)
    assert mingle.risk(release, quasi=QUASI)["rows"] == len(frame)
