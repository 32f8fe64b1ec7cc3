"""The server: it answers browsers on this machine, and nobody else.

It listens on 127.0.0.1 and, if the machine has it, on ::1. It answers requests to `localhost`, `*.localhost`, 127.0.0.1
and [::1]. All others get 421: they are from pages whose host leads to this machine (DNS rebinding). The body of a
request is not read, so none comes after it on its connection: it may be in the words of such a page. Redirects are 302,
and browsers keep nothing, since the next copy may have the same URLs.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Callable
from html import escape
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socket import AF_INET, AF_INET6
from socketserver import ThreadingTCPServer
from threading import Thread
from typing import BinaryIO, Final

from rehref.documents.media_types import MediaType
from rehref.exceptions import OptionError
from rehref.plugins.serve._copies import Copy, ToSend

_HOST = re.compile(r"(?:(?:(.+)\.)?localhost|127\.0\.0\.1|\[::1\])(?::[0-9]+)?", re.IGNORECASE).fullmatch
_RANGE = re.compile(r"bytes=([0-9]{0,18})-([0-9]{0,18})").fullmatch
_UNESCAPED = re.compile(r"[\x80-\xff]").sub
_LARGEST: Final = 64 << 20
_CHUNK: Final = 1 << 18
_MOST_SHOWN: Final = 100


class Server(ThreadingTCPServer):
    """A server on one address of this machine. `copy`: what it serves; `log`: called with each request."""

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there it would share the port with another program
    request_queue_size = 128
    copy: Copy
    log: Callable[[str], None]

    def __init__(self, family: int, address: str, port: int) -> None:
        self.address_family = family
        super().__init__((address, port), _Handler)
        self.port: int = self.socket.getsockname()[1]

    def handle_error(self, request: object, client_address: object) -> None:
        """Log an error, for example that a browser has closed the connection."""
        self.log(f"{type(sys.exception()).__name__}: {sys.exception()}")


def listen(port: int) -> list[Server]:
    """Listen on a port (0: any free one): the servers, which do not answer yet. Raises `OptionError`."""
    servers: list[Server] = []
    for family, address in ((AF_INET, "127.0.0.1"), (AF_INET6, "::1")):
        try:
            servers.append(Server(family, address, servers[0].port if servers else port))
        except OSError as error:
            if not servers or error.errno == errno.EADDRINUSE:
                reason = f"cannot be used: {(error.strerror or str(error)).lower()}"
                raise OptionError(f"--port {port}", reason, "name another, or 0 for any free one") from error
    return servers


def answer(servers: list[Server], folder: Path, log: Callable[[str], None]) -> None:
    """Answer requests for what a folder has until an exception (Ctrl-C) ends it."""
    copy = Copy(folder, servers[0].port)
    for server in servers:
        server.copy, server.log = copy, log
        if server is not servers[0]:
            Thread(target=server.serve_forever, daemon=True).start()
    servers[0].serve_forever()


def _requested_range(field: str, size: int) -> tuple[int, int] | None:
    """Return where the range of a `Range` field begins and ends; None if it says nothing that is understood."""
    found = _RANGE(field)
    if found is None or not (found[1] or found[2]) or (found[1] and found[2] and int(found[2]) < int(found[1])):
        return None
    if not found[1]:
        return max(0, size - int(found[2])), size
    return int(found[1]), min(size, int(found[2] or size) + 1)


class _Handler(BaseHTTPRequestHandler):
    """Answers the requests of a connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "rehref", ""
    timeout = 60
    wbufsize = _CHUNK

    def do_GET(self) -> None:
        self.path = _UNESCAPED(lambda each: f"%{ord(each[0]):02X}", self.path)
        if "Content-Length" in self.headers or "Transfer-Encoding" in self.headers:
            self.close_connection = True
        hosts = self.headers.get_all("Host", [])
        host = _HOST(hosts[0]) if len(hosts) == 1 else None  # RFC 9112 §3.2
        if host is None:
            self._send(421, b"rehref answers requests to localhost only.\n", "text/plain")
            return
        if self.command == "OPTIONS":
            self._head(204, 0, Allow="GET, HEAD, OPTIONS")
            return
        name = (host[1] or "").lower()
        found = self.server.copy.find(name, self.path)
        if found is None:
            self._send_missing(name)
        elif found.location:
            self._head(302, 0, Location=found.location)
        else:
            self._send_file(found, name)

    do_HEAD = do_OPTIONS = do_GET  # noqa: N815 -- as `BaseHTTPRequestHandler` calls them

    def _send_file(self, found: ToSend, name: str) -> None:
        copy = self.server.copy
        try:
            file = (copy.folder / found.path).open("rb")
        except OSError as error:
            self.server.log(f"{found.path}: {error.strerror}")
            self._send(403, b"rehref cannot read this file.\n", "text/plain")
            return
        with file:
            size = os.fstat(file.fileno()).st_size
            if not copy.is_site and MediaType.of(found.media_type).is_rewritten and size <= _LARGEST:
                self._send_rewritten(file.read(), found, name)
            else:
                self._send_bytes(file, size, found.media_type)

    def _send_rewritten(self, data: bytes, found: ToSend, name: str) -> None:
        """Send a document with references to this server.

        As it is, if that fails or it has more than `_LARGEST` bytes.
        """
        try:
            data = self.server.copy.localized(data, found)
        except Exception as error:
            self.server.log(f"{found.path}: sent unchanged: {type(error).__name__}: {error}")
        policy = {} if name else {"Content_Security_Policy": "default-src 'none'; style-src 'unsafe-inline'"}
        self._send(200, data, found.media_type, **policy)

    def _send_bytes(self, file: BinaryIO, size: int, media_type: str) -> None:
        """Send a file in pieces, or a part of it (RFC 9110 §14.2; several ranges are ignored)."""
        first, end = _requested_range(self.headers.get("Range", ""), size) or (0, size)
        if first >= end and size:
            self._head(416, 0, Content_Range=f"bytes */{size}")
            return
        part = {} if (first, end) == (0, size) else {"Content_Range": f"bytes {first}-{end - 1}/{size}"}
        self._head(206 if part else 200, end - first, media_type, Accept_Ranges="bytes", **part)
        if self.command == "HEAD":
            return
        file.seek(first)
        while chunk := file.read(min(end - file.tell(), _CHUNK)):
            self.wfile.write(chunk)
        if file.tell() < end:  # the file has become shorter
            self.close_connection = True

    def _send_missing(self, name: str) -> None:
        """Say that something is not in the copy, where it is on the web, and what the copy has.

        Folders are not listed.
        """
        origins = self.server.copy.origins
        uri = escape(origins.get(name, f"http://{name or 'localhost'}") + self.path)
        web = f' <a rel="noreferrer" href="{uri}">Look for it on the web</a>.' if name in origins else ""
        links = "".join(
            f'<li><a href="http://{each}.localhost:{self.server.port}/">{escape(origin)}</a>\n'
            for each, origin in sorted(origins.items())[:_MOST_SHOWN]
        )
        page = f"<!DOCTYPE html>\n<title>Not in this copy</title>\n<h1>Not in this copy</h1>\n<p>{uri}{web}\n"
        page += f'<p><a href="http://localhost:{self.server.port}/">The beginning</a>\n<ul>{links}</ul>\n'
        self._send(404, page.encode("utf-8", "replace"), "text/html; charset=utf-8")

    def _send(self, status: int, data: bytes, media_type: str, **fields: str) -> None:
        self._head(status, len(data), media_type, **fields)
        self.wfile.write(b"" if self.command == "HEAD" else data)

    def _head(self, status: int, length: int, media_type: str = "", **fields: str) -> None:
        """Send the status and the header fields; `fields` with `_` for `-`.

        Pages of the copy may read files of all its hosts (CORS), as modules and fonts require. No other page may.
        """
        origin = self.headers.get("Origin", "")
        if origin in self.server.copy.local_origins:
            fields |= {"Access_Control_Allow_Origin": origin, "Access_Control_Allow_Headers": "*"}
        fields |= {"Content_Type": media_type, "Cache_Control": "no-store"}
        if status != 204:  # RFC 9110 §8.6
            fields["Content_Length"] = str(length)
        if self.close_connection:
            fields["Connection"] = "close"
        self.send_response(status)
        for name, value in {**fields, "Vary": "Origin"}.items():
            if value:
                self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        """Log a request, with the host that it is for."""
        self.server.log(f"{getattr(self, 'headers', {}).get('Host', '')} {format % arguments}")
