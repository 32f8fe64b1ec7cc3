"""Whole collections with one worker, two, and Spark: whether all give the same rows, how fast, and with how much
memory.

    python benchmarks/scale.py [--size MB] [--files N] [--rounds N] [--corpus FOLDER] [--spark] [--keep FOLDER]
                               [--strict] [--write docs/scale.md]

- A collection of .warc.gz files, by default 1,000 MB in 16 files, is made like those of crawlers: for each
  page a request, a response with digests, and metadata (`commits.py`). Each file begins with another page.
- `rehref links … --format parquet -o DIR` runs with `--jobs 1` and `--jobs 2`, in turns, each in a separate process.
  `processes.py` measures each process.
- User time shows how much faster two workers are, because it hardly depends on other work of the machine. The length
  of a run is the user time of its first process plus that of the worker that took most. (One worker is the first
  process.) This includes how evenly the work is divided, and the cost of dividing it. Two cores of a virtual machine
  may be one core of the processor, on which each then takes longer: so one worker runs beside another one that does
  the same, as each of two workers does. Figures are medians of the rounds; the target is 1.8.
- The memory of each worker, in the pool and in Spark, must stay below 300 MB.
- With `--spark`, `python -m rehref.spark links` does the same on `local[2]`, `local-cluster[2,1,1024]`, and a
  standalone master with two workers on loopback, whose Python has only rehref's wheel (`standalone.py`).
- Rows are compared as multisets, in flat memory: their number, and the sum of their hashes (DuckDB). If any
  differ, the exit code is 1; with `--strict` also if a target is missed.
- The costs, and the estimate for a month of Common Crawl, are printed as the tables of `docs/scale.md`;
  `--write FILE` puts them there, between two comments.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

import archive
import commits
import processes
import standalone

MEGABYTE = archive.MEGABYTE
TIMES_AS_FAST = 1.8
MOST_MEMORY = 300 * MEGABYTE
PAGES, FILES, LINKS_OF_A_PAGE = 3e9, 90_000, 100
"""A month of Common Crawl: pages, WARC files of about a gigabyte, and the links of a page, which is a guess."""
MARKS = "<!-- benchmarks/scale.py -->\n", "<!-- end -->\n"


class Rows(NamedTuple):
    """The content of a table: the number of rows, the sum of their hashes, and the number of their pages."""

    count: int
    hashes: int
    pages: int


def rows(folder: Path) -> Rows:
    """The content of a folder of Parquet files."""
    import duckdb

    columns = "document, container, record, page, reference, target, base, element, attribute, kind, inside"
    more = 'line, "column", span, same_document, problems'
    query = f"SELECT count(*), sum(hash({columns}, {more})::HUGEINT), count(DISTINCT (document, record)) FROM"
    ((count, total, pages),) = duckdb.sql(f"{query} '{folder}/*.parquet'").fetchall()
    return Rows(int(count), int(total or 0), int(pages))


def made(folder: Path, files: int, size: int, corpus: Path) -> list[str]:
    """A collection of about this number of bytes."""
    small = [file.read_bytes() for file in sorted((corpus.parent / archive.SMALLER).rglob("*.html"))]
    sources = [archive.pages(corpus), *([small] if small else [])]
    names = []
    for number in range(files):
        file = folder / f"{number:02}.warc.gz"
        if not file.exists():
            turned = [[*each[at:], *each[:at]] for each in sources for at in [number * 37 % len(each)]]
            commits.make_crawl(file, size // files, turned)
        names.append(str(file))
    return names


class Measured(NamedTuple):
    """A way to read a collection: its name, its runs, their rows, and the program of its workers."""

    name: str
    runs: list[processes.Run]
    rows: set[Rows]

    @property
    def peak(self) -> int:
        """The peak memory of a worker; that of the first process if it does the work."""
        return max(each.peak for run in self.runs for each in run.of("python") or [run.first])

    @property
    def longest(self) -> float:
        """Seconds of user time."""
        return median(run.first.user + max((each.user for each in run.of("python")), default=0.0) for run in self.runs)

    @property
    def user(self) -> float:
        """Seconds of user time of all processes."""
        return median(run.user for run in self.runs)

    @property
    def clock(self) -> float:
        """Seconds of wall-clock time."""
        return median(run.clock for run in self.runs)

    def __str__(self) -> str:
        java = max((each.peak for run in self.runs for each in run.of("java")), default=0)
        jvm = f", {self.java:,.1f} s of them in JVMs, which have at most {java / MEGABYTE:,.0f} MB" if java else ""
        return (
            f"{self.name:24} {self.clock:7.1f} s on the clock, {self.user:7.1f} s of user time{jvm}; "
            f"a worker has at most {self.peak / MEGABYTE:,.0f} MB"
        )

    @property
    def java(self) -> float:
        """Seconds of user time of JVMs."""
        return median(sum(each.user for each in run.of("java")) for run in self.runs)


def by_pool(names: Sequence[str], folder: Path, rounds: int) -> list[Measured]:
    """Measure one worker and two, in turns."""
    measured = [Measured(f"--jobs {jobs}", [], set()) for jobs in (1, 2)]
    for number in range(rounds):
        for jobs, each in enumerate(measured, 1):
            out = folder / f"{jobs}-{number}"
            command = [sys.executable, "-m", "rehref", "links", "-q", *names, "--format", "parquet"]
            with _beside([*command, "--jobs", "1", "-o", f"{out}-beside"]) if jobs == 1 else nullcontext():
                each.runs.append(processes.run([*command, "--jobs", str(jobs), "-o", str(out)]))
            each.rows.add(rows(out))
            shutil.rmtree(out)
            shutil.rmtree(f"{out}-beside", ignore_errors=True)
    return measured


@contextmanager
def _beside(command: Sequence[str]) -> Iterator[None]:
    """Have a command run meanwhile."""
    with subprocess.Popen(command, stdout=sys.stderr) as child:
        try:
            yield
        finally:
            child.kill()


def by_spark(names: Sequence[str], folder: Path) -> Iterator[Measured]:
    """Measure each way to run Spark, once."""
    environment = {**os.environ, **standalone.environment()}
    for master in ("local[2]", "local-cluster[2,1,1024]"):
        yield _by_master(master, master, names, folder / "spark", environment)
    python = standalone.python_with_wheel(folder / "wheel")
    with standalone.cluster(folder / "cluster", python) as cluster:
        roots = [process.pid for process in cluster.processes]
        environment["PYSPARK_PYTHON"] = str(python)
        yield _by_master("standalone, 2 workers", cluster.master, names, folder / "spark", environment, roots)


def _by_master(
    name: str, master: str, names: Sequence[str], out: Path, environment: Mapping[str, str], roots: Sequence[int] = ()
) -> Measured:
    command = [sys.executable, "-m", "rehref.spark", "links", *names, "--out", str(out)]
    given = {**environment, "PYSPARK_SUBMIT_ARGS": standalone.arguments(master)}
    run = processes.run(command, given, roots)
    found = rows(out / "links")
    shutil.rmtree(out)
    return Measured(name, [run], {found})


class Costs(NamedTuple):
    """Seconds of user time of a core: for a gigabyte of archives, for a page, and for a link."""

    gigabyte: float
    page: float
    link: float

    def tables(self, said: str) -> Iterator[str]:
        """The tables of `docs/scale.md`, line by line; `said`: the measurements, in words."""
        yield from (said, "")
        yield "| what | user time of a core |"
        yield "| --- | ---: |"
        yield f"| a GB of `.warc.gz` | {self.gigabyte:,.0f} s |"
        yield f"| a million links | {self.link * 1e6:,.1f} s |"
        yield f"| a page | {self.page * 1e3:,.1f} ms |"
        yield ""
        yield "| a month of Common Crawl, counted by | assumption | core hours |"
        yield "| --- | --- | ---: |"
        for what, assumption, factor, cost, unit in (
            ("bytes", f"{FILES:,} files of 1 GB each, packed as those measured", FILES, self.gigabyte, "s a GB"),
            ("pages", "3 billion pages like those measured", PAGES / 1e3, self.page * 1e3, "ms a page"),
            ("links", f"{LINKS_OF_A_PAGE} links on a page, and only links take time",
             PAGES * LINKS_OF_A_PAGE / 1e6, self.link * 1e6, "s a million"),
        ):  # fmt: skip
            hours = factor / 3600
            yield f"| {what} | {assumption} | {hours:,.0f} × {cost:,.1f} {unit} = {hours * cost:,.0f} |"


def write(file: Path, lines: Sequence[str]) -> None:
    """Put the tables into a file. Raises SystemExit if there is no place for them."""
    begin, end = MARKS
    text = file.read_text("utf-8")
    found = re.search(f"{begin}.*?{end}", text, re.DOTALL)
    if found is None:
        raise SystemExit(f"{file} has no line {begin.strip()}, or none {end.strip()} after it")
    tables = "\n".join([begin, *lines, "", end])
    file.write_text(text[: found.start()] + tables + text[found.end() :], "utf-8")


def commit() -> str:
    """The current commit."""
    asked = ["git", "-C", str(standalone.ROOT), "rev-parse", "--short", "HEAD"]
    return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or "an unknown commit"


def main() -> int:
    parser = argparse.ArgumentParser(description="Read whole collections with one worker, two, and Spark.")
    parser.add_argument("--size", type=int, default=1000, help="megabytes, compressed")
    parser.add_argument("--files", type=int, default=16)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--corpus", type=Path, default=archive.CORPUS)
    parser.add_argument("--spark", action="store_true", help="with Spark, too")
    parser.add_argument("--keep", type=Path, help="the folder for the collection, which is kept")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables into this file: docs/scale.md")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        kept = given.keep or folder / "collection"
        kept.mkdir(parents=True, exist_ok=True)
        names = made(kept, given.files, given.size * MEGABYTE, given.corpus)
        size = sum(Path(name).stat().st_size for name in names)
        one, two = measured = by_pool(names, folder, given.rounds)
        found = next(iter(one.rows))
        print(f"{size / MEGABYTE:,.0f} MB in {len(names)} files, {found.pages:,} pages, {found.count:,} links")
        for each in measured:
            print(each, flush=True)
        for each in by_spark(names, folder) if given.spark else ():
            measured.append(each)
            print(each, flush=True)
    ratio = one.longest / two.longest
    peak = max(each.peak for each in measured)
    print(f"two workers are {ratio:.2f} × as fast as one by user time (target: {TIMES_AS_FAST})")
    print(f"a worker took at most {peak / MEGABYTE:,.0f} MB (target: under {MOST_MEMORY / MEGABYTE:,.0f})")
    costs = Costs(one.user / size * 1e9, one.user / found.pages, one.user / found.count)
    said = (
        f"`scripts/bench scale --size {given.size} --rounds {given.rounds}` at {commit()}, "
        f"{datetime.now(UTC):%Y-%m-%d}: {size / MEGABYTE:,.0f} MB of `.warc.gz` in {len(names)} files, {found.pages:,} "
        f"pages, {found.count:,} links.\n"
        f"One worker took {one.user:,.1f} s of user time, the longer of two {two.longest:,.1f} s ({ratio:.2f} times as "
        f"fast); no worker took more than {peak / MEGABYTE:,.0f} MB."
        + "".join(
            f" By Spark, `{each.name}`: {each.user:,.1f} s, {each.java:,.1f} of them in JVMs." for each in measured[2:]
        )
    )
    tables = list(costs.tables(said))
    print("", *tables, sep="\n")
    if given.write:
        write(given.write, tables)
    same = len(set[Rows]().union(*(each.rows for each in measured))) == 1
    print("\nall have the same rows" if same else f"\nrows differ: { {each.name: each.rows for each in measured} }")
    missed = given.strict and (ratio < TIMES_AS_FAST or peak >= MOST_MEMORY)
    return 0 if same and not missed else 1


if __name__ == "__main__":
    sys.exit(main())
