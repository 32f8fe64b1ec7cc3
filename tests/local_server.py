"""Runs a server of `http.server` on loopback, in a thread, while tests use it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

_EVERY = 0.01
"""How often it looks whether it is to end, in seconds."""


class Quiet(BaseHTTPRequestHandler):
    """Handles requests, and writes no log."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served_by(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[int]:
    """A server that makes a handler of each request; its port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(_EVERY,), daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
