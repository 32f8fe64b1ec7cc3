"""The media types that rehref reads, and the reader of each.

1. A media type's essence (without parameters, in lower case) determines the reader: `html`, `xml`, `css`, `text`,
   `markdown`, `notebook` (of Jupyter), `manifest` (a web app manifest), `json-ld`, `headers` (the head of an HTTP
   message). None: it is not read.
2. XML is every type that RFC 7303 calls XML: `text/xml`, `application/xml`, and all that end in `+xml`; XHTML too.
3. Without a type, the extension of a name may determine it, or the whole name: `manifest.json`.
4. XML without a type is recognized by its beginning. A document that begins with an `html` element is read as HTML,
   with an XML declaration or without: most pages that claim to be XHTML were never read as XHTML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Literal, TypeAlias

from rehref.text import lower

Reader: TypeAlias = Literal["html", "xml", "css", "text", "manifest", "json-ld", "headers", "markdown", "notebook"]

HTML_TYPE = "text/html"
CSS_TYPE = "text/css"
XHTML_TYPE = "application/xhtml+xml"
XML_TYPE = "application/xml"
SVG_TYPE = "image/svg+xml"
TEXT_TYPE = "text/plain"
MARKDOWN_TYPE = "text/markdown"
NOTEBOOK_TYPE = "application/x-ipynb+json"
HEAD_TYPE = "message/http"
MANIFEST_TYPE = "application/manifest+json"
JSON_LD_TYPE = "application/ld+json"
JSON_TYPE = "application/json"
"""The type that servers often send for web app manifests (`rehref.documents.reading`, rule 3)."""
MANIFEST_NAME = "manifest.json"

_READERS: Mapping[str, Reader] = MappingProxyType(
    {
        HTML_TYPE: "html",
        "application/x-asp": "html",
        "application/x-httpd-php": "html",
        "text/css": "css",
        TEXT_TYPE: "text",
        MARKDOWN_TYPE: "markdown",
        NOTEBOOK_TYPE: "notebook",
        "text/xml": "xml",
        XML_TYPE: "xml",
        MANIFEST_TYPE: "manifest",
        "application/x-web-app-manifest+json": "manifest",
        JSON_LD_TYPE: "json-ld",
        HEAD_TYPE: "headers",
    }
)

TYPES_BY_ENDING: Mapping[str, str] = MappingProxyType(
    {
        ".html": HTML_TYPE,
        ".htm": HTML_TYPE,
        ".shtml": HTML_TYPE,
        ".xhtml": XHTML_TYPE,
        ".xht": XHTML_TYPE,
        ".css": "text/css",
        ".svg": SVG_TYPE,
        ".xml": XML_TYPE,
        ".atom": "application/atom+xml",
        ".rss": "application/rss+xml",
        ".rdf": "application/rdf+xml",
        ".opml": "text/x-opml+xml",
        ".opf": "application/oebps-package+xml",
        ".ncx": "application/x-dtbncx+xml",
        ".xsl": "application/xslt+xml",
        ".xslt": "application/xslt+xml",
        ".mathml": "application/mathml+xml",
        ".webmanifest": MANIFEST_TYPE,
        ".jsonld": JSON_LD_TYPE,
        ".txt": TEXT_TYPE,
        ".md": MARKDOWN_TYPE,
        ".markdown": MARKDOWN_TYPE,
        ".mdx": MARKDOWN_TYPE,
        ".ipynb": NOTEBOOK_TYPE,
    }
)
"""Media types by file extension, with its dot and in lower case."""

# the beginnings of XML: its declaration, or the document element of feeds and the like
_LOOKS_LIKE_XML = re.compile(rb"<\?xml[ \t\r\n]|[ \t\r\n]*+<(?:rss|feed|rdf:RDF|opml|urlset|sitemapindex)[\s>]").match
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

LOOKED_AT = 4096
"""The number of bytes of a document that `looks_like_xml` needs."""


@lru_cache(maxsize=16)  # most records of an archive have one of a few types
def essence(media_type: str | None) -> str:
    """A media type without its parameters, in lower case; "" for None (RFC 9110 §8.3.1)."""
    return "" if media_type is None else lower(media_type.partition(";")[0].strip())


def reader_of(essence: str) -> Reader | None:
    """The reader for documents of a media type (rules 1, 2)."""
    return _READERS.get(essence) or ("xml" if essence.endswith("+xml") else None)


def type_of_name(name: str) -> str | None:
    """The media type of the extension of a name, in upper or lower case, or of the whole name (rule 3)."""
    name = name[name.rfind("/") + 1 :]
    dot = name.rfind(".")
    if dot <= 0:
        return None
    return MANIFEST_TYPE if name == MANIFEST_NAME else TYPES_BY_ENDING.get(name[dot:].lower())


def looks_like_xml(head: bytes) -> bool:
    """Whether a document without a type is XML; `head`: its first bytes, `LOOKED_AT` or all (rule 4)."""
    if head.startswith(_MARKS):
        for mark in _MARKS:
            head = head.removeprefix(mark)
    head = head.replace(b"\0", b"")  # this is enough for UTF-16
    if _LOOKS_LIKE_XML(head) is None:
        return False
    if b"<html" not in head:
        return True
    from rehref.documents._marks.beginnings import document_element

    return document_element(head) != "html"
