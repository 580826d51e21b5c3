"""How long a release takes in its engine, beside the engine's own group-by, join with write, and
group-by of what was written, in the same run; and the memory of this process.

    python bench/engines.py duckdb|spark ROWS [FOLDER]

The table has nine columns and lies in Parquet; the leak guard is no part of it, and rows are shuffled
in both. Prints one line: the seconds of each part, their sum, the release's, and the ratio.
"""

from __future__ import annotations

import os
import resource
import shutil
import sys
import tempfile
import time

import ibis
import mingle

QUASI = ["age", "sex", "region", "work", "education", "marital", "children", "origin"]
COLUMNS = """
    CAST(20 + hash(i) % 60 AS BIGINT) AS age, CASE WHEN hash(i + 1) % 2 = 0 THEN 'f' ELSE 'm' END AS sex,
    'r' || (hash(i * 3) % 8) AS region, 'w' || (hash(i * 5) % 6) AS work,
    'e' || (hash(i * 7) % 4) AS education, 'm' || (hash(i * 11) % 3) AS marital,
    CAST(hash(i * 13) % 3 AS BIGINT) AS children, 'o' || (hash(i * 17) % 2) AS origin,
    'd' || (hash(i * 19) % 5) AS disease"""


def table_of(rows: int, folder: str) -> str:
    """A folder of Parquet files, made once."""
    import duckdb

    path = f"{folder}/people_{rows}"
    if not os.path.exists(path):
        os.makedirs(path)
        duckdb.execute(
            f"COPY (SELECT {COLUMNS} FROM (SELECT i % {max(rows // 50, 1)} AS i FROM range({rows}) t(i))) "
            f"TO '{path}/part.parquet' (FORMAT parquet)"
        )
    return path


def backend(name: str, folder: str):
    if name == "duckdb":
        return ibis.duckdb.connect(f"{folder}/bench.duckdb")
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.warehouse.dir", f"{folder}/warehouse")
        .getOrCreate()
    )
    return ibis.pyspark.connect(session)


def timed(act) -> float:
    since = time.monotonic()
    act()
    return time.monotonic() - since


def own_parts(engine, table, folder: str) -> list[float]:
    """The engine alone: it counts, joins a map as large, writes it shuffled, and counts that."""
    from mingle.engines import counting, joining, plan
    from mingle.engines.cells import cell_of

    cells = [cell_of(engine, table, name) for name in (*QUASI, "disease")]
    counted = {}
    grouped = counting.grouped(table, cells)
    seconds = [timed(lambda: counted.update(table=engine.fetch(grouped, "the table")))]
    import pyarrow

    wanted = plan.Plan(cells[:-1], cells[-1:], [], [cell.name for cell in cells], None, False)
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


def main() -> None:
    name, rows = sys.argv[1], int(sys.argv[2])
    folder = sys.argv[3] if len(sys.argv) > 3 else tempfile.mkdtemp()
    path = table_of(rows, folder)
    from mingle.engines.road import _adapter

    connection = backend(name, folder)
    table = connection.read_parquet(path if name == "pyspark" else f"{path}/*.parquet")
    parts = own_parts(_adapter(connection), table, folder)
    shutil.rmtree(f"{folder}/release", ignore_errors=True)
    answers = []
    release = timed(
        lambda: answers.append(
            mingle.anonymize(
                table,
                quasi=QUASI,
                sensitive="disease",
                k=5,
                method="mingen",
                suppress="5%",
                output=f"{folder}/release/",
            )
        )
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    combinations = answers[0]["left_database"]["combinations"]
    print(
        f"{name} {rows} rows, {combinations} combinations: count {parts[0]:.1f} s, join and write "
        f"{parts[1]:.1f} s, count again {parts[2]:.1f} s, together {sum(parts):.1f} s; release "
        f"{release:.1f} s, ratio {release / sum(parts):.2f}; {memory} MB"
    )


if __name__ == "__main__":
    main()
