"""After rehref has changed a site, Chromium still accepts everything that has a hash."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import devtools
import pytest
from click.testing import CliRunner

from containers.in_memory import in_memory
from crawl import crawl, response
from hashed_site import PICTURE, hashed, site
from local_server import Quiet, served_by
from patience import wait_until
from rehref.cli.program import program
from rehref.containers.parts import Part

pytestmark = pytest.mark.browser


class _Files(Quiet, SimpleHTTPRequestHandler):
    """Serves a folder."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "site"


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    with served_by(partial(_Files, directory=str(folder))) as port:
        yield f"http://localhost:{port}/"


def run(*arguments: str) -> None:
    result = CliRunner().invoke(program, arguments, catch_exceptions=False)
    assert result.exit_code == 0, result.output


def assert_accepted(tab: devtools.Tab, url: str, picture: str) -> None:
    """All that has a hash works in Chromium, and shows the picture."""
    assert tab.failures(url + "index.html") == []
    wait_until(lambda: "module" in tab.run("document.title"))
    assert tab.run("document.title") == "t script module"
    shown = "[sheet, inline, attribute].map(each => getComputedStyle(each).backgroundImage).join()"
    assert tab.run(shown) == ",".join([f'url("{url}{picture}")'] * 3)


def test_as_it_is_made(tab: devtools.Tab, folder: Path, url: str) -> None:
    site(folder)
    assert_accepted(tab, url, "img/a.svg")


def test_what_the_check_reports_is_refused(tab: devtools.Tab, folder: Path, url: str) -> None:
    site(folder)
    for name, old, new in (("css/a.css", "#sheet", "p#sheet"), ("m.js", ";", " ;"), ("index.html", "#inline", "p")):
        (folder / name).write_text((folder / name).read_text().replace(old, new))
    result = CliRunner().invoke(program, ["check", str(folder)])
    assert result.output.count("error integrity-mismatch") == 4  # the import map has the hash of the style sheet, too
    tab.open(url + "index.html")
    assert tab.run("document.title") == "t script"
    shown = tab.run("[sheet, inline, attribute].map(each => getComputedStyle(each).backgroundImage).join()")
    assert shown == f'none,none,url("{url}img/a.svg")'


def test_after_a_move(tab: devtools.Tab, folder: Path, url: str) -> None:
    site(folder)
    run("mv", str(folder / "img"), str(folder / "pictures"), "--folder", str(folder))
    assert_accepted(tab, url, "pictures/a.svg")


def test_after_fixes(tab: devtools.Tab, folder: Path, url: str) -> None:
    site(folder, page_refers_to="img/A.svg", sheet_refers_to="../img/A.svg")
    run("check", "--fix", str(folder))
    assert_accepted(tab, url, "img/a.svg")


def test_after_rewriting_in_place(tab: devtools.Tab, folder: Path, url: str) -> None:
    site(folder)
    run("rewrite", "--in-place", "--url", url, str(folder))
    assert (url + "img/a.svg").encode() in (folder / "css/a.css").read_bytes()
    assert_accepted(tab, url, "img/a.svg")


def test_a_rewritten_copy(tab: devtools.Tab, tmp_path: Path, folder: Path, url: str) -> None:
    site(tmp_path / "source")
    run("rewrite", "--url", url, str(tmp_path / "source"), "-o", str(folder), "--copy-others")
    assert_accepted(tab, url, "img/a.svg")


def test_a_style_sheet_that_another_has_the_hash_of(tab: devtools.Tab, folder: Path, url: str) -> None:
    second = "p { background: url(a.svg) }"
    first = f'@import url("b.css" integrity("{hashed(second)}"));'
    page = f"<!DOCTYPE html><link rel=stylesheet href=a.css integrity={hashed(first)}><p id=p>"
    folder.mkdir()
    for name, text in (("b.css", second), ("a.css", first), ("index.html", page), ("a.svg", PICTURE)):
        (folder / name).write_text(text)
    run("mv", str(folder / "a.svg"), str(folder / "b.svg"), "--folder", str(folder))
    assert tab.failures(url + "index.html") == []
    assert tab.run("getComputedStyle(p).backgroundImage") == f'url("{url}b.svg")'


class _Replay(Quiet, BaseHTTPRequestHandler):
    """Serves the payloads of an archive, each at the path of its URI."""

    def __init__(self, archive: Path, *arguments: Any) -> None:
        self._archive = archive
        super().__init__(*arguments)

    def do_GET(self) -> None:
        found = {path: each for each in in_memory("warc").parts(self._archive.read_bytes()) if (path := _path(each))}
        part = found.get(self.path)
        self.send_response(404 if part is None else 200)
        if part is not None:
            self.send_header("Content-Type", part.media_type or "")
        self.end_headers()
        if part is not None:
            self.wfile.write(part.data)


def _path(part: Part) -> str:
    return "" if part.media_type == "message/http" else "/" + part.uri.partition("//")[2].partition("/")[2]


@pytest.mark.parametrize("name", ["site.warc", "site.mhtml"])
def test_an_archive_is_replayed(tab: devtools.Tab, tmp_path: Path, name: str) -> None:
    """The archive is served, or opened by Chromium itself."""
    third = "#c { color: rgb(1, 2, 3); background: url(x) }"
    with served_by(partial(_Replay, tmp_path / f"new-{name}")) as port:
        url = f"http://localhost:{port}/"
        first = f'@import url("c.css" integrity("{hashed(third)}")); #a {{ color: rgb(1, 2, 3); background: url(x) }}'
        page = f"<!DOCTYPE html><link rel=stylesheet href=s/a.css integrity='{hashed(first)}'><p id=a>a<p id=c>c"
        texts = [(url, page, "text/html"), (f"{url}s/a.css", first, "text/css"), (f"{url}s/c.css", third, "text/css")]
        (tmp_path / "site.warc").write_bytes(crawl([response(*each) for each in texts]))
        parts = [f"--x\r\nContent-Type: {kind}\r\nContent-Location: {uri}\r\n\r\n{text}" for uri, text, kind in texts]
        head = f"Snapshot-Content-Location: {url}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=x"
        message = "\r\n".join([f"{head}; type=text/html\r\n", *parts, "--x--", ""])
        (tmp_path / "site.mhtml").write_bytes(message.encode())
        run("rewrite", "--all-types", str(tmp_path / name), "-o", str(tmp_path / f"new-{name}"))
        tab.open(url if name == "site.warc" else (tmp_path / f"new-{name}").as_uri())
        assert tab.run("[a, c].map(each => getComputedStyle(each).color).join()") == ",".join(["rgb(1, 2, 3)"] * 2)
        assert f"{url}s/x".encode() in b"".join(_payloads(tmp_path / f"new-{name}"))


def _payloads(archive: Path) -> list[bytes]:
    data = archive.read_bytes()
    return [data] if archive.suffix == ".mhtml" else [each.data for each in in_memory("warc").parts(data)]
