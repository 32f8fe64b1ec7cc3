"""A command imports what it uses: the start takes as long as reading hundreds of pages, and most of it is imports."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from patience import PATIENCE
from rehref._native import TWIN

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PAGE = b"<!DOCTYPE html><meta charset=utf-8><title>x</title><link href=a.css rel=stylesheet><a href=b.html>b</a>"
_RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + PAGE
_HEAD = (
    "WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
    "WARC-Date: 2024-01-02T03:04:05Z\r\nWARC-Target-URI: http://h.example/a/\r\n"
    "Content-Type: application/http; msgtype=response\r\n"
    f"Content-Length: {len(_RESPONSE)}\r\n\r\n"
)

EVER = {"rich", "lxml", "html5lib", "jinja2", "tomllib", "importlib.metadata", "asyncio", "multiprocessing", "email"}
"""What most commands never import; packages stand for all that is in them."""
READING = EVER | {
    *("tempfile", "shutil", "bz2", "lzma", "textwrap", "html"),
    *(f"rehref.uri._syntaxes.{name}" for name in ("css", "image", "json_ld", "refresh", "script_data", "srcset")),
    "rehref.text.json_text",
    *("rehref.uri._grammar.grammar_of_2396", "rehref.reports.disagreement", "rehref.site.check", "rehref.web"),
}
"""What is not needed to read an ordinary page in an archive."""
OTHER_RULES = {
    *("rehref.rewriting.offline_rule", "rehref.rewriting.mapping"),
    *(f"rehref.rewriting._rules.{name}" for name in ("relative", "template")),
}
WITHOUT_FINDINGS = {
    *("json", "html", "rehref.site._repair", "rehref.uri.normalization"),
    *("rehref.site._hosts.header_files", "rehref.site._checks.header_fields", "rehref.web.answers"),
}
"""What a check of a folder does not import if it has no findings and no files with rules for a host."""
IN_PYTHON = {"rehref.markup._source.scan", "rehref.markup._source.construction"}
"""What reads a page that the compiled twin does not read."""


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "page.warc.gz"
    path.write_bytes(gzip.compress(_HEAD.encode() + _RESPONSE + b"\r\n\r\n"))
    return path


def imported(folder: Path, *arguments: str) -> set[str]:
    """The modules that a command imports, and the packages that they are in."""
    ran = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "rehref", *arguments],
        cwd=folder,
        capture_output=True,
        check=True,
        timeout=PATIENCE,
    )
    names = [line.rpartition(b"|")[2].strip().decode() for line in ran.stderr.splitlines() if b"|" in line]
    assert "rehref.cli.program" in names
    return {".".join(name.split(".")[:number]) for name in names for number in range(1, name.count(".") + 2)}


def test_links_of_an_archive(archive: Path) -> None:
    found = imported(archive.parent, "links", "--quiet", "--format", "jsonl", archive.name)
    assert found & READING == set()
    assert TWIN is None or found & IN_PYTHON == set()


@pytest.mark.skipif(TWIN is None, reason="the reference has modules of its own")
def test_an_ordinary_page_needs_few_modules() -> None:
    for page in ("forms.html", "one-line.html"):
        found = imported(FIXTURES, "links", "--quiet", page)
        modules = {name for name in found if name.partition(".")[0] == "rehref"}
        folders = {name.rpartition(".")[0] for name in modules}
        assert len(modules - folders) < 90, page


def test_rewriting_an_archive(archive: Path) -> None:
    found = imported(archive.parent, "rewrite", "--quiet", archive.name, "-o", "new.warc.gz")
    assert (archive.parent / "new.warc.gz").exists()
    assert found & READING == set()
    assert found & OTHER_RULES == set()
    assert TWIN is None or found & IN_PYTHON == set()


def test_a_check_without_servers(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"<!DOCTYPE html><title>x</title><a href=a.html>a</a>")
    found = imported(tmp_path, "check", "--quiet", ".")
    assert found & (EVER | {"rehref.uri._grammar.grammar_of_2396", "aiohttp"}) == set()
    assert found & {*WITHOUT_FINDINGS, "json", "html", "rehref.site._hosts.header_files", "rehref.web.answers"} == set()
    (tmp_path / "a.html").write_bytes(b"<!DOCTYPE html><title>x</title><a href=b.html>b</a>")
    found = imported(tmp_path, "check", "--quiet", "--exit-zero", ".")
    assert found > {"rehref.site._repair.suggesting"}


def test_resolving_a_reference(tmp_path: Path) -> None:
    found = imported(tmp_path, "resolve", "http://h/a/b", "../c")
    assert found & (READING | IN_PYTHON | {"rehref.files.sources", "rehref.containers"}) == set()
