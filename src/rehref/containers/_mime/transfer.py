"""Transfer encodings (RFC 2045 §6): decode bodies, whole or piece by piece, and encode changed bodies as before.

A changed body keeps as many of the old bytes as it can: quoted-printable its unchanged lines, base64 the lines before
the first change. `7bit`, `8bit` and `binary` leave a body as it is; one of any other encoding is not read.
"""

from __future__ import annotations

import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Iterable, Iterator

from rehref.containers._mime import quoted_printable
from rehref.containers._mime.mail_fields import Buffer
from rehref.containers._mime.quoted_printable import LONGEST, line_end_of
from rehref.containers._mime.structure import IDENTITY
from rehref.containers.parts import ChangedPart
from rehref.exceptions import RehrefError

KNOWN = IDENTITY | {"quoted-printable", "base64"}
"""The transfer encodings that are read, in lower case; "" is 7bit."""

_CHUNK = 1 << 20
_CHUNKS_OF_A_LINE = 8
_OTHERS = bytes(set(range(256)) - set(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
_DATA = re.compile(rb"[A-Za-z0-9+/]")
_PADDING = re.compile(rb"=[=\s]*+").match


class TransferError(RehrefError, ValueError):
    """A body that cannot be changed; the message is the reason."""


def unpacked_size(length: int, encoding: str) -> int:
    """The maximum number of bytes that `length` encoded ones decode to."""
    return length // 4 * 3 if encoding == "base64" else length


def decode_body(body: bytes, encoding: str) -> bytes:
    """Decode a body. `encoding`: one of `KNOWN`. Never fails on a body."""
    if encoding == "quoted-printable":
        return quoted_printable.decode_printable(body)
    return decode_base64(body) if encoding == "base64" else body


def chunks(data: Buffer, start: int, end: int, encoding: str) -> Iterator[bytes]:
    """Decode the body from `start` to `end` (bytes of `data`) in pieces of about a megabyte.

    A quoted-printable line that is longer than several of those is split: white space at the split counts.
    """
    pieces = (data[at : min(at + _CHUNK, end)] for at in range(start, end, _CHUNK))
    if encoding == "quoted-printable":
        return _quoted_printable_chunks(pieces)
    return _base64_chunks(pieces) if encoding == "base64" else pieces


def _quoted_printable_chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    line: list[bytes] = []
    for piece in pieces:
        whole, newline, rest = piece.rpartition(b"\n")
        if newline:
            yield quoted_printable.decode_printable(b"".join((*line, whole, newline)))
            line.clear()
        line.append(rest)
        if len(line) > _CHUNKS_OF_A_LINE:
            text = b"".join(line)
            cut = text.find(b"=", len(text) - 2)  # an escape may continue
            cut = len(text) if cut < 0 else cut
            yield quoted_printable.unescape(text[:cut])
            line = [text[cut:]]
    yield quoted_printable.decode_printable(b"".join(line))


def _base64_chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    left = b""
    for piece in pieces:
        text, padding, _ = piece.partition(b"=")
        text = left + _characters(text)
        full = len(text) - len(text) % 4
        left = text[full:]
        yield _decode_characters(text[:full])
        if padding:
            break
    yield _decode_characters(left)


def put_back(body: bytes, encoding: str, changed: ChangedPart, line_end: bytes) -> bytes:
    """The encoded body with the changes in it. `line_end`: that of the header fields.

    Without splices everything is encoded again. Raises `TransferError` for octets above ASCII in a `7bit` body, since
    the header fields around it exclude them, and for base64 with data after the padding, which would become active.
    """
    splices = changed.splices
    if encoding == "quoted-printable":
        if splices is None:
            return quoted_printable.encode_printable(changed.data, line_end_of(body, line_end))
        return quoted_printable.splice(body, splices, line_end)
    if encoding == "base64":
        if has_more_base64(body):
            raise TransferError("there are more data after the padding of its base64, which readers treat differently")
        first = 0 if splices is None else splices[0][0] if splices else len(changed.data)
        return replace_base64(body, changed.data, first, line_end)
    if encoding in ("", "7bit") and body.isascii() and not changed.data.isascii():
        raise TransferError("its transfer encoding is 7bit, and the new text is not ASCII")
    return changed.data


def _characters(text: bytes) -> bytes:
    """The characters of the alphabet in a text."""
    return text.translate(None, _OTHERS)


def decode_base64(body: bytes) -> bytes:
    """Decode a body (§6.8). Never fails.

    Characters outside the alphabet are skipped; the first "=" ends the data. The rest of a quantum that is cut off
    counts as far as it goes.
    """
    return _decode_characters(_characters(body[: _data_end(body)]))


def _decode_characters(text: bytes) -> bytes:
    """Decode characters of the alphabet; a single one left over is dropped, since it makes no octet."""
    if len(text) % 4 == 1:
        text = text[:-1]
    return a2b_base64(text + b"=" * (-len(text) % 4))


def _data_end(body: bytes) -> int:
    end = body.find(b"=")
    return len(body) if end < 0 else end


def has_more_base64(body: bytes) -> bool:
    """Whether there are data after those that are read."""
    return _DATA.search(body, _data_end(body)) is not None


def replace_base64(body: bytes, data: bytes, first: int = 0, line_end: bytes = b"\r\n") -> bytes:
    """The body with its data replaced by `data`, which equals the old data before byte `first`.

    The lines before that stay; from there on everything is encoded again, in lines as long as those of the body, with
    the same line ends. The text after the data stays. `line_end`: the line end for a body without any.
    """
    data_end = _data_end(body)
    kept_to = kept = count = at = 0
    while at < data_end and count // 4 * 3 <= first:
        if count % 4 == 0:
            kept_to, kept = at, count // 4 * 3
        newline = body.find(b"\n", at, data_end)
        stop = data_end if newline < 0 else newline + 1
        count += len(_characters(body[at:stop]))
        at = stop
    text = b2a_base64(data[kept:], newline=False)
    width = _width(body[:data_end])
    line_end = line_end_of(body, line_end)
    lines = [text[start : start + width] for start in range(0, len(text), width)] if width else [text]
    return body[:kept_to] + line_end.join(lines) + body[_tail(body, data_end) :]


def _width(body: bytes) -> int:
    """Characters in a line, a multiple of 4; 0 if everything is on one line."""
    first, newline, rest = body.strip().partition(b"\n")
    length = len(_characters(first))
    if newline == b"" or _DATA.search(rest) is None:
        return LONGEST if length <= LONGEST else 0
    return max(length - length % 4, 4)


def _tail(body: bytes, data_end: int) -> int:
    """Where the data ends with its padding, before the line end after it."""
    padding = _PADDING(body, data_end)
    end = data_end if padding is None else padding.end()
    before = body[:end].rstrip(b" \t\r\n")
    return len(before)
