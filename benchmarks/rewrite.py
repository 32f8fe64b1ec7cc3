"""How long it takes to make references of pages absolute, and to list them, compared with other libraries.

    scripts/bench rewrite [--rounds N] [--sample N] [--corpus FOLDER] [--json FILE] [--strict]

- There are three corpora: different pages of `python3.11-doc`, with many short links; those of `modern.py`, with
  scripts, `srcset` and `data:` URLs; and pages of `rust-doc`, many and small. All candidates turn bytes in memory into
  bytes in memory, in one process. `rewriters.py` defines the candidates.
- Before anything is timed, a parser that is not a candidate reads what each has written (`targets.py`). If a reference
  that rehref wrote leads elsewhere than before, or is still relative, the benchmark ends with exit 1. For the other
  candidates it prints how many references do: few of them know `srcset`.
- The candidates take turns, each once in every round and in a different order in each round. Times are processor
  time. A figure is the median over the rounds; a ratio is the median of the ratios within each round.
- Candidates that take seconds for a megabyte get fewer pages, and are compared with rehref on the same ones.
- Garbage is collected before each turn; during a turn the collector runs as usual.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import json
import random
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import modern
from rewriters import Candidate, about, candidates
from targets import Comparison

CORPORA = Path(__file__).resolve().parent / "corpora"
PYTHON_DOC, RUST_DOC = "python3.11-doc", "rust-doc"
MODERN = "modern"
SITE = "https://www.example.com/"
SLOW_SHARE = 12
"""Slow candidates get one page in this number."""

OURS, OURS_ON_LXML, LINKS = "rehref.rewrite", "rehref.rewrite, lxml core", "rehref.links"
LXML, LOLHTML, ITERLINKS = "lxml make_links_absolute", "lolhtml + urljoin", "lxml iterlinks"
LOLHTML_SRCSET = "lolhtml, srcset too"
TARGETS = {
    PYTHON_DOC: ((OURS, LOLHTML, 10.0), (OURS, LXML, 35.0), (LINKS, ITERLINKS, 8.0), (OURS_ON_LXML, LXML, 2.0)),
    MODERN: ((OURS, LOLHTML, 3.0), (OURS, LOLHTML_SRCSET, 5.0), (OURS, LXML, 10.0), (LINKS, ITERLINKS, 1.5)),
    RUST_DOC: ((OURS, LOLHTML, 4.0), (OURS, LXML, 10.0), (LINKS, ITERLINKS, 4.0)),
}
"""How many times as fast as the second the first must be, by corpus."""


class Page(NamedTuple):
    """A page and its URL."""

    url: str
    data: bytes


def pages_below(folder: Path, count: int, seed: int = 3986) -> list[Page]:
    """Random pages below a folder, none twice, even if files have several names."""
    distinct: dict[bytes, Page] = {}
    for path in sorted(folder.rglob("*.html")):
        data = path.read_bytes()
        url = SITE + quote(path.relative_to(folder).as_posix())
        distinct.setdefault(hashlib.sha256(data).digest(), Page(url, data))
    pages = list(distinct.values())
    return random.Random(seed).sample(pages, min(count, len(pages)))


def modern_pages(count: int) -> list[Page]:
    """Generated pages."""
    pages = modern.pages(min(count, modern.PAGES))
    return [Page(f"{SITE}en/2024/{number:03}.html", data) for number, data in enumerate(pages, 1)]


def size(pages: Iterable[Page]) -> int:
    return sum(len(page.data) for page in pages)


def compare(found: Sequence[Candidate], pages: Sequence[Page]) -> dict[str, Comparison]:
    """For each candidate that rewrites, the comparison of the references of these pages."""
    comparisons = {}
    for candidate in found:
        if candidate.work == "rewrite":
            comparison = comparisons[candidate.name] = Comparison()
            for url, data in share(pages, candidate):
                out = candidate.run(data, url)
                assert isinstance(out, bytes)
                comparison.add(data, out, url)
    return comparisons


def share(pages: Sequence[Page], candidate: Candidate) -> Sequence[Page]:
    """The pages for a candidate."""
    return pages[::SLOW_SHARE] if candidate.slow else pages


def timed(candidate: Candidate, pages: Sequence[Page]) -> float:
    """Seconds for all pages."""
    run = candidate.run
    gc.collect()
    start = time.process_time()
    for url, data in pages:
        run(data, url)
    return time.process_time() - start


def measure(found: Sequence[Candidate], pages: Sequence[Page], rounds: int) -> dict[str, list[float]]:
    """Seconds for all pages, one figure for each round, for each candidate."""
    figures: dict[str, list[float]] = {candidate.name: [] for candidate in found}
    for candidate in found:  # warm up
        timed(candidate, pages[:1])
    order = list(found)
    rng = random.Random(0)
    for _ in range(rounds):
        rng.shuffle(order)
        for candidate in order:
            figures[candidate.name].append(timed(candidate, pages))
    return figures


def ratio(figures: dict[str, list[float]], ours: str, other: str) -> float:
    """How many times as fast rehref is."""
    return statistics.median(b / a for a, b in zip(figures[ours], figures[other], strict=True))


@dataclass(frozen=True, slots=True)
class Row:
    """One candidate's result."""

    name: str
    version: str
    pages: int
    megabytes_per_second: float
    ratio: float
    """How many times as fast as it `rehref.rewrite` is (`rehref.links`, for what lists links)."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One target: `ours` should be at least `target` times as fast as `other`, and is `ratio` times."""

    ours: str
    other: str
    target: float
    ratio: float
    met: bool


