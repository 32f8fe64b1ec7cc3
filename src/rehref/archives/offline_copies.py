"""Copies that browsers open from a disk.

A WARC, ARC, WACZ, MHTML, mail or mbox is unpacked into a folder, and an EPUB, whose files stay as they are. A web
archive and a mailbox get an index page, which is written last: if it exists, all other files do. In a mirrored folder
all files count as saved, documents or not. What browsers refuse to load from a disk is put into files when all are
written, and what needs the web or a server is counted.
"""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from rehref.archives._copies.copied_documents import Copied
from rehref.archives._copies.inlining import MOST_IN_FILE, OfflineCopy
from rehref.archives._copies.mirror_file_names import Mirror
from rehref.archives._copies.mirrored_folder import (
    files_below,
    roots_of,
    uris_in_pages,
    with_endings_known,
    with_sheet_encodings,
)
from rehref.archives._copies.remaining import CopiedFile, Remaining
from rehref.archives.saved_captures import INDEX, Saved
from rehref.containers.kinds import KINDS, Container, named_like, names_of
from rehref.containers.parts import Diagnostic, Part, few, located_in
from rehref.documents.base import Layers
from rehref.documents.media_types import Beginning, MediaType
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.documents.reading import read_document
from rehref.exceptions import OptionError
from rehref.files.discovery import not_known, type_by_ending, type_of_named
from rehref.files.file_documents import DocumentOrError, FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.files.sources import Opened, opened
from rehref.files.writing import write_atomically
from rehref.reports.terminal import not_documents
from rehref.rewriting.offline_rule import Offline
from rehref.uri.components import split

_CHUNK = 1 << 20
_LOOKED_AT = 1 << 20


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
            yield located_in(file.name, each) if isinstance(each, Diagnostic) else each


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
    if source.kind.unpacked_as == "files":
        return _files(source, folder)
    if is_archive:
        return _captures(name, source, folder, how, copying)
    return _messages(name, source, folder, how, no_network=copying.no_network)


def _captures(
    name: str, container: Container, folder: Path, how: ReadOptions, copying: Copying
) -> Iterator[Diagnostic | Unpacked]:
    """Unpack a web archive."""
    from rehref.archives._unpacking.index_page import archive_index, write_index
    from rehref.archives._unpacking.web_archives import unpack_captures

    with _seekable(container) as again:
        for each in unpack_captures(again, folder, how, **copying._asdict()):
            if isinstance(each, Diagnostic):
                yield each
                continue
            write_index(folder, archive_index(name, each))
            yield Unpacked(len({entry.path for entry in each.entries if entry.path}), INDEX, each.remaining)


def _files(container: Container, folder: Path) -> Iterator[Diagnostic | Unpacked]:
    """Write the files of a book as they are: they refer to each other."""
    written = 0
    for each in few(container.files()):
        if isinstance(each, Diagnostic):
            yield each
            continue
        path, data = each
        write_atomically(folder / path, data, within=folder)
        written += 1
    yield Unpacked(written, None)


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


def captured(container: Container) -> tuple[list[Saved], Iterator[tuple[list[Saved], Part]]]:
    """The captures of an archive that a copy has: redirects, and each body with the captures that it is saved for.

    The container's file must be seekable.
    """
    from rehref.archives._unpacking.web_archives import capture_bodies, may_be_saved, plan_captures

    start = container.file.tell()
    plan, _, _ = plan_captures(container.captures(may_be_saved))
    saved = defaultdict[int, list[Saved]](list)
    for entry in plan.entries:
        if not entry.location:
            saved[entry.number].append(entry)
    container.file.seek(start)
    bodies = capture_bodies(container.captures(plan.wanted), plan.joints)
    return [entry for entry in plan.entries if entry.location], ((saved[number], part) for number, part in bodies)


@contextmanager
def _seekable(container: Container) -> Iterator[Container]:
    """The container with a file that can be read twice: an archive from a pipe is copied to a temporary file first."""
    if container.file.seekable():
        yield container
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(container.file, file, _CHUNK)
        file.seek(0)
        yield container._replace(file=cast(BinaryIO, file))


