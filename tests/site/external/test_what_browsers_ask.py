"""The URLs and fragments of other sites as browsers take them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import rehref
from web.servers import listening


def check(
    folder: Path, page: bytes, body: bytes = b"", content_type: bytes = b"text/html"
) -> tuple[list[str], list[bytes]]:
    """The codes of a page in which `BASE` is a server's address, and the targets that the server was asked for."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append((await reader.readuntil(b"\r\n\r\n")).split(b" ")[1])
        head = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (content_type, len(body))
        writer.write(head + body)
        writer.close()

    async def run() -> rehref.CheckResult:
        async with listening(serve) as base:
            (folder / "a.html").write_bytes(b"<!doctype html><title>x</title>" + page.replace(b"BASE", base.encode()))
            return await asyncio.to_thread(rehref.check, folder, external=True, allow_private=True)

    return [each.code for each in asyncio.run(run()).findings], asked


def test_a_query_is_asked_in_the_encoding_of_its_page(tmp_path: Path) -> None:
    page = b"<meta charset=windows-1252><a href='BASE/\xe4?q=\xe4&\x80'>x</a>"
    assert check(tmp_path, page) == (["browser-differs"], [b"/%C3%A4?q=%E4&%80"])
    assert check(
        tmp_path, page.replace(b"windows-1252", b"utf-8").replace(b"\xe4", "ä".encode()).replace(b"\x80", b"")
    ) == (
        [],
        [b"/%C3%A4?q=%C3%A4&"],
    )


def test_a_picture_is_known_by_its_type(tmp_path: Path) -> None:
    page = b"<img alt=x src='BASE/a?b#svgView(viewBox(0,0,9,9))'><img alt=x src='BASE/a?b#xywh=0,0,9,9'>"
    picture = b"<svg xmlns='http://www.w3.org/2000/svg'/>"
    assert check(tmp_path, page, picture, b"image/svg+xml")[0] == []
    assert check(tmp_path, page.replace(b"/a?b", b"/a.svg"), b"<p>x", b"text/html")[0] == ["missing-fragment"] * 2
