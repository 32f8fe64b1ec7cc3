"""Documents in files: found, named, and read.

1. A source is a file, a folder, or `-`, which is standard input.
2. In a folder, however deep, the documents are the files whose names end like one that is read (`*.html`, `*.css`,
   `*.svg`, …, though not `*.txt`) or like a container (`*.mhtml`, `*.warc.gz`, …), in upper or lower case. They come in
   the order of their names, the same on every machine.
3. Hidden files and folders (`.git`) are passed over, except `.well-known`. What is named as a source never is.
4. A symbolic link to a file counts as a file. One to a folder is not followed, so there are no loops, nothing is seen
   twice, and nothing outside the folder is touched; named as a source it is followed.
5. A file's retrieval URI is its `file:` URI, or the one given for it. A folder's documents have that of the folder with
   their path added, percent-encoded. Standard input and pipes have none but one that is given.
6. The media type is that of the file's name (`*.txt` is plain text, though no document of a folder). Where the name
   does not tell, it is XML or HTML if the content begins so (HTML with `<`), and plain text if that is UTF-8 without a
   NUL. Standard input is HTML, unless it begins like XML.
7. Whatever goes wrong is a `FileError`: one line that names the file, says what is the matter and what to do.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TypeAlias
from urllib.parse import quote_from_bytes

from rehref.documents.types import LOOKED_AT, looks_like_xml, type_of_name
from rehref.uri.components import Components, split, unsplit

STDIN = "-"

_HTML = "text/html"
_TEXT = "text/plain"
_XML = "application/xml"
CONTAINERS = (".mhtml", ".mht", ".eml", ".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz", ".wacz", ".epub")
"""How the names of containers end."""

# A byte order mark, white space, "<" or the end; NUL is passed over so that the "<" of UTF-16 is seen
_LOOKS_LIKE_HTML = re.compile(rb"(?:\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?+[\s\0]*+(?:<|\Z)").match

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
        reason = (error.strerror or str(error) or type(error).__name__).lower()
        return cls(file, f"{action}: {reason}", _REMEDIES.get(error.errno or 0, ""))


@dataclass(frozen=True, slots=True)
class FileDocument:
    """A document that was found, not yet read.

    `name`: for people, and as it was asked for: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`:
    its path below the source, with slashes; of a single file its name. `url`: the retrieval URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False


Found: TypeAlias = "FileDocument | FileError"


def discover(sources: Sequence[str], url: str | None = None) -> Iterator[Found]:
    """Find the documents of all sources, in order. What cannot be looked at, or holds no document, gives a `FileError`.

    `url`: the retrieval URI of the only source. Raises `FileError` if there are several, or if it cannot be that of a
    folder.
    """
    if url is not None and len(sources) > 1:
        raise FileError(url, f"cannot be the URI of {len(sources)} sources", "name one, a file or a folder")
    for number, source in enumerate(sources):
        if source == STDIN:
            if STDIN in sources[:number]:
                yield FileError(STDIN, "standard input can be read only once", "name - only once")
            else:
                yield FileDocument(STDIN, None, STDIN, url, number)
            continue
        path = Path(source)
        if source == "":
            yield FileError('""', "is no name", "name a file or a folder")
        elif path.is_dir():
            yield from _in_folder(source, path, folder_uri(path) if url is None else _as_folder(url), number)
        else:
            yield FileDocument(source, path, path.name, own_uri(path) if url is None else url, number)


def _in_folder(source: str, folder: Path, url: str, number: int) -> Iterator[Found]:
    """Find the documents of one folder."""
    empty = True
    prefix = source if source.endswith("/") else source + "/"
    for found in walk(folder):
        empty = False
        if isinstance(found, FileError):
            yield FileError(prefix + found.file, found.what, found.remedy)
        else:
            yield FileDocument(prefix + found, folder / found, found, url + encode_path(found), number, in_folder=True)
    if empty:
        yield FileError(
            source,
            "there is no document in this folder (*.html, *.css, *.svg, *.xml, *.mhtml, *.warc.gz and the like)",
            "name another, or name the files",
        )


def walk(folder: Path) -> Iterator[str | FileError]:
    """Give the documents below a folder: their paths relative to it, with slashes, sorted (rules 2, 3, 4)."""
    waiting = [(True, "")]
    while waiting:
        is_folder, relative = waiting.pop()
        if not is_folder:
            yield relative
            continue
        try:
            with os.scandir(folder / relative) as entries:
                inside = [
                    (descend, f"{relative}/{entry.name}" if relative else entry.name)
                    for entry in entries
                    if (descend := entry.is_dir(follow_symlinks=False)) or _is_document(entry)
                    if not _is_hidden(entry.name)
                ]
        except OSError as error:
            yield FileError.of(relative, "the folder cannot be read", error)
            continue
        inside.sort(key=lambda found: os.fsencode(found[1]), reverse=True)
        waiting.extend(inside)


def others(folder: Path) -> Iterator[str | FileError]:
    """Give all that is below a folder and no document: paths relative to it; hidden ones, links to folders too."""
    waiting = [""]
    while waiting:
        relative = waiting.pop()
        try:
            with os.scandir(folder / relative) as entries:
                inside = [(entry, f"{relative}/{entry.name}" if relative else entry.name) for entry in entries]
        except OSError as error:
            yield FileError.of(relative, "the folder cannot be read", error)
            continue
        for entry, path in sorted(inside, key=lambda found: os.fsencode(found[1])):
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif (entry.is_symlink() or entry.is_file()) and (_is_hidden_path(path) or not _is_document(entry)):
                yield path


def _is_hidden_path(path: str) -> bool:
    return any(_is_hidden(name) for name in path.split("/"))


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != ".well-known"


def ending(name: str) -> str:
    """The end of a file's name from its last dot on, in lower case: `.html`."""
    return PurePosixPath(name).suffix.lower()


def is_document_name(name: str) -> bool:
    """Whether a file of that name is a document (rule 2)."""
    media_type = type_of_name(name)
    return (media_type is not None and media_type != _TEXT) or name.lower().endswith(CONTAINERS)


def _is_document(entry: os.DirEntry[str]) -> bool:
    if not is_document_name(entry.name):
        return False
    try:
        # a link that leads nowhere is a document that cannot be read, and is to be reported as such
        return entry.is_file() or (entry.is_symlink() and not Path(entry.path).exists())
    except OSError:
        return True


def encode_path(path: str) -> str:
    """A path with slashes, percent-encoded for a URI (RFC 3986 §2.1, §3.3)."""
    return quote_from_bytes(os.fsencode(path), safe=_PATH_CHARACTERS)


def _absolute(path: Path) -> Path:
    """The path from the root, without `..`, which means something else once symbolic links are in play."""
    return path.resolve() if ".." in path.parts else path.absolute()


def file_uri(path: Path) -> str:
    """The `file:` URI of a file (RFC 8089)."""
    absolute = _absolute(path).as_posix()
    return "file://" + ("" if absolute.startswith("/") else "/") + encode_path(absolute)


def own_uri(path: Path) -> str | None:
    """The retrieval URI of a file: its `file:` URI; None of a pipe (rule 5)."""
    return None if path.exists() and not path.is_file() else file_uri(path)


def folder_uri(path: Path) -> str:
    """The `file:` URI of a folder, which ends in a slash."""
    uri = file_uri(path)
    return uri if uri.endswith("/") else uri + "/"


def _as_folder(url: str) -> str:
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
    """The media type of a document that was read (rule 6). Raises `FileError` if nothing tells."""
    by_name = type_of_name(document.relative)
    if by_name is not None:
        return by_name
    if looks_like_xml(data[:LOOKED_AT]):
        return _XML
    if document.path is None or looks_like_html(data):
        return _HTML
    if looks_like_text(data):
        return _TEXT
    raise FileError(
        document.name, "looks like neither HTML nor text", "if it is, say --media-type text/html or text/plain"
    )


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
