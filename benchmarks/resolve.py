"""How long it takes to resolve a reference: rehref compared with uritools, ada-url, urljoin and yarl.

    scripts/bench resolve [--rounds N] [--unique N] [--json FILE] [--strict]

- There are two workloads, each against one base: eight mixed references again and again, and references that all
  differ, so that remembering answers does not help.
- Before anything is timed, all must give the same answers for all references; otherwise the benchmark ends with
  exit 1. (The base has no fragment: yarl would keep it for `?query`.)
- The candidates take turns, each once in every round and in a different order in each round, so that other work of
  the machine affects all alike. A figure is the median over the rounds; a ratio is the median
  of the ratios within each round.
- A candidate that can prepare a base is called with the reference only (the preparation is timed, too); the others
  are called with base and reference; `Resolver.resolve_all` gets all references at once. Candidates that are not
  installed are left out, with a message.
- One of the unique references may take `MOST_AT_ONCE` nanoseconds in `resolve_all`, with the compiled twin. (Of the
  eight mixed ones, one is not ordinary: Python resolves it.)
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
from functools import partial
from importlib import metadata
from pathlib import Path
from urllib.parse import urljoin

import rehref
from rehref._native import TWIN

BASE = "https://docs.example.org/3/library/functions.html?highlight=base"

MIXED = (
    "os.path.html",
    "../tutorial/classes.html#random-remarks",
    "#module-functions",
    "?highlight=open",
    "/3/genindex.html",
    "//static.example.net/theme/style.css?v=4",
    "https://peps.example.org/pep-0008/#a-foolish-consistency",
    "./../_static/../_images/./logo.svg",
)

OURS = "rehref.Resolver"
AT_ONCE = "Resolver.resolve_all"
MOST_AT_ONCE = 300
"""The most nanoseconds for a reference of many."""

TARGETS = {"uritools.urijoin": 0.35, "ada_url.join_url": 0.6, "urllib urljoin": 0.3}
"""The largest part of the other's time for `OURS`, in each workload."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to resolve references."""

    name: str
    version: str
    call: Callable[[str, str], str]
    """Takes base and reference."""
    prepare: Callable[[str], Callable[[str], str]] | None = None
    """If it can prepare a base: takes the base, returns a function that takes the reference."""
    at_once: Callable[[str, Sequence[str]], list[str]] | None = None
    """If it takes many references: takes the base and all of them."""

    def timed(self, base: str, references: Sequence[str]) -> int:
        """Resolve all references once; return the nanoseconds of processor time, including the preparation."""
        start = time.process_time_ns()
        if self.at_once is not None:
            self.at_once(base, references)
        elif self.prepare is None:
            join = self.call
            for reference in references:
                join(base, reference)
        else:
            resolver = self.prepare(base)
            for reference in references:
                resolver(reference)
        return time.process_time_ns() - start

    def answers(self, base: str, references: Sequence[str]) -> list[str]:
        """The targets of all references."""
        if self.at_once is not None:
            return self.at_once(base, references)
        return list(map(self.prepare(base) if self.prepare else partial(self.call, base), references))


def peers() -> tuple[list[Candidate], list[str]]:
    """The other libraries that are installed, and the names of those that are not."""
    found = [Candidate("urllib urljoin", platform.python_version(), urljoin)]
    missing = []
    try:
        import uritools
    except ImportError:
        missing.append("uritools")
    else:
        found.append(Candidate("uritools.urijoin", metadata.version("uritools"), uritools.urijoin))
    try:
        import ada_url
    except ImportError:
        missing.append("ada-url")
    else:
        found.append(Candidate("ada_url.join_url", metadata.version("ada-url"), ada_url.join_url))
    try:
        from yarl import URL
    except ImportError:
        missing.append("yarl")
    else:

        def with_base(base: str) -> Callable[[str], str]:
            join = URL(base).join
            return lambda reference: str(join(URL(reference)))

        def join(base: str, reference: str) -> str:
            return with_base(base)(reference)

        found.append(Candidate("yarl.URL.join", metadata.version("yarl"), join, with_base))
    return found, missing


def candidates() -> tuple[list[Candidate], list[str]]:
    """rehref, then the others; and the names of those that are not installed."""
    found, missing = peers()
    version = rehref.__version__
    ours = [
        Candidate(OURS, version, rehref.resolve, rehref.Resolver),
        Candidate("rehref.resolve", version, rehref.resolve),
        Candidate(AT_ONCE, version, rehref.resolve, at_once=lambda base, some: rehref.Resolver(base).resolve_all(some)),
    ]
    return ours + found, missing


