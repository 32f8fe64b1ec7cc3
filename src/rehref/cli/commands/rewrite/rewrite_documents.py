"""What becomes of one document, or of all documents of a container.

1. What does not change is not written in place. Elsewhere everything is written: what is not a document, as it is.
2. Of a container no difference is shown, and of one that is gzipped none that could be applied.
3. An index beside a WARC goes with it (`cdx_option`).
4. An archive that is not text is not written to a terminal.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeAlias, cast

from rehref.cli import output
from rehref.cli.click_options import Settings
from rehref.cli.commands.rewrite import summaries
from rehref.cli.commands.rewrite.destinations import Destination
from rehref.cli.outcomes import Counts, Outcome
from rehref.collections.opening import ReadDocument, notes_and_errors, opened, read_document
from rehref.collections.rewriting import Wanted, new_document, write_container
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.gzipped import is_packed
from rehref.files.writing import Content, write_atomically

if TYPE_CHECKING:
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.rewriting.contract import DocumentRule, Rule

Mode: TypeAlias = Literal["stdout", "output", "in_place", "diff", "unpack"]
"""Where results go."""


class _UnchangedError(Exception):
    """There is nothing to write: what was written so far is to be forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteDocuments:
    """Rewrite a document, or all of a container; the fields are the options, but for `screen`, standard output."""

    settings: Settings
    rule: Rule | DocumentRule
    mode: Mode
    screen: output.Screen
    backup: bool
    as_conversion: bool
    all_types: bool
    cdx: bool
    percent_encode: bool

    def __call__(self, to: Destination) -> Sequence[Outcome]:
        """Do it. Raises `FileError`."""
        with opened(to.document, self.settings.opening, as_conversion=self.as_conversion) as source:
            if not isinstance(source, bytes) and self.settings.headers is None:
                return [self._container(to, source)]
            try:
                read = read_document(to.document, source, self.settings.opening)
            except OtherFormatError as error:
                assert isinstance(source, bytes)
                return [self._as_it_is(to, source, error)]
        return [self._document(to, read)]

    def _as_it_is(self, to: Destination, data: bytes, why: OtherFormatError) -> Outcome:
        """Write what is not a document, whatever its name says, as it is. Raises `FileError`."""
        if self.mode == "output":
            self._write(to, data)
        return Outcome(data if self.mode == "stdout" else b"", (str(why),), counts=Counts(others=1))

    def _document(self, to: Destination, read: ReadDocument) -> Outcome:
        """Rewrite a document. Raises `FileError`."""
        new = new_document(to.document, read, self._wanted)
        shown = b""
        if self.mode == "stdout":
            shown = new.stored
        elif self.mode == "diff":
            shown = self._diff(to.document, read, new.data)
        elif self.mode == "output" or new.data != read.data:
            self._write(to, new.stored)
        counts = Counts()
        counts.add(new.counts)
        notes = (*read.notes, *summaries.without_base(to.name, read.document, counts.references))
        return Outcome(shown, notes, read.errors, counts)

    @property
    def _wanted(self) -> Wanted:
        return Wanted(self.rule, self.as_conversion, self.all_types, self.percent_encode)

    def _container(self, to: Destination, container: Container) -> Outcome:
        """Rewrite the documents of a container. Raises `FileError`."""
        from rehref.cli.commands.rewrite.cdx_option import NewIndexes, new_indexes
        from rehref.rewriting import containers

        if self.mode == "diff":
            raise FileError(to.name, "is a container, of which no difference can be shown", "say -o OUT")
        if to.path is None and self.screen.is_terminal and not container.kind.is_text:
            raise FileError(to.name, "is an archive, which a terminal cannot show", "say -o OUT")
        inside = containers.Counts()
        diagnostics: list[Diagnostic] = []
        indexes = NewIndexes()

        def write(out: BinaryIO) -> None:
            nonlocal indexes
            diagnostics.extend(write_container(container, out, self._wanted, self.settings.opening, inside))
            if self.mode == "in_place" and not inside.changed:
                raise _UnchangedError
            indexes = new_indexes(to, container, out, wanted=self.cdx, changed=inside.changed > 0)
            if to.document.path is not None:
                container.file.close()  # Windows puts nothing in the place of a file that is open

        with suppress(_UnchangedError):
            if to.path is None:
                write(cast(BinaryIO, output.Stream()))
            else:
                self._write(to, write)
                for index in indexes.made:
                    write_atomically(index.path, index.write, backup=self.backup, within=to.within)
        notes, errors = notes_and_errors(to.document, [*diagnostics, *indexes.diagnostics])
        counts = Counts()
        counts.add(inside)
        return Outcome(b"", (*notes, *indexes.notes), errors, counts)

    def _write(self, to: Destination, content: Content) -> None:
        """Write what a file is to hold. Raises `FileError`."""
        assert to.path is not None
        backup = self.backup and self.mode == "in_place"
        write_atomically(to.path, content, like=to.document.path, backup=backup, within=to.within)

    def _diff(self, file: FileDocument, read: ReadDocument, new: bytes) -> bytes:
        """What changes: for a terminal, decoded; else byte for byte."""
        from rehref.reports.diff import patch, pretty
        from rehref.text.charsets import decode

        old = read.data
        if not self.screen.is_terminal:
            if is_packed(read.stored):
                raise FileError(file.name, "is gzipped, of which no patch can be made", "say -o OUT")
            return patch(file.name, old, new)
        _, encoding, bom, _ = read.document.source
        before, after = (decode(data[bom:], encoding or "utf-8") for data in (old, new))
        return output.for_people(pretty(file.name, before, after, self.screen.style), self.screen.encoding)
