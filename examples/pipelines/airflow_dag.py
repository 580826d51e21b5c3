"""A release every night, by Airflow: the table is anonymized where it lies, then the gate tests what
was written before a name leads to it.

The environment says where: WAREHOUSE is a database of DuckDB with a table `patients` (person, zip,
age, illness), RELEASES a folder that exists.
"""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

from airflow.sdk import dag, task


@task
def make_release(run: str) -> str:
    """The rows stay in DuckDB; this process gets counted combinations."""
    import ibis
    import mingle

    warehouse = ibis.duckdb.connect(os.environ["WAREHOUSE"], read_only=True)
    folder = Path(os.environ["RELEASES"]) / run
    release = mingle.anonymize(
        warehouse.table("patients"),
        quasi=["zip", "age"],
        sensitive=["illness"],
        identifier=["person"],
        hierarchy={"zip": mingle.hierarchy.mask("right"), "age": mingle.hierarchy.intervals(5, 10, 20)},
        k=5,
        suppress="5%",
        output=mingle.engines.Folder(folder),
    )
    release.save(f"{folder}.json")
    warehouse.disconnect()
    return str(folder)


@task
def test_release(folder: str) -> str:
    """Fails if the release is not what it should be, or not what its result says; FOLDER.xml has a
    verdict for each test."""
    import mingle
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(folder)
    gate = mingle.gate(table, against=f"{folder}.json", k=5, junit=f"{folder}.xml")
    if not gate.holds:
        raise ValueError(f"{folder} does not pass: {gate['tests']}")
    return folder


@task
def publish(folder: str) -> None:
    """A name that always leads to the newest release that passed."""
    newest = Path(os.environ["RELEASES"]) / "newest"
    following = newest.with_name(f".{newest.name}.{os.getpid()}")
    following.symlink_to(Path(folder).name)
    os.replace(following, newest)


@dag(schedule="@daily", start_date=datetime(2026, 1, 1), catchup=False, tags=["privacy"])
def nightly_release() -> None:
    publish(test_release(make_release("{{ ts_nodash }}")))


made = nightly_release()
