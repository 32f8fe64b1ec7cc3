"""A program for Spark, run by tests in a process of its own: what it defines goes to the workers by cloudpickle.

    python driver.py compared COLLECTION FOLDER     links and rewriting; how workers are
    python driver.py killed COLLECTION FOLDER GENERATIONS…  the same links, though processes are killed

It prints a line of JSON. The master is the one that the environment says (`PYSPARK_SUBMIT_ARGS`).
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from rehref.archives.pieces import divided
from rehref.plugins.spark import SCHEMA, Broken, links, rewrite
from rehref.plugins.spark._read_links import _LinksOfPieces
from rehref.plugins.spark._spark_paths import found

SIZE = 60_000
FLAG = "killed-{}"


def as_text(rows: Any) -> list[str]:
    return sorted(json.dumps(row.asDict(recursive=True), sort_keys=True) for row in rows)


def shouted(link: Any) -> str:
    """A rule that workers do not have."""
    return str(link.target).upper()


def worker(_: Any) -> list[Any]:
    """What there is where a task runs."""
    from importlib.util import find_spec

    import rehref

    return [rehref.__file__, sys.executable, find_spec("pyarrow") is None, find_spec("pandas") is None]


def compared(spark: Any, collection: str, folder: Path) -> dict[str, Any]:
    broken = Broken(spark)
    rows = as_text(links(spark, collection, broken=broken, piece=SIZE).collect())
    done = rewrite(spark, collection, str(folder / "rewritten"), shouted).collect()
    places = spark.sparkContext.parallelize(range(8), 8).map(worker).collect()
    return {"rows": rows, "broken": broken.records, "changed": sum(row.changed for row in done), "places": places}


def killed(spark: Any, collection: str, folder: Path, *generations: str) -> dict[str, Any]:
    broken = Broken(spark)
    task = _LinksOfPieces(_opening(), broken.accumulator)
    pieces = list(divided(found(collection).files, _opening(), SIZE))
    out, wanted = str(folder / "out"), [int(each) for each in generations]
    rows = spark.sparkContext.parallelize(pieces, len(pieces)).mapPartitions(
        lambda each: killing(task(each), str(folder), wanted)
    )
    spark.createDataFrame(rows, SCHEMA, verifySchema=False).write.parquet(out)
    return {"rows": as_text(spark.read.parquet(out).collect()), "broken": broken.records}


def _opening() -> Any:
    from rehref.documents.options import SourceOptions

    return SourceOptions()


def killing(rows: Iterator[Any], folder: str, generations: list[int]) -> Iterator[Any]:
    """The rows of a partition. In the middle, a process is killed: each ancestor that is asked for, once in all."""
    for number, row in enumerate(rows):
        yield row
        if number == 30:
            for generation in generations:
                try:
                    (Path(folder) / FLAG.format(generation)).mkdir()
                except FileExistsError:
                    continue
                os.kill(ancestor(generation), signal.SIGKILL)
                break


def ancestor(generation: int) -> int:
    """The process itself (0), its parent (1) …: a Python worker's executor is 2, and of a standalone worker 3."""
    process = os.getpid()
    for _ in range(generation):
        stat = Path(f"/proc/{process}/stat").read_text()
        process = int(stat.rpartition(")")[2].split()[1])
    return process


if __name__ == "__main__":
    what, given, into, *more = sys.argv[1:]
    Path(into).mkdir(parents=True, exist_ok=True)
    session = SparkSession.builder.getOrCreate()
    print(json.dumps({"compared": compared, "killed": killed}[what](session, given, Path(into), *more)))
    session.stop()
