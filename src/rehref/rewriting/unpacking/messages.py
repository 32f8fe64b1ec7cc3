"""Write a MIME message as files that open without it: each part has its own name, and references lead there.

1. References to another part lead to its file; others become absolute (`offline_documents`).
2. Every part is written; those that are not documents are unchanged. Each file is written completely or not at all.
3. Each message of an mbox has its own folder, named by its number; references lead only to parts of the same message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from rehref.containers.mime import header_fields
from rehref.containers.mime.header_fields import Buffer
from rehref.containers.mime.mbox import messages
from rehref.containers.mime.message import documents
from rehref.containers.opening import not_read
from rehref.containers.parts import ContainerOptions, Diagnostic
from rehref.documents.reading import UnknownMediaTypeError
from rehref.documents.time_limit import OutOfTimeError
from rehref.files.writing import write_atomically
from rehref.options import ReadOptions
from rehref.parsers.registry import ParserError
from rehref.rewriting.offline_copies.copied_documents import is_document
from rehref.rewriting.rules.offline import Table
from rehref.rewriting.unpacking.message_files import Unpacked, bodies
from rehref.rewriting.unpacking.message_files import plan as plan_files
from rehref.rewriting.unpacking.offline_documents import offline_file


def unpack(
    data: Buffer, options: ContainerOptions, folder: Path, how: ReadOptions, *, no_network: bool = False
) -> Iterator[Unpacked | Diagnostic]:
    """Write the parts of a message into a folder: yield diagnostics, and at the end what was written.

    `no_network`: make pages that never ask the web. Raises `FileError` if a file cannot be written.
    """
    plan = plan_files(data, options)
    yield from plan.diagnostics
    by_uri = Table(plan.targets)

    def find(uri: str) -> str | None:
        return by_uri(uri) or plan.targets.get(uri)  # it knows how to compare `cid:`

    rewritten = set()
    for part in documents(data, options, lambda media_type, _: is_document(media_type)):
        if isinstance(part, Diagnostic):
            if part not in plan.diagnostics:
                yield part
            continue
        try:
            content = offline_file(part, find, plan.files[part.name], how, no_network=no_network).data
        except (UnknownMediaTypeError, ParserError, OutOfTimeError) as error:
            yield not_read(part, error)
            continue
        rewritten.add(part.name)
        write_atomically(folder / plan.files[part.name], content, within=folder)
    for body in bodies(data, options.limits):
        if isinstance(body, Diagnostic):
            yield body
        elif body.number not in rewritten:
            write_atomically(folder / plan.files[body.number], _writer_of(body.pieces), within=folder)
    yield plan


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
    """Write the messages of an mbox one after the other (rule 3). Otherwise like `unpack`."""
    stored = messages(data)
    for number, message in enumerate(stored, 1):
        name = f"{number:0{len(str(len(stored)))}}"
        content = data[message.start : message.end]
        for each in unpack(content, options, folder / name, how, no_network=no_network):
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


def _writer_of(pieces: Iterator[bytes]) -> Callable[[BinaryIO], None]:
    return lambda file: file.writelines(pieces)
