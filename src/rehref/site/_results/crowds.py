"""Findings with different targets that have one reason in common: a crowd.

If the folder counts as the root of its host, browsers drop the surplus `..` (`above-root`), and then find a file or
none (`missing-file`). If it is elsewhere, the reference leads out of the site (`escapes-site`). `file:` URIs lead to
one folder of a disk (`file:///usr/`), from elements of one kind. Files that are there only in gzipped form
(`api.json.gz` for `api.json`, as Debian packs documentation) are a crowd for each extension.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from rehref.documents.base import clean, without_fragment
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.classifier import MISSING_FRAGMENT
from rehref.site._pages.written import FILE_URI
from rehref.site._paths import decode_path, wanted_path
from rehref.site.findings import Finding
from rehref.uri.components import split
from rehref.uri.resolver import above_root

MISSING: Final = frozenset({"missing-file", "missing-endpoint"})
"""The codes of references to files that are not there."""
ESCAPES_SITE: Final = "escapes-site"
_UP: Final = "../"
NO_PATH = re.compile(r"/|[a-z][a-z0-9+.-]*:", re.IGNORECASE).match
"""Matches a path from the root, and a whole URI."""
was_made_relative = re.compile(r"[^?#]*/[a-z][a-z0-9+.-]*:/", re.IGNORECASE).match
"""Matches a whole URI that was made relative (`../https://example.org/`)."""


def above_folder(context: SiteContext, finding: Finding) -> str | None:
    """Whether a reference climbs out of the folder.

    Not a whole URI or a path from the root, nor one that was made relative.
    """
    reference = clean(finding.reference).replace("\\", "/")  # as browsers read it
    if _UP not in reference or NO_PATH(reference) or was_made_relative(reference):
        return None
    if finding.target is None or finding.base is None:
        return None
    path, site = decode_path(split(finding.target).path), decode_path(split(context.uri).path)
    if not path.startswith(site):
        return posixpath.relpath(path, site)
    surplus = above_root(reference, finding.base.uri, context.options.how.profile)
    return _UP * surplus + path[len(site) :] if surplus else None


def entered(path: str) -> str:
    """Return the first folder or file that a path above the folder enters: `../glib` for `../glib/x.html`."""
    names = path.split("/")
    return "/".join(names[: names.count("..") + 1])


Crowd: TypeAlias = tuple[str, ...]
"""A code, and what a crowd of findings with it has in common."""

FOLDER: Final = "folder"
"""The word after the code of a crowd of files that a folder, or a disk, has in common."""
_MANY: Final = 10
_OF_FRAGMENTS: Final = frozenset({MISSING_FRAGMENT, "duplicate-id"})
_KIND = re.compile(r"[^\W\d_]+:|\D*(?=[0-9]+\Z)").match
_NUMBERED = re.compile(r"([^\W\d_]+[-_.]?)(?=[\w-]*\d)[\w-]+(\.\w+)").fullmatch
_TRANSLATED = re.compile(r"[^.]+()(\.[a-z]{2}(?:[-_][A-Za-z]{2,4})?\.x?html?)").fullmatch
_HASHED = re.compile(r"(?<![^/])[0-9a-f]{1,4}\Z").sub
_ON_DISK = re.compile(r"file:(?://[^/]*)?/[^/]+/", re.IGNORECASE).match


def crowds(
    context: SiteContext, findings: Iterable[Finding], reason_of: Callable[[Finding], Crowd | None] = lambda _: None
) -> Callable[[Finding], Crowd | None]:
    """Return what returns the crowd that a finding is in; None: it is in none.

    `reason_of`: returns the crowd of findings with the same mistake in a base (`wrong_bases.py`).
    """
    findings = list(findings)
    kinds = _kinds(context, findings)
    members: defaultdict[Crowd, set[tuple[str, str]]] = defaultdict(set)
    for finding in findings:
        for crowd, member in _of_fragments(context, finding):
            members[crowd].add(member)
    many = {crowd for crowd, each in members.items() if len(each) >= _MANY}

    def crowd_of(finding: Finding) -> Crowd | None:
        if finding.code in _OF_FRAGMENTS:
            return next((crowd for crowd, _ in _of_fragments(context, finding) if crowd in many), None)
        folder: str | None = None
        reason = reason_of(finding)
        if reason is not None:
            return reason
        if finding.target is not None and finding.code in MISSING:
            target = without_fragment(finding.target)
            path, _ = wanted_path(target, context.uri, context.locator.root_dir)
            if f"{path}.gz" in context.files.paths:
                return finding.code, "gzipped", PurePosixPath(path).suffix
            kind = _kind_of(context, finding)
            if kind is not None and kind[0] in kinds:
                return kind[0]
            folder = _absent(context, target, path)
        elif finding.target is not None and finding.code == FILE_URI:
            on_disk = _ON_DISK(finding.target)
            folder = on_disk and f"{finding.element} {on_disk[0]}"
        elif finding.code == ESCAPES_SITE and (above := above_folder(context, finding)) is not None:
            folder = entered(above)
        return None if folder is None else (finding.code, FOLDER, folder)

    return crowd_of


def _kind_of(context: SiteContext, finding: Finding) -> tuple[Crowd, tuple[str, str]] | None:
    """Return the crowd that a missing file may be in by its name, and the folder that is not there, and it.

    Names that a program numbers (`lily-1f8e2c.png`, `fig12.png`), and those of pages in another language
    (`wind.ja.html`) are of one kind if they are the same except for the number or the page: in a folder, in folders of
    it that are not there, or in such with numbered names (`1f/`).
    """
    if finding.code not in MISSING or finding.target is None:
        return None
    target = without_fragment(finding.target)
    path, _ = wanted_path(target, context.uri, context.locator.root_dir)
    name = _NUMBERED(PurePosixPath(path).name) or _TRANSLATED(PurePosixPath(path).name)
    if name is None:
        return None
    absent = _absent(context, target, path) or ""
    own = path.rpartition("/")[0]
    hashed = _HASHED("*", own)
    above = hashed if hashed != own else (absent or path).rpartition("/")[0]
    return (finding.code, "names", above, name[1], name[2]), (absent, path)


def _kinds(context: SiteContext, findings: Iterable[Finding]) -> frozenset[Crowd]:
    """Return the crowds of missing files by their names: ten of a kind. Those in one absent folder have that reason."""
    members: defaultdict[Crowd, set[tuple[str, str]]] = defaultdict(set)
    for finding in findings:
        kind = _kind_of(context, finding)
        if kind is not None:
            members[kind[0]].add(kind[1])
    many = (item for item in members.items() if len(item[1]) >= _MANY)
    return frozenset(crowd for crowd, own in many if len({absent for absent, _ in own}) > 1 or next(iter(own))[0] == "")


def _absent(context: SiteContext, target: str, path: str) -> str | None:
    """Return the folder because of which a target, at `path` below the site, is missing, or None.

    It is the first one on the way there that is not there, or is not in the site. It is not the reason if a redirection
    may lead on, or if the way goes through a symbolic link.
    """
    rules = context.redirects
    if context.locator.mapped(target) != target or (rules is not None and rules.rules_for(rules.root + path)):
        return None
    on_the_way = accumulate(path.split("/")[:-1], "{}/{}".format)
    first = next((folder for folder in on_the_way if folder not in context.files.folders), None)
    return None if first in context.files.links else first


def _of_fragments(context: SiteContext, finding: Finding) -> Iterator[tuple[Crowd, tuple[str, str]]]:
    """Yield the crowds that a finding may be in, and what it is about, the page and the fragment.

    Missing fragments are of one kind if they begin with the same word and a colon (`v:map`, `v:fold`), or are the same
    text with a number at its end (`line-7`, `L12`). `_OF_FRAGMENTS` of a kind are a crowd: a program does not write
    such ids. Else as many in one document are. Ids that occur twice are a crowd, too, if as many documents of a folder
    have any.
    """
    code = finding.code
    if code not in _OF_FRAGMENTS:
        return
    target = None if finding.target is None else finding.target.removeprefix(context.uri)
    page, _, fragment = (target or f"{finding.document}#{finding.reference}").partition("#")
    kind = _KIND(fragment)
    if kind is not None:
        yield (code, "kind", kind[0]), (page, fragment)
    if finding.target is None:
        yield (code, "folder of pages", page.rpartition("/")[0]), (page, "")
    yield (code, "page", page), (page, fragment)
