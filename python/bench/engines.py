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
