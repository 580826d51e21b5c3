"""How long a release takes in its engine, beside the engine's own group-by, join with write, and
group-by of what was written, in the same run; and the memory that it takes here.

    python bench/engines.py duckdb|spark ROWS FOLDER [kept]

The table has nine columns and lies in Parquet in FOLDER, where it is made by DuckDB if it is not there;
the leak guard is no part of it. The engine writes its own rows as they come; those of the release are
put in a random order, unless their order is kept. Prints the seconds
and the seconds of processors, which tell more on a busy machine, of each part and of the
release; then memory (meters.py). Spark is a process of its own, so that this one is the driver;
DuckDB runs in this process, and what is ours is told apart by when it was taken.
"""

from __future__ import annotations

import os
import shutil
import sys

import ibis
import mingle
from meters import Apart, Spent, forget_most, memory, most_memory, processes, timed

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


def own_parts(engine, table, folder: str) -> list[Spent]:
    """The engine alone: it counts, joins a map as large, writes it as it comes, and counts that."""
    from mingle.engines import counting, joining, plan
    from mingle.engines.cells import cell_of

    cells = [cell_of(engine, table, name) for name in (*QUASI, "disease")]
    counted = {}
    grouped = counting.grouped(table, cells)
    seconds = [timed(lambda: counted.update(table=engine.fetch(grouped, "the table")))]
    import pyarrow

    wanted = plan.Plan(cells[:-1], cells[-1:], [], [cell.name for cell in cells], None, True)
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


def _told(what: str, spent: Spent) -> str:
    return f"{what} {spent.seconds:.1f} s ({spent.processors:.1f} s of processors)"


def _ratios(one: Spent, other: Spent) -> str:
    return f"{one.seconds / other.seconds:.2f} by the clock, {one.processors / other.processors:.2f} by processors"


def _memory_told(before: int, own: int, apart: Apart) -> str:
    others = [most_memory(process) for process in processes()[1:]]
    return (
        f"  memory: this process {before} MB before, at most {own} MB in the engine's own work and "
        f"{apart.most} MB in the release, of which the list, the search and the map take at most "
        f"{apart.ours} MB; other processes {others} MB"
    )


def main(name: str, rows: int, folder: str, kept: bool) -> None:
    path = table_of(rows, folder)
    from mingle.engines.road import _adapter

    connection = backend(name, folder)
    table = connection.read_parquet(path if name == "spark" else f"{path}/*.parquet")
    before = memory()
    parts = own_parts(_adapter(connection), table, folder)
    own, most = sum(parts, Spent()), most_memory()
    shutil.rmtree(f"{folder}/own")
    shutil.rmtree(f"{folder}/release", ignore_errors=True)
    answers = []
    said = {"quasi": QUASI, "sensitive": "disease", "k": 5, "method": "mingen", "suppress": "5%"}
    apart = Apart()
    forget_most()
    apart.watch(type(_adapter(connection)))
    apart.begin()
    release = timed(
        lambda: answers.append(mingle.anonymize(table, keep_order=kept, output=f"{folder}/release/", **said))
    )
    apart.pause()
    left = answers[0]["left_database"]
    print(
        f"{name}, {rows} rows{', order kept' if kept else ''}: {left['combinations']} combinations, {left['once']} "
        f"of them once; {left['with_sensitive']['groups']} groups with the sensitive column"
    )
    for what, spent in zip(("count", "join and write", "count again"), parts):
        print("  the engine's own:", _told(what, spent))
    for what, spent in apart.steps:
        print("  of the release:", _told(what, spent))
    print(" ", _told("together: the engine's own", own) + ",", _told("release", release))
    print(" ", _told("of the release this process's own work is", release - apart.engine()))
    print("  ratio:", _ratios(release, own))
    print(_memory_told(before, most, apart))
    shutil.rmtree(f"{folder}/release")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3], "kept" in sys.argv[4:])
