"""The sites of `fixtures/sites` on a server of this machine, each as its host would serve it."""

from __future__ import annotations

import mimetypes
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from modules import module_at

SITES = Path(__file__).resolve().parents[2] / "fixtures" / "sites"
_TYPES = {".atom": "application/atom+xml", ".rss": "application/rss+xml", ".webmanifest": "application/manifest+json"}


FIXTURES: Any = module_at(SITES / "serve.py", "served_fixtures")


class Sent(NamedTuple):
    """What is sent: a status, a body, and header fields."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = {}


@dataclass
class Server:
    """A server. `url`: of its root; `requests`: what it was asked for, method and path, with the header fields."""

    url: str
    requests: list[tuple[str, str]] = field(default_factory=list)
    agents: list[str] = field(default_factory=list)


@contextmanager
def serving(send: Callable[[str], Sent]) -> Iterator[Server]:
    """A server on this machine that sends what `send` gives for a path with its query."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_GET(self) -> None:
            server.requests.append((self.command, self.path))
            server.agents.append(self.headers.get("User-Agent", ""))
            sent = send(self.path)
            self.send_response(sent.status)
            for name, value in {"Content-Length": str(len(sent.body)), **sent.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(sent.body)

        do_HEAD = do_GET  # noqa: N815 -- the name is fixed

        def log_message(self, *arguments: Any) -> None:
            pass

    found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.daemon_threads = True
    server = Server(f"http://127.0.0.1:{found.server_port}/")
    thread = threading.Thread(target=found.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        found.shutdown()
        thread.join()
        found.server_close()


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
