"""Whether the laws of rewriting hold on every page below some folders.

    scripts/bench laws [--jobs N] [FOLDER…]        without a folder: the corpora of benchmarks/fetch-corpora

Each page is read as bytes by the `source` core:

- Identity: a rule that changes nothing returns the page unchanged, byte for byte.
- Locality: when the page is made absolute, all bytes between the values of its links stay the same, and
  so do the values of links that did not change. (A value may have got quotes, or `=` and quotes.)
- Agreement: the page made absolute has the same targets, link by link; a changed reference is written as
  its target, and one that is still relative leads to the page itself, or is only reported.
- Idempotence: making a page absolute twice gives the same as once.
- Base: if a short pattern finds a `<base href>`, every link has it as its base, resolved as the standard
  library resolves, with its line and column; otherwise the base is the page's own URI. The pattern
  only works for well-formed pages, like those of the corpora; --skip-base skips this law for others.
- No page raises an exception.

The benchmark prints what was read, and each violation. Exit 1 if there is any, or if there was no link at all.
"""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import quote, urljoin

import rehref
from rehref import Link

CORPORA = Path(__file__).resolve().parent / "corpora"
SITE = "https://corpus.example/"
SUFFIXES = {".html", ".htm", ".xhtml"}
REPORTED_ONLY = ("fragment", "metadata", "namespace")
"""Kinds of links that rewriting leaves as they are."""
SCHEME = re.compile(r"[a-z][a-z0-9+.\-\t\r\n]*:", re.IGNORECASE)
"""A scheme, with what is removed from references before they are read still in it."""
QUOTES = (b'"', b"'")
SHOWN = 20
"""How many violations are printed in full."""

