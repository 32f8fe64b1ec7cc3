"""One question, one answer, in detail."""

from __future__ import annotations

import asyncio
import gzip
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from patience import PATIENCE
from rehref.web.answers import Answer, Hop, Question
from rehref.web.servers import SILENT_AFTER, HostRecords
from web.servers import listening
from web.stub import connected


def answered(make: Callable[[str], Question], *replies: bytes, is_silent: bool = False) -> tuple[Answer, list[bytes]]:
    """The answer to a question about a server with these replies, the last again and again, and what it was asked."""
    (found,), asked = all_answered([make], *replies, is_silent=is_silent)
    return found, asked


def all_answered(
    makes: list[Callable[[str], Question]], *replies: bytes, is_silent: bool = False
) -> tuple[list[Answer], list[bytes]]:
    asked: list[bytes] = []
    left = list(replies)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(left.pop(0) if len(left) > 1 else left[0])
        writer.close()

    async def run() -> list[Answer]:
        records = HostRecords()
        async with listening(serve) as base, connected(records=records) as ask:
            if is_silent:
                records.of(base).silent = SILENT_AFTER
            return [await ask(make(base)) for make in makes]

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


@pytest.mark.parametrize("target", ["/?", "/a/?", "/a?", "/?b", "/?b=c?", "/", "/a%3F", "/??"])
def test_an_empty_query_is_asked_for(target: str) -> None:
    found, asked = answered(
        lambda base: Question(f"{base}{target}#c".replace("//", "//u:p@", 1)), b"HTTP/1.1 200 OK\r\n\r\n"
    )
    assert [each.split(b"\r\n")[0] for each in asked] == [f"HEAD {target} HTTP/1.1".encode()]
    assert found.final.endswith(target)


@pytest.mark.parametrize("head", [b"", b"Content-Length: 20000000\r\n"])
def test_the_beginning_of_a_body_may_be_enough(head: bytes) -> None:
    reply = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + head + b"\r\n" + b"ab" * 10_000_000
    found, asked = answered(lambda base: Question(f"{base}/robots.txt", needs_body=True, enough=5), reply)
    assert (found.status, found.failure, found.body) == (200, None, b"ababa")
    assert b"Accept-Encoding: identity\r\n" in asked[0]
    whole, _ = answered(lambda base: Question(f"{base}/robots.txt", needs_body=True), reply)
    assert (whole.failure, whole.body) == ("too-large", None)
    short, _ = answered(
        lambda base: Question(base, needs_body=True, enough=5), b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"
    )
    assert (short.failure, short.body) == (None, b"ab")


def lines(asked: list[bytes]) -> list[bytes]:
    return [each.split(b" HTTP/")[0] for each in asked]


def moved(location: bytes, status: int = 301) -> bytes:
    return b"HTTP/1.1 %d X\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % (status, location)


THERE = b"HTTP/1.1 204 X\r\n\r\n"
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nab"


def test_the_way_is_in_the_answer() -> None:
    found, asked = answered(lambda base: Question(f"{base}/a/b"), moved(b"../c#d", 308), moved(b"?e", 307), THERE)
    base = found.url.removesuffix("/a/b")
    assert found.hops == (Hop(f"{base}/a/b", 308, f"{base}/c#d"), Hop(f"{base}/c", 307, f"{base}/c?e"))
    assert (found.status, found.final) == (204, f"{base}/c?e")
    assert lines(asked) == [b"HEAD /a/b", b"HEAD /c", b"HEAD /c?e"]


@pytest.mark.parametrize(
    ("location", "target"),
    [
        ("/ä b?c=ü".encode(), b"/%C3%A4%20b?c=%C3%BC"),
        ("/ä".encode("latin-1"), b"/%C3%A4"),  # neither UTF-8, nor does anybody know: as ISO-8859-1
        (b" /x ", b"/x"),
        (b"/a/./b/../c", b"/a/c"),
        (b"/a|b`{}", b"/a|b%60%7B%7D"),  # not "^", which the Standard encodes since 2024, and old ada-url does not
        (b"/%41%zz", b"/%41%zz"),
        (b"http:/x", b"/x"),
        (b"", b"/"),
    ],
)
def test_a_location_is_read_as_browsers_do(location: bytes, target: bytes) -> None:
    _, asked = answered(lambda base: Question(f"{base}/"), moved(location), THERE)
    expected = [b"HEAD /", b"HEAD " + target]
    if location == b"":
        assert lines(asked)[:2] == [b"HEAD /", b"GET /"]  # a circle, which is not believed of HEAD
    else:
        assert lines(asked) == expected


