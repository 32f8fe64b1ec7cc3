"""Connections and names: how many are kept, and what is remembered."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import suppress
from typing import Any

import pytest

from patience import PATIENCE
from rehref.web.connections import open_client
from rehref.web.following import answer
from rehref.web.hosts import place_of
from rehref.web.model import Question
from rehref.web.options import WebOptions
from rehref.web.transport.names import NameResolver
from rehref.web.transport.pool import OpenSockets
from web.gates import anyhow

SHORT = {"timeout": 0.2}
"""Seconds: names that nobody answers for are waited for."""


def test_open_sockets_are_counted_and_closed_ones_forgotten() -> None:
    sockets = OpenSockets(2)
    made = [socket.socket() for _ in range(3)]
    assert not sockets.are_many()
    for each in made[:2]:
        sockets.add(each)
    assert sockets.are_many()
    made[0].close()
    assert not sockets.are_many()
    sockets.add(made[2])
    assert sockets.are_many()
    for each in made:
        each.close()


@pytest.mark.parametrize(("most", "expected"), [(0, [b"close"] * 3), (99, [b""] * 3)])
def test_with_many_sockets_open_connections_are_not_kept(most: int, expected: list[bytes]) -> None:
    connections: list[int] = []
    asked: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                asked.append(head.partition(b"\r\nConnection: ")[2].partition(b"\r\n")[0])
                close = b"Connection: close\r\n" if asked[-1] else b""
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + close + b"\r\n")
                if close:
                    break
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, open_client(WebOptions(allows_private=True)) as client:
            client.sockets._most = most
            for _ in range(3):
                assert (await answer(Question(url), client, anyhow)).status == 200

    asyncio.run(run())
    assert asked == expected
    assert len(connections) == (3 if most == 0 else 1)


def test_a_small_body_that_nobody_wants_leaves_the_connection() -> None:
    connections: list[int] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(1)
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"HEAD"):
                    writer.write(b"HTTP/1.1 405 X\r\nContent-Length: 0\r\n\r\n")
                    continue
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
                writer.write(bytes(1000))
        except asyncio.IncompleteReadError:
            pass
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, open_client(WebOptions(allows_private=True)) as client:
            for _ in range(3):
                assert (await answer(Question(url), client, anyhow)).status == 200

    asyncio.run(run())
    assert len(connections) == 1


def test_a_dead_host_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[str] = []

    def getaddrinfo(host: str, *more: Any, **named: Any) -> list[Any]:
        looks.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "no")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    async def run() -> list[str | None]:
        urls = [f"http://dead.example/{number}" for number in range(20)]
        async with open_client(WebOptions()) as client:
            first = await asyncio.gather(*(answer(Question(url), client, anyhow) for url in urls))
            later = [await answer(Question(url), client, anyhow) for url in urls]
            return [each.failure for each in (*first, *later)]

    assert asyncio.run(run()) == ["unknown-host"] * 40
    assert looks == ["dead.example"]


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", ".example"])
def test_a_name_that_cannot_be_one(host: str) -> None:
    async def run() -> str | None:
        async with open_client(WebOptions()) as client:
            return (await answer(Question(f"http://{host}/"), client, anyhow)).failure

    assert asyncio.run(run()) == "unknown-host"


def test_silent_name_servers_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred names that nobody answers for, and one that is there."""
    release = threading.Event()
    really = socket.getaddrinfo

    def getaddrinfo(host: str, *more: Any, **named: Any) -> list[Any]:
        if host == "there.example":
            return really("127.0.0.1", *more, **named)
        release.wait()
        raise socket.gaierror(socket.EAI_AGAIN, "no")

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    async def run() -> list[Any]:
        names = NameResolver(lambda address: True)
        silent = [asyncio.ensure_future(names.resolve(f"silent{number}.example", 80)) for number in range(100)]
        await asyncio.sleep(0)
        found = await names.resolve("there.example", 80)
        assert not any(each.done() for each in silent)
        release.set()
        assert {type(each) for each in await asyncio.gather(*silent, return_exceptions=True)} == {socket.gaierror}
        return [each[4] for each in found]

    assert asyncio.run(run()) == [("127.0.0.1", 80)]


