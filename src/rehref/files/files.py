"""Documents in files: their names, their URIs, and what they hold.

1. A file's retrieval URI is its `file:` URI, or the one given for it. A folder's documents have that of the folder with
   their path added, percent-encoded. Standard input and pipes have none but one that is given.
2. The media type is that of the file's name, or what the content tells (`rehref.documents.types.sniffing`). A file that
   is named may be plain text, if it is UTF-8 without a NUL; and what begins with `<` is HTML, whatever follows.
   Standard input, which has no name, is HTML, unless it begins like XML.
   A file that is named like a document and begins as an image, an archive or the like is none (`OtherFormatError`).
3. Whatever goes wrong is a `FileError`: one line that names the file, says what is wrong and what to do.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import TypeAlias
from urllib.parse import quote_from_bytes

from rehref.documents.types.magic_numbers import ZIP_FILE, magic
from rehref.documents.types.media_types import HTML_TYPE, LOOKED_AT
from rehref.documents.types.sniffing import TEXT_TYPE, XML_TYPE, told_by_name, type_of_content, type_of_file
from rehref.uri.components import Components, split, unsplit

STDIN = "-"

_EMPTY_ZIP = b"PK\x05\x06"
_CONTAINERS = {
    **dict.fromkeys((".warc", ".warc.gz", ".warc.zst"), "a WARC"),
    **dict.fromkeys((".arc", ".arc.gz"), "an ARC"),
    **dict.fromkeys((".mhtml", ".mht", ".eml"), "a MIME message"),
    ".wacz": "a WACZ",
    ".epub": "an EPUB",
}

# A byte order mark, white space, "<" or the end; NUL is skipped so that the "<" of UTF-16 is seen
_LOOKS_LIKE_HTML = re.compile(rb"(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?[\s\0]*+(?:<|\Z)").match

# How Windows begins a path that may be longer than others, of a share with UNC
_EXTENDED = re.compile(r"\A//[?.]/(UNC/)?", re.IGNORECASE)

# RFC 3986 §3.3: what a path may hold as it is
_PATH_CHARACTERS = "/:@!$&'()*+,;=~"

_REMEDIES = {
    errno.ENOENT: "check the name",
    errno.EACCES: "check who may read and write it (ls -l)",
    errno.EPERM: "check who may read and write it (ls -l)",
    errno.EEXIST: "part of the name is a file: name another place",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "check the name: part of it is no folder",
    errno.ELOOP: "mend the symbolic links: they lead in a circle",
    errno.ENAMETOOLONG: "shorten the name",
    errno.ENOSPC: "make room",
    errno.EROFS: "choose another place",
}


class FileError(Exception):
    """Something a user can mend about a file; its text is `FILE: what; what to do`."""

    def __init__(self, file: str, what: str, remedy: str = "") -> None:
        super().__init__(file, what, remedy)
        self.file = file
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.file}: {self.what}" + (f"; {self.remedy}" if self.remedy else "")

    @classmethod
    def of(cls, file: str, action: str, error: OSError) -> FileError:
        """The `FileError` for an `OSError` met while doing `action` ("cannot be read")."""
        if error.errno == errno.ENOENT and os.path.islink(file):  # noqa: PTH114 -- it raises nothing
            return cls(file, f"{action}: it is a symbolic link that leads nowhere", "correct it, or remove it")
        reason = (error.strerror or str(error) or type(error).__name__).lower()
        return cls(file, f"{action}: {reason}", _REMEDIES.get(error.errno or 0, ""))


class OtherFormatError(FileError):
    """A file that is named like a document, and holds something else, such as an image: it is to be left alone.

    `in_folder`: it was found in a folder, where files that are no documents are nothing wrong.
    """

    def __init__(self, file: str, what: str, remedy: str = "", *, in_folder: bool = False) -> None:
        super().__init__(file, what, remedy)
        self.in_folder = in_folder


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A document that was found, not yet read.

    `name`: for people, and as it was asked for: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`:
    its path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: what
    it is, where that is known before it is read.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: str | None = None
    own: str | None = None


Found: TypeAlias = "FileDocument | FileError"


def encode_path(path: str) -> str:
    """A path with slashes, percent-encoded for a URI (RFC 3986 §2.1, §3.3)."""
    return quote_from_bytes(os.fsencode(path), safe=_PATH_CHARACTERS)


def _absolute(path: Path) -> Path:
    """The path from the root, without `..`, which means something else once symbolic links are in play."""
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
    """The retrieval URI of a file: its `file:` URI; None of a pipe (rule 5)."""
    return None if path.exists() and not path.is_file() else file_uri(path)


def folder_uri(path: Path) -> str:
    """The `file:` URI of a folder, which ends in a slash."""
    uri = file_uri(path)
    return uri if uri.endswith("/") else uri + "/"


def as_folder(url: str) -> str:
    """A URI given for a folder, with a slash at its end; without a fragment, which no base has (RFC 3986 §5.1)."""
    parts = split(url)
    if parts.query is not None:
        raise FileError(url, "cannot be the URI of a folder, for it has a query", "leave out what begins with ?")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return unsplit(Components(parts.scheme, parts.authority, path, None, None))


def read(document: FileDocument) -> bytes:
    """Read a document. Raises `FileError`."""
    try:
        if document.path is None:
            return sys.stdin.buffer.read()
        return document.path.read_bytes()
    except OSError as error:
        raise FileError.of(document.name, "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(document.name, f"cannot be read: {error}", "check the name") from error


def media_type(document: FileDocument, data: bytes) -> str:
    """The media type of a document that was read, and unpacked (rule 2). Raises `FileError` if nothing tells."""
    if document.media_type is not None and magic(data) is None:
        return document.media_type
    if document.path is None:
        return XML_TYPE if type_of_content(data[:LOOKED_AT]) == XML_TYPE else HTML_TYPE
    found = type_of_named(PurePosixPath(document.relative).name, data)
    if found is None:
        said = not_known(document.relative, data)
        if isinstance(told_by_name(PurePosixPath(document.relative).name), str):
            raise OtherFormatError(document.name, *said, in_folder=document.in_folder)
        raise FileError(document.name, *said)
    return found


def not_known(name: str, data: bytes) -> tuple[str, str]:
    """What to say of what is no document, as far as is known, and what to do."""
    kind = next((kind for ending, kind in _CONTAINERS.items() if name.lower().endswith(ending)), None)
    if kind is not None:
        return f"is named like {kind}, and is none", "check where it comes from; if it is text, say --media-type"
    format = magic(data)
    if format == ZIP_FILE or data.startswith(_EMPTY_ZIP):
        return "is a zip file, but neither an EPUB nor a WACZ", "unpack it, and name what is inside"
    if format is not None:
        return f"is {format}, and no document", "if it is one, say --media-type text/html or what it is"
    return "looks like neither HTML nor text", "if it is, say --media-type text/html or text/plain"


def type_of_named(name: str, data: bytes) -> str | None:
    """The media type of what was named, by its name, without folders, and what it holds; None if nothing tells."""
    if magic(data) is not None:
        return None
    found = type_of_file(name, data[:LOOKED_AT])
    if found in (None, TEXT_TYPE) and told_by_name(name) != TEXT_TYPE:
        if looks_like_html(data):
            return HTML_TYPE
        return TEXT_TYPE if looks_like_text(data) else None
    return found


def looks_like_html(data: bytes) -> bool:
    """Whether the content begins with `<`, white space and a byte order mark aside, or is empty."""
    return _LOOKS_LIKE_HTML(data) is not None


def looks_like_text(data: bytes) -> bool:
    """Whether the content is UTF-8, without a NUL."""
    if b"\0" in data:
        return False
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
