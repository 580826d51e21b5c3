"""Sessions: many questions on one table."""

from __future__ import annotations

import threading

import mingle
import pytest

QUASI = ["age", "sex", "zip"]


def test_answers_are_those_of_single_calls(frame):
    with mingle.Session(frame) as session:
        for k in (2, 5, 20):
            said = {"quasi": QUASI, "rest": "drop", "k": k, "keep_order": True}
            alone = mingle.anonymize(frame, **said)
            asked = session.anonymize(**said)
            assert asked.to_pandas().equals(alone.to_pandas())
        assert session.check(quasi=QUASI)["k"] == mingle.check(frame, quasi=QUASI)["k"]
        assert session.risk(quasi=QUASI)["uniques"] == mingle.risk(frame, quasi=QUASI)["uniques"]


def test_nothing_is_counted_twice(frame):
    with mingle.Session(frame) as session:
        session.anonymize(quasi=QUASI, rest="drop", k=2, dry_run=True)
        before = session._core.work_done()
        session.anonymize(quasi=QUASI, rest="drop", k=7, dry_run=True)
        assert session._core.work_done() == before


def test_keys_of_reading_belong_to_the_session(frame):
    with mingle.Session(frame, threads=1) as session, pytest.raises(mingle.UsageError) as caught:
        session.anonymize(quasi=QUASI, rest="drop", k=2, threads=2)
    assert caught.value.code == "session-key"


def test_answers_outlive_the_session(frame):
    with mingle.Session(frame) as session:
        release = session.anonymize(quasi=QUASI, rest="drop", k=5)
    assert len(release.to_pandas()) == len(frame)
    with pytest.raises(ValueError, match="closed"):
        session.check(quasi=QUASI)


def test_threads_share_a_session(frame):
    found = {}
    with mingle.Session(frame) as session:

        def ask(k: int) -> None:
            found[k] = session.anonymize(quasi=QUASI, rest="drop", k=k, dry_run=True)["classes"]

        threads = [threading.Thread(target=ask, args=(k,)) for k in (2, 3, 5, 8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert all(found[k]["min"] >= k for k in (2, 3, 5, 8))
