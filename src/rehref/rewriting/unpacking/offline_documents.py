"""A document of a container as a file that browsers open from a disk, without header fields.

1. A file has no header fields that give its encoding. A document that would therefore be read in another encoding is
   written in UTF-8, with a byte order mark. So is a document that does not declare its encoding itself, unless it is
   all ASCII; and text and scripts whose charset was only in a header field. What contains a NUL is not text, and stays.
   If a document changes its encoding, references that would be encoded differently are rewritten.
2. References to saved resources lead to their files, others become absolute; a `base` is removed
   (`rehref.rewriting.rules.offline`), and so are attributes that keep browsers from loading saved files
   (`rehref.rewriting.loading_restrictions`). References in the attributes of lazy loaders change if they lead to saved
   files (`rehref.carriers.lazy_loading`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from rehref.containers.opening import open_part
from rehref.containers.parts import Part
from rehref.documents.custom_attributes import also_lazy
from rehref.documents.link import Link
from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import essence, reader_of
from rehref.options import ReadOptions
from rehref.rewriting.contract import Drop, ElementRule
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.loading_restrictions import ATTRIBUTES, may_restrict_loading
from rehref.rewriting.rules.offline import Offline
from rehref.text.charsets import decode
from rehref.text.encoding import Sniffed, lookup

_MARK = b"\xef\xbb\xbf"
_TITLE = re.compile(r"<title(?:\s[^<>]{0,1000})?>([^<]{0,2000})", re.IGNORECASE).search
_TITLE_WITHIN = 1 << 18
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class OfflineFile:
    """A document as a file; `title`: the title of HTML, "" if it has none."""

    data: bytes
    title: str = ""


def is_document(media_type: str) -> bool:
    """Return whether documents of this media type are read and rewritten."""
    return reader_of(media_type) not in (None, "text", "headers")


def offline_file(part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions) -> OfflineFile:
    """Make a file of a document (rules 1, 2). Raises what `open_part` does.

    `find`: returns the path that a URI is saved at, for `Offline`. `at`: the document's own path.
    """
    attributes, only_saved = also_lazy(how.attributes)
    document = open_part(part, replace(how, attributes=(*attributes, *ATTRIBUTES)))
    meant = encoding_of(part.data, part.media_type, part.charset, is_response=part.is_response)
    is_moved = _is_moved(part, meant)
    offline = Offline(find, at, base_element="drop", only_saved=only_saved)
    rule = offline.for_document(document.own, document.base, document.how.profile)
    data = rewrite_document(document, _Moved(rule) if is_moved else rule).data
    assert isinstance(data, bytes)
    is_markup = reader_of(essence(part.media_type)) in ("html", "xml")
    title = _title(decode(data[meant.bom : _TITLE_WITHIN], meant.name)) if is_markup else ""
    return OfflineFile(_MARK + decode(data, meant.name).encode("utf-8", "replace") if is_moved else data, title)


def _is_moved(part: Part, meant: Sniffed) -> bool:
    """Return whether a document is written in UTF-8, whatever its encoding was (rule 1)."""
    if meant.bom or part.data.isascii() or b"\0" in part.data:
        return False
    found = encoding_of(part.data, part.media_type)
    return found.name != meant.name or (found.undeclared and reader_of(essence(part.media_type)) == "html")


def text_file(part: Part) -> bytes:
    """Return another part as a file: text in UTF-8 if only a header field gave its charset (rule 1), else unchanged."""
    declared = part.charset
    kind = essence(part.media_type)
    if declared is None or part.data.isascii() or b"\0" in part.data or part.data.startswith(_MARK):
        return part.data
    if kind.startswith("text/") or kind.endswith("javascript"):
        return _MARK + decode(part.data, lookup(declared) or "utf-8").encode("utf-8", "replace")
    return part.data


def _title(text: str) -> str:
    """Return the first `title` of a page as one line of text; "" if there is none."""
    found = _TITLE(text)
    return "" if found is None else " ".join(html.unescape(found[1]).split())[:_LONGEST_TITLE]


@dataclass(frozen=True, slots=True)
class _Moved:
    """The rule for one document that changes its encoding."""

    offline: ElementRule

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        return self.of_element(link, {})

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | Drop | None:
        """See `ElementRule`."""
        new = self.offline.of_element(link, attributes)
        if new is None and not link.reference.isascii() and not link.same_document and not may_restrict_loading(link):
            return link.target  # its query is in the page's old encoding
        return new
