"""Containers on the command line: recognized among the sources, read part by part.

1. A source is a container if its content says so, or `--media-type` does. In a folder only what no name tells to be a
   document of its own is looked into.
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
from typing import TYPE_CHECKING, BinaryIO

from rehref.cli.documents import Outcome
from rehref.cli.options import Settings
from rehref.entities.files import FileDocument, FileError, Found, read, reader_of_name

if TYPE_CHECKING:
    from rehref.documents.document import Document
    from rehref.entities.containers import Container
    from rehref.entities.parts import Trouble


def is_container(document: FileDocument, settings: Settings) -> bool:
    """Whether a document that was found is a container (rule 1). One that cannot be looked at is none."""
    from rehref.entities.containers import HEAD, recognize

    if settings.headers is not None:
        return True
    if settings.media_type is not None:
        return recognize(b"", None, settings.media_type) is not None
    if document.in_folder and reader_of_name(document.relative) is not None:
        return False
    try:
        if document.path is None:
            return _stdin_begins(sys.stdin.buffer)
        if not document.path.is_file():  # a pipe cannot be looked into and then read
            return False
        with document.path.open("rb") as file:
            head = file.read(HEAD)
            file.seek(0)
            return recognize(head, file) is not None
    except (OSError, ValueError):
        return False  # whoever reads it will tell


def _stdin_begins(stream: BinaryIO) -> bool:
    """Whether standard input begins as a container does."""
    from rehref.entities.containers import HEAD, recognize

    if stream.seekable():
        start = stream.tell()
        head = stream.read(HEAD)
        stream.seek(start)
    else:
        head = stream.peek(HEAD)[:HEAD] if hasattr(stream, "peek") else b""
    return head[:2] == b"PK" or recognize(head) is not None


def by_container(found: Sequence[Found], settings: Settings) -> Iterator[tuple[bool, list[Found]]]:
    """What was found, in runs of containers and of what is none."""
    for held, run in groupby(found, key=lambda each: isinstance(each, FileDocument) and is_container(each, settings)):
        yield held, list(run)


@contextmanager
def opened_container(document: FileDocument, settings: Settings, *, as_conversion: bool = False) -> Iterator[Container]:
    """A container that was found, to be read from its beginning on. Raises `FileError`."""
    from rehref.base import Candidate, Layers
    from rehref.entities.containers import Container, peeked, retrieval_uri
    from rehref.entities.parts import Limits

    if settings.headers is not None:
        yield _with_headers(document, settings.headers, settings)
        return
    entity = () if settings.entity_base is None else (Candidate(settings.entity_base, "entity", "entity base"),)
    try:
        stream = sys.stdin.buffer if document.path is None else document.path.open("rb")
    except OSError as error:
        raise FileError.of(document.name, "cannot be read", error) from error
    try:
        with peeked(stream, settings.media_type) as (kind, file):
            if kind is None:
                raise FileError(
                    document.name, "is no container that is known", "see rehref rewrite --help for what there is"
                )
            around = Layers(entity, retrieval_uri(kind, settings.url, document.url), settings.default_base)
            limits = Limits() if settings.max_size is None else Limits(size=settings.max_size)
            yield Container(
                kind,
                file,
                around,
                limits,
                content_location_base=settings.content_location_base,
                as_conversion=as_conversion,
                profile=settings.profile,
            )
    except OSError as error:
        raise FileError.of(document.name, "cannot be read", error) from error
    finally:
        if document.path is not None:
            stream.close()


def _with_headers(document: FileDocument, headers: str, settings: Settings) -> Container:
    """A document and the headers it came with, as the message that they were (rule 4). Raises `FileError`."""
    from rehref.base import Candidate, Layers
    from rehref.entities.containers import Container

    try:
        head = Path(headers).read_bytes()
    except OSError as error:
        raise FileError.of(headers, "cannot be read", error) from error
    message = head.rstrip(b"\r\n") + b"\r\n\r\n" + read(document)
    entity = () if settings.entity_base is None else (Candidate(settings.entity_base, "entity", "entity base"),)
    around = Layers(entity, document.url, settings.default_base)
    return Container("http", io.BytesIO(message), around, content_location_base=settings.content_location_base)


def body(document: FileDocument, settings: Settings) -> tuple[bytes, Document]:
    """A document that came with headers, read as these tell. Raises `FileError`."""
    from rehref.entities.opening import opened
    from rehref.entities.parts import Trouble

    with opened_container(document, settings) as container:
        for each in opened(container, settings.reading()):
            if isinstance(each, Trouble):
                raise failure(document, each)
            if each[0].name == "body":
                return each[0].data, each[1]
    raise FileError(document.name, "is no document, say the headers", "leave out --headers, or say --media-type")


def failure(document: FileDocument, trouble: Trouble) -> FileError:
    """What is the matter with a container, as its failure."""
    where = f"{document.name}, {trouble.where}" if trouble.where else document.name
    return FileError(where, trouble.what, trouble.remedy)


def outcome_of(document: FileDocument, trouble: Trouble) -> Outcome:
    """What is the matter with a container, as an outcome without a document."""
    if trouble.harmless:
        return Outcome(document.name, notes=(str(failure(document, trouble)),), documents=0)
    return Outcome(document.name, error=failure(document, trouble))
