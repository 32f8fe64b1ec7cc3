"""Containers on the command line: recognized among the sources, read part by part.

1. A source is a container if its content says so, or `--media-type` does. Standard input and pipes are not looked into
   before they are read: only then it shows what they are.
2. Its documents are reported one by one as they are read, so that an archive of any size takes little memory.
3. What is the matter with a part is told like a document that failed; the rest is done.
4. A document and the headers that `--headers` names are read as an HTTP message.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from rehref.cli.documents import Outcome
from rehref.cli.options import Settings
from rehref.files.file_documents import DocumentOrError, FileDocument, read
from rehref.files.file_errors import FileError

if TYPE_CHECKING:
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.documents.document import Document

_FEW = 64
_NONE = (b"<", b" ", b"\t", b"\r", b"\n", b"\xef", b"\xfe", b"\xff", b"")


def may_be_container(document: FileDocument, settings: Settings) -> bool:
    """Whether a document that was found is a container, or whether only reading it will tell (rule 1).

    One that cannot be looked at is none.
    """
    from rehref.containers.registry import HEAD, recognize

    if settings.headers is not None or document.path is None:
        return True
    if settings.media_type is not None:
        return recognize(b"", None, settings.media_type) is not None
    try:
        if not document.path.is_file():  # a pipe cannot be looked into and then read
            return document.path.exists()
        with document.path.open("rb") as file:
            head = file.read(_FEW)
            if head[:1] in _NONE:  # nearly every document
                return False
            head += file.read(HEAD - _FEW)
            file.seek(0)
            return recognize(head, file) is not None
    except (OSError, ValueError):
        return False  # whoever reads it will tell


def by_container(found: Sequence[DocumentOrError], settings: Settings) -> Iterator[tuple[bool, list[DocumentOrError]]]:
    """What was found, in runs of what may be containers and of what is none."""
    for held, run in groupby(
        found, key=lambda each: isinstance(each, FileDocument) and may_be_container(each, settings)
    ):
        yield held, list(run)


@contextmanager
def opened_source(
    document: FileDocument, settings: Settings, *, as_conversion: bool = False
) -> Iterator[Container | bytes]:
    """A container that was found, to be read from its beginning on; or what a document holds that is none.

    Raises `FileError`.
    """
    from rehref.containers.registry import Container, peeked, without_file

    if settings.headers is not None:
        yield _with_headers(document, settings.headers, settings)
        return
    stream = _opened(document)
    try:
        with peeked(stream, settings.media_type) as (kind, file):
            if kind is None:
                yield file.read()
                return
            yield Container(
                kind,
                file,
                without_file(kind, settings.layers(document.url, document.own)),
                settings.limits(),
                content_location_base=settings.content_location_base,
                as_conversion=as_conversion,
                profile=settings.profile,
            )
    finally:
        if document.path is not None:
            stream.close()


def _opened(document: FileDocument) -> BinaryIO:
    """A document's bytes, to be read; what goes wrong then is a `FileError`."""
    if document.path is None:
        return sys.stdin.buffer
    try:
        raw = document.path.open("rb", buffering=0)
    except OSError as error:
        raise FileError.of(document.name, "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(document.name, f"cannot be read: {error}", "check the name") from error
    return io.BufferedReader(_Told(raw, document.name), 1 << 16)


class _Told(io.RawIOBase):
    """A file of which it is told if it cannot be read: an OSError could be one of whatever is written meanwhile."""

    def __init__(self, raw: io.FileIO, name: str) -> None:
        self._raw, self._name = raw, name

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._raw.seekable()

    def seek(self, offset: int, whence: int = 0) -> int:
        return self._raw.seek(offset, whence)

    def tell(self) -> int:
        return self._raw.tell()

    def fileno(self) -> int:
        return self._raw.fileno()

    def readinto(self, buffer: Any) -> int | None:
        try:
            return self._raw.readinto(buffer)
        except OSError as error:
            raise FileError.of(self._name, "cannot be read", error) from error

    def close(self) -> None:
        self._raw.close()
        super().close()


def _with_headers(document: FileDocument, headers: str, settings: Settings) -> Container:
    """A document and the headers it came with, as the message that they were (rule 4). Raises `FileError`."""
    from rehref.containers.http.message import looks_like_heads
    from rehref.containers.registry import Container

    try:
        head = Path(headers).read_bytes()
    except OSError as error:
        raise FileError.of(headers, "cannot be read", error) from error
    if not looks_like_heads(head):
        raise FileError(headers, "holds no HTTP header fields", "name what curl -D saved, and the document as SOURCE")
    message = head.rstrip(b"\r\n") + b"\r\n\r\n" + read(document)
    return Container(
        "http",
        io.BytesIO(message),
        settings.layers(document.url, document.own),
        settings.limits(),
        content_location_base=settings.content_location_base,
    )


def body(document: FileDocument, settings: Settings) -> tuple[bytes, Document, list[Diagnostic]]:
    """A document that came with headers, read as these tell, and what else is the matter. Raises `FileError`."""
    from rehref.containers.opening import opened
    from rehref.containers.parts import Diagnostic

    diagnostics: list[Diagnostic] = []
    found = None
    with opened_source(document, settings) as container:
        assert not isinstance(container, bytes)
        for each in opened(container, settings.reading()):
            if isinstance(each, Diagnostic):
                diagnostics.append(each)
            elif each[0].name == "body":
                found = each
    if found is not None:
        return found[0].data, found[1], diagnostics
    if diagnostics:
        raise failure(document, diagnostics[0])
    raise FileError(document.name, "is no document, say the headers", "leave out --headers, or say --media-type")


def failure(document: FileDocument, diagnostic: Diagnostic) -> FileError:
    """What is the matter with a container, as its failure."""
    where = f"{document.name}, {diagnostic.where}" if diagnostic.where else document.name
    return FileError(where, diagnostic.message, diagnostic.remedy)


def outcome_of(document: FileDocument, diagnostic: Diagnostic) -> Outcome:
    """What is the matter with a container, as an outcome without a document."""
    if diagnostic.harmless:
        return Outcome(document.name, notes=(str(failure(document, diagnostic)),), documents=0)
    return Outcome(document.name, error=failure(document, diagnostic))


def told(document: FileDocument, diagnostics: Sequence[Diagnostic]) -> tuple[tuple[str, ...], tuple[FileError, ...]]:
    """What is the matter with a container: what is worth a word, and what failed."""
    harmless = tuple(str(failure(document, diagnostic)) for diagnostic in diagnostics if diagnostic.harmless)
    return harmless, tuple(failure(document, diagnostic) for diagnostic in diagnostics if not diagnostic.harmless)
