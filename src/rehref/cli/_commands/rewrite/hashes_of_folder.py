"""The hashes of what `rehref rewrite` changes in a folder (`rehref.rewriting.folder_integrity`).

The folder is examined before anything is written, and its pages get their new hashes when all files are written. Only
what is rewritten counts: documents in files of their own, up to 64 MB, also gzipped ones; and files for the host.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rehref.cli._commands.rewrite.written_to import Destination
from rehref.cli.messages import say, say_hashes
from rehref.documents.document import Document
from rehref.documents.integrity import Digests
from rehref.documents.options import SourceOptions
from rehref.files.discovery import is_container_name
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.reading_files import packed_like, read_file, unpacked
from rehref.files.sources import Opened
from rehref.files.writing import write_atomically
from rehref.rewriting.folder_integrity import HEADER_FILES, Examined, GuardedFolder
from rehref.rewriting.offline_rule import comparable

_LARGEST: Final = 64 << 20


@dataclass(frozen=True, slots=True)
class FolderHashes:
    """The hashes of a folder. `places`: where the files are written, by their names."""

    examined: Examined
    places: dict[str, Destination]

    def renew(self, *, backup: bool, quiet: bool) -> int:
        """Write the new hashes, and name those that stay; return how many files failed."""
        failed = 0
        renewed = self.examined.renewed(lambda name: _content(self.places[name].path))
        for name, data in renewed.changes.items():
            place = self.places[name]
            assert place.path is not None
            is_first = Digests.of(_content(place.path) or b"") == self.examined.digests.get(name)
            try:
                new = packed_like(read_file(place.path), data)
                write_atomically(place.path, new, backup=backup and is_first, within=place.within)
            except FileError as error:
                say(str(error))
                failed += 1
        if not quiet:
            say_hashes(len(renewed.changes) - failed, renewed.stale)
        return failed


def folder_hashes(
    planned: Sequence[Destination | FileError], sources: Sequence[str], options: SourceOptions
) -> FolderHashes:
    """Return the hashes of what will be rewritten."""
    places = {each.name: each for each in planned if isinstance(each, Destination) and _may_be_guarded(each.document)}
    documents = {name: each.document for name, each in places.items()}
    urls = ((name, each.url or each.own) for name, each in documents.items())
    by_url = {comparable(url): name for name, url in urls if url is not None}
    headers = {str(each.path): each for each in _header_files(list(places.values()), sources)}

    def find(target: str) -> str | None:
        return by_url.get(comparable(target)) or by_url.get(comparable(target.partition("?")[0]))

    def opened(name: str, data: bytes) -> Document | None:
        try:
            return Opened(documents[name], options, stored=data).read_named().document
        except FileError:
            return None  # reported when it is rewritten

    def content(name: str) -> bytes | None:
        return _content(documents[name].path if name in documents else Path(sources[0], headers[name].name))

    folder = GuardedFolder(documents if len(documents) > 1 else (), list(headers), content, opened, find)
    return FolderHashes(Examined(folder), places | headers)


def _may_be_guarded(document: FileDocument) -> bool:
    name = document.relative.rpartition("/")[2]
    return document.path is not None and not is_container_name(name) and document.size <= _LARGEST


def _content(path: Path | None) -> bytes | None:
    """Return the unpacked bytes of a file; None if it is not there, or cannot be read."""
    try:
        return None if path is None else unpacked(str(path), read_file(path))
    except FileError:
        return None


def _header_files(places: Sequence[Destination], sources: Sequence[str]) -> list[Destination]:
    """The files for the host at the top of the only source, where they are after rewriting."""
    if len(sources) > 1 or not places or places[0].within is None:
        return []
    paths = [Path(sources[0], name) for name in sorted(HEADER_FILES)]
    found = [path for path in paths if path.is_file() and not path.is_symlink()]
    within = places[0].within
    return [Destination(FileDocument(path.name, path, path.name, None), within / path.name, within) for path in found]
