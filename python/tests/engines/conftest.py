"""Engines with a table in them. `ENGINES` names those that are tried (all that are installed)."""

from __future__ import annotations

import os
import secrets
import sqlite3
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

ibis = pytest.importorskip("ibis")
pa = pytest.importorskip("pyarrow")

SHARED = Path(os.environ.get("SHARED", Path(__file__).parents[4] / "shared"))
NAMES = os.environ.get("ENGINES", "duckdb sqlite polars").split()


@dataclass
class Place:
    """An engine of a test: where tables are put, and how they are read back."""

    name: str
    backend: Any

    def put(self, name: str, table: pa.Table) -> Any:
        return self.backend.create_table(name, obj=table)

    def rows(self, name: str) -> list[dict[str, Any]]:
        return self.backend.table(name).to_pyarrow().to_pylist()

    def run(self, *statements: str) -> None:
        for statement in statements:
            with self.backend._safe_raw_sql(statement):
                pass

    def tables(self) -> list[str]:
        return sorted(self.backend.list_tables())


class PlaceOfDuckDB(Place):
    def put(self, name: str, table: pa.Table) -> Any:
        self.backend.con.register("given", table)
        self.backend.con.execute(f"CREATE TABLE {_quoted(name)} AS SELECT * FROM given")
        self.backend.con.unregister("given")
        return self.backend.table(name)

    def read_folder(self, target: Any) -> pa.Table:
        return self.backend.read_parquet(
            f"{target.path}/**/*.parquet", hive_partitioning=True, hive_types_autocast=False
        ).to_pyarrow()


class PlaceOfPostgreSQL(Place):
    def put(self, name: str, table: pa.Table) -> Any:
        made = self.backend.create_table(name, schema=ibis.schema(table.schema))
        with self.backend.con.cursor() as cursor:
            with cursor.copy(f"COPY {_quoted(name)} FROM STDIN") as rows:
                for row in table.to_pylist():
                    rows.write_row(list(row.values()))
        self.backend.con.commit()
        return made

    def _other(self) -> Any:
        import psycopg

        database = self.backend.con.info.dbname
        return psycopg.connect(host=os.environ["PGHOST"], user="owner", dbname=database, autocommit=True)

    def end_session(self) -> None:
        with self._other() as other:
            other.execute("SELECT pg_terminate_backend(%s)", [self.backend.con.info.backend_pid])

    def names_seen_by_others(self) -> list[str]:
        with self._other() as other:
            return [row[0] for row in other.execute("SELECT relname FROM pg_class WHERE relkind = 'r'")]


class PlaceOfSQLite(Place):
    def put(self, name: str, table: pa.Table) -> Any:
        types = {pa.int64(): "INTEGER", pa.float64(): "REAL", pa.bool_(): "BOOLEAN"}
        types |= {pa.date32(): "DATE", pa.timestamp("us"): "TIMESTAMP"}
        columns = ", ".join(f"{_quoted(f.name)} {types.get(f.type, 'TEXT')}" for f in table.schema)
        self.backend.con.execute(f"CREATE TABLE {_quoted(name)} ({columns})")
        rows = [[str(c) if hasattr(c, "isoformat") else c for c in row.values()] for row in table.to_pylist()]
        places = ",".join("?" * table.num_columns)
        self.backend.con.executemany(f"INSERT INTO {_quoted(name)} VALUES ({places})", rows)
        self.backend.con.commit()
        return self.backend.table(name)

    def rows(self, name: str) -> list[dict[str, Any]]:
        found = self.backend.con.execute(f"SELECT * FROM {_quoted(name)}")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row)) for row in found]


