"""An archive or a folder, served in this process, and requests to it."""

from __future__ import annotations

import http.client
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from typing import NamedTuple

from click.testing import CliRunner

from patience import PATIENCE
from rehref.cli.program import program
from rehref.plugins.serve._http_server import answer, listen

_EVERY = 0.01
"""Seconds between two looks at whether it has to end."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    fields: http.client.HTTPMessage
    body: bytes


class Served:
    """A running server; `log`: what it logged."""

    def __init__(self, port: int, log: list[str]) -> None:
        self.port, self.log = port, log

    def url(self, name: str, path: str = "/") -> str:
        """The URL of a path on a host, by its name before `.localhost`."""
        return f"http://{name}.localhost:{self.port}{path}"

    def ask(self, host: str, path: str = "/", method: str = "GET", **fields: str) -> Answer:
        """Ask for something; `host`: the field of that name, with `*` for the port."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Host": host.replace("*", str(self.port)), **{n.replace("_", "-"): v for n, v in fields.items()}}
        connection.request(method, path, headers=headers)
        response = connection.getresponse()
        found = Answer(response.status, response.headers, response.read())
        connection.close()
        return found


def unpacked(archive: bytes, folder: Path) -> Path:
    """Unpack an archive into a folder `copy`, as `rehref serve` does."""
    (folder / "crawl.warc.gz").write_bytes(archive)
    arguments = ["--unpack", str(folder / "copy"), "--no-inline", str(folder / "crawl.warc.gz")]
    result = CliRunner().invoke(program, ["rewrite", "-q", *arguments])
    assert result.exit_code == 0, result.output
    return folder / "copy"


@contextmanager
def serving(folder: Path) -> Iterator[Served]:
    """Serve an unpacked archive, or a site."""
    servers = listen(0)
    log: list[str] = []
    for server in servers:
        server.serve_forever = partial(server.serve_forever, _EVERY)
    thread = Thread(target=answer, args=(servers, folder, log.append), daemon=True)
    thread.start()
    try:
        yield Served(servers[0].port, log)
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()
        thread.join()
