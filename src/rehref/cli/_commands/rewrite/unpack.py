"""`rehref rewrite --unpack`: write a web archive, a message or a mailbox as a folder of files.

1. There is one source, a WARC, ARC, WACZ, MHTML, mail or mbox, and a folder that does not exist or is empty.
2. A web archive and a mailbox get an index page. It is written last: if it exists, all other files do.
3. The summary counts the files, and names the file to open. For a web archive, more lines say what leads to the web,
   and what does not work from a disk.
4. An archive from a pipe is copied to a temporary file first, since it is read twice.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from rehref.archives.links_of_many import as_error
from rehref.cli._commands.rewrite.shown import say_what_is_needed
from rehref.cli._outcomes import find
from rehref.cli.click_options import Settings
from rehref.cli.errors import FAILED, OptionError, say
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.sources import Opened, opened
from rehref.files.writing import write_atomically
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.archives._copies.remaining import Remaining
    from rehref.archives._unpacking.index_page import CaptureEntry
    from rehref.archives.saved_captures import CapturePlan
    from rehref.containers.kinds import Container
    from rehref.containers.parts import Diagnostic
    from rehref.documents.options import ReadOptions

_INDEX = "index.html"
_PAGES = ("text/html", "application/xhtml+xml", "application/pdf")
_CHUNK = 1 << 20


class UnpackedFiles(NamedTuple):
    """How many files were written, and the path of the file to open, below the folder; None if there is none."""

    files: int
    root: str | None = _INDEX
    remaining: Remaining | None = None  # known of web archives


class Copying(NamedTuple):
    """The options of `--unpack`."""

    all_captures: bool = False
    no_network: bool = False
    no_inline: bool = False


def unpack(sources: Sequence[str], settings: Settings, folder: Path, copying: Copying, *, note: str = "") -> int:
    """Unpack the source, and return the exit code. Raises `OptionError`. `note`: added to the summary line."""
    documents = find(sources, settings).found
    if len(documents) != 1:
        raise OptionError(
            "--unpack", f"takes one container, not {len(documents)} documents", "unpack one after the other"
        )
    document = documents[0]
    if isinstance(document, FileError):
        say(str(document))
        return FAILED
    _refuse_used(folder)
    status = 0
    try:
        with opened(document, settings.options) as found:
            for each in _unpacked(document, found, folder, settings.options.how, copying):
                if not isinstance(each, UnpackedFiles):
                    status = status if each.harmless else FAILED
                    if not (each.harmless and settings.quiet):
                        say(str(as_error(document, each)))
                elif not settings.quiet:
                    root = "" if each.root is None else f"; open {folder / each.root}"
                    root = root if each.files else f": {document.name} holds nothing to unpack"
                    say(f"{count(each.files, 'file')} in {folder}{root}{note}")
                    if each.remaining is not None:
                        say_what_is_needed(each.remaining, folder, no_network=copying.no_network)
    except FileError as error:
        say(str(error))
        return FAILED
    return status


def _unpacked(
    document: FileDocument, found: Opened, folder: Path, how: ReadOptions, copying: Copying
) -> Iterator[Diagnostic | UnpackedFiles]:
    """Unpack any container: yield diagnostics, and at the end what was written. Raises `FileError`."""
    from rehref.containers.kinds import KINDS, named_like, names_of
    from rehref.documents.media_types import Beginning
    from rehref.files.discovery import not_known

    source, data = found.container, found.stored
    if source is None or not source.kind.unpacked_as:
        assert isinstance(data, bytes)
        if source is None and (not data or named_like(document.name) or Beginning(data).no_document is not None):
            raise FileError(document.name, *not_known(document.name, data))
        known = ", ".join(names_of(kind for kind in KINDS if kind.unpacked_as))
        raise FileError(document.name, "cannot be unpacked", f"--unpack takes one of these: {known}")
    is_archive = source.kind.unpacked_as == "captures"
    if copying.all_captures and not is_archive:
        raise FileError(document.name, "is not a web archive", "leave out --all-captures")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError.of(str(folder), "cannot be written", error) from error
    name = "standard input" if document.path is None else document.path.name
    if is_archive:
        return _captures(name, source, folder, how, copying)
    return _messages(name, source, folder, how, copying.no_network)


def _captures(
    name: str, container: Container, folder: Path, how: ReadOptions, copying: Copying
) -> Iterator[Diagnostic | UnpackedFiles]:
    """Unpack a web archive."""
    from rehref.archives._unpacking.index_page import archive_index
    from rehref.archives.web_archives import unpack_captures
    from rehref.containers.parts import Diagnostic

    with _seekable(container) as again:
        for each in unpack_captures(again, folder, how, **copying._asdict()):
            if isinstance(each, Diagnostic):
                yield each
                continue
            _write_index(folder, archive_index(name, _rows(each)))
            files = len({entry.path for entry in each.entries if entry.path})
            yield UnpackedFiles(files, remaining=each.remaining)


def _messages(
    name: str, container: Container, folder: Path, how: ReadOptions, no_network: bool
) -> Iterator[Diagnostic | UnpackedFiles]:
    """Unpack a message, or all of a mailbox."""
    from rehref.archives._unpacking.index_page import MessageEntry, mailbox_index
    from rehref.archives._unpacking.unpack_messages import unpack_mailbox, unpack_message
    from rehref.containers.parts import Diagnostic

    rows: list[MessageEntry] = []
    files = 0
    start = container.file.tell()
    for message in unpack_mailbox(container, folder, how, no_network=no_network):
        if isinstance(message, Diagnostic):
            yield message
        else:
            rows.append(MessageEntry(message.date, message.sender, message.subject, message.root))
            files += message.files
    if rows:
        _write_index(folder, mailbox_index(name, rows))
        yield UnpackedFiles(files)
        return
    container.file.seek(start)
    for each in unpack_message(container, folder, how, no_network=no_network):
        yield each if isinstance(each, Diagnostic) else UnpackedFiles(len(each.files), each.root)


def _write_index(folder: Path, pieces: Iterable[str]) -> None:
    def write(file: BinaryIO) -> None:
        file.writelines(piece.encode("utf-8", "replace") for piece in pieces)

    write_atomically(folder / _INDEX, write, within=folder)


@contextmanager
def _seekable(container: Container) -> Iterator[Container]:
    """Return the container with a file that can be read twice (rule 4)."""
    if container.file.seekable():
        yield container
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(container.file, file, _CHUNK)
        file.seek(0)
        yield container._replace(file=cast(BinaryIO, file))


def _rows(plan: CapturePlan) -> Iterator[CaptureEntry]:
    """Yield the captures for the index page."""
    from rehref.archives._unpacking.index_page import CaptureEntry
    from rehref.uri.components import split

    for entry in plan.entries:
        parts = split(entry.uri)
        host = (parts.authority or "").rpartition("@")[2].lower() or f"{parts.scheme}:"
        title = f"→ {entry.location}" if entry.location else plan.titles.get(entry.path, "")
        path = entry.path or plan.reference_of(entry)
        yield CaptureEntry(
            host=host,
            date=entry.date,
            status=entry.status,
            title=title,
            uri=entry.uri,
            path=path,
            is_page=entry.media_type in _PAGES and parts.scheme != "urn",
        )


def _refuse_used(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OptionError(f"--unpack {folder}", "exists and is not empty", "name a new folder")
    except OSError as error:
        raise OptionError(f"--unpack {folder}", f"cannot be accessed: {error.strerror}", "name another") from error
