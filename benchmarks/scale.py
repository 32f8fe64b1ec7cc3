"""Whole collections: one worker, two, and Spark. Whether all give the same rows, how fast, and in how much memory.

    python benchmarks/scale.py [--size MB] [--files N] [--rounds N] [--corpus FOLDER] [--spark] [--keep FOLDER]

1. A collection of .warc.gz files, 1,000 MB in 16 files if nothing else is said, is made as `archive.py` makes one.
2. `rehref links … --format parquet -o DIR` with `--jobs 1` and `--jobs 2`, in turns, each in a process of its own:
   medians of the seconds on the clock and of user time, and the peak memory of a process, the largest resident set.
3. With `--spark` the same by `python -m rehref.spark links`: `local[2]`, `local-cluster[2,1,1024]`, and a standalone
   master with two workers on loopback.
4. Rows are compared as multisets: how many there are, and the sum of their hashes (DuckDB). Exit code 1 if any differ.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

import archive

MASTER = "spark://127.0.0.1:7077"


class Run(NamedTuple):
    """Seconds on the clock, seconds of user time, and the most bytes that a process took."""

    clock: float
    user: float
    peak: int


def run(arguments: Sequence[str], environment: dict[str, str] | None = None) -> Run:
    """Run a command, whose children count."""
    program = (
        "import resource, subprocess, sys, time; t = time.perf_counter();"
        "code = subprocess.run(sys.argv[1:], stdout=2).returncode; t = time.perf_counter() - t;"
        "u = resource.getrusage(resource.RUSAGE_CHILDREN); print(t, u.ru_utime, u.ru_maxrss); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], env=environment, stdout=subprocess.PIPE, check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments[:5])} … ended with {done.returncode}")
    clock, user, peak = done.stdout.split()
    return Run(float(clock), float(user), int(peak) * 1024)


def rows(folder: Path) -> tuple[int, int]:
    """How many rows a table has, and the sum of their hashes."""
    import duckdb

    columns = "document, container, record, page, reference, target, base, element, attribute, kind, inside"
    more = 'line, "column", span, same_document, problems'
    query = f"SELECT count(*), sum(hash({columns}, {more})::HUGEINT) FROM '{folder}/*.parquet'"
    ((count, total),) = duckdb.sql(query).fetchall()
    return int(count), int(total or 0)


def made(folder: Path, files: int, size: int, corpus: Path) -> list[str]:
    """A collection of about so many bytes."""
    pages = archive.pages(corpus)
    names = []
    for number in range(files):
        file = folder / f"{number:02}.warc.gz"
        if not file.exists():
            archive.make(file, size // files, pages)
        names.append(str(file))
    return names


@contextmanager
def standalone(environment: dict[str, str], home: Path) -> Iterator[None]:
    """A master and two workers on loopback."""
    begin = [str(home / "bin" / "spark-class"), "org.apache.spark.deploy"]
    where = ["--host", "127.0.0.1", "--port", "7077", "--webui-port", "0"]
    worker = ["--host", "127.0.0.1", "--cores", "1", "--memory", "2g", "--webui-port", "0", MASTER]
    commands = [
        [begin[0], f"{begin[1]}.master.Master", *where],
        *([[begin[0], f"{begin[1]}.worker.Worker", *worker]] * 2),
    ]
    processes = []
    try:
        for command in commands:
            processes.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))
            time.sleep(5)
        yield
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()


def by_spark(names: list[str], folder: Path) -> Iterator[tuple[str, Run, Path]]:
    """Each way to run Spark."""
    import pyspark

    home = Path(pyspark.__file__).parent
    environment = {
        **os.environ,
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
    }
    environment["SPARK_WORKER_DIR"] = str(folder / "work")

    def one(master: str) -> tuple[str, Run, Path]:
        out = folder / master.partition("[")[0].replace(":", "").replace("/", "")
        arguments = f"--master {master} --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 pyspark-shell"
        spark = [sys.executable, "-m", "rehref.spark", "links", *names, "--out", str(out)]
        return master, run(spark, {**environment, "PYSPARK_SUBMIT_ARGS": arguments}), out / "links"

    yield one("local[2]")
    yield one("local-cluster[2,1,1024]")
    with standalone(environment, home):
        yield one(MASTER)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=1000, help="megabytes, compressed")
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", type=Path, default=archive.CORPUS)
    parser.add_argument("--spark", action="store_true")
    parser.add_argument("--keep", type=Path, help="where the collection is made, and stays")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        kept = given.keep or folder / "collection"
        kept.mkdir(parents=True, exist_ok=True)
        names = made(kept, given.files, given.size * archive.MEGABYTE, given.corpus)
        size = sum(Path(name).stat().st_size for name in names)
        digests: dict[str, tuple[int, int]] = {}
        clocks: dict[int, list[Run]] = {1: [], 2: []}
        for number in range(given.rounds):
            for jobs, runs in clocks.items():
                out = folder / f"{jobs}-{number}"
                command = [sys.executable, "-m", "rehref", "links", *names, "--format", "parquet", "--jobs", str(jobs)]
                runs.append(run([*command, "-o", str(out)]))
                digests[f"{jobs} ({number})"] = rows(out)
        count = digests["1 (0)"][0]
        print(f"{size / 1e6:,.0f} MB in {len(names)} files, {count:,} links")
        for jobs, runs in clocks.items():
            clock, user = median(each.clock for each in runs), median(each.user for each in runs)
            peak = max(each.peak for each in runs) / 1e6
            print(f"--jobs {jobs}: {clock:7.1f} s, {user:7.1f} s of user time, {peak:4.0f} MB at most in a process")
        one, two = (median(each.clock for each in clocks[jobs]) for jobs in (1, 2))
        print(f"two workers are {one / two:.2f} × as fast as one")
        user = median(each.user for each in clocks[1])
        print(f"{user / size * 1e9:,.0f} s of user time for a GB, {user / count * 1e6:,.1f} s for a million links")
        if given.spark:
            for name, done, out in by_spark(names, folder):
                digests[name] = rows(out)
                print(f"{name}: {done.clock:7.1f} s")
        same = len(set(digests.values())) == 1
        print("all have the same rows" if same else f"rows differ: {digests}")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
