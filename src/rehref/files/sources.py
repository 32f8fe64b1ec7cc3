"""Open a source: decide what it is, once, before anything reads it.

Four things are decided: whether it is a container or a document; whether it is gzipped; its media type; its retrieval
URI: the one given, or the one that the tool that saved it wrote into it, or its own `file:` URI. The content decides
what a source holds, unless a media type was given. A source is opened once, and read from its beginning.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TypeAlias, TypeGuard, cast

from rehref.containers.kinds import (
    HEAD,
    KINDS,
    WARC,
    Container,
    ContainerKind,
    may_begin_container,
    of_media_type,
    recognize,
)
from rehref.containers.parts import ContainerError, ContainerOptions, Diagnostic, Limits, located_in
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import SourceOptions
from rehref.documents.reading import read_document
from rehref.exceptions import OptionError, OutOfTimeError
from rehref.files.discovery import media_type
from rehref.files.file_documents import FileDocument, file_uri
from rehref.files.file_errors import FileError
from rehref.files.reading_files import is_packed, stream_of, unpacked
from rehref.text.header_fields import Head

if TYPE_CHECKING:
    from rehref.containers.streams import ByteRange

_PIECE = 1 << 16
Headers: TypeAlias = "bytes | os.PathLike[str] | None"


class Readable(Protocol):
    """An object that returns bytes: a file, a response, a record's `content_stream()`."""

    read: Callable[..., bytes]
    """Return at most so many bytes, b"" at the end; without a number, all of them."""


BinarySource: TypeAlias = "bytes | bytearray | memoryview | os.PathLike[str] | Readable"
AnySource: TypeAlias = "BinarySource | str"
"""What a program may pass. A str is the document itself, never a path."""


class Opened(NamedTuple):
    """A source that was opened: a container, at its beginning, or else a document as it is stored, not yet read.

    `file`: what is known of it besides its content. `options`: those for reading it, with its retrieval URI.
    """

    file: FileDocument
    options: SourceOptions
    container: Container | None = None
    stored: bytes | str = b""

    def unpacked(self) -> bytes | str:
        """What is stored, unpacked if it is gzipped. Raises `FileError` if it is broken."""
        stored = self.stored
        if isinstance(stored, str) or not is_packed(stored[:2]):
            return stored
        return unpacked(self.file.name, stored, Limits.of(self.options))

    def read(self) -> ReadDocument:
        """Read the document that it is: unpack it, decide its type, and parse it.

        A document in a file has the type of the file's name, or else of its content (`rehref.files.discovery`), which
        may be that of no document: an image, a PDF file. Any other is HTML or XML. Raises `FileError` if it is gzipped
        and broken, or not a document, and what `open_document` does.
        """
        file, options = self.file, self.options
        data = self.unpacked()
        if isinstance(data, bytes) and options.media_type is None and file.path is not None:
            options = replace(options, media_type=media_type(file, data))
        if file.charset is not None and options.encoding is None:
            options = replace(options, encoding=file.charset)
        return ReadDocument(self.stored, data, open_document(data, options, file.own))

    def read_named(self) -> ReadDocument:
        """The same for a file that a user named. Raises `FileError`, also for options that do not fit it."""
        try:
            return self.read()
        except (ValueError, LookupError) as error:
            if type(error).__module__.startswith("rehref."):
                raise FileError(self.file.name, str(error), "see --media-type, --encoding and --parser") from error
            raise


class ReadDocument(NamedTuple):
    """A document that was read: as it is stored, unpacked, and parsed."""

    stored: bytes | str
    data: bytes | str
    document: Document


def opened(
    source: AnySource | FileDocument,
    options: SourceOptions,
    *,
    headers: Headers = None,
    as_conversion: bool = False,
    within: ByteRange | None = None,
) -> AbstractContextManager[Opened]:
    """Open a source of any kind; what is opened is closed in the end.

    `headers`: the header fields that it came with, or the file with them, if it is not a `FileDocument`, which has
    them; both are read as an HTTP message. `within`: the range of an archive to read as if it had no other members
    (`rehref.containers._warc.borders` finds where it may begin); positions of records are those in the whole file.
    Raises `OSError` if it cannot be read, of a `FileDocument` `FileError`; `TypeError` if it is not a source;
    `OptionError` for other `headers`, and `CustomAttributeError`. (Other options are checked where they are used.)
    """
    if options.how.attributes:
        options.how.refuse_other_attributes()
    if isinstance(source, FileDocument):
        known = options if source.url == options.url else replace(options, url=source.url)
        return _opened(source, source, known, as_conversion, within)
    file = _document_of(source, options.url, headers)
    if headers is None and _is_document(source, options.media_type):
        return nullcontext(Opened(file, options, None, source))
    assert not isinstance(source, str)
    return _opened(source, file, options, as_conversion, within)


@contextmanager
def _opened(
    source: BinarySource | FileDocument,
    file: FileDocument,
    options: SourceOptions,
    as_conversion: bool,
    within: ByteRange | None,
) -> Iterator[Opened]:
    """The same for a source that must be opened and closed, or whose content says what it is."""
    with _stream(source) as stream:
        if file.headers is not None:
            stream = io.BytesIO(file.headers.rstrip(b"\r\n") + b"\r\n\r\n" + stream.read())
            options = replace(options, media_type=MediaType.HEAD)
        with _recognized(stream, options.media_type, within) as (kind, whole):
            if kind is None:
                yield Opened(file, options, None, whole.read())
                return
            known = ContainerOptions(options.layers(file.own), Limits.of(options), as_conversion, options, within)
            yield Opened(file, options, Container(kind, whole, known))


