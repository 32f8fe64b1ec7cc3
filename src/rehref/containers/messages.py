"""The documents in a MIME message, an MHTML archive or a mail: read and rewritten (RFC 2045, 2046, 2557).

1. The leaves that are wanted are read, in order; nothing else is decoded. A part that declares no type is `text/plain`
   (RFC 2045 §5.2).
2. All candidates for a part's base are in `layers.entity`, also those from outside the message, since
   `thismessage:/` comes after them.
3. A changed part keeps its transfer encoding, and a Content-Length of its own is corrected. Everything
   else is copied, byte for byte: also each part that cannot be changed safely, which is reported.
4. A part does not change if it is signed (`multipart/signed`), since the signature would no longer be valid; nor if a
   new line in it would read like a delimiter, or, in an mbox, like the beginning of another message.
5. Diagnostics never end anything, and of those with the same text only a few are reported
   (`rehref.containers.parts`). If no parts can be found, nothing is read, and everything is copied.
"""

from __future__ import annotations

import io
import mmap
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, NamedTuple

from rehref.containers._mime import transfer
from rehref.containers._mime.bases import HTML_TYPES, PartBases, as_compared, is_name
from rehref.containers._mime.mail_fields import Buffer
from rehref.containers._mime.quoted_printable import line_end_of
from rehref.containers._mime.recognition import is_mbox, lines_like_the_first, looks_like_mime
from rehref.containers._mime.structure import Entity, scan_message
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
from rehref.text.encoding import ByteSplice, lookup

_CHUNK = 1 << 20
_MENTIONS = re.compile(rb"[cC][iI][dD]:[^\s\"'<>()]++").finditer
_DASHES = re.compile(rb"(?:\A|\n)--").finditer
_LENGTH = re.compile(rb"\s*([0-9]{1,18})\s*").fullmatch


def recognizes(head: bytes, file: BinaryIO | None = None) -> bool:
    """Whether data that begin with `head` are a MIME message: see `recognition`."""
    return looks_like_mime(head)


@contextmanager
def mapped(file: BinaryIO) -> Iterator[Buffer]:
    """The content of a file, from its position on, not necessarily in memory."""
    if isinstance(file, io.BytesIO):
        yield file.read()
        return
    try:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # not a file on a disk, or an empty one
        yield file.read()
        return
    with data:
        yield data


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the documents of a message, and diagnostics. The content raises nothing.

    `wanted`: is called with the media type and the URI of each part (its number, if it has none).
    """
    with mapped(file) as data:
        yield from message_documents(data, options, wanted)


def message_documents(data: Buffer, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """The same for a message that is in memory, or mapped."""
    message = _Message(data, options, wanted)
    yield from message.diagnostics
    for each in few(message.parts()):
        yield each if isinstance(each, Diagnostic) else each.part


def rewrite(
    file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
) -> Iterator[Diagnostic]:
    """Write the message to `out` with its documents changed by `change`, and yield diagnostics.

    The output is complete when the iterator has ended. The arguments are those of `read`.
    """
    with mapped(file) as data:
        message = _Message(data, options, wanted)
        yield from message.diagnostics
        yield from few(_rewritten(message, out, change))


def _rewritten(message: _Message, out: BinaryIO, change: ChangePart) -> Iterator[Diagnostic]:
    data, at = message.data, 0
    for each in message.parts():
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


class _Message:
    """A message whose parts are known."""

    def __init__(self, data: Buffer, options: ContainerOptions, wanted: WantsDocument) -> None:
        self.data = data
        self.wanted = wanted
        self.options = options
        found = scan_message(data, options.limits.depth)
        self.diagnostics = found.diagnostics
        self.entities = found.entities
        self.bases = PartBases(data, found.entities, options.outer)
        self._is_mbox = is_mbox(data)

    def parts(self) -> Iterator[_Read | Diagnostic]:
        """Yield the parts that are wanted, or the reason why one of them cannot be read."""
        wanted = [(index, entity) for index, entity in self.bases.leaves() if self._is_wanted(index, entity)]
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
            if charset is not None and lookup(charset) is None:
                yield Diagnostic(label, f"its charset {charset!r} is unknown, and skipped", code="odd")
                charset = None
            media_type = "text/plain" if entity.type is None else entity.type.written
            layers = Layers(self._candidates(index, embedding))
            inside = self.bases.inside(index)
            yield _Read(entity, Part(entity.number, label, body, media_type, charset, layers, inside=inside))

    def _is_wanted(self, index: int, entity: Entity) -> bool:
        return entity.kind == "leaf" and self.wanted(entity.essence, self.bases.location(index) or entity.number)

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
    def _charset(entity: Entity) -> str | None:
        return None if entity.type is None else entity.type.parameters.get("charset") or None

    def _name(self, index: int) -> str | None:
        """The location of a part that has only a name, in the form in which it is compared (`bases`, rule 2)."""
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
        charset = self._charset(entity)
        known = charset if charset is not None and lookup(charset) else None
        layers = Layers(self.bases.candidates(index))
        how = ReadOptions(profile=self.options.source.how.profile)
        return read_document(body, MediaType.HTML, known, layers, how, is_response=True).base.uri

    def is_signed(self, entity: Entity) -> bool:
        """Whether a signature covers a part."""
        while entity.parent >= 0:
            entity = self.entities[entity.parent]
            if entity.essence == "multipart/signed":
                return True
        return False

    def changed_body(self, entity: Entity, changed: ChangedPart) -> bytes | Diagnostic:
        """The new body of a part in its transfer encoding."""
        label = f"part {entity.number}"
        old = self.data[entity.body : entity.end]
        line_end = line_end_of(self.data[entity.start : entity.body])
        try:
            new = transfer.put_back(old, entity.encoding, changed, line_end)
        except transfer.TransferError as error:
            return _kept(label, str(error))
        if self._is_mbox and lines_like_the_first(new) > lines_like_the_first(old):
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

    def new_length(self, entity: Entity, length: int) -> list[ByteSplice]:
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
