"""Runs link checkers on the sites of `fixtures/sites`, and writes the results into `docs/checkers.md`.

- `expected.json` beside a site says where it is on the web, which links are broken, and which options each checker
  gets. What all sites have in common is in `COMMANDS`.
- A checker that reads folders gets a copy of the site, at its path in the folder of the host. A checker that sends
  requests gets a proxy (`fixtures/sites/serve.py`, which Python must find), which serves only this host. Nothing
  leaves the machine.
- A broken link is found if the checker reports it, whatever the reason in the report. Reports have a URL, and seldom
  the reference: the reference of the document that has most of the URL's end counts. If the report names another
  document, but the URL is that of a broken link, that link is found nevertheless.
- A report of a link that is not broken is false; each counts once in a document.
- If rehref misses a broken link, or reports a false one, the script prints that, writes nothing, and the exit code
  is 1. With `--check` only rehref runs, and 1 means that its figures are not those of the page.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit
from xml.etree import ElementTree

from serve import HOST, SITES, Site, respond, serve

import rehref

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "checkers.md"
BEGIN, END = "<!-- begin: written by scripts/checkers -->", "<!-- end -->"
CONFIG = "[checking]\nmaxrequestspersecond=1000\n[AnchorCheck]\n"
"""LinkChecker's configuration: at the speed of this machine, and with the check of fragments."""
SECONDS = 60

COMMANDS: Mapping[str, str] = {
    "rehref": "rehref check SITE --format json OPTIONS",
    "lychee": (
        "lychee --offline --include-fragments=full --index-files index.html --root-dir WWW"
        f" --remap 'http://{HOST}/ file://WWW/' --no-progress --format json OPTIONS WWW"
    ),
    "lychee, HTTP": (
        "lychee --include-fragments=full --max-retries 0 --host-request-interval 1ms --no-progress --format json"
        " OPTIONS PAGES"
    ),
    "linkchecker": "linkchecker --config CONFIG --check-extern --no-robots --no-status --output xml/utf-8 OPTIONS URI",
    "linkinator": "linkinator URI --recurse --check-css --check-fragments --format json --verbosity error OPTIONS",
}
"""The command of each. SITE: the folder of the site. WWW: the folder of the host. PAGES: the URIs of all pages. URI:
that of the site. OPTIONS: those in `expected.json`."""

VERSIONS = {
    "lychee": ["lychee", "--version"],
    "linkchecker": ["linkchecker", "--version"],
    "linkinator": ["linkinator", "--version"],
}


class Report(NamedTuple):
    """A link that a checker calls broken: its document (a path, or a URI), its target, and the reference as written."""

    where: str
    uri: str
    written: str | None = None


class Score(NamedTuple):
    """The result of one checker on one site."""

    found: int
    missed: tuple[str, ...]
    false: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.found} / {len(self.missed)} / {len(self.false)}"


def from_rehref(output: str) -> Iterator[Report]:
    """The links that rehref calls broken."""
    for problem in json.loads(output)["problems"]:
        if problem["severity"] == "error":
            yield Report(problem["document"], problem["target"] or "", problem["reference"])


def from_lychee(output: str) -> Iterator[Report]:
    """The links that lychee calls broken."""
    read = json.loads(output)
    for failed in (read["error_map"], read.get("timeout_map", {})):
        for where, links in failed.items():
            for link in links:
                yield Report(where, link["url"])


def from_linkchecker(output: str) -> Iterator[Report]:
    """The links that LinkChecker calls broken, or warns about because of a missing fragment."""
    for link in ElementTree.fromstring(output).iter("urldata"):
        warned = any((warning.text or "").startswith("Anchor ") for warning in link.iter("warning"))
        if warned or link.findtext("valid") == "0":
            yield Report(link.findtext("parent", ""), link.findtext("realurl", ""), link.findtext("url"))


def from_linkinator(output: str) -> Iterator[Report]:
    """The links that linkinator calls broken."""
    for link in json.loads(output)["links"]:
        if link["state"] == "BROKEN":
            yield Report(link.get("parent", ""), link["url"])


READERS: Mapping[str, Callable[[str], Iterator[Report]]] = {
    "rehref": from_rehref,
    "lychee": from_lychee,
    "lychee, HTTP": from_lychee,
    "linkchecker": from_linkchecker,
    "linkinator": from_linkinator,
}


