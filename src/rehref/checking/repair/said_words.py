"""Words that pages use: they are not misspelt, even if there is a file with a similar name.

1. A reference to `unload.html` in a page that says *Unload*, in its text or in the text for a picture, does not mean
   `upload.html`. A link without any text gives no evidence, and is not sure either.
2. A word in one page counts for all pages. Of the pages with a word that may be misspelt, only the first few are
   read: the time depends on the number of words, not on the number of references.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.checking.model import Finding
from rehref.checking.pages.metas import PAGE_TYPES
from rehref.checking.pages.reading import read_or_skip, text_of
from rehref.checking.repair.slips import words_in
from rehref.checking.site.site_context import SiteContext

_MOST_READ: Final = 32
_MOST_LINKS_READ: Final = 8
_PAGES_REMEMBERED: Final = 64
_SAID_OF_PICTURES = re.compile(r"""\s(?:alt|title|aria-label)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""", re.IGNORECASE)
_LINK = re.compile(rb"[^>]{0,2000}>(.{0,2000}?)</a[\s>]", re.DOTALL | re.IGNORECASE).match
_AROUND_LINK = re.compile(r"(?=<a\s)|(?<=</a>)", re.IGNORECASE)
_TAG = re.compile(rb"<(?![^>]*\s(?:alt|title|aria-label)=)[^>]*>", re.IGNORECASE)
_SAYS = re.compile(rb"[^\W_]|[\x80-\xff]").search


class Misspelt(NamedTuple):
    """A finding, by its number, and the words in it, in lower case, that seem misspelt."""

    number: int
    finding: Finding
    words: frozenset[str]


def not_misspelt(context: SiteContext, found: Iterable[Misspelt]) -> set[int]:
    """The numbers of the findings whose words may not be misspelt (rule 1)."""
    by_words: defaultdict[frozenset[str], list[Misspelt]] = defaultdict(list)
    for one in found:
        by_words[one.words].append(one)

    @lru_cache(maxsize=_PAGES_REMEMBERED)
    def words_of(document: str) -> frozenset[str]:
        return _words_said(context, document)

    doubtful: set[int] = set()
    for words, uses in by_words.items():
        documents = list(dict.fromkeys(one.finding.document for one in uses))[:_MOST_READ]
        firsts = [one.finding for one in uses][:_MOST_LINKS_READ]
        is_said = any(not words.isdisjoint(words_of(document)) for document in documents)
        if is_said or any(_says_nothing(context, finding) for finding in firsts):
            doubtful.update(one.number for one in uses)
    return doubtful


def _words_said(context: SiteContext, document: str) -> frozenset[str]:
    """The words that a page shows, in lower case; none if the document is not a page, or cannot be read."""
    data = read_or_skip(context, document)
    if data is None or context.files.types.of(document) not in PAGE_TYPES:
        return frozenset()
    page = text_of(context, document, data)
    from rehref.parsers.source.visible_text import visible_text  # rarely needed

    # the texts of two links are separate, even if there is nothing between the links
    return words_in([visible_text(_AROUND_LINK.sub(" ", page)), *_SAID_OF_PICTURES.findall(page)])


def _says_nothing(context: SiteContext, finding: Finding) -> bool:
    """Whether the finding is about a link in a page, and the link has no text."""
    if finding.element != "a" or finding.span is None or context.files.types.of(finding.document) not in PAGE_TYPES:
        return False
    data = read_or_skip(context, finding.document) or b""
    element = _LINK(data, finding.span[1])
    return element is not None and _SAYS(_TAG.sub(b"", element[1])) is None
