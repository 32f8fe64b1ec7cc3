"""Records that something may be wrong with; what is read of them, and copied."""

from __future__ import annotations

import gzip

from containers.in_memory import in_memory, pages_only
from rehref.containers.parts import ChangedPart, ContainerOptions, Diagnostic, Limits, Part

PAGE = b"<!doctype html>\n<p><a href=x>one</a> " + b"two three " * 20
WARC = in_memory("warc", pages_only)
LIMITS = Limits()
ID = "urn:uuid:00000000-0000-4000-8000-00000000000{}"


def record(number: int, length: int | str | None = None, body: bytes = PAGE, fields: str = "", http: str = "") -> bytes:
    block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{http}\r\n".encode() + body
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <{ID.format(number)}>\r\n{fields}"
        f"WARC-Target-URI: http://example.com/{number}\r\nContent-Type: application/http\r\n"
        f"Content-Length: {len(block) if length is None else length}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


SIZE = len(record(1)) - record(1).index(b"HTTP/") - 4


def seen(data: bytes, limits: Limits = LIMITS) -> tuple[list[str], list[str]]:
    """The last digits of the ids of the documents, and what was wrong."""
    everything = WARC.found(data, ContainerOptions(limits=limits))
    names = [each.name[-1] for each in everything if isinstance(each, Part)]
    return names, [str(each) for each in everything if isinstance(each, Diagnostic)]


def copied(data: bytes, limits: Limits = LIMITS, change: bytes = b"") -> tuple[bytes, list[str]]:
    def changed(part: Part) -> ChangedPart | None:
        return ChangedPart(part.data + change) if change else None

    return WARC.rewritten(data, changed, ContainerOptions(limits=limits))


def packed(*pieces: bytes) -> bytes:
    return b"".join(gzip.compress(piece, mtime=0) for piece in pieces)


def unpacked(data: bytes) -> bytes:
    return gzip.decompress(data)
