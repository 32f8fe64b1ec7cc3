"""The hashes in archives that are rewritten together (`rehref.archives._container_integrity`).

A page and the style sheet that it has the hash of may be in two files of a crawl, or in two pieces of one. So all are
examined before any is rewritten, by the same pool of processes. A file that cannot be read has none: the process that
rewrites it reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from rehref.archives._container_integrity import (
    ContainerHashes,
    Demanded,
    FoundVersions,
    demanded_in,
    examined,
)
from rehref.archives._rewriting_containers import versions_for
from rehref.archives.rewriting_files import RewriteOptions, rule_in_containers
from rehref.documents.options import SourceOptions
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.pool import results
from rehref.files.sources import opened

if TYPE_CHECKING:
    from rehref.containers.kinds import Container
    from rehref.containers.streams import ByteRange

_Found = TypeVar("_Found")


class ArchivePiece(NamedTuple):
    """An archive, or a range of it."""

    file: FileDocument
    within: ByteRange | None = None


def hashes_in_archives(
    pieces: Sequence[ArchivePiece], wanted: RewriteOptions, options: SourceOptions, jobs: int
) -> ContainerHashes:
    """Return the hashes in archives. Raises `WorkerError`."""
    chunks = [[each] for each in pieces]

    def demand() -> Demanded:
        return Demanded.together(results(_Demand(options), chunks, jobs))

    def find(demanded: Demanded, known: ContainerHashes) -> FoundVersions:
        return FoundVersions.together(results(_Find(wanted, options, demanded, known), chunks, jobs))

    return examined(demand, find)


@dataclass(frozen=True, slots=True)
class _Demand:
    options: SourceOptions

    def __call__(self, chunk: Sequence[ArchivePiece]) -> Demanded:
        return Demanded.together(_of_each(chunk, self.options, lambda each: demanded_in(each, self.options.how)))


@dataclass(frozen=True, slots=True)
class _Find:
    wanted: RewriteOptions
    options: SourceOptions
    demanded: Demanded
    known: ContainerHashes

    def __call__(self, chunk: Sequence[ArchivePiece]) -> FoundVersions:
        return FoundVersions.together(_of_each(chunk, self.options, self._in))

    def _in(self, container: Container) -> FoundVersions:
        rule, how = rule_in_containers(self.wanted.rule), self.options.how
        return versions_for(container, rule, how, self.demanded, self.known, percent_encode=self.wanted.percent_encode)


def _of_each(
    chunk: Sequence[ArchivePiece], options: SourceOptions, find: Callable[[Container], _Found]
) -> Iterator[_Found]:
    """Yield what is found in each archive that can be read."""
    for file, within in chunk:
        try:
            with opened(file, options, within=within) as source:
                if source.container is not None and source.container.kind.holds_records:
                    yield find(source.container)
        except (FileError, OSError):
            continue
