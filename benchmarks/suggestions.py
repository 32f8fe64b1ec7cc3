"""How often a sure suggestion is right: mistakes planted in copies of real sites, kind by kind.

    scripts/bench suggestions [FOLDER…] [--count 200] [--seed 1] [--kinds NAME…] [--json FILE] [--strict]

A mistake of most kinds is made in a reference that leads to a page of the site; then what was meant is known. Pages,
ids and folders that are gone were not replaced: a sure suggestion for them is wrong. `sure` is how many suggestions
`--fix` would write, `right` how many of these lead where the reference led before. Wanted: 0.995 of the sure ones.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import quote, unquote

import rehref
from rehref.site._checking import check_folder
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site

CORPORA: Final = Path(__file__).parent / "corpora"
URL: Final = "https://site.example/"
WANTED: Final = 0.995
LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
PAGES: Final = (".html", ".htm", ".xhtml")
SHORTEST: Final = 4


class Written(NamedTuple):
    """A reference in a page, as it is written, and where it leads."""

    page: str
    span: tuple[int, int]
    reference: str
    target: str


Mistake: TypeAlias = Callable[[random.Random, str], str | None]
"""Makes a mistake in a reference; None if it cannot."""


def slip(draw: random.Random, name: str) -> str | None:
    """A name with a letter too many, too few, another one, or two that have changed places."""
    if len(name) < SHORTEST:
        return None
    at = draw.randrange(1, len(name) - 1)
    return draw.choice(
        [
            name[:at] + draw.choice(LETTERS) + name[at:],
            name[:at] + name[at + 1 :],
            name[:at] + draw.choice(LETTERS) + name[at + 1 :],
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
        ]
    )


def in_path(change: Callable[[random.Random, list[str]], list[str] | None]) -> Mistake:
    """A mistake in the names of the path."""

    def make(draw: random.Random, reference: str) -> str | None:
        path, mark, rest = re.split(r"([?#]|$)", reference, maxsplit=1)
        names = change(draw, path.split("/")) if path.strip("./") else None
        return None if names is None else "/".join(names) + mark + rest

    return make


def name_misspelt(draw: random.Random, names: list[str]) -> list[str] | None:
    stem, dot, extension = names[-1].rpartition(".")
    new = slip(draw, stem)
    return None if not dot or new is None else [*names[:-1], f"{new}.{extension}"]


def folder_misspelt(draw: random.Random, names: list[str]) -> list[str] | None:
    able = [at for at, name in enumerate(names[:-1]) if len(name) >= SHORTEST]
    at = draw.choice(able) if able else 0
    new = slip(draw, names[at]) if able else None
    return None if new is None else [*names[:at], new, *names[at + 1 :]]


def another_case(draw: random.Random, names: list[str]) -> list[str] | None:
    new = draw.choice([names[-1].upper(), names[-1].capitalize(), names[-1].lower(), names[-1].swapcase()])
    return [*names[:-1], new]


def no_extension(_draw: random.Random, names: list[str]) -> list[str] | None:
    return [*names[:-1], names[-1].rpartition(".")[0]] if "." in names[-1] else None


def other_dots(draw: random.Random, names: list[str]) -> list[str] | None:
    if names[0] == ".." and draw.random() < 0.5:
        return names[1:]
    return ["..", *names]


def fragment(change: Mistake) -> Mistake:
    """A mistake in the fragment."""

    def make(draw: random.Random, reference: str) -> str | None:
        before, mark, name = reference.partition("#")
        new = change(draw, name) if len(name) >= SHORTEST else None
        return None if new is None else before + mark + new

    return make


MISTAKES: Final[Mapping[str, Mistake]] = {
    "name misspelt": in_path(name_misspelt),
    "folder misspelt": in_path(folder_misspelt),
    "another case": in_path(another_case),
    "no extension": in_path(no_extension),
    "other dots": in_path(other_dots),
    "id misspelt": fragment(slip),
    "id in another case": fragment(lambda draw, name: draw.choice([name.lower(), name.capitalize(), name.upper()])),
}


class Sites(NamedTuple):
    """A site, and where its copies go."""

    folder: Path
    pages: Sequence[str]
    references: Sequence[Written]


def read_site(folder: Path) -> Sites:
    """Return the pages of a site, and the references in them that lead to files of it."""
    files = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    files -= {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink()}
    pages = sorted(path for path in files if path.endswith(PAGES))
    found = []
    for page in pages:
        for link in rehref.links((folder / page).read_bytes(), url=URL + quote(page), media_type="text/html"):
            target = (link.target or "").partition("#")[0].partition("?")[0]
            is_plain = link.element in ("a", "img", "link") and link.attribute in ("href", "src")
            is_of_site = target.startswith(URL) and unquote(target.removeprefix(URL)) in files
            if is_plain and is_of_site and link.span is not None and link.reference[:1] not in ("", "/"):
                found.append(Written(page, link.span, link.reference, link.target or ""))
    return Sites(folder, pages, found)


def with_mistakes(site: Sites, to: Path, make: Mistake, count: int, draw: random.Random) -> dict[tuple[str, str], str]:
    """Make mistakes in a copy; return where each reference should lead, by page and text."""
    files = {path.relative_to(to).as_posix() for path in to.rglob("*") if path.is_file()}
    meant: dict[tuple[str, str], str] = {}
    changes = defaultdict[str, list[tuple[tuple[int, int], str]]](list)
    for one in draw.sample(site.references, len(site.references)):
        new = make(draw, one.reference)
        if len(meant) == count:
            break
        if new is None or new == one.reference or (one.page, new) in meant:
            continue
        target = rehref.resolve(URL + quote(one.page), new)
        path, _, name = target.partition("#")
        is_there = unquote(path.partition("?")[0].removeprefix(URL)) in files and path == one.target.partition("#")[0]
        if unquote(path.removeprefix(URL)) in files and not is_there:
            continue  # it leads somewhere
        if is_there and (not name or name.encode() in (to / unquote(path.removeprefix(URL))).read_bytes()):
            continue
        meant[one.page, new] = one.target
        changes[one.page].append((one.span, new))
    for page, edits in changes.items():
        data = (to / page).read_bytes()
        for (start, end), new in sorted(edits, reverse=True):
            data = data[:start] + new.encode() + data[end:]
        _written_anew(to / page, data)
    return meant


def moved_pages(site: Sites, to: Path, count: int, draw: random.Random) -> dict[str, str]:
    """Move some pages into other folders; return the new URLs by the old ones."""
    folders = sorted({page.rpartition("/")[0] for page in site.pages} | {"archive"})
    moved = {}
    for page in draw.sample(site.pages, min(count // 8, len(site.pages) // 4)):
        folder, _, name = page.rpartition("/")
        new = f"{draw.choice([other for other in folders if other != folder])}/{name}".lstrip("/")
        if not (to / new).exists():
            (to / new).parent.mkdir(parents=True, exist_ok=True)
            (to / page).rename(to / new)
            moved[URL + quote(page)] = URL + quote(new)
    return moved


def moved_folder(site: Sites, to: Path, _count: int, draw: random.Random) -> dict[str, str]:
    """Move one folder with all that is in it."""
    folders = sorted({page.rpartition("/")[0] for page in site.pages} - {""})
    if not folders:
        return {}
    old = draw.choice(folders)
    new = f"archive/{old.rpartition('/')[2]}"
    files = [path.relative_to(to).as_posix() for path in (to / old).rglob("*") if path.is_file()]
    (to / new).parent.mkdir(parents=True, exist_ok=True)
    (to / old).rename(to / new)
    return {URL + quote(file): URL + quote(new + file[len(old) :]) for file in files}


def gone_pages(site: Sites, to: Path, count: int, draw: random.Random) -> dict[str, str]:
    """Remove some pages."""
    for page in draw.sample(site.pages, min(count // 4, len(site.pages) // 4)):
        (to / page).unlink()
    return {}


def gone_folder(site: Sites, to: Path, _count: int, draw: random.Random) -> dict[str, str]:
    """Remove the pages of one folder."""
    folders = sorted({page.rpartition("/")[0] for page in site.pages})
    gone = draw.choice(folders)
    for page in site.pages:
        if page.rpartition("/")[0] == gone and len(folders) > 1:
            (to / page).unlink()
    return {}


def gone_ids(site: Sites, to: Path, count: int, draw: random.Random) -> dict[str, str]:
    """Remove some ids that are asked for."""
    asked = sorted({one.target for one in site.references if "#" in one.target})
    for target in draw.sample(asked, min(count, len(asked))):
        url, _, name = target.partition("#")
        file = to / unquote(url.partition("?")[0].removeprefix(URL))
        data = file.read_bytes()
        _written_anew(file, re.sub(rb'\s(?:id|name)="%s"' % re.escape(unquote(name).encode()), b"", data))
    return {}


CHANGES: Final = {
    "pages moved": moved_pages,
    "a folder moved": moved_folder,
    "pages gone": gone_pages,
    "a folder gone": gone_folder,
    "ids gone": gone_ids,
}


def _written_anew(file: Path, data: bytes) -> None:
    """Write a file whose name is shared with the original."""
    file.unlink()
    file.write_bytes(data)


@dataclass(frozen=True, slots=True)
class Row:
    """The result for one kind on one site."""

    site: str
    kind: str
    findings: int
    sure: int
    right: int
    wrong: Sequence[str]


def measured(site: Sites, kind: str, count: int, draw: random.Random) -> Row:
    """Plant mistakes of one kind in a copy of a site, and look at what is sure then."""
    options = CheckOptions(site_url=URL)
    with TemporaryDirectory(dir=site.folder.parent) as place:
        to = Path(place) / "site"
        to.mkdir()
        subprocess.run(["cp", "-al", f"{site.folder}/.", str(to)], check=True)
        before = {(URL + quote(one.document), one.reference) for one in _errors(Site.of(to, options))}
        meant = with_mistakes(site, to, MISTAKES[kind], count, draw) if kind in MISTAKES else {}
        moved = {} if kind in MISTAKES else CHANGES[kind](site, to, count, draw)
        there = {URL + quote(path.relative_to(to).as_posix()) for path in to.rglob("*") if path.is_file()}
        found = _errors(Site.of(to, options))
    was = {new: old for old, new in moved.items()}
    count_found, sure, wrong = 0, 0, []
    for one in found:
        here = URL + quote(one.document)
        if (was.get(here, here), one.reference) in before or (meant and (one.document, one.reference) not in meant):
            continue
        count_found += 1
        if not one.sure:
            continue
        sure += 1
        old, mark, name = rehref.resolve(was.get(here, here), one.reference).partition("#")
        now = moved.get(old, old if old.partition("?")[0] in there else None)
        wanted = meant.get((one.document, one.reference), "" if now is None else now + mark + name)
        base = here if one.base is None or one.base.uri is None else one.base.uri
        if unquote(rehref.resolve(base, one.suggestion or "")) != unquote(wanted):
            wrong.append(f"{one.document}: {one.reference} -> {one.suggestion}")
    return Row(site.folder.name, kind, count_found, sure, sure - len(wrong), wrong)


def _errors(site: Site) -> list[Finding]:
    return [one for one in check_folder(site, most=None).findings if one.severity == "error"]


def rows(given: argparse.Namespace) -> Iterator[Row]:
    """Measure each kind on each site."""
    for folder in given.folders or sorted(path for path in CORPORA.iterdir() if path.is_dir()):
        site = read_site(folder)
        for kind in given.kinds:
            yield measured(site, kind, given.count, random.Random(f"{given.seed} {folder.name} {kind}"))


def main() -> int:
    """Print a row for each kind, and the share of sure suggestions that are right."""
    kinds = [*MISTAKES, *CHANGES]
    parser = argparse.ArgumentParser(prog="scripts/bench suggestions", description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="*", type=Path, metavar="FOLDER", help="sites (default: all corpora)")
    parser.add_argument("--count", type=int, default=200, help="how many mistakes of a kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=kinds, default=kinds, metavar="NAME")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--strict", action="store_true", help="exit with 1 if fewer are right than wanted")
    given = parser.parse_args()
    done = []
    for row in rows(given):
        done.append(row)
        print(
            f"{row.site:24} {row.kind:20} {row.findings:7,} found {row.sure:6,} sure {row.right:6,} right", flush=True
        )
        for each in row.wrong[:3]:
            print(f"    {each}")
    sure, right = sum(row.sure for row in done), sum(row.right for row in done)
    share = right / sure if sure else 1.0
    print(f"{right:,} of {sure:,} sure suggestions are right: {share:.4f} (wanted: {WANTED})")
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(row) for row in done], indent=1), encoding="utf-8")
    return 1 if given.strict and share < WANTED else 0


if __name__ == "__main__":
    sys.exit(main())
