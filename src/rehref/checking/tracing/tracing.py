"""From a finding of a built page to the place in the sources where its reference is written; or to none.

1. A reference is looked for in the sources of its page (`page_sources.py`): the same text, in the same attribute. If
   there is none, one that leads to the same target, from the built page or from the root of the site; or one that leads
   to the source of the page that the target is on, with the same fragment.
2. The source must have as many as the page, and all of these must be findings. Then the nth place is that of the nth
   finding: in any order, all are wrong for the same reason. If the page has more, some come from elsewhere, and none is
   sure.
3. Else it is looked for as a word (`source_texts.py`) that all sources have once: in the page's source, in front
   matter or in a template's tag (or anywhere, if rehref cannot read that format); or in a file that is not a page, such
   as a layout or a data file. That is one place, however many pages have its reference.
4. There must be no word like it in files that are not pages, nor another one in a tag of the page's source: the page
   may have it from there. What front matter or a tag has need not be shown at all, nor what is between two tags
   (`{{< tabs >}}` … `{{< /tabs >}}`): then no other source may have it, and layouts must be among the sources.
5. The text of the link, or the alternative of the image, must be in the paragraph of the source: all its words. A
   definition stands elsewhere; there the whole source counts. A tag of a template need not have it.
6. Nothing in a comment is a place, nor a word shorter than four characters. If several sources of the page are right,
   none is.
7. A finding without a sure place stays on the built page, which is never corrected.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from rehref.base import clean
from rehref.checking.model import Finding
from rehref.checking.pages.reading import read
from rehref.checking.site.generators import front_matter_of
from rehref.checking.site.site_context import SiteContext
from rehref.checking.tracing.page_sources import PageSources
from rehref.checking.tracing.source_place import SourcePlace, suggestion_in_source
from rehref.checking.tracing.source_texts import SourceReference, SourceTexts, Word
from rehref.documents.link import Link
from rehref.documents.media_types import MARKDOWN_TYPE
from rehref.uri.resolver import Resolver

_SHORTEST: Final = 4
_KEPT: Final = 16
_FAR: Final = 4000
"""How many bytes around a reference are looked at."""
_TAG = re.compile(r"<[^<>]*>")
_TEXT = re.compile(r"[^<>]*>(.*?)(?:</a\b|\Z)", re.DOTALL | re.IGNORECASE).match
_ALT = re.compile(r"""\balt=(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE).search
_IS_PART = re.compile(r"/_?(?:includes?|partials?|snippets|shortcodes|layouts)/").search
_BLANK = re.compile(r"\n[ \t]*\r?\n")
_IN_TAG = re.compile(r"\{[{%](?![<%]?/\*)(?:(?![}%]\}).)*\Z", re.DOTALL).search


_Span: TypeAlias = tuple[int, int]
_Name: TypeAlias = tuple[str, str, str | None]
"""What links have in common that are alike: the text, the element, the attribute."""
_References: TypeAlias = defaultdict[_Name, list[SourceReference]]


class _Page(NamedTuple):
    """A built page: its bytes, its links, those that are alike together, the sources that it may be made of."""

    data: bytes
    links: defaultdict[_Name, list[Link]]
    sources: Sequence[str]


