"""What makes a suggestion unsure that is sure by the names alone.

1. A browser reads the reference differently, or a redirection of the host is not understood: the link may work.
2. The reference is a path from the root, and no option says where the folder is on the web: it may be right there.
3. The page is one that hosts show for errors (`404.html`), at any URL: a relative reference in it means another file
   each time.
4. The page says the word that would be a misspelt one, in its text or in what stands for a picture: then it is a word.
   A link that says nothing tells nothing of it. Of a word that is misspelt in many pages, the first few are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from rehref.base import clean
from rehref.checking.browsing.not_found import is_not_found_page
from rehref.checking.model import Finding
from rehref.checking.pages.metas import PAGE_TYPES
from rehref.checking.pages.reading import read_or_skip, text_of
from rehref.checking.pages.visible_text import visible_text
from rehref.checking.repair.slips import words_in
from rehref.checking.site.site_context import SiteContext
from rehref.documents.types.media_types import HTML_TYPE

MISSING_FILES: Final = frozenset(
    {"missing-file", "missing-index", "case-mismatch", "escapes-site", "missing-from-site"}
)
_MOST_READ: Final = 8
_PAGES_REMEMBERED: Final = 64
_SAID_OF_PICTURES = re.compile(r"""\s(?:alt|title|aria-label)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_LINK = re.compile(rb"[^>]{0,2000}>(.{0,2000}?)</a[\s>]", re.DOTALL | re.IGNORECASE).match
_TAG = re.compile(rb"<(?![^>]*\s(?:alt|title|aria-label)=)[^>]*>", re.IGNORECASE)
_SAYS = re.compile(rb"[^\W_]|[\x80-\xff]").search


class Doubts:
    """What is doubtful in the suggestions for one site."""

    def __init__(self, context: SiteContext, findings: Iterable[Finding]) -> None:
        """`findings`: all there are, reported or not: they may say that links work all the same."""
        self._context = context
        self._differing = {(found.document, found.span) for found in findings if found.code == "browser-differs"}
        self._unread = (context.redirects is not None and bool(context.redirects.unread)) or (
            context.host.unread_file in context.files.paths
        )
        self._read: Counter[str] = Counter()
        self._words_of = lru_cache(maxsize=_PAGES_REMEMBERED)(self._words_said)

    def any_about(self, finding: Finding, misspelt: Collection[str]) -> bool:
        """Whether it is not sure what was meant. `misspelt`: the words that would be misspelt, in lower case."""
        return (
            (finding.document, finding.span) in self._differing
            or (self._unread and finding.code in MISSING_FILES)
            or self._may_be_right_on_a_host(finding)
            or is_not_found_page(self._context, finding.document)
            or (bool(misspelt) and self._says_nothing(finding))
            or any(self._is_said(word, finding.document) for word in misspelt)
        )

    def _may_be_right_on_a_host(self, finding: Finding) -> bool:
        """Whether the site may be elsewhere than it is taken to be (rule 2)."""
        is_from_root = clean(finding.reference or "").startswith("/")
        place = self._context.place
        return is_from_root and (place.is_inferred or (place.basis == "file" and finding.code == "escapes-site"))

    def _says_nothing(self, finding: Finding) -> bool:
        """Whether it is a link of a page without a text (rule 4)."""
        if finding.element != "a" or finding.span is None or self._type_of(finding.document) != HTML_TYPE:
            return False
        data = read_or_skip(self._context, finding.document) or b""
        element = _LINK(data, finding.span[1])
        return element is not None and _SAYS(_TAG.sub(b"", element[1])) is None

    def _type_of(self, document: str) -> str | None:
        return self._context.files.types.of(document)

    def _is_said(self, word: str, document: str) -> bool:
        """Whether the page says a word (rule 4)."""
        if self._read[word] >= _MOST_READ:
            return False
        self._read[word] += 1
        return word in self._words_of(document)

    def _words_said(self, document: str) -> frozenset[str]:
        """The words that a page shows, in lower case; none for what is no page, or cannot be read."""
        data = read_or_skip(self._context, document)
        if data is None or self._type_of(document) not in PAGE_TYPES:
            return frozenset()
        page = text_of(self._context, document, data)
        return words_in([visible_text(page), *_SAID_OF_PICTURES.findall(page)])
