"""Folders that are sites, served as they are."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import served

from patience import PATIENCE


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Served]:
    folder = tmp_path_factory.mktemp("site")
    (folder.parent / "outside.html").write_text("outside", encoding="utf-8")
    (folder / "d e").mkdir()
    (folder / "empty").mkdir()
    (folder / ".git").mkdir()
    names = ("index.html", "about.html", "d e/index.html", "m.mjs", "x.woff2", "n", ".git/config", "page.php?id=1.html")
    for name in names:
        (folder / name).write_text(f"<a href=x>{name}</a>", encoding="utf-8")
    (folder / "out.html").symlink_to("../outside.html")
    (folder / "config.txt").symlink_to(".git/config")
    with suppress(OSError):  # APFS has no such names
        (folder / os.fsdecode(b"caf\xe9.html")).write_text("latin-1", encoding="utf-8")
    (folder / "grün.html").write_text("utf-8", encoding="utf-8")
    with served.serving(folder) as found:
        yield found


@pytest.mark.parametrize(
    ("path", "name", "media_type"),
    [
        ("/", "index.html", "text/html"),
        ("/?x=/..", "index.html", "text/html"),
        ("/about", "about.html", "text/html"),
        ("/about.html", "about.html", "text/html"),
        ("/d%20e/", "d e/index.html", "text/html"),
        ("/m.mjs", "m.mjs", "application/javascript"),
        ("/x.woff2", "x.woff2", "font/woff2"),
        ("/n", "n", "application/octet-stream"),
        ("/page.php%3Fid=1.html", "page.php?id=1.html", "text/html"),
    ],
)
def test_files_are_sent_as_they_are(site: served.Served, path: str, name: str, media_type: str) -> None:
    found = site.ask("localhost:*", path)
    assert (found.status, found.body.decode()) == (200, f"<a href=x>{name}</a>")
    assert found.fields["Content-Type"] == media_type


def test_a_folder_is_redirected_to_its_index(site: served.Served) -> None:
    found = site.ask("localhost:*", "/d%20e")
    assert (found.status, found.fields["Location"]) == (302, "/d%20e/")


@pytest.mark.parametrize(
    "path",
    [
        *("/none", "/empty", "/empty/", "/out.html", "/out", "/.git/config", "/../outside.html", "/a\\b", "/%00"),
        *("/%2e%2e/outside.html", "/" + "x" * 5000, "//outside.html", "/config.txt", "/d e/..%2f..%2foutside.html"),
    ],
)
def test_nothing_else_is_sent(site: served.Served, path: str) -> None:
    found = site.ask("localhost:*", path.replace(" ", "%20"))
    assert found.status == 404
    assert b"outside</" not in found.body


def test_it_has_no_other_origin(site: served.Served) -> None:
    assert site.ask("a.example.localhost:*").status == 404
    for origin in (
        "null",
        "http://web.example",
        "http://localhost",
        f"http://localhost:{site.port}",
        "http://.localhost",
    ):
        assert site.ask("localhost:*", "/", Origin=origin).fields["Access-Control-Allow-Origin"] is None


@pytest.mark.parametrize(
    "host",
    ["web.example", "localhost.web.example", "localhost@web.example", "127.0.0.1.web.example", "", "[::2]", "null"],
)
def test_a_name_that_leads_here_is_refused(site: served.Served, host: str) -> None:
    assert site.ask(host).status == 421


def raw(site: served.Served, request: bytes) -> bytes:
    """Everything that the server sends for some bytes, until it closes the connection."""
    with socket.create_connection(("127.0.0.1", site.port), PATIENCE) as connection:
        connection.sendall(request)
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.mark.skipif(sys.platform != "linux", reason="other systems may have Unicode names only")
def test_names_may_be_in_any_encoding(site: served.Served) -> None:
    for path in ("/caf%E9.html", "/caf%E9"):
        assert site.ask("localhost:*", path).body == b"latin-1"


def test_a_path_may_be_sent_without_escapes(site: served.Served) -> None:
    sent = "GET /grün.html HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    assert raw(site, sent.encode()).endswith(b"\r\n\r\nutf-8")


@pytest.mark.parametrize("host", ["localhost", "web.example"])
@pytest.mark.parametrize("field", ["Content-Length: 38", "Transfer-Encoding: chunked"])
def test_the_body_of_a_request_is_not_another_request(site: served.Served, host: str, field: str) -> None:
    sent = f"GET /about HTTP/1.1\r\nHost: {host}\r\n{field}\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert raw(site, sent.encode()).count(b"HTTP/1.1 ") == 1


def test_a_request_has_one_host(site: served.Served) -> None:
    sent = b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: web.example\r\nConnection: close\r\n\r\n"
    assert raw(site, sent).startswith(b"HTTP/1.1 421 ")


def test_a_file_that_cannot_be_read_is_not_sent(site: served.Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "open", refuse)
    found = site.ask("localhost:*", "/about.html")
    assert (found.status, found.body) == (403, b"rehref cannot read this file.\n")
    assert "about.html: Permission denied" in site.log


def refuse(path: Path, mode: str) -> None:
    """Say that a file may not be read, as the system does; root may read all files."""
    raise PermissionError(13, "Permission denied", str(path))
