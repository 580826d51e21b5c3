"""Exceptions by kind, with what is to blame; cancelling."""

from __future__ import annotations

import pickle
import signal

import mingle
import pytest

QUASI = ["age", "sex", "zip"]


def test_a_promise_that_cannot_be_kept(frame):
    with pytest.raises(mingle.PrivacyError, match="k = 5000") as caught:
        mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5000)
    assert caught.value.code == "impossible"
    found = caught.value.result
    assert found["refused"]["message"] == str(caught.value)
    assert found["models"][0]["holds"] is False and found["models"][0]["measured"] == len(frame)
    assert found["released_rows"] == 0 and found["nearest"]["needed_suppressed_rows"] is None


def test_what_comes_nearest_is_in_the_result(frame):
    said = {"quasi": QUASI, "rest": "drop", "k": 12, "method": "mingen", "level": {"age": "0"}}
    with pytest.raises(mingle.PrivacyError) as caught:
        mingle.anonymize(frame, **said)
    found = caught.value.result
    needed = found["nearest"]["needed_suppressed_rows"]
    assert found["refused"]["code"] == caught.value.code == "no-release"
    assert found["nearest"]["node"]["age"] == 0
    sizes = frame.groupby("age").size()
    assert needed == sizes[sizes < 12].sum() == found["models"][0]["violating_rows"]
    assert all(sizes[frame["age"][row - 1]] < 12 for row in found["failing_rows"])
    assert mingle.anonymize(frame, **said, suppress=int(needed)).holds
    with mingle.Session(frame) as session, pytest.raises(mingle.PrivacyError) as again:
        session.anonymize(**said)
    assert again.value.result["nearest"] == found["nearest"]


def test_a_release_that_leaks_is_told(frame):
    with pytest.raises(mingle.PrivacyError) as caught:
        mingle.anonymize(frame.assign(copy=frame["age"]), quasi=QUASI, rest="insensitive", k=5)
    assert caught.value.code == "leak" and "copy" in str(caught.value)
    assert caught.value.result["models"][0]["holds"] and caught.value.result["utility"]


def test_a_recoding_that_does_not_hold_is_told(frame):
    made = mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, save_recoding=True)
    with pytest.raises(mingle.PrivacyError) as caught:
        mingle.apply(frame[:40].copy(), recoding=made)
    assert caught.value.result["refused"]["code"] == "not-held"
    assert caught.value.result["suppressed_rows"] > 0
    assert pickle.loads(pickle.dumps(caught.value)).result == caught.value.result
    with pytest.raises(mingle.PrivacyError) as early:  # fewer rows than k: there was no search
        mingle.apply(frame[:3].copy(), recoding=made)
    assert early.value.result["refused"]["code"] == early.value.code == "impossible"


def test_a_column_that_is_not_there(frame):
    with pytest.raises(mingle.UsageError) as caught:
        mingle.anonymize(frame, quasi=["age", "sux"], k=5)
    assert (caught.value.code, caught.value.column) == ("unknown-column", "sux")
    assert isinstance(caught.value, ValueError)


def test_an_argument_that_is_not_there(frame):
    with pytest.raises(mingle.UsageError, match="did you mean keep_order"):
        mingle.anonymize(frame, quasi=QUASI, k=5, keep_ordr=True)


def test_an_argument_of_another_command(frame):
    with pytest.raises(mingle.UsageError, match="check has no use for suppress"):
        mingle.check(frame, quasi=QUASI, suppress=3)


def test_a_value_that_a_key_does_not_take(frame):
    with pytest.raises(mingle.UsageError) as caught:
        mingle.anonymize(frame, quasi=QUASI, k="many")
    assert caught.value.code == "bad-value"


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(mingle.DataError) as caught:
        mingle.anonymize(tmp_path / "none.csv", quasi=QUASI, k=5)
    assert caught.value.code == "not-found" and "none.csv" in (caught.value.file or "")


def test_something_that_is_no_table():
    with pytest.raises(mingle.UsageError, match="is no table"):
        mingle.anonymize(17, quasi=QUASI, k=5)


def test_messages_spell_keys_as_python_does(frame):
    with pytest.raises(mingle.UsageError) as caught:
        mingle.anonymize(frame, quasi=QUASI, k=5)
    assert "`quasi=[...]`" in str(caught.value) and '`rest="drop"`' in str(caught.value)
    assert (caught.value.code, caught.value.column) == ("no-role", "disease")
    said = {"quasi": QUASI, "rest": "drop", "k": 12, "method": "mingen", "level": {"age": "0"}}
    with pytest.raises(mingle.PrivacyError, match=r"`suppress=\d+`"):
        mingle.anonymize(frame, **said)


def test_a_broken_job_is_told_with_its_place():
    with pytest.raises(mingle.UsageError) as caught:
        mingle.Job.from_yaml("rest: drop\nprivacy: [{k-anonymity: many}]\n")
    found = caught.value
    assert (found.code, found.key) == ("bad-value", "privacy.k-anonymity")
    assert (found.line, found.position) == (2, 25)


def test_a_cell_that_cannot_be_read_is_told_with_its_line(tmp_path):
    (tmp_path / "table.csv").write_text('age,zip\n30,02138\n31,"02139\n')
    with pytest.raises(mingle.DataError) as caught:
        mingle.check(tmp_path / "table.csv", quasi=["age", "zip"])
    assert caught.value.line == 3 and caught.value.file.endswith("table.csv")


def test_errors_can_be_pickled(frame):
    with pytest.raises(mingle.UsageError) as caught:
        mingle.anonymize(frame, quasi=["sux"], k=5)
    again = pickle.loads(pickle.dumps(caught.value))
    assert type(again) is mingle.UsageError
    assert (str(again), again.column) == (str(caught.value), "sux")


def test_a_listener_is_told_and_its_exception_ends_the_call(frame):
    stages = []
    mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, progress=lambda *t: stages.append(t[0]))
    assert "search" in stages

    def stop(stage: str, done: int, total: int) -> None:
        raise LookupError(stage)

    with pytest.raises(LookupError):
        mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, progress=stop)


def test_control_c_ends_a_call(frame):
    def press(stage: str, done: int, total: int) -> None:
        signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        mingle.anonymize(frame, quasi=QUASI, rest="drop", k=5, progress=press)
