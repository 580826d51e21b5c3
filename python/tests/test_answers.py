"""Answers as mappings and tables; releases as tables."""

from __future__ import annotations

from collections.abc import Mapping

import mingle
import pytest

QUASI = ["age", "sex", "zip"]


def test_an_answer_is_a_mapping(frame):
    answer = mingle.check(frame, quasi=QUASI, k=5)
    assert isinstance(answer, Mapping)
    assert dict(answer) == answer.result and list(answer) == list(answer.keys())
    assert "models" in answer and "nothing" not in answer
    assert answer.get("nothing", 7) == 7 and len(answer) == len(answer.result)
    assert {**answer} == answer.result and answer == answer and answer != dict(answer)
    assert answer.k == answer["k"] and answer.models == answer["models"] and answer.bound is None
    assert len({answer, answer}) == 1


def test_attributes_of_a_release(frame):
    release = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5)
    assert release.k == release["classes"]["min"] >= 5
    assert release.risk == release["risk"] and release.utility == release["utility"]
    assert release.bound == release["bound"] and release.models[0]["holds"]


@pytest.mark.parametrize(
    "ask, rows, column",
    [
        (lambda f: mingle.lattice(f, quasi=["sex", "zip"], k=5), "lattice", None),
        (lambda f: mingle.what_if(f, quasi=["sex", "zip"], rest="drop", k=5, changes=["k"]), "changes", "change"),
        (lambda f: mingle.advise(f), "advice", "column"),
        (lambda f: mingle.suggest(f), "hierarchies", "column"),
        (lambda f: mingle.gate(f[["sex"]], quasi="sex", k=5), "tests", "test"),
        (lambda f: mingle.check(f, quasi="sex", k=5), "models", "model"),
    ],
)
def test_lists_are_frames(frame, ask, rows, column):
    answer = ask(frame)
    made = answer.to_pandas()
    assert len(made) == len(answer[rows]) > 0
    if column is not None:
        assert list(made[column]) == [one[column] for one in answer[rows]]


def test_a_comparison_is_a_mapping_of_methods(frame):
    found = mingle.compare(frame, quasi=["age", "zip"], k=5, methods=["cell", "mingen"])
    assert list(found) == ["cell", "mingen"] and len(found) == 2 and "cell" in found
    assert found["mingen"] is found.result[1] and found[0] is found.result[0]
    made = found.to_pandas().set_index("method")
    assert made.loc["cell", "utility.precision"] == found["cell"]["utility"]["precision"]
    assert mingle.Job({"attributes": {"age": {"role": "quasi"}}, "rest": "drop", "privacy": [{"k-anonymity": 5}]}).run(
        frame, command="compare", methods=["mingen"]
    )["mingen"]


def test_a_release_is_a_table(frame):
    release = mingle.anonymize(frame, quasi=QUASI, sensitive="disease", k=5, keep_order=True)
    assert release.shape == (len(frame), 4) == release.to_pandas().shape
    assert release.columns == list(frame.columns) and len(release) == len(frame)
    assert release.head(3).equals(release.to_pandas().head(3)) and bool(release)
    shown = repr(release)
    assert "k-anonymity k=5 holds" in shown and "risk at most 20 %" in shown and "disease" in shown


def test_a_release_is_also_the_document(frame):
    release = mingle.anonymize(frame, quasi=["sex"], rest="drop", k=5)
    assert "utility" in release and release.get("nothing") is None
    assert dict(release) == release.result and list(release.items())[0] == ("confidential", release["confidential"])
    with pytest.raises(TypeError):
        iter(release)  # rows, columns or keys: one has to say which


@pytest.mark.libraries
def test_libraries_still_take_a_release_as_a_table(frame):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    release = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5)
    assert polars.DataFrame(release).columns == QUASI
    assert pyarrow.table(release).column_names == QUASI
    assert mingle.check(release, quasi=QUASI, k=5).holds
    duckdb = pytest.importorskip("duckdb")
    assert duckdb.sql("select count(*) from release").fetchall() == [(len(frame),)]


def test_a_trial_shows_its_summary(frame):
    trial = mingle.anonymize(frame, quasi=["sex"], rest="drop", k=5, dry_run=True)
    assert "k-anonymity" in repr(trial) and "<iframe" in trial._repr_html_()


def test_an_answer_that_lists_nothing_says_so(frame):
    with pytest.raises(mingle.UsageError, match="no|nothing"):
        mingle.Answer(None, {"rows": 5, "models": [], "columns": {}}).to_pandas()


def test_risk_is_of_each_attacker(frame):
    found = mingle.risk(frame, quasi=["sex", "zip"])
    assert set(found.risk) == {"prosecutor", "journalist", "marketer"}
    assert list(found.to_pandas()["distinction"]) == [one["distinction"] for one in found["attributes"]]
