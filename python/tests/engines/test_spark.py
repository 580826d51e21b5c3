"""Frames of Spark: the release is that of the table in memory; plans say what left Spark. One
session serves all tests (SPARK_MASTER names another master); SPARK_ROWS=10000000 makes it long."""

from __future__ import annotations

import os
import re
from collections import Counter

import mingle
import pytest
from mingle.engines import verifying
from test_engines import HOSTILE, in_memory, odd, texts

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark")

SAID = {"quasi": ["zip", "age"], "sensitive": "ill", "identifier": "person", "k": 5, "suppress": "10%"}


@pytest.fixture(autouse=True)
def _tables_go(spark):
    yield
    for table in spark.catalog.listTables():
        spark.sql(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} `{table.name}`")


def people(n):
    return pa.table(
        {
            "zip": [None if i % 29 == 0 else f"0{i * 7919 % 13}" for i in range(n)],
            "age": pa.array([i * 31 % 17 for i in range(n)], pa.int64()),
            "person": [f"person {i}" for i in range(n)],
            "ill": [["flu", "cold", None][i % 3] for i in range(n)],
        }
    )


def executions(spark):
    """The plans of everything that Spark ran so far, as it keeps them itself."""
    found = spark._jsparkSession.sharedState().statusStore().executionsList()
    return [found.apply(i).physicalPlanDescription() for i in range(found.size())]


def test_kinds_of_cells(spark):
    kinds = ["whole", "float", "truth", "date", "decimal"]
    table = odd(kinds)
    said = {"quasi": [HOSTILE, *kinds], "sensitive": "ill", "k": 2, "suppress": "100%", "effort": "fast"}
    release = mingle.anonymize(spark.createDataFrame(table), output="kinds", **said)
    assert release["engine"]["name"] == "spark"
    assert texts(spark.table("kinds").toArrow().to_pylist()) == texts(in_memory(table, **said))


def test_what_leaves(spark):
    table = people(int(os.environ.get("SPARK_ROWS", "5000")))
    frame = spark.createDataFrame(table)
    before = len(executions(spark))
    release = mingle.anonymize(frame, output="released", **SAID)
    plans = executions(spark)[before:]
    writing = [plan for plan in plans if "AsSelect" in plan or "InsertIntoHadoopFs" in plan]
    assert any("BroadcastHashJoin" in plan for plan in writing)
    assert any(re.search(r"^\W*\(?\d*\)? ?Sort \[", plan, re.MULTILINE) for plan in writing), writing
    assert not any("SortMergeJoin" in plan for plan in plans)
    asked = [plan for plan in plans if "Scan" in plan and plan not in writing]
    assert len([plan for plan in asked if "HashAggregate" in plan]) >= 2  # the table, the release
    # what is not grouped has no rows of the table: it tries collations
    rows = [plan for plan in asked if "HashAggregate" not in plan and "OneRowRelation" not in plan]
    assert rows == []
    assert release["left_database"]["rows"] == 0
    found = Counter(map(repr, spark.table("released").toArrow().to_pylist()))
    assert found == Counter(map(repr, in_memory(table, **SAID)))
    assert [t.name for t in spark.catalog.listTables()] == ["released"]
    with pytest.raises(mingle.DataError, match="released is there already"):
        mingle.anonymize(frame, output="released", **SAID)


def test_folders(spark, tmp_path, monkeypatch):
    table = people(2000)
    frame = spark.createDataFrame(table)
    mingle.anonymize(frame, output=f"{tmp_path}/plain/", partition_by="zip", **SAID)
    assert any(name.startswith("zip=") for name in os.listdir(tmp_path / "plain"))
    by_schema = spark.read.schema("age string, ill string, zip string").parquet(f"{tmp_path}/plain")
    assert texts(by_schema.toArrow().to_pylist()) == texts(in_memory(table, **SAID))
    # by the file system of Hadoop: renamed, and a marker last
    mingle.anonymize(frame, output=f"file:{tmp_path}/marked/", **SAID)
    assert "_MINGLE_VERIFIED" in os.listdir(tmp_path / "marked")
    found = spark.read.parquet(f"{tmp_path}/marked").toArrow().to_pylist()
    assert texts(found) == texts(in_memory(table, **SAID))
    with pytest.raises(mingle.DataError, match="is there already"):
        mingle.anonymize(frame, output=f"file:{tmp_path}/marked/", **SAID)
    named = mingle.anonymize(frame, output=tmp_path / "named.parquet", **SAID)  # as Spark's writer does
    assert named.location == f"{tmp_path}/named.parquet" and os.path.isdir(tmp_path / "named.parquet")
    assert texts(spark.read.parquet(named.location).toArrow().to_pylist()) == texts(in_memory(table, **SAID))
    monkeypatch.setattr(verifying, "verify", _fail)
    for output in (f"{tmp_path}/lost/", f"file:{tmp_path}/lost/"):
        with pytest.raises(RuntimeError):
            mingle.anonymize(frame, output=output, **SAID)
    assert sorted(os.listdir(tmp_path)) == ["marked", "named.parquet", "plain"]


def test_empty_partitions(spark):
    table = people(30)
    frame = spark.createDataFrame(table).repartition(40)
    assert frame.rdd.getNumPartitions() == 40
    mingle.anonymize(frame, output="released", **{**SAID, "suppress": "100%"})
    found = spark.table("released").toArrow().to_pylist()
    assert texts(found) == texts(in_memory(table, **{**SAID, "suppress": "100%"}))


def _fail(*_):
    raise RuntimeError("lost")


def test_a_frame_that_is_another_each_time(spark):
    from pyspark.sql import functions

    now = functions.current_timestamp().cast("string")
    frame = spark.createDataFrame(people(2000)).withColumn("ill", now)
    with pytest.raises(mingle.DataError, match="changed meanwhile"):
        mingle.anonymize(frame, output="released", **SAID)
    assert [t.name for t in spark.catalog.listTables()] == []


def test_frames_without_a_place(spark):
    frame = spark.createDataFrame(people(20))
    with pytest.raises(mingle.UsageError, match="where the engine is to write"):
        mingle.anonymize(frame, **SAID)


def test_collations(spark):
    frame = spark.createDataFrame(people(200))
    for name in ("zip", "ill"):
        other = frame.selectExpr("*", f"collate({name}, 'UTF8_LCASE') AS other").drop(name)
        other = other.withColumnRenamed("other", name)
        with pytest.raises(mingle.DataError, match="takes different texts for equal"):
            mingle.anonymize(other, output="released", **SAID)
    assert [t.name for t in spark.catalog.listTables()] == []


def test_least_count(spark):
    table = people(2000)
    said = {**SAID, "hierarchy": {"zip": mingle.hierarchy.mask("right"), "age": mingle.hierarchy.intervals(2, 8)}}
    release = mingle.anonymize(spark.createDataFrame(table), output="released", least_count=12, **said)
    here = mingle.anonymize(table, least_count=12, **said)
    assert release["left_database"]["combinations"] == here["least_count"]["combinations"]
    rows = spark.table("released").toArrow().to_pylist()
    assert min(Counter((row["zip"], row["age"]) for row in rows).values()) >= 5
    assert [t.name for t in spark.catalog.listTables()] == ["released"]
