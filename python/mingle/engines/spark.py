"""Spark: frames of PySpark, and its tables behind Ibis.

The map is broadcast: the rows of the table are not shuffled for the join.
"""

from __future__ import annotations

import secrets
from typing import Any

from ..errors import SystemFailure
from . import folders
from .adapter import Engine, asking
from .collations import probes
from .targets import Folder, TableName, Target

_MARKER = "_MINGLE_VERIFIED"  # readers of Parquet ignore names that begin so


class Spark(Engine):
    names_ignore_case = True
    shuffles_numbers = True

    def __init__(self, backend: Any) -> None:
        super().__init__(backend)
        self.name = "spark"
        self.session = backend._session
        self._views: list[str] = []

    def frame(self, expression: Any) -> Any:
        return self.session.sql(self.backend.compile(expression))

    def view(self, frame: Any, what: str) -> Any:
        """A frame as a table of Ibis, until `forget`."""
        name = f"mingle_{what}_{secrets.token_hex(8)}"
        frame.createOrReplaceTempView(name)
        self._views.append(name)
        return self.backend.table(name)

    def forget(self) -> None:
        super().forget()
        while self._views:
            self.session.catalog.dropTempView(self._views.pop())

    def probe(self, table: Any, cell: Any) -> list[str]:
        """Spark says itself by which collation a column is compared, and each trial would be a job:
        all but that of bytes take some texts for equal."""
        with asking(self.name, "tell the types of its columns"):
            kind = self.frame(table.select(cell.name)).schema[0].dataType
        return probes(cell) if getattr(kind, "collation", None) == "UTF8_BINARY" else []

    def shuffled(self, expression: Any) -> Any:
        """Each row goes to a random partition, in a random order there. Sorting the whole by random
        numbers would join twice: Spark first takes a sample to divide what it sorts."""
        from pyspark.sql import functions

        rows = self.frame(expression).repartition(functions.rand())
        rows = rows.sortWithinPartitions(functions.rand())
        # Spark drops a sort that is followed by a join, unless something that it takes for random
        # stands between them.
        number = rows.columns[0]
        rows = rows.withColumn(number, functions.col(number) + functions.lit(0) * functions.spark_partition_id())
        return self.view(rows, "shuffled")

    def _fetch(self, expression: Any) -> Any:
        frame = self.frame(expression)
        if not hasattr(frame, "toArrow"):
            raise SystemFailure("tables of Spark need PySpark 4 or later", code="library")
        return frame.toArrow()

    def _put(self, name: str, table: Any) -> Any:
        small = self.session.createDataFrame(table).hint("broadcast")
        small.createOrReplaceTempView(name)
        return self.backend.table(name)

    def _keep(self, name: str, expression: Any) -> Any:
        self.frame(expression).cache().createOrReplaceTempView(name)
        return self.backend.table(name)

    def _drop_kept(self, name: str) -> None:
        self.session.catalog.uncacheTable(name)
        self.session.catalog.dropTempView(name)

    def _drop(self, name: str) -> None:
        self.session.catalog.dropTempView(name)

    # Tables and folders ---------------------------------------------------------------------------

    def exists(self, target: Target) -> bool:
        if isinstance(target, TableName):
            return super().exists(target)
        if folders.is_local(target):
            return folders.exists(target)
        with asking(self.name, "look for a folder"):
            system, path = self._hadoop(target.path)
            return bool(system.exists(path))

    def try_to_write(self, target: Target) -> None:
        if isinstance(target, TableName):
            super().try_to_write(target)
        elif folders.is_local(target):
            folders.demand_writable(target)

    def write(self, target: Target, expression: Any) -> None:
        with asking(self.name, "write the release"):
            writer = self.frame(expression).write.mode("error")
            if isinstance(target, TableName):
                writer.format("parquet").saveAsTable(self.sql_name(target))
            elif target.partition_by:
                writer.partitionBy(*target.partition_by).parquet(target.path)
            else:
                writer.parquet(target.path)

    def written(self, target: Target, expression: Any) -> Any:
        if isinstance(target, TableName):
            return super().written(target, expression)
        with asking(self.name, "read the release"):
            # by its schema: numbers in names of folders would be read as numbers
            reader = self.session.read.schema(self.frame(expression).schema)
            return self.view(reader.parquet(target.path), "written")

    def publish(self, staged: Target, final: Target) -> None:
        if isinstance(staged, TableName) and isinstance(final, TableName):
            with asking(self.name, "rename the release"):
                old, new = self.sql_name(staged), self.sql_name(final)
                self.session.sql(f"ALTER TABLE {old} RENAME TO {new}")
        elif isinstance(staged, Folder) and isinstance(final, Folder):
            if folders.is_local(final):
                folders.publish(staged, final)
            else:
                self._rename_by_hadoop(staged, final)

    def remove(self, staged: Target) -> None:
        if isinstance(staged, TableName):
            with asking(self.name, "drop what was not released"):
                self.session.sql(f"DROP TABLE IF EXISTS {self.sql_name(staged)}")
        elif folders.is_local(staged):
            folders.remove(staged)
        else:
            with asking(self.name, "remove what was not released"):
                system, path = self._hadoop(staged.path)
                system.delete(path, True)

    # File systems of Hadoop -----------------------------------------------------------------------

    def _hadoop(self, path: str) -> tuple[Any, Any]:
        jvm = self.session._jvm
        made = jvm.org.apache.hadoop.fs.Path(path)
        return made.getFileSystem(self.session._jsc.hadoopConfiguration()), made

    def _rename_by_hadoop(self, staged: Folder, final: Folder) -> None:
        """Object stores copy file by file when they rename: the marker comes last, and a folder
        without it is no release."""
        with asking(self.name, "rename the release"):
            system, old = self._hadoop(staged.path)
            _, new = self._hadoop(final.path)
            if not system.rename(old, new):
                raise SystemFailure(f"{staged} cannot be renamed to {final}", code="write")
            _, marker = self._hadoop(f"{final.path}/{_MARKER}")
            system.create(marker, True).close()


def of_frame(frame: Any) -> tuple[Spark, Any]:
    """The engine of a frame of PySpark, and the frame as a table of Ibis."""
    try:
        import ibis
    except ImportError as error:
        raise SystemFailure(
            "frames of Spark need the package ibis-framework[pyspark]", code="library"
        ) from error
    engine = Spark(ibis.pyspark.connect(frame.sparkSession))
    return engine, engine.view(frame, "source")
