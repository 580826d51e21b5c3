"""A release of a folder of Parquet files, by Spark: spark-submit spark_job.py PEOPLE RELEASE

PEOPLE has the columns person, zip, age, illness and town. The rows stay in Spark; the driver gets
counted combinations. RELEASE must not be there, and is there only if all that was promised holds.
"""

from __future__ import annotations

import sys

import mingle
from pyspark.sql import SparkSession


def main(people: str, release: str) -> int:
    session = SparkSession.builder.appName("release").getOrCreate()
    try:
        made = mingle.anonymize(
            session.read.parquet(people),
            quasi=["zip", "age"],
            sensitive=["illness"],
            identifier=["person"],
            insensitive=["town"],
            hierarchy={"zip": mingle.hierarchy.mask("right"), "age": mingle.hierarchy.intervals(5, 10, 20)},
            k=5,
            suppress="5%",
            output=mingle.engines.Folder(release),
        )
        left = made["left_database"]
        print(f"{made['released_rows']} rows in {release}; {left['combinations']} combinations left Spark, ", end="")
        print(f"of which {left['once']} occur once")
        return 0
    except mingle.PrivacyError as refused:
        print(refused, file=sys.stderr)
        return refused.status
    finally:
        session.stop()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
