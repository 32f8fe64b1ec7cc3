"""The documents of sources: which files of a folder are documents, in order, and which are not.

A source is a file, a folder, or `-`, which is standard input. The documents of a folder are the files that are HTML,
CSS, XML and the like by their names or, where the name does not decide, by how they begin
(`rehref.documents.media_types`; not plain text), and those named like a container. A path named as a source is never
skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rehref.containers.kinds import ENDINGS, KINDS, named_like, names_of
from rehref.documents.media_types import Beginning, FileName, MediaType
from rehref.files.file_documents import (
    STDIN,
    DocumentOrError,
    FileDocument,
    as_folder,
    encode_path,
    folder_uri,
    own_uri,
)
from rehref.files.file_errors import FileError, OtherFormatError

_EMPTY_ZIP = b"PK\x05\x06"
_BEGINNING = 1 << 13  # more than is looked at
_NO_DOCUMENT = "there is no document in this folder (HTML, CSS, SVG, XML, *.mhtml, *.warc.gz and the like)"
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "application/atom+xml": (".atom", ".xml"),
    "application/javascript": (".js", ".mjs"),
    "application/json": (".json",),
    "application/manifest+json": (".webmanifest", ".json"),
    "application/pdf": (".pdf",),
    "application/rss+xml": (".rss", ".xml"),
    "application/vnd.ms-fontobject": (".eot",),
    "application/x-javascript": (".js", ".mjs"),
    "application/xhtml+xml": (".xhtml", ".xht"),
    "application/xml": (".xml",),
    "audio/mpeg": (".mp3",),
    "font/otf": (".otf",),
    "font/ttf": (".ttf",),
    "font/woff": (".woff",),
    "font/woff2": (".woff2",),
    "image/avif": (".avif",),
    "image/bmp": (".bmp",),
    "image/gif": (".gif",),
    "image/jpeg": (".jpg", ".jpeg", ".jpe"),
    "image/png": (".png",),
    "image/svg+xml": (".svg",),
    "image/vnd.microsoft.icon": (".ico",),
    "image/webp": (".webp",),
    "image/x-icon": (".ico",),
    "message/rfc822": (".eml",),
    "text/css": (".css",),
    "text/html": (".html", ".htm"),
    "text/javascript": (".js", ".mjs"),
    "text/plain": (".txt", ".text", ".log", ".md", ".csv"),
    "text/xml": (".xml",),
    "video/mp4": (".mp4",),
    "video/webm": (".webm",),
}
"""How the files of a media type may end; the first ending is the one that is added."""


class FolderEntry(NamedTuple):
    """A file that is not hidden: its path below the folder, with slashes.

    `media_type`: what it is, if its name or beginning shows that it is a document; None of a container.
    """

    path: str
    is_document: bool
    media_type: MediaType | None = None


@dataclass(slots=True)
class Discovered:
    """What was found of all sources, in order: documents, and what cannot be read or holds no document.

    `others`: how many files of folders are not documents; None where no source is a folder.
    """

    found: list[DocumentOrError] = field(default_factory=list)
    others: int | None = None


def discover(sources: Sequence[str], url: str | None = None, *, everything: bool = False) -> Discovered:
    """Find the documents of all sources.

    `url`: the retrieval URI of the only source. `everything`: all files of folders count as documents, whatever they
    are, except hidden ones. Raises `FileError` if there is a `url` and several sources, or if it cannot be that of a
    folder.
    """
    if url is not None and len(sources) > 1:
        raise FileError(url, f"cannot be the URI of {len(sources)} sources", "name one, a file or a folder")
    discovered = Discovered()
    for number, source in enumerate(sources):
        path = Path(source)
        if source == STDIN:
            found: DocumentOrError = FileDocument(STDIN, None, STDIN, url, number)
            if STDIN in sources[:number]:
                found = FileError(STDIN, "standard input can be read only once", "name - only once")
            discovered.found.append(found)
        elif source == "":
            discovered.found.append(FileError('""', "is not a name", "name a file or a folder"))
        elif path.is_dir():
            _in_folder(discovered, source, path, None if url is None else as_folder(url), number, everything)
        else:
            discovered.found.append(FileDocument(source, path, path.name, url, number, own=own_uri(path)))
    return discovered


def _in_folder(
    discovered: Discovered, source: str, folder: Path, url: str | None, number: int, everything: bool
) -> None:
    """Find the documents of one folder."""
    prefix = source if source.endswith(("/", os.sep)) else source + "/"
    found: list[DocumentOrError] = []
    others = discovered.others or 0
    own = folder_uri(folder)
    for each in walk(folder):
        if isinstance(each, FileError):
            found.append(FileError(prefix + each.file, each.what, each.remedy))
        elif each.is_document or everything:
            below = encode_path(each.path)
            found.append(
                FileDocument(
                    name=prefix + each.path,
                    path=folder / each.path,
                    relative=each.path,
                    url=None if url is None else url + below,
                    source=number,
                    in_folder=True,
                    media_type=each.media_type,
                    own=own + below,
                )
            )
        else:
            others += 1
    if not found:
        found.append(
            FileError(
                source,
                "there is no file in this folder" if everything else _NO_DOCUMENT,
                "name another, or name the files",
            )
        )
    discovered.found += found
    discovered.others = others


def walk(folder: Path) -> Iterator[FolderEntry | FileError]:
    """Yield the files below a folder in the order of their names, the same on every machine.

    Hidden files and folders (`.git`) are skipped, except `.well-known`. A symbolic link to a file counts as a file; a
    link to a folder is not followed, so there are no loops, no file is found twice, and nothing outside the folder is
    touched.
    """
    waiting: list[tuple[str, FolderEntry | None]] = [("", None)]
    while waiting:
        relative, found = waiting.pop()
        if found is not None:
            yield found
            continue
        inside = _listed_below(folder, relative)
        if isinstance(inside, FileError):
            yield inside
            continue
        for entry, path in reversed(inside):
            if _is_hidden(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                waiting.append((path, None))
            elif (looked := _looked_at(entry, path)) is not None:
                waiting.append((path, looked))


def others(folder: Path) -> Iterator[str | FileError]:
    """Yield everything below a folder that is not a document, as relative paths: hidden files, links to folders too."""
    waiting = [""]
    while waiting:
        inside = _listed_below(folder, waiting.pop())
        if isinstance(inside, FileError):
            yield inside
            continue
        for entry, path in inside:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(path)
            elif entry.is_symlink() or entry.is_file():
                looked = None if any(map(_is_hidden, path.split("/"))) else _looked_at(entry, path)
                if looked is None or not looked.is_document:
                    yield path


def _listed_below(folder: Path, relative: str) -> list[tuple[os.DirEntry[str], str]] | FileError:
    """What a folder below another one contains, with paths from there, in the order of their names."""
    try:
        with os.scandir(folder / relative) as entries:
            found = [(entry, f"{relative}/{entry.name}" if relative else entry.name) for entry in entries]
    except OSError as error:
        return FileError.of(relative, "the folder cannot be read", error)
    return sorted(found, key=lambda each: os.fsencode(each[1]))


def _looked_at(entry: os.DirEntry[str], path: str) -> FolderEntry | None:
    """What an entry is; None if it is not a file."""
    by_name, is_container = FileName.of(entry.name), is_container_name(entry.name)
    try:
        if not entry.is_file():
            # a link that leads nowhere is a document that cannot be read, and must be reported as such
            leads_nowhere = (is_container or by_name.media_type is not None) and not Path(entry.path).exists()
            return _entry(path, by_name.media_type, is_container) if entry.is_symlink() and leads_nowhere else None
    except OSError:
        return _entry(path, by_name.media_type, is_container)
    return _entry(path, type_in_folder(entry.path), is_container)


def _entry(path: str, its_type: MediaType | None, is_container: bool) -> FolderEntry:
    if is_container or its_type is None:
        return FolderEntry(path, is_container)
    return FolderEntry(path, its_type.is_found, its_type)


def is_document(file: Path) -> bool:
    """Whether a file would be found as a document in a folder."""
    name = file.name
    return not _is_hidden(name) and _entry(name, type_in_folder(str(file)), is_container_name(name)).is_document


def is_container_name(name: str) -> bool:
    """Whether a file is named like a container."""
    return FileName.of(name).stem.lower().endswith(ENDINGS)


def type_in_folder(file: str) -> MediaType | None:
    """The media type of a file, by its name, or else by how it begins, unless it is named like a container.

    None if that is plain text, no document, or cannot be opened: a file is opened only if its name does not decide.
    """
    name = FileName.of(os.path.basename(file))  # noqa: PTH119 -- a Path takes twice as long
    if not name.is_open or name.stem.lower().endswith(ENDINGS):
        return name.media_type
    try:
        with open(file, "rb", buffering=0) as opened:  # noqa: PTH123 -- as above
            found = Beginning.read(opened).media_type_named(name)
    except (OSError, ValueError):
        return None
    return None if found == MediaType.TEXT else found


def _is_hidden(name: str) -> bool:
    return name.startswith(".") and name != ".well-known"


def media_type(document: FileDocument, data: bytes) -> MediaType | None:
    """The media type of a document that was read and unpacked; None: its reader knows whether it is HTML or XML.

    It is that of the file's name, or else of its content. A file that the user names may be plain text, if it is UTF-8
    without a NUL; and content that begins with `<` is HTML, whatever follows. Raises `FileError` if it is not a
    document, and `OtherFormatError` if it is named like one and begins as an image, an archive or the like.
    """
    if document.media_type is not None and Beginning(data).no_document is None:
        return document.media_type
    name = PurePosixPath(document.relative).name
    found = type_of_named(name, data)
    if found is None:
        said = not_known(document.relative, data)
        if FileName.of(name).media_type is not None:
            raise OtherFormatError(document.name, *said, in_folder=document.in_folder)
        raise FileError(document.name, *said, code="unsupported")
    return found if found != MediaType.XML or FileName.of(name).media_type == MediaType.XML else None


def not_known(name: str, data: bytes) -> tuple[str, str]:
    """The message about a file that is not a document, as far as known, and what to do."""
    beginning = Beginning.of(data)
    format = beginning.no_document
    if beginning.is_lz4:
        return f"is {format}, which rehref does not read", "unpack it with lz4 -d, and name the result"
    if not data:
        return "is empty", "check where it comes from"
    if beginning.is_zip and b".wacz" in data:
        return "is a multi-WACZ, a zip file of WACZ files", "unpack it, and name the files inside, one after the other"
    called = named_like(name)
    if called is not None:
        return f"is named like {called}, but is not one", "check where it comes from; if it is text, say --media-type"
    if beginning.is_zip or data.startswith(_EMPTY_ZIP):
        zips = names_of(kind for kind in KINDS if kind.beginning and data.startswith(kind.beginning))
        return f"is a zip file, but neither {' nor '.join(zips)}", "unpack it, and name what is inside"
    if format is not None:
        return f"is {format}, not a document", "if it is one, say --media-type text/html or what it is"
    return "looks like neither HTML nor text", "if it is, say --media-type text/html or text/plain"


def type_of_named(name: str, data: bytes) -> MediaType | None:
    """The media type of a file that the user named, by its name, without folders, and its content; None: not known."""
    beginning, named = Beginning.of(data[:_BEGINNING]), FileName.of(name)
    if beginning.no_document is not None:
        return None
    found = beginning.media_type_named(named)
    if found in (None, MediaType.TEXT) and named.media_type != MediaType.TEXT:
        if Beginning(data).looks_like_html:
            return MediaType.HTML
        return MediaType.TEXT if looks_like_text(data) else None
    return found


def looks_like_text(data: bytes) -> bool:
    """Whether the content is UTF-8 without a NUL."""
    from rehref.text.large_bytes import is_utf_8

    return b"\0" not in data and is_utf_8(data)


def endings(essence: str) -> tuple[str, ...]:
    """How files of a media type may end; empty if that is not known here."""
    return _ENDINGS.get(essence) or ((".xml",) if essence.endswith("+xml") else ())


def type_by_ending(name: str) -> MediaType | None:
    """The media type of a file by the ending of its name; None if that is not known."""
    ending = PurePosixPath(name).suffix.lower()
    if ending in MediaType.BY_EXTENSION:
        return MediaType.BY_EXTENSION[ending]
    known = next((each for each, its in _ENDINGS.items() if ending in its), None)
    if known is None:
        from mimetypes import guess_type

        known = guess_type(f"a{ending}", strict=False)[0]
    return None if known is None else MediaType(known)
