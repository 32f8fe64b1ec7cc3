"""Bases that are a mistake, of a page or a folder: from another one, nearly all links that are broken would be right.

`<base href="assets/">` on a page whose links are relative to the page; a page that was written for another folder, such
as one for 404 answers that lies one folder down; a site that was built for the root of a host, and lies in a folder.
Each is one mistake, however many links it breaks: they have one cause, their messages say how many would be right, and
no link is adapted to such a base.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from rehref.documents.base import clean, without_fragment
from rehref.documents.media_types import MediaType
from rehref.files.file_documents import encode_path
from rehref.site._found.repeated import Repeated
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._paths import shown
from rehref.site._results.crowds import ESCAPES_SITE, MISSING
from rehref.site.findings import UNKNOWN_HOST, Finding
from rehref.uri.resolver import parse_or_none

_FEW: Final = 3
"""Links that would be right, at least."""
_NEARLY_ALL: Final = 0.9
_LOOKED_AT: Final = 100
"""Broken links that are looked at first."""
_MOST: Final = 0.5
_PAGES_READ: Final = 20
_MOST_READ: Final = 400
"""Pages that are read again to count their links: for one mistake, and for all."""
_UNCOUNTED: Final = 1 << 30
_FROM_ROOT = re.compile(r"/(?![/\\])").match
_RELATIVE = re.compile(r"(?!/|[a-z][a-z0-9+.-]*:)", re.IGNORECASE).match
_ELEMENT, _PLACE, _ROOT = "base", "place", "root"
"""What is wrong: a base element, the place of a page, the root for which a folder was built."""


class _Wrong(NamedTuple):
    """What may be wrong. `where`: the page or folder; `base`: the URI that it has; `right`: that it should have."""

    what: str
    where: str
    base: str
    right: str


class _Links(NamedTuple):
    """The broken links that something wrong may be the reason for; `right`: those that would be right without."""

    broken: int
    right: int


class WrongBases:
    """What is wrong with the bases of a site."""

    def __init__(self, context: SiteContext, rows: Iterable[Repeated]) -> None:
        """`rows`: all of a check."""
        self._context = context
        self._read = 0
        by_wrong: defaultdict[_Wrong, list[Repeated]] = defaultdict(list)
        for row in rows:
            for wrong in _may_be_wrong(context, row.finding):
                by_wrong[wrong].append(row)
        self._links: dict[_Wrong, _Links] = {}
        for wrong, own in by_wrong.items():
            few, number = own[:: len(own) // _LOOKED_AT + 1], _number(own)
            if number < _FEW or self._count_right(wrong, few) < _NEARLY_ALL * _number(few):
                continue
            right = self._count_right(wrong, own)
            if right >= max(_FEW, _NEARLY_ALL * number) and self._breaks_most(wrong, own):
                self._links[wrong] = _Links(number, right)

    def reason(self, finding: Finding) -> tuple[str, ...] | None:
        """Return what the findings with the same mistake in a base have in common; None: it is about another."""
        wrong = self._of(finding)
        if wrong is None:
            return None
        folder = wrong.where.rpartition("/")[0]
        return {
            _ELEMENT: (finding.code, wrong.what, wrong.base),
            _PLACE: (finding.code, wrong.what, folder, self._context.target_of(wrong.right)),
            _ROOT: (finding.code, wrong.what, wrong.where),
        }[wrong.what]

    def explained(self, findings: Sequence[Finding]) -> Sequence[Finding]:
        """Return the findings; those with a mistake in a base say so, and suggest nothing."""
        return [self._explained(each) for each in findings] if self._links else findings

    def hints(self) -> Iterator[str]:
        """Yield what to do about folders that were built for the root of a host."""
        for wrong in self._links:
            if wrong.what == _ROOT and wrong.where:
                folder = shown(f"{self._context.folder}/{wrong.where}")
                yield f"{folder} was built for the root of a host: check it alone (rehref check {folder})"
            elif wrong.what == _ROOT:
                yield "the site was built for the root of its host; if it is there, say --root-dir ."

    def _of(self, finding: Finding) -> _Wrong | None:
        found = (each for each in _may_be_wrong(self._context, finding) if each in self._links) if self._links else ()
        return next(iter(found), None)

    def _count_right(self, wrong: _Wrong, rows: Iterable[Repeated]) -> int:
        """Return how many links would be right."""
        return sum(row.number * _is_right(self._context, wrong, clean(row.finding.reference)) for row in rows)

    def _breaks_most(self, wrong: _Wrong, rows: Iterable[Repeated]) -> bool:
        """Whether the links that are broken are most of their kind in their pages, or nearly all of a page."""
        if wrong.what == _ELEMENT:
            return True
        broken: Counter[str] = Counter()
        for row in rows:
            broken[row.finding.document] += row.number
        some = sorted(broken)[:: len(broken) // _PAGES_READ + 1]
        links = sum(self._number(document, _RELATIVE if wrong.what == _PLACE else _FROM_ROOT) for document in some)
        share = _NEARLY_ALL if wrong.what == _PLACE else _MOST
        return sum(broken[each] for each in some) >= share * links

    def _number(self, document: str, of_kind: Callable[[str], object]) -> int:
        """Return how many links of a page are of a kind."""
        self._read += 1
        data = read_or_skip(self._context, document) if self._read <= _MOST_READ else None
        if data is None:
            return _UNCOUNTED
        links = self._context.document_of(document, data).links()
        references = (clean(each.reference) for each in links if not each.same_document)
        return sum(of_kind(each) is not None for each in references)

    def _explained(self, finding: Finding) -> Finding:
        wrong = self._of(finding)
        if wrong is None:
            return finding
        links, base = self._links[wrong], finding.base
        where = "" if base is None else f" ({base.where})"
        right = self._context.target_of(wrong.right).removeprefix(UNKNOWN_HOST)
        many = f"{links.right:,} of {links.broken:,} broken"
        said = {
            _ELEMENT: f"without this base{where}, {many} links of the page would be right",
            _PLACE: f"from {shown(right)}, {many} links of the page would be right",
            _ROOT: f"below {shown(right)}, {many} paths from the root would be right",
        }[wrong.what]
        return finding._replace(message=f"{finding.message}; {said}", suggestion=None, sure=False)


def _number(rows: Iterable[Repeated]) -> int:
    return sum(row.number for row in rows)


def _may_be_wrong(context: SiteContext, finding: Finding) -> Iterator[_Wrong]:
    """Yield what may be the reason that a file is missing, if not its name."""
    base, reference, document = finding.base, clean(finding.reference), finding.document
    is_missing = finding.code in MISSING
    if base is None or base.uri is None or not (is_missing or finding.code == ESCAPES_SITE):
        return
    if _FROM_ROOT(reference):
        if context.locator.root_dir is None and not context.is_sent and not context.files.types.has_sources:
            folders = [f"{each}/" for each in accumulate(document.split("/")[:-1], "{}/{}".format)]
            for folder in folders if is_missing else ("", *folders):
                yield _Wrong(_ROOT, folder, "", context.uri + encode_path(folder))
    elif is_missing and _RELATIVE(reference) and context.files.types.of(document) != MediaType.MARKDOWN:
        own = context.uri_of(document)
        if base.origin == "embedded":
            yield _Wrong(_ELEMENT, document, base.uri, own)
        else:
            yield from (_Wrong(_PLACE, document, own, each) for each in _other_places(context, own))


def _other_places(context: SiteContext, own: str) -> Iterator[str]:
    """Yield the URIs of the folders for which a page may have been written: above its own, the root, and below."""
    folder = own.rpartition("/")[0] + "/"
    above = folder[:-1].rpartition("/")[0] + "/"
    if above.startswith(context.uri):
        yield from dict.fromkeys((above, context.uri))
    if folder != context.uri:
        yield f"{folder}-/"


def _is_right(context: SiteContext, wrong: _Wrong, reference: str) -> bool:
    relative = f".{reference}" if wrong.what == _ROOT else reference
    target = parse_or_none(relative, wrong.right)
    located = None if target is None else context.locator.locate(without_fragment(target))
    return located is not None and located.path is not None and located.code == ""
