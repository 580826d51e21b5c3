"""What contradicts itself is refused, and what would be merged silently: roles, models, texts."""

import itertools

import pytest

import mingle

ROLES = ("quasi", "sensitive", "identifier", "insensitive")


def _refused(call, code, *words, kind=mingle.UsageError):
    with pytest.raises(kind) as refused:
        call()
    assert refused.value.code in (code if isinstance(code, tuple) else (code,))
    for word in words:
        assert word in str(refused.value)
    return refused.value


@pytest.mark.parametrize("first,second", list(itertools.permutations(ROLES, 2)))
def test_column_in_two_roles(frame, first, second):
    said = {first: ["zip"], second: ["zip"], "rest": "drop", "k": 5}
    if "quasi" not in said:
        said["quasi"] = ["age"]
    error = _refused(lambda: mingle.anonymize(frame, **said), "repeated", "two roles", "zip")
    assert error.column == "zip"
    _refused(lambda: mingle.check(frame, **{k: v for k, v in said.items() if k != "rest"}), "repeated")
    with mingle.Session(frame) as session:
        _refused(lambda: session.anonymize(**said, dry_run=True), "repeated", "two roles")


def test_example_of_two_roles(frame):
    _refused(lambda: mingle.anonymize(frame, quasi=["age", "disease"], sensitive=["disease"], rest="drop", k=5), "repeated")
    _refused(lambda: mingle.anonymize(frame, quasi=[["age", "sex"], ["sex", "zip"]], sensitive="sex", rest="drop", k=5), "repeated")
    _refused(lambda: mingle.anonymize(frame, quasi=["age", "age"], rest="drop", k=5), "repeated", "twice")
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], qi=["sex"], rest="drop", k=5), "repeated", "quasi", "qi")
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], entity="age", rest="drop", k=5), "conflict")


def test_columns_of_an_iterator_are_not_lost(frame):
    made = mingle.anonymize(frame, quasi=iter(["age", "sex"]), sensitive=iter(["disease"]), rest="drop", k=5)
    assert made["quasi_identifier"] == ["age", "sex"]
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], qi_set=iter([["age", "zip"]]), rest="drop", k=5), "conflict")
    _refused(lambda: mingle.anonymize(frame, quasi=iter(["age", "zip"]), sensitive=iter(["zip"]), rest="drop", k=5), "repeated")


@pytest.mark.parametrize(
    "said",
    [
        {"models": [mingle.KAnonymity(50), mingle.KAnonymity(2)]},
        {"models": [mingle.KAnonymity(5), mingle.KAnonymity(5)]},
        {"models": [mingle.KAnonymity(2)], "k": 50},
        {"models": [{"k-anonymity": 2}], "k": 50},
        {"models": [{"k-anonymity": 2}, mingle.KAnonymity(3)]},
        {"models": [mingle.LDiversity("disease", 2), mingle.LDiversity("disease", 3)], "k": 2},
        {"models": [mingle.LDiversity("disease", 2)], "l_diversity": {"disease": 3}, "k": 2},
        {"models": [mingle.TCloseness("disease", 0.2)], "t_closeness": "disease=0.5", "k": 2},
        {"models": [mingle.MaxRisk(0.2), mingle.MaxRisk(0.5)]},
        {"models": [mingle.RecursiveCL("disease", 2, 2), mingle.RecursiveCL("disease", 3, 2)], "k": 2},
    ],
)
def test_model_given_twice(frame, said):
    said = {"quasi": ["age", "zip"], "sensitive": "disease", "rest": "drop", **said}
    _refused(lambda: mingle.anonymize(frame, **said), "repeated", "twice")
    with mingle.Session(frame) as session:
        _refused(lambda: session.anonymize(**said), "repeated", "twice")


def test_models_of_several_columns_stand_side_by_side(frame):
    models = [mingle.KAnonymity(3), mingle.LDiversity("disease", 2), mingle.LDiversity("sex", 2)]
    made = mingle.anonymize(frame, quasi=["age", "zip"], sensitive=["disease", "sex"], models=models)
    assert made.holds and len(made["models"]) == 3


def test_what_is_no_model_is_refused(frame):
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], rest="drop", models="k-anonymity"), "bad-value", "models")
    made = mingle.anonymize(frame, quasi=["age"], rest="drop", models={"k-anonymity": 4})
    assert made["models"][0]["parameters"] == {"k": 4}


def test_table_named_twice(frame, tmp_path):
    _refused(lambda: mingle.anonymize(frame, data="other.csv", quasi=["age"], rest="drop", k=5), "repeated")


def test_hierarchy_given_twice(frame):
    said = {"quasi": ["age"], "rest": "drop", "k": 5, "hierarchies": {"age": "intervals(5,10)"}}
    with pytest.warns(DeprecationWarning):
        _refused(lambda: mingle.anonymize(frame, **said, hierarchy={"age": "intervals(10)"}), "repeated")


