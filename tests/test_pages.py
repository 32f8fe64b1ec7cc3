"""Where links are from: pages, their dates, folders of documents, and documents with their header fields."""

from __future__ import annotations

import io
import json
import logging
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from rehref._native import TWIN
from rehref.archives.links_of_many import process
from rehref.cli.program import program
from rehref.reports.spreadsheets import LINK_COLUMNS

ROOT = Path(__file__).resolve().parents[1]
ARCHIVE = ROOT / "fixtures" / "containers" / "pages.warc.gz"
SITE = ROOT / "examples" / "site"
HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=iso-8859-2\r\nLink: <next>; rel=next\r\n"


def listed(*arguments: str) -> list[dict[str, object]]:
    """What `rehref links` reports as JSON."""
    result = CliRunner().invoke(program, ["links", "--format", "jsonl", "-q", *arguments], catch_exceptions=False)
    assert result.exit_code in (0, 2)
    return [json.loads(line) for line in result.stdout.splitlines()]


def reported(link: rehref.Link) -> tuple[object, ...]:
    return link.page, link.date, link.line, link.column, link.reference, link.target


# --- pages and dates


def test_a_link_names_its_page_and_the_date_of_its_record() -> None:
    links = rehref.links(ARCHIVE)
    host, when = "https://harbour.example", "2024-01-01T00:00:00Z"
    assert list(dict.fromkeys((link.page, link.date) for link in links)) == [
        (f"{host}/tides/", when),
        (f"{host}/old", when),
        (f"{host}/tides/tides.css", when),
    ]
    objects = listed(str(ARCHIVE))
    assert [(each["page"], each["date"]) for each in objects] == [(link.page, link.date) for link in links]
    assert [(row.page, row.date) for row in process(ARCHIVE)] == [(link.page, link.date) for link in links]


def test_the_page_is_the_document_itself_whatever_the_base() -> None:
    page = '<base href="/b/"><a href=x></a><iframe srcdoc="<base href=c/><a href=y>"></iframe>'
    links = rehref.links(page, url="https://h.example/p?q#f")
    assert {link.page for link in links} == {"https://h.example/p?q"}
    assert [link.base.uri for link in links][1:] == [
        "https://h.example/b/",
        "https://h.example/b/",
        "https://h.example/b/c/",
    ]
    (link,) = rehref.links("<a href=x>")
    assert (link.page, link.date) == (None, None)
    assert link.as_dict()["page"] is None
    assert "date" not in link.as_dict()


def test_new_columns_are_behind_the_old_ones() -> None:
    assert LINK_COLUMNS[-4:] == ("page", "date", "rel", "text")
    assert LINK_COLUMNS[-6:-4] == ("part", "inside")
    (link,) = rehref.links("<a href=x rel=next>y</a>", url="http://h/", text=True)
    assert list(link.as_dict())[-4:] == ["problems", "rel", "text", "page"]


# --- rel


