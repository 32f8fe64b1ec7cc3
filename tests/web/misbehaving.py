"""A server on loopback that misbehaves: each way of it (`ways.WAYS`) has a path, or a port, of its own.

    with misbehaving(folder) as server:
        server.url("endless-body")  # "http://127.0.0.1:40001/endless-body"
        server.asked("endless-body")  # ["HEAD", "GET"]

It runs in a thread with an event loop of its own, so that commands can be tried on it, too. `server.ca_file` is to be
trusted where https is asked (`WebOptions.ca_file`). What a way is for, and what is to come of it, stands in `ways`.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import trustme

HOST = "127.0.0.1"


HOSTS = ("127.0.0.1", "localhost")
KINDS = ("valid", "expired", "not-yet", "self-signed", "other-host", "unknown-issuer")


class Certificates:
    """One for each kind, from an authority of their own. `ca_file`: the certificate of that, to be trusted.

    `hosts`: what they are for.
    """

    def __init__(self, folder: Path, hosts: tuple[str, ...] = HOSTS) -> None:
        self._hosts = hosts
        self._authority = trustme.CA()
        self.ca_file = folder / "ca.pem"
        self._authority.cert_pem.write_to_path(str(self.ca_file))
        self._folder = folder

    def context(self, kind: str) -> ssl.SSLContext:
        """What a server with a certificate of that kind needs."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        if kind == "self-signed":
            file = self._folder / "self-signed.pem"
            own = trustme.CA()
            file.write_bytes(own.private_key_pem.bytes() + own.cert_pem.bytes())
            context.load_cert_chain(file)
            return context
        long_ago, far_off = datetime(2001, 1, 1, tzinfo=UTC), datetime(2090, 1, 1, tzinfo=UTC)
        authority = trustme.CA() if kind == "unknown-issuer" else self._authority
        hosts = ("other.example",) if kind == "other-host" else self._hosts
        not_before = datetime(2089, 1, 1, tzinfo=UTC) if kind == "not-yet" else long_ago
        not_after = datetime(2002, 1, 1, tzinfo=UTC) if kind == "expired" else far_off
        authority.issue_cert(*hosts, not_before=not_before, not_after=not_after).configure_cert(context)
        return context


class Request(NamedTuple):
    """What came from a client. `number`: of this request among those for its target, from 1 on."""

    method: str
    target: str
    fields: dict[str, str]
    number: int


@dataclass
class Line:
    """A connection to a client, after its request."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    request: Request
    server: Server

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def reply(self, status: int | str, *fields: str, body: bytes = b"", keep: bool = False) -> None:
        """An ordinary response; without the body, if it is one to HEAD."""
        length = () if any(each.lower().startswith(LENGTHS) for each in fields) else (f"Content-Length: {len(body)}",)
        close = () if keep else ("Connection: close",)
        head = "\r\n".join((f"HTTP/1.1 {status} X", *length, *close, *fields)) + "\r\n\r\n"
        await self.send(head.encode() + (b"" if self.request.method == "HEAD" else body))

    async def page(self, body: bytes = b"<title>page</title>", *fields: str) -> None:
        """A page that is there."""
        await self.reply(200, "Content-Type: text/html; charset=utf-8", *fields, body=body)

    async def redirect(self, target: str, status: int = 302, *fields: str) -> None:
        """A redirection."""
        await self.reply(status, f"Location: {target}", *fields)

    async def stall(self) -> None:
        """Say nothing more, for as long as the client waits."""
        with suppress(OSError):
            await self.reader.read(-1)

    async def forever(self, piece: bytes, pause: float = 0.0) -> None:
        """Send the same again and again, for as long as the client takes it. `pause`: seconds between."""
        with suppress(OSError):
            while not self.writer.is_closing():
                await self.send(piece)
                await asyncio.sleep(pause)

    def reset(self) -> None:
        """End the connection so that the client gets an error (RST)."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()


LENGTHS = ("content-length", "transfer-encoding")
Behave = Callable[[Line], Awaitable[None]]


class Server:
    """The ports of a running server, and what they were asked. `ways`: how each path behaves."""

    def __init__(self, ways: dict[str, Behave], ca_file: str) -> None:
        self.ca_file = ca_file
        self.ports: dict[str, int] = {}
        self.requests: list[Request] = []
        self._ways = ways
        self._counts: Counter[str] = Counter()

    def url(self, path: str, port: str = "http") -> str:
        """Where a way is. `port`: a key of `ports`; all but `http` are asked by https."""
        scheme = "http" if port in PLAIN_PORTS else "https"
        return f"{scheme}://{HOST}:{self.ports[port]}/{path}"

    def asked(self, path: str) -> list[str]:
        """The methods by which a path was asked, in order."""
        return [each.method for each in self.requests if each.target.partition("?")[0] == f"/{path}"]

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A connection: one request after the other, as long as they behave."""
        with suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, asyncio.CancelledError):
            try:
                while not writer.is_closing():
                    line = Line(reader, writer, await self._request(reader), self)
                    await self._ways[line.request.target[1:].partition("?")[0].partition("/")[0]](line)
                    if not line.request.target.startswith("/kept"):
                        break
            finally:
                writer.close()

    async def _request(self, reader: asyncio.StreamReader) -> Request:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        method, target, _ = first.split(" ")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self._counts[target] += 1
        request = Request(method, target, fields, self._counts[target])
        self.requests.append(request)
        return request


async def _closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


async def _is_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        await reader.read(-1)
    writer.close()


async def _is_not_tls(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError, asyncio.CancelledError):
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
        await writer.drain()
    writer.close()


PLAIN_PORTS = ("http", "closes", "refused")
"""The ports that are asked by http. Others are `KINDS` (https, with a certificate of that kind), and `not-tls`,
`closes-tls`, `silent-tls`, where no TLS is."""


@dataclass
class _Running:
    loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.new_event_loop)

    def run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        tasks = asyncio.all_tasks(self.loop)
        for task in tasks:
            task.cancel()
        self.loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self.loop.close()


@contextmanager
def misbehaving(folder: Path, ways: dict[str, Behave]) -> Iterator[Server]:
    """The server, until the context ends. `folder`: for certificates."""
    certificates = Certificates(folder)
    server = Server(ways, str(certificates.ca_file))
    running = _Running()
    thread = Thread(target=running.run, daemon=True)
    thread.start()
    contexts: dict[str, ssl.SSLContext | None] = {kind: certificates.context(kind) for kind in KINDS}

    async def start() -> list[asyncio.Server]:
        listeners = {"http": (server.serve, None), "not-tls": (_is_not_tls, None)}
        listeners |= {kind: (server.serve, context) for kind, context in contexts.items()}
        listeners |= {"closes": (_closes, None), "closes-tls": (_closes, None), "silent-tls": (_is_silent, None)}
        started = []
        for name, (behave, context) in listeners.items():
            listener = await asyncio.start_server(behave, HOST, 0, ssl=context)
            server.ports[name] = listener.sockets[0].getsockname()[1]
            started.append(listener)
        return started

    started = asyncio.run_coroutine_threadsafe(start(), running.loop).result()
    with socket.socket() as taken:  # nobody listens there
        taken.bind((HOST, 0))
        server.ports["refused"] = taken.getsockname()[1]
        try:
            yield server
        finally:
            for listener in started:
                running.loop.call_soon_threadsafe(listener.close)
            running.loop.call_soon_threadsafe(running.loop.stop)
            thread.join()
