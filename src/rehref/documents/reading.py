"""Reading a document of any type: determine its encoding, choose its reader.

The media type chooses the reader (`rehref.documents.media_types`); without one a document is HTML, unless it looks like
XML and the parser core reads XML. Servers send many web app manifests as `application/json`: a text of that type is
read if it looks like a manifest. A document may take only so long (`TimeLimit`).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from rehref.documents._formats import DocumentFormat
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.media_types import Beginning, MediaType, Reader
from rehref.documents.options import ReadOptions
from rehref.exceptions import RehrefError, TimeLimit, refuse_unknown
from rehref.markup.page_content import PageContent
from rehref.markup.parsed import XmlCore
from rehref.text.encoding import Sniffed, Source, named
from rehref.uri.resolver import PROFILES

_NO_MARKDOWN: Final = "reading Markdown needs the package pyromark; install it: pip install 'rehref[markdown]'"


class UnknownMediaTypeError(RehrefError, ValueError):
    """A media type that cannot be read."""


def read_document(
    data: bytes | str,
    media_type: str | None,
    encoding: str | None,
    layers: Layers,
    how: ReadOptions,
    *,
    is_response: bool = False,
) -> Document:
    """Read a document: find its references, establish its base.

    Its references raise an exception if they take longer than `how.max_time`: time is linear in the size of a document,
    but those whose references each have a base, or a document, of their own take much longer than others. Only the work
    on the document counts; documents inside it share its time.

    `encoding`: a label that overrides what the document declares, but not its byte order mark. `is_response`: whether
    it was sent by a server, not read from a file; that matters if nothing declares its encoding
    (`html_encoding.guessed`). Raises `UnknownMediaTypeError` (Markdown needs a package), `UnknownEncodingError`,
    `ParserError`, or ValueError for an unknown profile; the content of the document raises nothing here.
    """
    refuse_unknown("profile", how.profile, PROFILES)
    reader = _reader(data, media_type)
    if reader == "xml" and media_type is None and not isinstance(how.core(), XmlCore):
        reader = "html"
    form, limit = _format(reader), TimeLimit(how.max_time)
    if isinstance(data, str):
        source = Source(data)
    else:
        source = form.sniff(data, _canonical(encoding), is_response).source(data)
    document = limit.within(form.read, source, layers, how)
    document.source, document.reader, document.limit = source, reader, limit
    document.media_type = MediaType.of(media_type or (MediaType.HTML if reader == "html" else MediaType.XML))
    return document


@cache
def _format(reader: Reader) -> DocumentFormat:
    """The format of a reader: a module of `rehref.documents._formats`, which is loaded when it is needed."""
    try:
        found: DocumentFormat = import_module(f"rehref.documents._formats.{reader.replace('-', '_')}").FORMAT
    except ModuleNotFoundError as error:
        if reader not in ("markdown", "notebook") or error.name != "pyromark":
            raise
        raise UnknownMediaTypeError(_NO_MARKDOWN) from None
    return found


def encoding_of(
    data: bytes, media_type: str | None = None, declared: str | None = None, *, is_response: bool = False
) -> Sniffed:
    """The encoding of a document, and how it was determined; each type of document has its own way.

    `declared`: a label that overrides what the document declares, but not its byte order mark. `is_response`: as in
    `read_document`. Raises `UnknownMediaTypeError`, `UnknownEncodingError`.
    """
    return _format(_reader(data, media_type)).sniff(data, _canonical(declared), is_response)


def _reader(data: bytes | str, media_type: str | None) -> Reader:
    """The reader of a document. Raises `UnknownMediaTypeError`."""
    if media_type is None:
        return "xml" if Beginning.of(data).looks_like_xml else "html"
    reader = MediaType.of(media_type).reader
    if reader is None and MediaType.of(media_type) == MediaType.JSON:
        from rehref.documents._formats.manifest import is_manifest

        text = data if isinstance(data, str) else _format("manifest").sniff(data, None, False).source(data).text
        reader = "manifest" if is_manifest(text) else None
    if reader is None:
        raise UnknownMediaTypeError(
            f"the media type {MediaType.of(media_type)!r} cannot be read; {MediaType.HTML}, XML of any kind, text/css, "
            "text/plain, text/markdown, application/manifest+json and application/ld+json can"
        )
    return reader


def _canonical(label: str | None) -> str | None:
    """The name of the encoding with a label; the label itself if it has none."""
    return None if label is None else named(label) or label


def read_page(source: Source, *, is_xml: bool = False) -> PageContent:
    """A page as the core `source` reads it, for what is in it beside references. Raises nothing."""
    return PageContent(source, is_xml=is_xml)
