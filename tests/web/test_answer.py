"""One question, one answer: against a server that does nothing odd."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rehref.web.connections import open_client
from rehref.web.following import answer, anyhow
from rehref.web.model import Answer, Question
from rehref.web.options import WebOptions


def answered(make: Callable[[str], Question], reply: bytes) -> tuple[Answer, list[bytes]]:
    """The answer to a question about a server that always says the same, and what it was asked."""
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(reply)
        writer.close()

    async def run() -> Answer:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, open_client(WebOptions(allows_private=True)) as client:
            return await answer(make(f"http://127.0.0.1:{port}"), client, anyhow)

    return asyncio.run(run()), asked


def test_what_is_there_is_asked_by_head() -> None:
    found, asked = answered(Question, b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nX: a\r\nx: b\r\n\r\n")
    assert (found.status, found.failure, found.hops, found.body) == (200, None, (), None)
    assert found.final == found.url + "/"
    assert found.headers == {"content-type": "text/html", "x": "a, b"}
    assert [each.split(b"\r\n")[0] for each in asked] == [b"HEAD / HTTP/1.1"]


def test_a_body_is_asked_for_by_get() -> None:
    found, asked = answered(
        lambda base: Question(f"{base}/ä?b=ü&{{}}#c", needs_body=True),
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nab",
    )
    assert (found.status, found.failure, found.body) == (200, None, b"ab")
    assert [each.split(b"\r\n")[0] for each in asked] == [b"GET /%C3%A4?b=%C3%BC&{} HTTP/1.1"]


def test_whether_anything_has_changed_is_asked_of_the_url_alone() -> None:
    def question(base: str) -> Question:
        return Question(f"{base}/a", etag='"1"', last_modified="Sat, 01 Jan 2000 00:00:00 GMT")

    found, asked = answered(question, b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
    assert found.failure == "redirect-loop"
    validators = [(b'If-None-Match: "1"' in each, b"If-Modified-Since: Sat" in each) for each in asked]
    assert validators[0] == (True, True)
    assert validators[1] == (False, False)
    found, asked = answered(question, b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n')
    assert (found.status, found.failure, len(asked)) == (304, None, 1)
