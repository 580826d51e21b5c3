"""The transformer for scikit-learn."""

from __future__ import annotations

import pickle

import mingle
import pytest

pytestmark = pytest.mark.libraries
pytest.importorskip("sklearn")
pd = pytest.importorskip("pandas")
from mingle.sklearn import EXPECTED_FAILED_CHECKS, Anonymizer  # noqa: E402

QUASI = ["age", "sex", "zip"]
HIERARCHIES = {"age": mingle.hierarchy.intervals(5, 20), "zip": mingle.hierarchy.mask("right")}


def _made(**more):
    return Anonymizer(quasi=QUASI, hierarchy=HIERARCHIES, k=5, **more)


def test_fit_transform_is_the_release_in_order(frame):
    frame.index = frame.index + 1000
    made = _made()
    found = made.fit_transform(frame)
    assert list(found.index) == list(frame.index)
    assert list(found["disease"]) == list(frame["disease"])
    assert found.groupby(QUASI, observed=True).size().min() >= 5
    assert made.result_["models"][0]["holds"]


def test_new_rows_follow_the_rule(frame):
    made = _made(method="mingen").fit(frame)
    new = pd.DataFrame(
        {"age": [33, 17], "sex": ["m", "x"], "zip": ["02138", "99999"], "disease": ["flu", "flu"]}
    )
    known = made.fit_transform(frame)
    found = made.transform(new)
    assert found["age"][0] in set(known["age"])
    assert len(found) == 2 and list(found["disease"]) == ["flu", "flu"]
    one = made.transform(new[:1])
    assert list(one["age"]) == [found["age"][0]]


def test_known_rows_get_what_they_got(frame):
    made = _made()
    released = made.fit_transform(frame)
    again = made.transform(frame[:50])
    assert again.astype(str).equals(released[:50].astype(str))


def test_verified_rows_keep_the_promise_alone(frame):
    made = _made(verify=True).fit(frame)
    found = made.transform(frame[:200])
    assert found.groupby(QUASI, observed=True).size().min() >= 5
    with pytest.raises(mingle.PrivacyError):
        made.transform(frame[:3])


def test_in_a_pipeline(frame):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    steps = make_pipeline(
        _made(), OneHotEncoder(handle_unknown="ignore"), DecisionTreeClassifier(random_state=1)
    )
    fitted = steps.fit(frame, frame["disease"])
    assert fitted.score(frame, frame["disease"]) > 0.9  # the disease itself passes through


def test_pickled(frame):
    made = _made().fit(frame)
    again = pickle.loads(pickle.dumps(made))
    assert again.transform(frame[:9]).equals(made.transform(frame[:9]))


def test_checks_of_scikit_learn():
    from sklearn.utils.estimator_checks import check_estimator

    check_estimator(Anonymizer(k=2), expected_failed_checks=EXPECTED_FAILED_CHECKS, on_skip=None)
    found = check_estimator(Anonymizer(k=2), on_fail=None, on_skip=None)
    failed = {check["check_name"] for check in found if check["status"] == "failed"}
    assert failed == set(EXPECTED_FAILED_CHECKS)


@pytest.mark.parametrize("method", ["cell", "mingen", "mondrian", "k-member", "local-suppression"])
def test_values_that_were_not_seen_never_raise(frame, method):
    made = _made(method=method).fit(frame)
    odd = pd.DataFrame(
        {
            "age": [17, 1000, None, -3],
            "sex": ["x", None, "m", ""],
            "zip": ["99999", "a very long text", None, "02138"],
            "disease": ["plague", None, "flu", "flu"],
        }
    )
    found = made.transform(odd)
    assert len(found) == len(odd)
    assert list(found["disease"][2:]) == ["flu", "flu"] and found["disease"][0] == "plague"
    assert len(made.transform(odd[:1])) == 1


def test_rules_reach_values_that_were_not_seen(frame):
    """Where columns have one level each a value is generalized by its hierarchy, seen or not."""
    made = _made(method="mingen").fit(frame[frame["age"] != 33])
    known = made.transform(frame[frame["age"] == 34][:1])
    new = made.transform(frame[frame["age"] == 34][:1].assign(age=33))
    assert list(new["age"]) == list(known["age"])


def test_grid_search_sees_the_parameters(frame):
    from sklearn.base import clone
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    made = _made(suppress=0.02, models=[mingle.MaxRisk(0.5)])
    assert {"k", "suppress", "method", "models", "hierarchy", "sensitive"} <= set(made.get_params())
    assert clone(made).get_params()["suppress"] == 0.02
    steps = make_pipeline(made, OneHotEncoder(handle_unknown="ignore"), LogisticRegression(max_iter=200))
    grid = {"anonymizer__k": [3, 20], "anonymizer__method": ["mingen", "datafly"], "anonymizer__suppress": [0.0, 0.05]}
    found = GridSearchCV(steps, grid, cv=2, n_jobs=1).fit(frame[QUASI], frame["disease"])
    assert len(found.cv_results_["params"]) == 8 and all(found.cv_results_["mean_test_score"] > 0)


def test_frames_of_polars(frame):
    pl = pytest.importorskip("polars")
    table = pl.DataFrame({name: frame[name].astype(object).tolist() for name in frame.columns})
    made, other = _made(method="mingen"), _made(method="mingen")
    found, wanted = made.fit_transform(table), other.fit_transform(frame)
    assert isinstance(found, pl.DataFrame) and found.columns == table.columns
    assert [tuple(map(str, row)) for row in found.rows()] == [tuple(map(str, row)) for row in wanted.itertuples(index=False)]
    assert found["disease"].to_list() == table["disease"].to_list()
    assert made.transform(table[:40]).rows() == found[:40].rows()
    assert list(made.get_feature_names_out()) == table.columns
