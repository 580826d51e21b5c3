"""Columns of pandas, whatever they are: in, and back as what they were."""

from __future__ import annotations

import datetime
import decimal

import mingle
import pytest

pd = pytest.importorskip("pandas")
np = pytest.importorskip("numpy")

N = 40


def _with(column, **more):
    return pd.DataFrame({"q": (["a", "b"] * N)[:N], "kept": column, **more})


def _passed(frame):
    """A release in which `kept` is passed through, in order."""
    release = mingle.anonymize(
        frame, quasi=["q"], insensitive=["kept"], k=2, keep_order=True, allow_leaks=True
    )
    return release.to_pandas()["kept"]


def _zoned(zone):
    return pd.Series(pd.date_range("2020-02-29 12:00:01", periods=N, freq="7h", tz=zone))


KINDS = {
    "int8": pd.Series(range(N), dtype="int8"),
    "uint64": pd.Series([2**64 - 1 - i for i in range(N)], dtype="uint64"),
    "int64 beyond doubles": pd.Series([2**62 + i for i in range(N)]),
    "float32": pd.Series([i / 3 for i in range(N)], dtype="float32"),
    "float64 with nan": pd.Series([float("nan") if i % 7 == 0 else i / 3 for i in range(N)]),
    "bool": pd.Series([i % 3 == 0 for i in range(N)]),
    "text": pd.Series([f"text {i}, \"quoted\"\nü" for i in range(N)]),
    "text with none": pd.Series([None if i % 5 == 0 else f"t{i}" for i in range(N)], dtype=object),
    "Int64": pd.Series([None if i % 5 == 0 else i for i in range(N)], dtype="Int64"),
    "Float64": pd.Series([None if i % 5 == 0 else i / 2 for i in range(N)], dtype="Float64"),
    "boolean": pd.Series([None if i % 5 == 0 else i % 2 == 0 for i in range(N)], dtype="boolean"),
    "string": pd.Series([None if i % 5 == 0 else f"s{i}" for i in range(N)], dtype="string"),
    "category": pd.Series([f"c{i % 4}" for i in range(N)], dtype="category"),
    "ordered": pd.Series(
        pd.Categorical(["low", "high", "mid", "low"] * (N // 4), ["low", "mid", "high"], ordered=True)
    ),
    "category with nan": pd.Series([None if i % 9 == 0 else f"c{i % 4}" for i in range(N)]).astype(
        "category"
    ),
    "category of numbers": pd.Series([i % 4 for i in range(N)]).astype("category"),
    "category of intervals": pd.cut(pd.Series(range(N)), 4),
    "moments": pd.Series(pd.date_range("2020-02-29 12:00:01", periods=N, freq="7h")),
    "moments with nat": pd.Series(pd.date_range("2020-01-01", periods=N)).where(
        pd.Series(range(N)) % 5 != 0
    ),
    "zoned": _zoned("Europe/Berlin"),
    "utc": _zoned("UTC"),
    "spans": pd.Series(pd.to_timedelta(range(N), unit="h")),
    "dates": pd.Series([datetime.date(2020, 1, 1 + i % 28) for i in range(N)], dtype=object),
    "decimals": pd.Series([decimal.Decimal(i) / 4 for i in range(N)], dtype=object),
    "python ints": pd.Series([10**25 + i for i in range(N)], dtype=object),
    "periods": pd.Series(pd.period_range("2020-01", periods=N, freq="M")),
    "nothing": pd.Series([None] * N, dtype=object),
}


@pytest.mark.parametrize("kind", KINDS)
def test_passed_through(kind):
    column = KINDS[kind]
    found = _passed(_with(column))
    assert found.dtype == column.dtype
    pd.testing.assert_series_equal(found, column, check_names=False)


@pytest.mark.parametrize("kind", KINDS)
def test_as_quasi_identifier(kind):
    """Generalized columns are categorical; what is missing stays missing."""
    column = KINDS[kind]
    release = mingle.anonymize(
        pd.DataFrame({"q": column}), quasi=["q"], hierarchy={"q": "suppress"}, k=1, keep_order=True
    )
    found = release.to_pandas()["q"]
    assert isinstance(found.dtype, pd.CategoricalDtype)
    assert list(found.isna()) == list(column.isna())
    assert found.nunique() == column.nunique()


def test_categories_of_dropped_rows_are_not_released():
    """Nor are those that no row has, or the order in which the rows have them."""
    places = ["west", "east", "far", "north"]
    for ordered in (False, True):
        column = pd.Categorical(["west", "east", "west", "far"], places, ordered=ordered)
        frame = pd.DataFrame({"q": ["a", "a", "a", "b"], "place": column})
        found = mingle.anonymize(
            frame,
            quasi=["q"],
            sensitive=["place"],
            k=2,
            method="mingen",
            suppress="25%",
            suppressed="drop",
        ).to_pandas()["place"]
        assert list(found.cat.categories) == (["west", "east"] if ordered else ["east", "west"])
        assert found.cat.ordered is ordered
        assert sorted(found) == sorted(column[:3])


@pytest.mark.libraries
def test_arrow_backed_columns():
    pytest.importorskip("pyarrow")
    for dtype in ("int64[pyarrow]", "string[pyarrow]", "date32[day][pyarrow]"):
        values = pd.Series(pd.date_range("2020-01-01", periods=N)) if "date" in dtype else range(N)
        texts = [str(v) for v in values] if "string" in dtype else values
        column = pd.Series(texts, dtype=dtype) if "date" not in dtype else texts.astype(dtype)
        pd.testing.assert_series_equal(_passed(_with(column)), column, check_names=False)


def test_mixed_types_are_refused_with_their_column():
    with pytest.raises(mingle.DataError, match="'kept' has cells of different types .int, str") as e:
        _passed(_with(pd.Series([1, "a"] * (N // 2), dtype=object)))
    assert e.value.column == "kept"


def test_bytes_are_refused():
    with pytest.raises(mingle.DataError, match="kept"):
        _passed(_with(pd.Series([b"a"] * N, dtype=object)))


def test_names_that_are_no_texts_come_back(frame):
    numbered = frame.rename(columns={"age": 0, "sex": 1, "zip": 2})
    found = mingle.anonymize(numbered, quasi=["0", "1", "2"], sensitive=["disease"], k=5).to_pandas()
    assert list(found.columns) == [0, 1, 2, "disease"]


def test_names_twice_are_refused(frame):
    frame.columns = ["age", "sex", "zip", "age"]
    with pytest.raises(mingle.UsageError, match="several columns are called 'age'"):
        mingle.anonymize(frame, quasi=["age"], k=5)


def test_several_levels_of_names_are_refused(frame):
    frame.columns = pd.MultiIndex.from_tuples([("a", c) for c in frame.columns])
    with pytest.raises(mingle.UsageError, match="MultiIndex"):
        mingle.anonymize(frame, quasi=["age"], k=5)


def test_empty_frames_are_refused(frame):
    with pytest.raises(mingle.DataError) as caught:
        mingle.anonymize(frame[:0], quasi=["age"], rest="drop", k=5)
    assert caught.value.code == "empty-table"


def test_a_slice_is_a_frame(frame):
    some = frame[100:700:2]
    found = mingle.anonymize(some, quasi=["age", "sex"], rest="drop", k=5).to_pandas()
    assert len(found) == len(some)


def test_buffers_outlive_the_frame(frame):
    with mingle.Session(frame.copy()) as session:
        import gc

        gc.collect()
        found = session.anonymize(quasi=["age", "sex", "zip"], rest="drop", k=5).to_pandas()
    gc.collect()
    assert len(found) == len(frame)