class Tracer:
    """Finds the places of findings in sources."""

    def __init__(self, context: SiteContext, findings: Sequence[Finding], folder: Path) -> None:
        """Read the sources in a folder, for all findings of a site. Raises `FileError`, if they cannot be read."""
        self._context, self._sources = context, SourceTexts(context, folder)
        self.sources, self.unread = self._sources.context, self._sources.unread
        page_sources = PageSources(self.sources, self._sources.texts)
        self._of = page_sources.of
        self._in_pages = {path for document in context.files.paths for path in page_sources.every(document)}
        self._found = {(one.document, one.span) for one in findings}
        self._page = lru_cache(_KEPT)(self._read_page)
        self._places = lru_cache(_KEPT)(self._find_places)
        self._around = lru_cache(_KEPT)(lambda path, span: _around(self._sources.texts[path], span))
        self._by_target = lru_cache(_KEPT)(self._read_by_target)

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
        words = self._places(finding.document, (finding.reference, finding.element, finding.attribute))
        word = words.get(finding.span)
        if word is None:
            return None
        data = self._sources.texts[word.path]
        start = data.rfind(b"\n", 0, word.span[0]) + 1
        line, column = data.count(b"\n", 0, start) + 1, len(data[start : word.span[0]].decode()) + 1
        return SourcePlace(word.path, (line,), word.text, self._suggestion(finding, word), column, word.span)

    def _find_places(self, document: str, name: _Name) -> Mapping[_Span, Word]:
        """The places of links that are alike, by their spans on the page; none, if they are not sure."""
        page = self._page(document)
        links = [link for link in page.links[name] if link.span is not None and link.target is not None]
        if not links or not all((document, link.span) in self._found for link in page.links[name]):
            return {}
        like = self._sources.words_like(name[0])
        elsewhere = [word for word in like if self._is_no_page(word.path)]
        tagged = [word for word in like if word.path in page.sources and self._is_in_tag(word)]
        each = [] if elsewhere or tagged else [self._as_references(document, path, links) for path in page.sources]
        found = [words for words in each if words]
        if found:
            return found[0] if len(found) == 1 else {}
        word = self._as_word(page, links, like, tagged)
        return {} if word is None else {link.span: word for link in links if link.span is not None}

    def _is_no_page(self, path: str) -> bool:
        """Whether a source is a layout, a data file, and the like (rule 3): not a page, nor a draft of one."""
        is_markdown = self.sources.files.types.of(path) == MARKDOWN_TYPE
        return path not in self._in_pages and (not is_markdown or _IS_PART(f"/{path}") is not None)

    def _as_references(self, document: str, path: str, links: Sequence[Link]) -> Mapping[_Span, Word]:
        """The places of links in a source of the page (rules 1, 2), as far as their texts are there."""
        page, first = self._page(document), links[0]
        texts, targets = self._by_target(document, path, first.base.uri)
        name = first.element, first.attribute
        same = texts.get((unquote(first.reference), *name), ())
        if not same:
            fragment = (first.target or "").partition("#")[2]
            keys = [unquote(first.target or ""), *(f"{source}#{fragment}" for source in self._sources_at(first))]
            same = next((found for key in keys if (found := targets.get((key, *name)))), ())
        every = [one for one in same for _ in range(1 if one.uses is None else one.uses)]
        starts = [one.link.span[0] for one in same if one.link.span is not None]
        if len(every) != len(links) or any(self._sources.is_comment(path, start) for start in starts):
            return {}
        if any(self._sources.is_enclosed(path, start) for start in starts) and not self._is_only_in(path, first):
            return {}
        places: dict[_Span, Word] = {}
        for link, one in zip(links, every, strict=True):
            span = one.link.span or (0, 0)
            around = self._around(path, span if one.uses is None else None)
            if link.span is not None and _said(link, page.data) <= around:
                places[link.span] = Word(path, span, one.link.reference)
        return places

    def _read_by_target(self, document: str, path: str, base: str | None) -> tuple[_References, _References]:
        """The references of a source, by their texts; and, if the page has no such text, by where they may lead.

        That is the target from the page, and from the root of the site; and the source, with a fragment.
        """
        links, resolve = self._page(document).links, None if base is None else Resolver(base)
        texts: _References = defaultdict(list)
        targets: _References = defaultdict(list)
        for one in self._sources.references(path):
            text, name = one.link.reference, (one.link.element, one.link.attribute)
            texts[unquote(text), *name].append(one)
            if (text, *name) not in links:
                target, _, fragment = (one.link.target or "").partition("#")
                source = self.sources.locator.locate(target).path
                keys = {unquote(each) for each in self._targets(text, resolve)} | {f"{source}#{fragment}"}
                for key in keys:
                    targets[key, *name].append(one)
        return texts, targets

    def _targets(self, text: str, resolve: Resolver | None) -> list[str]:
        """The targets that a text may have: from the built page, and from the root of the site."""
        from_root = [] if text.startswith(("#", ".")) else [self._context.uri + text.lstrip("/")]
        return from_root if resolve is None else [*from_root, resolve(clean(text))]

    @cached_property
    def _has_layouts(self) -> bool:
        """Whether layouts are among the sources, so that what they put into pages is known."""
        types = self.sources.files.types
        return not self.unread and any(
            types.is_document(path) and types.of(path) != MARKDOWN_TYPE and self._is_no_page(path)
            for path in self._sources.texts
        )

    def _is_only_in(self, path: str, link: Link) -> bool:
        """Whether no other source has a word like a link, as far as layouts are known."""
        return self._has_layouts and all(word.path == path for word in self._sources.words_like(link.reference))

    def _sources_at(self, link: Link) -> Sequence[str]:
        """The sources of the page that a link leads to."""
        path = self._context.locator.locate((link.target or "").partition("#")[0]).path
        return self._of(path) if path else ()

    def _as_word(self, page: _Page, links: Sequence[Link], like: Sequence[Word], tagged: Sequence[Word]) -> Word | None:
        """The place of links as a word of a source (rule 3)."""
        if len(like) != 1:
            return None
        (word,) = like
        is_own = word.path in page.sources
        if is_own and (len(links) != 1 or unquote(word.text) != unquote(links[0].reference)):
            return None
        if is_own and not (tagged and self._has_layouts) and self.sources.files.types.is_document(word.path):
            return None
        if not is_own and not self._is_no_page(word.path):
            return None
        (path, span, text), link = word, links[0]
        resolve = None if link.base.uri is None else Resolver(link.base.uri)
        is_right = unquote(text) == unquote(link.reference) or link.target in self._targets(text, resolve)
        if not is_right or len(text) < _SHORTEST or self._sources.is_comment(path, span[0]):
            return None
        around = self._around(path, span)
        return word if tagged or all(_said(each, page.data) <= around for each in links) else None

    def _is_in_tag(self, word: Word) -> bool:
        """Whether a word is in the front matter of a source, or in a tag of a template language."""
        data, start = self._sources.texts[word.path], word.span[0]
        before = data[max(0, start - _FAR) : start].decode("utf-8", "replace")
        return start < len(front_matter_of(data)) or _IN_TAG(before) is not None

    def _suggestion(self, finding: Finding, word: Word) -> str | None:
        """What to write in place of a word: in a layout, only what is right in all folders."""
        if unquote(word.text) == unquote(finding.reference):
            is_anywhere = finding.reference.startswith("/") or ":" in finding.reference
            return finding.suggestion if is_anywhere or not self._is_no_page(word.path) else None

        def source_of(built: str) -> str | None:
            found = self._of(built)
            return found[0] if len(found) == 1 else None

        return suggestion_in_source(finding, self._context.uri, word.path, source_of)


def _said(link: Link, page: bytes) -> set[str]:
    """The words of the text of a link, or of the alternative of an image, on a built page (rule 5)."""
    start, end = link.span or (0, 0)
    found = None
    if link.element == "a":
        found = _TEXT(page[end : end + _FAR].decode("utf-8", "replace"))
    elif link.element == "img":
        tag = page[max(0, page.rfind(b"<", 0, start)) : page.find(b">", end)][:_FAR]
        found = _ALT(tag.decode("utf-8", "replace"))
    return set() if found is None else _words_of(_TAG.sub(" ", found[found.lastindex or 0]))


def _around(data: bytes, span: _Span | None) -> set[str]:
    """The words of the paragraph around a place in a source, or of all of it (rule 5)."""
    if span is None:
        return _words_of(data.decode())
    start, end = span
    before = _BLANK.split(data[max(0, start - _FAR) : start].decode("utf-8", "replace"))[-1]
    after = _BLANK.split(data[end : end + _FAR].decode("utf-8", "replace"))[0]
    return _words_of(before + data[start:end].decode("utf-8", "replace") + after)


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", unescape(text).casefold()))
