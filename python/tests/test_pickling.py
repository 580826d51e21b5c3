"""Releases, answers and jobs by pickle, without any library of Arrow."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import mingle
import pytest
from test_frames import KINDS, N

pd = pytest.importorskip("pandas")
QUASI = ["age", "sex", "zip"]


def _again(thing):
    return pickle.loads(pickle.dumps(thing))


def test_a_release(frame):
    release = mingle.anonymize(frame, quasi=QUASI, sensitive=["disease"], k=5)
    again = _again(_again(release))
    assert type(again) is mingle.Release
    assert again.result == release.result and again.holds
    pd.testing.assert_frame_equal(again.to_pandas(), release.to_pandas())


def test_a_release_of_several_batches(frame):
    """65,536 rows each, and a rest that begins no byte."""
    many = pd.concat([frame] * 130, ignore_index=True)[:150_001]
    many["seen"] = [None if i % 7 == 0 else i % 3 == 0 for i in range(len(many))]
    many["note"] = [None if i % 5 == 0 else f"note {i % 100}" for i in range(len(many))]
    release = mingle.anonymize(many, quasi=["sex"], k=5, rest="insensitive", allow_leaks=True)
    pd.testing.assert_frame_equal(_again(release).to_pandas(), release.to_pandas())


@pytest.mark.parametrize("kind", KINDS)
def test_columns_that_pass_through(kind):
    frame = pd.DataFrame({"q": (["a", "b"] * N)[:N], "kept": KINDS[kind]})
    release = mingle.anonymize(
        frame, quasi=["q"], insensitive=["kept"], k=2, keep_order=True, allow_leaks=True
    )
    pd.testing.assert_series_equal(
        _again(release).to_pandas()["kept"], KINDS[kind], check_names=False
    )


def test_no_value_is_pickled_that_was_not_released():
    places = ["west", "east", "Atlantis", "Utopia"]
    frame = pd.DataFrame(
        {
            "q": ["a", "a", "a", "Zembla"],
            "place": pd.Categorical(["west", "east", "west", "Atlantis"], places),
            "note": ["x", "y", "z", "Erewhon"],
        }
    )
    release = mingle.anonymize(
        frame, quasi=["q"], insensitive=["place", "note"], k=2, method="mingen", suppress="25%",
        suppressed="drop", allow_leaks=True,
    )  # fmt: skip
    pickled = pickle.dumps(release)
    assert b"west" in pickled
    for secret in (b"Atlantis", b"Utopia", b"Erewhon", b"Zembla"):
        assert secret not in pickled


def test_another_process_needs_no_library(frame, tmp_path):
    """Neither pandas nor pyarrow is imported to read it."""
    release = mingle.anonymize(frame.astype(str), quasi=QUASI, rest="drop", k=5)
    path = tmp_path / "release.pickle"
    table = mingle.Release(None, None, None, release.result, release.__reduce__()[1][4])
    path.write_bytes(pickle.dumps(table))
    script = (
        "import pickle, sys; r = pickle.load(open(sys.argv[1], 'rb')); r.__arrow_c_stream__();"
        "sys.exit(any(m in sys.modules for m in ('pandas', 'pyarrow', 'numpy')))"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)


def test_what_has_no_table(frame, tmp_path):
    dry = _again(mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, dry_run=True))
    with pytest.raises(mingle.UsageError, match="nothing was released"):
        dry.to_pandas()
    written = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, output=str(tmp_path / "r.csv"))
    with pytest.raises(mingle.UsageError, match="r.csv"):
        _again(written).to_pandas()


def test_what_is_left_of_a_release(frame, tmp_path):
    release = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, save_recoding=True)
    again = _again(release)
    with pytest.raises(mingle.UsageError, match="recoding"):
        again.recoding()
    again.save(tmp_path / "result.json")
    answer = mingle.check(again, quasi=QUASI, k=5)
    assert answer.holds
    assert copy.copy(again).result == copy.deepcopy(again).result == release.result


def test_answers(frame):
    answer = mingle.check(frame, quasi=QUASI, sensitive="disease", k=2)
    again = _again(answer)
    assert again.result == answer.result and again.holds == answer.holds


@pytest.mark.libraries
def test_tables_of_others(frame):
    """Views, times, decimals and columns of nothing; texts come back as large ones."""
    import datetime
    import decimal

    pa = pytest.importorskip("pyarrow")
    n = len(frame)
    table = pa.table(
        {
            "q": pa.array(["a", "b"] * (n // 2)),
            "view": pa.array([None if i % 3 == 0 else f"a longer text {i}" for i in range(n)], "string_view"),
            "none": pa.nulls(n),
            "time": pa.array([datetime.time(i % 24) for i in range(n)]),
            "money": pa.array([decimal.Decimal(i) / 4 for i in range(n)], pa.decimal128(12, 2)),
            "code": pa.array([f"c{i % 4}" for i in range(n)]).dictionary_encode(),
        }
    )
    for keep in (True, False):
        release = mingle.anonymize(
            table.slice(3), quasi=["q"], rest="insensitive", k=2, keep_order=keep, allow_leaks=True
        )
        found, expected = _again(release).to_arrow(), release.to_arrow()
        place = expected.schema.get_field_index("view")
        as_large = expected.column("view").cast("large_string")
        assert found.equals(expected.set_column(place, "view", as_large))
