"""Pages of a server, in place of the files of a folder: what is known of each, and which targets lead to them.

1. A page is named by its URL: the one that returned it, after redirections, without a fragment, as browsers write it.
2. Header fields say what a page is: its media type, and the label of its encoding. Without a type, it is a document if
   it looks like one. `text/xml` and `application/xml` are the same (RFC 7303 §9.2).
3. Header fields with references (`Link`) are a document of their own, next to the page.
4. A target leads to a fetched page; every other target is outside, and its server is asked
   (`rehref.checking.external`).
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, NamedTuple

from rehref.checking.site.charsets import Charsets
from rehref.checking.site.file_types import Types
from rehref.checking.site.files import Files
from rehref.checking.site.serving import Located
from rehref.checking.target_map import TargetMap
from rehref.documents.types.media_types import HTML_TYPE, LOOKED_AT, XML_TYPE, essence, looks_like_xml, reader_of
from rehref.documents.types.sniffing import is_type_of_document, looks_like_html
from rehref.text.header_fields import charset_of
from rehref.uri.whatwg import parse_or_none
from rehref.web.model import Answer

HEADER_FIELDS: Final = " (header fields)"
"""The name of the document of a page's header fields is the URL of the page and this text."""
_SUCCESS: Final = range(200, 300)
_OUTSIDE = Located(None, "", "", outside=True)


class FetchedPage(NamedTuple):
    """A page: its URL, the file with its content, its media type, and the label of its encoding, if these were sent."""

    url: str
    file: str
    media_type: str
    charset: str | None = None


class SentAs(NamedTuple):
    """How a document was sent: its media type, and the label of its encoding; None if none was named."""

    media_type: str
    charset: str | None


class NotFetched(NamedTuple):
    """A URL that was to be fetched, and failed: a code, and a message for people."""

    url: str
    code: str
    message: str


class Fetched(NamedTuple):
    """The pages by the names of documents (rules 1, 3), and the URLs that could not be fetched.

    `begun`: the pages from which the check started.
    """

    pages: Mapping[str, FetchedPage] = {}
    failed: tuple[NotFetched, ...] = ()
    begun: frozenset[str] = frozenset()

    def files(self) -> Files:
        """Return the pages as files: their names and types (rule 2)."""
        types = Types({name: page.media_type for name, page in self.pages.items()}, has_hidden=False)
        return Files(frozenset(self.pages), frozenset(), types=types)

    def charsets(self, asked: str | None) -> Charsets:
        """Return the encodings in which pages were sent (rule 2). `asked`: as in `Charsets`."""
        return Charsets(asked, by_path={name: page.charset for name, page in self.pages.items() if page.charset})


def sent_document(answer: Answer) -> SentAs | None:
    """Return how the document in an answer was sent (rule 2); None: the answer has no document.

    The content of an answer whose status is not a success is not a document: it is an error message or a login form.
    """
    if answer.failure is not None or answer.status not in _SUCCESS or answer.body is None:
        return None
    field = answer.headers.get("content-type", "")
    media_type = essence(field) or _type_of(answer.body[:LOOKED_AT])
    media_type = XML_TYPE if media_type == "text/xml" else media_type
    is_document = reader_of(media_type) is not None and is_type_of_document(media_type)
    return SentAs(media_type, charset_of(field)) if is_document else None


def _type_of(head: bytes) -> str:
    """Return the media type of content sent without one, by how it begins; "" if no document begins so."""
    return "" if not looks_like_html(head) else XML_TYPE if looks_like_xml(head) else HTML_TYPE


class PageLocator:
    """Finds the pages that targets lead to (rule 4)."""

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