def test_an_answer_to_get_after_head_is_that_of_the_rest_of_the_way() -> None:
    found, asked = answered(Question, b"HTTP/1.1 405 X\r\nContent-Length: 0\r\n\r\n", moved(b"/a"), moved(b"/b"), OK)
    assert (found.status, len(found.hops)) == (200, 2)
    assert lines(asked) == [b"HEAD /", b"GET /", b"GET /a", b"GET /b"]


@pytest.mark.parametrize(
    ("reply", "is_silent", "methods"),
    [
        (b"", True, [b"HEAD"]),
        (b"", False, [b"HEAD", b"GET"]),
        (b"HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n", True, [b"HEAD", b"GET"]),
        (b"what?\r\n\r\n", True, [b"HEAD", b"GET"]),
    ],
)
def test_a_silent_host_is_not_asked_by_get_too(reply: bytes, is_silent: bool, methods: list[bytes]) -> None:
    _, asked = answered(Question, reply, is_silent=is_silent)
    assert list(dict.fromkeys(each.split()[0] for each in asked)) == methods  # aiohttp asks again itself


def test_whether_anything_has_changed_is_asked_of_the_url_alone() -> None:
    def question(base: str) -> Question:
        return Question(f"{base}/", etag='W/"a"', last_modified="Sun, 06 Nov 1994 08:49:37 GMT")

    unchanged = b'HTTP/1.1 304 X\r\nETag: W/"a"\r\n\r\n'
    assert len(answered(question, unchanged)[1]) == 1
    found, asked = answered(question, moved(b"/b"), unchanged)
    assert (found.status, found.failure, found.headers["etag"]) == (304, None, 'W/"a"')
    # of what it redirects to, nothing is known
    assert [b'\r\nIf-None-Match: W/"a"\r\n' in each for each in asked] == [True, False]
    assert [b"\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n" in each for each in asked] == [True, False]


def test_of_fields_that_there_is_one_of_the_first_counts() -> None:
    twice = b"Location: /a\r\nlocation: /a\r\nContent-Length: 0\r\n\r\n"
    fields = (
        b"Content-Type: text/html\r\nContent-Type: image/png\r\nETag: 1\r\nETag: 2\r\nRetry-After: 1\r\nretry-after: 2"
    )
    found, asked = answered(
        lambda base: Question(f"{base}/", needs_body=True),
        b"HTTP/1.1 302 X\r\n" + twice,
        b"HTTP/1.1 200 X\r\n" + fields + b"\r\nContent-Length: 2\r\n\r\nab",
    )
    assert lines(asked) == [b"GET /", b"GET /a"]
    named = [found.headers[name] for name in ("content-type", "etag", "retry-after")]
    assert named == ["text/html", "1", "1"]
    assert (found.body, found.retry_after) == (b"ab", 1.0)


def test_what_fields_say_is_text() -> None:
    reply = b"HTTP/1.1 200 OK\r\nX: \xc3\xa4\r\nY: \xe4\r\nLink: <a>\r\nlink: <b>\r\nSet-Cookie: a=b\r\n\r\n"
    found, _ = answered(Question, reply)
    assert found.headers == {"x": "ä", "y": "ä", "link": "<a>, <b>"}


def test_a_body_comes_with_the_media_type_of_a_document_or_none() -> None:
    replies = [
        b"HTTP/1.1 200 OK\r\n%sContent-Length: 2\r\n\r\nab" % each
        for each in (
            b"",
            b"Content-Type: text/html; charset=x\r\n",
            b"Content-Type: application/atom+xml\r\n",
            b"Content-Type: image/png\r\n",
            b"Content-Type: application/octet-stream\r\n",
        )
    ]
    found, _ = all_answered([lambda base: Question(f"{base}/", needs_body=True)] * len(replies), *replies)
    assert [each.body for each in found] == [b"ab", b"ab", b"ab", None, None]
    assert {(each.status, each.failure) for each in found} == {(200, None)}


def test_a_body_of_an_error_is_a_body() -> None:
    found, _ = answered(
        lambda base: Question(base, needs_body=True), b"HTTP/1.1 404 X\r\nContent-Type: text/html\r\n\r\nab"
    )
    assert (found.status, found.body) == (404, b"ab")


