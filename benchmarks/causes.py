"""How long it takes to check a site with the same broken links on every page, compared with the same site without any.

    scripts/bench causes [--pages N] [--links N] [--rounds N] [--json FILE] [--strict]

- The site has 150 pages with 300 links each. In the site without broken links, all lead to existing pages. In the
  others, each page has the same 300 broken links: to files that do not exist (`gone`), that are in another folder
  (`moved`), or to fragments that do not exist (`fragments`).
- A figure is the processor time of `rehref check` and all its processes, including the start; the report goes to a
  file. The two sites take turns; the ratio is the median of the ratios within each round. A first turn of each, which
  reads the files into memory, is not counted. Python may keep compiled modules, as it does for installed packages.
- The results are checked: as many errors as there are links, from as many causes as a page has links.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

TARGET = 3.0
"""How many times as long it may take."""
FORMATS = ("text", "json")
KINDS: dict[str, Callable[[int], str]] = {
    "gone": lambda number: f"gone-{number}.html",
    "moved": lambda number: f"old/page-{number}.html",
    "fragments": lambda number: f"page-{number}.html#none",
}


@dataclass(frozen=True, slots=True)
class Row:
    """The measurement: seconds of processor time without and with broken links, and the ratio."""

    kind: str
    format: str
    none: float
    broken: float
    ratio: float
    met: bool


def make_site(folder: Path, pages: int, links: int, reference: Callable[[int], str]) -> Path:
    """A site in which each page has the same links; it has as many pages as links, so that all can be right."""
    folder.mkdir()
    items = "\n".join(f'<li><a href="{reference(number)}">Page {number}</a></li>' for number in range(links))
    for number in range(max(pages, links)):
        listed = f"<ul>\n{items}\n</ul>" if number < pages else "<p>Nothing."
        text = f'<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Page {number}</title>\n{listed}\n'
        (folder / f"page-{number}.html").write_text(text, encoding="utf-8")
    return folder


def seconds(folder: Path, form: str, out: Path) -> float:
    """The processor time of one check."""
    before = os.times()
    command = [*(sys.executable, "-m", "rehref", "check", str(folder), "--quiet", "--no-progress", "--allow-empty")]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [*command, "--format", form, "-o", str(out)], stderr=subprocess.PIPE, check=False, env=environment
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"rehref exited with {done.returncode}: {done.stderr.decode(errors='replace')}")
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def make_sure(report: Path, errors: int, causes: int) -> None:
    """End the benchmark unless a report in JSON has these numbers of errors and causes."""
    found = json.loads(report.read_bytes())
    counted = (found["summary"]["broken"], len(found["causes"]))
    if counted != (errors, causes):
        raise SystemExit(f"{counted[0]} errors from {counted[1]} causes were found, not {errors} from {causes}")


def measured(kind: str, below: Path, pages: int, links: int, rounds: int) -> list[Row]:
    """The rows of one kind of broken links."""
    none = make_site(below / f"{kind}-none", pages, links, lambda number: f"page-{number}.html")
    broken = make_site(below / kind, pages, links, KINDS[kind])
    rows = []
    for form in FORMATS:
        out = below / f"report.{form}"
        pairs = [(seconds(none, form, out), seconds(broken, form, out)) for _ in range(rounds + 1)][1:]
        if form == "json":
            make_sure(out, pages * links, links)
        ratio = statistics.median(with_them / without for without, with_them in pairs)
        without, with_them = (statistics.median(column) for column in zip(*pairs, strict=True))
        rows.append(Row(kind, form, without, with_them, ratio, ratio < TARGET))
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description="Time the same broken links on every page.")
    parser.add_argument("--pages", type=int, default=150, help="pages with links (default 150)")
    parser.add_argument("--links", type=int, default=300, help="links in each (default 300)")
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()
    print(
        f"Python {sys.version.split()[0]}; seconds of processor time; broken links may take {TARGET:g} times as long."
    )
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            for row in measured(kind, Path(folder), options.pages, options.links, options.rounds):
                rows.append(row)
                verdict = "met" if row.met else "MISSED"
                print(
                    f"  {row.kind:<10} {row.format:<5} none {row.none:5.2f}  broken {row.broken:5.2f}"
                    f"  {row.ratio:4.2f} × {verdict}",
                    flush=True,
                )
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", encoding="utf-8")
    return 1 if options.strict and not all(row.met for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
