"""How long it takes to check a site again when something in it changes: what `rehref check --watch` does.

    scripts/bench watch [FOLDER] [--rounds N] [--json FILE] [--strict]

- The folder is copied, and checked once. Then it is changed, in turn: a page gets one more link; it loses its ids;
  it is removed, and restored; a file is added that nothing leads to; and the page is removed that most others lead to.
  The changed page is the median by the number of pages that lead to it.
- After each change `Rechecker` checks the site again, as for people: with suggestions for new findings, and with the
  new and the repaired findings. In each round a complete check from the beginning must find the same; otherwise
  the benchmark ends with exit 1.
- A figure is seconds of processor time, in one process, the median over the rounds; the first check is shown, too.
- The target is for `python3.11-doc`, and for each kind of change except the last: if all pages lead to the removed
  page, each of them has one more finding, and is read again.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rehref._native import HOW
from rehref.site._checking import check_folder
from rehref.site._grounds.site_context import SiteContext, site_context
from rehref.site.check import Rechecker
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Baseline, CheckResult

CORPUS = Path(__file__).parent / "corpora" / "python3.11-doc"
TARGET = 0.3
"""The most seconds for a change."""
OPTIONS = CheckOptions(jobs=1)
LAST = "top one removed"
SELDOM = 100_000  # how often the command line collects garbage


@dataclass(frozen=True, slots=True)
class Row:
    """The cost of a kind of change: seconds of processor time, and how many documents are read."""

    change: str
    seconds: float
    read: int
    met: bool | None


class Site:
    """A folder to change; `page`: the page that is changed, `top`: the page that most others lead to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.rechecker = Rechecker(self.context)
        self.result, self.first, _ = self.checked()
        table = Counter(target for chunk in self.rechecker._chunks.values() for target in chunk.targets)
        found = [folder / target.lstrip("/") for target, _ in table.most_common()]
        pages = [path for path in found if path.suffix == ".html" and path.is_file()]
        self.top, self.page = pages[0], pages[len(pages) // 2]
        self.text = {page: page.read_bytes() for page in (self.top, self.page)}

    def context(self) -> SiteContext:
        """The context for a check of the folder in its current state."""
        return site_context(self.folder, OPTIONS)

    def checked(self) -> tuple[CheckResult, float, int]:
        """The current findings, the time, and how many documents were read."""
        gc.collect()
        start = time.process_time()
        result = self.rechecker.check(only_new=True)
        return result, time.process_time() - start, len(self.rechecker.read_last)

    def again(self) -> tuple[float, int]:
        """Check again, and find new and repaired findings; the same figures."""
        before = self.result
        self.result, seconds, read = self.checked()
        start = time.process_time()
        list(Baseline.of(before.findings).new_in(self.result.findings))
        list(Baseline.of(self.result.findings).new_in(before.findings))
        return seconds + time.process_time() - start, read

    def is_right(self) -> bool:
        """Whether a check from the beginning finds the same."""
        again, anew = self.rechecker.check(), check_folder(self.context())
        return replace(anew, summary=replace(anew.summary, seconds=again.summary.seconds)) == again

    def changes(self, number: int) -> dict[str, Callable[[], object]]:
        """The kinds of changes."""
        top, page, text = self.top, self.page, self.text
        return {
            "one more link": lambda: page.write_bytes(text[page] + b'<a href="none-%d.html">x</a>' % number),
            "no ids": lambda: page.write_bytes(text[page].replace(b' id="', b' class="')),
            "page removed": page.unlink,
            "page restored": lambda: page.write_bytes(text[page]),
            "another file": (self.folder / f"new-{number}.png").touch,
            LAST: top.unlink,
        }

    def round(self, number: int) -> Iterator[tuple[str, float, int]]:
        """The cost of each change. Afterwards everything is as before, except the added files."""
        for name, change in self.changes(number).items():
            change()
            yield name, *self.again()
        self.top.write_bytes(self.text[self.top])
        self.again()


def measured(folder: Path, rounds: int) -> list[Row] | None:
    """The measurements in a copy of a folder; None if the findings are wrong."""
    figures: dict[str, list[tuple[float, int]]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        shutil.copytree(folder, copy := Path(temporary) / "site", symlinks=True)
        site = Site(copy)
        for number in range(rounds):
            for name, seconds, read in site.round(number):
                figures.setdefault(name, []).append((seconds, read))
            if not site.is_right():
                return None
    rows = [Row("the first check", round(site.first, 3), site.result.summary.documents, None)]
    for name, found in figures.items():
        seconds = round(statistics.median(taken for taken, _ in found), 3)
        rows.append(Row(name, seconds, max(read for _, read in found), None if name == LAST else seconds <= TARGET))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description="Time what it takes to check a site again.")
    parser.add_argument("folder", metavar="FOLDER", type=Path, nargs="?", default=CORPUS, help="default: the corpus")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()

    gc.set_threshold(SELDOM)
    print(f"Python {platform.python_version()} ({HOW}), {options.folder.name}.")
    print(f"Seconds of processor time; the target for a change is at most {TARGET:g}.\n")
    rows = measured(options.folder, options.rounds)
    if rows is None:
        print("checking again and checking from the beginning find different things")
        return 1
    for row in rows:
        verdict = "" if row.met is None else "met" if row.met else "MISSED"
        print(f"  {row.change:<16} {row.seconds:7.3f}  {row.read:6,} read  {verdict}".rstrip())
    if options.json:
        report = {"python": platform.python_version(), "how": HOW, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 1 if options.strict and any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