def test_threads_that_look_up_names_end_with_the_asking(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that processes can be forked after it; but who is silent is not waited for."""
    silent = threading.Event()
    ending = threading.Event()

    class Slow(threading.Thread):
        """One that ends a little later than what it does."""

        def run(self) -> None:
            super().run()
            ending.wait(0.1)

    def look_up(host: str, *_: object) -> list[object]:
        if host == "silent.test":
            silent.wait(PATIENCE)
        raise socket.gaierror(socket.EAI_NONAME, "unknown")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr("rehref.web.transport.names.Thread", Slow)
    before = set(threading.enumerate())

    async def ask_for(*hosts: str) -> None:
        async with open_client(WebOptions(**SHORT)) as client:
            await asyncio.gather(*(answer(Question(f"http://{host}/"), client, anyhow) for host in hosts))

    asyncio.run(ask_for(*(f"h{number}.test" for number in range(20))))
    assert set(threading.enumerate()) <= before  # a silent thread of another test may end meanwhile
    asyncio.run(ask_for("silent.test"))
    assert len(set(threading.enumerate()) - before) == 1
    silent.set()


def served(*replies: bytes | None, method: str = "HEAD", requests: int = 2) -> tuple[list[tuple[int, str]], list[Any]]:
    """What a server was asked, each with the number of the connection, and the statuses or failures of the answers.

    `replies`: to one request after the other; None: the connection is closed before the reply.
    """
    asked: list[tuple[int, str]] = []
    left, connections = list(replies), 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        number = connections = connections + 1
        try:
            while (reply := left.pop(0) if left else None) is not None:
                asked.append((number, (await reader.readuntil(b"\r\n\r\n")).decode().partition(" ")[0]))
                writer.write(reply)
        except (asyncio.IncompleteReadError, ConnectionError):
            left.insert(0, reply)  # nobody asked for it
        finally:
            writer.close()

    async def run() -> list[Any]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        found = []
        async with server, open_client(WebOptions(allows_private=True)) as client:
            for _ in range(requests):
                one = await answer(Question(url, needs_body=method == "GET"), client, anyhow)
                found.append(one.failure or one.status)
                await asyncio.sleep(0.05)  # until the client knows of an end
        return found

    return asked, asyncio.run(run())


_KEPT = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n"
_CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("reply", "method", "is_kept"),
    [
        (_KEPT + b"\r\n", "HEAD", True),
        (b"HTTP/1.1 200 OK\r\n\r\n", "HEAD", True),
        (b"HTTP/1.1 100 X\r\n\r\n" + _KEPT + b"\r\n", "HEAD", True),
        (_KEPT + b"\r\nab", "HEAD", False),  # a body that nobody may send
        (_KEPT + b"Connection: Close\r\n\r\n", "HEAD", False),
        (b"HTTP/1.0 200 OK\r\n\r\n", "HEAD", False),
        (b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n", "HEAD", True),
        (_KEPT + b"\r\nab", "GET", True),
        (_KEPT + b"Connection: close\r\n\r\nab", "GET", False),
        (_CHUNKED, "GET", True),
        (b"HTTP/1.1 204 X\r\n\r\n", "GET", True),
    ],
)
def test_which_connections_are_used_again(reply: bytes, method: str, is_kept: bool) -> None:
    asked, found = served(reply, reply, reply, method=method)
    assert found == [204 if b"204" in reply else 200] * 2
    assert asked == [(1, method), (1 if is_kept else 2, method)]


@pytest.mark.parametrize("method", ["HEAD", "GET"])
def test_a_kept_connection_that_was_closed_costs_no_answer(method: str) -> None:
    """The request is sent on a new one; the server has seen each once."""
    asked, found = served(_KEPT + b"\r\n" + b"ab" * (method == "GET"), None, _KEPT + b"\r\nab", method=method)
    assert (found, asked) == ([200, 200], [(1, method), (2, method)])


def test_a_connection_that_is_closed_while_a_request_is_on_its_way() -> None:
    """As when the server's time for it is over at that moment: the request is sent again, once."""

    async def run() -> tuple[str | int | None, int]:
        connections = 0

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            nonlocal connections
            connections += 1
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_KEPT + b"\r\n")
            if connections == 1:
                await reader.readuntil(b"\r\n\r\n")
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, open_client(WebOptions(allows_private=True)) as client:
            await answer(Question(url), client, anyhow)
            found = await answer(Question(url), client, anyhow)
        return found.failure or found.status, connections

    assert asyncio.run(run()) == (200, 2)


def test_bytes_that_nobody_asked_for_are_no_answer() -> None:
    """Else a server could answer a question before it is asked."""
    early = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    asked, found = served(_KEPT + b"\r\n" + early, _KEPT + b"\r\n", _KEPT + b"\r\n")
    assert (found, asked) == ([200, 200], [(1, "HEAD"), (2, "HEAD")])


def test_idle_connections_are_closed_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rehref.web.transport.pool._KEPT_FOR", 0.05)

    async def run() -> bool:
        closed = asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(_KEPT + b"\r\n")
            with suppress(ConnectionError):
                await reader.read()
            closed.set()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        async with server, open_client(WebOptions(allows_private=True)) as client:
            await answer(Question(url), client, anyhow)
            async with asyncio.timeout(PATIENCE):
                return await closed.wait()

    assert asyncio.run(run())


@pytest.mark.parametrize(
    ("name", "value"), [("X", "a\r\nY: b"), ("X\r\nY", "b"), ("X", "a\nb"), ("X", "a\0b"), ("X", "\ud800")]
)
def test_a_field_cannot_add_another(name: str, value: str) -> None:
    async def run() -> None:
        async with open_client(WebOptions()) as client:
            with pytest.raises(ValueError):
                client.request("HEAD", place_of("http://a.test/"), {name: value})

    asyncio.run(run())


def test_a_given_field_takes_the_place_of_the_usual_one() -> None:
    async def run() -> bytes:
        async with open_client(WebOptions(user_agent="me")) as client:
            client.cookies.take(["a=b"], place_of("http://a.test/"))
            fields = {"user-agent": "you", "HOST": "b.test", "cookie": "c=d"}
            return client.request("GET", place_of("http://u:p@a.test:81/x?y"), fields)

    lines = asyncio.run(run()).decode().split("\r\n")
    assert lines[0] == "GET /x?y HTTP/1.1"
    assert sorted(line for line in lines[1:] if not line.startswith("Accept")) == [
        *("", "", "HOST: b.test", "cookie: c=d; a=b", "user-agent: you")
    ]