def run(checker: str, site: Site, folder: Path) -> list[Report]:
    """Run a checker on a site; `folder`: an empty one. Raises `RuntimeError` if its output cannot be understood."""
    www = folder / "www"
    copy = www / urlsplit(site.uri).path.strip("/")
    shutil.copytree(site.folder, copy, dirs_exist_ok=True)
    config = folder / "linkcheckerrc"
    config.write_text(CONFIG, encoding="ascii")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)  # LinkChecker changes to another user if root runs it
    words: list[str] = []
    for word in shlex.split(COMMANDS[checker]):
        if word == "OPTIONS":
            words += site.options[checker]
        elif word == "PAGES":
            words += [site.uri + quote(page) for page in site.pages]
        else:
            for name, value in (("SITE", copy), ("WWW", www), ("CONFIG", config), ("URI", site.uri)):
                word = re.sub(rf"\b{name}\b", str(value), word)
            words.append(word)
    with serve(site) as proxy:
        names = ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY")
        environment = {**os.environ, **dict.fromkeys(names, proxy), "no_proxy": "", "NO_PROXY": ""}
        if checker == "rehref":
            words[:1] = [sys.executable, "-m", "rehref"]
        done = subprocess.run(
            words, capture_output=True, env=environment, cwd=folder, timeout=SECONDS, check=False, encoding="utf-8"
        )
    try:
        return [_located(report, site, copy) for report in READERS[checker](done.stdout)]
    except (ValueError, KeyError, ElementTree.ParseError) as error:
        raise RuntimeError(f"{shlex.join(words)}: {error}\n{done.stderr or done.stdout}") from error


def scored(checker: str, site: Site, *, show: bool) -> Score:
    """Run a checker on a site, and score it; `show`: print what it misses, and its false reports."""
    with tempfile.TemporaryDirectory() as folder:
        score = judge(run(checker, site, Path(folder).resolve()), site)
    for what, links in (("missed", score.missed), ("false", score.false)):
        for each in links if show else ():
            print(f"{checker}\t{site.name}\t{what}\t{each}", file=sys.stderr)
    return score


def _document(site: Site, where: str) -> str:
    """The page that a checker means by a URI."""
    for _ in range(20):
        answer = respond(site, urlsplit(urljoin(site.uri, where)).path)
        if answer.location is None:
            return answer.file or where
        where = answer.location
    return where


@cache
def _references(page: Path) -> frozenset[str]:
    """The references in a page; an empty set if the page does not exist."""
    return frozenset(link.reference for link in rehref.links(page)) if page.is_file() else frozenset()


def _located(report: Report, site: Site, copy: Path) -> Report:
    """The report with the path of its document within the site."""
    where = report.where
    if where.startswith(str(copy)):
        return report._replace(where=Path(where).relative_to(copy).as_posix())
    return report if where in site.files else report._replace(where=_document(site, where))


def judge(reports: Iterable[Report], site: Site) -> Score:
    """Compare reports with the broken links."""
    found: set[tuple[str, str]] = set()
    false: set[tuple[str, str]] = set()
    for report in reports:
        meant = _meant(report, site)
        if meant in site.broken:
            found.add(meant)
        else:
            false.add((report.where, meant[1] or report.uri))
    missed = sorted(site.broken - found)
    return Score(len(found), tuple(map(" ".join, missed)), tuple(map(" ".join, sorted(false))))


def _meant(report: Report, site: Site) -> tuple[str, str]:
    """The document and the reference that a report is about; "" if no reference fits."""
    references = _references(site.folder / report.where)
    if report.written is not None and report.written.strip() in references:
        return report.where, report.written.strip()
    reference = _like(report.uri, references, _end) or _like(report.uri, references, _bare_end)
    if reference == "" and report.uri in site.targets:
        return site.targets[report.uri]
    return report.where, reference or _like(report.uri, references, _page_end)


def _like(uri: str, references: Iterable[str], end: Callable[[str], str]) -> str:
    """The reference that shares most of the end of a URI; "" if none does."""
    whole = "/" + end(uri)
    sizes = [(len(end(reference)), reference) for reference in references if whole.endswith(end(reference))]
    return max(((size, each) for size, each in sizes if size and _begins_name(whole, size)), default=(0, ""))[1]