def test_a_gate_is_held_for_each_request_and_not_between() -> None:
    held: list[str] = []

    @asynccontextmanager
    async def gate(url: str) -> AsyncIterator[None]:
        held.append(f"in {url[-1]}")
        yield
        held.append(f"out {url[-1]}")

    async def run() -> Answer:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked = (await reader.readuntil(b"\r\n\r\n")).split(b" ")
            held.append(asked[0].decode())
            writer.write(moved(b"/b") if asked[1] == b"/a" else b"HTTP/1.1 404 X\r\nContent-Length: 0\r\n\r\n")
            writer.close()

        async with listening(serve) as base, connected() as ask:
            return await ask(f"{base}/a", gate)

    assert asyncio.run(run()).status == 404
    assert held == ["in a", "HEAD", "out a", "in b", "HEAD", "out b", "in b", "GET", "out b"]


def test_what_a_gate_raises_ends_the_question() -> None:
    @asynccontextmanager
    async def gate(url: str) -> AsyncIterator[None]:
        raise LookupError(url)
        yield

    async def run() -> None:
        async with connected() as ask:
            await ask("http://example.com/a", gate)

    with pytest.raises(LookupError, match="/a"):
        asyncio.run(run())


PARTS = (
    *(b"\r\n", b"\n", b"\0", b":", b" ", b"\xff", b"HTTP/1.1 ", b"999", b"-1", b"0\r\n\r\n"),
    *(
        *(b"Location: http://%00/", b"Location: //", b"Location: http://u:p@h:70000/", b"Location: \\\\x"),
        *(b"Location: http:/",),
    ),
    *(b"Set-Cookie: \xff=\x01", b"Set-Cookie: =;;;", b"Retry-After: 99999999999999999999", b"Content-Length: -5"),
    *(b"Transfer-Encoding: gzip", b"Content-Encoding: deflate, br, zstd", b"Upgrade: h2c\r\nConnection: upgrade"),
)
WHOLE = (OK, moved(b"/x?a=b#c"), b"HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")


def broken(chance: random.Random) -> bytes:
    """A response that somebody has damaged."""
    data = bytearray(chance.choice(WHOLE))
    for _ in range(chance.randint(1, 5)):
        place = chance.randrange(len(data) + 1)
        line = data.find(b"\r\n") + 2
        match chance.randrange(5):
            case 0:
                data[place:place] = chance.choice(PARTS)
            case 1:
                del data[place : place + chance.randint(1, 9)]
            case 2:
                data[place : place + 1] = bytes([chance.randrange(256)])
            case 3:
                data[line:line] = chance.choice(PARTS) + b"\r\n"
            case _:
                del data[place:]
    return bytes(data)


def test_an_answer_always_comes() -> None:
    chance = random.Random(1994)
    replies = [broken(chance) for _ in range(300)]
    makes = [lambda base, number=number: Question(f"{base}/", needs_body=number % 2 == 0) for number in range(100)]
    found, _ = all_answered(makes, *replies)
    assert all((each.status is None) <= (each.failure is not None) for each in found)
    assert len({each.failure for each in found}) > 2
    for each in found:
        "".join([*each.headers, *each.headers.values(), each.final, each.detail]).encode()


QUIET = """
import socketserver, threading
from rehref.web.answers import Question
from rehref.web.asking import ask
from rehref.web.asking_options import WebOptions

class Odd(socketserver.StreamRequestHandler):
    def handle(self):
        while self.rfile.readline().strip():
            pass
        self.wfile.write(b"HTTP/1.1 204 X\\r\\nSet-Cookie: \\xff:=1\\r\\nSet-Cookie: a[]: =1; =\\r\\n\\r\\n")

def answered(answer):
    print(answer.status)
    return ()

with socketserver.TCPServer(("127.0.0.1", 0), Odd) as server:
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    ask([Question(f"http://127.0.0.1:{server.server_address[1]}/")], WebOptions(allows_private=True), answered)
    server.shutdown()
"""


def test_nothing_that_servers_send_is_written_to_the_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-c", QUIET], env=os.environ, capture_output=True, timeout=PATIENCE, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (b"204", b"")


def test_a_packed_sitemap_is_unpacked() -> None:
    packed = gzip.compress(b"<urlset/>")
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\nContent-Length: %d\r\n\r\n" % len(packed)
    assert answered(lambda base: Question(f"{base}/a.xml.gz", needs_body=True), head + packed)[0].body == b"<urlset/>"
    assert answered(lambda base: Question(f"{base}/a.tar.gz", needs_body=True), head + packed)[0].body is None
    found, _ = answered(lambda base: Question(f"{base}/a.xml.gz", needs_body=True), head + packed[:-9] + b"123456789")
    assert (found.failure, found.body) == ("bad-response", None)
