"""Tables of other libraries: the same release from each."""

from __future__ import annotations

import mingle
import pytest

QUASI = ["age", "sex", "zip"]
pytestmark = pytest.mark.libraries


def _rows(release):
    found = release.to_pandas()
    return [tuple(map(str, row)) for row in found.itertuples(index=False)]


@pytest.fixture
def expected(frame):
    return _rows(_release(frame))


def _release(table):
    return mingle.anonymize(table, quasi=QUASI, sensitive=["disease"], k=5, keep_order=True)


def test_pyarrow(frame, expected):
    pa = pytest.importorskip("pyarrow")
    table = pa.Table.from_pandas(frame, preserve_index=False)
    assert _rows(_release(table)) == expected
    assert _rows(_release(table.to_reader(100))) == expected


def test_polars(frame, expected):
    pl = pytest.importorskip("polars")
    table = pl.from_pandas(frame)
    assert _rows(_release(table)) == expected
    assert _rows(_release(table.lazy())) == expected


def test_duckdb(frame, expected):
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.connect().from_df(frame)
    assert _rows(_release(relation)) == expected


def test_narwhals(frame, expected):
    nw = pytest.importorskip("narwhals")
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    for native in (pl.from_pandas(frame), pa.Table.from_pandas(frame, preserve_index=False), frame):
        assert _rows(_release(nw.from_native(native))) == expected


def test_ibis(frame, expected):
    ibis = pytest.importorskip("ibis")
    pa = pytest.importorskip("pyarrow")
    table = ibis.memtable(pa.Table.from_pandas(frame, preserve_index=False))
    assert _rows(_release(table)) == expected


def test_the_stream_of_a_frame_of_pandas(frame, expected):
    """What pandas itself hands out gives the same release as its buffers do."""
    pytest.importorskip("pyarrow")
    if not hasattr(frame, "__arrow_c_stream__"):
        pytest.skip("pandas is older than 2.2")

    class Stream:
        def __arrow_c_stream__(self, requested_schema=None):
            return frame.__arrow_c_stream__(requested_schema)

    assert _rows(_release(Stream())) == expected


def test_generalized_columns_are_categorical_everywhere(frame):
    pa = pytest.importorskip("pyarrow")
    pl = pytest.importorskip("polars")
    release = _release(frame)
    for name in QUASI:
        assert str(release.to_pandas()[name].dtype) == "category"
        assert pa.types.is_dictionary(release.to_arrow().schema.field(name).type)
        assert release.to_polars()[name].dtype in (pl.Categorical, pl.Enum)


def test_out_to_other_libraries(frame, expected):
    release = _release(frame)
    pa = pytest.importorskip("pyarrow")
    table = pa.table(release)
    assert table.num_rows == len(expected)
    assert pa.types.is_dictionary(table.schema.field("age").type)
    pl = pytest.importorskip("polars")
    assert pl.DataFrame(release).shape == release.to_polars().shape == (len(expected), 4)
    assert [tuple(map(str, row)) for row in release.to_polars().rows()] == expected
    duckdb = pytest.importorskip("duckdb")
    found = duckdb.sql("SELECT count(*) FROM release").fetchall()
    assert found == [(len(expected),)]


def test_what_pandas_has_as_objects(frame):
    """Decimals, times and columns of nothing come out of a release without pyarrow's help."""
    import datetime
    import decimal

    pa = pytest.importorskip("pyarrow")
    n = len(frame)
    times = [None if i % 5 == 0 else datetime.time(i % 24, i % 60, 7, i) for i in range(n)]
    money = [None if i % 7 == 0 else decimal.Decimal(i * 3 - n) / 8 for i in range(n)]
    table = pa.table(
        {
            "q": ["a", "b"] * (n // 2),
            "time": pa.array(times, pa.time64("us")),
            "money": pa.array(money, pa.decimal128(12, 3)),
            "large": pa.array(money, pa.decimal256(70, 3)),
            "none": pa.nulls(n),
        }
    )
    found = mingle.anonymize(
        table, quasi=["q"], rest="insensitive", k=2, keep_order=True, allow_leaks=True
    ).to_pandas()
    assert list(found["time"]) == times
    assert list(found["money"]) == list(found["large"]) == money
    assert list(found["none"]) == [None] * n


def test_durations(frame):
    """They pass through as what they were, and are numbers in their unit where they are generalized."""
    import datetime

    pl = pytest.importorskip("polars")
    for unit in ("ms", "us", "ns"):
        spans = [datetime.timedelta(hours=i % 9) if i % 7 else None for i in range(300)]
        table = pl.DataFrame({"age": [i % 40 for i in range(300)], "stay": pl.Series(spans, dtype=pl.Duration(unit))})
        said = {"k": 3, "keep_order": True}
        found = mingle.anonymize(table, quasi="age", sensitive="stay", **said).to_polars()
        assert found["stay"].to_list() == spans and found["stay"].dtype == pl.Duration(unit)
        numbers = table.with_columns(pl.col("stay").cast(pl.Int64))
        by_span = mingle.anonymize(table, quasi=["stay", "age"], **said).to_polars()
        assert by_span.rows() == mingle.anonymize(numbers, quasi=["stay", "age"], **said).to_polars().rows()


def test_parquet_without_the_library_that_reads_it(frame, tmp_path):
    """Through pyarrow, where that is installed."""
    import os
    import subprocess
    import sys

    pytest.importorskip("pyarrow")
    path = tmp_path / "table.parquet"
    frame.to_parquet(path, index=False)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and nothing else")
    program = """
import json, sys, mingle
assert mingle.features()["formats"]["parquet"]["state"] == "missing"
path = sys.argv[1]
print(json.dumps([mingle.check(path, quasi=["age", "sex"]).k, len(mingle.Session(path).anonymize(
    quasi=["age"], rest="drop", k=5))]))
for wrong in ("broken.parquet", "none.parquet"):
    try:
        mingle.check(path.replace("table.parquet", wrong), quasi="age")
    except mingle.DataError as error:
        assert wrong in str(error), error
    else:
        raise AssertionError(wrong)
"""
    environment = {**os.environ, "MINGLE_DUCKDB": str(tmp_path / "none"), "HOME": str(tmp_path), "XDG_DATA_HOME": ""}
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [f"[{mingle.check(frame, quasi=['age', 'sex']).k},", f"{len(frame)}]"]
