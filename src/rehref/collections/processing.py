"""The links of a file, or of a piece of one: what every way to read many documents calls, here and in a cluster.

1. Of a container, its documents are read one after the other. What cannot be read of it is a `Diagnostic` in its place,
   and the rest is read.
2. What cannot be read at all is a `FileError`, which names the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TypeVar

from rehref.collections.opening import Opening, opened, read_document
from rehref.collections.rows import Row, rows_of
from rehref.containers.file_pieces import ByteRange
from rehref.containers.opening import not_read
from rehref.containers.opening import opened as documents_in
from rehref.containers.parts import Diagnostic, Part, PartWord
from rehref.containers.registry import Container
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.files.file_documents import FileDocument
from rehref.files.file_uris import own_uri

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class DocumentLinks:
    """A document whose links can be had.

    `part`: what it is of its container, None of a document on its own. `container`: the kind of that, None if there is
    none. `where`: what documents in it are called. `notes`: what is reported of it.
    """

    document: Document
    part: Part | None = None
    container: str | None = None
    where: PartWord = "part"
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """For people, what it is called in its container, "" of a document on its own."""
        return "" if self.part is None else self.part.title

    @property
    def links(self) -> list[Link]:
        """Its links, in order, made anew each time."""
        return list(self.document.links())

    def guarded(self, work: Callable[[DocumentLinks], _Made]) -> _Made | Diagnostic:
        """What `work` makes of it; what goes wrong with a document of a container is a `Diagnostic` (rule 1)."""
        try:
            return work(self)
        except Exception as error:
            if self.part is None:
                raise
            return not_read(self.part, error)

    def rows(self, name: str) -> Iterator[Row]:
        """Its links as rows; `name`: the file's."""
        return rows_of(name, self.container, self.document.own.uri, self.links)


def process(
    path: str | PathLike[str],
    how: Opening | None = None,
    *,
    within: ByteRange | None = None,
    on_diagnostic: Callable[[Diagnostic], object] | None = None,
) -> Iterator[Row]:
    """The links of a file as rows, in order. Raises `FileError` if it cannot be read.

    `within`: of an archive, the members that are read (`rehref.containers.warc.members`). `on_diagnostic`: called with
    what cannot be read of a container.
    """
    how = how or Opening()
    name = str(path)
    for each in documents_of(file_at(name, how), how, within):
        found = each if isinstance(each, Diagnostic) else each.guarded(lambda read: list(read.rows(name)))
        if not isinstance(found, Diagnostic):
            yield from found
        elif on_diagnostic is not None:
            on_diagnostic(found)


def file_at(name: str, how: Opening) -> FileDocument:
    """The file of that name, as a document."""
    path = Path(name)
    return FileDocument(name, path, path.name, how.options.url, own=own_uri(path))


def documents_of(
    file: FileDocument, how: Opening, within: ByteRange | None = None
) -> Iterator[DocumentLinks | Diagnostic]:
    """The documents of a file, in order (rule 1). Raises `FileError`. The arguments are those of `process`."""
    with opened(file, how, within=within) as source:
        if isinstance(source, bytes):
            read = read_document(file, source, how)
            yield DocumentLinks(read.document, notes=read.notes)
        else:
            yield from documents_inside(source, how)


def documents_inside(container: Container, how: Opening) -> Iterator[DocumentLinks | Diagnostic]:
    """The documents of a container that was opened, in order (rule 1)."""
    kind = container.kind
    for each in documents_in(container, how.options.how):
        if isinstance(each, Diagnostic):
            yield each
            continue
        part, document = each
        yield DocumentLinks(document, part, kind.name, kind.part_word)
