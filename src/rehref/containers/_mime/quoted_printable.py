"""Quoted-printable (RFC 2045 §6.7): read, written, and spliced line by line.

A line outside all splices keeps all its bytes. A changed line keeps its escapes and its line end; invalid escapes and
lone CRs on it are written correctly, since the text beside them could give them a meaning. Linear time, however long
the lines and however many the splices.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rehref.text.encoding import Splice

LONGEST = 76
"""The maximum number of characters in a line (RFC 2045 §6.7 rule 5, §6.8)."""

_ESCAPE = re.compile(rb"=[0-9A-Fa-f]{2}")
_HEXADECIMAL = "0123456789ABCDEFabcdef"
_OCTETS = {(high + low).encode(): bytes.fromhex(high + low) for high in _HEXADECIMAL for low in _HEXADECIMAL}
_UNSAFE = re.compile(rb"[^\t\x20-\x3C\x3E-\x7E]")
_STRAY = re.compile(rb"=(?![0-9A-Fa-f]{2})|\r")
_WHITE_SPACE = b" \t"


class _Line(NamedTuple):
    """A line: its content from `start` to `end`, its line end from `line_end` to `stop`. `soft`: it decodes to none.

    The text between `end` and `line_end` decodes to nothing.
    """

    start: int
    end: int
    line_end: int
    stop: int
    soft: bool


def _lines(body: bytes) -> Iterator[_Line]:
    start, length = 0, len(body)
    while start < length:
        newline = body.find(b"\n", start)
        if newline < 0:
            line_end = stop = length
        else:
            stop = newline + 1
            line_end = newline - 1 if newline > start and body[newline - 1] == 13 else newline
        text = body[start:line_end].rstrip(_WHITE_SPACE)
        soft = text.endswith(b"=")
        yield _Line(start, start + len(text) - soft, line_end, stop, soft)
        start = stop


def unescape(text: bytes) -> bytes:
    """Decode the text of one line: only the escapes."""
    if b"=" not in text:
        return text
    pieces = text.split(b"=")
    decoded = [pieces[0]]
    for piece in pieces[1:]:
        octet = _OCTETS.get(piece[:2])
        decoded += (b"=", piece) if octet is None else (octet, piece[2:])
    return b"".join(decoded)


def decode_printable(body: bytes) -> bytes:
    """Decode a body. Never fails.

    `=HH` is an octet; `=` at the end of a line, ignoring white space after it, removes the line end; white space at the
    end of a line is removed. Everything else is literal, including invalid escapes. Lines end with LF or CR LF.
    """
    decoded = bytearray()
    for line in _lines(body):
        decoded += unescape(body[line.start : line.end])
        if not line.soft:
            decoded += body[line.line_end : line.stop]
    return bytes(decoded)


def line_end_of(body: bytes, default: bytes = b"\r\n") -> bytes:
    """The line end of a body: that of its first line."""
    newline = body.find(b"\n")
    if newline < 0:
        return default
    return b"\r\n" if body[newline - 1 : newline] == b"\r" else b"\n"


def encode_printable(data: bytes, line_end: bytes = b"\r\n") -> bytes:
    """Encode a whole body, in lines of at most 76 characters; white space before a line end is escaped.

    A line end in the text is written as one if it is that of the body, otherwise as octets: decoding returns exactly
    the text.
    """
    return _folded(_escaped(data, line_end), line_end)


def _escaped(data: bytes, line_end: bytes) -> bytes:
    """Escape everything but line ends and, at the ends of lines, white space."""
    return line_end.join(_UNSAFE.sub(_escape, line) for line in data.split(line_end))


def _escape(found: re.Match[bytes]) -> bytes:
    return b"=%02X" % found[0][0]


def _folded(text: bytes, line_end: bytes, *, soft: bool = False) -> bytes:
    """Fold lines to the maximum length. `soft`: a soft line break follows, so that the last one has less room."""
    lines = text.split(line_end)
    folded = []
    for number, line in enumerate(lines):
        last = soft and number == len(lines) - 1
        if not last and line.endswith((b" ", b"\t")):
            line = line[:-1] + b"=%02X" % line[-1]
        folded.append(_fold(line, line_end, LONGEST - last))
    return line_end.join(folded)


def _fold(line: bytes, line_end: bytes, room: int) -> bytes:
    if len(line) <= room:
        return line
    pieces = []
    at = 0
    while len(line) - at > room:
        cut = at + LONGEST - 1
        # never split an escape
        equals = line.find(b"=", cut - 2, cut)
        cut = cut if equals < 0 else equals
        pieces.append(line[at:cut])
        at = cut
    pieces.append(line[at:])
    return (b"=" + line_end).join(pieces)


def splice(body: bytes, splices: Sequence[Splice[bytes]], line_end: bytes = b"\r\n") -> bytes:
    """Apply splices of what a body decodes to, in order and without overlap, to the encoded body.

    `line_end`: the line end for a body without any.
    """
    work = _Splicing(body, splices, line_end_of(body, line_end))
    for line in _lines(body):
        work.line(line)
    return work.finished()


@dataclass(slots=True)
class _Splicing:
    """The state of `splice`: its position in the decoded body, and the pending output.

    `number`: of the next splice. `at`: where the next line begins in the decoded body. `resume`: the end of the last
    replaced range. `pending`: a changed line so far, escaped but not folded. `open`: whether the line end before the
    next line has been removed.
    """

    body: bytes
    splices: Sequence[Splice[bytes]]
    line_end: bytes
    out: bytearray = field(default_factory=bytearray)
    number: int = 0
    at: int = 0
    resume: int = 0
    pending: bytearray = field(default_factory=bytearray)
    open: bool = False

    def _next(self, end: int, *, last: bool) -> Splice[bytes] | None:
        """The next splice, if it begins before `end`, or at `end` if the body ends there."""
        if self.number < len(self.splices):
            found = self.splices[self.number]
            if found[0] < end or (last and found[0] == end):
                return found
        return None

    def line(self, line: _Line) -> None:
        """Write one line, or keep it until its end is known."""
        body = self.body
        raw = body[line.start : line.end]
        break_ = b"" if line.soft else body[line.line_end : line.stop]
        text_end = self.at + len(raw) - 2 * _escapes(raw)
        end = text_end + len(break_)
        last = line.line_end == line.stop
        if not self.open and self._next(end, last=last) is None:
            self.out += body[line.start : line.stop]
            self.at = end
            return
        cursor = _Cursor(raw, break_, self.at)
        cursor.copy_to(min(self.resume, end))
        while (found := self._next(end, last=last)) is not None:
            start, self.resume, new = found
            self.pending += cursor.copy_to(start)
            self.pending += _escaped(new, self.line_end)
            cursor.copy_to(min(self.resume, end))
            self.number += 1
        self.at = end
        if not last and cursor.at <= text_end and self.resume <= end:
            self.pending += cursor.copy_to(text_end)
            self._write(soft=line.soft, line_end=body[line.line_end : line.stop])
        else:
            self.pending += cursor.copy_to(end)
            self.open = True

    def _write(self, *, soft: bool, line_end: bytes) -> None:
        """Write the changed line; nothing for a line that decodes to nothing."""
        if self.pending or not soft:
            self.out += _folded(bytes(self.pending), self.line_end, soft=soft)
            self.out += b"=" + line_end if soft else line_end
        self.pending.clear()
        self.open = False

    def finished(self) -> bytes:
        """The whole body, with the remaining splices at its end."""
        for _, _, new in self.splices[self.number :]:
            self.pending += _escaped(new, self.line_end)
        self.out += _folded(bytes(self.pending), self.line_end)
        return bytes(self.out)


def _escapes(raw: bytes) -> int:
    return len(_ESCAPE.findall(raw)) if b"=" in raw else 0


@dataclass(slots=True)
class _Cursor:
    """A position in a line, in octets of the decoded body."""

    raw: bytes
    line_end: bytes
    at: int
    _raw_at: int = 0
    _break_at: int = 0

    def copy_to(self, target: int) -> bytes:
        """Move to `target`, if that is further; returns the text up to it, escaped so that its meaning stays."""
        start = self._raw_at
        while self.at < target and self._raw_at < len(self.raw):
            octets = target - self.at
            found = _ESCAPE.search(self.raw, self._raw_at, self._raw_at + octets + 2)
            plain = found.start() - self._raw_at if found else min(octets, len(self.raw) - self._raw_at)
            self.at += plain
            self._raw_at += plain
            if found and self.at < target:
                self.at += 1
                self._raw_at = found.end()
        copied = _STRAY.sub(_escape, self.raw[start : self._raw_at])
        if self.at < target:
            octets = target - self.at
            copied += _UNSAFE.sub(_escape, self.line_end[self._break_at : self._break_at + octets])
            self._break_at += octets
            self.at = target
        return copied
