"""The fixed cost of a document: many small ones, each with another URL.

    scripts/bench fixed [--rounds N] [--count N] [--json FILE] [--strict]

- A document is 43 bytes with one link: as bytes, as bytes with a declaration of their encoding, as a str, and as bytes
  with a `base`. Its URL is one of a site, or that of a file. All URLs differ: remembering results does not help.
- Before anything is timed, rehref and lxml must find the same targets. lxml removes a `base`: it does not take part
  there.
- A figure is microseconds of processor time for a document, the median over the rounds. The candidates take turns, in
  a different order in each round.
- Garbage is collected before each turn; during a turn the collector runs as usual.
- The targets are for the compiled twin; without it they do not count.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, TypeAlias

import lxml.html

import rehref
from rehref._native import HOW, TWIN

PAGE = b'<a href="x.html">x</a> and 12 bytes of text'
DECLARED = b'<!DOCTYPE html><meta charset="utf-8">'
WITH_BASE = "bytes, base"
SHAPES: dict[str, bytes | str] = {
    "bytes": PAGE,
    "bytes, declared": DECLARED + PAGE,
    "str": PAGE.decode(),
    WITH_BASE: b'<base href="/docs/">' + PAGE,
}
BASES = {"http": "https://www.example.com/docs/{}/page.html", "file": "file:///home/user/docs/{}/page.html"}
TARGET, TARGET_WITH_BASE = 30.0, 60.0
"""The most microseconds for a document, and for one with a `base`."""

ABSOLUTE = rehref.Absolute()

Work: TypeAlias = Callable[[Any, str], object]


def make_links_absolute(data: bytes | str, url: str) -> bytes:
    """What lxml does to rewrite."""
    document: Any = lxml.html.fromstring(data)
    document.make_links_absolute(url)
    out: bytes = lxml.html.tostring(document)
    return out


def iterlinks(data: bytes | str, url: str) -> list[str]:
    """What lxml does to list links."""
    document: Any = lxml.html.fromstring(data, base_url=url)
    return [link[2] for link in document.iterlinks()]


CANDIDATES: dict[str, Work] = {
    "rehref.rewrite": lambda data, url: rehref.rewrite(data, ABSOLUTE, url=url),
    "rehref.links": lambda data, url: rehref.links(data, url=url),
    "lxml make_links_absolute": make_links_absolute,
    "lxml iterlinks": iterlinks,
}
OURS = frozenset({"rehref.rewrite", "rehref.links"})


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the result."""

    shape: str
    base: str
    name: str
    microseconds: float
    met: bool | None
    """Whether the target is met, if there is one."""


def agree(data: bytes | str, url: str) -> bool:
    """Whether rehref and lxml find the same targets, and rehref writes them."""
    targets = [link.target for link in rehref.links(data, url=url)]
    written = rehref.rewrite(data, ABSOLUTE, url=url)
    found = [link.reference for link in rehref.links(written)]
    by_lxml = targets if data is SHAPES[WITH_BASE] else iterlinks(make_links_absolute(data, url), url)
    return targets == found == by_lxml


def measure(data: bytes | str, urls: Sequence[str], rounds: int) -> dict[str, float]:
    """Microseconds for a document, for each candidate."""
    order = [name for name in CANDIDATES if name in OURS or data is not SHAPES[WITH_BASE]]
    figures: dict[str, list[float]] = {name: [] for name in order}
    rng = random.Random(0)
    for name in order:  # warm up
        timed(CANDIDATES[name], data, urls[: len(urls) // 10 + 1])
    for _ in range(rounds):
        rng.shuffle(order)
        for name in order:
            figures[name].append(timed(CANDIDATES[name], data, urls))
    return {name: statistics.median(found) for name, found in figures.items()}


def timed(work: Work, data: bytes | str, urls: Sequence[str]) -> float:
    """Microseconds of processor time for one document."""
    gc.collect()
    start = time.process_time_ns()
    for url in urls:
        work(data, url)
    return (time.process_time_ns() - start) / len(urls) / 1000


def main() -> int:
    parser = argparse.ArgumentParser(description="Time what one small document costs.")
    parser.add_argument("--rounds", type=int, default=9, help="rounds (default 9)")
    parser.add_argument("--count", type=int, default=2000, help="documents in a turn (default 2000)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()

    print(f"Python {platform.python_version()}, rehref {rehref.__version__} ({HOW}), lxml {metadata.version('lxml')}.")
    print(f"Microseconds a document; the target for rehref is at most {TARGET:g}, with a base {TARGET_WITH_BASE:g}.\n")
    rows = []
    for shape, data in SHAPES.items():
        for base, pattern in BASES.items():
            urls = [pattern.format(number) for number in range(options.count)]
            if not all(agree(data, url) for url in urls[:10]):
                print(f"{shape}, {base}: rehref and lxml find different targets, so there is nothing to compare")
                return 1
            for name, figure in sorted(measure(data, urls, options.rounds).items()):
                target = TARGET_WITH_BASE if shape == WITH_BASE else TARGET
                met = figure <= target if name in OURS and TWIN is not None else None
                rows.append(Row(shape, base, name, round(figure, 1), met))
                verdict = "" if met is None else "met" if met else "MISSED"
                print(f"  {shape:<16} {base:<5} {name:<26} {figure:7.1f}  {verdict}".rstrip())
    if options.json:
        report = {"python": platform.python_version(), "how": HOW, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 1 if options.strict and any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
