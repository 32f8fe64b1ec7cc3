"""Builds sites with the generators of `fixtures/generators`, checks them, and writes the results into
`docs/checkers-generators.md`.

- A first run has no options: `rehref check SITE`. All links of a built site work, so every error is false.
  Warnings are counted, but not in the table.
- Ten mistakes are planted in a copy (`tests/built/planting.py`), which is checked without options again. A finding
  is compared by its document and reference; every other error is false.
- lychee checks the same copy, at its path in the folder of its host, with options that say where that is: without them
  it finds almost nothing on a site with a base path. It also reads `script`, `pre` and `code`, which it skips
  otherwise. `OPTIONS` are those of `generators.json`.
- A site that cannot be built is reported as skipped, with the reason, and nothing is written.
- If rehref misses a mistake, or reports a link that is not broken, the script prints that, writes nothing, and the
  exit code is 1.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from built.building import Generator, NotBuiltError, build, generators
from built.planting import Planted, plant

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "checkers-generators.md"
BEGIN, END = "<!-- begin: written by scripts/generators -->", "<!-- end -->"
SECONDS = 120
LYCHEE = (
    "lychee --offline --include-fragments=full --include-verbatim --index-files index.html --root-dir WWW"
    " --remap 'ORIGIN/ file://WWW/' --no-progress --format json OPTIONS SITE"
)


class Score(NamedTuple):
    """The result of a checker: mistakes found and missed, and false reports."""

    found: int
    missed: Sequence[str]
    false: Sequence[str]

    def __str__(self) -> str:
        return f"{self.found} / {len(self.missed)} / {len(self.false)}"


class Row(NamedTuple):
    """The result of one generator: documents, links, errors and warnings of the first run, and the scores."""

    generator: Generator
    documents: int
    links: int
    errors: Sequence[str]
    warnings: int
    rehref: Score
    lychee: Score | None


def run(words: Sequence[str], folder: Path) -> str:
    """The output of a checker. Raises `RuntimeError` if there is none."""
    done = subprocess.run(words, capture_output=True, cwd=folder, timeout=SECONDS, check=False, encoding="utf-8")
    if not done.stdout.startswith("{"):
        raise RuntimeError(f"{shlex.join(words)}: {done.stderr or done.stdout}")
    return done.stdout


def checked(site: Path) -> dict[str, object]:
    """The report of `rehref check` without options."""
    words = [sys.executable, "-m", "rehref", "check", str(site), "--format", "json", "--no-progress"]
    return json.loads(run(words, site.parent))  # type: ignore[no-any-return]


def errors_of(report: Mapping[str, object]) -> list[tuple[str, str]]:
    """The document and the reference of each error."""
    problems = report["problems"]
    assert isinstance(problems, list)
    return [(each["document"], each["reference"] or "") for each in problems if each["severity"] == "error"]


def lychee_errors(site: Path, www: Path, generator: Generator) -> list[tuple[str, str]]:
    """The document and the path and fragment of each link that lychee calls broken."""
    uri = urlsplit(generator.url)
    values = {"SITE": str(site), "WWW": str(www), "ORIGIN": f"{uri.scheme}://{uri.netloc}"}
    words: list[str] = []
    for word in shlex.split(LYCHEE):
        replaced = re.sub(r"\b(?:SITE|WWW|ORIGIN)\b", lambda found: values[found[0]], word)
        words += generator.lychee if word == "OPTIONS" else [replaced]
    report = json.loads(run(words, www))
    found = []
    for where, links in [*report["error_map"].items(), *report.get("timeout_map", {}).items()]:
        document = Path(where).relative_to(site).as_posix()
        found += [(document, place_of(link["url"], www)) for link in links]
    return found


def place_of(uri: str, www: Path | None = None) -> str:
    """The path and fragment of a URI, decoded, without the folder of the host.

    A slash at the end of the path is left out, as lychee does.
    """
    parts = urlsplit(uri)
    path = unquote(parts.path)
    if www is not None:  # on a host, ".." ends at the root
        path = path.removeprefix(str(www)).removeprefix(str(www.parent))
    path = path.rstrip("/")
    return f"{path}#{unquote(parts.fragment)}" if parts.fragment else path


def score(reports: Iterable[tuple[str, str]], planted: Mapping[tuple[str, str], Planted]) -> Score:
    """Compare reports with the planted mistakes; each counts once in a document."""
    reported = set(reports)
    missed = [f"{one.kind}: {one.document} {one.reference}" for key, one in planted.items() if key not in reported]
    false = sorted(" ".join(report) for report in reported if report not in planted)
    return Score(len(planted) - len(missed), missed, false)


def row_of(generator: Generator, *, with_lychee: bool) -> Row:
    """Build a site, check it, break it, and check it again. Raises `NotBuiltError`, `RuntimeError`."""
    site = build(generator)
    first = checked(site)
    summary = first["summary"]
    assert isinstance(summary, dict)
    with tempfile.TemporaryDirectory() as folder:
        www = Path(folder).resolve() / "www"
        copy = www / urlsplit(generator.url).path.strip("/")
        shutil.copytree(site, copy)
        planted = plant(copy, generator.url)
        ours = score(errors_of(checked(copy)), {(one.document, one.reference): one for one in planted})
        theirs = None
        if with_lychee:
            known = {(one.document, place_of(one.target)): one for one in planted}
            theirs = score(lychee_errors(copy, www, generator), known)
    errors = [" ".join(each) for each in errors_of(first)]
    return Row(generator, summary["documents"], summary["links"], errors, summary["warnings"], ours, theirs)


def text(rows: Sequence[Row]) -> str:
    """All results, in Markdown."""
    lines = [
        "| generator | version | documents | links | errors of a first run | rehref | lychee |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in rows:
        name = f"[{row.generator.title}](../fixtures/generators/{row.generator.source})"
        figures = (row.documents, row.links, len(row.errors), row.rehref, row.lychee)
        lines.append(f"| {name} | {row.generator.version} | {' | '.join(map(str, figures))} |")
    sums = [total([row.rehref for row in rows]), total([row.lychee for row in rows if row.lychee is not None])]
    errors = sum(len(row.errors) for row in rows)
    lines.append(f"| **all** | | | | **{errors}** | **{sums[0]}** | **{sums[1]}** |")
    return "\n".join(lines) + f"\n\nrehref: `rehref check SITE`; lychee: `{LYCHEE}`."


def total(scores: Sequence[Score]) -> str:
    """The sum of scores."""
    return " / ".join(
        str(sum(figures))
        for figures in zip(*((each.found, len(each.missed), len(each.false)) for each in scores), strict=True)
    )


def replaced(page: str, new: str) -> str:
    """The page with a new text between its comments."""
    before, begin, rest = page.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} does not have the comments {BEGIN} and {END}")
    return f"{before}{begin}\n{new}\n{end}{after}"


def tell(row: Row) -> None:
    """Print the result of a generator."""
    print(
        f"{row.generator.title}: {row.documents} documents, {row.links} links; first run: {len(row.errors)} errors, "
        f"{row.warnings} warnings; planted: {row.rehref} (lychee: {row.lychee or 'not run'})",
        file=sys.stderr,
        flush=True,
    )
    ours = [
        ("rehref, first run", row.errors),
        ("rehref, missed", row.rehref.missed),
        ("rehref, false", row.rehref.false),
    ]
    theirs = [("lychee, missed", row.lychee.missed), ("lychee, false", row.lychee.false)] if row.lychee else []
    for what, each in (*ours, *theirs):
        for one in each:
            print(f"  {what}\t{one}", file=sys.stderr)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, check, and write the table; return the exit code."""
    parser = ArgumentParser(
        description="Builds sites with generators, checks them, and writes docs/checkers-generators.md."
    )
    parser.add_argument("generators", nargs="*", help="only the generators with these names; write nothing")
    parser.add_argument("--check", action="store_true", help="run only rehref, and write nothing")
    parser.add_argument("--pypi", action="store_true", help="only the generators from PyPI; write nothing")
    options = parser.parse_args(arguments)
    known = generators()
    unknown = [name for name in options.generators if name not in known]
    if unknown:
        print(f"generators: {unknown[0]} is not one of {', '.join(known)}", file=sys.stderr)
        return 2
    chosen = [known[name] for name in options.generators] or list(known.values())
    chosen = [each for each in chosen if each.is_from_pypi or not options.pypi]
    rows: list[Row] = []
    for generator in chosen:
        try:
            rows.append(row_of(generator, with_lychee=not options.check))
            tell(rows[-1])
        except NotBuiltError as error:
            print(f"{generator.title}: skipped: {error}", file=sys.stderr)
        except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
            print(f"generators: {generator.title}: {error}", file=sys.stderr)
            return 2
    if any(row.errors or row.rehref.missed or row.rehref.false for row in rows):
        print("generators: rehref is wrong; nothing is written", file=sys.stderr)
        return 1
    if len(rows) == len(known) and not options.check:
        PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), text(rows)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
