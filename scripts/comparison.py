"""Measures rehref and other programs, and writes the table of `README.md` that compares them.

- The figures are those of `benchmarks/check.py`, `rewrite.py` and `resolve.py`, which it runs, and those of
  `docs/checkers.md`, which `scripts/checkers` writes.
- Times are processor time. For another program the table says how many times as long it takes: the median of the
  ratios within each round. That ratio is similar on other machines, and while other programs run.
- The table is between two markers; people write the rest of the page.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PAGE, CHECKERS, BENCHMARKS = ROOT / "README.md", ROOT / "docs" / "checkers.md", ROOT / "benchmarks"
BEGIN, END = "<!-- begin: written by scripts/comparison -->\n", "<!-- end -->"
CORPUS, MODERN = "python3.11-doc", "modern"

CHECKED = {"lychee": "lychee", "linkchecker": "LinkChecker", "linkinator": "linkinator"}
"""The columns of `docs/checkers.md`, by their names in the table."""
REWRITERS = {
    "lolhtml + urljoin": "lol-html *with a Python handler*",
    "lxml make_links_absolute": "lxml",
    "html5lib + urljoin": "html5lib",
    "Beautiful Soup + urljoin": "Beautiful Soup",
}
LISTERS = {"lxml iterlinks": "lxml"}
JOINERS = {"ada_url.join_url": "ada-url", "uritools.urijoin": "uritools", "urllib urljoin": "`urljoin`"}


class Figures(NamedTuple):
    """The measurements: the JSON of three benchmarks, and the text of `docs/checkers.md`."""

    check: Sequence[Mapping[str, Any]]
    rewrite: Mapping[str, Any]
    resolve: Mapping[str, Any]
    checkers: str


def number(value: float) -> str:
    """A number with two significant digits: `1.4`, `48`, `330`."""
    if value < 9.95:
        return f"{value:.1f}"
    return f"{round(value, -1 if value >= 100 else 0):.0f}"


def found(page: str) -> dict[str, tuple[int, int, int]]:
    """For each checker, the broken links that it finds and misses, and its false reports; on all sites."""
    heading = next(line for line in page.splitlines() if line.startswith("| site |"))
    total = next(line for line in page.splitlines() if line.startswith("| **all** |"))
    cells = zip(_cells(heading)[2:], _cells(total)[2:], strict=True)
    return {name: tuple(map(int, re.findall(r"\d+", cell))) for name, cell in cells}  # type: ignore[misc]


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip("| ").split("|")]


def correctness(page: str) -> tuple[str, str, str]:
    """The row about broken links."""
    figures = found(page)
    hits, missed, false = figures["rehref"]
    others = (f"{name} {figures[column][0]}, {figures[column][2]}" for column, name in CHECKED.items())
    return f"broken links found, of {hits + missed}; false reports", f"{hits}, {false}", "; ".join(others)


def times(ratios: Mapping[str, float], names: Mapping[str, str]) -> str:
    """How many times as long the others take, the fastest first."""
    known = sorted((ratio, names[name]) for name, ratio in ratios.items() if name in names)
    return ", ".join(f"{name} {number(ratio)} ×" for ratio, name in known)


def checking(figures: Sequence[Mapping[str, Any]]) -> tuple[str, str, str]:
    """The row about the time and memory of a check."""
    by_name = {figure["candidate"]: figure for figure in figures}
    ours, other = by_name["rehref"], by_name["lychee"]
    memory = number(other["memory"] / ours["memory"])
    return (
        "check 530 pages, with fragments",
        f"{ours['cpu']:.1f} s, {ours['memory'] / 1e6:.0f} MB",
        f"lychee {number(other['cpu_ratio'])} ×, {memory} × the memory",
    )


def pages(corpus: Mapping[str, Any], ours: str, names: Mapping[str, str]) -> tuple[str, str]:
    """Our speed on the pages of a corpus, and how many times as long others take."""
    rows = {row["name"]: row for row in corpus["candidates"]}
    speed = f"{number(rows[ours]['megabytes_per_second'])} MB/s"
    return speed, times({name: row["ratio"] for name, row in rows.items()}, names)


def resolving(report: Mapping[str, Any]) -> tuple[str, str, str]:
    """The row about single references, from the workload in which all differ."""
    title = next(title for title in report["workloads"] if "unique" in title)
    rows = {row["name"]: row for row in report["workloads"][title]}
    ratios = {name: 1 / row["ratio"] for name, row in rows.items()}
    return "resolve a reference", f"{rows['rehref.Resolver']['nanoseconds']:.0f} ns", times(ratios, JOINERS)


def table(figures: Figures) -> str:
    """The table, from the measurements."""
    corpora, rewriting = figures.rewrite["corpora"], "`scripts/bench rewrite`"
    rows = [
        ("", "rehref", "others", "measured by"),
        ("---", "---", "---", "---"),
        (*correctness(figures.checkers), "`scripts/checkers`"),
        (*checking(figures.check), "`scripts/bench check`"),
        ("make links absolute: 120 manual pages", *pages(corpora[CORPUS], "rehref.rewrite", REWRITERS), rewriting),
        ("the same: 60 modern pages", *pages(corpora[MODERN], "rehref.rewrite", REWRITERS), rewriting),
        ("list links: 120 manual pages", *pages(corpora[CORPUS], "rehref.links", LISTERS), rewriting),
        (*resolving(figures.resolve), "`scripts/bench resolve`"),
    ]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def written(page: str, text: str) -> str:
    """The page with this table between the markers. Raises `ValueError` if there are no markers."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{text}{END}{after}"


def measured(name: str, *arguments: str) -> Any:
    """The JSON of a benchmark; its report for people goes to standard error."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.json")
        command = [sys.executable, str(BENCHMARKS / f"{name}.py"), *arguments, "--json", str(report)]
        subprocess.run(command, check=True, stdout=sys.stderr)
        return json.loads(report.read_text(encoding="utf-8"))


def main() -> None:
    """Measure, write the table and print it."""
    parser = argparse.ArgumentParser(description="Measure rehref and other programs, and write the table of README.md.")
    parser.add_argument("--lychee", required=True, metavar="FILE", help="the program")
    parser.add_argument("--corpora", type=Path, default=BENCHMARKS / "corpora", metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    rounds = ("--rounds", str(given.rounds))
    corpus = str(given.corpora / CORPUS)
    figures = Figures(
        measured("check", corpus, "--lychee", given.lychee, *rounds),
        measured("rewrite", "--corpus", corpus, *rounds),
        measured("resolve", *rounds),
        CHECKERS.read_text(encoding="utf-8"),
    )
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8"), table(figures)), encoding="utf-8")
    print(table(figures), end="")


if __name__ == "__main__":
    main()
