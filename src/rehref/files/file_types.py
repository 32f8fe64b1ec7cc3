"""The media type of a document in a file, and the message about a file that is not one.

1. The media type is that of the file's name, or else of its content (`rehref.documents.types.sniffing`). A file that
   the user names may be plain text, if it is UTF-8 without a NUL; and content that begins with `<` is HTML, whatever
   follows. What only its content shows to be XML is left to its reader: not every parser core reads XML.
2. A file that is named like a document and begins as an image, an archive or the like is not one (`OtherFormatError`).
"""

from __future__ import annotations

from pathlib import PurePosixPath

from rehref.containers.registry import KINDS, named_like, names_of
from rehref.documents.types.media_types import HTML_TYPE, LOOKED_AT, TEXT_TYPE, XML_TYPE
from rehref.documents.types.sniffing import (
    LZ4_FILE,
    ZIP_FILE,
    looks_like_html,
    magic,
    type_by_name,
    type_of_file,
)
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.text.large_bytes import is_utf_8

_EMPTY_ZIP = b"PK\x05\x06"


def media_type(document: FileDocument, data: bytes) -> str | None:
    """The media type of a document that was read and unpacked; None: its reader knows whether it is HTML or XML.

    Raises `FileError` if it is neither by its name nor by its content a document (rules 1, 2).
    """
    if document.media_type is not None and magic(data) is None:
        return document.media_type
    name = PurePosixPath(document.relative).name
    found = type_of_named(name, data)
    if found is None:
        said = not_known(document.relative, data)
        if isinstance(type_by_name(name), str):
            raise OtherFormatError(document.name, *said, in_folder=document.in_folder)
        raise FileError(document.name, *said, code="unsupported")
    return found if found != XML_TYPE or type_by_name(name) == XML_TYPE else None


def not_known(name: str, data: bytes) -> tuple[str, str]:
    """The message about a file that is not a document, as far as known, and what to do."""
    format = magic(data)
    if format == LZ4_FILE:
        return f"is {format}, which rehref does not read", "unpack it with lz4 -d, and name the result"
    if not data:
        return "is empty", "check where it comes from"
    if format == ZIP_FILE and b".wacz" in data:
        return "is a multi-WACZ, a zip file of WACZ files", "unpack it, and name the files inside, one after the other"
    called = named_like(name)
    if called is not None:
        return f"is named like {called}, but is not one", "check where it comes from; if it is text, say --media-type"
    if format == ZIP_FILE or data.startswith(_EMPTY_ZIP):
        zips = names_of(kind for kind in KINDS if kind.beginning and data.startswith(kind.beginning))
        return f"is a zip file, but neither {' nor '.join(zips)}", "unpack it, and name what is inside"
    if format is not None:
        return f"is {format}, not a document", "if it is one, say --media-type text/html or what it is"
    return "looks like neither HTML nor text", "if it is, say --media-type text/html or text/plain"


def type_of_named(name: str, data: bytes) -> str | None:
    """The media type of a file that the user named, by its name, without folders, and its content; None: not known."""
    if magic(data[:LOOKED_AT]) is not None:
        return None
    found = type_of_file(name, data[:LOOKED_AT])
    if found in (None, TEXT_TYPE) and type_by_name(name) != TEXT_TYPE:
        if looks_like_html(data):
            return HTML_TYPE
        return TEXT_TYPE if looks_like_text(data) else None
    return found


def looks_like_text(data: bytes) -> bool:
    """Whether the content is UTF-8 without a NUL."""
    return b"\0" not in data and is_utf_8(data)