@pytest.mark.parametrize("native", [True, False])
def test_links_have_the_rel_of_their_element(native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not native:
        monkeypatch.setattr("rehref.markup.twin.TWIN", None)
    elif TWIN is None:
        pytest.skip("the twin is not compiled")
    page = (
        b"<link href=a rel='Alternate  stylesheet'><a rel=nofollow href=b ping=c>x</a><a href=d>x</a><area href=e rel>"
        b"<form action=f rel=search></form><q cite=g rel=x></q><a href=h rel=&#110;ext rel=other></a>"
    )
    found = [(link.reference, link.rel) for link in rehref.links(page, url="http://h/")]
    assert found == [
        ("a", "Alternate  stylesheet"),
        *(("b", "nofollow"), ("c", "nofollow"), ("d", None), ("e", "")),
        *(("f", "search"), ("g", None), ("h", "next")),
    ]


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
def test_all_cores_report_rel_and_only_the_source_core_text(parser: str) -> None:
    pytest.importorskip(parser if parser != "source" else "rehref")
    (link,) = rehref.links("<a rel=next href=x>y</a>", parser=parser, text=True)
    assert (link.rel, link.text) == ("next", "y" if parser == "source" else None)


def test_a_link_of_a_feed_has_its_rel() -> None:
    feed = '<feed xmlns="http://www.w3.org/2005/Atom"><link rel="self" href="x"/><link href="y"/></feed>'
    assert [(link.reference, link.rel) for link in rehref.links(feed)] == [("x", "self"), ("y", None)]


# --- iter_pages


def test_each_page_of_an_archive_comes_with_its_links() -> None:
    pages = list(rehref.iter_pages(ARCHIVE))
    assert {page.media_type for page in pages} <= {"text/html", "text/css", "message/http", "application/xml"}
    assert all(page.date for page in pages)
    links = [(page, link) for page in pages for link in page.links]
    assert [link for _, link in links] == rehref.links(ARCHIVE)
    assert all((page.url, page.date) == (link.page, link.date) for page, link in links)


def test_a_document_on_its_own_is_one_page() -> None:
    (page,) = rehref.iter_pages(b"<base href=/b/><a href=x>", url="https://h.example/p")
    assert (page.url, page.date, page.media_type) == ("https://h.example/p", None, "text/html")
    assert (page.base.uri, page.base.origin) == ("https://h.example/b/", "embedded")
    assert [link.target for link in page.links] == ["https://h.example/b/", "https://h.example/b/x"]
    assert list(page.links) == []


def test_the_media_type_is_the_one_a_page_is_read_as(tmp_path: Path) -> None:
    (tmp_path / "a.css").write_bytes(b"a{background:url(x)}")
    for source, given, found in (
        (tmp_path / "a.css", None, "text/css"),
        (b"<a href=x>", "TEXT/HTML; charset=utf-8", "text/html"),
        (b"<?xml version='1.0'?><feed/>", None, "application/xml"),
    ):
        assert [page.media_type for page in rehref.iter_pages(source, media_type=given)] == [found]


def test_pages_are_opened_when_they_are_asked_for(tmp_path: Path) -> None:
    pages = rehref.iter_pages(tmp_path / "none.html")
    with pytest.raises(FileNotFoundError):
        next(pages)
    with pytest.raises(TypeError, match="unknown argument"):
        rehref.iter_pages(b"", uri="x")  # type: ignore[call-arg]


# --- folders


@pytest.mark.parametrize("url", [None, "https://kites.example/kites"])
def test_a_folder_is_read_as_by_the_command_line(url: str | None) -> None:
    given = () if url is None else ("--url", url)
    of_command = listed(*given, str(SITE))
    links = rehref.links(SITE, url=url)
    assert [tuple(map(each.get, ("page", "date", "line", "column", "reference", "target"))) for each in of_command] == [
        reported(link) for link in links
    ]
    assert list(rehref.iter_links(SITE, url=url)) == links
    start = SITE.as_uri() if url is None else url
    pages = [page.url for page in rehref.iter_pages(SITE, url=url)]
    assert pages == [f"{start}/{name}" for name in ("guide/start.html", "guide/wind.html", "index.html", "style.css")]


def test_what_cannot_be_read_in_a_folder_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "a.html").write_bytes(b"<a href=x>")
    (tmp_path / "b.html").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "c.html").symlink_to("none")
    (tmp_path / "d.warc.gz").write_bytes(b"\x1f\x8b")
    (tmp_path / "e.txt").write_bytes(b"http://h/")
    diagnostics: list[rehref.Diagnostic] = []
    links = rehref.links(tmp_path, on_diagnostic=diagnostics.append)
    assert [link.page for link in links] == [(tmp_path / "a.html").as_uri()]
    said = list(map(str, diagnostics))
    assert len(said) == 3
    for name, text in zip(("b.html", "c.html", "d.warc.gz"), said, strict=True):
        assert text.count(str(tmp_path / name)) == 1
    with caplog.at_level(logging.WARNING, "rehref"):
        assert rehref.links(tmp_path) == links
    assert [each.message for each in caplog.records] == said


def test_a_folder_without_a_document_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "e.txt").write_bytes(b"http://h/")
    with pytest.raises(rehref.ContainerError, match="there is no document in this folder"):
        rehref.links(tmp_path)
    with pytest.raises(IsADirectoryError):
        rehref.rewrite(tmp_path)


# --- header fields


@pytest.mark.parametrize("as_file", [True, False])
def test_header_fields_are_taken_as_by_the_command_line(as_file: bool, tmp_path: Path) -> None:
    page, fields = tmp_path / "p.html", tmp_path / "headers"
    page.write_bytes(b"<a href='?\xb1'>")
    fields.write_bytes(HEADERS)
    links = rehref.links(page, headers=fields if as_file else HEADERS, url="http://h/d/p")
    assert [(link.element, link.target) for link in links] == [("", "http://h/d/next"), ("a", "http://h/d/p?ą")]
    of_command = listed("--headers", str(fields), "--url", "http://h/d/p", str(page))
    assert [each["target"] for each in of_command] == [link.target for link in links]
    in_memory = rehref.iter_links(io.BytesIO(page.read_bytes()), headers=HEADERS, url="http://h/d/p")
    assert [link.target for link in in_memory] == [link.target for link in links]
    assert {link.page for link in rehref.links(page, headers=HEADERS)} == {page.as_uri()}


def test_header_fields_that_cannot_be_used_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="headers is bytes or a path"):
        rehref.links(b"", headers="h.txt")  # type: ignore[arg-type]
    for source, headers, message in (
        (b"<a href=x>", b"\n", "no HTTP header fields"),
        ("<a href=x>", HEADERS, "the source is a str"),
    ):
        with pytest.raises(rehref.OptionError, match=message):
            rehref.links(source, headers=headers)
    with pytest.raises(FileNotFoundError):
        rehref.links(b"", headers=tmp_path / "none")
    with pytest.raises(IsADirectoryError):
        rehref.links(tmp_path, headers=HEADERS)
