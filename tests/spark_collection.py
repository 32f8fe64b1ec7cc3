"""A small collection, and its rows as one process has them: what Spark's are compared with."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

from rehref.archives.links_of_many import process

ROOT = Path(__file__).resolve().parents[1]
SIZE = 60_000
"""Bytes of a piece, so that archives are divided."""


def record(number: int, noise: random.Random) -> bytes:
    filling = noise.randbytes(noise.randrange(2000)).hex()
    body = f'<!doctype html><a href="a{number}">{filling}</a><img src=//i{number % 3}.example/é>'.encode()
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
        f"WARC-Target-URI: https://h{number % 2}.example/{number}\r\nWARC-Date: 2024-01-02T03:04:05Z\r\n"
        f"Content-Type: application/http;msgtype=response\r\nContent-Length: {len(http)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + b"\r\n\r\n", mtime=0)


def made(folder: Path) -> Path:
    """A folder with two archives, one of which has a broken record, and a page."""
    noise = random.Random(1)
    members = [record(number, noise) for number in range(300)]
    (folder / "one.warc.gz").write_bytes(b"".join(members[:150]))
    (folder / "two.warc.gz").write_bytes(b"".join(members[150:200]) + b"\x1f\x8b\x08\0x" + b"".join(members[200:]))
    (folder / "page.html").write_bytes(b'<base href="https://b.example/"><a href=x>')
    return folder


def as_text(rows: Any) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)


def rows_here(*files: Path) -> list[str]:
    return as_text(row._asdict() for file in files for row in process(file))


def rows_of(frame: Any) -> list[str]:
    return as_text(row.asDict(recursive=True) for row in frame.collect())
