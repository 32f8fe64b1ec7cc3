"""From a finding of a built page to the place in the sources where its reference is written; or to none.

A reference is looked for in the sources of its page (`page_sources.py`), else as a word (`source_texts.py`) that all
sources have once. Nothing in a comment is a place, nor the URL of the site, which is in configurations. A finding
without a sure place stays on the built page, which is never corrected.
"""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from functools import cached_property, lru_cache
from html import unescape
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import unquote

from rehref.documents.base import clean
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.reading_site_pages import read
from rehref.site._tracing.page_sources import PageSources
from rehref.site._tracing.source_place import SourcePlace
from rehref.site._tracing.source_texts import SourceReference, SourceTexts, Word, is_alike, last_name
from rehref.site.findings import Finding
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText
from rehref.uri.resolver import Resolver

_KEPT: Final = 16
_LEADS: Final = "\0"
"""Before keys that say where a reference leads."""
_FAR: Final = 4000
"""How many bytes around a reference are looked at."""
_BLANK = re.compile(r"\n[ \t]*\r?\n")

_Span: TypeAlias = tuple[int, int]
_Name: TypeAlias = tuple[str, str, str | None]
"""What links have in common that are alike: the text, the element, the attribute."""
_References: TypeAlias = defaultdict[_Name, list[SourceReference]]


class _Page(NamedTuple):
    """A built page: the texts for its images, and where each image is named; its links by what they have in common; the
    texts of these by their last names; the sources that it may be made of.
    """

    alternatives: Sequence[tuple[int, int, str]]
    links: defaultdict[_Name, list[Link]]
    alike: defaultdict[str, set[str]]
    sources: Sequence[str]

    def words(self, link: Link) -> set[str]:
        """The words of the text of a link, or of the alternative of an image: all must be in the paragraph of the
        source.

        A definition stands elsewhere; there the whole source counts. A tag of a template need not have them.
        """
        if link.element != "img" or link.span is None:
            return _words_of(link.text or "")
        number = bisect_right(self.alternatives, link.span[0], key=itemgetter(0)) - 1
        found = self.alternatives[number] if number >= 0 else None
        return _words_of(found[2] if found is not None and link.span[1] <= found[1] else "")

    def others_like(self, link: Link, written: Container[_Name]) -> list[Link]:
        """Return the links like another one, with texts that are not written."""
        element, text = (link.element, link.attribute), link.reference
        names = ((other, *element) for other in self.alike[last_name(text)] if other != text and is_alike(other, text))
        return [each for name in names if (unquote(name[0]), *element) not in written for each in self.links[name]]


