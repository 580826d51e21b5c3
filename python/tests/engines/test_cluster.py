"""A cluster of Spark on this machine: a standalone master and two workers, of which one is killed
while the release is written. ENGINES=cluster runs it, in a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import mingle
import pytest
from conftest import NAMES
from mingle.engines import spark as spark_engine

if "cluster" not in NAMES:
    pytest.skip("a cluster of Spark is not among the engines that are tried", allow_module_level=True)

pa = pytest.importorskip("pyarrow")
pyspark = pytest.importorskip("pyspark")

SAID = {"quasi": ["zip", "age"], "sensitive": "ill", "k": 5, "suppress": "10%"}
PATIENCE = 240  # seconds, for processes to do what they certainly will


def people(n=60000):
    return pa.table(
        {
            "zip": [f"0{i * 7919 % 13}" for i in range(n)],
            "age": pa.array([i * 31 % 17 for i in range(n)], pa.int64()),
            "ill": [["flu", "cold", "angina"][i % 3] for i in range(n)],
        }
    )


def wait_for(condition, what):
    until = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < until, f"no {what} within {PATIENCE} seconds"
        time.sleep(0.1)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Cluster:
    """A master and its workers, as processes of their own."""

    def __init__(self, folder: Path, workers: int) -> None:
        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.url = f"spark://127.0.0.1:{free_port()}"
        self.processes: list[subprocess.Popen] = []
        port = self.url.rsplit(":", 1)[1]
        self._start("master", "deploy.master.Master", "--host", "127.0.0.1", "--port", port, "--webui-port", "0")
        wait_for(lambda: "I have been elected leader" in self._log("master"), "master")
        for number in range(workers):
            name = f"worker{number}"
            self._start(
                name, "deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "600m",
                "--webui-port", "0", "--work-dir", str(folder / name), self.url,
            )  # fmt: skip
        for number in range(workers):
            wait_for(lambda: "Successfully registered" in self._log(f"worker{number}"), "worker")

    def _start(self, name: str, program: str, *arguments: str) -> None:
        environment = {**os.environ, "SPARK_HOME": str(self.home), "SPARK_DAEMON_MEMORY": "256m"}
        environment |= {"SPARK_NO_DAEMONIZE": "1", "SPARK_LOCAL_IP": "127.0.0.1"}
        with open(self.folder / f"{name}.log", "wb") as log:
            self.processes.append(
                subprocess.Popen(
                    [self.home / "bin" / "spark-class", f"org.apache.spark.{program}", *arguments],
                    stdout=log, stderr=log, env=environment,
                )  # fmt: skip
            )

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def kill_worker(self, number: int) -> None:
        """The worker, and the executor that it started."""
        worker = self.processes[1 + number].pid
        for process in [*_children(worker), worker]:
            os.kill(process, signal.SIGKILL)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def _children(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
    return [int(process) for process in listed]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    made = None
    try:
        made = Cluster(tmp_path_factory.mktemp("cluster"), 2)
        yield made
    finally:
        if made is not None:
            made.stop()


@pytest.fixture(scope="module")
def session(cluster):
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(cluster.url)
        .config("spark.ui.enabled", "false")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "500m")
        .config("spark.executor.cores", "1")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.warehouse.dir", str(cluster.folder / "warehouse"))
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.network.timeout", "60s")
        .getOrCreate()
    )
    yield made
    made.stop()


def test_a_worker_is_killed(cluster, session, tmp_path, monkeypatch):
    """Its tasks are run again by the other: the release is right, or there is none."""
    table = people()
    session.createDataFrame(table).repartition(8).write.parquet(str(tmp_path / "people"))
    frame = session.read.parquet(str(tmp_path / "people"))
    registered = session.sparkContext._jsc.sc().getExecutorMemoryStatus
    wait_for(lambda: registered().size() == 3, "second executor")  # the driver is one of them
    killed = threading.Event()
    write = spark_engine.Spark.write

    def kill_while_writing(engine, target, expression):
        def watch():
            wait_for(lambda: os.path.exists(target.path), "staged folder")
            cluster.kill_worker(0)
            killed.set()

        watching = threading.Thread(target=watch)
        watching.start()
        try:
            write(engine, target, expression)
        finally:
            watching.join()

    monkeypatch.setattr(spark_engine.Spark, "write", kill_while_writing)
    try:
        mingle.anonymize(frame, output=f"{tmp_path}/released/", **SAID)
    except mingle.MingleError:
        assert sorted(os.listdir(tmp_path)) == ["people"]
    else:
        assert sorted(os.listdir(tmp_path)) == ["people", "released"]
        found = session.read.parquet(str(tmp_path / "released")).toArrow().to_pylist()
        assert Counter(map(repr, found)) == Counter(map(repr, mingle.anonymize(table, **SAID).to_arrow().to_pylist()))
    assert killed.is_set()


def test_no_worker_is_left(cluster, session, tmp_path, monkeypatch):
    """What fails for good leaves nothing under the final name."""
    from mingle.engines import searching

    session.createDataFrame(people(5000)).write.parquet(str(tmp_path / "people"))
    frame = session.read.parquet(str(tmp_path / "people"))
    searched = searching.search

    def search_and_cancel(*arguments):
        found = searched(*arguments)
        session.stop()
        return found

    monkeypatch.setattr(searching, "search", search_and_cancel)
    with pytest.raises(mingle.SystemFailure):
        mingle.anonymize(frame, output=f"{tmp_path}/released/", **SAID)
    assert sorted(os.listdir(tmp_path)) == ["people"]
