"""The lines of documents, for display and for comparison.

1. A document is decoded as rehref decodes it, and its lines end where rehref counts them to end (LF, CR, CR LF).
2. The last few documents are kept: callers ask in the order of documents.
"""

from __future__ import annotations

from collections import OrderedDict

from rehref.checking.pages.reading import read
from rehref.checking.site.site_context import SiteContext
from rehref.documents.reading import UnknownMediaTypeError
from rehref.files.file_errors import FileError
from rehref.files.file_types import type_of_named
from rehref.text.charsets import decode

_KEPT = 4


class SourceLines:
    """Returns the lines of the documents of a site."""

    def __init__(self, context: SiteContext) -> None:
        self._context = context
        self._lines: OrderedDict[str, list[str]] = OrderedDict()

    def __call__(self, document: str, line: int) -> str | None:
        """Return line number `line`, from 1, of a document, by its path with slashes; None if there is no such line."""
        lines = self._lines.get(document)
        if lines is None:
            lines = self._lines[document] = self._read(document)
            if len(self._lines) > _KEPT:
                self._lines.popitem(last=False)
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _read(self, document: str) -> list[str]:
        try:
            data = read(self._context, document)
            media_type = self._context.files.types.of(document) or type_of_named(document.rpartition("/")[2], data)
            sniffed = self._context.encoding_of(document, data, media_type)
        except (ValueError, UnknownMediaTypeError, FileError):
            return []
        text = decode(data[sniffed.bom :], sniffed.name)
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
