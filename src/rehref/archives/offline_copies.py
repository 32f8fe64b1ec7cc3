"""Copies that browsers open from a disk.

1. A WARC, ARC, WACZ, MHTML, mail or mbox is unpacked into a folder. A web archive and a mailbox get an index page. It
   is written last: if it exists, all other files do.
2. An archive from a pipe is copied to a temporary file first, since it is read twice.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from rehref.archives.saved_captures import INDEX
from rehref.containers.kinds import KINDS, Container, named_like, names_of
from rehref.containers.parts import Diagnostic
from rehref.documents.media_types import Beginning
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.files.discovery import not_known
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.sources import Opened, opened

if TYPE_CHECKING:
    from rehref.archives._copies.remaining import Remaining

_CHUNK = 1 << 20


class Unpacked(NamedTuple):
    """How many files were written, and the path of the file to open, below the folder; None if there is none.

    `remaining`: what needs the web or a server, as far as it is known.
    """

    files: int
    root: str | None
    remaining: Remaining | None = None


class Copying(NamedTuple):
    """How an archive is unpacked.

    `all_captures`: every capture of a URI, not only the last. `no_network`: make pages that never ask the web.
    `no_inline`: put nothing into other files.
    """

    all_captures: bool = False
    no_network: bool = False
    no_inline: bool = False


def unpack(
    file: FileDocument, folder: Path, options: SourceOptions, copying: Copying
) -> Iterator[Diagnostic | Unpacked]:
    """Unpack a container into a folder: yield diagnostics, and at the end what was written. Raises `FileError`."""
    with opened(file, options) as found:
        for each in _unpacked(file, found, folder, options.how, copying):
            if isinstance(each, Diagnostic):
                yield replace(each, where=f"{file.name}, {each.where}" if each.where else file.name)
            else:
                yield each


def _unpacked(
    file: FileDocument, found: Opened, folder: Path, how: ReadOptions, copying: Copying
) -> Iterator[Diagnostic | Unpacked]:
    source, data = found.container, found.stored
    if source is None or not source.kind.unpacked_as:
        assert isinstance(data, bytes)
        if source is None and (not data or named_like(file.name) or Beginning(data).no_document is not None):
            raise FileError(file.name, *not_known(file.name, data))
        known = ", ".join(names_of(kind for kind in KINDS if kind.unpacked_as))
        raise FileError(file.name, "cannot be unpacked", f"--unpack takes one of these: {known}")
    is_archive = source.kind.unpacked_as == "captures"
    if copying.all_captures and not is_archive:
        raise FileError(file.name, "is not a web archive", "leave out --all-captures")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError.of(str(folder), "cannot be written", error) from error
    name = "standard input" if file.path is None else file.path.name
    if is_archive:
        return _captures(name, source, folder, how, copying)
    return _messages(name, source, folder, how, no_network=copying.no_network)


def _captures(
    name: str, container: Container, folder: Path, how: ReadOptions, copying: Copying
) -> Iterator[Diagnostic | Unpacked]:
    """Unpack a web archive."""
    from rehref.archives._unpacking.index_page import archive_index, write_index
    from rehref.archives.web_archives import unpack_captures

    with _seekable(container) as again:
        for each in unpack_captures(again, folder, how, **copying._asdict()):
            if isinstance(each, Diagnostic):
                yield each
                continue
            write_index(folder, archive_index(name, each))
            yield Unpacked(len({entry.path for entry in each.entries if entry.path}), INDEX, each.remaining)


def _messages(
    name: str, container: Container, folder: Path, how: ReadOptions, *, no_network: bool
) -> Iterator[Diagnostic | Unpacked]:
    """Unpack a message, or all of a mailbox."""
    from rehref.archives._unpacking.index_page import mailbox_index, write_index
    from rehref.archives._unpacking.unpack_messages import UnpackedMessage, unpack_mailbox, unpack_message

    messages: list[UnpackedMessage] = []
    start = container.file.tell()
    for message in unpack_mailbox(container, folder, how, no_network=no_network):
        if isinstance(message, Diagnostic):
            yield message
        else:
            messages.append(message)
    if messages:
        write_index(folder, mailbox_index(name, messages))
        yield Unpacked(sum(each.files for each in messages), INDEX)
        return
    container.file.seek(start)
    for each in unpack_message(container, folder, how, no_network=no_network):
        yield each if isinstance(each, Diagnostic) else Unpacked(len(each.files), each.root)


@contextmanager
def _seekable(container: Container) -> Iterator[Container]:
    """Return the container with a file that can be read twice (rule 2)."""
    if container.file.seekable():
        yield container
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(container.file, file, _CHUNK)
        file.seek(0)
        yield container._replace(file=cast(BinaryIO, file))
