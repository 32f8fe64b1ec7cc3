"""Servers on loopback, and gates to them: what sends pages, what counts, and the sites of `fixtures/sites`.

with serving(pages(index="<a href=a>")) as server:
    server.url  # "http://127.0.0.1:40001/", and `server.requests` has what was asked
with counting() as server:
    server.url("/page")  # "http://127.0.0.1:40001/page"
    server.taken()  # [Asked("GET", "/page", None)], and nothing the next time
async with listening(serve) as base: ...  # connections, byte by byte
"""

from __future__ import annotations

import asyncio
import mimetypes
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from local_server import Quiet, served_by
from modules import module_at

SITES = Path(__file__).resolve().parents[2] / "fixtures" / "sites"
_TYPES = {".atom": "application/atom+xml", ".rss": "application/rss+xml", ".webmanifest": "application/manifest+json"}


FIXTURES: Any = module_at(SITES / "serve.py", "served_fixtures")


class Sent(NamedTuple):
    """What is sent: a status, a body, and header fields."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


@contextmanager
def _answering(answer: Callable[[BaseHTTPRequestHandler], Sent]) -> Iterator[int]:
    """A server that sends what `answer` gives for a request; its port."""

    class Handler(Quiet):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            sent = answer(self)
            self.send_response(sent.status)
            for name, value in {"Content-Length": str(len(sent.body)), **sent.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):  # who has read enough
                self.wfile.write(b"" if self.command == "HEAD" else sent.body)
                self.wfile.flush()

        do_HEAD = do_GET  # noqa: N815 -- the name is fixed

    with served_by(Handler) as port:
        yield port


@dataclass
class Server:
    """A server. `url`: of its root; `requests`: what it was asked for, method and path, with the header fields."""

    url: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)


@contextmanager
def serving(send: Callable[[str], Sent]) -> Iterator[Server]:
    """A server that sends what `send` gives for a path with its query."""
    server = Server()

    def answer(request: BaseHTTPRequestHandler) -> Sent:
        server.requests.append((request.command, request.path))
        server.agents.append(request.headers.get("User-Agent", ""))
        return send(request.path)

    with _answering(answer) as port:
        server.url = f"http://127.0.0.1:{port}/"
        yield server


def fixture(name: str) -> Callable[[str], Sent]:
    """What sends a site of the fixtures; its documents say their encodings themselves."""
    site = FIXTURES.Site.read(name)

    def send(path: str) -> Sent:
        answer = FIXTURES.respond(site, urlsplit(path).path)
        if answer.location is not None:
            return Sent(answer.status, headers={"Location": answer.location})
        if answer.file is None:
            return Sent(answer.status)
        file = site.folder / answer.file
        media_type = _TYPES.get(file.suffix) or mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        return Sent(answer.status, file.read_bytes(), {"Content-Type": media_type})

    return send


def pages(**bodies: str | Sent) -> Callable[[str], Sent]:
    """What sends some pages of HTML: `index` is that of the root, all others are at their names."""

    def send(path: str) -> Sent:
        found = bodies.get(path.removeprefix("/") or "index", Sent(404))
        if isinstance(found, Sent):
            return found
        return Sent(body=found.encode(), headers={"Content-Type": "text/html; charset=utf-8"})

    return send


class Asked(NamedTuple):
    """A request. `known`: its `If-None-Match`, or its `If-Modified-Since`."""

    method: str
    path: str
    known: str | None


class Page(NamedTuple):
    """What there is at a path. What has `etag` or `modified` is not sent to whoever has it."""

    status: int = 200
    body: bytes = b""
    etag: str | None = None
    modified: str | None = None
    location: str | None = None
    waits: bool = False


@dataclass
class Counting:
    """A server that counts. `pages`: by path; what waits does so until `go_on` is set."""

    port: int = 0
    pages: dict[str, Page] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)
    go_on: Event = field(default_factory=Event)
    is_waiting: Event = field(default_factory=Event)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def taken(self) -> list[Asked]:
        """What was asked since it was last called, in the order of paths."""
        asked, self.asked = self.asked, []
        return sorted(asked, key=lambda each: (each.path, each.method, each.known or ""))

    def answer(self, request: BaseHTTPRequestHandler) -> Sent:
        known = request.headers["If-None-Match"] or request.headers["If-Modified-Since"]
        self.asked.append(Asked(request.command, request.path, known))
        page = self.pages.get(request.path, Page(404))
        if page.waits:
            self.is_waiting.set()
            self.go_on.wait()
        fields = {"ETag": page.etag, "Last-Modified": page.modified, "Location": page.location}
        headers = {"Content-Type": "text/html"} | {name: value for name, value in fields.items() if value is not None}
        is_known = known is not None and known in (page.etag, page.modified)
        return Sent(304, headers=headers) if is_known else Sent(page.status, page.body, headers)


@contextmanager
def counting() -> Iterator[Counting]:
    """A server that counts, until the end of the block."""
    state = Counting()
    with _answering(state.answer) as state.port:
        try:
            yield state
        finally:
            state.go_on.set()


@asynccontextmanager
async def listening(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], host: str = "127.0.0.1"
) -> AsyncIterator[str]:
    """A server whose connections `serve` handles: the beginning of its URLs, without a slash."""
    server = await asyncio.start_server(serve, host, 0)
    async with server:
        yield f"http://{host}:{server.sockets[0].getsockname()[1]}"


@asynccontextmanager
async def anyhow(url: str) -> AsyncIterator[None]:
    """A gate that is always open."""
    yield
