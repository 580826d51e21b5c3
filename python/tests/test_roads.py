"""The road through Python gives what the program gives: random tables and jobs, with every method,
every model and odd values. What the program refuses, Python refuses with the same status."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections import Counter

import mingle
import pytest
from mingle import _core

pd = pytest.importorskip("pandas")
hypothesis = pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

TEXTS = ["a", "b", "ab", "ä", "é", "e\u0301", "x y", " x", 'q"q', "c,d", "A", "line\nbreak", "=1"]
TEXTS += ["007", "7", "1e5", "-0", "NA", "null", "\u2028", "\U0001f600", "2020-02-30", "a;b", "'"]
METHODS = ["cell", "mingen", "samarati", "datafly", "incognito", "top-down", "mondrian"]
METHODS += ["k-member", "local-suppression", "mu-argus", "microaggregate"]
ODD = 'odd, "name"'  # of a column
STATUS = {mingle.PrivacyError: 1, mingle.UsageError: 2, mingle.DataError: 3}

#: Every model that needs no further table, with values that some tables keep.
MODELS = {
    "l_diversity": ["2"],
    "entropy_l": ["1.3", "2"],
    "recursive_cl": ["2,2", "3,2"],
    "alpha": ["0.6", "0.9"],
    "t_closeness": ["0.3", "0.6"],
    "delta_disclosure": ["1", "2"],
    "beta": ["0.5", "2"],
    "enhanced_beta": ["0.5", "2"],
}
WHOLE = {  # of no sensitive column
    "p_sensitive": ["2"],
    "max_risk": ["0.5", "0.2"],
    "mean_risk": ["0.3"],
    "risk_share": ["0.4,0.2"],
    "sample_uniqueness": ["0.1"],
    "population_uniqueness": ["0.5"],
    "k_map": ["2"],
    "delta_presence": ["0,0.9", "0,1"],
}
OPTIONS = {
    "levels": ["uniform", "mixed"],
    "utility": ["precision", "loss", "geometric-loss", "ncp", "discernibility", "class-size",
                "ambiguity", "entropy", "nonuniform-entropy"],
    "suppressed": ["keep", "drop", "exempt"],
    "effort": ["fast", "balanced"],
    "missing_matches": ["itself", "all"],
    "cut": ["strict", "relaxed"],
}  # fmt: skip


def test_all_methods_are_drawn():
    assert set(json.loads(_core.catalogue("methods"))["methods"]) == set(METHODS)


def test_all_models_are_drawn():
    """But for those that need groups of values or households, which tests of the models have."""
    models = json.loads(_core.catalogue("models"))["models"].values()
    known = {model["key"].replace("-", "_") for model in models}
    assert known - {"k", "extended_p", "household_risk"} == set(MODELS) | set(WHOLE)


@st.composite
def tables(draw):
    n = draw(st.integers(4, 40))

    def column(cells):
        return draw(st.lists(cells, min_size=n, max_size=n))

    frame = pd.DataFrame(
        {
            "text": pd.Series(column(st.sampled_from(TEXTS)), dtype=object),
            "number": column(st.integers(-3, 40)),
            ODD: pd.Series(column(st.sampled_from(["u", "v", "w"])), dtype=object),
            "ill": pd.Series(column(st.sampled_from(["flu", "cold", "gout"])), dtype=object),
        }
    )
    if draw(st.booleans()):
        frame.loc[frame.index % 5 == 0, "text"] = None
    as_kind = draw(st.sampled_from(["object", "category", "string"]))
    frame["text"] = frame["text"].astype(as_kind)
    if draw(st.booleans()):
        frame["number"] = frame["number"].astype(draw(st.sampled_from(["Int64", "int8", "category"])))
    return frame


@st.composite
def jobs(draw):
    said = {"k": str(draw(st.integers(1, 4))), "method": draw(st.sampled_from(METHODS))}
    said["suppress"] = draw(st.sampled_from(["0", "10%", "100%"]))
    for key, values in OPTIONS.items():
        if draw(st.integers(0, 3)) == 0:
            said[key] = draw(st.sampled_from(values))
    for key in draw(st.lists(st.sampled_from(sorted(MODELS)), max_size=2, unique=True)):
        said[key] = {"ill": draw(st.sampled_from(MODELS[key]))}
    for key in draw(st.lists(st.sampled_from(sorted(WHOLE)), max_size=1)):
        said[key] = draw(st.sampled_from(WHOLE[key]))
    if draw(st.booleans()):
        said["hierarchy"] = draw(
            st.sampled_from(
                [{"number": "intervals(5,20)"}, {"text": "mask(right)"}, {ODD: "suppress"}]
            )
        )
    return said


def _quoted(names):
    return ",".join('"' + name.replace('"', '""') + '"' for name in names)


def _options(said):
    """The same job as options of the program."""
    for key, value in said.items():
        option = {"k": "-k", "hierarchy": "--hierarchy"}.get(key, "--" + key.replace("_", "-"))
        values = value.items() if isinstance(value, dict) else [(None, value)]
        for column, text in values:
            yield from (option, text if column is None else f"{_quoted([column])}={text}")


def _answer_of_program(program, folder, frame, said):
    """Exit status, and the rows of the release."""
    source, target = folder / "table.csv", folder / "release.csv"
    frame.to_csv(source, index=False)
    target.unlink(missing_ok=True)
    command = [program, "anonymize", str(source), "--sensitive", "ill", "--seed", "5"]
    command += ["--qi", _quoted(c for c in frame.columns if c != "ill"), *_options(said)]
    command += ["--population", str(source)] if "k_map" in said or "delta_presence" in said else []
    command += ["--missing", "", "-o", str(target), "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        assert not target.exists()
        return done.returncode, done.stderr
    with open(target, newline="") as file:
        return 0, Counter(tuple(row) for row in list(csv.reader(file))[1:])


def _answer_of_python(frame, said):
    quasi = [c for c in frame.columns if c != "ill"]
    more = {"population": frame} if "k_map" in said or "delta_presence" in said else {}
    try:
        release = mingle.anonymize(frame, quasi=quasi, sensitive="ill", seed=5, **said, **more)
    except mingle.MingleError as error:
        return STATUS[type(error)], str(error)
    found = release.to_pandas().astype(object)
    found = found.where(found.notna(), "")
    return 0, Counter(tuple(map(str, row)) for row in found.values)


@settings(
    max_examples=int(os.environ.get("TIMES", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(frame=tables(), said=jobs())
def test_roads(frame, said, tmp_path, program):
    theirs, ours = _answer_of_program(program, tmp_path, frame, said), _answer_of_python(frame, said)
    assert theirs[0] == ours[0], (theirs[1], ours[1])
    if theirs[0] == 0:
        assert theirs[1] == ours[1]


EVERY = [{"method": method} for method in METHODS]
EVERY += [{"method": "mingen", key: {"ill": value}} for key in MODELS for value in MODELS[key][-1:]]
EVERY += [{"method": "mingen", key: value} for key in WHOLE for value in WHOLE[key][-1:]]
EVERY += [{"method": "mingen", "utility": measure} for measure in OPTIONS["utility"]]
EVERY += [{"method": "mingen", "suppressed": word} for word in OPTIONS["suppressed"]]
EVERY += [{"method": "cell", "effort": word} for word in OPTIONS["effort"]]
EVERY += [{"method": "mondrian", "cut": word} for word in OPTIONS["cut"]]
EVERY += [{"method": "local-suppression", "missing_matches": w} for w in OPTIONS["missing_matches"]]


@pytest.mark.parametrize("said", EVERY, ids=lambda said: "-".join(map(str, said.values())))
def test_each_method_model_and_option(said, tmp_path, program):
    """Each at least once, whatever is drawn, on a table that has such a release."""
    frame = pd.DataFrame(
        {
            "text": pd.Series([TEXTS[i % 5] for i in range(60)], dtype="category"),
            "number": [i % 7 for i in range(60)],
            ODD: [("u", "v")[i % 2] for i in range(60)],
            "ill": [("flu", "cold", "gout")[i % 3] for i in range(60)],
        }
    )
    said = {"k": "2", "suppress": "20%", **said}
    if said["method"] == "microaggregate":
        frame, said = frame[["number", "ill"]], {**said, "suppress": "0"}
    if "population_uniqueness" in said:
        said["sampling_fraction"] = "0.5"
    theirs, ours = _answer_of_program(program, tmp_path, frame, said), _answer_of_python(frame, said)
    assert (theirs[0], ours[0]) == (0, 0), (theirs[1], ours[1])
    assert theirs[1] == ours[1]