def test_arguments_override_a_job(frame):
    job = mingle.Job({"attributes": {"age": {"role": "quasi"}, "zip": {"role": "quasi"}, "sex": {"role": "sensitive"}},
                      "privacy": [{"k-anonymity": 50}], "rest": "drop"})
    assert job.run(frame, k=4)["models"][0]["parameters"] == {"k": 4}
    made = job.run(frame, quasi=["zip"], models=[mingle.KAnonymity(3)])
    assert made["quasi_identifier"] == ["zip"] and made["models"][0]["parameters"] == {"k": 3}
    made = job.run(frame, quasi=["zip", "sex"], sensitive=["disease"])
    assert made["quasi_identifier"] == ["zip", "sex"]
    _refused(lambda: job.run(frame, quasi=["zip"], sensitive=["zip"]), "repeated", "two roles")
    _refused(lambda: job.run(frame, k=4, models=[mingle.KAnonymity(3)]), "repeated", "twice")


def test_jobs_contradict_themselves():
    _refused(lambda: mingle.Job({"quasi-identifiers": [["age"]], "attributes": {"age": {"role": "sensitive"}}}), "repeated")
    _refused(lambda: mingle.Job({"privacy": [{"k-anonymity": 5}, {"k-anonymity": 2}]}), "repeated")


def test_transformer(frame):
    pytest.importorskip("sklearn")
    from mingle.sklearn import Anonymizer

    twice = Anonymizer(quasi=["age", "zip"], k=5, arguments={"models": [mingle.KAnonymity(2)]})
    _refused(lambda: twice.fit(frame), "repeated")
    roles = Anonymizer(quasi=["age", "zip"], k=5, arguments={"sensitive": ["zip"]})
    _refused(lambda: roles.fit(frame), "repeated", "two roles")
    both = Anonymizer(quasi=["age"], method="mingen", arguments={"method": "cell"})
    _refused(lambda: both.fit(frame), "repeated", "arguments")
    alone = Anonymizer(quasi=["age", "zip", "sex"], k=None, arguments={"models": [mingle.KAnonymity(4)]}).fit(frame)
    assert alone.result_["models"][0]["parameters"] == {"k": 4}
    rest = Anonymizer(k=5, arguments={"sensitive": "disease"}).fit(frame)
    assert set(rest.result_["quasi_identifier"]) == set(frame.columns) - {"disease"}


# ---- Texts with a NUL ----------------------------------------------------------------------------


def _with_nul():
    pd = pytest.importorskip("pandas")
    cells = ["a\0b", "a", "a\0c", "b"] * 10
    made = {
        "objects": pd.Series(cells, dtype=object),
        "python strings": pd.Series(cells, dtype=pd.StringDtype("python")),
        "mixed with missing": pd.Series([None, *cells[1:]], dtype=object),
        "categories": pd.Series(pd.Categorical.from_codes([0, 1, 2, 3] * 10, ["a\0b", "x", "y", "z"])),
        "default": pd.Series(cells),
    }
    try:
        import pyarrow

        made["arrow strings"] = pd.Series(cells, dtype=pd.StringDtype("pyarrow"))
        made["arrow type"] = pd.Series(cells, dtype=pd.ArrowDtype(pyarrow.string()))
        made["arrow categories"] = pd.Series(cells, dtype=pd.ArrowDtype(pyarrow.string())).astype(
            pd.ArrowDtype(pyarrow.dictionary(pyarrow.int32(), pyarrow.string())))
    except ImportError:
        pass
    return made


@pytest.mark.parametrize("kind", ["objects", "python strings", "mixed with missing", "categories", "default",
                                  "arrow strings", "arrow type", "arrow categories"])
@pytest.mark.parametrize("role", ["quasi", "sensitive", "insensitive"])
def test_text_with_nul_in_pandas(kind, role):
    pd = pytest.importorskip("pandas")
    column = _with_nul().get(kind)
    if column is None:
        pytest.skip("pyarrow is not here")
    table = pd.DataFrame({"age": [30, 40] * 20, "t": column})
    said = {"quasi": ["age", "t"] if role == "quasi" else ["age"], "rest": "drop", "k": 2}
    if role != "quasi":
        said[role] = "t"
    error = _refused(lambda: mingle.anonymize(table, **said), ("bad-cell", "arrow"), "NUL", kind=mingle.DataError)
    assert error.column == "t"


def test_names_and_values_with_nul(frame):
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"a\0b": ["x"] * 4, "a": ["y"] * 4})
    _refused(lambda: mingle.anonymize(table, quasi=["a"], rest="drop", k=2), "header")
    _refused(lambda: mingle.anonymize(frame, quasi=["age\0"], rest="drop", k=2), "bad-value", "NUL")
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], rest="drop", k=2, hierarchy={"age\0": "mask(right)"}), "bad-value")
    _refused(lambda: mingle.anonymize(frame, quasi=["age"], rest="drop", k=2, title="a\0b"), "bad-value", "NUL")
    with pytest.raises(mingle.MingleError):
        mingle.anonymize(frame, quasi=["sex"], rest="drop", k=2, hierarchy={"sex": {"f": "x\0y", "m": "x"}})


