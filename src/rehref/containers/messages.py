"""The documents in a MIME message, an MHTML archive or a mail: read and rewritten (RFC 2045, 2046, 2557).

The leaves that are wanted are read, in order; nothing else is decoded. A changed part keeps its transfer encoding, and
a Content-Length of its own is corrected. Everything else is copied, byte for byte: also each part that cannot be
changed safely, which is reported.
"""

from __future__ import annotations

import io
import mmap
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import BinaryIO, NamedTuple
from urllib.parse import unquote

from rehref.containers._mime import mail_fields as header_fields
from rehref.containers._mime import transfer
from rehref.containers._mime.bases import HTML_TYPES, Inside, PartBases, as_compared, is_name
from rehref.containers._mime.mail_fields import Buffer, Span
from rehref.containers._mime.quoted_printable import line_end_of
from rehref.containers._mime.recognition import is_mbox, lines_like_the_first, looks_like_mime, messages_of_mbox
from rehref.containers._mime.structure import Entity, MessageStructure, scan_message
from rehref.containers.parts import (
    ChangedPart,
    ChangePart,
    ContainerOptions,
    Diagnostic,
    Part,
    WantsDocument,
    few,
)
from rehref.documents.base import Candidate, Layers
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.text.encoding import Splice, lookup
from rehref.uri.components import split

_CHUNK = 1 << 20
_MENTIONS = re.compile(rb"[cC][iI][dD]:[^\s\"'<>()]++").finditer
_DASHES = re.compile(rb"(?:\A|\n)--").finditer
_LENGTH = re.compile(rb"\s*([0-9]{1,18})\s*").fullmatch


def recognizes(head: bytes, file: BinaryIO | None = None) -> bool:
    """Whether data that begin with `head` are a MIME message: see `recognition`."""
    return looks_like_mime(head)


