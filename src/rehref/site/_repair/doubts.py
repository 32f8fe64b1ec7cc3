"""Doubts about suggestions that are sure by their names alone.

A browser may read the reference differently, or a redirection of the host is not understood: the link may work. The
page that hosts show for errors (`404.html`) is shown at any URL: a relative reference in it means another file each
time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from heapq import nsmallest
from typing import Final, NamedTuple

from rehref.documents.base import clean
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.site._found.repeated import Repeated
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.not_found import is_not_found_page
from rehref.site._pages.reading_site_pages import links_in, read_or_skip
from rehref.site._repair.misspelt_names import words_in
from rehref.site.findings import Finding

MISSING_FILES: Final = frozenset(
    {"missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site"}
)


class Doubts:
    """The doubts about the suggestions for one site."""

    def __init__(self, context: SiteContext, rows: Iterable[Repeated]) -> None:
        """`rows`: all of them, reported or not: they may say that links work anyway."""
        self._context = context
        self._has_base_from_root: dict[str, bool] = {}
        differing = (row for row in rows if row.finding.code == "browser-differs")
        self._differing = {(each.document, each.span) for row in differing for each in row.each()}
        self._unread = context.redirects is not None and bool(context.redirects.unread)

    def any_about(self, finding: Finding) -> bool:
        """Whether there is a doubt about the suggestion of a finding."""
        return (
            (finding.document, finding.span) in self._differing
            or (self._unread and finding.code in MISSING_FILES)
            or self._may_be_right_on_a_host(finding)
            or is_not_found_page(self._context, finding.document)
        )

    def _may_be_right_on_a_host(self, finding: Finding) -> bool:
        """Whether the site may be at another place than assumed: no option says where the folder is on the web."""
        place = self._context.place
        may_be_elsewhere = place.is_inferred or (place.basis == "file" and finding.code == "escapes-site")
        return may_be_elsewhere and self._is_from_root(finding)

    def _is_from_root(self, finding: Finding) -> bool:
        """Whether a reference is a path from the root, or relative to one.

        Its document has such a base that applies to it.
        """
        if clean(finding.reference or "").startswith("/"):
            return True
        if finding.base is None or finding.base.origin != "embedded":
            return False
        document = finding.document
        if document not in self._has_base_from_root:
            self._has_base_from_root[document] = _has_base_from_root(self._context, document)
        return self._has_base_from_root[document]


def _has_base_from_root(context: SiteContext, document: str) -> bool:
    """Whether one of the embedded bases of a document is a path from the root."""
    return any(link.kind == "base" and clean(link.reference).startswith("/") for link in links_in(context, document))


_MOST_READ: Final = 32
_MOST_LINKS_READ: Final = 8
_PAGES_REMEMBERED: Final = 64


class Misspelt(NamedTuple):
    """What was found, by its number, and the words in it, in lower case, that seem misspelt."""

    number: int
    row: Repeated
    words: frozenset[str]


def not_misspelt(context: SiteContext, found: Iterable[Misspelt]) -> set[int]:
    """The numbers of the findings whose words may not be misspelt.

    Words that pages use are not misspelt: a reference to `unload.html` in a page that says *Unload*, in its text or in
    the text for a picture, does not mean `upload.html`. A link without any text gives no evidence, and is not sure
    either. A word in one page counts for all pages. Of the pages with a word that may be misspelt, only the first few
    are read: the time depends on the number of words, not on the number of references.
    """
    by_words: defaultdict[frozenset[str], list[Misspelt]] = defaultdict(list)
    for one in found:
        by_words[one.words].append(one)

    @lru_cache(maxsize=_PAGES_REMEMBERED)
    def words_of(document: str) -> frozenset[str]:
        return _words_said(context, document)

    @lru_cache(maxsize=_PAGES_REMEMBERED)
    def texts_of(document: str) -> Mapping[tuple[int, int] | None, str | None]:
        return {link.span: link.text for link in links_in(context, document, text=True)}

    def says_nothing(finding: Finding) -> bool:
        """Whether a finding is about a link in a page, and the link has no text."""
        document, is_link = finding.document, finding.element == "a" and finding.span is not None
        if not is_link or context.files.types.of(document) not in MediaType.PAGES:
            return False
        text = texts_of(document).get(finding.span)
        return text is not None and not any(map(str.isalnum, text))

    doubtful: set[int] = set()
    for words, uses in by_words.items():
        documents = list(dict.fromkeys(one.row.finding.document for one in uses))[:_MOST_READ]
        links = (each for one in uses for each in one.row.each())
        firsts = nsmallest(_MOST_LINKS_READ, links, key=lambda each: (each.target or "", *each.place))
        is_said = any(not words.isdisjoint(words_of(document)) for document in documents)
        if is_said or any(map(says_nothing, firsts)):
            doubtful.update(one.number for one in uses)
    return doubtful


def _words_said(context: SiteContext, document: str) -> frozenset[str]:
    """The words that a page shows, in lower case; none if the document is not a page, or cannot be read."""
    data = read_or_skip(context, document)
    if data is None or context.files.types.of(document) not in MediaType.PAGES:
        return frozenset()
    return words_in(read_page(context.source(document, data)).texts())