def test_bytes_are_no_texts():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"a": [b"x\0y", b"x"] * 4})
    _refused(lambda: mingle.anonymize(table, quasi=["a"], k=2), "column-type", "bytes", kind=mingle.DataError)


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_text_with_nul_in_arrow(library):
    module = pytest.importorskip(library)
    cells = {"age": [30, 40] * 8, "t": ["a\0b", "a"] * 8}
    tables = [module.DataFrame(cells) if library == "polars" else module.table(cells)]
    if library == "polars":
        tables.append(tables[0].with_columns(module.col("t").cast(module.Categorical)))
    else:
        tables.append(module.table({"age": cells["age"], "t": module.array(cells["t"]).dictionary_encode()}))
    for table in tables:
        _refused(lambda: mingle.anonymize(table, quasi=["age", "t"], k=2), ("bad-cell", "arrow"), "NUL", kind=mingle.DataError)
    names = {"age": [30, 40] * 8, "t\0u": ["a", "b"] * 8}
    odd = module.DataFrame(names) if library == "polars" else module.table(names)
    _refused(lambda: mingle.anonymize(odd, quasi=["age"], rest="drop", k=2), "header")


# ---- Columns of several kinds ---------------------------------------------------------------------


def test_text_with_nat():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({"age": [30, 40] * 8, "t": pd.Series(["a", pd.NaT, "b", "a"] * 4, dtype=object)})
    none = table.assign(t=table["t"].where(table["t"].notna(), None))
    said = {"quasi": ["age"], "sensitive": "t", "k": 2, "keep_order": True}
    found, wanted = mingle.anonymize(table, **said), mingle.anonymize(none, **said)
    assert found.models == wanted.models
    cells = list(found.to_pandas()["t"])
    assert cells[1] is pd.NaT and [c for c in cells if c is not pd.NaT] == [c for c in table["t"] if c is not pd.NaT]
    assert mingle.anonymize(table, quasi=["age", "t"], k=2).holds
    mixed = pd.DataFrame({"t": pd.Series(["a", 3, "b", 4.5] * 4, dtype=object)})
    _refused(lambda: mingle.anonymize(mixed, quasi=["t"], k=2), "column-type", "int", "str", kind=mingle.DataError)


# ---- Files of the data holder ---------------------------------------------------------------------


def test_reports_and_results_have_their_endings(frame, tmp_path):
    table = tmp_path / "people.csv"
    frame.to_csv(table, index=False)
    before = table.read_bytes()
    made = mingle.anonymize(str(table), quasi=["age"], rest="drop", k=5)
    _refused(lambda: made.report(table), "output", ".csv")
    _refused(lambda: made.save(table), "output", ".csv")
    assert table.read_bytes() == before
    made.report(tmp_path / "report.html")
    made.save(tmp_path / "result.json")
    for name in ("report.html", "result.json"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600


# ---- What was not asked for does not hold ---------------------------------------------------------


def test_holds_without_a_model(frame):
    assert mingle.look(frame).holds is None
    assert mingle.risk(frame, quasi=["age"]).holds is None
    assert mingle.check(frame, quasi=["age"]).holds is None
    assert mingle.advise(frame).holds is None
    assert mingle.suggest(frame).holds is None
    made = mingle.anonymize(frame, quasi=["age"], rest="drop", k=5)
    assert made.holds is True
    assert mingle.utility(frame, release=made, quasi=["age"]).holds is None
    assert mingle.attack(made, external=frame, against=made).holds is None
    assert mingle.check(frame, quasi=["age", "zip"], k=100).holds is False
    assert mingle.check(made, against=made).holds is True
    assert mingle.gate(frame[["sex"]], quasi=["sex"], k=5).holds is True
    with mingle.Session(frame) as session:
        assert session.check(quasi=["age"]).holds is None
    import pickle

    assert pickle.loads(pickle.dumps(mingle.check(frame, quasi=["age"]))).holds is None
    assert pickle.loads(pickle.dumps(mingle.check(frame, quasi=["age"], k=2000))).holds is False


def test_k_of_one_promises_nothing(frame):
    made = mingle.anonymize(frame, quasi=["age"], rest="drop", k=1)
    assert [w["code"] for w in made["warnings"]] == ["empty-promise"]
    assert "promises nothing" in str(made)
    checked = mingle.check(frame, quasi=["age"], sensitive="disease", k=2, models=[mingle.LDiversity("disease", 1)])
    assert [w["code"] for w in checked["warnings"]] == ["empty-promise"]
    assert "empty-promise" not in [w["code"] for w in mingle.check(frame, quasi=["age"], k=2)["warnings"]]
