"""The parts of a message, as spans of its bytes. Nothing is decoded, no body is copied.

The lines that begin with `--` are read once, in order, whatever the nesting: a delimiter is such a line that continues
with the boundary of an open multipart, ignoring white space after it (RFC 2046 §5.1.1). A delimiter of an outer
multipart closes all entities open in it. The line end before a delimiter belongs to it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from rehref.containers._mime import mail_fields as header_fields
from rehref.containers._mime.mail_fields import Buffer, ContentType, Span
from rehref.containers._mime.recognition import MBOX, messages_of_mbox
from rehref.containers.parts import Diagnostic, DiagnosticCode, few
from rehref.documents.media_types import MediaType
from rehref.text import lower

EntityKind: TypeAlias = Literal["leaf", "multipart", "message", "opaque"]

DEEPEST = 100
"""The maximum depth, whatever the limits allow: bases are established through all levels."""

IDENTITY = frozenset({"", "7bit", "8bit", "binary"})
"""Transfer encodings that change nothing (RFC 2045 §6.2)."""

_LONGEST_BOUNDARY = 1000  # RFC 2046 §5.1.1 allows 70
_LONGEST_LINE = 2 * _LONGEST_BOUNDARY
_DASHES = re.compile(rb"\n--").search
_MESSAGE = ContentType("message/rfc822", MediaType("message/rfc822"), {})
_MESSAGES = frozenset({"message/rfc822", "message/global"})
_CR = 13


class Entity(NamedTuple):
    """A message, a multipart, or a leaf; all offsets in bytes of the whole.

    `number`: as in IMAP (RFC 3501 §6.4.5): the children of the outermost multipart are 1, 2, ..., those of part 2, or
    of a message in it, 2.1, 2.2, ...; a message that is not multipart has part 1; "" for a multipart message. `label`:
    for people: "part 2", "the message", "the message in part 2". `kind`. `parent`: index of its parent, -1 for the
    outermost. `message`: index of the outermost entity of its message. `start`: of its header fields. `body`, `end`: of
    its body. `spans`: its header fields. `type`: its Content-Type, None if it has none. `encoding`: its transfer
    encoding in lower case, "" if it names none. `boundary`: of a multipart.
    """

    number: str
    label: str
    kind: EntityKind
    start: int
    body: int
    end: int
    parent: int = -1
    message: int = 0
    spans: Mapping[str, Span] = MappingProxyType({})
    type: ContentType | None = None
    encoding: str = ""
    boundary: bytes = b""

    @property
    def essence(self) -> MediaType:
        """The media type without parameters; `text/plain` if there is no Content-Type (RFC 2045 §5.2)."""
        return MediaType.TEXT if self.type is None else self.type.essence


class MessageStructure(NamedTuple):
    """All entities, each after its parent, in the order of their bytes; and the diagnostics."""

    entities: list[Entity]
    diagnostics: list[Diagnostic]


def scan_message(data: Buffer, depth: int = DEEPEST) -> MessageStructure:
    """Find the parts of a message, nested at most `depth` deep. Never fails; linear time.

    `message/rfc822` and `message/global` are parsed, if they are not encoded; so are parts of a `multipart/digest`
    without a declared type (RFC 2046 §5.1.5). A multipart without a boundary, or one nested too deep, is one piece, and
    reported; so is one that is not closed, which ends where its parent ends. If an mbox has more than one message, each
    is a part of it.
    """
    scanner = _Scan(data, min(depth, DEEPEST))
    scanner.run()
    return MessageStructure(scanner.entities, list(few(scanner.diagnostics())))


@dataclass(slots=True)
class _Level:
    """A multipart whose delimiters are searched for. `at`: its index among the open entities."""

    index: int
    at: int
    boundary: bytes
    children: int = 0


class _Scan:
    """The state of the pass."""

    def __init__(self, data: Buffer, depth: int) -> None:
        self.data = data
        self.end = len(data)
        self.depth = depth
        self.entities: list[Entity] = []
        self._diagnostics: list[Diagnostic] = []
        self._counts: dict[tuple[int, str], tuple[int, int]] = {}
        """For each message and diagnostic that is reported once: the index of the diagnostic, and the count."""
        self._open: list[int] = []
        """The entities that are open, outermost first."""
        self._levels: list[_Level] = []
        self._by_boundary: dict[bytes, list[int]] = {}
        """Numbers of the levels that have a boundary, innermost last."""

    def run(self) -> None:
        """Go through the message, or through all of an mbox."""
        stored = messages_of_mbox(self.data)
        if not stored:
            before = header_fields.BEFORE(self.data)
            self._message(before.end() if before else 0)
            return
        self.entities.append(Entity("", "the mbox", "multipart", start=0, body=0, end=self.end, type=MBOX))
        for number, (line, start, end) in enumerate(stored, 1):
            label = f"part {number}"
            self.end = end
            self.entities.append(Entity(str(number), label, "message", line, start, end, parent=0, type=_MESSAGE))
            self._message(start)

    def _message(self, start: int) -> None:
        """Go through a message, up to `end`; its parent is the last of the entities, if there is any."""
        at = self._enter(start)
        while self._levels:
            found = _DASHES(self.data, max(at - 1, 0), self.end)
            if found is None:
                break
            line = found.start() + 1
            stop = self.data.find(b"\n", line, self.end)
            stop = self.end if stop < 0 else stop
            at = stop + 1
            if stop - line <= _LONGEST_LINE:
                at = self._delimiter(line, stop) or at
        self._leave_levels(0)
        self._close(0, self.end)

    def _delimiter(self, line: int, stop: int) -> int | None:
        """Handle a line that begins with `--`; returns where to continue if it is a delimiter, else None."""
        text = self.data[line + 2 : stop].rstrip(b" \t\r")
        number = self._by_boundary.get(text, (-1,))[-1]
        closing = self._by_boundary.get(text[:-2], (-1,))[-1] if text.endswith(b"--") else -1
        if max(number, closing) < 0:
            return None
        content_end = line - 2 if self.data[line - 2] == _CR else line - 1
        level = self._levels[max(number, closing)]
        self._leave_levels(max(number, closing) + 1)
        self._close(level.at + 1, content_end)
        if closing > number:
            self._pop_level()
            if level.children == 0:
                self._report(self.entities[level.index].label, "it has no parts", "damaged")
            return stop + 1
        level.children += 1
        return self._enter(min(stop + 1, self.end), level)

    def _enter(self, start: int, level: _Level | None = None) -> int:
        """Open the entity whose header fields begin at `start`, and a message in it; returns the start of the body."""
        parent = len(self.entities) - 1 if level is None else level.index
        message = parent + 1 if level is None else self.entities[parent].message
        digest = level is not None and self.entities[parent].essence == "multipart/digest"
        # the prefix of the number, and the number that it has as a leaf
        if level is None:
            holder = self.entities[parent].number if self.entities else ""
            number, label = (f"{holder}.1", f"the message in part {holder}") if holder else ("1", "the message")
        else:
            outer = self._prefix(parent)
            number = f"{outer}.{level.children}" if outer else str(level.children)
            label = f"part {number}"
        while True:
            entity = self._read(start, parent, message, number, label, digest=digest)
            index = len(self.entities)
            self.entities.append(entity)
            self._open.append(index)
            if entity.kind == "multipart":
                self._push_level(index, entity.boundary)
            if entity.kind != "message":
                return entity.body
            start, parent, message, digest = entity.body, index, index + 1, False
            label = f"the message in part {number}"
            number += ".1"

    def _prefix(self, index: int) -> str:
        """The prefix of the numbers of an entity's children."""
        entity = self.entities[index]
        if entity.message == index:  # the outermost multipart of a message has the number of the message's parent
            return "" if entity.parent < 0 else self.entities[entity.parent].number
        return entity.number

    def _read(self, start: int, parent: int, message: int, number: str, label: str, *, digest: bool) -> Entity:
        """Read the header fields of an entity, and determine its kind."""
        data = self.data
        found = header_fields.parse_fields(data, start, self.end)
        spans = found.spans
        value = header_fields.field_text(data, spans.get("content-type"))
        kind = header_fields.media_type_of(value) if value else None
        encoding = lower(
            header_fields.field_text(data, spans.get("content-transfer-encoding")).partition(";")[0].rstrip()
        )
        index = len(self.entities)
        outermost = message == index
        boundary = b""
        name = kind.essence if kind else "message/rfc822" if digest else "text/plain"
        what: EntityKind = "leaf"
        if name.startswith("multipart/"):
            what, boundary = self._multipart(message, label, kind)
            if outermost and what == "multipart":
                number = "" if parent < 0 else self.entities[parent].number
        elif name in _MESSAGES and encoding in IDENTITY:
            what = self._nested(message, label, "message")
        if kind is None and digest:
            kind = ContentType("message/rfc822", MediaType("message/rfc822"), {})
        if outermost and found.total == 0 and (parent < 0 or not found.ended):
            self._report(
                "" if parent < 0 else label, "there are no header fields: this is not a MIME message", "damaged"
            )
            what = "opaque"
        elif found.strays:
            self._report(label, "a line among its header fields is not one, and is skipped", "odd")
        elif not found.ended and found.body < self.end and data[found.body : found.body + 2] != b"--":
            self._report(label, "no empty line separates the header fields from the body", "damaged")
        return Entity(
            number=number,
            label=label,
            kind=what,
            start=start,
            body=found.body,
            end=self.end,
            parent=parent,
            message=message,
            spans=spans,
            type=kind,
            encoding=encoding,
            boundary=boundary,
        )

    def _multipart(self, message: int, label: str, kind: ContentType | None) -> tuple[EntityKind, bytes]:
        """Whether a multipart can be parsed, and its boundary."""
        value = "" if kind is None else kind.parameters.get("boundary", "").rstrip()
        boundary = value.encode("utf-8", "replace")
        if boundary == b"":
            self._report(label, "its Content-Type names no boundary: its parts cannot be separated", "damaged")
            return "opaque", b""
        if len(boundary) > _LONGEST_BOUNDARY:
            what = f"its boundary is longer than {_LONGEST_BOUNDARY:,} bytes: its parts are not separated"
            self._report(label, what, "too-large")
            return "opaque", b""
        return self._nested(message, label, "multipart"), boundary

    def _nested(self, message: int, label: str, kind: EntityKind) -> EntityKind:
        if len(self._open) < self.depth:
            return kind
        self._report_once(message, label, f"it is nested more than {self.depth} deep, and not parsed", "too-large")
        return "opaque"

    def _push_level(self, index: int, boundary: bytes) -> None:
        self._by_boundary.setdefault(boundary, []).append(len(self._levels))
        self._levels.append(_Level(index, len(self._open) - 1, boundary))

    def _pop_level(self) -> _Level:
        level = self._levels.pop()
        numbers = self._by_boundary[level.boundary]
        numbers.pop()
        if not numbers:
            del self._by_boundary[level.boundary]
        return level

    def _leave_levels(self, keep: int) -> None:
        """Stop searching for the delimiters of all levels except the first `keep`."""
        while len(self._levels) > keep:
            level = self._pop_level()
            entity = self.entities[level.index]
            if level.children == 0:
                what = "its boundary is nowhere in it: its parts cannot be separated"
                self._report(entity.label, what, "damaged")
            else:
                what = "it ends without its closing boundary: something may be missing"
                self._report_once(entity.message, entity.label, what, "truncated")

    def _close(self, keep: int, end: int) -> None:
        """Close all open entities except the first `keep`, at `end`."""
        while len(self._open) > keep:
            index = self._open.pop()
            entity = self.entities[index]
            self.entities[index] = entity._replace(end=max(entity.body, end))

    def _report(self, label: str, what: str, code: DiagnosticCode) -> None:
        self._diagnostics.append(Diagnostic(label, what, code=code))

    def _report_once(self, message: int, label: str, what: str, code: DiagnosticCode) -> None:
        """Report something once for each message, and count the others."""
        number, count = self._counts.get((message, what), (len(self._diagnostics), 0))
        self._counts[message, what] = (number, count + 1)
        if count == 0:
            self._report(label, what, code)

    def diagnostics(self) -> list[Diagnostic]:
        """All diagnostics, at the end of the pass."""
        for (_, what), (number, count) in self._counts.items():
            if count > 1:
                others = f"{what}; {count - 1:,} more like it in this message"
                self._diagnostics[number] = replace(self._diagnostics[number], message=others)
        return self._diagnostics
