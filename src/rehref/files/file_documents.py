"""Documents in files, found and not yet read: the name, the `file:` URI (RFC 8089) and the media type of each.

1. The media type is that of the file's name, or else of its content (`rehref.documents.types.sniffing`). A file that
   the user names may be plain text, if it is UTF-8 without a NUL; and content that begins with `<` is HTML, whatever
   follows. What only its content shows to be XML is left to its reader: not every parser core reads XML.
2. A file that is named like a document and begins as an image, an archive or the like is not one (`OtherFormatError`).
3. A file's retrieval URI is its `file:` URI, or the one given for it. The documents of a folder have the folder's URI
   with their path added, percent-encoded. Standard input and pipes have one only if it is given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import NamedTuple, TypeAlias
from urllib.parse import quote_from_bytes

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
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.text.large_bytes import is_utf_8
from rehref.uri.components import PATH_CHARACTERS, Components, split, unsplit

STDIN = "-"


class FileDocument(NamedTuple):
    """A document that was found, not yet read.

    `name`: for people, as the user wrote it: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`: its
    path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: its
    type, if that is known before it is read. `headers`: the HTTP header fields that it came with.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: str | None = None
    own: str | None = None
    headers: bytes | None = None


DocumentOrError: TypeAlias = "FileDocument | FileError"


def with_uris(found: Iterable[DocumentOrError], uri_of: Callable[[FileDocument], str | None]) -> list[DocumentOrError]:
    """The same list, each document with the retrieval URI that a function returns for it."""
    return [each if isinstance(each, FileError) else each._replace(url=uri_of(each)) for each in found]


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


# The beginning of long paths on Windows; with UNC, of a share
_EXTENDED = re.compile(r"\A//[?.]/(UNC/)?", re.IGNORECASE)


def encode_path(path: str) -> str:
    """A path with slashes, percent-encoded for a URI (RFC 3986 §2.1, §3.3)."""
    return quote_from_bytes(os.fsencode(path), safe=PATH_CHARACTERS)


def _absolute(path: Path) -> Path:
    """The path from the root, without `..`, which would mean something else where symbolic links are involved."""
    return path.resolve() if ".." in path.parts else path.absolute()


def file_uri(path: Path) -> str:
    """The `file:` URI of a file (RFC 8089)."""
    return uri_of_absolute(_absolute(path))


def uri_of_absolute(path: PurePath) -> str:
    """The `file:` URI of an absolute path: on Windows `file:///C:/a`, and of a share `file://host/share/a` (App. E)."""
    text = path.as_posix()
    if isinstance(path, PureWindowsPath):
        text = _EXTENDED.sub(lambda found: "//" if found[1] else "", text, count=1)
        if text.startswith("//"):
            return "file:" + encode_path(text)
    return "file://" + ("" if text.startswith("/") else "/") + encode_path(text)


def own_uri(path: Path) -> str | None:
    """The retrieval URI of a file: its `file:` URI; None for a pipe (rule 3)."""
    return None if path.exists() and not path.is_file() else file_uri(path)


def folder_uri(path: Path) -> str:
    """The `file:` URI of a folder, which ends in a slash."""
    uri = file_uri(path)
    return uri if uri.endswith("/") else uri + "/"


def as_folder(url: str) -> str:
    """A URI given for a folder, with a slash at its end; without a fragment, which a base never has (RFC 3986 §5.1)."""
    parts = split(url)
    if parts.query is not None:
        raise FileError(url, "cannot be the URI of a folder, for it has a query", "leave out what begins with ?")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return unsplit(Components(parts.scheme, parts.authority, path, None, None))
