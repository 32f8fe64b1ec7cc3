"""Comparing sitemaps with the pages: the codes `missing-from-site`, `not-in-sitemap`, `no-sitemap`, `no-site-url`.

Without a sitemap there is one warning on `sitemap.xml`. URLs in sitemaps are absolute, so the URL of the site must be
known: if it is not, there is one warning on the first sitemap, and nothing else. The list of a sitemap is collected
while it is read, and so are the pages that need no listing. Only sitemaps whose names are not those of documents
(`sitemap.xml.gz`, plain text) are read here.
"""

from __future__ import annotations

import re
import zlib
from codecs import BOM_UTF8
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.documents.base import without_fragment
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.files.file_errors import FileError
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.metas import is_left_out, read_metas, refresh_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read, unreadable
from rehref.site._pages.site_tables import SiteTable
from rehref.site._placing.samples import SITEMAP_LINES
from rehref.site.findings import Finding
from rehref.text.encoding import Source
from rehref.text.large_bytes import mentions
from rehref.uri.resolver import Resolver

_NAME = re.compile(r"sitemap[^/]*\.xml(?:\.gz)?", re.IGNORECASE).fullmatch
_ELEMENTS: Final = ("urlset", "sitemapindex")
_PROLOG: Final = 1 << 16  # how many bytes may be before a document element
_MOST: Final = 50 * 1024 * 1024
_GZIP: Final = 31  # `wbits` for the gzip format


class Listing(NamedTuple):
    """The links of a sitemap. `by_content`: whether its document element shows that it is one."""

    links: Sequence[Link]
    is_index: bool = False
    by_content: bool = True


class Unlisted(NamedTuple):
    """A page that need not be listed."""


def collect(read: ReadPage) -> Listing | Unlisted | None:
    """Return the list of a sitemap; or that a page need not be listed."""
    if read.page.media_type == MediaType.HTML:
        return None if _should_list(read) else Unlisted()
    if read.page.media_type != MediaType.XML:
        return None
    element = sitemap_element(read.data)
    if element is None and not _NAME(_name_of(read.path)):
        return None
    return Listing(_locs(read.page.document), element == "sitemapindex", element is not None)


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, Listing | Unlisted]) -> Iterator[Finding]:
    """Yield the findings for the sitemaps of a folder, and for its pages that are in none."""
    search = _Search(context, {path: one for path, one in facts.items() if isinstance(one, Listing)}, table.unreadable)
    named = search.named()
    if not context.place.has_host and not context.options.own_hosts and named:
        message = "the URL of the site is not known (give --site-url), so no page can be looked up in the sitemap"
        yield Finding(document=named[0], code="no-site-url", message=message)
        return
    yield from search.of_robots()
    search.waiting += named
    yield from search.of_sitemaps()
    if not search.seen:
        if context.is_sent:
            yield Finding(document=f"{context.uri}sitemap.xml", code="no-sitemap", message="no sitemap was fetched")
        else:
            yield Finding(document="sitemap.xml", code="no-sitemap", message="there is no sitemap in the folder")
        return
    host = context.host
    expected = {*search.listed, *facts, *table.other_formats, *table.unreadable, *host.error_pages}
    for path in context.scope.checked:
        is_page = context.files.types.of(path) == MediaType.HTML and _name_of(path) != (host.not_found or "404.html")
        if is_page and path not in expected:
            yield Finding(document=path, code="not-in-sitemap", message="no sitemap lists this page")


