"""What `rehref rewrite` shows: rewritten documents on standard output, or their differences, and what was done.

A file that is not a document is shown as it is. Containers are written as they are read, and are never in memory as a
whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, cast

from rehref.archives.pieces import PLACES, RunCounts
from rehref.archives.rewriting_files import RewriteOptions, rewrite_found
from rehref.archives.targets_of_rewriting import NewDocument, NewIndexes, Target, WriteContainer
from rehref.cli import output
from rehref.cli._commands.rewrite.written_to import Destination
from rehref.cli._outcomes import Outcome
from rehref.cli.messages import say, say_parted
from rehref.containers.streams import AnyBytes
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.reading_files import is_packed
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.containers.kinds import Container
    from rehref.documents.options import SourceOptions
    from rehref.files.sources import ReadDocument


@dataclass(slots=True)
class _StandardOutput:
    """Takes rewritten documents; `shown`: what to write of a document when its turn comes."""

    screen: output.Screen
    shown: AnyBytes = b""

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        self.shown = new.stored

    def take_other(self, file: FileDocument, data: bytes) -> None:
        self.shown = data

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Write a container, but not a binary archive to a terminal. Raises `FileError`."""
        if self.screen.is_terminal and not source.kind.is_text:
            raise FileError(file.name, "is an archive, which a terminal cannot show", "say -o OUT")
        write(cast(BinaryIO, output.Stream()))
        return NewIndexes()


@dataclass(slots=True)
class _Differences:
    """Takes differences: decoded for a terminal, else byte for byte."""

    screen: output.Screen
    shown: bytes = b""

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Take the differences of a document. Raises `FileError` for a gzipped one, of which no patch can be made."""
        from rehref.reports.diff import patch, pretty

        old, changed = read.data, bytes(new.content)
        assert isinstance(read.stored, bytes)
        assert isinstance(old, bytes)
        if self.screen.is_terminal:
            before, after = (read.document.source._replace(data=data).text for data in (old, changed))
            self.shown = output.for_people(pretty(file.name, before, after, self.screen.style), self.screen.encoding)
        elif is_packed(read.stored):
            raise FileError(file.name, "is gzipped, so that a patch cannot be made", "say -o OUT")
        else:
            self.shown = patch(file.name, old, changed)

    def take_other(self, file: FileDocument, data: bytes) -> None:
        pass

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Raise `FileError`: differences of a container cannot be shown."""
        raise FileError(file.name, "is a container, so differences cannot be shown", "say -o OUT")


@dataclass(frozen=True, slots=True)
class ShowRewritten:
    """Rewrite a document or a container to standard output. `differences`: show the differences instead."""

    wanted: RewriteOptions
    options: SourceOptions
    screen: output.Screen
    differences: bool

    def __call__(self, to: Destination) -> Sequence[Outcome]:
        """Rewrite and show a file. Raises `FileError`."""
        target = _Differences(self.screen) if self.differences else _StandardOutput(self.screen)
        result = rewrite_found(to.document, cast(Target, target), self.wanted, self.options)
        return [Outcome(target.shown, result.notes, result.errors, result.counts)]


def say_what_was_done(counts: RunCounts, *, quiet: bool, note: str) -> None:
    """Print how much was changed, and what could not be changed. `note`: added to the first line."""
    if not quiet:
        failed = f"; {counts.failed:,} failed" if counts.failed else ""
        changed = f"{counts.changed:,} of {count(counts.references, 'reference')} changed"
        say(f"{changed} in {counts.changed_documents:,} of {counts.documents_and_others}{failed}{note}")
        if counts.otherwise:
            say(_otherwise(counts.otherwise, counts.places[:PLACES]))
        if counts.missing:
            was = "was written that leads" if counts.missing == 1 else "were written that lead"
            them = count(counts.missing, "reference")
            say(f"{them} {was} to missing files; --to offline makes such references absolute")
        if counts.kept_bases:
            keep = "keeps its base" if counts.kept_bases == 1 else "keep their bases"
            say(f"{count(counts.kept_bases, 'document')} {keep}: patterns of speculation rules are relative to it")
        if counts.hashes:
            say(f"hashes written anew in {count(counts.hashes, 'document')}")
        say_parted(counts.parted)
    if counts.withheld and not (quiet and counts.changed):
        stay = f"{count(counts.withheld, 'reference')} {'stays' if counts.withheld == 1 else 'stay'}"
        say(f"{stay} relative: as file: URIs of this machine they mean nothing elsewhere; use --url URI or --file-urls")


def _otherwise(number: int, places: Sequence[str]) -> str:
    """Return the line about references that browsers read differently (`rehref.rewriting.link_properties`)."""
    stay, become = ("stays", "is") if number == 1 else ("stay", "are")
    where = f"{'first ' if len(places) < number else ''}in {', '.join(places)}; " if places else ""
    return (
        f"{count(number, 'reference')} that browsers read differently from the RFC ({where}browser-differs in rehref "
        f"links) {stay}, or {become} written as browsers read them if the base changes; --profile whatwg reads all as "
        "browsers do"
    )
