"""From a finding of a built page to the place in the sources where its reference is written; or to none.

1. A reference is looked for in the sources of its page (`page_sources.py`): the same text, in the same attribute. If
   there is none, one that leads to the same target, from the built page or from the root of the site; or one that leads
   to the source of the page that the target is on, with the same fragment.
2. The source must have as many as the page, and all of these must be findings. Then the nth place is that of the nth
   finding: in any order, all are wrong for the same reason. If the page has more, some come from elsewhere, and none is
   sure.
3. Else it is looked for as a word (`source_texts.py`): once in the page's source, in front matter or in a template's
   tag (or anywhere, if rehref cannot read that format); or once in all sources, in a file that is not a page, such as a
   layout or a data file. That is one place, however many pages have its reference.
4. In both ways there must be no word like it in files that are not pages: the page may have it from there.
5. The text of the link, or the alternative of the image, must be in the paragraph of the source: all its words. A
   definition stands elsewhere; there the whole source counts. A tag of a template need not have it.
6. Nothing in a comment is a place, nor a word shorter than four characters. If several sources of the page are right,
   none is.
7. A finding without a sure place stays on the built page, which is never corrected.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from rehref.base import clean
from rehref.checking.model import Finding
from rehref.checking.pages.reading import read
from rehref.checking.site.site_context import SiteContext
from rehref.checking.tracing.page_sources import PageSources, front_matter_of
from rehref.checking.tracing.source_place import SourcePlace, suggestion_in_source
from rehref.checking.tracing.source_texts import SourceTexts, Word
from rehref.documents.link import Link
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.uri.resolver import Resolver

_SHORTEST: Final = 4
_FAR: Final = 4000
"""How many bytes around a reference are looked at."""
_TAG = re.compile(r"<[^<>]*>")
_TEXT = re.compile(r"[^<>]*>(.*?)</a\b", re.DOTALL | re.IGNORECASE).match
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE).search
_IS_PART = re.compile(r"/_?(?:includes?|partials?|snippets|shortcodes|layouts)/").search
_BLANK = re.compile(r"\n[ \t]*\r?\n")
_IN_TAG = re.compile(r"\{[{%](?![<%]?/\*)(?:(?![}%]\}).)*\Z", re.DOTALL).search


_Name: TypeAlias = tuple[str, str, str | None]


class _Page(NamedTuple):
    """A built page: its bytes, its links by text, element and attribute, the sources that it may be made of."""

    data: bytes
    links: defaultdict[_Name, list[Link]]
    sources: Sequence[str]


class Tracer:
    """Finds the places of findings in sources."""

    def __init__(self, context: SiteContext, findings: Sequence[Finding], folder: Path) -> None:
        """Read the sources in a folder, for all findings of a site. Raises `FileError`, if they cannot be read."""
        self._context, self._sources = context, SourceTexts(context, folder)
        self.sources = self._sources.context
        page_sources = PageSources(self._sources.texts, folder)
        self._of = page_sources.of
        self._in_pages = {path for document in context.files.paths for path in page_sources.every(document)}
        self._found = {(one.document, one.span) for one in findings}
        self._page = cache(self._read_page)
        self._resolver = cache(Resolver)

    def _read_page(self, document: str) -> _Page:
        data = read(self._context, document)
        links: defaultdict[_Name, list[Link]] = defaultdict(list)
        for link in self._context.document_of(document, data).links():
            links[link.reference, link.element, link.attribute].append(link)
        return _Page(data, links, self._of(document, data.decode("utf-8", "replace")))

    def locate(self, finding: Finding) -> SourcePlace | None:
        """Return the place of a finding, or None (rule 7)."""
        if finding.span is None or finding.target is None:
            return None
        page = self._page(finding.document)
        links = page.links[finding.reference, finding.element, finding.attribute]
        if not all((finding.document, link.span) in self._found for link in links):
            return None
        like = self._sources.words_like(finding.reference)
        elsewhere = [word for word in like if self._is_no_page(word)]
        each = [] if elsewhere else [self._as_reference(finding, page, path, links) for path in page.sources]
        found = [word for word in each if word is not None]
        if not found and (word := self._as_word(finding, page, like, elsewhere, is_single=len(links) == 1)) is not None:
            found = [word]
        if len(found) != 1:
            return None
        path, (first, _), text = found[0]
        data = self._sources.texts[path]
        start = data.rfind(b"\n", 0, first) + 1
        line, column = data.count(b"\n", 0, start) + 1, len(data[start:first].decode()) + 1
        return SourcePlace(path, (line,), text, self._suggestion(finding, text, path, page), column, found[0].span)

    def _is_no_page(self, word: Word) -> bool:
        """Whether a word is in a layout, a data file, and the like (rule 3): not in a page, nor in a draft of one."""
        is_markdown = self._sources.context.files.types.of(word.path) == MARKDOWN_TYPE
        return word.path not in self._in_pages and (not is_markdown or _IS_PART(f"/{word.path}") is not None)

    def _as_reference(self, finding: Finding, page: _Page, path: str, links: Sequence[Link]) -> Word | None:
        """The reference in a source of the page (rules 1, 2)."""
        name = finding.element, finding.attribute
        written = [one for one in self._sources.references(path) if (one.link.element, one.link.attribute) == name]
        same = [one for one in written if unquote(one.link.reference) == unquote(finding.reference)]
        others = (one for one in written if not page.links.get((one.link.reference, *name)))
        same = same or [one for one in others if self._leads_alike(one.link, finding)]
        every = [one for one in same for _ in range(1 if one.uses is None else one.uses)]
        number = next((number for number, link in enumerate(links) if link.span == finding.span), None)
        if number is None or len(every) != len(links):
            return None
        words = [Word(path, one.link.span or (0, 0), one.link.reference) for one in every]
        whole = (0, len(self._sources.texts[path]))
        around = words[number].span if every[number].uses is None else whole
        if any(self._sources.is_comment(path, word.span[0]) for word in words):
            return None
        return words[number] if _said(finding, page.data) <= _around(self._sources.texts[path], around) else None

    def _leads_alike(self, link: Link, finding: Finding) -> bool:
        """Whether a reference with another text leads to the same target (rule 1)."""
        if self._is_target(link.reference, finding):
            return True
        target, _, fragment = (link.target or "").partition("#")
        wanted, _, wanted_fragment = (finding.target or "").partition("#")
        there = self._context.locator.locate(wanted).path
        source = self._sources.context.locator.locate(target).path
        return fragment == wanted_fragment and bool(there) and source in self._of(there or "")

    def _is_target(self, text: str, finding: Finding) -> bool:
        """Whether a text leads to the target of a finding, from the built page or from the root of the site."""
        targets = [] if text.startswith(("#", ".")) else [self._context.uri + text.lstrip("/")]
        if finding.base is not None and finding.base.uri is not None:
            targets.append(self._resolver(finding.base.uri)(clean(text)))
        return unquote(finding.target or "") in map(unquote, targets)

    def _as_word(
        self, finding: Finding, page: _Page, like: Sequence[Word], elsewhere: Sequence[Word], *, is_single: bool
    ) -> Word | None:
        """The reference as a word of a source (rule 3)."""
        own, is_in_tag = [word for word in like if word.path in page.sources], False
        if len(own) == 1 and not elsewhere and is_single:
            (word,), is_in_tag = own, self._is_in_tag(own[0])
            if not is_in_tag and self._sources.context.files.types.is_document(word.path):
                return None
        elif len(like) == 1 and elsewhere:
            (word,) = like
        else:
            return None
        path, span, text = word
        is_right = unquote(text) == unquote(finding.reference) or self._is_target(text, finding)
        if not is_right or len(text) < _SHORTEST or self._sources.is_comment(path, span[0]):
            return None
        is_said = is_in_tag or _said(finding, page.data) <= _around(self._sources.texts[path], span)
        return word if is_said else None

    def _is_in_tag(self, word: Word) -> bool:
        """Whether a word is in the front matter of a source, or in a tag of a template language."""
        data, start = self._sources.texts[word.path], word.span[0]
        before = data[max(0, start - _FAR) : start].decode("utf-8", "replace")
        return start < len(front_matter_of(data)) or _IN_TAG(before) is not None

    def _suggestion(self, finding: Finding, written: str, path: str, page: _Page) -> str | None:
        """What to write in a source in place of `written`: in a layout, only what is right in all folders."""
        if unquote(written) == unquote(finding.reference):
            is_anywhere = finding.reference.startswith("/") or ":" in finding.reference
            return finding.suggestion if path in page.sources or is_anywhere else None

        def source_of(built: str) -> str | None:
            found = self._of(built)
            return found[0] if len(found) == 1 else None

        return suggestion_in_source(finding, self._context.uri, path, source_of)


def _said(finding: Finding, page: bytes) -> set[str]:
    """The words of the text of a link, or of the alternative of an image, on a built page (rule 5)."""
    start, end = finding.span or (0, 0)
    text = ""
    if finding.element == "a":
        found = _TEXT(page[end : end + _FAR].decode("utf-8", "replace"))
        text = "" if found is None else _TAG.sub(" ", found[1])
    elif finding.element == "img":
        tag = page[max(0, page.rfind(b"<", 0, start)) : page.find(b">", end)][:_FAR]
        found = _ALT(tag.decode("utf-8", "replace"))
        text = "" if found is None else found[1] or found[2] or ""
    return _words_of(text)


def _around(data: bytes, span: tuple[int, int]) -> set[str]:
    """The words of the paragraph around a place in a source (rule 5)."""
    start, end = span
    before = _BLANK.split(data[max(0, start - _FAR) : start].decode("utf-8", "replace"))[-1]
    after = _BLANK.split(data[end : end + _FAR].decode("utf-8", "replace"))[0]
    return _words_of(before + data[start:end].decode("utf-8", "replace") + after)


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", unescape(text).casefold()))
