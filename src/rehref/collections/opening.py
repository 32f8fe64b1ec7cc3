"""Open and read documents from files, pipes and standard input.

1. A source is a container if its content or the given media type says so. The type of standard input and pipes
   is known only when they are read.
2. A source that cannot be read raises a `FileError` that names it, standard input too: a bare OSError could be from
   a file that is being written at the same time.
3. A document and the header fields that it came with (`Opening.headers`) are read as an HTTP message.
4. A part of a container that cannot be read is reported like a document that failed; the rest is read.
5. A range of an archive can be read as if the archive had no other members (`rehref.containers.warc.borders` finds
   where such a range may begin). Positions of records are those in the whole file.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from rehref.containers.file_pieces import ByteRange
from rehref.documents.types.media_types import HEAD_TYPE
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.file_types import media_type
from rehref.files.gzipped import is_packed, unpacked
from rehref.files.reading import read_file
from rehref.options import SOURCE_OPTIONS, SourceOptions

if TYPE_CHECKING:
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.documents.document import Document

WARC_TYPE = "application/warc"
_BUFFER = 1 << 16


class Opening(NamedTuple):
    """How documents are opened and read. `headers`: the file with the header fields of the only document."""

    options: SourceOptions = SOURCE_OPTIONS
    headers: str | None = None


@contextmanager
def opened(
    document: FileDocument, how: Opening, *, as_conversion: bool = False, within: ByteRange | None = None
) -> Iterator[Container | bytes]:
    """Open a container, at its beginning, or read the bytes of any other document. Raises `FileError`.

    `within`: the range of an archive to read instead of all (rule 5).
    """
    from rehref.door import container_or_data

    options = replace(how.options, url=document.url)
    with _stream(document) as stream:
        if within is not None:
            yield _some_members(stream, within, options, document.own, as_conversion=as_conversion)
            return
        whole: BinaryIO = stream
        if how.headers is not None:
            whole = io.BytesIO(_with_headers(how.headers, stream.read()))
            options = replace(options, media_type=HEAD_TYPE)
        with container_or_data(whole, options, document.own, as_conversion=as_conversion) as found:
            yield found


def _some_members(
    file: BinaryIO, within: ByteRange, options: SourceOptions, own: str | None, *, as_conversion: bool
) -> Container:
    """An archive of which only some bytes are read (rule 5)."""
    from rehref.containers.parts import ContainerOptions
    from rehref.containers.registry import Container, of_media_type
    from rehref.door import limits

    kind = of_media_type(WARC_TYPE)
    assert kind is not None
    file.seek(within.start)
    known = ContainerOptions(options.layers(own), limits(options), as_conversion, options, within)
    return Container(kind, file, known)


@contextmanager
def _stream(document: FileDocument) -> Iterator[BinaryIO]:
    """Open a source. Errors, then and while it is read, are raised as `FileError`."""
    if document.path is None:
        if sys.stdin is None:
            raise FileError(document.name, "cannot be read: standard input is closed", "name a file")
        yield cast(BinaryIO, io.BufferedReader(_NamingFile(sys.stdin.buffer, document.name), _BUFFER))
        return
    try:
        file = document.path.open("rb", buffering=0)
    except OSError as error:
        raise FileError.of(document.name, "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(document.name, f"cannot be read: {error}", "check the name") from error
    with io.BufferedReader(_NamingFile(file, document.name), _BUFFER) as stream:
        yield stream


def read_bytes(document: FileDocument) -> bytes:
    """The bytes of a source, not unpacked. Raises `FileError`."""
    with _stream(document) as stream:
        return stream.read()


class _NamingFile(io.RawIOBase):
    """A file whose errors name it (rule 2). Standard input is left open."""

    def __init__(self, file: BinaryIO | io.FileIO, name: str) -> None:
        self._file, self._name = file, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def fileno(self) -> int:
        return self._file.fileno()

    def readinto(self, buffer: Any) -> Any:
        return self._named(self._file.readinto, buffer)  # type: ignore[union-attr]

    def readall(self) -> Any:
        return self._named(self._file.read)

    def _named(self, read: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return read(*arguments)
        except OSError as error:
            raise FileError.of(self._name, "cannot be read", error) from error

    def close(self) -> None:
        if isinstance(self._file, io.FileIO):
            self._file.close()
        super().close()


def _with_headers(headers: str, document: bytes) -> bytes:
    """The message of a document and the file with its header fields (rule 3). Raises `FileError`."""
    from rehref.door import message

    whole = message(read_file(headers), document)
    if whole is None:
        raise FileError(
            headers, "has no HTTP header fields", "name the file that curl -D saved, and the document as SOURCE"
        )
    return whole


class ReadDocument(NamedTuple):
    """A document that was read: its bytes as stored, and unpacked; its content; and what is reported about it."""

    stored: bytes
    data: bytes
    document: Document
    notes: tuple[str, ...] = ()
    errors: tuple[FileError, ...] = ()


def read_document(file: FileDocument, source: Container | bytes, how: Opening) -> ReadDocument:
    """Read an opened document. It gets a note if it is XML that is not well-formed. Raises `FileError`.

    Of a container (`--headers`), the document is the body.
    """
    if not isinstance(source, bytes):
        return _body(file, source, how)
    data = contents(file, source, how)
    document, found = open_document(file, data, how), None
    if document.reader == "xml":
        from rehref.documents.well_formed import not_well_formed

        found = not_well_formed(data)
    notes = () if found is None else (f"{file.name}: {found}; browsers and feed readers stop there",)
    return ReadDocument(source, data, document, notes)


def contents(file: FileDocument, data: bytes, how: Opening) -> bytes:
    """The bytes of a document, unpacked if it is gzipped. Raises `FileError`."""
    if not is_packed(data):
        return data
    from rehref.door import limits

    return unpacked(file.name, data, limits(how.options))


def open_document(file: FileDocument, data: bytes, how: Opening) -> Document:
    """The document in bytes that were read and unpacked. Raises `FileError`."""
    from rehref import door

    known = how.options.media_type or media_type(file, data)
    options = replace(how.options, url=file.url, media_type=known)
    try:
        return door.open_document(data, options, file.own)
    except (ValueError, LookupError) as error:
        if type(error).__module__.startswith("rehref."):
            raise FileError(file.name, str(error), "see --media-type, --encoding and --parser") from error
        raise


def _body(file: FileDocument, message: Container, how: Opening) -> ReadDocument:
    """The document that came with header fields, read as these say, with notes and errors."""
    from rehref.containers import opening
    from rehref.containers.parts import Diagnostic

    diagnostics: list[Diagnostic] = []
    body: ReadDocument | None = None
    for each in opening.documents_in(message, how.options.how):
        if isinstance(each, Diagnostic):
            diagnostics.append(each)
            continue
        part, document = each
        if part.name == "body":
            body = ReadDocument(part.data, part.data, document)
    if body is not None:
        notes, errors = notes_and_errors(file, diagnostics)
        return body._replace(notes=notes, errors=errors)
    if diagnostics:
        raise as_error(file, diagnostics[0])
    raise FileError(file.name, "is not a document by its header fields", "leave out --headers, or use --media-type")


def as_error(file: FileDocument, diagnostic: Diagnostic) -> FileError:
    """The error for a part of a container that cannot be read."""
    where = f"{file.name}, {diagnostic.where}" if diagnostic.where else file.name
    return FileError(where, diagnostic.message, diagnostic.remedy)


def notes_and_errors(
    file: FileDocument, diagnostics: Sequence[Diagnostic]
) -> tuple[tuple[str, ...], tuple[FileError, ...]]:
    """The notes and the errors about a container (rule 4)."""
    notes = tuple(str(as_error(file, diagnostic)) for diagnostic in diagnostics if diagnostic.harmless)
    return notes, tuple(as_error(file, diagnostic) for diagnostic in diagnostics if not diagnostic.harmless)