def rows(found: Sequence[Candidate], pages: Sequence[Page], figures: dict[str, list[float]]) -> list[Row]:
    megabytes = size(pages) / 1e6
    return [
        Row(
            candidate.name,
            candidate.version,
            len(pages),
            round(megabytes / statistics.median(figures[candidate.name]), 2),
            round(ratio(figures, LINKS if candidate.work == "links" else OURS, candidate.name), 2),
        )
        for candidate in found
    ]


def verdicts(title: str, figures: dict[str, list[float]]) -> list[Verdict]:
    """The targets of a corpus for which the other candidate is installed."""
    judged = []
    for ours, other, target in TARGETS.get(title, ()):
        if other in figures:
            times = ratio(figures, ours, other)
            judged.append(Verdict(ours, other, target, round(times, 2), times >= target))
    return judged


def show(table: Sequence[Row], comparisons: dict[str, Comparison], judged: Sequence[Verdict]) -> None:
    print(f"  {'':<26} {'version':<10} {'pages':>5} {'MB/s':>7} {'rehref':>9}  references written")
    for row in table:
        comparison = comparisons.get(row.name)
        written = ""
        if comparison is not None:
            written = f"{comparison.references:>7,}"
            if comparison.differ:
                written += f", {comparison.differ:,} lead elsewhere or are missing"
            if comparison.relative:
                written += f", {comparison.relative:,} left relative"
        figures = f"{row.pages:>5} {row.megabytes_per_second:>7.1f} {row.ratio:>6.1f} ×  "
        print(f"  {row.name:<26} {row.version:<10} {figures} {written}".rstrip())
    for verdict in judged:
        outcome = "met" if verdict.met else "MISSED"
        print(f"  {verdict.ours}: {verdict.ratio:.2f} × {verdict.other}, ≥ {verdict.target:g}  {outcome}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time rewriting, compared with other libraries.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each corpus (default 5)")
    parser.add_argument(
        "--sample", type=int, default=120, help="pages of each corpus (default 120, or all if there are fewer)"
    )
    parser.add_argument(
        "--corpus", type=Path, action="append", metavar="FOLDER", help="instead of python3.11-doc and rust-doc"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()

    folders = options.corpus or [folder for name in (PYTHON_DOC, RUST_DOC) if (folder := CORPORA / name).is_dir()]
    corpora = {folder.name: pages_below(folder, options.sample) for folder in folders}
    for folder in folders:
        if not corpora[folder.name]:
            print(f"No pages below {folder}.")
            return 2
    if not folders:
        print(f"{CORPORA} is empty; benchmarks/fetch-corpora python3.11-doc rust-doc fetches the corpora.")
    corpora[MODERN] = modern_pages(options.sample)
    found, missing = candidates()
    if "selectolax" in missing:
        print("selectolax is not installed, but the comparison needs it.")
        return 2
    print(f"{about()}. “rehref” says how many times as fast rehref.rewrite is (rehref.links, for what lists links).")
    if missing:
        print(f"Not installed, so left out: {', '.join(missing)}.")

    quick = [candidate for candidate in found if not candidate.slow]
    slow = [candidate for candidate in found if candidate.slow or candidate.name == OURS]
    report = {}
    missed = False
    for title, pages in corpora.items():
        print(f"\n{title}: {len(pages)} pages, {size(pages) / 1e6:.1f} MB", flush=True)
        comparisons = compare(found, pages)
        wrong = [name for name in (OURS, OURS_ON_LXML) if comparisons[name].differ or comparisons[name].relative]
        if wrong:
            print(*(f"  {name}: {comparisons[name]}" for name in wrong), sep="\n")
            return 1
        figures = measure(quick, pages, options.rounds)
        few = pages[::SLOW_SHARE]
        table = rows(quick, pages, figures)
        table += [row for row in rows(slow, few, measure(slow, few, max(options.rounds // 2, 1))) if row.name != OURS]
        judged = verdicts(title, figures)
        show(table, comparisons, judged)
        missed = missed or not all(verdict.met for verdict in judged)
        report[title] = {
            "pages": len(pages),
            "bytes": size(pages),
            "candidates": [asdict(row) for row in table],
            "comparisons": {name: asdict(comparison) for name, comparison in comparisons.items()},
            "targets": [asdict(verdict) for verdict in judged],
        }
    if options.json:
        whole = {"python": about(), "rounds": options.rounds, "corpora": report}
        options.json.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