@contextmanager
def message_in(file: BinaryIO, options: ContainerOptions) -> Iterator[MimeMessage]:
    """The message in a file, which is not necessarily in memory. A file in memory is read from its position on."""
    if isinstance(file, io.BytesIO):
        yield MimeMessage(file.read(), options)
        return
    try:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # not a file on a disk, or an empty one
        yield MimeMessage(file.read(), options)
        return
    with data:
        yield MimeMessage(data, options)


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the documents of a message, and diagnostics. The content raises nothing.

    `wanted`: is called with the media type and the URI of each part (its number, if it has none).
    """
    with message_in(file, options) as message:
        yield from message.documents(wanted)


def rewrite(
    file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
) -> Iterator[Diagnostic]:
    """Write the message to `out` with its documents changed by `change`, and yield diagnostics.

    The output is complete when the iterator has ended. The arguments are those of `read`.
    """
    with message_in(file, options) as message:
        yield from message.diagnostics
        yield from few(_rewritten(message, out, change, wanted))


def _rewritten(message: MimeMessage, out: BinaryIO, change: ChangePart, wanted: WantsDocument) -> Iterator[Diagnostic]:
    data, at = message.data, 0
    for each in message.parts(wanted):
        if isinstance(each, Diagnostic):
            yield each
            continue
        changed = change(each.part)
        if changed is None or (changed.data == each.part.data):
            continue
        if message.is_signed(each.entity):
            yield Diagnostic(
                each.part.label, "it is signed, and stays as it is: the signature would no longer be valid", code="kept"
            )
            continue
        body = message.changed_body(each.entity, changed)
        if isinstance(body, Diagnostic):
            yield body
            continue
        for start, end, new in (*message.new_length(each.entity, len(body)), (each.entity.body, each.entity.end, body)):
            _copy(data, at, start, out)
            out.write(new)
            at = end
    _copy(data, at, len(data), out)


def _copy(data: Buffer, start: int, end: int, out: BinaryIO) -> None:
    for at in range(start, end, _CHUNK):
        out.write(data[at : min(at + _CHUNK, end)])


class _Read(NamedTuple):
    """A part that was read, and its entity."""

    entity: Entity
    part: Part


class Leaf(NamedTuple):
    """A part that has no parts.

    `wishes`: what a file with it may be called, as it is written in the message, the best name first. `pieces`: its
    body, decoded, in pieces of at most a few megabytes, which must be taken before those of the next leaf. `unread`:
    why they stay encoded; None if they do not.
    """

    number: str
    media_type: MediaType
    wishes: tuple[str, ...]
    pieces: Iterator[bytes]
    unread: Diagnostic | None

    def write_to(self, file: BinaryIO) -> None:
        """Write its body to a file."""
        file.writelines(self.pieces)


class MimeMessage:
    """A message, or all of an mbox, in memory or mapped."""

    def __init__(self, data: Buffer, options: ContainerOptions) -> None:
        self.data = data
        self.options = options

    @cached_property
    def bases(self) -> PartBases:
        """The bases of its entities."""
        return PartBases(self.data, self._structure.entities, self.options.outer)

    @cached_property
    def _structure(self) -> MessageStructure:
        return scan_message(self.data, self.options.limits.depth)

    @property
    def entities(self) -> list[Entity]:
        """The entities in the order of the message, those of nested messages included."""
        return self._structure.entities

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong with its structure."""
        return self._structure.diagnostics

    @property
    def root(self) -> str | None:
        """The number of the root document; None if there is none."""
        root = self.bases.root()
        return None if root is None else self.entities[root].number

    def messages(self) -> list[tuple[int, int]]:
        """The messages of an mbox, as spans; none if there is only one."""
        return [(each.start, each.end) for each in messages_of_mbox(self.data)]

    def words(self, *names: str) -> list[str]:
        """The values of header fields, whose names are in lower case, for people; "" for what it does not have."""
        spans: dict[str, Span] = {}
        for field in header_fields.fields(self.data, 0, len(self.data)):
            spans.setdefault(field.name, field.span)
        return [header_fields.words(self.data, spans.get(name)) for name in names]

    def leaves(self) -> Iterator[Leaf]:
        """Its leaves, in order, however large."""
        for index, entity in self.bases.leaves():
            encoding, unread = entity.encoding, None
            if encoding not in transfer.KNOWN:
                what = f"its transfer encoding {encoding!r} cannot be read; it stays encoded"
                encoding, unread = "", Diagnostic(f"part {entity.number}", what, code="unsupported")
            pieces = transfer.chunks(self.data, entity.body, entity.end, encoding)
            yield Leaf(entity.number, entity.essence, self._wishes(index, entity), pieces, unread)

    def _wishes(self, index: int, entity: Entity) -> tuple[str, ...]:
        path = split(self.bases.location(index) or "").path
        disposition = header_fields.field_text(self.data, entity.spans.get("content-disposition"))
        return (
            unquote(path.rpartition("/")[2]),
            header_fields.mime_parameters(disposition).get("filename", ""),
            "" if entity.type is None else entity.type.parameters.get("name", ""),
            header_fields.identifier(self.data, entity.spans.get("content-id")).partition("@")[0],
        )

    def meanings(self, names: Mapping[str, str]) -> Mapping[str, str]:
        """What absolute URIs in it mean, without fragment, also `cid:` and `mid:`, given names for its leaves' numbers.

        Those of the outermost message come before those of messages in it; `Part.inside` is exact.
        """
        found = Inside()
        for index, entity in sorted(self.bases.leaves(), key=lambda each: each[1].message != 0):
            for uri in self.bases.uris(index):
                found.add(uri, names[entity.number])
        return found

    def documents(self, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """Yield its documents, and diagnostics: see `read`."""
        yield from self.diagnostics
        for each in few(self.parts(wanted)):
            yield each if isinstance(each, Diagnostic) else each.part

    def parts(self, wants: WantsDocument) -> Iterator[_Read | Diagnostic]:
        """Yield the parts that are wanted, or the reason why one of them cannot be read."""
        wanted = [(index, entity) for index, entity in self.bases.leaves() if self._is_wanted(index, entity, wants)]
        embedding = self._embedding({name for index, _ in wanted if (name := self._name(index)) is not None})
        for index, entity in wanted:
            label = f"part {entity.number}"
            body = self._body(entity)
            if isinstance(body, Diagnostic):
                yield body
                continue
            if entity.encoding == "base64" and transfer.has_more_base64(self.data[entity.body : entity.end]):
                what = "there are more data after the padding of its base64, which are not read"
                yield Diagnostic(label, what, code="odd")
            charset = self._charset(entity)
            encoding = lookup(charset)
            if charset and encoding is None:
                yield Diagnostic(label, f"its charset {charset!r} is unknown, and skipped", code="odd")
            media_type = "text/plain" if entity.type is None else entity.type.written
            layers = Layers(self._candidates(index, embedding))
            inside = self.bases.inside(index)
            yield _Read(entity, Part(entity.number, label, body, media_type, encoding, layers, inside=inside))

    def _is_wanted(self, index: int, entity: Entity, wants: WantsDocument) -> bool:
        return entity.kind == "leaf" and wants(entity.essence, self.bases.location(index) or entity.number)

    def _body(self, entity: Entity) -> bytes | Diagnostic:
        """The decoded body of a leaf."""
        label = f"part {entity.number}"
        if entity.encoding not in transfer.KNOWN:
            return Diagnostic(label, f"its transfer encoding {entity.encoding!r} cannot be read", code="unsupported")
        length = entity.end - entity.body
        why = self.options.limits.exceeded(length, transfer.unpacked_size(length, entity.encoding))
        if why:
            return Diagnostic(label, why, "allow more with --max-size if you trust it", code="too-large")
        return transfer.decode_body(self.data[entity.body : entity.end], entity.encoding)

    @staticmethod
    def _charset(entity: Entity) -> str:
        return "" if entity.type is None else entity.type.parameters.get("charset", "")

    def _name(self, index: int) -> str | None:
        """The location of a part that has only a name, in the form in which it is compared (`bases.is_name`)."""
        location = self.bases.location(index)
        return as_compared(location) if location is not None and is_name(location) else None

    def _candidates(self, index: int, embedding: Mapping[str, Candidate]) -> tuple[Candidate, ...]:
        candidates = self.bases.candidates(index)
        name = self._name(index)
        return candidates if name is None or name not in embedding else (embedding[name], *candidates)

    def _embedding(self, names: set[str]) -> dict[str, Candidate]:
        """For parts that have only a name, the base of the HTML part that embeds them."""
        found: dict[str, Candidate] = {}
        for index, entity in self.bases.leaves() if names else ():
            if len(found) == len(names):
                break
            body = self._body(entity) if entity.kind == "leaf" and entity.essence in HTML_TYPES else b""
            if isinstance(body, Diagnostic):
                continue
            mentioned = {as_compared(match[0].decode("latin-1")) for match in _MENTIONS(body)}
            mentioned = (mentioned & names) - found.keys()
            if mentioned:
                base = self._base(index, entity, body)
                if base is not None:
                    candidate = Candidate(base, "entity", f"base of part {entity.number}, which embeds it")
                    found |= dict.fromkeys(mentioned, candidate)
        return found

    def _base(self, index: int, entity: Entity, body: bytes) -> str | None:
        """The base of an HTML part."""
        known = lookup(self._charset(entity))
        layers = Layers(self.bases.candidates(index))
        how = ReadOptions(profile=self.options.source.how.profile)
        return read_document(body, MediaType.HTML, known, layers, how, is_response=True).base.uri

    def is_signed(self, entity: Entity) -> bool:
        """Whether a signature covers a part (`multipart/signed`), which would no longer be valid if it changed."""
        while entity.parent >= 0:
            entity = self.entities[entity.parent]
            if entity.essence == "multipart/signed":
                return True
        return False

    def changed_body(self, entity: Entity, changed: ChangedPart) -> bytes | Diagnostic:
        """The new body of a part in its transfer encoding.

        A part does not change if a new line in it would read like a delimiter, or, in an mbox, like the beginning of
        another message.
        """
        label = f"part {entity.number}"
        old = self.data[entity.body : entity.end]
        line_end = line_end_of(self.data[entity.start : entity.body])
        try:
            new = transfer.put_back(old, entity.encoding, changed, line_end)
        except transfer.TransferError as error:
            return _kept(label, str(error))
        if is_mbox(self.data) and lines_like_the_first(new) > lines_like_the_first(old):
            return _kept(label, "a line of it would read like the beginning of another message")
        boundaries = self._boundaries(entity)
        if boundaries and _delimiters(new, boundaries) > _delimiters(old, boundaries):
            return _kept(label, "a line of it would read like the delimiter of parts")
        return new

    def _boundaries(self, entity: Entity) -> tuple[bytes, ...]:
        """The boundaries of all multiparts that contain a part."""
        found = []
        while entity.parent >= 0:
            entity = self.entities[entity.parent]
            if entity.boundary:
                found.append(entity.boundary)
        return tuple(found)

    def new_length(self, entity: Entity, length: int) -> list[Splice[bytes]]:
        """The splices that keep a part's Content-Length as correct as it was."""
        span = entity.spans.get("content-length")
        old = None if span is None else _LENGTH(self.data[span[0] : min(span[1], span[0] + 64)])
        if span is None or old is None:
            return []
        number = max(int(old[1]) + length - (entity.end - entity.body), 0)
        return [(span[0] + old.start(1), span[0] + old.end(1), str(number).encode())]


def _kept(label: str, why: str) -> Diagnostic:
    return Diagnostic(label, f"it stays as it is: {why}", code="kept")


def _delimiters(body: bytes, boundaries: tuple[bytes, ...]) -> int:
    """The number of lines of a body that begin like a delimiter (RFC 2046 §5.1.1)."""
    return sum(1 for found in _DASHES(body) if body.startswith(boundaries, found.end()))