@dataclass(slots=True)
class _Search:
    """Goes through sitemaps.

    `known`: the lists of sitemaps that were read already; `unreadable`: files that could not be read; `seen`: sitemaps
    met so far; `waiting`: those still to read; `listed`: the files that they list.
    """

    context: SiteContext
    known: Mapping[str, Listing]
    unreadable: Container[str]
    seen: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)
    listed: set[str] = field(default_factory=set)

    def named(self) -> list[str]:
        """Return the sitemaps by their names or document elements, those in the folder itself first.

        They are files whose names begin with `sitemap` and end in `.xml` or `.xml.gz`, and other `*.xml` files in the
        folder itself whose document element is a `urlset` or `sitemapindex`. Excluded files are not sitemaps. For pages
        of a server, the same names and document elements count.
        """
        found = filter(self._is_sitemap, self.context.files.paths)
        chosen = (path for path in found if not self.context.scope.leaves_out(path))
        return sorted(chosen, key=lambda path: (path.count("/"), path))

    def _is_sitemap(self, path: str) -> bool:
        if _NAME(_name_of(path)):
            return True
        known = self.known.get(path)
        if known is None or not known.by_content:
            return False
        return self.context.is_sent or ("/" not in path and path.endswith(".xml"))

    def of_robots(self) -> Iterator[Finding]:
        """Add the sitemaps that `robots.txt` names (RFC 9309 §2.2.4), plain text included.

        Yield findings for missing ones.
        """
        path = "robots.txt"
        if path not in self.context.files.paths:
            return
        try:
            data = read(self.context, path)
        except FileError as error:
            yield unreadable(path, error)
            return
        resolve = Resolver(self.context.uri_of(path))
        mark = len(BOM_UTF8) if data.startswith(BOM_UTF8) else 0
        line, counted = 1, 0
        for found in SITEMAP_LINES(data[mark:]):
            start, end = found.span(1)
            line += data.count(b"\n", counted, start + mark)
            counted = start + mark
            reference = found[1].decode("utf-8", "replace").strip()
            target = resolve(reference)
            message = self._take(target, is_sitemap=True) if reference != "" else ""
            if message != "" and self.context.scope.chooses(target, reference):
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
        """Add a sitemap or a page at a URI; return what is wrong with it, or ""."""
        located = self.context.locator.locate(without_fragment(target))
        path = None if located.outside else located.path
        if path is not None and not is_sitemap:
            self.listed.add(path)
        elif path is not None and located.code == "" and not self.context.scope.leaves_out(path):
            self.waiting.append(path)
        return "" if located.outside else located.message

    def of_sitemaps(self) -> Iterator[Finding]:
        """Read all sitemaps, those that an index lists, too, and yield findings for missing targets.

        A `loc` (in plain text, a URL) on the site that leads to no file is an error. URLs that lead elsewhere are not
        judged. A packed sitemap has no lines.
        """
        while self.waiting:
            path = self.waiting.pop()
            if path in self.seen:
                continue
            self.seen.add(path)
            if path in self.unreadable:  # this is reported already
                continue
            try:
                listing = self.known.get(path) or self._read(path)
            except FileError as error:
                yield unreadable(path, error)
                continue
            for link in listing.links:
                if link.target is None:
                    continue
                message = self._take(link.target, is_sitemap=listing.is_index)
                if message != "" and self.context.scope.chooses(link.target, link.reference):
                    yield finding_of(path, link, "missing-from-site", message)

    def _read(self, path: str) -> Listing:
        """Return the list of a sitemap that was not read as a document. Raises `FileError`."""
        data = read(self.context, path)
        is_packed = path.lower().endswith(".gz")
        if is_packed:
            data = xml_in(path, data)
        is_text = self.context.files.types.of(path) == "text/plain"
        document = self.context.document_of(path, data, "text/plain" if is_text else MediaType.XML)
        links = [*document.links()] if is_text else _locs(document)
        if is_packed:
            links = [link._replace(line=None, column=None, span=None) for link in links]
        return Listing(links, sitemap_element(data) == "sitemapindex")


def _should_list(read: ReadPage) -> bool:
    """Whether a page of HTML has no reason not to be listed.

    Reasons are: it is the page for 404 answers, asks search engines to leave it out, or refreshes at once to another
    address (`rehref.site._pages.metas`).
    """
    if not mentions(read.data, b"robots", b"refresh"):
        return True
    document = read_metas(read.context, read.path, read.data)
    refresh = refresh_of(document)
    return not is_left_out(document) and (refresh is None or refresh.reference is None or not refresh.at_once)


def _locs(document: Document) -> list[Link]:
    """Return the links of a sitemap in XML."""
    links = document.links()
    return [link for link in links if link.element == "loc" and link.attribute is None and link.kind == "hyperlink"]


def _name_of(path: str) -> str:
    return path.rpartition("/")[2]


def xml_in(path: str, data: bytes) -> bytes:
    """Return the bytes of a file without gzip, up to the size limit of sitemaps. Raises `FileError`.

    A sitemap has at most 50 MB unpacked (sitemaps.org, "Sitemap file limits"); no more of a packed one is read.
    """
    try:
        return zlib.decompressobj(_GZIP).decompress(data, _MOST)
    except zlib.error as error:
        raise FileError(path, f"cannot be unpacked: {error}", "pack it with gzip") from error


def sitemap_element(data: bytes) -> str | None:
    """Return the name of the document element, if it is that of a sitemap: `urlset` or `sitemapindex`."""
    local = read_page(Source(data[:_PROLOG]), is_xml=True).document_element.rpartition(":")[2]
    return local if local in _ELEMENTS else None