@dataclass(frozen=True, slots=True)
class MirroredFolder:
    """A folder that was saved from the web.

    `found`: its documents, with the URIs that they were saved from. `options`: for reading them, `rule`: for rewriting
    them. `notes`: what was inferred, for people.
    """

    found: list[DocumentOrError]
    options: SourceOptions
    rule: Copied
    notes: tuple[str, ...]

    @classmethod
    def examined(
        cls,
        folder: str,
        found: Sequence[DocumentOrError],
        uris: Mapping[str, str],
        options: SourceOptions,
        rule: Offline,
        *,
        copied: bool,
        no_network: bool,
    ) -> MirroredFolder:
        """What is known of a folder. Raises `OptionError`, or `FileError` if it cannot be read.

        If nothing says where the folder is from, references cannot be made absolute: that is an error. `uris`: what is
        known, by path, which takes precedence over what is inferred (`mirrored_folder`). `copied`: whether files that
        are not documents are copied. `no_network`: make pages that never ask the web.
        """
        files, notes = list(files_below(Path(folder))), list[str]()
        documents = [each for each in found if isinstance(each, FileDocument)]
        from_pages: Mapping[str, str] = {}
        roots = roots_of(files, documents, options.url)
        if options.url is None and not options.ignore_saved_from:
            from_pages = dict(uris_in_pages(documents, roots))
            uris = {**from_pages, **uris}
        if not roots and not uris:
            raise OptionError("--to offline", f"nothing says where {folder} was saved from", "give --url URI")
        if roots and options.url is None:
            named = ", ".join(root.uri for root in roots[:3]) + (", …" if len(roots) > 3 else "")
            notes.append(f"{folder}: taken for a mirror of {named}; --url URI overrides this")
        there = set(files)
        others = len(there.difference(each.relative for each in documents))
        if others and not copied:
            notes.append(
                f"{not_documents(others)}, so references to such files will lead nowhere; --copy-others copies them"
            )
        mirror = Mirror(files, roots, {uri: path for path, uri in uris.items() if path in there}, from_pages)
        located = with_uris(found, lambda each: uris.get(each.relative) or mirror.uri_of(each.relative))
        located, disagreement = with_sheet_encodings(with_endings_known(located, mirror, options), mirror, options)
        how, only_saved = options.how.with_lazy()
        copying = Copied(replace(rule, files=mirror, only_saved=only_saved), no_network)
        looking_for = replace(options.how, attributes=(*copying.attributes, *how.attributes))
        return cls(located, replace(options, how=looking_for), copying, tuple(filter(None, (*notes, disagreement))))

    def finish(self, out: Path, web: int, *, inlines: bool) -> Iterator[str]:
        """Finish a copy that is written, and yield what it still needs. Raises `FileError`.

        `web`: how many references make browsers load something from the web. `inlines`: put into files what browsers
        refuse; else it is only counted.
        """
        mirror = cast("Mirror", self.rule.offline.files)
        files: dict[str, CopiedFile] = {}
        copy = OfflineCopy(out, files, Remaining(web))
        documents = {each.relative: each for each in self.found if isinstance(each, FileDocument)}
        for path in sorted(mirror.files):
            uri = (documents[path].url if path in documents else mirror.uri_of(path)) or ""
            kind = type_by_ending(path) or type_by_ending(split(uri).path) or MediaType()
            files[path] = CopiedFile(uri, kind, mirror)
        for path, file in files.items():
            if path in documents or file.media_type.endswith("javascript"):
                data = copy.read(path) or b""
                if path in documents:
                    kind = type_of_named(path.rpartition("/")[2], data) or MediaType()
                    files[path] = CopiedFile(self._base(documents[path], kind) or file.base, kind, mirror)
                copy.look_at(path, data)
        copy.inline(self.options.how, most=MOST_IN_FILE if inlines else 0)
        return copy.remaining.lines(out, no_network=self.rule.no_network)

    def _base(self, document: FileDocument, kind: str) -> str | None:
        """The base that a page has; None if it has no `base` element, as far as it is looked at."""
        data = document.beginning(_LOOKED_AT) if kind in MediaType.PAGES else b""
        if b"<base" not in data.lower():
            return None
        return read_document(data, kind, None, Layers(retrieval=document.url), self.options.how).base.uri
