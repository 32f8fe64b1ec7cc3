"""Words that pages say: they are none that are misspelt, though there is a file with a name much like them.

1. A reference to `unload.html` in a page that says *Unload*, in its text or in what stands for a picture, does not mean
   `upload.html`. A link that says nothing at all tells nothing of it, and is not sure either.
2. What is true of a word in one page is so in all. Of those that have a word which may be misspelt, the first few are
   read: the time is by the number of words, not by how often each is referred to.
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
    """A finding, by its number, and the words in it, in lower case, that are taken for misspelt ones."""

    number: int
    finding: Finding
    words: frozenset[str]


def not_misspelt(context: SiteContext, found: Iterable[Misspelt]) -> set[int]:
    """The numbers of those findings whose words may be none that are misspelt (rule 1)."""
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
    """The words that a page shows, in lower case; none for what is no page, or cannot be read."""
    data = read_or_skip(context, document)
    if data is None or context.files.types.of(document) not in PAGE_TYPES:
        return frozenset()
    page = text_of(context, document, data)
    from rehref.checking.pages.visible_text import visible_text  # few texts are asked

    # the texts of two links are two texts, though nothing may stand between them
    return words_in([visible_text(_AROUND_LINK.sub(" ", page)), *_SAID_OF_PICTURES.findall(page)])


def _says_nothing(context: SiteContext, finding: Finding) -> bool:
    """Whether it is a link of a page without a text."""
    if finding.element != "a" or finding.span is None or context.files.types.of(finding.document) not in PAGE_TYPES:
        return False
    data = read_or_skip(context, finding.document) or b""
    element = _LINK(data, finding.span[1])
    return element is not None and _SAYS(_TAG.sub(b"", element[1])) is None
