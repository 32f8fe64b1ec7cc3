"""A server on loopback that counts: what it was asked, by which method, and what with.

with counting() as server:
    server.url("/page")  # "http://127.0.0.1:40001/page"
    server.taken()  # [Asked("GET", "/page", None)], and nothing the next time
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import NamedTuple


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
    """The server. `pages`: by path; what waits does so until `go_on` is set."""

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


def _handler(state: Counting) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _answer(self) -> None:
            known = self.headers["If-None-Match"] or self.headers["If-Modified-Since"]
            state.asked.append(Asked(self.command, self.path, known))
            page = state.pages.get(self.path, Page(404))
            if page.waits:
                state.is_waiting.set()
                state.go_on.wait()
            is_known = known is not None and known in (page.etag, page.modified)
            self.send_response(304 if is_known else page.status)
            body = b"" if is_known else page.body
            fields = (("ETag", page.etag), ("Last-Modified", page.modified), ("Location", page.location))
            for name, value in (*fields, ("Content-Type", "text/html"), ("Content-Length", str(len(body)))):
                if value is not None:
                    self.send_header(name, value)
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_GET = do_HEAD = _answer  # noqa: N815 -- names of http.server

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return Handler


@contextmanager
def counting() -> Iterator[Counting]:
    """A server, until the end of the block."""
    state = Counting()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(state))
    server.daemon_threads = True
    state.port = server.server_address[1]
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield state
    finally:
        state.go_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
