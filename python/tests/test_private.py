"""What is confidential is written for its owner alone; statements are made anew."""

from __future__ import annotations

import json
import os
import sqlite3
import stat
from pathlib import Path

import mingle
import pytest

TABLE = {
    "age": [20, 21, 22, 23, 30, 31, 32, 33],
    "sex": ["f", "m", "f", "m", "f", "m", "f", "m"],
    "disease": ["flu", "cold", "flu", "cold", "flu", "cold", "flu", "cold"],
}


def write_table(path: Path) -> None:
    lines = [",".join(TABLE), *(",".join(map(str, row)) for row in zip(*TABLE.values()))]
    path.write_text("\n".join(lines) + "\n")


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


def release(folder: Path, **more: object) -> mingle.Release:
    write_table(folder / "data.csv")
    return mingle.anonymize(
        folder / "data.csv", quasi=["age", "sex"], sensitive=["disease"], k=2,
        output=folder / "release.csv", **more,
    )


def test_saved_results_and_reports_are_private(tmp_path: Path) -> None:
    made = release(tmp_path)
    for name in ("result.json", "page.html"):
        (tmp_path / name).write_text("")
        os.chmod(tmp_path / name, 0o644)
    made.save(tmp_path / "result.json")
    made.report(tmp_path / "page.html")
    assert mode(tmp_path / "result.json") == mode(tmp_path / "page.html") == 0o600
    document = json.loads((tmp_path / "result.json").read_text())
    assert next(iter(document)) == "confidential"


def test_a_result_that_cannot_be_saved_leaves_the_old_one(tmp_path: Path, monkeypatch) -> None:
    made = release(tmp_path)
    (tmp_path / "result.json").write_text("old")
    before = sorted(os.listdir(tmp_path))

    def fail(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no room"):
        made.save(tmp_path / "result.json")
    assert (tmp_path / "result.json").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == before


def test_a_link_to_a_saved_result_stays(tmp_path: Path) -> None:
    made = release(tmp_path)
    (tmp_path / "link.json").symlink_to("result.json")
    made.save(tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "result.json").read_text())["command"] == "anonymize"


def test_a_release_in_a_database_is_not_left_without_its_result(tmp_path: Path) -> None:
    """Its statement is made when the table has its name: nothing stops the call from then on. The
    table is so large that the listener would be asked meanwhile."""
    rows = "".join(f"{i % 40},{'fm'[i % 2]},{i % 3}\n" for i in range(600000))
    (tmp_path / "data.csv").write_text("age,sex,disease\n" + rows)
    database = tmp_path / "r.db"

    def is_there() -> bool:
        if not database.exists():
            return False
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=0) as opened:
            try:
                return bool(opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'r'").fetchall())
            except sqlite3.OperationalError:  # it is being written: no reader sees the table yet
                return False

    def told(stage: str, done: int, total: int) -> None:
        if done < total and is_there():
            raise KeyboardInterrupt

    made = mingle.anonymize(
        tmp_path / "data.csv", quasi=["age", "sex"], sensitive=["disease"], k=2,
        output=f"sqlite:{database}?table=r", statement=tmp_path / "s.json", result=tmp_path / "r.json",
        hierarchy={"age": "intervals(5,10)"}, progress=told,
    )
    assert made.holds and is_there()
    assert (tmp_path / "s.json").exists() and (tmp_path / "r.json").exists()


def test_a_statement_is_made_anew(tmp_path: Path) -> None:
    release(tmp_path, save_promise=tmp_path / "p.json", statement=tmp_path / "s.json")
    mingle.statement(tmp_path / "release.csv", promise=tmp_path / "p.json",
                     output=tmp_path / "again.json")
    assert (tmp_path / "s.json").read_bytes() == (tmp_path / "again.json").read_bytes()
    found = mingle.check(tmp_path / "release.csv", against=tmp_path / "s.json")
    assert found["against"]["agrees"]
