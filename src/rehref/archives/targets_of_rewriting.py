"""Output files, and the indexes beside them.

A file is written completely or not at all (`rehref.files.writing`). On request, an index beside a WARC is written for
the new file (`rehref.containers.indexes`); where that cannot be done, it is reported as an error. Otherwise a note says
which index no longer fits, or was not copied, unless the file does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol, TypeAlias

from rehref.archives.pieces import RunCounts
from rehref.containers.parts import Diagnostic, Limits
from rehref.containers.streams import AnyBytes, pieces_of
from rehref.exceptions import RehrefError
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.writing import Content, write_atomically

if TYPE_CHECKING:
    from rehref.containers.indexes import CorrectedIndex
    from rehref.containers.kinds import Container
    from rehref.files.sources import ReadDocument

WriteContainer: TypeAlias = Callable[[BinaryIO], bool]
"""Writes a container, and returns whether anything in it has changed."""
_STEP = 1 << 20


class NewDocument(NamedTuple):
    """A rewritten document: its bytes, whether they are others, the bytes to store (packed like the old); counts; what
    was not written (`Rewritten.refused`).
    """

    content: AnyBytes
    is_changed: bool
    stored: AnyBytes
    counts: RunCounts
    refused: Sequence[tuple[int | None, int | None]] = ()


class NewIndexes(NamedTuple):
    """The indexes to write after the new file, notes and diagnostics about others; `parted`: it had other names."""

    made: Sequence[CorrectedIndex] = ()
    notes: Sequence[str] = ()
    diagnostics: Sequence[Diagnostic] = ()
    parted: bool = False


class Target(Protocol):
    """Where output is written. Each method raises `FileError` if it cannot write."""

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Write a document."""
        ...

    def take_other(self, file: FileDocument, data: bytes) -> None:
        """Write a file that is not a document, unchanged."""
        ...

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Write a container; return its new indexes, with notes and errors about them."""
        ...


class _UnchangedError(RehrefError):
    """Nothing has changed, so the file written so far is dropped."""


class FileTarget(NamedTuple):
    """An output file.

    `below`: the folder that the file must be in, None for a file that the user named. `in_place`: the file is the
    source, which is not written if it does not change. `backup`: keep the old file. `indexes`: write those beside an
    archive.
    """

    path: Path
    below: Path | None = None
    in_place: bool = False
    backup: bool = False
    indexes: bool = False

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Write a document. Raises `FileError`."""
        if not self.in_place or new.is_changed:
            new.counts.parted += self._write(file, lambda out: out.writelines(pieces_of(new.stored)))

    def take_other(self, file: FileDocument, data: bytes) -> None:
        """Write a file that is not a document, unchanged. Raises `FileError`."""
        if not self.in_place:
            self._write(file, data)

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Write a container, and the indexes beside it. Raises `FileError`."""

        def content(out: BinaryIO) -> NewIndexes:
            changed = write(out)
            if self.in_place and not changed:
                raise _UnchangedError
            indexes = NewIndexes()
            if source.kind.has_index_beside:
                indexes = self._new_indexes(file, source.file, out, source.options.limits, changed=changed)
            if file.path is not None:
                source.file.close()  # Windows cannot replace an open file
            return indexes

        return self._with_indexes(file, content)

    def join(self, file: FileDocument, parts: Sequence[Path], limits: Limits, *, changed: bool) -> NewIndexes:
        """Join the parts of an archive, and write the indexes beside it. Raises `FileError`, OSError.

        The result is what one process would have written.
        """
        assert file.path is not None
        import shutil

        source = file.path

        def content(out: BinaryIO) -> NewIndexes:
            for part in parts:
                with part.open("rb") as piece:
                    shutil.copyfileobj(piece, out, _STEP)
            if not self.indexes:
                return self._no_indexes(file, changed=changed)
            with source.open("rb") as old:
                return self._new_indexes(file, old, out, limits, changed=changed)

        return self._with_indexes(file, content)

    def _with_indexes(self, file: FileDocument, content: Callable[[BinaryIO], NewIndexes]) -> NewIndexes:
        """Write the file, then the indexes that `content` returns."""
        indexes = NewIndexes()

        def write(out: BinaryIO) -> None:
            nonlocal indexes
            indexes = content(out)

        with suppress(_UnchangedError):
            parted = self._write(file, write)  # first, since it makes the indexes
            indexes = indexes._replace(parted=parted)
            for index in indexes.made:
                write_atomically(index.path, index.write, backup=self.backup, within=self.below)
        return indexes

    def _new_indexes(
        self, file: FileDocument, old: BinaryIO, out: BinaryIO, limits: Limits, *, changed: bool
    ) -> NewIndexes:
        """The indexes for the new file, which has been written to `out`. Raises OSError."""
        from rehref.containers.indexes import corrected_indexes

        if file.path is None or not self.indexes:
            return self._no_indexes(file, changed=changed)
        if not (out.seekable() and out.readable() and old.seekable()):
            what = "--cdx: output to a pipe has no index"
            return NewIndexes(diagnostics=[Diagnostic("", what, "name a file")])
        out.flush()
        made, diagnostics = corrected_indexes(file.path, self.path, old, out, limits)
        return NewIndexes(made, (), diagnostics)

    def _no_indexes(self, file: FileDocument, *, changed: bool) -> NewIndexes:
        """The notes about the indexes that are not written."""
        from rehref.containers.indexes import not_carried_over

        return NewIndexes(notes=not_carried_over(file.path, self.path) if changed and file.path is not None else ())

    def is_written(self, file: FileDocument) -> bool:
        """Whether the file is there, and the indexes beside it, if they were to be written."""
        from rehref.containers.indexes import indexes_of_copy

        expected = indexes_of_copy(file.path, self.path) if self.indexes and file.path is not None else []
        return all(path.is_file() for path in (self.path, *expected))

    def sources_of_indexes(self, file: FileDocument) -> list[Path]:
        """The indexes beside the source that the new file needs too."""
        from rehref.containers.indexes import indexes_beside

        return indexes_beside(file.path) if self.indexes and file.path is not None else []

    def _write(self, file: FileDocument, content: Content) -> bool:
        """Write content to the file; return whether that had other names. Raises `FileError`."""
        backup = self.backup and self.in_place
        return write_atomically(self.path, content, like=file.path, backup=backup, within=self.below)


class PartTarget(NamedTuple):
    """The file for a part of an archive. Nothing else can be a part."""

    path: Path

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Raise `FileError`: the archive has changed since it was divided."""
        raise FileError(file.name, "is no longer an archive", "do not change it while it is being rewritten")

    def take_other(self, file: FileDocument, data: bytes) -> None:
        """Raise `FileError`: the archive has changed since it was divided."""
        raise FileError(file.name, "is no longer an archive", "do not change it while it is being rewritten")

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Write the part. Raises `FileError`."""

        def content(out: BinaryIO) -> None:
            write(out)

        write_atomically(self.path, content, within=self.path.parent)
        return NewIndexes()


class FileToRewrite(NamedTuple):
    """A file, and where it is written."""

    file: FileDocument
    target: FileTarget