# For well-formed pages, like those of the corpora: the first <base> outside of comments and scripts
_BASE = re.compile(
    rb"""<!--.*?--> | <script\b.*?</script> | (?P<tag><base\b[^>]*?\bhref\s*=\s*["'](?P<href>[^"']*)["'][^>]*>)""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)


@dataclass(slots=True)
class Outcome:
    """The result for one page, or for all pages of a folder."""

    pages: int = 0
    size: int = 0
    """In bytes."""
    links: int = 0
    changed: int = 0
    bases: Counter[str] = field(default_factory=Counter)
    """How often each base tag was found; "" for none."""
    violations: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Add the counts of another one."""
        self.pages += other.pages
        self.size += other.size
        self.links += other.links
        self.changed += other.changed
        self.bases += other.bases
        self.violations += other.violations


def leave(_link: Link) -> None:
    """Change nothing: the rule of the identity law."""


def identity(data: bytes, url: str) -> Iterator[str]:
    """Law 1."""
    if rehref.rewrite(data, leave, url=url, parser="source") != data:
        yield "identity: a rule that changes nothing changed the page"


def locality(data: bytes, out: bytes, before: list[Link], after: list[Link]) -> Iterator[str]:
    """Law 2. The links of both, in the order of the source, cut both pages into the same number of pieces."""
    at = new_at = 0
    for old, new in zip(before, after, strict=True):
        where = f"{old.reference!r} at {old.line}:{old.column}"
        if old.span is None or new.span is None:
            yield f"locality: no span for {where}"
            return
        (start, end), (new_start, new_end) = old.span, new.span
        if old.reference == new.reference and data[start:end] != out[new_start:new_end]:
            yield f"locality: {where} did not change, its bytes did"
        if data[start - 1 : start] not in QUOTES and out[new_start - 1 : new_start] in QUOTES:
            new_start -= 1
            if out[new_start - 1 : new_start] == b"=" and data[start - 1 : start] != b"=":
                new_start -= 1
        if data[end : end + 1] not in QUOTES and out[new_end : new_end + 1] in QUOTES:
            new_end += 1
        if data[at:start] != out[new_at:new_start]:
            yield f"locality: other bytes before {where}"
        at, new_at = end, new_end
    if data[at:] != out[new_at:]:
        yield "locality: other bytes after the last link"


def agreement(before: list[Link], after: list[Link]) -> Iterator[str]:
    """Law 3."""
    for old, new in zip(before, after, strict=True):
        where = f"{old.reference!r} at {old.line}:{old.column}"
        if new.target != old.target:
            yield f"agreement: {where} led to {old.target}, now to {new.target}"
        if new.reference not in (old.reference, old.target):
            yield f"agreement: {where} should become {old.target}, but became {new.reference!r}"
        relative = SCHEME.match(new.reference) is None
        if relative and old.target is not None and not old.same_document and old.kind not in REPORTED_ONLY:
            yield f"agreement: {where} stayed as it was, and is not absolute"


def base(data: bytes, url: str, links: list[Link]) -> tuple[str, list[str]]:
    """Law 5: the tag of the base, "" without one, and the violations."""
    found = next((match for match in _BASE.finditer(data) if match["tag"]), None)
    if found is None:
        expected = (url, "retrieval")
        position = written = ""
    else:
        written = found["tag"].decode()
        expected = (urljoin(url, found["href"].decode()), "embedded")
        line_start = data.rfind(b"\n", 0, found.start()) + 1
        line = data.count(b"\n", 0, line_start) + 1
        column = len(data[line_start : found.start()].decode()) + 1
        position = f" at {line}:{column}"
    violations = [
        f"base: {link.reference!r} at {link.line}:{link.column} has {link.base}, not {expected}{position}"
        for link in links
        if link.kind != "base"  # a base element's own href is relative to the next layer
        and ((link.base.uri, link.base.origin) != expected or not str(link.base.where).endswith(position))
    ]
    return written, violations


def examine(data: bytes, url: str, *, skip_base: bool = False) -> Outcome:
    """Check the laws on one page."""
    outcome = Outcome(pages=1, size=len(data))
    before = rehref.links(data, url=url, parser="source")
    out = rehref.rewrite(data, rehref.Absolute(), url=url, parser="source")
    after = rehref.links(out, url=url, parser="source")
    outcome.links = len(before)
    outcome.violations += identity(data, url)
    if len(before) == len(after):
        outcome.changed = sum(old.reference != new.reference for old, new in zip(before, after, strict=True))
        outcome.violations += locality(data, out, before, after)
        outcome.violations += agreement(before, after)
    else:
        outcome.violations.append(f"agreement: {len(before)} links before, {len(after)} after")
    if rehref.rewrite(out, rehref.Absolute(), url=url, parser="source") != out:
        outcome.violations.append("idempotence: made absolute again, it changed again")
    if not skip_base:
        written, violations = base(data, url, before)
        outcome.bases[written] += 1
        outcome.violations += violations
    return outcome


def examine_file(page: tuple[Path, str], *, skip_base: bool = False) -> Outcome:
    """Check the laws, law 6 too, on one file, as if retrieved from the URL."""
    path, url = page
    try:
        outcome = examine(path.read_bytes(), url, skip_base=skip_base)
    except Exception as error:  # law 6: no exception
        outcome = Outcome(pages=1, violations=[f"raised {type(error).__name__}: {error}"])
    outcome.violations = [f"{path}: {violation}" for violation in outcome.violations]
    return outcome


def pages(folder: Path) -> list[tuple[Path, str]]:
    """The pages below a folder, each with a URL; a page that is a link to another one is left out."""
    return [
        (path, SITE + quote(path.relative_to(folder.parent).as_posix()))
        for path in sorted(folder.rglob("*"))
        if path.suffix.lower() in SUFFIXES and path.is_file() and not path.is_symlink()
    ]


def show(name: str, outcome: Outcome, seconds: float) -> None:
    megabytes = outcome.size / 1e6
    print(
        f"{name}: {outcome.pages:,} pages, {megabytes:.1f} MB, {outcome.links:,} links,"
        f" {outcome.changed:,} made absolute, {len(outcome.violations):,} violations ({seconds:.1f} s)"
    )
    for written, count in outcome.bases.most_common(5):
        print(f"  {count:>6,} × {written or 'no base'}")
    for violation in outcome.violations[:SHOWN]:
        print(f"  {violation}")
    if len(outcome.violations) > SHOWN:
        print(f"  and {len(outcome.violations) - SHOWN:,} more")


def main() -> int:
    parser = argparse.ArgumentParser(description="Hold every page below the folders to the laws of rewriting.")
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="default: the corpora")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--skip-base", action="store_true", help="leave out law 5, for pages that are not well-formed")
    options = parser.parse_args()
    task = partial(examine_file, skip_base=options.skip_base)

    folders = options.folders or sorted(path for path in CORPORA.glob("[!.]*") if path.is_dir())
    total = Outcome()
    with multiprocessing.Pool(options.jobs) as pool:
        for folder in folders:
            started = time.perf_counter()
            here = Outcome()
            for outcome in pool.imap(task, pages(folder.resolve()), chunksize=8):
                here.add(outcome)
            show(folder.resolve().name, here, time.perf_counter() - started)
            total.add(here)
    if total.links == 0:
        print("No links, so nothing is proven. benchmarks/fetch-corpora fetches pages that have some.")
        return 1
    print(f"In all: {total.pages:,} pages, {total.links:,} links, {len(total.violations):,} violations.")
    return 1 if total.violations else 0


if __name__ == "__main__":
    sys.exit(main())
