"""Sitemaps beside the pages there are: the codes `missing-from-site`, `not-in-sitemap`, `no-sitemap`, `no-site-url`.

1. Sitemaps are: files whose names begin with `sitemap` and end in `.xml` or `.xml.gz`; other `*.xml` files in the
   folder itself whose document element is a `urlset` or `sitemapindex`; what `Sitemap:` lines of `robots.txt` name (RFC
   9309 §2.2.4), plain text included; and what a sitemap index lists. Those that are excluded from checking are none.
2. A `loc` (in plain text, a URL) on the site that leads to no file is an error, and so is a sitemap that is named in
   `robots.txt` or an index and is not there. What leads elsewhere is not judged.
3. A page of HTML that no sitemap lists is a warning; not if it is the page for 404 answers, asks search engines to
   leave it out, or refreshes at once to somewhere (`rehref.checking.pages.metas`). Only pages that are not listed are
   read for that.
4. Without a sitemap there is one warning on `sitemap.xml`. URLs in sitemaps are absolute, so where the site is has to
   be known: if it is not, there is one warning on the first sitemap, and nothing else.
5. A sitemap has 50 MB unpacked, at most (sitemaps.org, "Sitemap file limits"); of what is packed no more is read, and
   it has no lines.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from rehref.base import without_fragment
from rehref.checking.model import Finding
from rehref.checking.pages.findings import finding_of
from rehref.checking.pages.metas import is_left_out, read_metas, refresh_of
from rehref.checking.pages.reading import mentions, read, read_again, read_or_skip, unreadable
from rehref.checking.pages.tables import SiteTable
from rehref.checking.site.site_context import SiteContext
from rehref.documents.link import Link
from rehref.documents.types.magic_numbers import magic
from rehref.documents.types.media_types import HTML_TYPE
from rehref.files.file_errors import FileError
from rehref.uri.resolver import Resolver

_NAME = re.compile(r"sitemap[^/]*\.xml(?:\.gz)?", re.IGNORECASE).fullmatch
_ELEMENT = re.compile(rb"<(?:[^\s<>/:]++:)?(urlset|sitemapindex)(?=[\s/>])").match
_MISC = re.compile(rb"\s++|<!--.*?-->|<\?.*?\?>|<!(?!--).*?>", re.DOTALL).match
_LINE = re.compile(rb"^[ \t]*+sitemap[ \t]*+:[ \t]*+([^\r\n#]*+)", re.IGNORECASE | re.MULTILINE).finditer
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MOST: Final = 50 * 1024 * 1024
_GZIP: Final = 31  # `wbits` for the gzip format


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """The findings for the sitemaps of a folder, and for those of its pages that are in none."""
    search = _Search(context)
    named = search.named()
    if context.options.site_url is None and named:
        message = "where the site is on the web is not known (--site-url), so no page can be found in the sitemap"
        yield Finding(document=named[0], code="no-site-url", message=message)
        return
    yield from search.of_robots()
    search.waiting += named
    yield from search.of_sitemaps()
    if not search.seen:
        yield Finding(document="sitemap.xml", code="no-sitemap", message="there is no sitemap in the folder")
        return
    for path in context.scope.checked:
        if context.files.types.of(path) == HTML_TYPE and path not in search.listed and search.should_list(path):
            yield Finding(document=path, code="not-in-sitemap", message="no sitemap lists this page")


@dataclass(slots=True)
class _Search:
    """Goes through sitemaps. `seen`: those met so far; `waiting`: those to read; `listed`: the files they lead to."""

    context: SiteContext
    seen: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)

    def named(self) -> list[str]:
        """The sitemaps that their names or document elements tell, those in the folder itself first (rule 1)."""
        found = filter(self._is_sitemap, self.context.files.paths)
        chosen = (path for path in found if not self.context.scope.leaves_out(path))
        return sorted(chosen, key=lambda path: (path.count("/"), path))

    def _is_sitemap(self, path: str) -> bool:
        if _NAME(path.rpartition("/")[2]):
            return True
        may_be = "/" not in path and path[:1] != "." and path.endswith(".xml")
        return may_be and document_element(read_or_skip(self.context, path) or b"") is not None

    def of_robots(self) -> Iterator[Finding]:
        """Take in the sitemaps that `robots.txt` names, and tell which are not there (rules 1, 2)."""
        path = "robots.txt"
        if path not in self.context.files.paths:
            return
        try:
            data = read(self.context, path)
        except FileError as error:
            yield unreadable(path, error)
            return
        resolve = Resolver(self.context.uri_of(path))
        mark = len(_MARKS[0]) if data.startswith(_MARKS[0]) else 0
        line, counted = 1, 0
        for found in _LINE(data[mark:]):
            start, end = found.span(1)
            line += data.count(b"\n", counted, start + mark)
            counted = start + mark
            reference = found[1].decode("utf-8", "replace").strip()
            target = resolve(reference)
            message = self._take(target, is_sitemap=True) if reference != "" else ""
            if message != "" and self.context.scope.chooses(target):
                column = start - found.start() + 1
                span = (start + mark, end + mark - len(found[1]) + len(found[1].rstrip()))
                yield Finding(
                    document=path,
                    code="missing-from-site",
                    message=message,
                    line=line,
                    column=column,
                    span=span,
                    reference=reference,
                    target=target,
                )

    def _take(self, target: str, *, is_sitemap: bool) -> str:
        """Take in a sitemap or a page at a URI; what is wrong with that, or "" if nothing is."""
        located = self.context.locator.locate(without_fragment(target))
        path = None if located.outside else located.path
        if path is not None and not is_sitemap:
            self.listed.add(path)
        elif path is not None and located.code == "" and not self.context.scope.leaves_out(path):
            self.waiting.append(path)
        return "" if located.outside else located.message

    def of_sitemaps(self) -> Iterator[Finding]:
        """Read all sitemaps, and tell what in them is not there (rule 2)."""
        while self.waiting:
            path = self.waiting.pop()
            if path in self.seen:
                continue
            self.seen.add(path)
            try:
                is_index, links = self._links(path)
            except FileError as error:
                yield unreadable(path, error)
                continue
            for link in links:
                if link.target is None:
                    continue
                message = self._take(link.target, is_sitemap=is_index)
                if message != "" and self.context.scope.chooses(link.target):
                    yield finding_of(path, link, "missing-from-site", message)

    def _links(self, path: str) -> tuple[bool, list[Link]]:
        """Whether a sitemap is an index, and what it lists. Raises `FileError`."""
        data = read(self.context, path)
        is_packed = path.lower().endswith(".gz")
        if is_packed:
            data = unpacked(path, data)
        is_text = self.context.files.types.of(path) == "text/plain"
        document = read_again(self.context, path, data, "text/plain" if is_text else "application/xml")
        links = [
            link
            for link in document.links()
            if is_text or (link.element == "loc" and link.attribute is None and link.kind == "hyperlink")
        ]
        if is_packed:
            links = [link._replace(line=None, column=None, span=None) for link in links]
        return document_element(data) == b"sitemapindex", links

    def should_list(self, path: str) -> bool:
        """Whether a page that is not listed is one that should be (rule 3)."""
        host = self.context.host
        if path.rpartition("/")[2] == (host.not_found or "404.html") or path in host.error_pages:
            return False
        data = read_or_skip(self.context, path)
        if data is None or magic(data) is not None:
            return False
        if not mentions(data, b"robots", b"refresh"):
            return True
        document = read_metas(self.context, path, data)
        refresh = refresh_of(document)
        return not is_left_out(document) and (refresh is None or refresh.reference is None or not refresh.at_once)


def unpacked(path: str, data: bytes) -> bytes:
    """A file without its gzip packing, up to what a sitemap may have (rule 5). Raises `FileError`."""
    try:
        return zlib.decompressobj(_GZIP).decompress(data, _MOST)
    except zlib.error as error:
        raise FileError(path, f"cannot be unpacked: {error}", "pack it with gzip") from error


def document_element(data: bytes) -> bytes | None:
    """The name of the document element, if it is that of a sitemap: `urlset` or `sitemapindex` (rule 1)."""
    for mark in _MARKS:
        if data.startswith(mark):
            data = data[len(mark) :].replace(b"\0", b"")
    at = 0
    while (found := _MISC(data, at)) is not None:
        at = found.end()
    element = _ELEMENT(data, at)
    return None if element is None else element[1]
