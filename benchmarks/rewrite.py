"""How long it takes to make the references of pages absolute, and to list them, beside other libraries.

    scripts/bench rewrite [--rounds N] [--sample N] [--corpus FOLDER] [--json FILE] [--strict]

1. Three corpora: pages of `python3.11-doc`, no two alike, with many short links; those of `modern.py`, with scripts,
   `srcset` and `data:` URLs; and pages of `rust-doc`, small ones and many. All is bytes in memory to bytes in memory,
   in one process. `rewriters.py` says who does what.
2. Before anything is timed, what each has written is read by a parser that is none of them (`targets.py`). If anything
   that rehref wrote leads elsewhere than before, or is still relative, the benchmark ends with exit 1. How much of
   that there is in what its peers wrote is printed: few know `srcset`.
3. The candidates take turns, each once in every round and in another order from round to round. Times are of the
   processor. A figure is the median over the rounds; a ratio is the median of the ratios within each round.
4. Those that take seconds for a megabyte are given fewer pages, and are compared to rehref on the same ones.
5. Before each turn garbage is collected; during it the collector runs as it does for everyone.
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
"""The slow are given one page in so many."""

OURS, OURS_ON_LXML, LINKS = "rehref.rewrite", "rehref.rewrite, lxml core", "rehref.links"
LXML, LOLHTML, ITERLINKS = "lxml make_links_absolute", "lolhtml + urljoin", "lxml iterlinks"
LOLHTML_SRCSET = "lolhtml, srcset too"
TARGETS = {
    PYTHON_DOC: ((OURS, LOLHTML, 10.0), (OURS, LXML, 35.0), (LINKS, ITERLINKS, 8.0), (OURS_ON_LXML, LXML, 2.0)),
    MODERN: ((OURS, LOLHTML, 3.0), (OURS, LOLHTML_SRCSET, 5.0), (OURS, LXML, 10.0), (LINKS, ITERLINKS, 1.5)),
    RUST_DOC: ((OURS, LOLHTML, 4.0), (OURS, LXML, 10.0), (LINKS, ITERLINKS, 4.0)),
}
"""The first at least so many times as fast as the second, by corpus."""


class Page(NamedTuple):
    """A page and where it is said to be from."""

    url: str
    data: bytes


def pages_below(folder: Path, count: int, seed: int = 3986) -> list[Page]:
    """So many pages below a folder, taken at random; none twice, though files may be there under several names."""
    distinct: dict[bytes, Page] = {}
    for path in sorted(folder.rglob("*.html")):
        data = path.read_bytes()
        url = SITE + quote(path.relative_to(folder).as_posix())
        distinct.setdefault(hashlib.sha256(data).digest(), Page(url, data))
    pages = list(distinct.values())
    return random.Random(seed).sample(pages, min(count, len(pages)))


def modern_pages(count: int) -> list[Page]:
    """So many made-up pages."""
    pages = modern.pages(min(count, modern.PAGES))
    return [Page(f"{SITE}en/2024/{number:03}.html", data) for number, data in enumerate(pages, 1)]


def size(pages: Iterable[Page]) -> int:
    return sum(len(page.data) for page in pages)


def compare(found: Sequence[Candidate], pages: Sequence[Page]) -> dict[str, Comparison]:
    """For each that rewrites, what came of the references of these pages."""
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
    """The pages a candidate is given."""
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
    """Seconds for all pages, one figure a round, for each candidate."""
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
    """How many times as fast ours is."""
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
    """One target: `ours` is to be at least `target` times as fast as `other`, and is `ratio` times."""

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
    """The targets of a corpus that can be judged, the other being there."""
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
                written += f", {comparison.differ:,} lead elsewhere or are gone"
            if comparison.relative:
                written += f", {comparison.relative:,} left relative"
        figures = f"{row.pages:>5} {row.megabytes_per_second:>7.1f} {row.ratio:>6.1f} ×  "
        print(f"  {row.name:<26} {row.version:<10} {figures} {written}".rstrip())
    for verdict in judged:
        outcome = "met" if verdict.met else "MISSED"
        print(f"  {verdict.ours}: {verdict.ratio:.2f} × {verdict.other}, ≥ {verdict.target:g}  {outcome}")


def main() -> int:
    parser = argparse.ArgumentParser(description="Time rewriting, beside other libraries.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each corpus (default 5)")
    parser.add_argument(
        "--sample", type=int, default=120, help="pages of each corpus (default 120, as far as there are)"
    )
    parser.add_argument(
        "--corpus", type=Path, action="append", metavar="FOLDER", help="in place of python3.11-doc and rust-doc"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the results there too")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()

    folders = options.corpus or [folder for name in (PYTHON_DOC, RUST_DOC) if (folder := CORPORA / name).is_dir()]
    corpora = {folder.name: pages_below(folder, options.sample) for folder in folders}
    for folder in folders:
        if not corpora[folder.name]:
            print(f"No pages below {folder}.")
            return 2
    if not folders:
        print(f"Nothing is in {CORPORA}; benchmarks/fetch-corpora python3.11-doc rust-doc fetches it.")
    corpora[MODERN] = modern_pages(options.sample)
    found, missing = candidates()
    if "selectolax" in missing:
        print("selectolax is not installed, and nothing can be compared without it.")
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
