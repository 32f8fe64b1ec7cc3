"""Write a MIME message as files that open without it: each part has its own name, and references lead there.

1. Every leaf is a file. Its name is the end of its location's path, its file name (Content-Disposition, Content-Type),
   or its Content-ID; otherwise `part-3-1`. The root document is `index`.
2. Names are safe and unique, and have the extension of their media type (`rehref.archives._file_names`).
3. References to another part lead to its file; others become absolute
   (`rehref.archives._copies.copied_documents`).
4. Style sheets and scripts that declare no encoding are read in that of the page which refers to them. Scripts in
   another encoding than UTF-8 become UTF-8. Other parts that are not documents are unchanged. Each file is written
   completely or not at all.
5. Each message of an mbox has its own folder, named by its number; references lead only to parts of the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from rehref.archives._copies.copied_documents import is_rewritten_type, offline_file, text_file
from rehref.archives._file_names import Names, safe
from rehref.containers._mime import mail_fields as header_fields
from rehref.containers._mime import transfer
from rehref.containers._mime.bases import Inside, PartBases
from rehref.containers._mime.mail_fields import Buffer
from rehref.containers._mime.recognition import messages_of_mbox
from rehref.containers._mime.structure import Entity, scan_message
from rehref.containers._referring_documents import encodings_in, key_of, may_refer
from rehref.containers.inherited_encodings import inherits, is_script
from rehref.containers.messages import message_documents
from rehref.containers.parts import ContainerOptions, Diagnostic, Limits, Part, few
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import UnknownMediaTypeError
from rehref.exceptions import OutOfTimeError, ParserError
from rehref.files.discovery import endings
from rehref.files.writing import write_atomically
from rehref.rewriting.offline_rule import SavedUris
from rehref.text.large_bytes import is_utf_8
from rehref.uri.components import split


@dataclass(frozen=True, slots=True)
class UnpackedParts:
    """The file names of the parts of a message.

    `files`: for each part's number, its file name. `targets`: for each absolute URI of a part (without fragment; `cid:`
    and `mid:` too), its file name, as a reference relative to the folder. `root`: the number of the root document,
    None if there is none. `diagnostics`: what is wrong with the message.

    `targets` has those of the outermost message before those of messages in it; a part's own `inside` is exact.
    """

    files: Mapping[str, str]
    targets: Mapping[str, str]
    root: str | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """The decoded bytes of a part: its number, and pieces of at most a few megabytes."""

    number: str
    pieces: Iterator[bytes]

    def write_to(self, file: BinaryIO) -> None:
        """Write it to a file."""
        file.writelines(self.pieces)


def plan_parts(data: Buffer, options: ContainerOptions) -> UnpackedParts:
    """Name the parts of a message (rules 1, 2). Raises nothing on content."""
    found = scan_message(data, options.limits.depth)
    bases = PartBases(data, found.entities, options.outer)
    leaves = dict(bases.leaves())
    root = bases.root()
    names = Names()
    called: dict[int, str] = {}
    if root is not None:
        called[root] = names.take("index", endings(leaves[root].essence))
    for index, entity in leaves.items():
        if index != root:
            called[index] = names.take(_wish(data, bases, index, entity), endings(entity.essence))
    targets = Inside()
    for index in sorted(leaves, key=lambda index: leaves[index].message != 0):
        for uri in bases.uris(index):
            targets.add(uri, called[index])
    files = {entity.number: called[index] for index, entity in leaves.items()}
    return UnpackedParts(files, targets, None if root is None else leaves[root].number, tuple(found.diagnostics))


def part_bodies(data: Buffer, limits: Limits | None = None) -> Iterator[Body | Diagnostic]:
    """Yield the decoded bytes of every part that `plan_parts` names, in order, however large.

    Take the pieces of one part before you ask for the next. A part with an unknown transfer encoding is yielded as it
    is, and reported.
    """
    return few(_bodies(data, limits or Limits()))


def _bodies(data: Buffer, limits: Limits) -> Iterator[Body | Diagnostic]:
    for entity in scan_message(data, limits.depth).entities:
        if entity.kind not in ("leaf", "opaque"):
            continue
        encoding = entity.encoding
        if encoding not in transfer.KNOWN:
            yield Diagnostic(
                f"part {entity.number}",
                f"its transfer encoding {encoding!r} cannot be read; it stays encoded",
                code="unsupported",
            )
            encoding = ""
        yield Body(entity.number, transfer.chunks(data, entity.body, entity.end, encoding))


def _wish(data: Buffer, bases: PartBases, index: int, entity: Entity) -> str:
    """Return the best name for a part, as it is written in the message."""
    path = split(bases.location(index) or "").path
    disposition = header_fields.field_text(data, entity.spans.get("content-disposition"))
    wishes = [
        unquote(path.rpartition("/")[2]),
        header_fields.mime_parameters(disposition).get("filename", ""),
        "" if entity.type is None else entity.type.parameters.get("name", ""),
        header_fields.identifier(data, entity.spans.get("content-id")).partition("@")[0],
    ]
    for wish in wishes:
        name = safe(wish)
        if name:
            return name
    return f"part-{entity.number.replace('.', '-')}"


def unpack_message(
    data: Buffer, options: ContainerOptions, folder: Path, how: ReadOptions, *, no_network: bool = False
) -> Iterator[UnpackedParts | Diagnostic]:
    """Write the parts of a message into a folder: yield diagnostics, and at the end what was written.

    `no_network`: make pages that never ask the web. Raises `FileError` if a file cannot be written.
    """
    planned = plan_parts(data, options)
    yield from planned.diagnostics
    by_uri = SavedUris(planned.targets)

    def find(uri: str) -> str | None:
        return by_uri(uri) or planned.targets.get(uri)  # it knows how to compare `cid:`

    referring = message_documents(data, options, may_refer)
    encodings = encodings_in((part for part in referring if isinstance(part, Part)), how)
    rewritten = set()
    for part in message_documents(data, options, _is_read):
        if isinstance(part, Diagnostic):
            if part not in planned.diagnostics:
                yield part
            continue
        if inherits(part.data, part.media_type, part.charset) and not is_utf_8(part.data):
            part = part._replace(encoding=encodings.get(key_of(part)))
        try:
            content = _content(part, find, planned.files[part.name], how, no_network=no_network)
        except (UnknownMediaTypeError, ParserError, OutOfTimeError) as error:
            yield part.not_read(error)
            continue
        rewritten.add(part.name)
        write_atomically(folder / planned.files[part.name], content, within=folder)
    for body in part_bodies(data, options.limits):
        if isinstance(body, Diagnostic):
            yield body
        elif body.number not in rewritten:
            write_atomically(folder / planned.files[body.number], body.write_to, within=folder)
    yield planned


def _is_read(media_type: str, uri: str) -> bool:
    return is_rewritten_type(MediaType(media_type)) or is_script(media_type)


def _content(part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions, *, no_network: bool) -> bytes:
    """Return the file of a part. The arguments are those of `offline_file`."""
    if is_script(MediaType.of(part.media_type)):
        return text_file(part)
    return offline_file(part, find, at, how, no_network=no_network).data


@dataclass(frozen=True, slots=True)
class UnpackedMessage:
    """A message of an mbox that was unpacked.

    `root`: the path of the file to open, below the folder, with slashes; "" if there is none. `files`: the number of
    files. `date`, `sender`, `subject`: its header fields, for people; "" if they are missing.
    """

    root: str
    files: int
    date: str
    sender: str
    subject: str


def unpack_mailbox(
    data: Buffer, options: ContainerOptions, folder: Path, how: ReadOptions, *, no_network: bool = False
) -> Iterator[UnpackedMessage | Diagnostic]:
    """Write the messages of an mbox one after the other (rule 5). Otherwise like `unpack_message`."""
    stored = messages_of_mbox(data)
    for number, message in enumerate(stored, 1):
        name = f"{number:0{len(str(len(stored)))}}"
        content = data[message.start : message.end]
        for each in unpack_message(content, options, folder / name, how, no_network=no_network):
            if isinstance(each, Diagnostic):
                where = f"message {number}, {each.where}" if each.where else f"message {number}"
                yield replace(each, where=where)
                continue
            root = "" if each.root is None else f"{name}/{each.files[each.root]}"
            yield UnpackedMessage(root, len(each.files), *_about(content))


def _about(message: bytes) -> tuple[str, str, str]:
    """Return date, sender and subject of a message."""
    spans: dict[str, tuple[int, int]] = {}
    for field in header_fields.fields(message, 0, len(message)):
        spans.setdefault(field.name, field.span)
    date, sender, subject = (header_fields.words(message, spans.get(name)) for name in ("date", "from", "subject"))
    return date, sender, subject