class Tracer:
    """Finds the places of findings in sources."""

    def __init__(self, context: SiteContext, findings: Sequence[Finding], folder: Path) -> None:
        """Read the sources in a folder, for all findings of a site. Raises `FileError`, if they cannot be read."""
        self._context, self._sources = context, SourceTexts(context, folder)
        self.sources, self.unread = self._sources.context, self._sources.unread
        page_sources = PageSources(self.sources, self._sources.texts)
        self._of = page_sources.of
        self._in_pages = set(chain(*chain.from_iterable(map(page_sources.every, context.files.paths))))
        self._found = {(one.document, one.span) for one in findings}
        self._page = lru_cache(_KEPT)(self._read_page)
        self._places = lru_cache(_KEPT)(self._find_places)
        self._around = lru_cache(_KEPT)(lambda path, span: _around(self._sources.texts[path], span))
        self._by_key = lru_cache(_KEPT)(self._read_by_key)

    def _read_page(self, document: str) -> _Page:
        data = read(self._context, document)
        links, alike = defaultdict[_Name, list[Link]](list), defaultdict[str, set[str]](set)
        read_document = self._context.document_of(document, data, text=True)
        for link in read_document.links():
            links[link.reference, link.element, link.attribute].append(link)
            alike[last_name(link.reference)].add(link.reference)
        source = read_document.source
        return _Page(read_page(source).alternatives(), links, alike, self._of(document, source))

    def locate(self, finding: Finding) -> SourcePlace | None:
        """Return the place of a finding, or None."""
        if finding.span is None or finding.target is None:
            return None
        words = self._places(finding.document, (finding.reference, finding.element, finding.attribute))
        word = words.get(finding.span)
        if word is None:
            return None
        line, column = SourceText(Source(self._sources.texts[word.path], "utf-8")).position(word.span[0])
        return SourcePlace(word.path, line, column, word.span, word.text, self._suggestion(finding, word))

    def _find_places(self, document: str, name: _Name) -> Mapping[_Span, Word]:
        """The places of links that are alike, by their spans on the page; none, if they are not sure."""
        page, links = self._page(document), self._page(document).links[name]
        if not links or not all((document, link.span) in self._found and link.target is not None for link in links):
            return {}
        like = self._sources.words_like(name[0])
        own = [word for word in like if word.path in page.sources]
        is_tagged = any(map(self._sources.is_in_tag, own))
        is_elsewhere = len({word.path for word in own}) > 1 or any(self._is_no_page(word.path) for word in like)
        paths = () if is_tagged or is_elsewhere else page.sources
        found = list(filter(None, (self._as_references(document, path, links, like) for path in paths)))
        if found:
            return found[0] if len(found) == 1 else {}
        word = self._as_word(page, links, like, is_tagged) if len(like) == 1 else None
        return {} if word is None else {link.span: word for link in links if link.span is not None}

    def _is_no_page(self, path: str) -> bool:
        """Whether a source is a layout, a data file, and the like: not a page, nor a draft of one."""
        return path not in self._in_pages and self.sources.files.types.of(path) != MediaType.MARKDOWN

    def _as_references(
        self, document: str, path: str, links: Sequence[Link], like: Sequence[Word]
    ) -> Mapping[_Span, Word]:
        """The places of links in a source of the page, as far as their texts are there.

        They are the same text, in the same attribute; else one that leads to the same target, from the built page or
        from the root of the site; or one that leads to the source of the page that the target is on, with the same
        fragment. The source must have as many as the page, and all of these must be findings. Then the nth place is
        that of the nth finding: in any order, all are wrong for the same reason. If the page has more, some come from
        elsewhere, and none is sure.
        """
        page, first = self._page(document), links[0]
        by_key = self._by_key(document, path, first.base.uri)
        target, _, fragment = (first.target or "").partition("#")
        led = self._context.locator.locate(target).path
        leads = [first.target or "", *(f"{each}#{fragment}" for each in (self._of(led) if led else ()))]
        keys = [first.reference, *map(_LEADS.__add__, leads)]
        element = first.element, first.attribute
        same = next((found for key in keys if (found := by_key.get((unquote(key), *element)))), ())
        starts = {one.span[0] for one in same}
        if len(same) != len(links) or any(self._sources.is_comment(path, start) for start in starts):
            return {}
        is_unsure = any(self._sources.is_enclosed(path, start) for start in starts)
        others = page.others_like(first, by_key)
        places: dict[_Span, Word] = {}
        for link, one in zip(links, same, strict=True):
            around = self._around(path, None if one.is_definition else one.span)
            if link.span is not None and page.words(link) <= around:
                places[link.span] = Word(path, one.span, one.link.reference)
                is_unsure = is_unsure or any(page.words(each) <= around for each in others)
        is_only_here = self._has_layouts and all(word.path == path for word in like)
        return {} if is_unsure and not is_only_here else places

    def _read_by_key(self, document: str, path: str, base: str | None) -> _References:
        """The references of a source by their texts; if the page has no such text, also by where they may lead.

        That is the target from the page, and from the root of the site; and the source, with a fragment.
        """
        links, resolve = self._page(document).links, None if base is None else Resolver(base)
        by_key: _References = defaultdict(list)
        for one in self._sources.references(path):
            text, element = one.link.reference, (one.link.element, one.link.attribute)
            keys = [text]
            if (text, *element) not in links:
                target, _, fragment = (one.link.target or "").partition("#")
                leads = [*self._targets(text, resolve), f"{self.sources.locator.locate(target).path}#{fragment}"]
                keys += map(_LEADS.__add__, leads)
            for key in set(map(unquote, keys)):
                by_key[key, *element].append(one)
        return by_key

    def _targets(self, text: str, resolve: Resolver | None) -> list[str]:
        """The targets that a text may have: from the built page, and from the root of the site."""
        from_root = [] if text.startswith(("#", ".")) else [self._context.uri + text.lstrip("/")]
        return from_root if resolve is None else [*from_root, resolve(clean(text))]

    @cached_property
    def _has_layouts(self) -> bool:
        """Whether layouts are among the sources, so that what they put into pages is known."""
        types = self.sources.files.types
        return not self.unread and any(
            types.is_document(path) and self._is_no_page(path) for path in self._sources.texts
        )

    def _as_word(self, page: _Page, links: Sequence[Link], like: Sequence[Word], is_tagged: bool) -> Word | None:
        """The place of links as the only word of all sources, however many pages have their reference.

        It is in the page's source, in front matter or in a template's tag (or anywhere, if rehref cannot read that
        format); or in a file that is not a page, such as a layout or a data file. There must be no word like it in
        files that are not pages, nor another one in a tag of the page's source, nor in another source of the page: the
        page may have it from there. These need not be shown at all: what front matter or a tag has; what is between two
        tags (`{{< tabs >}}` … `{{< /tabs >}}`); or what the page has in another form, with the same text. Then no other
        source may have it, and layouts must be among the sources.
        """
        (word,), link = like, links[0]
        path, span, text = word
        is_same = unquote(text) == unquote(link.reference)
        if path in page.sources:
            is_read = self.sources.files.types.is_document(path)
            if len(links) != 1 or not is_same or (is_read and not (is_tagged and self._has_layouts)):
                return None
        elif not self._is_no_page(path):
            return None
        resolve = None if link.base.uri is None else Resolver(link.base.uri)
        is_right = link.target != self._context.uri and (is_same or link.target in self._targets(text, resolve))
        if not is_right or self._sources.is_comment(path, span[0]):
            return None
        around = self._around(path, span)
        return word if is_tagged or all(page.words(each) <= around for each in links) else None

    def _suggestion(self, finding: Finding, word: Word) -> str | None:
        """What to write in place of a word: in a layout, only what is right in all folders."""
        if unquote(word.text) == unquote(finding.reference):
            is_anywhere = finding.reference.startswith("/") or ":" in finding.reference
            return finding.suggestion if is_anywhere or not self._is_no_page(word.path) else None

        site, below = self._context.uri, word.text.lstrip("/")
        if site + below == finding.target:
            base = "" if finding.base is None else finding.base.uri
            target = Resolver(base)(finding.suggestion) if base and finding.suggestion else ""
            return word.text.removesuffix(below) + target[len(site) :] if target.startswith(site) else None

        def source_of(built: str) -> str | None:
            found = self._of(built)
            return found[0] if len(found) == 1 else None

        path = word.text.partition("#")[0]
        is_to_source = path == "" or posixpath.splitext(path)[1] != ""
        return finding.suggestion_in_source(word.path, site, source_of) if is_to_source else None


def _around(data: bytes, span: _Span | None) -> set[str]:
    """The words of the paragraph around a place in a source, or of all of it."""
    if span is None:
        return _words_of(data.decode())
    start, end = span
    before = _BLANK.split(data[max(0, start - _FAR) : start].decode("utf-8", "replace"))[-1]
    after = _BLANK.split(data[end : end + _FAR].decode("utf-8", "replace"))[0]
    return _words_of(before + data[start:end].decode("utf-8", "replace") + after)


def _words_of(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", unescape(text).casefold()))
