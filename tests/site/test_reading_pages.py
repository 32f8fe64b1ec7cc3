"""Documents are read for a check: what is read, and what cannot be."""

from __future__ import annotations

import pickle
from array import array
from pathlib import Path

import pytest

from checked.contexts import checked, host_named, written
from rehref.files.file_errors import FileError
from rehref.site import _reading_pages as reading_pages
from rehref.site._reading_pages import PageReader
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult
from rehref.site.given_options import patterns
from rehref.site.site import Site


def test_only_what_is_needed_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "index.html": '<a href="a.html#one">1</a><a href="b.html#three">2</a><a href="sub/c.html#none">3</a>',
        "a.html": '<p id=one><a href="b.html#two">1</a><a href="draft.html#d">1</a>',
        "b.html": '<p id=two><meta http-equiv=refresh content="0; url=sub/c.html">',
        "sub/c.html": '<meta http-equiv=refresh content="0; url=../b.html"><a href="../alone.html">',
        "alone.html": "<p>nobody",
        "draft.html": "<p id=d><a href=none.html>",
    }
    read: list[str] = []
    read_it = reading_pages.read
    monkeypatch.setattr(reading_pages, "read", lambda site, path: (read.append(path), read_it(site, path))[1])
    checked(tmp_path, files, files=("index.html",))
    # c.html refreshes to b.html, and that to c.html
    assert sorted(read) == ["a.html", "b.html", "index.html", "sub/c.html"]
    read.clear()
    checked(tmp_path, files, files=("a.html",), fragments=False)
    assert read == ["a.html"]


def told(result: CheckResult) -> list[tuple[str, str, str]]:
    return [(finding.document, finding.reference, finding.code) for finding in result.findings]


def test_what_cannot_be_read_is_reported_and_the_rest_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"a.html": "<a href=b.html#x><a href=no>", "b.html": ""}
    real = reading_pages.read

    def read(where: Site, path: str) -> bytes:
        if path == "b.html":
            raise FileError("b.html", "cannot be read")
        return real(where, path)

    monkeypatch.setattr(reading_pages, "read", read)
    assert told(checked(tmp_path, files)) == [("a.html", "no", "missing-file"), ("b.html", "", "unreadable")]
    with pytest.raises(FileError):
        CheckRun().check(Site.of(tmp_path / "none", CheckOptions()))


def test_documents_can_be_read_in_processes_that_are_begun_anew(tmp_path: Path) -> None:
    written(
        tmp_path, {"a.html": "<a href=b.html#x>", "b.html": "", ".htaccess": "Redirect /x /y\nAddCharset utf-8 .html"}
    )
    options = CheckOptions(host=host_named("apache"), exclude=patterns("--exclude", ["no"]))
    task = pickle.loads(pickle.dumps(PageReader.of(Site.of(tmp_path, options))))
    assert task(["a.html"]).fragments == ["b.html\0x"]


def test_fragments_count_within_the_documents_that_are_read_together(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<a href=b.html#1>1</a>", encoding="ascii")
    (tmp_path / "b.html").write_text("<a href=a.html#2>2</a>", encoding="ascii")
    read = PageReader.of(Site.of(tmp_path, CheckOptions()))
    for path, fragment in (("a.html", "b.html\x001"), ("b.html", "a.html\x002"), ("a.html", "b.html\x001")):
        chunk = read([path])
        assert chunk.fragments == [fragment]
        assert [use for row in chunk.rows for use in array("I", row.uses)] == [1]