def _is_document(source: object, media_type: str | None) -> TypeGuard[bytes | str]:
    """Whether a source is in memory and certainly not a container: then there is nothing to open or to recognize."""
    if isinstance(source, bytes):
        return media_type is None and not may_begin_container(source[:1])
    return isinstance(source, str)


def _document_of(source: AnySource, url: str | None, headers: Headers) -> FileDocument:
    """What is known of a source that a program passes. Raises `OSError`, `OptionError` because of `headers`."""
    head = headers if headers is None or isinstance(headers, bytes) else Path(headers).read_bytes()
    if head is not None and isinstance(source, str):
        raise OptionError.of("headers say how to decode a document; the source is a str, which is decoded")
    if head is not None and not are_headers(head):
        raise OptionError.of("headers has no HTTP header fields; give those of a response, or the file that has them")
    path = _path_of(source)
    if path is not None:
        return FileDocument(str(path), path, path.name, url, own=file_uri(path), headers=head)
    return FileDocument("the source", None, "", url, headers=head)


def _path_of(source: object) -> Path | None:
    """The path that a source is; None if it is another one. (To ask the abstract class takes long.)"""
    return Path(cast("os.PathLike[str]", source)) if hasattr(type(source), "__fspath__") else None


def are_headers(head: bytes) -> bool:
    """Whether bytes are the HTTP header fields of a document."""
    response = of_media_type("message/http")
    begins_response = response is not None and response.load().recognizes(head, None)
    return begins_response or bool(Head.read(head.lstrip()).fields)


def documents(
    source: AnySource | FileDocument, options: SourceOptions, headers: Headers = None
) -> Iterator[tuple[Document, Iterable[Link]] | Diagnostic]:
    """The documents of a source, each with its links, and what cannot be read of it.

    Raises what `opened` does, and `ContainerError`; the links of a source that is one document, `OutOfTimeError`.
    """
    path = _path_of(source)
    if path is not None and path.is_dir() and headers is None:
        yield from _in_folder(path, options)
        return
    with opened(source, options, headers=headers) as found:
        if found.container is not None:
            for each in found.container.documents(options.how):
                yield each if isinstance(each, Diagnostic) else _with_links(each[1], each[0].label)
                del each  # it may be large, and the next one is read now
            return
        try:
            document = found.read().document
        except FileError as error:
            raise ContainerError([not_read(error)]) from error
        yield document, document.links()


def not_read(error: FileError) -> Diagnostic:
    """The diagnostic for a source that cannot be read."""
    return Diagnostic(error.file, error.what, error.remedy, code=error.code)


def _with_links(document: Document, name: str) -> tuple[Document, list[Link]] | Diagnostic:
    """A document with all of its links; if they take too long, that is reported, and the other documents are read."""
    try:
        return document, list(document.links())
    except OutOfTimeError as error:
        return Diagnostic(name, str(error), code="too-large")


def _in_folder(folder: Path, options: SourceOptions) -> Iterator[tuple[Document, Iterable[Link]] | Diagnostic]:
    """The documents of a folder that `rehref.files.discovery` finds, each with a URI below the folder's."""
    from rehref.files.discovery import discover

    for file in discover([str(folder)], options.url).found:
        if isinstance(file, FileError):
            yield not_read(file)
            continue
        try:
            for each in documents(file, options):
                if isinstance(each, Diagnostic):
                    yield located_in(file.name, each)
                else:
                    yield each if isinstance(each[1], list) else _with_links(each[0], file.name)
                del each  # it may be large, and the next one is read now
        except ContainerError as error:
            yield from error.diagnostics
        except FileError as error:
            yield not_read(error)


def _stream(source: BinarySource | FileDocument) -> AbstractContextManager[BinaryIO]:
    if isinstance(source, FileDocument):
        return stream_of(source.name, source.path)
    if isinstance(source, os.PathLike):
        return Path(source).open("rb")
    from rehref.containers.streams import binary_file  # the command line has files

    return nullcontext(binary_file(source))


@contextmanager
def _recognized(
    stream: BinaryIO, media_type: str | None, within: ByteRange | None
) -> Iterator[tuple[ContainerKind | None, BinaryIO]]:
    """Yield what a stream holds, and the stream from its beginning, seekable if that is needed."""
    if within is not None:
        stream.seek(within.start)
        yield WARC, stream
        return
    if stream.seekable():
        start = stream.tell()
        head = stream.read(HEAD)
        stream.seek(start)
        kind = _kind(head, stream, media_type)
        stream.seek(start)
        yield kind, stream
        return
    head = stream.read(HEAD)
    from rehref.containers.streams import joined_file

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


def open_document(data: bytes | str, options: SourceOptions, own: str | None = None) -> Document:
    """Parse a document on its own: find its references, establish its base. `own`: its own `file:` URI.

    It is HTML if no media type says otherwise and it does not look like XML. The parser core, and the options for what
    else to look for, matter for markup only.
    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    saved = None
    if options.url is None and not options.ignore_saved_from:
        from rehref.files._saved_from import LOOKED_AT, saved_from

        saved = saved_from(data[:LOOKED_AT])
    return read_document(data, options.media_type, options.encoding, options.layers(own, saved), options.how)
