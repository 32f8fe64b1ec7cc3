"""Reading the documents of a site: all of them, or those that are read again.

1. A document that cannot be read is an error of its own, reported when all are read; later passes skip it.
2. A pass that looks for one thing searches the bytes for it first, as ASCII; text written with character references is
   not found. UTF-16 may contain it anywhere (`rehref.text.encoding.may_be_wide`).
"""

from __future__ import annotations

from rehref.checking.model import Finding
from rehref.checking.site.site_context import SiteContext
from rehref.files.file_errors import FileError
from rehref.files.gzipped import is_packed, unpacked
from rehref.files.reading import read_file
from rehref.text.charsets import decode
from rehref.text.encoding import may_be_wide
from rehref.text.source import Source


def read(context: SiteContext, path: str) -> bytes:
    """Return the bytes of a document of a site, unpacked if it is gzipped. Raises `FileError`."""
    name = context.file_of(path)
    data = read_file(name)
    return unpacked(name, data) if is_packed(data) and context.files.types.is_document(path) else data


def read_or_skip(context: SiteContext, path: str) -> bytes | None:
    """Return the same; None for a document that cannot be read (rule 1)."""
    try:
        return read(context, path)
    except FileError:
        return None


def unreadable(path: str, error: FileError) -> Finding:
    """Return the finding for a file or folder that cannot be read."""
    return Finding(document=path, code="unreadable", message=error.what)


def mentions(data: bytes, *words: bytes) -> bool:
    """Whether a document may contain one of `words`, in any case; `words` are in lower case (rule 2)."""
    if may_be_wide(data):
        return True
    lowered = data.lower()
    return any(word in lowered for word in words)


def source_of(context: SiteContext, path: str, data: bytes) -> Source:
    """Return the file at a path below the folder, with its encoding. Raises `UnknownMediaTypeError`."""
    sniffed = context.encoding_of(path, data)
    return Source(data, sniffed.name, sniffed.bom)


def text_of(context: SiteContext, path: str, data: bytes) -> str:
    """Return the text of the file at a path below the folder, decoded. Raises `UnknownMediaTypeError`."""
    _, encoding, bom, _ = source_of(context, path, data)
    return decode(data[bom:], encoding or "")