def _begins_name(uri: str, size: int) -> bool:
    """Whether that many characters at the end of a URI are whole names."""
    return uri[-size] in "#?" or uri[-size - 1] in "/#?"


def _end(reference: str) -> str:
    """A reference without its scheme, host and leading dot segments."""
    return re.sub(r"^(?:\w+:)?(?://[^/]*)?(?:\.{0,2}/)*", "", unquote(reference))


def _bare_end(reference: str) -> str:
    """The same without a slash at the end of the path, which some checkers leave out."""
    return re.sub(r"/+(?=#|$)", "", _end(reference))


def _page_end(reference: str) -> str:
    """The same without a fragment, which some leave out if there is no such page."""
    return _bare_end(reference.partition("#")[0])


def versions() -> Mapping[str, str]:
    """The versions of the other checkers."""
    said = {
        name: subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout
        for name, command in VERSIONS.items()
    }
    return {name: re.search(r"\d+(?:\.\d+)+", text)[0] for name, text in said.items()}  # type: ignore[index]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ("---",) * len(heads), *rows))


def totals(scores: Iterable[Score]) -> str:
    """The sum of scores."""
    each = [(score.found, len(score.missed), len(score.false)) for score in scores]
    return "**" + " / ".join(str(sum(column)) for column in zip(*each, strict=True)) + "**"


def text(sites: Sequence[Site], scores: Mapping[str, Mapping[str, Score]]) -> str:
    """All results, in Markdown; `scores`: by checker and site."""
    rows = []
    for site in sites:
        figures = [str(of_sites[site.name]) for of_sites in scores.values()]
        rows.append((f"[{site.name}](../fixtures/sites/{site.name})", str(len(site.broken)), *figures))
    broken = sum(len(site.broken) for site in sites)
    last = ("**all**", f"**{broken}**", *(totals(of_sites.values()) for of_sites in scores.values()))
    said = versions()
    commands = [
        (checker, said.get(checker.partition(",")[0], "this one"), f"`{command}`")
        for checker, command in COMMANDS.items()
    ]
    main = table(("site", "broken", *scores), [*rows, last])
    return f"{main}\n\n{table(('checker', 'version', 'command'), commands)}"


def replaced(page: str, new: str) -> str:
    """The page with a new text between its comments."""
    before, begin, rest = page.partition(f"{BEGIN}\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE.name} does not have the comments {BEGIN} and {END}")
    return f"{before}{begin}\n{new}\n{end}{after}"


def says(page: str, site: Site, score: Score) -> bool:
    """Whether the page has these figures of rehref, in its row of a site."""
    row = re.search(rf"^\| \[{re.escape(site.name)}\]\([^)]*\) \| (\d+) \| ([\d /]+) \|", page, re.MULTILINE)
    return row is not None and row.groups() == (str(len(site.broken)), str(score))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or check it; return the exit code."""
    parser = ArgumentParser(
        description="Runs link checkers on fixtures/sites, and writes the tables of docs/checkers.md."
    )
    parser.add_argument("--check", action="store_true", help="run rehref only, and write nothing; exit 1 if it differs")
    parser.add_argument("--list", action="store_true", help="print missed links and false reports")
    options = parser.parse_args(arguments)
    sites = [Site.read(path.parent.name) for path in sorted(SITES.glob("*/expected.json"))]
    scores: dict[str, dict[str, Score]] = {}
    try:
        for checker in ("rehref",) if options.check else COMMANDS:
            scores[checker] = {
                site.name: scored(checker, site, show=options.list or checker == "rehref") for site in sites
            }
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"checkers: {error}", file=sys.stderr)
        return 2
    if any(score.missed or score.false for score in scores["rehref"].values()):
        print("checkers: rehref is wrong; nothing is written", file=sys.stderr)
        return 1
    old = PAGE.read_text(encoding="utf-8")
    if options.check:
        if all(says(old, site, scores["rehref"][site.name]) for site in sites):
            return 0
        print(f"checkers: {PAGE.relative_to(ROOT)} is not up to date; scripts/checkers writes it", file=sys.stderr)
        return 1
    PAGE.write_text(replaced(old, text(sites, scores)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
