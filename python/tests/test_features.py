"""What the library says it can do here, and whether it can."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import mingle

WORDS = {"built in", "loaded", "missing", "left out"}


def _features(**environment: str):
    code = "import json, mingle; print(json.dumps(mingle.features()))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True,
        env={**os.environ, **environment},
    )
    return json.loads(done.stdout)


def test_features():
    found = mingle.features()
    assert found["version"] == mingle.__version__
    assert found["threads"] == len(os.sched_getaffinity(0))
    assert found["formats"]["csv"]["read"] and found["formats"]["csv"]["state"] == "built in"
    assert set(found["databases"]) == {"postgresql", "sqlite", "odbc", "duckdb"}
    assert {entry["state"] for entry in found["formats"].values()} <= WORDS
    assert "cell" in found["methods"] and "k-anonymity" in found["models"]


def test_what_is_missing_is_told_with_what_to_do():
    found = _features(MINGLE_DUCKDB="/nonexistent/libduckdb.so")
    assert found["databases"]["duckdb"] == found["formats"]["parquet"]["state"] == "missing"
    assert "MINGLE_DUCKDB" in found["formats"]["parquet"]["message"]
    assert not found["formats"]["parquet"]["read"]


def test_what_is_said_to_be_there_works(tmp_path):
    if mingle.features()["databases"]["sqlite"] != "loaded":
        return
    import sqlite3

    with sqlite3.connect(tmp_path / "table.db") as database:
        database.execute("CREATE TABLE persons (age INTEGER)")
        database.executemany("INSERT INTO persons VALUES (?)", [(30,), (30,), (31,), (31,)])
    database.close()
    answer = mingle.check(f"sqlite:{tmp_path}/table.db?table=persons", quasi="age", k=2)
    assert answer.holds and answer["rows"] == 4
