"""Tables for the examples of pipelines: a folder of Parquet files (PATH), or a table in a database of
DuckDB (PATH.duckdb)."""

import random
import sys

draw = random.Random(1)
N = 4000
ROWS = {
    "person": [f"person {i}" for i in range(N)],
    "zip": [f"{draw.randrange(30):05d}" for _ in range(N)],
    "age": [draw.randrange(18, 90) for _ in range(N)],
    "illness": [draw.choice(["flu", "cold", "angina"]) for _ in range(N)],
}
path = sys.argv[1]
if path.endswith(".duckdb"):
    import duckdb
    import pyarrow

    people = pyarrow.table(ROWS)
    duckdb.connect(path).execute("CREATE TABLE patients AS SELECT * FROM people")
else:
    import os

    import pyarrow
    import pyarrow.parquet

    ROWS["town"] = [draw.choice(["north", "south"]) for _ in range(N)]
    os.makedirs(path)
    pyarrow.parquet.write_table(pyarrow.table(ROWS), f"{path}/part-0.parquet")
