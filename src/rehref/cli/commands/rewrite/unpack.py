"""`rehref rewrite --unpack`: a web archive, a message or a mailbox as a folder of files.

1. It takes one source, a WARC, ARC, WACZ, MHTML, mail or mbox, and a folder that does not exist, or is empty.
2. A web archive and a mailbox get an index page. It is written last: where there is one, all the rest is there.
3. What is written is counted, and the file to open is named.
4. An archive from a pipe is copied to a temporary file first, for it is read twice.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from rehref.cli.documents import as_error, find, opened
from rehref.cli.errors import FAILED, OptionError, say
from rehref.cli.options import Settings
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.writing import write_atomically

if TYPE_CHECKING:
    from rehref.containers.mime.header_fields import Buffer
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.reports.archive_index import Row
    from rehref.rewriting.unpacking.capture_plan import Plan, Saved

_INDEX = "index.html"
_PAGES = ("text/html", "application/xhtml+xml", "application/pdf")
_CHUNK = 1 << 20


def unpack(
    sources: Sequence[str], settings: Settings, folder: Path, *, all_captures: bool = False, note: str = ""
) -> int:
    """Do it: the exit code. Raises `OptionError`. `note`: what the summary line says besides."""
    found = find(sources, settings).found
    if len(found) != 1:
        raise OptionError("--unpack", f"takes one container, not {len(found)} documents", "unpack one after the other")
    document = found[0]
    if isinstance(document, FileError):
        say(str(document))
        return FAILED
    _refuse_used(folder)
    unpacking = _Unpacking(document, settings, folder, note)
    try:
        with opened(document, settings) as container:
            unpacking.run(container, all_captures=all_captures)
    except FileError as error:
        say(str(error))
        return FAILED
    return unpacking.status


class _Unpacking:
    """A container that is being unpacked; `status`: the exit code so far."""

    def __init__(self, document: FileDocument, settings: Settings, folder: Path, note: str) -> None:
        self._note = note
        self._document = document
        self._settings = settings
        self._folder = folder
        self.status = 0

    def run(self, source: Container | bytes, *, all_captures: bool) -> None:
        """Unpack whatever it is. Raises `FileError`."""
        from rehref.containers.registry import KINDS, names_of

        name = self._document.name
        if isinstance(source, bytes) or not source.kind.unpacked_as:
            known = ", ".join(names_of(kind for kind in KINDS if kind.unpacked_as))
            raise FileError(name, "cannot be unpacked", f"--unpack takes one of these: {known}")
        if source.kind.unpacked_as == "captures":
            self._captures(source, all_captures=all_captures)
        elif all_captures:
            raise FileError(name, "is not a web archive", "leave out --all-captures")
        else:
            self._message(source)

    def _captures(self, container: Container, *, all_captures: bool) -> None:
        """Unpack a web archive."""
        from rehref.containers.parts import Diagnostic
        from rehref.reports.archive_index import archive_index
        from rehref.rewriting.unpacking.web_archives import unpack_captures

        how = self._settings.options.how
        with _seekable(container) as again:
            for each in unpack_captures(again, self._folder, how, all_captures=all_captures):
                if isinstance(each, Diagnostic):
                    self._report(each)
                    continue
                self._write_index(archive_index(self._name, _rows(each)))
                self._tell(len({entry.path for entry in each.entries if entry.path}), self._folder / _INDEX)

    def _message(self, container: Container) -> None:
        """Unpack a message, or all of a mailbox."""
        from rehref.containers.mime.mbox import messages
        from rehref.containers.mime.message import mapped
        from rehref.containers.parts import Diagnostic
        from rehref.rewriting.unpacking.messages import unpack as unpack_message

        with mapped(container.file) as data:
            if messages(data):
                self._mailbox(data, container)
                return
            for each in unpack_message(data, container.options, self._folder, self._settings.options.how):
                if isinstance(each, Diagnostic):
                    self._report(each)
                    continue
                root = None if each.root is None else self._folder / each.files[each.root]
                self._tell(len(each.files), root)

    def _mailbox(self, data: Buffer, container: Container) -> None:
        from rehref.containers.parts import Diagnostic
        from rehref.reports.archive_index import Message, mailbox_index
        from rehref.rewriting.unpacking.messages import unpack_mailbox

        messages: list[Message] = []
        files = 0
        for each in unpack_mailbox(data, container.options, self._folder, self._settings.options.how):
            if isinstance(each, Diagnostic):
                self._report(each)
            else:
                messages.append(Message(each.date, each.sender, each.subject, each.root))
                files += each.files
        self._write_index(mailbox_index(self._name, messages))
        self._tell(files, self._folder / _INDEX)

    @property
    def _name(self) -> str:
        path = self._document.path
        return "standard input" if path is None else path.name

    def _write_index(self, pieces: Iterable[str]) -> None:
        def write(file: BinaryIO) -> None:
            file.writelines(piece.encode("utf-8", "replace") for piece in pieces)

        write_atomically(self._folder / _INDEX, write, within=self._folder)

    def _report(self, diagnostic: Diagnostic) -> None:
        if not (diagnostic.harmless and self._settings.quiet):
            say(str(as_error(self._document, diagnostic)))
        self.status = self.status if diagnostic.harmless else FAILED

    def _tell(self, count: int, root: Path | None) -> None:
        if self._settings.quiet:
            return
        files = "1 file" if count == 1 else f"{count:,} files"
        say(f"{files} in {self._folder}" + ("" if root is None else f"; open {root}") + self._note)


@contextmanager
def _seekable(container: Container) -> Iterator[Container]:
    """The container with a file that can be read twice (rule 4)."""
    if container.file.seekable():
        yield container
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(container.file, file, _CHUNK)
        file.seek(0)
        yield replace(container, file=cast(BinaryIO, file))


def _rows(plan: Plan) -> Iterator[Row]:
    """The captures as the index shows them."""
    from rehref.reports.archive_index import Row
    from rehref.rewriting.rules.offline import comparable
    from rehref.uri.components import split

    for entry in plan.entries:
        parts = split(entry.uri)
        host = (parts.authority or "").rpartition("@")[2].lower() or f"{parts.scheme}:"
        path = entry.path or plan.find(comparable(entry.location), entry.date) or ""
        yield Row(host, entry.date, entry.status, _title(plan, entry), entry.uri, path, entry.media_type in _PAGES)


def _title(plan: Plan, entry: Saved) -> str:
    return f"→ {entry.location}" if entry.location else plan.titles.get(entry.path, "")


def _refuse_used(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OptionError(f"--unpack {folder}", "is there already, and not empty", "name a new folder")
    except OSError as error:
        raise OptionError(f"--unpack {folder}", f"cannot be looked at: {error.strerror}", "name another") from error
