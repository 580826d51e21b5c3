"""pycanon and anjana on the same tables: the same numbers where they define the same, and where
they do not, theirs by their formula and ours by the definition."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path

import beside_anjana
import mingle
import pytest
from conftest import ROOT

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")
anonymity = pytest.importorskip("pycanon.anonymity")
pytest.importorskip("anjana")
pytestmark = [pytest.mark.libraries, pytest.mark.others]

STANDIN = ROOT / "tests" / "standin"
SHARED = ROOT.parent / "shared"
LONG = "MGL_TEST_LONG" in os.environ


def _cases():
    """Tables, quasi-identifiers and sensitive columns of which there are golden values."""
    for folder in (STANDIN, SHARED):
        path = folder / "golden" / "models.json"
        for case in json.loads(path.read_text()) if path.exists() else []:
            big = case["definition"]["classes"] > 100 and case["sa"] == "hours-per-week"
            if LONG or not big:  # pycanon takes minutes for that one
                table = folder / "data" / "pycanon" / case["file"]
                yield pytest.param(table, case, id=f"{table.stem}-{'-'.join(case['qi'])}-{case['sa']}")


def _counts(frame, quasi, sensitive):
    """Rows of each value in each class."""
    return frame.groupby([*quasi, sensitive]).size().unstack(fill_value=0).to_numpy()


def _near(value):
    return pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.fixture
def answer(case, table: Path):
    """Ours, and what theirs is asked with."""
    frame = pd.read_csv(table)
    quasi, sensitive = case["qi"], case["sa"]
    found = mingle.check(frame, quasi=quasi, sensitive=sensitive)
    return found, found["attributes"][sensitive], (frame, quasi, [sensitive])


@pytest.mark.parametrize("table, case", list(_cases()))
def test_pycanon_defines_the_same(answer, case):
    found, ours, asked = answer
    assert anonymity.k_anonymity(*asked[:2]) == found["k"]
    assert anonymity.alpha_k_anonymity(*asked)[0] == _near(ours["alpha"])
    assert anonymity.l_diversity(*asked) == ours["distinct_l"]
    assert anonymity.basic_beta_likeness(*asked) == _near(ours["beta"])
    numbers = pd.api.types.is_numeric_dtype(asked[0][case["sa"]])
    assert anonymity.t_closeness(*asked) == _near(ours["t_ordered" if numbers else "t_equal"])


@pytest.mark.parametrize("table, case", list(_cases()))
def test_pycanon_rounds_the_entropy_down(answer):
    """Also where it misses a whole number by the last bit only."""
    _, ours, asked = answer
    exact = ours["entropy_l"]
    assert anonymity.entropy_l_diversity(*asked) in {int(exact + 1e-9), int(exact - 1e-9)}


@pytest.mark.parametrize("table, case", list(_cases()))
def test_pycanon_sorts_the_wrong_way_for_recursive_diversity(answer, case):
    """The definition: the most frequent value against all from the l-th most frequent on. pycanon
    has the rarest on top, and rounds."""
    _, ours, asked = answer
    c, level = anonymity.recursive_c_l_diversity(*asked)
    if level < 2:
        assert math.isnan(c) and ours["recursive_c"]["2"] is None
        return
    classes = [np.sort(row[row > 0]) for row in _counts(*asked[:2], case["sa"])]
    assert c == max(int(row[0] / row[level - 1 :].sum() + 1) for row in classes)
    exact = max(row[-1] / row[: len(row) - level + 1].sum() for row in classes)
    assert ours["recursive_c"][str(level)] == _near(exact)


@pytest.mark.parametrize("table, case", list(_cases()))
def test_pycanon_caps_beta_instead_of_testing_it(answer, case):
    """Enhanced likeness: a gain above -ln p breaks it for any beta, which is null here. pycanon
    tells the largest bound in its place, which the table need not keep."""
    _, ours, asked = answer
    counts = _counts(*asked[:2], case["sa"])
    shares = counts.sum(0) / counts.sum()
    gains = counts / counts.sum(1, keepdims=True) / shares - 1
    bound = max(min(gains.max(), -math.log(p)) for p in shares)
    assert anonymity.enhanced_beta_likeness(*asked) == _near(bound)
    keeps = (gains <= -np.log(shares) + 1e-12).all()
    assert (ours["enhanced_beta"] is not None) == keeps
    assert not keeps or ours["enhanced_beta"] == _near(gains.max())


@pytest.mark.parametrize("table, case", list(_cases()))
def test_pycanon_leaves_absent_values_out_of_delta(answer, case):
    """A value that a class lacks has a ratio of 0, whose logarithm no delta bounds."""
    _, ours, asked = answer
    counts = _counts(*asked[:2], case["sa"])
    ratios = counts / counts.sum(1, keepdims=True) / (counts.sum(0) / counts.sum())
    there = np.abs(np.log(ratios[ratios > 0])).max()
    assert anonymity.delta_disclosure(*asked) == _near(there)
    assert ours["delta"] == (None if (counts == 0).any() else _near(there))


def test_several_sensitive_columns():
    """pycanon tells the worst of them, `check` each."""
    frame = pd.read_csv(STANDIN / "data" / "pycanon" / "ward.csv")
    asked = (frame, ["sex", "town"], ["illness", "days"])
    found = mingle.check(frame, quasi=asked[1], sensitive=asked[2])["attributes"]
    each = [found[column] for column in asked[2]]
    assert anonymity.l_diversity(*asked) == min(a["distinct_l"] for a in each)
    assert anonymity.alpha_k_anonymity(*asked)[0] == _near(max(a["alpha"] for a in each))
    assert anonymity.basic_beta_likeness(*asked) == _near(max(a["beta"] for a in each))


# ---- anjana --------------------------------------------------------------------------------------


def _examples():
    yield beside_anjana.adult, STANDIN / "data"
    if SHARED.exists():
        yield beside_anjana.hospital, SHARED / "data"


@pytest.mark.parametrize("model", beside_anjana.MODELS)
@pytest.mark.parametrize("make, folder", list(_examples()))
def test_no_more_is_lost_than_by_anjana(make, folder, model):
    """Where there is a release of theirs that holds, ours holds, too, and loses no more."""
    theirs = beside_anjana.theirs(make(str(folder)), model)
    ours = beside_anjana.ours(make(str(folder)), model)
    assert ours.holds or ours.rows == 0
    if theirs.holds:
        assert ours.holds and ours.loss <= theirs.loss + 1e-12


if SHARED.exists():  # what others published is not in the project

    def test_no_more_is_lost_than_by_anjana_on_adult():
        example = beside_anjana.adult(str(SHARED / "data"))
        theirs, ours = beside_anjana.theirs(example, "k"), beside_anjana.ours(example, "k")
        assert theirs.holds and ours.holds
        assert ours.loss < theirs.loss and ours.rows > theirs.rows

    def test_the_printed_release_of_anjana():
        """k = 2 on their hospital, as their documentation shows it: ages in steps of ten, the rest as
        it is. Ours is the same."""
        example = beside_anjana.hospital(str(SHARED / "data"))
        theirs, ours = beside_anjana.theirs(example, "k"), beside_anjana.ours(example, "k")
        assert theirs.loss == _near(ours.loss)
        release = mingle.anonymize(
            example.frame, quasi=example.quasi, identifier=["name"], rest="drop", k=2,
            method="mingen", utility="loss", hierarchy=example.rows(),
        )  # fmt: skip
        assert set(release.to_pandas()["age"]) == {"[10, 20)", "[20, 30)"}
        assert set(release.to_pandas()["city"]) == set(example.frame["city"])
