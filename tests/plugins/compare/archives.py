"""Web archives (WARC) of a small site, as states to compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from plugins.compare.sites import page

SITE = "http://mill.example/"


def record(uri: str, block: bytes, kind: str = "response") -> bytes:
    """A record with an HTTP message."""
    msgtype = "request" if kind == "request" else "response"
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {uri}\r\nWARC-Date: 2024-01-01T00:00:00Z\r\n"
        f"WARC-Record-ID: <urn:test:{abs(hash((uri, kind, block)))}>\r\n"
        f"Content-Type: application/http; msgtype={msgtype}\r\nContent-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def answer(uri: str, body: str, status: int = 200, fields: Mapping[str, str] = {}) -> bytes:
    """A record with a response."""
    lines = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(body.encode())), **fields}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return record(uri, f"HTTP/1.1 {status} X\r\n{head}\r\n{body}".encode())


def archive(file: Path, pages: Mapping[str, str], redirects: Mapping[str, str], more: Iterable[bytes] = ()) -> Path:
    """Write an archive of a site with a home page and two others, more pages and redirects, by their URLs below it."""
    usual = {"": page("Home"), "news.html": page("News"), "club.html": page("Club")}
    records = [answer(SITE + url, text) for url, text in {**usual, **pages}.items()]
    records += [answer(SITE + url, "", 301, {"Location": to}) for url, to in redirects.items()]
    file.write_bytes(b"".join([*records, *more]))
    return file
