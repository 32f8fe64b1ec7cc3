"""Links as a DataFrame.

Files on disks are divided into pieces, archives too (`rehref.archives.pieces`); a piece is a task. Files that Spark
reads elsewhere are not divided; the task copies such a file into a temporary one (`_streams`). Rows are plain tuples:
workers need nothing but rehref, neither pyarrow nor pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Unpack
from urllib.parse import unquote

from rehref.archives.links_of_many import DocumentLinks, LinkRow, documents_of
from rehref.archives.pieces import PIECE, Piece, divided
from rehref.containers.parts import Diagnostic
from rehref.documents.options import Given, SourceOptions
from rehref.files.discovery import is_document
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError, failure
from rehref.plugins.spark._broken_pieces import MOST, Broken, BrokenRecord
from rehref.plugins.spark._spark_paths import found
from rehref.plugins.spark._streams import contents, frames

_REJECTED: Final = "array<struct<reference: string, origin: string, `where`: string, reason: string>>"
_TYPES: Final = {
    "base": f"struct<uri: string, origin: string, `where`: string, rejected: {_REJECTED}>",
    "line": "bigint",
    "column": "bigint",
    "span": "array<bigint>",
    "same_document": "boolean",
    "problems": "array<struct<code: string, message: string>>",
}
SCHEMA: Final = ", ".join(f"`{name}` {_TYPES.get(name, 'string')}" for name in LinkRow._fields)
"""The columns of `rehref.archives.links_of_many.LinkRow`, as in Parquet, in Spark's SQL."""


def links(
    spark: Any,
    paths: str | Sequence[str],
    *,
    broken: Broken | None = None,
    piece: int = PIECE,
    **options: Unpack[Given],
) -> Any:
    """The links of all files as a DataFrame, which is lazy like others.

    `paths`: files, folders and patterns, on disks that all workers see, or URIs that Spark reads (`s3a://`, `hdfs://`).
    `broken`: collects what cannot be read and is skipped. `piece`: bytes of a file that one task reads. The options
    are those of `rehref.links`. Raises `TypeError` for an unknown one.
    """
    how = SourceOptions.of(options)
    context = spark.sparkContext
    where = found(paths)
    accumulator = None if broken is None else broken.accumulator
    if broken is not None and where.errors:
        broken.accumulator.add(frozenset(BrokenRecord(file, "", "unreadable", why) for file, why in where.errors))
    task = _LinksOfPieces(how, accumulator)
    pieces = list(divided(where.files, how, piece))
    rows = context.parallelize(pieces, max(1, len(pieces))).mapPartitions(task)
    for files in frames(spark, where.remote) if where.remote else ():
        rows = rows.union(files.rdd.mapPartitions(_LinksOfContents(task, frozenset(where.remote))))
    return spark.createDataFrame(rows, SCHEMA, verifySchema=False)


@dataclass(frozen=True)
class _LinksOfPieces:
    """Yields the rows of some pieces; runs on a worker."""

    how: SourceOptions
    accumulator: Any

    def __call__(self, pieces: Iterable[Piece]) -> Iterator[tuple[Any, ...]]:
        """Read the pieces."""
        for piece in pieces:
            broken: set[BrokenRecord] = set()
            more = 0
            for file in piece.files:
                for each in self._rows(file, piece):
                    if not isinstance(each, BrokenRecord):
                        yield tuple(each)
                    elif len(broken) < MOST:
                        broken.add(each)
                    else:
                        more += 1
            if more:
                broken.add(BrokenRecord.of_others(piece, more))
            if self.accumulator is not None and broken:
                self.accumulator.add(frozenset(broken))

    def _rows(self, file: FileDocument, piece: Piece) -> Iterator[LinkRow | BrokenRecord]:
        """The rows of a file, and its broken records."""
        try:
            for each in documents_of(file, self.how, piece.within):
                rows = partial(DocumentLinks.counted_rows, name=file.name)
                found = each if isinstance(each, Diagnostic) else each.guarded(rows)
                if not isinstance(found, Diagnostic):
                    yield from found[0]
                elif not found.harmless:
                    yield BrokenRecord(file.name, found.where, found.code, found.message)
                del each, found  # they may be large, and the next one is read now
        except OtherFormatError:
            return  # named like a document, but something else: not broken
        except Exception as error:
            code = "unreadable" if isinstance(error, FileError) else "fault"
            yield BrokenRecord(file.name, "", code, failure(file.name, error).message)


@dataclass(frozen=True)
class _LinksOfContents:
    """Yields the rows of files that Spark has read (`streams.frames`)."""

    task: _LinksOfPieces
    named: frozenset[str]

    def __call__(self, rows: Iterable[Any]) -> Iterator[tuple[Any, ...]]:
        """Read the files.

        Those that the user did not name (they were in a folder, or matched a pattern) are skipped if they are not
        documents, as on disks (`rehref.files.discovery`).
        """
        for uri, path, error in contents(rows):
            is_named = uri in self.named or unquote(uri) in self.named
            if not is_named and not is_document(path):
                continue
            if error is None:
                url = self.task.how.url
                file = FileDocument(uri, path, path.name, url, in_folder=not is_named, own=uri)
                yield from self.task([Piece((file,), path.stat().st_size)])
            elif self.task.accumulator is not None:
                self.task.accumulator.add(frozenset([BrokenRecord(uri, "", "unreadable", error)]))
