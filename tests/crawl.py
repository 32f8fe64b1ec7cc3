"""A made crawl: WARC records, for tests of unpacking."""

from __future__ import annotations

import base64
import gzip
import hashlib
import struct
import uuid
import zlib
from collections.abc import Iterable, Mapping

DATE = "2024-05-06T07:08:09Z"


def png(color: bytes = b"\xff\0\0") -> bytes:
    """An image of one dot."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" + color)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def unpacked_record(kind: str, uri: str, block: bytes, *, number: int = 0, date: str = DATE, **fields: str) -> bytes:
    """A record; `fields`: with `_` for `-`."""
    lines = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", f"<urn:uuid:{uuid.UUID(int=number)}>"),
        ("WARC-Date", date),
        ("WARC-Target-URI", uri),
        *((name.replace("_", "-"), value) for name, value in fields.items()),
        ("Content-Length", str(len(block))),
    ]
    head = "".join(f"{name}: {value}\r\n" for name, value in lines)
    return f"WARC/1.1\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def record(kind: str, uri: str, block: bytes, *, number: int = 0, date: str = DATE, **fields: str) -> bytes:
    """A record in a gzip member."""
    return gzip.compress(unpacked_record(kind, uri, block, number=number, date=date, **fields), 1, mtime=0)


def http(body: bytes, media_type: str | None = "text/html", status: str = "200 OK", **fields: str) -> bytes:
    """An HTTP response."""
    lines = [] if media_type is None else [("Content-Type", media_type)]
    lines += [(name.replace("_", "-"), value) for name, value in fields.items()]
    head = "".join(f"{name}: {value}\r\n" for name, value in lines)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode() + body


def digest(body: bytes) -> str:
    """The digest of a payload."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()


def response(
    uri: str, body: bytes | str = b"x", media_type: str | None = "text/html", *, number: int = 0, date: str = DATE
) -> bytes:
    """A response with the status 200."""
    data = body.encode() if isinstance(body, str) else body
    return record(
        "response",
        uri,
        http(data, media_type),
        number=number,
        date=date,
        Content_Type="application/http;msgtype=response",
        WARC_Payload_Digest=digest(data),
    )


def redirect(uri: str, location: str, *, date: str = DATE, status: str = "301 Moved Permanently") -> bytes:
    """A redirect."""
    block = http(b"", None, status, Location=location)
    return record("response", uri, block, date=date, Content_Type="application/http;msgtype=response")


def revisit(uri: str, *, date: str = DATE, status: str = "200 OK", **fields: str) -> bytes:
    """A revisit; `fields`: what it refers to."""
    return record("revisit", uri, http(b"", None, status), date=date, Content_Type="application/http", **fields)


def crawl(records: Iterable[bytes]) -> bytes:
    """An archive."""
    return record("warcinfo", "", b"software: made\r\n", Content_Type="application/warc-fields") + b"".join(records)


def pages(made: Mapping[str, tuple[bytes | str, str]]) -> bytes:
    """An archive of responses: URI to body and media type."""
    return crawl(response(uri, body, kind, number=number) for number, (uri, (body, kind)) in enumerate(made.items(), 1))


def request(uri: str, method: str, *, date: str = DATE, number: int = 1 << 60, **fields: str) -> bytes:
    """A request; `fields`: which records are concurrent."""
    block = f"{method} / HTTP/1.1\r\nHost: h.example\r\n\r\n".encode()
    kind = "application/http;msgtype=request"
    return record("request", uri, block, date=date, number=number, Content_Type=kind, **fields)


def record_id(number: int) -> str:
    """The id of a record with that number."""
    return f"<urn:uuid:{uuid.UUID(int=number)}>"
