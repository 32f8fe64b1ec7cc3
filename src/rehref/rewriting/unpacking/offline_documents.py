"""A document of a container as a file that browsers open from a disk, without header fields.

1. A file has no header fields that give its encoding. A document that would therefore be read in another encoding is
   written in UTF-8, with a byte order mark. So is a document that does not declare its encoding itself, unless it is
   all ASCII; and text and scripts whose charset was only in a header field. What contains a NUL is not text, and stays,
   unless it is in UTF-16.
   If a document changes its encoding, references that would be encoded differently are rewritten.
2. References to saved resources lead to their files, others become absolute; a `base` is removed
   (`rehref.rewriting.rules.offline`), and so are attributes that keep browsers from loading saved files
   (`rehref.rewriting.loading_restrictions`). References in the attributes of lazy loaders change if they lead to saved
   files (`rehref.carriers.lazy_loading`).
3. References that browsers load from the web are counted. On request, nothing is loaded from there.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rehref.base import Base, clean
from rehref.containers.opening import open_part
from rehref.containers.parts import Part
from rehref.documents.custom_attributes import also_lazy
from rehref.documents.link import Link
from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import HTML_TYPE, XHTML_TYPE, essence, reader_of
from rehref.options import ReadOptions
from rehref.rewriting.contract import DROP, Drop, MixedRule
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.loading_restrictions import ATTRIBUTES, goes_by_itself, may_restrict_loading, without_network
from rehref.rewriting.rules.offline import Offline, is_one_of
from rehref.text.charsets import decode
from rehref.text.encoding import lookup
from rehref.text.source import Source

_MARK = b"\xef\xbb\xbf"
_MARKS = (_MARK, b"\xff\xfe", b"\xfe\xff")
_TITLE = re.compile(r"<title(?:\s[^<>]{0,1000})?>([^<]{0,2000})", re.IGNORECASE).search
_TITLE_WITHIN = 1 << 18
_LONGEST_TITLE = 200
_WEB = ("http:", "https:", "//")
_SHOWN_XML = (XHTML_TYPE, "image/svg+xml", "application/xml", "text/xml")


@dataclass(frozen=True, slots=True)
class OfflineFile:
    """A document as a file.

    `title`: the title of HTML, "" if it has none. `web`: how many references make browsers load something from the web.
    """

    data: bytes
    title: str = ""
    web: int = 0


def is_document(media_type: str) -> bool:
    """Return whether documents of this media type are read and rewritten."""
    return reader_of(media_type) not in (None, "text", "headers")


def offline_file(
    part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions, *, no_network: bool = False
) -> OfflineFile:
    """Make a file of a document (rules 1 to 3). Raises what `open_part` does.

    `find`: returns the path that a URI is saved at, for `Offline`. `at`: the document's own path. `no_network`: make
    pages that never ask the web.
    """
    attributes, only_saved = also_lazy(how.attributes)
    document = open_part(part, replace(how, attributes=(*attributes, *ATTRIBUTES)))
    meant = document.source
    is_moved = _is_moved(part, meant)
    offline = Offline(find, at, base_element="drop", only_saved=only_saved)
    rule = offline.for_document(document.own, document.base, document.how.profile)
    kind = essence(part.media_type)
    copied = _Copied(rule, is_moved, no_network, only_saved, kind in _SHOWN_XML)
    data = rewrite_document(document, copied).data
    assert isinstance(data, bytes)
    is_markup = reader_of(kind) in ("html", "xml")
    encoding = meant.encoding or "utf-8"
    title = _title(decode(data[meant.bom : _TITLE_WITHIN], encoding)) if is_markup else ""
    if is_moved:
        data = _MARK + decode(data, encoding).encode("utf-8", "replace")
    if no_network and kind in (HTML_TYPE, XHTML_TYPE):
        data = without_network(data, "utf-8" if is_moved else encoding, is_xml=kind == XHTML_TYPE)
    return OfflineFile(data, title, copied.web)


def _is_moved(part: Part, meant: Source) -> bool:
    """Return whether a document is written in UTF-8, whatever its encoding was (rule 1)."""
    if meant.bom or not _may_move(part.data, meant.encoding or ""):
        return False
    found = encoding_of(part.data, part.media_type)
    return found.name != meant.encoding or (found.undeclared and reader_of(essence(part.media_type)) == "html")


def text_file(part: Part) -> bytes:
    """Return another part as a file: text in UTF-8 if only a header field gave its charset (rule 1), else unchanged."""
    declared = part.charset
    kind = essence(part.media_type)
    encoding = lookup(declared or "") or "utf-8"
    if declared is None or part.data.startswith(_MARKS) or not _may_move(part.data, encoding):
        return part.data
    if kind.startswith("text/") or kind.endswith("javascript"):
        return _MARK + decode(part.data, encoding).encode("utf-8", "replace")
    return part.data


def _may_move(data: bytes, encoding: str) -> bool:
    """Return whether the encoding matters for the data, and they are text."""
    return encoding.startswith("utf-16") or not (data.isascii() or b"\0" in data)


def _title(text: str) -> str:
    """Return the first `title` of a page as one line of text; "" if there is none."""
    found = _TITLE(text)
    return "" if found is None else " ".join(html.unescape(found[1]).split())[:_LONGEST_TITLE]


@dataclass(slots=True)
class _Copied:
    """The rule for one document, which counts what browsers load from the web.

    `is_moved`: whether the encoding of the document changes. `lazy`: attributes that mean nothing to browsers.
    """

    offline: MixedRule
    is_moved: bool
    no_network: bool
    lazy: frozenset[str]
    is_xml: bool
    web: int = 0

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        return self.of_element(link, {})

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | Drop | None:
        """See `ElementRule`."""
        new = self.offline.of_element(link, attributes)
        if isinstance(new, Drop) or may_restrict_loading(link):
            return new
        if new is None:
            new = self._re_encoded(link.reference, link.target, same_document=link.same_document)
        if not clean(link.reference if new is None else new)[:8].lower().startswith(_WEB):
            return new
        if self.no_network and goes_by_itself(link):
            return DROP
        if self.no_network and self.is_xml and link.kind == "resource":
            return "data:,"
        self.web += link.kind == "resource" and not is_one_of(link.element, link.attribute, self.lazy)
        return new

    def needs_link(self, kind: str, element: str, attribute: str | None) -> bool:
        """See `MixedRule`. What browsers load by themselves is counted."""
        return kind == "resource" or element in ("link", "meta") or self.offline.needs_link(kind, element, attribute)

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `PlainRule`."""
        assert self.offline.plain is not None
        new = self.offline.plain(reference, target, base, same_document=same_document)
        return self._re_encoded(reference, target, same_document=same_document) if new is None else new

    def _re_encoded(self, reference: str, target: str | None, *, same_document: bool) -> str | None:
        """Return the target if the reference may have a query in the page's old encoding, else None."""
        return target if self.is_moved and not same_document and not reference.isascii() else None
