"""A document of a container as a file that browsers open from a disk, without header fields.

1. A file has no header fields that give its encoding. A document that would therefore be read in another encoding is
   written in UTF-8, with a byte order mark. So is a document that does not declare its encoding itself, unless it is
   all ASCII; and text and scripts whose charset was only in a header field. What contains a NUL is not text, and stays,
   unless it is in UTF-16.
2. References change as `rehref.rewriting.offline_copies.copied_documents` says; a `base` is removed. References in the
   attributes of lazy loaders change if they lead to saved files (`rehref.documents.custom_attributes`).
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from rehref.containers.opening import open_part
from rehref.containers.parts import Part
from rehref.documents.custom_attributes import also_lazy
from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import essence, reader_of
from rehref.options import ReadOptions
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.loading_restrictions import ATTRIBUTES, ATTRIBUTES_WITHOUT_NETWORK
from rehref.rewriting.offline_copies.copied_documents import Copied
from rehref.rewriting.rules.offline import Offline
from rehref.text.charsets import decode
from rehref.text.encoding import lookup
from rehref.text.source import Source

_MARK = b"\xef\xbb\xbf"
_MARKS = (_MARK, b"\xff\xfe", b"\xfe\xff")
_TITLE = re.compile(r"<title(?:\s[^<>]{0,1000})?>([^<]{0,2000})", re.IGNORECASE).search
_TITLE_WITHIN = 1 << 18
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class OfflineFile:
    """A document as a file.

    `title`: the title of HTML, "" if it has none. `web`: how many references make browsers load something from the web.
    `base`: the base that a `base` element gave the document, else "".
    """

    data: bytes
    title: str = ""
    web: int = 0
    base: str = ""


def offline_file(
    part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions, *, no_network: bool = False
) -> OfflineFile:
    """Make a file of a document (rules 1, 2). Raises what `open_part` does.

    `find`: returns the path that a URI is saved at, for `Offline`. `at`: the document's own path. `no_network`: make
    pages that never ask the web.
    """
    attributes, only_saved = also_lazy(how.attributes)
    restricting = ATTRIBUTES_WITHOUT_NETWORK if no_network else ATTRIBUTES
    document = open_part(part, replace(how, attributes=(*attributes, *restricting)))
    meant = document.source
    is_moved = _is_moved(part, meant)
    offline = Offline(find, at, base_element="drop", only_saved=only_saved)
    rule = Copied(offline, no_network).counting(document, is_moved=is_moved)
    data = rewrite_document(document, rule).data
    assert isinstance(data, bytes)
    encoding = meant.encoding or "utf-8"
    title = _title(decode(data[meant.bom : _TITLE_WITHIN], encoding)) if document.reader in ("html", "xml") else ""
    if is_moved:
        data, encoding = _MARK + decode(data, encoding).encode("utf-8", "replace"), "utf-8"
    base = document.base.uri if document.base.origin == "embedded" else None
    return OfflineFile(rule.finished(data, encoding), title, rule.web, base or "")


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
