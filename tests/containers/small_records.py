"""Small records, packed or not; what is read of them, and copied."""

from __future__ import annotations

import gzip
from typing import NamedTuple

import zstandard

from containers.in_memory import everything, in_memory, pages_only
from rehref.containers.parts import Diagnostic, Part

WARC = in_memory("warc", pages_only)
UNENDED = [b"WARC/1.0\r\nContent-Length: 7000000\r\n\r\n", b"WARC/1.0\r\nX: a", b"WARC/1.0\r\n\r\n", b"WARC/"]
"""Contents of members whose records do not end."""


def record(number: int, uri: str = "http://example.com/", more: bytes = b"") -> bytes:
    block = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=x>" + more
    head = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\nWARC-Target-URI: {uri}\r\n"
        f"Content-Type: application/http\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def packed(number: int) -> bytes:
    return gzip.compress(record(number), mtime=0)


def frame(number: int) -> bytes:
    return zstandard.ZstdCompressor().compress(record(number))


class Found(NamedTuple):
    names: list[str]
    faults: int


def found(data: bytes) -> Found:
    """What is read; the copy is the same bytes."""
    assert WARC.rewritten(data, lambda part: None, wanted=everything)[0] == data
    all_ = WARC.found(data)
    names = [each.name.removeprefix("urn:uuid:") for each in all_ if isinstance(each, Part)]
    return Found(names, sum(isinstance(each, Diagnostic) for each in all_))