def unique_references(count: int, seed: int = 3986) -> list[str]:
    """Make different references, in the proportions of a documentation site."""
    rng = random.Random(seed)
    words = ("index", "api", "guide", "install", "classes", "io", "fr%C3%BCh", "v2.1", "a-b_c", "~user")

    def path(number: int) -> str:
        return "/".join([*rng.choices(words, k=rng.randint(0, 3)), f"{rng.choice(words)}-{number}.html"])

    shapes: tuple[tuple[int, Callable[[int], str]], ...] = (
        (40, path),
        (15, lambda n: "../" + path(n)),
        (4, lambda n: "../../" + path(n)),
        (3, lambda n: f"./a/../{path(n)}"),
        (12, lambda n: f"{path(n)}#{rng.choice(words)}"),
        (8, lambda n: f"#section-{n}"),
        (4, lambda n: f"?page={n}&sort=name"),
        (6, lambda n: "/" + path(n)),
        (3, lambda n: "//static.example.net/" + path(n)),
        (5, lambda n: f"https://www.example.com/{path(n)}?ref={n}"),
    )
    makers = rng.choices([make for _, make in shapes], [weight for weight, _ in shapes], k=count)
    return [make(number) for number, make in enumerate(makers)]


def disagreements(found: Sequence[Candidate], references: Sequence[str]) -> list[str]:
    """A line for each answer that differs from that of `rehref.resolve`."""
    expected = [rehref.resolve(BASE, reference) for reference in references]
    return [
        f"{candidate.name}: {reference} gives {got}, not {target}"
        for candidate in found
        for reference, target, got in zip(references, expected, candidate.answers(BASE, references), strict=True)
        if got != target
    ]


def measure(found: Sequence[Candidate], references: Sequence[str], rounds: int) -> dict[str, list[float]]:
    """Nanoseconds for a reference, one figure for each round, for each candidate."""
    figures: dict[str, list[float]] = {candidate.name: [] for candidate in found}
    for candidate in found:  # warm up
        candidate.timed(BASE, references[: len(references) // 10 + 1])
    order = list(found)
    rng = random.Random(0)
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            rng.shuffle(order)
            for candidate in order:
                figures[candidate.name].append(candidate.timed(BASE, references) / len(references))
    finally:
        gc.enable()
    return figures


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the result."""

    name: str
    version: str
    nanoseconds: float
    ratio: float
    """rehref's time as a part of its time."""
    target: float | None
    """For that ratio; for `AT_ONCE` in nanoseconds."""
    met: bool | None


def summarize(found: Sequence[Candidate], figures: dict[str, list[float]], *, of_ordinary: bool) -> list[Row]:
    """Medians for each candidate, and whether rehref's ratio to it meets the target, if there is one."""
    rows = []
    for candidate in found:
        theirs = figures[candidate.name]
        ratio = statistics.median(ours / other for ours, other in zip(figures[OURS], theirs, strict=True))
        target = TARGETS.get(candidate.name)
        met = None if target is None else ratio <= target
        median = statistics.median(theirs)
        if candidate.name == AT_ONCE and of_ordinary and TWIN is not None:
            target, met = MOST_AT_ONCE, median <= MOST_AT_ONCE
        rows.append(Row(candidate.name, candidate.version, round(median, 1), round(ratio, 3), target, met))
    return rows


def show(title: str, rows: Sequence[Row]) -> None:
    print(f"\n{title}")
    print(f"  {'':<20} {'version':<10} {'ns/reference':>12}  {OURS + ' / it':>20}  target")
    for row in rows:
        unit = " ns" if row.name == AT_ONCE else ""
        verdict = "" if row.target is None else f"≤ {f'{row.target}{unit}':<6}  {'met' if row.met else 'MISSED'}"
        figures = f"{row.nanoseconds:>12,.0f}  {row.ratio:>20.2f}"
        print(f"  {row.name:<20} {row.version:<10} {figures}  {verdict}".rstrip())


def main() -> int:
    parser = argparse.ArgumentParser(description="Time resolution, compared with other libraries.")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of each workload (default 9)")
    parser.add_argument("--unique", type=int, default=100_000, help="number of unique references (default 100,000)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()

    found, missing = candidates()
    unique = unique_references(options.unique)
    wrong = disagreements(found, [*MIXED, *unique])
    if wrong:
        print(f"{len(wrong)} answers differ, so there is nothing to compare:", *wrong[:20], sep="\n  ")
        return 1
    print(f"Python {platform.python_version()}. All give the same {len(MIXED) + len(unique):,} answers.")
    if missing:
        print(f"Not installed, so left out: {', '.join(missing)}.")

    workloads = {
        f"{len(MIXED)} mixed references, one base": MIXED * 2_500,
        f"{len(unique):,} unique references, one base": unique,
    }
    results = {}
    for title, references in workloads.items():
        results[title] = summarize(found, measure(found, references, options.rounds), of_ordinary=references is unique)
        show(title, results[title])
    missed = [row for rows in results.values() for row in rows if row.met is False]
    if options.json:
        workloads_as_json = {title: [asdict(row) for row in rows] for title, rows in results.items()}
        report = {
            "python": platform.python_version(),
            "rounds": options.rounds,
            "workloads": workloads_as_json,
        }
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
