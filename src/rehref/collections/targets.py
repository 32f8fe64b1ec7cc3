"""Files that take what is rewritten, and the indexes beside them.

1. A file is written whole or not at all (`rehref.files.writing`). In place, what does not change is not written.
2. An index beside a WARC goes with it (`rehref.containers.cdx.beside_warc`): if that was asked for, it is written for
   the new file, and replaces the old one in place. Where that cannot be done, it is reported as an error.
3. Otherwise a note says which index no longer fits, or is not carried over. A file that does not change has none.
4. An archive that was rewritten in parts is put together from them, in order, and is then what one process would have
   written.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, TypeAlias

from rehref.containers.parts import Diagnostic, Limits
from rehref.exceptions import RehrefError
from rehref.files.file_documents import FileDocument
from rehref.files.writing import Content, write_atomically
from rehref.rewriting.containers import Counts

if TYPE_CHECKING:
    from rehref.collections.opening import ReadDocument
    from rehref.containers.cdx.beside_warc import CorrectedIndex
    from rehref.containers.registry import Container

WriteContainer: TypeAlias = Callable[[BinaryIO], bool]
"""Writes a container, and says whether anything in it has changed."""
_STEP = 1 << 20


class NewDocument(NamedTuple):
    """A document that was rewritten: its bytes, the same as they are to be stored, and what was counted."""

    data: bytes
    stored: bytes
    counts: Counts


class NewIndexes(NamedTuple):
    """The indexes that are to be written when the new file is in its place, and what is reported of the others."""

    made: Sequence[CorrectedIndex] = ()
    notes: Sequence[str] = ()
    diagnostics: Sequence[Diagnostic] = ()


class _UnchangedError(RehrefError):
    """There is nothing to write: what was written so far is to be forgotten."""


@dataclass(frozen=True, slots=True)
class FileTarget:
    """A file that takes what is rewritten.

    `below`: the folder that must not be left, None for a file that was named itself. `in_place`: it is the source.
    `backup`: keep what was there. `indexes`: write the indexes beside an archive (rule 2).
    """

    path: Path
    below: Path | None = None
    in_place: bool = False
    backup: bool = False
    indexes: bool = False

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Write a document. Raises `FileError`."""
        if not self.in_place or new.data != read.data:
            self._write(file, new.stored)

    def take_other(self, file: FileDocument, data: bytes) -> None:
        """Write what is not a document, as it is. Raises `FileError`."""
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
                source.file.close()  # Windows puts nothing in the place of a file that is open
            return indexes

        return self._with_indexes(file, content)

    def join(self, file: FileDocument, parts: Sequence[Path], limits: Limits, *, changed: bool) -> NewIndexes:
        """Write an archive whose parts are files (rule 4), and the indexes beside it. Raises `FileError`, OSError."""
        assert file.path is not None
        source = file.path

        def content(out: BinaryIO) -> NewIndexes:
            for part in parts:
                with part.open("rb") as piece:
                    shutil.copyfileobj(piece, out, _STEP)
            with source.open("rb") as old:
                return self._new_indexes(file, old, out, limits, changed=changed)

        return self._with_indexes(file, content)

    def _with_indexes(self, file: FileDocument, content: Callable[[BinaryIO], NewIndexes]) -> NewIndexes:
        """Write what gives indexes, then these."""
        indexes = NewIndexes()

        def write(out: BinaryIO) -> None:
            nonlocal indexes
            indexes = content(out)

        with suppress(_UnchangedError):
            self._write(file, write)
            for index in indexes.made:
                write_atomically(index.path, index.write, backup=self.backup, within=self.below)
        return indexes

    def _new_indexes(
        self, file: FileDocument, old: BinaryIO, out: BinaryIO, limits: Limits, *, changed: bool
    ) -> NewIndexes:
        """The indexes for the new file, which has been written to `out`. Raises OSError."""
        from rehref.containers.cdx.beside_warc import corrected_indexes, not_carried_over

        if file.path is None:
            return NewIndexes()
        if not self.indexes:
            return NewIndexes(notes=not_carried_over(file.path, self.path) if changed else ())
        if not (out.seekable() and out.readable() and old.seekable()):
            what = "--cdx: what is written to a pipe has no index"
            return NewIndexes(diagnostics=[Diagnostic("", what, "name a file")])
        out.flush()
        made, diagnostics = corrected_indexes(file.path, self.path, old, out, limits)
        return NewIndexes(made, (), diagnostics)

    def _write(self, file: FileDocument, content: Content) -> None:
        """Write what a file is to hold. Raises `FileError`."""
        write_atomically(self.path, content, like=file.path, backup=self.backup and self.in_place, within=self.below)
