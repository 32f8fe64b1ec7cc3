"""Documents in files, found and not yet read: the name of each, and its retrieval URI (RFC 8089).

1. A file's retrieval URI is its `file:` URI, or the one given for it. The documents of a folder have the folder's URI
   with their path added, percent-encoded. Standard input and pipes have one only if it is given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from pathlib import Path, PurePath, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import quote_from_bytes

from rehref.files.file_errors import FileError
from rehref.uri.components import PATH_CHARACTERS, Components, split, unsplit

if TYPE_CHECKING:
    from rehref.documents.media_types import MediaType

STDIN = "-"


class FileDocument(NamedTuple):
    """A document that was found, not yet read.

    `name`: for people, as the user wrote it: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`: its
    path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: its
    type, if that is known before it is read. `headers`: the HTTP header fields that it came with.
    `charset`: its encoding, if that of a document which refers to it counts.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: MediaType | None = None
    own: str | None = None
    headers: bytes | None = None
    charset: str | None = None

    @property
    def size(self) -> int:
        """Its size in bytes; 0 if it is unknown."""
        try:
            return 0 if self.path is None else self.path.stat().st_size
        except (OSError, ValueError):
            return 0


DocumentOrError: TypeAlias = "FileDocument | FileError"


def with_uris(found: Iterable[DocumentOrError], uri_of: Callable[[FileDocument], str | None]) -> list[DocumentOrError]:
    """The same list, each document with the retrieval URI that a function returns for it."""
    return [each if isinstance(each, FileError) else each._replace(url=uri_of(each)) for each in found]


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
    """The retrieval URI of a file: its `file:` URI; None for a pipe (rule 1)."""
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
