"""Transfer encodings (RFC 2045 §6): decode bodies, whole or piece by piece, and encode changed bodies as before.

1. `7bit`, `8bit` and `binary` leave a body as it is; `quoted-printable` and `base64` have modules of their own. Any
   other encoding is not read: the body stays as it is.
2. A changed body keeps as many of the old bytes as it can: quoted-printable its unchanged lines, base64 the lines
   before the first change. Without splices everything is encoded again.
3. A `7bit` body that is only ASCII must stay so: octets above it are rejected, since the header fields around it
   exclude them. A base64 body with more data after its padding stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rehref.containers.mime import base64_body, quoted_printable
from rehref.containers.mime.header_fields import Buffer
from rehref.containers.mime.structure import IDENTITY
from rehref.containers.parts import ChangedPart
from rehref.exceptions import RehrefError

KNOWN = IDENTITY | {"quoted-printable", "base64"}
"""The transfer encodings that are read, in lower case; "" is 7bit."""

_CHUNK = 1 << 20
_CHUNKS_OF_A_LINE = 8


class TransferError(RehrefError, ValueError):
    """A body that cannot be changed; the message is the reason."""


def unpacked_size(length: int, encoding: str) -> int:
    """The maximum number of bytes that `length` encoded ones decode to."""
    return length // 4 * 3 if encoding == "base64" else length


def decode(body: bytes, encoding: str) -> bytes:
    """Decode a body. `encoding`: one of `KNOWN`. Never fails on a body."""
    if encoding == "quoted-printable":
        return quoted_printable.decode(body)
    return base64_body.decode(body) if encoding == "base64" else body


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
            yield quoted_printable.decode(b"".join((*line, whole, newline)))
            line.clear()
        line.append(rest)
        if len(line) > _CHUNKS_OF_A_LINE:
            text = b"".join(line)
            cut = text.find(b"=", len(text) - 2)  # an escape may continue
            cut = len(text) if cut < 0 else cut
            yield quoted_printable.unescape(text[:cut])
            line = [text[cut:]]
    yield quoted_printable.decode(b"".join(line))


def _base64_chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    left = b""
    for piece in pieces:
        text, padding, _ = piece.partition(b"=")
        text = left + base64_body.characters(text)
        full = len(text) - len(text) % 4
        left = text[full:]
        yield base64_body.decode_characters(text[:full])
        if padding:
            break
    yield base64_body.decode_characters(left)


def put_back(body: bytes, encoding: str, changed: ChangedPart, line_end: bytes) -> bytes:
    """The encoded body with the changes in it. `line_end`: that of the header fields.

    Raises `TransferError` (rule 3).
    """
    splices = changed.splices
    if encoding == "quoted-printable":
        if splices is None:
            return quoted_printable.encode(changed.data, quoted_printable.line_end_of(body, line_end))
        return quoted_printable.splice(body, splices, line_end)
    if encoding == "base64":
        if base64_body.has_more(body):
            raise TransferError("there are more data after the padding of its base64, which readers treat differently")
        first = 0 if splices is None else splices[0][0] if splices else len(changed.data)
        return base64_body.replace(body, changed.data, first, line_end)
    if encoding in ("", "7bit") and body.isascii() and not changed.data.isascii():
        raise TransferError("its transfer encoding is 7bit, and the new text is not ASCII")
    return changed.data
