"""Perturbed columns and differentially private releases of frames."""

from __future__ import annotations

import mingle
import pytest

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

KEPT = {"keep_order": True, "allow_leaks": True, "rest": "drop", "k": 3}


@pytest.fixture
def things():
    random = np.random.default_rng(3)
    n = 300
    return pd.DataFrame(
        {
            "sex": random.choice(["f", "m"], n),
            "income": random.normal(3000, 800, n).round(1),
            "visits": pd.array(random.integers(0, 300, n), dtype="UInt16"),
            "kids": pd.array([None, *random.integers(0, 5, n - 1)], dtype="Int64"),
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(random.integers(0, 900, n), "D"),
            "at": pd.date_range("2020-01-01", periods=n, freq="97min", tz="Europe/Berlin"),
            "job": pd.Categorical(
                random.choice(["cook", "nurse"], n), ["smith", "nurse", "cook"], ordered=True
            ),
            "well": pd.array([None, *random.choice([True, False], n - 1)], dtype="boolean"),
            "town": pd.array(random.choice(["X", "Y"], n), dtype="string"),
        }
    )


def released(frame, **treat):
    found = mingle.anonymize(frame, quasi=["sex"], insensitive=list(treat), treat=treat, **KEPT)
    assert "not truthful" in str(found)
    return found.to_pandas()


@pytest.mark.parametrize(
    "column, treatment",
    [
        ("income", "noise(10 %)"),
        ("kids", "shuffle"),
        ("visits", "swap(rank 5 %)"),
        ("day", "swap(rank 5 %)"),
        ("at", "shuffle"),
        ("well", "shuffle(within sex)"),
        ("town", "pram(keep 50 %)"),
    ],
)
def test_perturbed_columns_have_the_dtype_they_had(things, column, treatment):
    made = released(things, **{column: treatment})[column]
    assert made.dtype == things[column].dtype
    assert made.isna().sum() == things[column].isna().sum()
    assert not made.equals(things[column])
    if not treatment.startswith(("noise", "pram")):
        assert sorted(made.dropna()) == sorted(things[column].dropna())


def test_categories_are_those_that_are_released(things):
    made = released(things, job="shuffle")["job"]
    assert list(made.cat.categories) == ["nurse", "cook"] and made.cat.ordered
    assert sorted(made) == sorted(things["job"])


def test_noise_may_need_a_wider_type(things):
    made = released(things, visits="noise(100 %)")["visits"]
    assert made.dtype == "Int64" and made.min() < 0


def test_what_has_no_such_form_stays_text(things):
    assert released(things, day="date(month),shuffle")["day"].str.fullmatch(r"\d{4}-\d\d").all()


def test_a_released_frame_can_be_released_again(things):
    first = mingle.anonymize(
        things, quasi=["sex"], insensitive=["job"], treat={"job": "shuffle"}, **KEPT
    )
    assert mingle.check(first.to_pandas(), against=first).holds


def test_risk_judges_by_distance(things):
    key = "sixteen bytes and more"
    said = {"quasi": ["sex"], "treat": {"income": "noise(10 %)"}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MGL_TEST_KEY", key)
        risk = mingle.risk(things, key="env:MGL_TEST_KEY", **said)
        made = mingle.anonymize(
            things, key="env:MGL_TEST_KEY", insensitive=["income"], **said, **KEPT
        )
    assert risk["perturbation"]["nearest"] == made["perturbation"]["nearest"]
    assert "perturbation" not in mingle.risk(things, quasi=["sex"]).result


@pytest.mark.parametrize("dp", ["3,0.01", (3, 0.01), [3, 0.01]])
def test_a_differentially_private_release(things, dp):
    said = {"quasi": ["sex"], "rest": "drop", "hierarchies": {"sex": "suppress"}}
    made = mingle.anonymize(things, dp=dp, level={"sex": 0}, **said)
    assert made["differential_privacy"]["epsilon"] == 3
    assert list(made.to_pandas().columns) == ["sex"]
    with pytest.raises(mingle.UsageError, match="passes columns through"):
        mingle.anonymize(things, dp=dp, level={"sex": 0}, **{**said, "rest": "insensitive"})


@pytest.mark.parametrize(
    "treat, says",
    [
        ({"income": "noise(10)"}, "it says how large"),
        ({"job": "noise(10 %)"}, "is no number"),
        ({"income": "noise(10 %, correlated with visits)"}, "which do not say so as well"),
        ({"sex": "pram(keep 50 %)"}, "accept_perturbed"),
    ],
)
def test_refusals_are_those_of_the_library(things, treat, says):
    column = next(iter(treat))
    other = [] if column == "sex" else [column]
    with pytest.raises(mingle.MingleError, match=says):
        mingle.anonymize(things, quasi=["sex"], insensitive=other, treat=treat, **KEPT)
