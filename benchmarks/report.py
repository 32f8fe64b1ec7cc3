"""How long it takes to make the page of `rehref check --format html`, and to open, filter and sort it.

    scripts/bench report [--findings N] [--rounds N] [--json FILE] [--strict]

- There are two pages: that of a check of `rust-doc`, and a generated one with `--findings` findings.
- A headless Chromium opens each. Opening lasts from the request to the end of the page's script; filtering, sorting
  and changing the view last from the change of the field until the layout is done, measured inside the page. A figure
  is the median over the rounds, in milliseconds.
- The target is for the page of `rust-doc`: each takes less than a second.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/browser")]

import chromium  # noqa: E402 -- it is found there
import devtools  # noqa: E402
from toolbar import change, opened  # noqa: E402

from made_report import made_lines, made_report  # noqa: E402
from rehref.reports._findings.findings_html import html  # noqa: E402
from rehref.reports.formats import Presentation  # noqa: E402
from rehref.site._checking import check_folder  # noqa: E402
from rehref.site._grounds.site_context import site_context  # noqa: E402
from rehref.site._pages.reading_site_pages import SourceLines  # noqa: E402
from rehref.site.check_options import CheckOptions  # noqa: E402
from rehref.site.findings import CheckResult, LineOf  # noqa: E402

CORPUS = ROOT / "benchmarks/corpora/rust-doc/usr/share/doc/rust-doc/html"
TARGET = 1_000.0
"""The most milliseconds, for each."""


@dataclass(frozen=True, slots=True)
class Row:
    """The times for a page: seconds to make it; milliseconds to open, filter and sort it, and to show it by page."""

    page: str
    findings: int
    megabytes: float
    made: float
    opened: float
    filtered: float
    sorted: float
    by_page: float
    met: bool | None


def measured(tab: devtools.Tab, name: str, result: CheckResult, line_of: LineOf, word: str, rounds: int) -> Row:
    """A page, measured."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.html")
        began = time.perf_counter()
        file.write_text("".join(html(result, Presentation(line_of=line_of))), encoding="utf-8")
        made = time.perf_counter() - began
        took: dict[str, list[float]] = {"opened": [], "filtered": [], "sorted": [], "by_page": []}
        for _ in range(rounds):
            tab.look()
            tab.open("about:blank")
            tab.open(file.as_uri())
            took["opened"].append(opened(tab))
            took["filtered"].append(change(tab, "text", word))
            change(tab, "text", "")
            took["sorted"].append(change(tab, "sort", "name"))
            took["by_page"].append(change(tab, "view", "pages"))
        medians = {each: statistics.median(times) for each, times in took.items()}
        met = all(each < TARGET for each in medians.values()) if name == "rust-doc" else None
        return Row(name, len(result.findings), file.stat().st_size / 1e6, made, **medians, met=met)


def main() -> int:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--findings", type=int, default=50_000, help="findings of the generated page")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--strict", action="store_true", help="exit 1 if the target is missed")
    arguments = parser.parse_args()
    program = chromium.find_chromium()
    if program is None:
        print("Chromium is not installed.", file=sys.stderr)
        return 2
    rows = []
    with tempfile.TemporaryDirectory() as folder, devtools.browser(program, 9, Path(folder)) as browser:
        tab = devtools.Tab(browser)
        if CORPUS.is_dir():
            context = site_context(CORPUS, CheckOptions())
            lines = SourceLines(context)
            rows.append(measured(tab, "rust-doc", check_folder(context), lines, "struct", arguments.rounds))
        report = made_report(arguments.findings)
        rows.append(measured(tab, "made", report, made_lines(report), "theme_3", arguments.rounds))
    print("page       findings     MB   made s  opened ms  filtered ms  sorted ms  by page ms")
    for row in rows:
        print(
            f"{row.page:9} {row.findings:9,} {row.megabytes:6.1f} {row.made:8.1f} {row.opened:10.0f} "
            f"{row.filtered:12.0f} {row.sorted:10.0f} {row.by_page:11.0f}"
            + ("" if row.met is None else "  target met" if row.met else "  target missed")
        )
    if arguments.json is not None:
        arguments.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")
    return 1 if arguments.strict and any(row.met is False for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
