"""What threads gain: the same work in one thread and in four, by the clock.

    scripts/bench threads [--rounds N] [--json FILE]

- Work is many pages of one kind: dense with links, or mostly text. Each step of the compiled twin that gives the lock
  back (the scan, the table of references, the changed source) is measured alone, and so are `links` and `rewrite`.
- The share of a function that runs without the lock is the processor time of these steps in it, in one thread. All
  else holds the lock: of `links`, nearly all of that makes the objects that are its result.
- With so many cores, and a share s without the lock, work takes at least max(1 - s, 1 / cores) of its time in one
  thread: that is what is possible. On free-threaded Python nothing holds a lock, and the cores are the limit.
- Figures are the best of the rounds; four threads and one take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import rehref
from rehref._native import HOW, TWIN
from rehref.documents._formats.html_carriers import html_carriers
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.twin import plan_for

THREADS = 4
_MILLISECONDS = 200
"""How long one figure takes, in one thread."""
URL = "https://www.example.org/a/b/page.html"
SIZE = 1 << 19
_LINKS = '<p><a href="page{0}.html#part">a link</a> <img src="../images/{0}.png" alt="">\n'
_TEXT = "<p>" + "Much text, in which there is no reference at all. " * 40 + '<a href="page{0}.html">a link</a>\n'


def page(row: str) -> bytes:
    """A page of `SIZE` bytes or a little more."""
    return "".join(row.format(number) for number in range(SIZE // len(row) + 1)).encode()


PAGES = {"dense": page(_LINKS), "text": page(_TEXT)}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the result. `share`: what part of it runs without the lock. `possible`: what that share allows."""

    page: str
    name: str
    milliseconds: float
    share: float
    possible: float
    measured: float


def steps(data: bytes) -> dict[str, Callable[[], object]]:
    """The steps that give the lock back."""
    plan: Any = plan_for(html_carriers(ReadOptions.DEFAULT).wanted)
    document = read_document(data, None, None, Layers(retrieval=URL), ReadOptions.DEFAULT)
    changed: Any = document.table()
    changed.write(None, ["x" if row is None else f"x{row.target}" for row in changed.rows()])
    changed.fit()
    return {
        "scan": lambda: TWIN.Scan(data, plan.capsule, False),  # type: ignore[union-attr]
        "table": document.table,
        "splice": lambda: changed.spliced([]),
    }


def best(rounds: int, work: Callable[[], object], clock: Callable[[], float]) -> float:
    """The least time of one call, in milliseconds."""
    figures = []
    for _ in range(rounds):
        start = clock()
        work()
        figures.append(clock() - start)
    return min(figures) * 1000


def measure(data: bytes, rounds: int) -> dict[str, tuple[float, float, float]]:
    """For each work: milliseconds of a call, the share without the lock, and how much faster four threads are."""
    alone = steps(data)
    works = alone | {
        "links": lambda: rehref.links(data, url=URL),
        "rewrite": lambda: rehref.rewrite(data, url=URL),
    }
    of_steps = {name: best(rounds, work, time.thread_time) for name, work in alone.items()}
    without = {"links": of_steps["scan"] + of_steps["table"], "rewrite": sum(of_steps.values()), **of_steps}
    found = {}
    for name, work in works.items():
        taken = best(rounds, work, time.thread_time)
        calls = max(THREADS, int(_MILLISECONDS / taken) // THREADS * THREADS)
        alone_and_together = [[clocked(work, calls, threads) for threads in (1, THREADS)] for _ in range(rounds)]
        one, four = map(min, zip(*alone_and_together, strict=True))
        found[name] = taken, min(without[name] / taken, 1), one / four
    return found


def clocked(work: Callable[[], object], calls: int, threads: int) -> float:
    """The seconds that so many calls take in so many threads."""

    def run() -> None:
        ready.wait()
        for _ in range(calls // threads):
            work()

    ready = threading.Barrier(threads + 1)
    running = [threading.Thread(target=run) for _ in range(threads)]
    for thread in running:
        thread.start()
    ready.wait()
    start = time.perf_counter()
    for thread in running:
        thread.join()
    return time.perf_counter() - start


def main() -> int:
    parser = argparse.ArgumentParser(description="Time work in threads.")
    parser.add_argument("--rounds", type=int, default=7, help="rounds (default 7)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    options = parser.parse_args()
    if TWIN is None:
        print("There is no compiled twin, and nothing gives the lock back.")
        return 0
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    is_locked: bool = getattr(sys, "_is_gil_enabled", lambda: True)()
    kind_of_python = platform.python_version() + ("" if is_locked else ", free-threaded")
    print(f"Python {kind_of_python}, rehref {rehref.__version__} ({HOW}).")
    print(f"{THREADS} threads on {cores} cores, compared with one.\n")
    print("  page   work       ms  without lock  possible  measured")
    rows = []
    for kind, data in PAGES.items():
        for name, (taken, share, faster) in measure(data, options.rounds).items():
            possible = 1 / max(1 - share if is_locked else 0, 1 / cores)
            row = Row(kind, name, round(taken, 2), round(share, 2), round(possible, 2), round(faster, 2))
            rows.append(row)
            print(f"  {kind:<6} {name:<8} {taken:5.2f}  {share:11.0%}  {possible:7.2f}x  {faster:7.2f}x")
    if options.json:
        report = {"python": platform.python_version(), "cores": cores, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
