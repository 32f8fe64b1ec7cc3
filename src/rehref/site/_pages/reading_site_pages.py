"""Reading the documents of a site: all of them, or those that are read again.

A document that cannot be read is an error of its own, reported when all are read; later passes skip it. A pass that
looks for one thing searches the bytes for it first, as ASCII; text written with character references is not found.
UTF-16 may contain it anywhere (`rehref.text.large_bytes.mentions`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from rehref.documents.link import Link
from rehref.documents.media_types import FileName, MediaType
from rehref.documents.reading import UnknownMediaTypeError
from rehref.files.discovery import type_of_named
from rehref.files.file_errors import FileError
from rehref.files.pool import chunks_of, how_many, results
from rehref.files.reading_files import is_packed, read_file, unpacked
from rehref.site._grounds.files import is_hidden
from rehref.site._grounds.site_context import SiteContext
from rehref.site.findings import Finding

_WORTH_A_PROCESS = 40
_LONGEST_CHUNK = 100

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")
_KEPT = 4


def stored(context: SiteContext, path: str) -> bytes:
    """Return the content of a file of a site, as it is in an editor if it is open there. Raises `FileError`."""
    text = None if context.texts is None else context.texts.get(path)
    return read_file(context.file_of(path)) if text is None else text


class StoredDocument(NamedTuple):
    """A document of a site. `path`: of its file; `at`: where it is on the site; `media_type`: of `at`."""

    path: str
    at: str
    media_type: MediaType | None


def stored_documents(context: SiteContext) -> Iterator[StoredDocument]:
    """Yield the documents of a site, also gzipped ones beside unpacked ones, whose places they then have."""
    types, paths = context.files.types, context.files.paths
    yield from (StoredDocument(path, path, types.of(path)) for path in context.scope.documents)
    for path in sorted(paths.difference(context.scope.documents)):
        unpacked_path, ending = path[:-3], path[-3:]
        if ending.lower() == ".gz" and not is_hidden(path):
            named = FileName.of(unpacked_path.rpartition("/")[2]).media_type
            media_type = types.of(unpacked_path) if unpacked_path in paths else named
            if media_type is not None and media_type.is_found:
                yield StoredDocument(path, unpacked_path if unpacked_path in paths else path, media_type)


def read(context: SiteContext, path: str) -> bytes:
    """Return the bytes of a document of a site, unpacked if it is gzipped. Raises `FileError`."""
    data = stored(context, path)
    is_stored_packed = is_packed(data) and context.files.types.is_document(path)
    return unpacked(context.file_of(path), data) if is_stored_packed else data


def read_or_skip(context: SiteContext, path: str) -> bytes | None:
    """Return the same; None for a document that cannot be read."""
    try:
        return read(context, path)
    except FileError:
        return None


def links_in(context: SiteContext, path: str, *, text: bool = False) -> Iterator[Link]:
    """Yield the links of a document; none if it cannot be read. `text`: with the texts of hyperlinks."""
    data = read_or_skip(context, path)
    return iter(()) if data is None else context.document_of(path, data, text=text).links()


def unreadable(path: str, error: FileError) -> Finding:
    """Return the finding for a file or folder that cannot be read."""
    return Finding(document=path, code="unreadable", message=error.what)


def in_processes(
    context: SiteContext, task: Callable[[Sequence[_Item]], _Result], items: Sequence[_Item]
) -> Iterator[_Result]:
    """Yield the result of a task for each chunk of items, in order. Raises what `rehref.files.pool.results` raises."""
    jobs = how_many(context.options.jobs, len(items), _WORTH_A_PROCESS)
    return results(task, chunks_of(items, jobs, _LONGEST_CHUNK), jobs)


class SourceLines:
    """Returns the lines of the documents of a site."""

    def __init__(self, context: SiteContext) -> None:
        self._context = context
        self._lines: OrderedDict[str, list[str]] = OrderedDict()

    def __call__(self, document: str, line: int) -> str | None:
        """Return a line of a document as rehref decodes it; lines end where rehref counts them to end (LF, CR, CR LF).

        Those of the last few documents are kept: callers ask in the order of documents.
        """
        lines = self._lines.get(document)
        if lines is None:
            lines = self._lines[document] = self._read(document)
            if len(self._lines) > _KEPT:
                self._lines.popitem(last=False)
        return lines[line - 1] if 0 < line <= len(lines) else None

    def _read(self, document: str) -> list[str]:
        try:
            data = read(self._context, document)
            media_type = self._context.files.types.of(document) or type_of_named(document.rpartition("/")[2], data)
            text = self._context.source(document, data, media_type).text
        except (ValueError, UnknownMediaTypeError, FileError):
            return []
        return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
