"""Pages of a server, in place of the files of a folder: what is known of each, and how they are checked.

A page is named by its URL: the one that returned it, after redirections, without a fragment, as browsers write it.
Header fields with references (`Link`) are a document of their own, next to the page. Nothing is inferred: the URL of a
page says where it is. Rules of hosts are not applied: the host itself did that. The URI of the site is the root of the
host of the first page; a target below it need not be a page.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.containers.inherited_encodings import SheetEncodings
from rehref.documents.media_types import Beginning, FileName, MediaType
from rehref.site._grounds.files import Fetched, Files, Types
from rehref.site._grounds.sent_fields import SentFields
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import CheckScope, SiteContext
from rehref.site._target_map import TargetMap
from rehref.site.check_options import OF_FOLDERS, CheckOptions
from rehref.site.findings import SitePlace
from rehref.text.encoding import lookup
from rehref.uri.components import split
from rehref.uri.resolver import parse_or_none
from rehref.web.answers import Answer

_NO_FOLDER: Final = CheckOptions(infer=False)
_FOLDER_OPTIONS: Final[Mapping[str, Any]] = {
    name: value
    for name, value in _NO_FOLDER._asdict().items()
    if name in {"infer", "exclude_paths", *(row.name for row in OF_FOLDERS)}
}
"""The fields of `CheckOptions` that have no effect here, with the values that they get."""
_GIVEN: Final[Any] = {row.name: row.default for row in OF_FOLDERS}
_SUCCESS: Final = range(200, 300)
_OUTSIDE = Located(None, "", "", outside=True)


class SentAs(NamedTuple):
    """How a document was sent: its media type; the label of its encoding, None if none was named; and policies."""

    media_type: MediaType
    charset: str | None
    policies: tuple[str, ...] = ()


def sent_document(answer: Answer) -> SentAs | None:
    """Return how the document in an answer was sent; None: the answer has no document.

    Header fields say what a page is: its media type, and the label of its encoding. Without a type, it is a document if
    it looks like one. `text/xml` and `application/xml` are the same (RFC 7303 §9.2). The content of an answer whose
    status is not a success is not a document: it is an error message or a login form.
    """
    if answer.failure is not None or answer.status not in _SUCCESS or answer.body is None:
        return None
    field = answer.headers.get("content-type", "")
    media_type = MediaType.of(field) or _type_of(Beginning.of(answer.body))
    is_list = False
    if FileName.is_of_sitemap(split(answer.final or answer.url).path):  # servers send it as anything
        media_type = _type_of(Beginning.of(answer.body)) or media_type
        is_list = media_type not in (MediaType.XML, *MediaType.PAGES) and _has_urls(answer.body)
        media_type = MediaType.TEXT if is_list else media_type
    media_type = MediaType.XML if media_type == "text/xml" else media_type
    is_document = is_list or (media_type.reader is not None and media_type.is_found)
    policies = tuple(value for name, value in answer.headers.items() if name == "content-security-policy")
    return SentAs(media_type, lookup(MediaType.charset_of(field)), policies) if is_document else None


def _has_urls(body: bytes) -> bool:
    """Return whether a text is a sitemap: a URL in each line (sitemaps.org, "Text file")."""
    lines = body.removeprefix(b"\xef\xbb\xbf").split()
    return bool(lines) and all(line.startswith((b"http://", b"https://")) for line in lines)


def _type_of(head: Beginning) -> MediaType:
    """Return the media type of content sent without one, by how it begins; "" if no document begins so."""
    return MediaType() if not head.looks_like_html else MediaType.XML if head.looks_like_xml else MediaType.HTML


class PageLocator:
    """Finds the pages that targets lead to; every other target is outside, and its server is asked."""

    root_dir = None
    """There is no folder for other paths."""

    def __init__(self, pages: Container[str], target_map: TargetMap | None = None) -> None:
        """`pages`: their URLs."""
        self._pages = pages
        self._map = target_map or None
        self.other_indexes: Mapping[str, str] = {}

    def locate(self, target: str) -> Located:
        """Find the page that a target leads to: a URI without its fragment. Never fails."""
        target = self.mapped(target)
        url = target if target in self._pages else parse_or_none(target)
        return Located(url, "", "") if url is not None and url in self._pages else _OUTSIDE

    def mapped(self, target: str) -> str:
        """Return the URI that is looked up for a target without its fragment."""
        return target if self._map is None else self._map(target)


def pages_context(
    first: str, fetched: Fetched, options: CheckOptions, known: Container[str] | None = None
) -> SiteContext:
    """Return the context in which pages are read and checked.

    `first`: the URL of the first page. `known`: the URLs that count as pages, if not those that were fetched.
    """
    options = options._replace(**_FOLDER_OPTIONS, given={**options.given, **_GIVEN})
    parts = split(first)
    uri = f"{parts.scheme}://{parts.authority}/"
    types = Types({name: page.media_type for name, page in fetched.pages.items()}, has_hidden=False)
    files = Files(frozenset(fetched.pages), frozenset(), types=types)
    urls = frozenset(page.url for page in fetched.pages.values()) if known is None else known
    return SiteContext(
        Path(),
        options,
        uri,
        files,
        PageLocator(urls, TargetMap(uri, options.remap)),
        sent_fields=SentFields(options.encoding, fetched=fetched.pages),
        scope=CheckScope(options, tuple(sorted(fetched.pages))),
        place=SitePlace(first, uri),
        fetched=fetched,
        sheets=SheetEncodings(fetched.pages),
    )
