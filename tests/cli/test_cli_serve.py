"""`rehref serve`: what it says, and what it leaves behind."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crawl import pages
from patience import PATIENCE

SITE = {"http://a.example/": ("<a href=/b>b</a>", "text/html"), "http://a.example/b": ("<p>b", "text/html")}


@contextmanager
def serving(source: Path, temporary: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str, int]]:
    """A process that serves: the process, the line that it prints, the port."""
    temporary.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "rehref", "serve", "--port", "0", *options, str(source)],
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "TMPDIR": str(temporary)},
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        found = re.search(r"localhost:(\d+)/", line)
        assert found is not None, line
        yield process, line, int(found[1])
    finally:
        process.kill()
        process.communicate()


def ask(port: int, host: str, path: str = "/") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    connection.request("GET", path, headers={"Host": host})
    response = connection.getresponse()
    found = response.status, response.read()
    connection.close()
    return found


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
def test_an_archive_until_an_interrupt(tmp_path: Path) -> None:
    archive = tmp_path / "crawl.warc.gz"
    archive.write_bytes(pages(SITE))
    temporary = tmp_path / "temporary"
    with serving(archive, temporary) as (process, line, port):
        assert line == f"rehref: {archive} is at http://localhost:{port}/; Ctrl-C ends it\n"
        assert ask(port, "a.example.localhost") == (200, b"<a href=/b>b</a>")
        assert len(list(temporary.iterdir())) == 1
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors.strip()) == (130, "")
    assert list(temporary.iterdir()) == []


def test_a_folder(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("<a href=b>b</a>", encoding="utf-8")
    with serving(tmp_path / "site", tmp_path / "temporary", "--verbose") as (process, _, port):
        assert ask(port, "localhost") == (200, b"<a href=b>b</a>")
        assert process.stderr is not None
        assert process.stderr.readline() == 'rehref: localhost "GET / HTTP/1.1" 200 -\n'
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_port_that_is_taken(run, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = run("serve", "--port", port, tmp_path)
    said = f"rehref: --port {port}: cannot be used: address already in use; name another, or 0 for any free one\n"
    assert (result.exit_code, result.stderr) == (2, said)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("absent.warc", None, "absent.warc: cannot be read: no such file or directory; check the name"),
        (
            "mail.eml",
            b"MIME-Version: 1.0\nFrom: a@b.example\nContent-Type: text/html\n\n<p>x",
            "mail.eml: is not a web archive; unpack it (rewrite --unpack), ",
        ),
        ("page.html", b"<p>", "page.html: cannot be unpacked; --unpack takes one of these: "),
    ],
)
def test_what_cannot_be_served(run, name: str, content: bytes | None, said: str) -> None:
    if content is not None:
        Path(name).write_bytes(content)
    result = run("serve", "--port", "0", name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"rehref: {said}")
    assert len(result.stderr.splitlines()) == 1
