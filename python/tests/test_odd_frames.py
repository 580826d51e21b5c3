"""Frames of pandas that are out of the ordinary: each has a defined behaviour."""

from __future__ import annotations

import datetime
import decimal

import mingle
import pytest
from test_frames import N, _passed, _with

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

# ---- Names ---------------------------------------------------------------------------------------


def _like(label):
    """A frame with a column of that name beside the quasi-identifier."""
    return pd.DataFrame([["a", 1]] * N, columns=pd.Index(["q", label], dtype=object))


@pytest.mark.parametrize("label", [7, 2.5, ("x", 1), True, datetime.date(2020, 1, 1), ""])
def test_names_that_are_no_texts_come_back_as_they_were(label):
    if label == "":
        with pytest.raises(mingle.MingleError):
            mingle.anonymize(_like(label), quasi=["q"], rest="insensitive", k=2, allow_leaks=True)
        return
    release = mingle.anonymize(_like(label), quasi=["q"], rest="insensitive", k=2, allow_leaks=True)
    assert list(release.to_pandas().columns) == ["q", label]


def test_names_are_taken_as_texts_in_arguments():
    numbered = pd.DataFrame([["a", "b"]] * N, columns=[0, 1])
    for quasi in ([0, 1], ["0", "1"]):
        assert mingle.check(numbered, quasi=quasi)["k"] == N


def test_names_with_the_same_text_are_refused():
    with pytest.raises(mingle.UsageError, match="several columns are called '1'") as caught:
        mingle.check(pd.DataFrame([[1, 2]] * N, columns=[1, "1"]), quasi=["1"])
    assert caught.value.code == "header" and caught.value.column == "1"


@pytest.mark.parametrize("name", ["a\0b", "half \ud800 of a pair"])
def test_names_that_cannot_be_written_are_refused(name):
    try:
        frame = _like(name)
    except UnicodeEncodeError:
        return  # this pandas refuses it itself
    with pytest.raises(mingle.UsageError, match="is no text"):
        mingle.check(frame, quasi=["q"])


def test_columns_of_dates_and_categories_as_names():
    days = pd.date_range("2020-01-01", periods=2)
    frame = pd.DataFrame([["a", "b"]] * N, columns=days)
    found = mingle.anonymize(frame, quasi=[str(day) for day in days], k=2).to_pandas()
    assert list(found.columns) == list(days)
    frame.columns = pd.CategoricalIndex(["q", "r"])
    assert list(mingle.anonymize(frame, quasi=["q", "r"], k=2).to_pandas().columns) == ["q", "r"]


# ---- Indices -------------------------------------------------------------------------------------

INDICES = {
    "named": pd.Index(range(1000, 1000 + N), name="person"),
    "repeated": pd.Index([0] * N),
    "of several levels": pd.MultiIndex.from_product([range(8), range(5)], names=["house", "person"]),
    "dates": pd.date_range("2020-01-01", periods=N, name="day"),
}


@pytest.mark.parametrize("kind", INDICES)
def test_an_index_is_never_released(kind):
    frame = pd.DataFrame({"q": (["a", "b"] * N)[:N], "v": range(N)}, index=INDICES[kind])
    release = mingle.anonymize(
        frame, quasi=["q"], insensitive=["v"], k=2, keep_order=True, allow_leaks=True
    )
    found = release.to_pandas()
    assert list(found.columns) == ["q", "v"]
    assert found.index.equals(pd.RangeIndex(N)) and found.index.name is None
    for name in INDICES[kind].names:
        if name is not None:
            with pytest.raises(mingle.UsageError, match=f'no column "{name}"'):
                mingle.check(frame, quasi=[name])
    assert list(found["v"]) == list(range(N))


# ---- Columns -------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [None, float("nan"), pd.NA])
@pytest.mark.parametrize("values", [[True, False], [3, 10**12], ["x", "y"], [datetime.date(2020, 1, 1)]])
def test_objects_keep_their_missing_cells(values, missing):
    column = pd.Series([*values, missing] * N, dtype=object)[:N]
    found = _passed(_with(column))
    assert found.dtype == object
    for was, now in zip(column, found):
        assert type(now) is type(was)
        assert pd.isna(now) if pd.isna(was) else now == was


@pytest.mark.parametrize(
    "cells, words",
    [
        ([1, "a"], "different types .int, str"),
        ([True, "a"], "different types .bool, str"),
        ([1, 2.5, "a", None], "different types .float, int, str"),
        ([[1], [2]], "of type list"),
        ([{"a": 1}, {}], "of type dict"),
        ([b"a", b"b"], "of type bytes"),
        ([1j, 2j], "complex"),
        (["a\0b", "c"], "NUL"),
        ([np.array([1]), np.array([2])], "of type ndarray"),
    ],
)
def test_columns_that_are_refused(cells, words):
    column = pd.Series((cells * N)[:N], dtype=None if isinstance(cells[0], complex) else object)
    with pytest.raises(mingle.DataError, match=words) as caught:
        _passed(_with(column))
    assert caught.value.column == "kept"


