"""The links of a file, or of a piece of one: every way to read many documents calls this, here and in a cluster.

The documents of a container are read one after the other. Where one cannot be read, a `Diagnostic` takes its place, and
the rest is read. A file that cannot be read at all raises `FileError`, which names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from rehref.containers.kinds import Container
from rehref.containers.parts import Diagnostic, Part, PartWord, located_in
from rehref.documents.base import Base
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.files.file_documents import FileDocument, own_uri
from rehref.files.file_errors import FileError
from rehref.files.sources import opened
from rehref.reports.terminal import mask, masked_base
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.containers.streams import ByteRange

_Made = TypeVar("_Made")
_MANY: Final = 20_000
"""The number of places from which on a document is large."""


class LinkRow(NamedTuple):
    """A link and where it is, as plain values, those of an object of `--format jsonl`: `Link` explains most fields.

    `document`: the file. `container`: what kind of container the file is ("warc", "epub", …), None for a document on
    its own. `record`: `Link.part`. `base`: a dict with `uri`, `origin`, `where` and `rejected`. `span`: a list of two
    numbers, or None. `problems`: dicts with `code` and `message`. Passwords are masked, as in every report.
    """

    document: str
    container: str | None
    record: str | None
    page: str | None
    reference: str
    target: str | None
    base: dict[str, Any]
    element: str
    attribute: str | None
    kind: str
    inside: str | None
    line: int | None
    column: int | None
    span: list[int] | None
    same_document: bool
    problems: list[dict[str, str]]
    date: str | None
    rel: str | None
    text: str | None


def _rows_of(document: str, container: str | None, links: Iterable[Link]) -> Iterator[LinkRow]:
    """The links of one document as rows."""
    base: Base | None = None
    shared: dict[str, Any] = {}
    for link in links:
        if link.base is not base:
            base, shared = link.base, masked_base(link.base).as_dict()
        yield LinkRow(  # for each link: by name it would take nearly twice as long
            document,
            container,
            link.part,
            mask(link.page),
            mask_text(link.reference),
            mask(link.target),
            shared,
            link.element,
            link.attribute,
            link.kind,
            link.inside,
            link.line,
            link.column,
            None if link.span is None else list(link.span),
            link.same_document,
            [{"code": each.code, "message": mask_text(each.message)} for each in link.problems],
            link.date,
            mask(link.rel),
            mask(link.text),
        )


class DocumentLinks(NamedTuple):
    """A document, ready to find its links.

    `part`: the part of a container that it is, `container`: the kind of that container; both None for a document on its
    own. `where`: what the parts of such a container are called. `notes`: what is reported about the document.
    """

    document: Document
    part: Part | None = None
    container: str | None = None
    where: PartWord = "part"
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The name of the document in its container, for people; "" for a document on its own."""
        return "" if self.part is None else self.part.title

    @property
    def links(self) -> list[Link]:
        """The links of the document, in order; found again at each call."""
        return list(self.document.links())

    def guarded(self, work: Callable[[DocumentLinks], _Made]) -> _Made | Diagnostic:
        """Call `work` with the document: its result. In a container, an error becomes a `Diagnostic`."""
        try:
            return work(self)
        except Exception as error:
            if self.part is None:
                raise
            return self.part.not_read(error)

    def rows(self, name: str) -> Iterator[LinkRow]:
        """The links of the document as rows; `name`: of the file."""
        return _rows_of(name, self.container, self.document.links())

    def counted_rows(self, name: str) -> tuple[Iterable[LinkRow], int]:
        """The rows, and how many they are. What reading them raises is raised before there is any.

        The rows of a large document are found twice, so that they are never all in memory.
        """
        if len(self.document.parsed.places) <= _MANY:
            rows = list(self.rows(name))
            return rows, len(rows)
        return self.rows(name), sum(1 for _ in self.rows(name))


def process(
    path: str | PathLike[str],
    options: SourceOptions = SourceOptions.DEFAULT,
    *,
    within: ByteRange | None = None,
    on_diagnostic: Callable[[Diagnostic], object] | None = None,
) -> Iterator[LinkRow]:
    """The links of a file as rows, in order. Raises `FileError` if it cannot be read.

    `within`: the range of an archive to read (`rehref.containers._warc.borders`). `on_diagnostic`: called with the
    diagnostic of each part of a container that cannot be read.
    """
    name = str(path)
    for each in documents_of(file_at(name, options), options, within):
        found = each if isinstance(each, Diagnostic) else each.guarded(lambda read: read.counted_rows(name))
        if not isinstance(found, Diagnostic):
            yield from found[0]
        elif on_diagnostic is not None:
            on_diagnostic(found)
        del each, found  # they may be large, and the next one is read now


def file_at(name: str, options: SourceOptions) -> FileDocument:
    """The file with this name, as a document."""
    path = Path(name)
    return FileDocument(name, path, path.name, options.url, own=own_uri(path))


def documents_of(
    file: FileDocument, options: SourceOptions, within: ByteRange | None = None
) -> Iterator[DocumentLinks | Diagnostic]:
    """The documents of a file, in order. Raises `FileError`. The arguments are those of `process`."""
    with opened(file, options, within=within) as found:
        if found.container is None:
            document = found.read_named().document
            yield DocumentLinks(document, notes=notes_about(file, document))
        else:
            yield from documents_inside(found.container, options.how)


def documents_inside(container: Container, how: ReadOptions) -> Iterator[DocumentLinks | Diagnostic]:
    """The documents of an opened container, in order."""
    kind = container.kind
    for each in container.documents(how):
        yield each if isinstance(each, Diagnostic) else DocumentLinks(each[1], each[0], kind.name, kind.part_word)
        del each  # it may be large, and the next one is read now


def notes_about(file: FileDocument, document: Document) -> tuple[str, ...]:
    """What is reported about a document that was read: it is XML that is not well-formed, or MDX that is not MDX."""
    if document.parsed.fault is not None:
        message, line, column = document.parsed.fault
        return (f"{file.name}: is not MDX: {message} at {line}:{column}; programs refuse it",)
    found = document.not_well_formed() if document.reader == "xml" else None
    return () if found is None else (f"{file.name}: {found}; browsers and feed readers stop there",)


def as_error(file: FileDocument, diagnostic: Diagnostic) -> FileError:
    """The error for a part of a container that cannot be read."""
    found = located_in(file.name, diagnostic)
    return FileError(found.where, found.message, found.remedy)


def notes_and_errors(
    file: FileDocument, diagnostics: Sequence[Diagnostic]
) -> tuple[tuple[str, ...], tuple[FileError, ...]]:
    """The notes and the errors about a container."""
    notes = tuple(str(as_error(file, diagnostic)) for diagnostic in diagnostics if diagnostic.harmless)
    return notes, tuple(as_error(file, diagnostic) for diagnostic in diagnostics if not diagnostic.harmless)