class PlaceOfMariaDB(Place):
    """Columns have the collation of the database, which ignores case, accents and blanks."""

    def put(self, name: str, table: pa.Table) -> Any:
        types = {pa.int64(): "BIGINT", pa.float64(): "DOUBLE", pa.bool_(): "BOOLEAN", pa.date32(): "DATE"}
        types |= {pa.timestamp("us"): "DATETIME(6)", pa.decimal128(9, 2): "DECIMAL(9,2)"}
        columns = ", ".join(f"{self.quoted(f.name)} {types.get(f.type, 'VARCHAR(80)')}" for f in table.schema)
        self.run(f"CREATE TABLE {self.quoted(name)} ({columns})")
        rows = [list(row.values()) for row in table.to_pylist()]
        places = ",".join(["%s"] * table.num_columns)
        with self.backend.con.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {self.quoted(name)} VALUES ({places})", rows)
        return self.backend.table(name)

    def rows(self, name: str) -> list[dict[str, Any]]:
        with self.backend._safe_raw_sql(f"SELECT * FROM {self.quoted(name)}") as found:
            names = [column[0] for column in found.description]
            return [dict(zip(names, row)) for row in found.fetchall()]

    def quoted(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def _other(self) -> Any:
        return _mariadb_connection(self.database)

    @cached_property
    def database(self) -> str:
        return self.backend.current_database

    def end_session(self) -> None:
        self.database  # it cannot be asked for later
        number = self.backend.con.thread_id()
        with self._other() as other, other.cursor() as cursor:
            cursor.execute(f"KILL {number}")

    def names_seen_by_others(self) -> list[str]:
        with self._other() as other, other.cursor() as cursor:
            cursor.execute("SHOW TABLES")
            return [row[0] for row in cursor.fetchall()]


class PlaceOfDataFusion(Place):
    """Ibis 12 cannot drop its own tables there: they are made of statements."""

    def put(self, name: str, table: pa.Table) -> Any:
        none = pa.RecordBatch.from_pylist([], schema=table.schema)
        self.backend.con.register_record_batches("given", [table.to_batches() or [none]])
        self.run(f"CREATE TABLE {_quoted(name)} AS SELECT * FROM given")
        self.backend.con.deregister_table("given")
        return self.backend.table(name)

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.backend.con.sql(statement).collect()


class PlaceOfClickHouse(Place):
    def put(self, name: str, table: pa.Table) -> Any:
        from ibis.backends.sql.datatypes import ClickHouseType

        columns = ", ".join(
            f"{_quoted(column)} {'Nullable(Date32)' if dtype.is_date() else ClickHouseType.to_string(dtype)}"
            for column, dtype in ibis.schema(table.schema).items()
        )
        self.run(f"CREATE TABLE {_quoted(name)} ({columns}) ENGINE = MergeTree ORDER BY tuple()")
        if table.num_rows:
            self.backend.con.insert_arrow(_quoted(name), table)
        return self.backend.table(name)

    def rows(self, name: str) -> list[dict[str, Any]]:
        return self.backend.con.query_arrow(f"SELECT * FROM {_quoted(name)}", use_strings=True).to_pylist()

    def run(self, *statements: str) -> None:
        for statement in statements:
            self.backend.con.command(statement)


class PlaceOfSpark(Place):
    """One session for all tests: tables are dropped instead."""

    def put(self, name: str, table: pa.Table) -> Any:
        frame = self.backend._session.createDataFrame(table)
        frame.write.saveAsTable(f"`{name}`")
        return self.backend._session.table(f"`{name}`")

    def rows(self, name: str) -> list[dict[str, Any]]:
        return self.backend._session.table(f"`{name}`").toArrow().to_pylist()

    def read_folder(self, target: Any) -> pa.Table:
        self.run("SET spark.sql.sources.partitionColumnTypeInference.enabled=false")
        return self.backend._session.read.parquet(target.path).toArrow()

    def clean(self) -> None:
        for table in self.backend._session.catalog.listTables():
            self.run(f"DROP {'VIEW' if table.isTemporary else 'TABLE'} `{table.name}`")


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    if "spark" not in NAMES:
        pytest.skip("Spark is not among the engines that are tried")
    folder = tmp_path_factory.mktemp("spark")
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master(os.environ.get("SPARK_MASTER", "local[2]"))
        .config("spark.ui.enabled", "false")
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.default.parallelism", "2")
        .config("spark.sql.warehouse.dir", str(folder / "warehouse"))
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.ui.showConsoleProgress", "false")
        .getOrCreate()
    )
    yield made
    made.stop()


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _postgresql() -> Any:
    """A database of its own, on the server that the test started (PGHOST)."""
    host, database = os.environ["PGHOST"], f"d{secrets.token_hex(6)}"
    first = ibis.postgres.connect(host=host, user="owner", database="test")
    first.con.autocommit = True
    first.con.execute(f"CREATE DATABASE {database}")
    first.disconnect()
    return ibis.postgres.connect(host=host, user="owner", database=database)


def _mariadb_connection(database: str) -> Any:
    import MySQLdb

    socket = os.environ["MARIADB_SOCKET"]
    return MySQLdb.connect(unix_socket=socket, user="root", database=database, autocommit=True, charset="utf8mb4")


def _mariadb() -> Any:
    """A database of its own, on the server that the test started."""
    database = f"d{secrets.token_hex(6)}"
    with _mariadb_connection("test") as first, first.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {database} CHARACTER SET utf8mb4")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the server has no table of time zones
        return ibis.mysql.from_connection(_mariadb_connection(database))


def _clickhouse() -> Any:
    """One engine for all tests: there is one in a process."""
    import clickhouse_connect

    return ibis.clickhouse.from_connection(clickhouse_connect.get_client(dsn="chdb://memory"))


def _make(name: str, folder: Path) -> Place:
    if name == "duckdb":
        return PlaceOfDuckDB(name, ibis.duckdb.connect())
    if name == "sqlite":
        sqlite3.connect(folder / "engine.db").close()
        return PlaceOfSQLite(name, ibis.sqlite.connect(folder / "engine.db"))
    if name == "postgresql":
        return PlaceOfPostgreSQL(name, _postgresql())
    if name == "polars":
        return Place(name, ibis.polars.connect())
    if name == "mariadb":
        return PlaceOfMariaDB(name, _mariadb())
    if name == "datafusion":
        return PlaceOfDataFusion(name, ibis.datafusion.connect())
    if name == "clickhouse":
        return PlaceOfClickHouse(name, _clickhouse())
    raise AssertionError(name)


@pytest.fixture(params=NAMES)
def place(request, tmp_path):
    if request.param == "spark":
        made = PlaceOfSpark("spark", ibis.pyspark.connect(request.getfixturevalue("spark")))
        yield made
        made.clean()
        return
    made = _make(request.param, tmp_path)
    yield made
    made.backend.disconnect()


@pytest.fixture(scope="session")
def adult() -> pa.Table:
    import pyarrow.csv

    path = SHARED / "data" / "adult" / "adult.csv"
    if not path.exists():
        pytest.skip("../shared is not there")
    return pyarrow.csv.read_csv(path, parse_options=pyarrow.csv.ParseOptions(delimiter=";"))