def test_numbers_of_both_kinds_are_numbers():
    found = _passed(_with(pd.Series([1, 2.5] * (N // 2), dtype=object)))
    assert found.dtype == object and list(found[:2]) == [1.0, 2.5]


def test_sparse_columns():
    column = pd.Series(pd.arrays.SparseArray([0, 1, 0, 0] * (N // 4)))
    pd.testing.assert_series_equal(_passed(_with(column)), column, check_names=False)


# ---- Moments -------------------------------------------------------------------------------------

ZONES = {
    "an offset": datetime.timezone(datetime.timedelta(hours=5, minutes=30)),
    "an offset with a name of its own": datetime.timezone(datetime.timedelta(hours=1), "Here"),
    "a name": "America/New_York",
}


@pytest.mark.parametrize("kind", ZONES)
def test_zones_come_back(kind):
    column = pd.Series(pd.date_range("2020-10-25", periods=N, freq="30min", tz=ZONES[kind]))
    column[3] = pd.NaT
    pd.testing.assert_series_equal(_passed(_with(column)), column, check_names=False)


def test_moments_are_the_same_in_any_zone():
    """A quasi-identifier with a zone is generalized in UTC: one moment is one value."""
    moments = pd.date_range("2020-01-01 20:00", periods=2, freq="4h", tz="UTC").repeat(N // 2)
    found = []
    for zone in ("UTC", "Asia/Tokyo", ZONES["an offset"]):
        frame = pd.DataFrame({"q": pd.Series(moments.tz_convert(zone))})
        release = mingle.anonymize(frame, quasi=["q"], hierarchy={"q": "dates(day,month)"}, k=2)
        found.append(sorted(release.to_pandas()["q"]))
    assert found[0] == found[1] == found[2]
    assert set(found[0]) == {str(moment) for moment in set(found[0])} and len(set(found[0])) == 2


# ---- Frames --------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [mingle.anonymize, mingle.check, mingle.risk])
def test_frames_without_rows_or_columns(call):
    said = {"k": 2} if call is not mingle.risk else {}
    with pytest.raises(mingle.DataError, match="no rows") as caught:
        call(pd.DataFrame({"q": []}), quasi=["q"], **said)
    assert caught.value.code == "empty-table"
    with pytest.raises(mingle.DataError, match="no columns"):
        call(pd.DataFrame(), quasi=["q"], **said)


def test_a_session_on_nothing():
    with mingle.Session(pd.DataFrame({"q": []})) as session:
        with pytest.raises(mingle.DataError, match="no rows"):
            session.anonymize(quasi=["q"], k=2)


def test_a_single_row():
    with pytest.raises(mingle.PrivacyError):
        mingle.anonymize(pd.DataFrame({"q": ["a"]}), quasi=["q"], k=2)


def test_a_column_is_no_table():
    with pytest.raises(mingle.UsageError, match="to_frame"):
        mingle.check(pd.Series(["a"] * N, name="q"), quasi=["q"])


def test_classes_derived_of_frames():
    class Frame(pd.DataFrame):
        @property
        def _constructor(self):
            return Frame

    assert mingle.check(Frame({"q": ["a"] * N}), quasi=["q"])["k"] == N


def test_the_frame_is_not_changed(frame):
    before = frame.copy(deep=True)
    mingle.anonymize(frame, quasi=["age", "sex", "zip"], sensitive=["disease"], k=5).to_pandas()
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    "odd, words",
    [
        (decimal.Decimal("NaN"), "type str and a Decimal that is not a number"),
        (np.datetime64("NaT"), "type str and numpy's NaT, the missing value of dates"),
        (np.timedelta64("NaT"), "type str and numpy's NaT, the missing value of spans of time"),
    ],
)
def test_missing_values_of_other_types_are_named(odd, words):
    frame = pd.DataFrame({"a": ["x", "y"] * 4, "b": pd.Series(["t", "u", "t", odd] * 2, dtype=object)})
    with pytest.raises(mingle.DataError, match=words):
        mingle.anonymize(frame, quasi=["a"], insensitive=["b"], k=2)


def test_bytes_are_decoded():
    frame = pd.DataFrame({"a": ["x", "y"] * 4, "b": [b"t", b"u"] * 4})
    with pytest.raises(mingle.DataError, match="of type bytes; .*decode"):
        mingle.anonymize(frame, quasi=["a"], insensitive=["b"], k=2)


def test_categories_with_the_same_text():
    frame = pd.DataFrame({"a": ["x", "y"] * 4, "b": pd.Categorical(["1", 1] * 4)})
    with pytest.raises(mingle.DataError, match="same text; make them one or apart"):
        mingle.anonymize(frame, quasi=["a"], insensitive=["b"], k=2)


def test_categories_that_are_tuples_come_back():
    things = pd.Index([(1, 2), (3, 4)], tupleize_cols=False)
    codes = [0, 1, 1, 0, 0, 1, 1, 0]
    frame = pd.DataFrame({"a": ["x", "y"] * 4, "b": pd.Categorical.from_codes(codes, things)})
    made = mingle.anonymize(frame, quasi=["a"], insensitive=["b"], k=2, allow_leaks=True)
    assert set(made.to_pandas()["b"]) == {(1, 2), (3, 4)}


def test_an_empty_list_names_no_column():
    frame = pd.DataFrame({"a": ["x", "y"] * 4, "b": ["t", "t", "u", "u"] * 2})
    lists = dict(sensitive=[], insensitive=[], identifier=[])
    made = mingle.anonymize(frame, quasi=["a", "b"], k=2, **lists)
    assert list(made.to_pandas().columns) == ["a", "b"]
    with pytest.raises(mingle.UsageError, match="no quasi-identifier"):
        mingle.anonymize(frame, quasi=[], rest="drop", k=2)


def test_an_empty_list_allows_no_leak():
    frame = pd.DataFrame({"a": ["x", "y"] * 40, "number": range(80)})
    with pytest.raises(mingle.PrivacyError, match="would give persons away"):
        mingle.anonymize(frame, quasi=["a"], rest="insensitive", k=2, allow_leaks=[])
