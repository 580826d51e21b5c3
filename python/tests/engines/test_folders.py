"""Releases as folders of Parquet files: staged, verified there, renamed."""

from __future__ import annotations

import os
from collections import Counter

import mingle
import pytest
from mingle.engines import Folder, verifying

pa = pytest.importorskip("pyarrow")
dataset = pytest.importorskip("pyarrow.dataset")

SAID = {"quasi": ["zip", "age"], "sensitive": "ill", "k": 3, "suppress": "20%"}
FOLDERS = ("duckdb", "spark")


@pytest.fixture
def people(place):
    if place.name not in FOLDERS:
        pytest.skip("it writes tables alone")
    n = 300
    table = pa.table(
        {
            "zip": [["02138", "021 39/ä", "", None, "1"][i % 5] for i in range(n)],
            "age": [i % 11 for i in range(n)],
            "ill": [["flu", "cold", None][i % 3] for i in range(n)],
        }
    )
    return table, place.put("people", table)


def rows(table):
    return Counter(tuple(sorted((n, str(c)) for n, c in row.items())) for row in table.to_pylist())


def test_folder(place, people, tmp_path):
    table, source = people
    release = mingle.anonymize(source, output=tmp_path / "release", **SAID)
    assert release.location == str(tmp_path / "release")
    found = dataset.dataset(tmp_path / "release", format="parquet").to_table()
    assert rows(found) == rows(mingle.anonymize(table, **SAID).to_arrow())
    assert [name for name in os.listdir(tmp_path) if "mingle_release" in name] == []
    assert place.tables() == ["people"]
    assert mingle.check(found, against=release)["against"]["agrees"]
    with pytest.raises(mingle.DataError, match="is there already"):
        mingle.anonymize(source, output=f"{tmp_path}/release/", **SAID)


def test_partitions(place, people, tmp_path):
    table, source = people
    said = {**SAID, "hierarchy": {"age": mingle.hierarchy.suppress(), "zip": mingle.hierarchy.suppress()}, "method": "mingen"}
    target = Folder(tmp_path / "release", partition_by="zip")
    mingle.anonymize(source, output=f"{target.path}/", partition_by=["zip"], **said)
    assert [name for name in os.listdir(tmp_path / "release") if name.startswith("zip=")]
    found = place.read_folder(target)
    assert rows(found) == rows(mingle.anonymize(table, **said).to_arrow())


def test_what_cannot_be(place, people, tmp_path):
    _, source = people
    with pytest.raises(mingle.UsageError, match="'ill' is none"):
        mingle.anonymize(source, output=Folder(tmp_path / "r", "ill"), **SAID)
    with pytest.raises(mingle.UsageError, match="renamed at once"):
        if place.name == "spark":
            pytest.skip("Spark renames by Hadoop")
        mingle.anonymize(source, output="s3://bucket/release/", **SAID)
    with pytest.raises(mingle.UsageError, match="for folders"):
        mingle.anonymize(source, output="released", partition_by="zip", **SAID)
    assert os.listdir(tmp_path) == []


def test_a_run_that_fails(place, people, tmp_path, monkeypatch):
    _, source = people

    def fail(*_):
        assert any("mingle_release" in name for name in os.listdir(tmp_path))
        raise RuntimeError("lost")

    monkeypatch.setattr(verifying, "verify", fail)
    with pytest.raises(RuntimeError):
        mingle.anonymize(source, output=tmp_path / "release", **SAID)
    assert os.listdir(tmp_path) == []


def test_engines_without_folders(place, tmp_path):
    if place.name in FOLDERS:
        pytest.skip("it writes folders")
    source = place.put("people", pa.table({"zip": ["1", "2"], "ill": ["x", "y"]}))
    with pytest.raises(mingle.UsageError, match="writes tables, no folders"):
        mingle.anonymize(source, quasi="zip", sensitive="ill", k=1, output=tmp_path / "release")


def test_partitions_without_rows(place, people, tmp_path):
    """Files of the source that have no rows, and partitions that nobody is in."""
    if place.name != "duckdb":
        pytest.skip("frames with empty partitions are in test_spark")
    from pyarrow import parquet

    table, _ = people
    for number, part in enumerate((table, table.slice(0, 0), table.slice(0, 0))):
        (tmp_path / "source" / f"part={number}").mkdir(parents=True)
        parquet.write_table(part, tmp_path / "source" / f"part={number}" / "0.parquet")
    source = place.backend.read_parquet(f"{tmp_path}/source/**/*.parquet", hive_partitioning=False)
    mingle.anonymize(source, output=Folder(tmp_path / "release", "zip"), **SAID)
    assert rows(place.read_folder(Folder(tmp_path / "release"))) == rows(mingle.anonymize(table, **SAID).to_arrow())
