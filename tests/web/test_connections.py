"""Connections and names: how many are kept, and what is remembered."""

from __future__ import annotations

import asyncio
import socket
import threading
from typing import Any

import pytest

from patience import PATIENCE
from rehref.web import _connections
from rehref.web._connections import NameResolver, OpenSockets
from rehref.web.asking_options import WebOptions
from web.servers import listening
from web.stub import connected

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
def test_with_many_sockets_open_connections_are_not_kept(
    most: int, expected: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_connections, "_MOST_KEPT", most)
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
        writer.close()

    async def run() -> None:
        async with listening(serve) as base, connected() as ask:
            for _ in range(3):
                assert (await ask(f"{base}/")).status == 200

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
            writer.close()

    async def run() -> None:
        async with listening(serve) as base, connected() as ask:
            for _ in range(3):
                assert (await ask(f"{base}/")).status == 200

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
        async with connected(WebOptions()) as ask:
            first = await asyncio.gather(*map(ask, urls))
            later = [await ask(url) for url in urls]
            return [each.failure for each in (*first, *later)]

    assert asyncio.run(run()) == ["unknown-host"] * 40
    assert looks == ["dead.example"]


@pytest.mark.parametrize("host", ["a" * 64 + ".example", "a..example", ".example"])
def test_a_name_that_cannot_be_one(host: str) -> None:
    async def run() -> str | None:
        async with connected(WebOptions()) as ask:
            return (await ask(f"http://{host}/")).failure

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
        silent = [asyncio.ensure_future(names.resolve(f"silent{number}.example")) for number in range(100)]
        await asyncio.sleep(0)
        found = await names.resolve("there.example", 80)
        assert not any(each.done() for each in silent)
        release.set()
        assert {type(each) for each in await asyncio.gather(*silent, return_exceptions=True)} == {socket.gaierror}
        return [(each["host"], each["port"]) for each in found]

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
    monkeypatch.setattr(_connections, "Thread", Slow)
    before = set(threading.enumerate())

    async def ask_for(*hosts: str) -> None:
        async with connected(WebOptions(**SHORT)) as ask:
            await asyncio.gather(*(ask(f"http://{host}/") for host in hosts))

    asyncio.run(ask_for(*(f"h{number}.test" for number in range(20))))
    assert set(threading.enumerate()) <= before  # a silent thread of another test may end meanwhile
    asyncio.run(ask_for("silent.test"))
    assert len(set(threading.enumerate()) - before) == 1
    silent.set()
