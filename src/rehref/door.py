"""Open a source: decide what it is, once, before anything reads it.

1. Four things are decided: whether the source is a container or a document; whether it is gzipped; its media type; its
   retrieval URI. The encoding depends on the type (`rehref.documents.reading`).
2. The content decides what a source holds, unless a media type was given. A document without one that is a path has the
   type of its name, or else of its content. A path whose content begins as an image, a PDF file or the like is not a
   document, whatever its name; nor is one that is gzipped and broken.
3. Its retrieval URI is the one given, or the one that the tool that saved it wrote into it, or its own `file:` URI.
4. Invalid custom attributes are refused here. (Other options are checked where they are used.)
5. A document and the header fields that it came with are read as an HTTP message (`message`).
6. A folder contains the documents that `rehref.files.discovery` finds, each with a URI below the folder's.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import BinaryIO, NamedTuple, TypeAlias, TypeGuard

from rehref.containers.file_pieces import joined_file
from rehref.containers.parts import ContainerError, ContainerOptions, Diagnostic, Limits
from rehref.containers.registry import (
    HEAD,
    KINDS,
    Container,
    ContainerKind,
    may_begin_container,
    of_media_type,
    recognize,
)
from rehref.documents.custom_attributes import custom_attribute
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.reading import read_document
from rehref.documents.time_limit import OutOfTimeError
from rehref.documents.types.media_types import HEAD_TYPE, LOOKED_AT, TEXT_TYPE, XML_TYPE
from rehref.documents.types.sniffing import magic, type_by_name, type_of_file
from rehref.files.file_errors import FileError
from rehref.files.file_types import not_known, type_of_named
from rehref.files.file_uris import file_uri
from rehref.files.gzipped import is_packed, unpacked
from rehref.option_errors import OptionError
from rehref.options import SourceOptions
from rehref.source_kinds import AnySource, BinarySource, binary_file

_PIECE = 1 << 16
Headers: TypeAlias = "bytes | os.PathLike[str] | None"


class Opened(NamedTuple):
    """A source that is a document: as it came, unpacked, and parsed; or why it cannot be parsed."""

    raw: bytes | str
    data: bytes | str
    document: Document | Diagnostic


def opened(
    source: AnySource, options: SourceOptions, *, as_conversion: bool = False, headers: Headers = None
) -> AbstractContextManager[Container | Opened]:
    """Open a source of any kind: its container, or its parsed document.

    `headers`: the header fields that the document came with, or the file with them (rule 5). Raises `OSError` if it
    cannot be read, `TypeError` if it is not a source, `OptionError` for other `headers`, and what `open_document` does.
    """
    if headers is None and _is_document(source, options.media_type):
        _check_attributes(options)
        return nullcontext(_document(source, None, None, options))
    return _opened(source, options, headers, as_conversion=as_conversion)


@contextmanager
def _opened(
    source: AnySource, options: SourceOptions, headers: Headers, *, as_conversion: bool
) -> Iterator[Container | Opened]:
    """The same for a source that must be opened and closed, or whose content says what it is."""
    path = Path(source) if isinstance(source, os.PathLike) else None
    own = None if path is None else file_uri(path)
    if headers is not None:
        source, options = _with_headers(source, headers), replace(options, media_type=HEAD_TYPE)
    assert not isinstance(source, str)
    with container_or_data(source, options, own, as_conversion=as_conversion) as found:
        yield found if isinstance(found, Container) else _document(found, path, own, options)


def documents(
    source: AnySource, options: SourceOptions, headers: Headers = None
) -> Iterator[tuple[Document, Iterable[Link]] | Diagnostic]:
    """The documents of a source, each with its links, and what cannot be read of it.

    Raises what `opened` does, and `ContainerError`; the links of a source that is one document, `OutOfTimeError`.
    """
    if headers is None and not isinstance(source, bytes) and isinstance(source, os.PathLike) and Path(source).is_dir():
        yield from _in_folder(Path(source), options)
        return
    with opened(source, options, headers=headers) as found:
        if isinstance(found, Container):
            from rehref.containers.opening import documents_in

            for each in documents_in(found, options.how):
                yield each if isinstance(each, Diagnostic) else _with_links(each[1], each[0].label)
                del each  # it may be large, and the next one is read now
        elif isinstance(found.document, Diagnostic):
            raise ContainerError([found.document])
        else:
            yield found.document, found.document.links()


def _with_links(document: Document, name: str) -> tuple[Document, list[Link]] | Diagnostic:
    """A document with all of its links; if they take too long, that is reported, and the other documents are read."""
    try:
        return document, list(document.links())
    except OutOfTimeError as error:
        return Diagnostic(name, str(error), code="too-large")


def _in_folder(folder: Path, options: SourceOptions) -> Iterator[tuple[Document, Iterable[Link]] | Diagnostic]:
    """The documents of a folder (rule 6)."""
    from rehref.files.discovery import discover

    for file in discover([str(folder)], options.url).found:
        if isinstance(file, FileError):
            yield Diagnostic(file.file, file.what, file.remedy)
            continue
        assert file.path is not None
        try:
            for each in documents(file.path, replace(options, url=file.url)):
                if isinstance(each, Diagnostic):
                    yield replace(each, where=f"{file.name}, {each.where}")
                else:
                    yield each if isinstance(each[1], list) else _with_links(each[0], file.name)
                del each  # it may be large, and the next one is read now
        except ContainerError as error:
            yield from error.diagnostics
        except OSError as error:
            unread = FileError.of(file.name, "cannot be read", error)
            yield Diagnostic(file.name, unread.what, unread.remedy)


def _with_headers(source: AnySource, headers: bytes | os.PathLike[str]) -> bytes:
    """The HTTP message of a document and its header fields (rule 5). Raises `OptionError`."""
    if isinstance(source, str):
        raise OptionError.of("headers say how to decode a document; the source is a str, which is decoded")
    body = Path(source).read_bytes() if isinstance(source, os.PathLike) else _stream(source).read()
    whole = message(headers if isinstance(headers, bytes) else Path(headers).read_bytes(), body)
    if whole is None:
        raise OptionError.of("headers has no HTTP header fields; give those of a response, or the file that has them")
    return whole


def message(head: bytes, body: bytes) -> bytes | None:
    """An HTTP message made of header fields and the document that they belong to; None if these are not such fields."""
    from rehref.containers.http.message import looks_like_heads

    return head.rstrip(b"\r\n") + b"\r\n\r\n" + body if looks_like_heads(head) else None


def _is_document(source: AnySource, media_type: str | None) -> TypeGuard[bytes | str]:
    """Whether a source is in memory and certainly not a container: then there is nothing to open or close."""
    if isinstance(source, bytes):
        return media_type is None and not may_begin_container(source[:1])
    return isinstance(source, str)


def _check_attributes(options: SourceOptions) -> None:
    """Raise `CustomAttributeError` for an invalid custom attribute (rule 4)."""
    for text in options.how.attributes:
        custom_attribute(text)


@contextmanager
def container_or_data(
    source: BinarySource | BinaryIO, options: SourceOptions, own: str | None, *, as_conversion: bool = False
) -> Iterator[Container | bytes]:
    """Yield the container, to be read from its beginning; or the data of the document that a source holds.

    `own`: its own `file:` URI. Raises `OSError`, `TypeError`, `CustomAttributeError`.
    """
    _check_attributes(options)
    stream = _stream(source)
    try:
        with _recognized(stream, options.media_type) as (kind, file):
            if kind is None:
                yield file.read()
            else:
                known = ContainerOptions(options.layers(own), limits(options), as_conversion, options)
                yield Container(kind, file, known)
    finally:
        if isinstance(source, os.PathLike):
            stream.close()


def _stream(source: BinarySource | BinaryIO) -> BinaryIO:
    if isinstance(source, bytes | bytearray | memoryview):
        return io.BytesIO(source)
    return Path(source).open("rb") if isinstance(source, os.PathLike) else binary_file(source)


@contextmanager
def _recognized(stream: BinaryIO, media_type: str | None) -> Iterator[tuple[ContainerKind | None, BinaryIO]]:
    """Yield what a stream holds, and the stream from its beginning, seekable if that is needed."""
    if stream.seekable():
        start = stream.tell()
        head = stream.read(HEAD)
        stream.seek(start)
        kind = _kind(head, stream, media_type)
        stream.seek(start)
        yield kind, stream
        return
    head = stream.read(HEAD)
    rest = joined_file(chain((head,), iter(partial(stream.read, _PIECE), b"")))
    kind = _kind(head, None, media_type)
    needs_all = any(each.beginning and head.startswith(each.beginning) for each in KINDS)
    if kind.is_stream if kind is not None else not needs_all:
        yield kind, rest
        return
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(rest, file)
        file.seek(0)
        kind = kind or _kind(head, file, media_type)
        file.seek(0)
        yield kind, file


def _kind(head: bytes, file: BinaryIO | None, media_type: str | None) -> ContainerKind | None:
    """The kind of container, or None. The first byte nearly always decides."""
    return recognize(head, file, media_type) if media_type is not None or may_begin_container(head) else None


def may_be_container(path: Path, media_type: str | None) -> bool:
    """Whether a file is or may be a container. A pipe may be one: it cannot be examined first and read later."""
    if media_type is not None:
        return of_media_type(media_type) is not None
    try:
        if not path.is_file():
            return path.exists()
        with path.open("rb") as file:
            if not may_begin_container(file.peek(1)[:1]):
                return False
            head = file.read(HEAD)
            file.seek(0)
            return recognize(head, file) is not None
    except (OSError, ValueError):
        return False  # reported where it is read


def limits(options: SourceOptions) -> Limits:
    """The limits of unpacking."""
    return Limits() if options.max_size is None else Limits(size=options.max_size)


def _document(raw: bytes | str, path: Path | None, own: str | None, options: SourceOptions) -> Opened:
    """Decide what a document is (rules 2, 3) and parse it. Raises what `open_document` does."""
    if isinstance(raw, str):
        return Opened(raw, raw, open_document(raw, options))
    data = raw
    if is_packed(raw[:LOOKED_AT]):
        try:
            data = unpacked("the source" if path is None else str(path), raw, limits(options))
        except FileError as error:
            return Opened(raw, raw, Diagnostic("", str(error), code="damaged"))
    if path is not None and options.media_type is None:
        head = data[:LOOKED_AT]
        if magic(head) is not None:
            what, remedy = not_known(path.name, head)
            return Opened(raw, data, Diagnostic("", f"{path}: {what}", remedy, code="unsupported"))
        media_type = type_of_file(path.name, head)
        if media_type in (None, TEXT_TYPE):  # the type depends on all of it
            media_type = type_of_named(path.name, data)
        # not every parser core reads XML, and those that do recognize it themselves
        if media_type != XML_TYPE or type_by_name(path.name) == XML_TYPE:
            options = replace(options, media_type=media_type)
    return Opened(raw, data, open_document(data, options, own))


def open_document(data: bytes | str, options: SourceOptions, own: str | None = None) -> Document:
    """Parse a document on its own: find its references, establish its base. `own`: its own `file:` URI.

    It is HTML if no media type says otherwise and it does not look like XML. The parser core, and the options for what
    else to look for, matter for markup only.
    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    saved = None
    if options.url is None and not options.ignore_saved_from:
        from rehref.documents.saved_from import LOOKED_AT as SAVED_WITHIN
        from rehref.documents.saved_from import saved_from

        saved = saved_from(data[:SAVED_WITHIN])
    return read_document(data, options.media_type, options.encoding, options.layers(own, saved), options.how)
