"""The shortest use, and what a release is."""

from __future__ import annotations


import mingle
import pytest

QUASI = ["age", "sex", "zip"]


@pytest.fixture
def release(frame):
    return mingle.anonymize(frame, quasi=QUASI, sensitive=["disease"], k=5)


def test_every_class_has_k_rows(release):
    found = release.to_pandas()
    assert found.groupby(QUASI, observed=True).size().min() >= 5
    assert release.holds and release["models"][0]["holds"]


def test_what_was_not_generalized_is_what_it_was(frame, release):
    found = release.to_pandas()
    assert found["disease"].dtype == frame["disease"].dtype
    assert sorted(found["disease"]) == sorted(frame["disease"])
    assert all(str(found[c].dtype) == "category" for c in QUASI)


def test_the_index_is_never_released(frame):
    named = frame.set_index("disease")
    found = mingle.anonymize(named, quasi=QUASI, k=5).to_pandas()
    assert list(found.columns) == QUASI
    assert list(found.index) == list(range(len(frame)))


def test_rows_keep_their_order_if_asked(frame):
    found = mingle.anonymize(frame, quasi=QUASI, sensitive=["disease"], k=5, keep_order=True)
    assert list(found.to_pandas()["disease"]) == list(frame["disease"])


def test_summary_page_and_notebook(release, tmp_path):
    assert "k-anonymity k=5 holds" in str(release)
    page = release.report(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page and page.startswith("<!DOCTYPE html>")
    shown = release._repr_html_()
    assert "k-anonymity k=5 holds; risk at most 20 %" in shown and "<table" in shown
    assert "<iframe sandbox" in shown and "<script" not in shown
    assert "Every promise holds" in shown and "svg" in shown  # the summary, and the plots
    assert "memory:release" not in shown and "memory:release" not in str(release)


def test_a_release_in_a_file(frame, tmp_path):
    path = tmp_path / "release.csv"
    release = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, output=path)
    assert release.location == str(path)
    assert len(path.read_text().splitlines()) == 1 + len(frame)
    with pytest.raises(mingle.UsageError, match="release.csv"):
        release.to_pandas()


def test_a_path_is_a_table(frame, tmp_path):
    path = tmp_path / "table.csv"
    frame.to_csv(path, index=False)
    release = mingle.anonymize(path, quasi=QUASI, rest="drop", k=5)
    assert len(release.to_pandas()) == len(frame)


def test_dry_run_answers_without_a_release(frame):
    answer = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, dry_run=True)
    assert answer["utility"]["precision"] > 0
    with pytest.raises(mingle.MingleError):
        answer.to_pandas()


def test_further_commands(frame, release):
    table = release.to_pandas()
    assert mingle.check(table, quasi=QUASI, k=5).holds
    assert not mingle.check(frame, quasi=QUASI, k=5).holds
    tested = mingle.gate(table, quasi=QUASI, k=5, rest="insensitive", allow_leaks=True)
    assert tested.holds and tested["tests"][0]["test"] == "k-anonymity k=5"
    assert not mingle.Session(frame).gate(quasi=QUASI, k=5).holds
    assert mingle.risk(frame, quasi=QUASI)["uniques"] > mingle.risk(table, quasi=QUASI)["uniques"]
    lost = mingle.utility(frame, release=release, quasi=QUASI)
    assert lost["utility"]["precision"] == pytest.approx(release["utility"]["precision"])
    found = mingle.attack(release, external=frame, against=release)
    assert found["unique_matches"] == 0
    assert {a["method"] for a in mingle.compare(frame, quasi=QUASI, k=5, rest="drop").result} >= {
        "cell",
        "mingen",
    }
    assert mingle.lattice(frame, quasi=QUASI, k=5, rest="drop")["nodes"]["total"] > 1
    assert mingle.advise(frame)["advice"]
    assert mingle.suggest(frame, quasi=QUASI)["hierarchies"]


def test_a_recoding_is_applied_to_further_rows(frame):
    made = mingle.anonymize(frame[:800], quasi=QUASI, rest="drop", k=5, save_recoding=True)
    further = mingle.apply(frame[:800].copy(), recoding=made)
    assert sorted(map(tuple, made.to_pandas().values)) == sorted(map(tuple, further.to_pandas().values))


def test_tables_beside_the_table(frame):
    population = frame.sample(frac=1, random_state=1)
    release = mingle.anonymize(frame, quasi=QUASI, rest="drop", k_map=3, population=population)
    assert release.holds


def test_several_quasi_identifiers(frame):
    answer = mingle.anonymize(frame, quasi=[["age", "sex"], ["zip"]], rest="drop", k=5)
    judged = [model["quasi_identifier"] for model in answer["models"]]
    assert judged == [["age", "sex"], ["zip"]]


def test_sets_and_one_quasi_identifier(frame):
    answer = mingle.anonymize(frame, qi_set=[["age", "sex"], ["sex", "zip"]], rest="drop", k=5)
    assert [one["known"] for one in answer["risk"]["sets"]] == [["age", "sex"], ["sex", "zip"]]
    assert answer["risk"]["known"] == ["age", "sex", "zip"]


def test_what_passes_through_is_named_or_refused(frame):
    more = frame.assign(occupation=["nurse", "clerk"] * (len(frame) // 2) + ["nurse"] * (len(frame) % 2))
    said = {"quasi": QUASI, "sensitive": ["disease"], "k": 5}
    with pytest.raises(mingle.UsageError, match="occupation") as caught:
        mingle.anonymize(more, rest="insensitive", **said)
    assert caught.value.code == "unnamed"
    release = mingle.anonymize(more, insensitive=["occupation"], **said)
    assert "passed-through" in [warning["code"] for warning in release["warnings"]]
    assert release["alone"]["besides"] == ["occupation"] and release["alone"]["of"] == release["released_rows"]
