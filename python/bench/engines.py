"""How long a release takes in its engine, beside the engine's own group-by, join with write, and
group-by of what was written, in the same run; and the memory of this process.

    python bench/engines.py duckdb|spark ROWS FOLDER [kept]

The table has nine columns and lies in Parquet in FOLDER, where it is made by DuckDB if it is not there;
the leak guard is no part of it. Rows are shuffled in both, unless their order is kept. Prints one line:
the seconds of each part, their sum, the release's, the ratio, and the same in seconds of processors,
which tell more on a busy machine; then the most memory that this process had, and with Spark that of
its JVM.
"""

from __future__ import annotations

import glob
import os
import shutil
import sys
import time
from contextlib import suppress

import ibis
import mingle

QUASI = ["age", "sex", "region", "work", "education", "marital", "children", "origin"]
POOL = 20_000  # combinations that most rows have, the first of them more often than the last
RARE = 2_000  # rows with a combination of their own

#: Nine columns of the number of a combination.
COLUMNS = """
    CAST(17 + hash(i) % 74 AS BIGINT) AS age, CASE WHEN hash(i + 1) % 3 = 0 THEN 'Female' ELSE 'Male' END AS sex,
    'region ' || (hash(i * 3) % 8) AS region, 'work class ' || (hash(i * 5) % 7) AS work,
    'education ' || (hash(i * 7) % 16) AS education, 'marital status ' || (hash(i * 11) % 7) AS marital,
    CAST(hash(i * 13) % 4 AS BIGINT) AS children, 'origin ' || (hash(i * 17) % 5) AS origin,
    'disease ' || (hash(r * 19) % 5) AS disease"""


def table_of(rows: int, folder: str) -> str:
    """A folder of Parquet files, made once by DuckDB: as many combinations for any number of rows."""
    import duckdb

    path = f"{folder}/people_{rows}"
    if not os.path.exists(path):
        os.makedirs(f"{path}.new", exist_ok=True)
        skewed = f"CAST({POOL} * pow(hash(r * 23) / 18446744073709551616.0, 2) AS BIGINT)"
        duckdb.execute("SET preserve_insertion_order = false")
        duckdb.execute(
            f"COPY (SELECT {COLUMNS} FROM (SELECT r, CASE WHEN r < {RARE} THEN {POOL} + r ELSE {skewed} END AS i "
            f"FROM range({rows}) t(r))) TO '{path}.new' (FORMAT parquet, PER_THREAD_OUTPUT)"
        )
        os.rename(f"{path}.new", path)
    return path


def backend(name: str, folder: str):
    if name == "duckdb":
        return ibis.duckdb.connect(memory_limit="8GB", temp_directory=f"{folder}/spilled")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
        .getOrCreate()
    )
    return ibis.pyspark.connect(session)


def _processes() -> list[int]:
    """This process, and those that it started."""
    found, at = [os.getpid()], 0
    while at < len(found):
        for task in glob.glob(f"/proc/{found[at]}/task/*/children"):
            with suppress(OSError), open(task) as file:
                found += [int(process) for process in file.read().split()]
        at += 1
    return found


def _processor_seconds() -> float:
    ticks = 0
    for process in _processes():
        with suppress(OSError), open(f"/proc/{process}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _most_memory(process: int) -> int:
    """In MB."""
    with open(f"/proc/{process}/status") as file:
        found = (int(line.split()[1]) // 1024 for line in file if line.startswith("VmHWM"))
        return next(found, 0)  # a process that has ended has none


def timed(act) -> tuple[float, float]:
    """Seconds, and seconds of processors."""
    since, worked = time.monotonic(), _processor_seconds()
    act()
    return time.monotonic() - since, _processor_seconds() - worked


def own_parts(engine, table, folder: str, kept: bool) -> list[tuple[float, float]]:
    """The engine alone: it counts, joins a map as large, writes it shuffled, and counts that."""
    from mingle.engines import counting, joining, plan
    from mingle.engines.cells import cell_of

    cells = [cell_of(engine, table, name) for name in (*QUASI, "disease")]
    counted = {}
    grouped = counting.grouped(table, cells)
    seconds = [timed(lambda: counted.update(table=engine.fetch(grouped, "the table")))]
    import pyarrow

    wanted = plan.Plan(cells[:-1], cells[-1:], [], [cell.name for cell in cells], None, kept)
    keys = [f"c{i}" for i in range(len(QUASI))]
    made = counted["table"].select(keys).group_by(keys).aggregate([])
    for i, key in enumerate(keys):
        made = made.append_column(f"r{i}", made.column(key).cast(pyarrow.string()))
    target = mingle.engines.Folder(f"{folder}/own")
    shutil.rmtree(target.path, ignore_errors=True)
    release = joining.release_of(engine, table, wanted, made)
    seconds.append(timed(lambda: engine.write(target, release)))
    written = engine.written(target, release)
    again = counting.grouped(written, [cell_of(engine, written, cell.name) for cell in cells])
    seconds.append(timed(lambda: engine.fetch(again, "the release")))
    engine.forget()
    return seconds


def main(name: str, rows: int, folder: str, kept: bool) -> None:
    path = table_of(rows, folder)
    from mingle.engines.road import _adapter

    connection = backend(name, folder)
    table = connection.read_parquet(path if name == "spark" else f"{path}/*.parquet")
    parts = own_parts(_adapter(connection), table, folder, kept)
    shutil.rmtree(f"{folder}/own")
    shutil.rmtree(f"{folder}/release", ignore_errors=True)
    answers = []
    said = {"quasi": QUASI, "sensitive": "disease", "k": 5, "method": "mingen", "suppress": "5%"}
    release = timed(
        lambda: answers.append(mingle.anonymize(table, keep_order=kept, output=f"{folder}/release/", **said))
    )
    own = [sum(part[i] for part in parts) for i in (0, 1)]
    left = answers[0]["left_database"]
    print(
        f"{name} {rows} rows{', order kept' if kept else ''}, {left['combinations']} combinations, "
        f"{left['once']} once: count {parts[0][0]:.1f} s, join and write {parts[1][0]:.1f} s, count again "
        f"{parts[2][0]:.1f} s, together {own[0]:.1f} s; release {release[0]:.1f} s, ratio "
        f"{release[0] / own[0]:.2f}; processors {own[1]:.1f} s, release {release[1]:.1f} s, ratio "
        f"{release[1] / own[1]:.2f}; memory {[_most_memory(process) for process in _processes()]} MB"
    )
    shutil.rmtree(f"{folder}/release")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], "kept" in sys.argv[4:])
