"""The record at hand: what is wanted of it, and what becomes of it.

1. Its block is read as a whole only if something of it is wanted; of the body that, of the HTTP head alone only if that
   changes.
2. What is the matter with it is gathered, each with its id and where it begins.
3. What cannot be read is copied as it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.base import Layers
from rehref.containers.http.bodies import head_without_codings
from rehref.containers.parts import ChangedPart, ChangePart, ContainerOptions, Diagnostic, Fault, Part, WantsDocument
from rehref.containers.warc.archive import Archive
from rehref.containers.warc.new_records import Conversion, conversion, rewritten
from rehref.containers.warc.payloads import (
    Payload,
    diagnostic_of,
    http_head,
    is_segment,
    may_hold,
    names_of,
    payload_of,
)
from rehref.containers.warc.record_heads import HEAD_SIZE, RecordHead

SEGMENT = Fault("unsupported", "it is one segment of several, and left alone")
_PEEK = 1 << 12


def http_head_of(archive: Archive, head: RecordHead) -> bytes:
    """The HTTP head that the block of the record at hand begins with; b"" if it has none."""
    size = _PEEK
    http = http_head(head, archive.peek(size))
    while http is None and size < HEAD_SIZE:
        size *= 4
        http = http_head(head, archive.peek(size))
    return http or b""


class CurrentRecord:
    """The record that `archive.begin` came to."""

    def __init__(self, archive: Archive, options: ContainerOptions, wanted: WantsDocument) -> None:
        self._archive = archive
        self._wanted = wanted
        self._limits = options.limits
        self._diagnostics: list[Diagnostic] = []
        self._payload: Payload | None = None
        self._new: bytes | None = None
        if archive.problem:
            self._report(archive.problem)
        elif archive.head is not None and may_hold(archive.head):
            self._look(archive.head, options.outer)

    def _look(self, head: RecordHead, outer: Layers) -> None:
        """See what of the record is wanted."""
        http = http_head_of(self._archive, head)
        names = names_of(head, self._archive.offset, unpacked=self._archive.unpacked)
        payload = payload_of(head, names, http, outer, self._wanted)
        if not (payload.wants_head or payload.wants_body):
            return
        if is_segment(head):
            self._report(SEGMENT)
        else:
            self._payload = payload

    # --- reading

    @property
    def wants_head(self) -> bool:
        """Whether its HTTP head is a document that is wanted."""
        return self._payload is not None and self._payload.wants_head

    def head_part(self) -> Part:
        """The HTTP head as a document; only if it `wants_head`."""
        assert self._payload is not None
        return self._payload.head_part()

    def body_part(self) -> Part | None:
        """The body as a document, if it is wanted and can be read."""
        payload = self._payload
        if payload is None or not payload.wants_body:
            return None
        block = self._archive.block(self._limits)
        if block is None:
            self._report(self._archive.problem)
            self._payload = None
            return None
        decoded = payload.decoded(block, self._limits)
        if decoded.note:
            self._report(Fault("damaged" if decoded.data is not None else "unreadable", decoded.note))
        return None if decoded.data is None else payload.body_part(decoded.data, self._wanted)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """What is the matter with it, as far as that has not been given yet."""
        while self._diagnostics:
            yield self._diagnostics.pop(0)

    def _report(self, fault: Fault | None) -> None:
        if fault is not None:
            self._diagnostics.append(diagnostic_of(self._archive, fault))

    # --- changing

    def change(self, change: ChangePart) -> None:
        """Let its documents be changed, and write it anew if they are."""
        http = None
        if self.wants_head:
            changed = change(self.head_part())
            http = None if changed is None else changed.data
        part = self.body_part()
        body = None if part is None else change(part)
        if http is not None or body is not None:
            self._write(http, body)

    def _write(self, http: bytes | None, body: ChangedPart | None) -> None:
        """Write it anew; None: that part of it stays."""
        payload, head = self._payload, self._archive.head
        if payload is None or head is None:
            return
        http = payload.http if http is None else http
        if body is not None:
            http = head_without_codings(http, len(body.data)) if http else http
            self._new = rewritten(head, http, body.data, body_changed=True)
            return
        block = self._archive.block(self._limits)
        if block is None:
            self._report(self._archive.problem)
        else:
            self._new = rewritten(head, http, block[len(payload.http) :], body_changed=False)

    def convert(self, change: ChangePart) -> Conversion | None:
        """Let its body be changed; gives a conversion to be put behind it if it is. A conversion itself is none."""
        head = self._archive.head
        if head is None or head.kind == "conversion":
            return None
        part = self.body_part()
        changed = None if part is None else change(part)
        if part is None or changed is None:
            return None
        if head.kind == "arc":
            self._report(Fault("kept", "an ARC file has no conversion records, and it is left alone"))
            return None
        return conversion(head, changed.data, part.media_type)

    def end(self) -> Iterator[Diagnostic]:
        """Pass on behind it, and copy or write it; gives what turned out to be the matter."""
        self._report(self._archive.end(self._new))
        yield from self.diagnostics()
