"""Unpacked archives, asked for as browsers do."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import served

from crawl import crawl, png, record, redirect, response
from rehref.archives.saved_captures import read_captures

SITE = "http://a.example/"
CDN = "https://cdn.example:8080/"
PAGE = (
    "<script type=module src=/m.js></script><link rel=stylesheet href=//cdn.example:8080/s.css><a href=old#x>o</a>"
    "<a href=/gone?q>g</a><a href=http://web.example/>w</a><a href=#x>x</a><a href=/?#y>y</a><img data-src=/i.png>"
    '<a href="/d/">d</a><script type=importmap>{"imports": {"l/": "/lib/"}}</script>'
)


def made() -> bytes:
    return crawl(
        [
            response(SITE, PAGE, "text/html; charset=utf-8"),
            response(f"{SITE}m.js", "import './n.js'", "text/javascript; charset=windows-1252"),
            response(f"{SITE}latin", "grün".encode("latin-1"), "text/javascript; charset=iso-8859-1"),
            response(f"{SITE}i.png", png(), "image/png"),
            response(f"{SITE}d/", "<a href=..>up</a><img src=../i.png>", "text/html"),
            response(
                f"{SITE}based",
                "<!DOCTYPE html><base href=//A.example/d/?&amp;x#y target=_top><a href=x></a>",
                "text/html",
            ),
            response(f"{SITE}cut-off", "<base href=/d/><img src=x onerror='", "text/html"),
            response(f"{SITE}utf16", "\ufeff<base href=/d/><a href=x>".encode("utf-16-le"), "text/html"),
            response(f"{SITE}away", "<base href=http://web.example/><a href=x>", "text/html"),
            response(f"{SITE}api?b=1&a=%7E", '{"x": 1}', "application/json"),
            redirect(f"{SITE}old", "/d/#in"),
            redirect(f"{SITE}out", "http://elsewhere.example/"),
            redirect("https://a.example/", SITE),
            response(f"{CDN}s.css", "p { background: url(//a.example/i.png) } @import 'more.css';", "text/css"),
            record("resource", "urn:text:1", b"a text", Content_Type="text/plain"),
        ]
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[served.Served]:
    with served.serving(served.unpacked(made(), tmp_path_factory.mktemp("served"))) as found:
        yield found


def test_any_query_of_an_image_serves(copy: served.Served) -> None:
    assert copy.ask("a.example.localhost", "/i.png?v=2").body == png()
    assert copy.ask("a.example.localhost", "/latin?v=2").status == 404


def test_a_page_refers_to_the_origins_of_the_copy(copy: served.Served) -> None:
    found = copy.ask("a.example.localhost:*")
    assert (found.status, found.fields["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert found.body.decode() == (
        f"<script type=module src=/m.js></script><link rel=stylesheet href={copy.url('cdn.example.8080', '/s.css')}>"
        "<a href=/d/#in>o</a><a href=/gone?q>g</a><a href=http://web.example/>w</a><a href=#x>x</a><a href=/?#y>y</a>"
        '<img data-src=/i.png><a href="/d/">d</a><script type=importmap>{"imports": {"l/": "/lib/"}}</script>'
    )
    below = copy.ask("A.EXAMPLE.localhost:*", "/d/")
    assert below.body == b"<a href=/>up</a><img src=/i.png>"
    css = copy.ask("cdn.example.8080.localhost", "/s.css")
    url = copy.url("a.example", "/i.png")
    assert css.body.decode() == f"p {{ background: url({url}) }} @import '/more.css';"


def test_a_page_has_its_base_again(copy: served.Served) -> None:
    page = copy.ask("a.example.localhost", "/based").body
    assert page == b'<!DOCTYPE html><base href="/d/?&amp;x"><base target=_top><a href=/d/x></a>'
    away = copy.ask("a.example.localhost", "/away").body
    assert away == b"<a href=http://web.example/x>"
    assert copy.ask("a.example.localhost", "/cut-off").body == b'<base href="/d/"><img src=x onerror=\''
    assert copy.ask("a.example.localhost", "/utf16").body == "\ufeff<a href=/d/x>".encode("utf-16-le")


def test_the_recorded_media_types_are_sent(copy: served.Served) -> None:
    script = copy.ask("a.example.localhost", "/m.js")
    assert (script.body, script.fields["Content-Type"]) == (b"import './n.js'", "text/javascript; charset=windows-1252")
    # a script whose charset only the head had was written in UTF-8
    latin = copy.ask("a.example.localhost", "/latin")
    assert (latin.body.decode("utf-8-sig"), latin.fields["Content-Type"]) == ("grün", "text/javascript; charset=utf-8")
    data = copy.ask("a.example.localhost", "/api?b=1&a=~")
    assert (data.body, data.fields["Content-Type"]) == (b'{"x": 1}', "application/json")
    assert data.fields["Cache-Control"] == "no-store"


def test_redirects_stay_in_the_copy(copy: served.Served) -> None:
    found = copy.ask("a.example.localhost", "/old")
    assert (found.status, found.fields["Location"]) == (302, copy.url("a.example", "/d/#in"))
    assert copy.ask("a.example.localhost", "/").status == 200, "that from https to http is none here"
    out = copy.ask("a.example.localhost", "/out")
    assert out.status == 404
    assert b'href="http://a.example/out"' in out.body


def test_what_is_missing_is_named(copy: served.Served) -> None:
    gone = copy.ask("a.example.localhost", "/<b>?q")
    assert gone.status == 404
    assert b'href="http://a.example/&lt;b&gt;?q">Look for it on the web' in gone.body
    for name in ("unknown.example", "<b>"):
        unknown = copy.ask(f"{name}.localhost")
        assert unknown.status == 404
        assert b"<b>" not in unknown.body
        assert f'href="{copy.url("cdn.example.8080")}">https://cdn.example:8080<'.encode() in unknown.body
    assert copy.ask("a.example.localhost", "/_captures.jsonl").status == 404


@pytest.mark.parametrize("host", ["localhost:*", "127.0.0.1:*", "[::1]:*", "LOCALHOST"])
def test_the_index_leads_to_the_origins(copy: served.Served, host: str) -> None:
    index = copy.ask(host)
    assert index.status == 200
    assert f'href="{copy.url("a.example", "/d/")}"'.encode() in index.body
    assert index.fields["Content-Security-Policy"] == "default-src 'none'; style-src 'unsafe-inline'"
    for path in ("/urn/text-1.txt", "/a.example/index.html", "/_captures.jsonl"):  # this origin runs no archived script
        assert copy.ask(host, path).status == 404
    assert "Content-Security-Policy" not in copy.ask("a.example.localhost").fields


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "a.example", "", "192.0.2.1", "localhost:x"]
)
def test_other_hosts_are_refused(copy: served.Served, host: str) -> None:
    found = copy.ask(host)
    assert (found.status, b"a.example" in found.body) == (421, False)


def test_pages_of_the_copy_may_read_its_files_and_no_others(copy: served.Served) -> None:
    for origin in (copy.url("a.example", ""), copy.url("cdn.example.8080", "")):
        fields = copy.ask("a.example.localhost", "/m.js", Origin=origin).fields
        assert (fields["Access-Control-Allow-Origin"], fields["Vary"]) == (origin, "Origin")
    others = (
        "http://web.example",
        "null",
        copy.url("b.example", ""),
        "http://a.example.localhost:1",
        "http://localhost",
        *("a.example", "http://a.example", "https://a.example", f"a.example.localhost:{copy.port}", "", "*"),
        *(f"https://a.example.localhost:{copy.port}", f"http://x@a.example.localhost:{copy.port}"),
        *(f"http://a.example.localhost:{copy.port}.web.example", f"http://web.example/http://a.example:{copy.port}"),
        *(f"{copy.url('a.example', '')} http://web.example", f"http://localhost:{copy.port}", copy.url("a.example")),
    )
    for origin in others:
        assert copy.ask("a.example.localhost", "/m.js", Origin=origin).fields["Access-Control-Allow-Origin"] is None
    asked = {"Origin": copy.url("a.example", ""), "Access_Control_Request_Headers": "x-y"}
    before = copy.ask("cdn.example.8080.localhost", "/s.css", "OPTIONS", **asked)
    assert (before.status, before.fields["Access-Control-Allow-Headers"]) == (204, "*")


def test_options_of_a_page_are_not_the_page(copy: served.Served) -> None:
    for path in ("/", "/gone", "*"):
        found = copy.ask("a.example.localhost", path, "OPTIONS")
        assert (found.status, found.body) == (204, b"")
        assert (found.fields["Allow"], found.fields["Content-Length"]) == ("GET, HEAD, OPTIONS", None)
    assert copy.ask("web.example", "/", "OPTIONS").status == 421


@pytest.mark.parametrize(
    ("asked", "first", "end"),
    [
        *(("bytes=0-3", 0, 4), ("bytes=5-", 5, None), ("bytes=60-9999", 60, None), ("bytes=5-3", 0, None)),
        *(("bytes=-", 0, None), ("bytes=-9999", 0, None), ("bytes=0-1,3-4", 0, None), ("lines=1-2", 0, None)),
        ("bytes=-5", len(png()) - 5, None),
    ],
)
def test_a_part_of_a_file(copy: served.Served, asked: str, first: int, end: int | None) -> None:
    found = copy.ask("a.example.localhost", "/i.png", Range=asked)
    assert found.body == png()[first:end]
    assert found.fields["Content-Length"] == str(len(found.body))
    size = len(png())
    is_part = len(found.body) < size
    assert found.status == (206 if is_part else 200)
    said = f"bytes {first}-{(end or size) - 1}/{size}" if is_part else None
    assert found.fields["Content-Range"] == said


def test_a_part_that_is_not_there(copy: served.Served) -> None:
    found = copy.ask("a.example.localhost", "/i.png", Range="bytes=9999-")
    assert (found.status, found.body, found.fields["Content-Range"]) == (416, b"", f"bytes */{len(png())}")


def test_only_reading_is_answered(copy: served.Served) -> None:
    head = copy.ask("a.example.localhost", "/", "HEAD")
    assert (head.status, head.body) == (200, b"")
    assert head.fields["Content-Length"] == str(len(copy.ask("a.example.localhost").body))
    assert copy.ask("a.example.localhost", "/i.png", "HEAD").fields["Content-Length"] == str(len(png()))
    assert copy.ask("a.example.localhost", "/", "POST").status == 501
    assert 'a.example.localhost "POST / HTTP/1.1" 501 -' in copy.log


def lines(folder: Path, *rows: object) -> Path:
    text = "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
    (folder / "_captures.jsonl").write_text(text, encoding="utf-8")
    return folder


def row(uri: object = SITE, **fields: object) -> dict[str, object]:
    return {"uri": uri, "date": "2024", "status": 200, **fields}


@pytest.mark.parametrize(
    "line",
    [
        "no json",
        "[" * 50_000,
        "[1]",
        "{}",
        '{"uri": "http://a.example/", "path": "x"',
        row(path="../secret"),
        row(path="/etc/passwd"),
        row(path="a//b"),
        row(path="a/../../secret"),
        row(path="C:\\x"),
        row(path=1),
        row(path=[]),
        row(path=None),
        row(path="x", type="text/html\r\nX: y"),
        row(path="x", type=["text/html"]),
        row("http://[/", path="x"),
        row(None, path="x"),
        row(location="http://["),
        row(path="x", more="x" * (1 << 16)),
    ],
    ids=range(19),
)
def test_a_line_that_rehref_would_not_write_is_skipped(tmp_path: Path, line: object) -> None:
    (found,) = read_captures(lines(tmp_path, line, row(f"{SITE}good", path="good.html")))
    assert found.path == "good.html"


def test_no_file_outside_the_folder_is_sent(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret", encoding="utf-8")
    folder = tmp_path / "copy"
    (folder / "d").mkdir(parents=True)
    (folder / "link").symlink_to("../secret")
    rows = [row(f"{SITE}{path}", path=path, type="text/plain") for path in ("link", "d", "absent")]
    with served.serving(lines(folder, *rows)) as copy:
        found = [copy.ask("a.example.localhost", f"/{path}") for path in ("link", "d", "absent", "../secret")]
        found += [copy.ask("localhost", f"/{path}") for path in ("link", "../secret", "%2e%2e/secret")]
    assert {each.status for each in found} == {404}


def test_every_host_has_a_name_of_its_own(tmp_path: Path) -> None:
    hosts = ["a_b.example", "a-b.example", "M%C3%BChle.example", "[2001:db8::1]", "[2001:db8--1]", "127.0.0.1:81"]
    hosts += ["h.example:443", "h.example:80", "x" * 70 + ".example", "user:pw@h.example", "%2A.example", "-.example"]
    (tmp_path / "f.html").write_text("x", encoding="utf-8")
    rows = [row(f"http://{host}/", path="f.html", type="text/html") for host in hosts]
    with served.serving(lines(tmp_path, *rows)) as copy:
        page = copy.ask("unknown.localhost").body.decode()
        names = [each.partition(".localhost:")[0] for each in page.split('href="http://')[1:]]
        names.remove(f'localhost:{copy.port}/">The beginning</a>\n<ul><li><a ')
        found = {copy.ask(f"{name}.localhost").status for name in names}
    assert found == {200}
    assert len(names) == len(set(names))
    assert {"a_b.example", "a-b.example", "xn--mhle-0ra.example", "-2001-db8--1-", "127.0.0.1.81"} <= set(names)
    assert {"h.example.443", "h.example"} <= set(names)


def test_the_last_capture_with_a_body_counts(tmp_path: Path) -> None:
    for name in ("old", "new"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    rows = [
        row(date="2023", path="new", type="text/plain"),
        row(date="2022", path="old", type="text/plain"),
        row("https://a.example/", date="2024", location=f"{SITE}x"),
    ]
    with served.serving(lines(tmp_path, *rows)) as copy:
        assert copy.ask("a.example.localhost").body == b"new"


def test_a_document_that_cannot_be_read_is_sent_unchanged(tmp_path: Path) -> None:
    (tmp_path / "x.html").write_bytes(b"<a href=x.html>x</a>")
    with served.serving(lines(tmp_path, row(path="x.html", type="text/html; charset=none-such"))) as copy:
        assert copy.ask("a.example.localhost").body == b"<a href=x.html>x</a>"
        assert any("sent unchanged" in line for line in copy.log)
