"""Style sheets and scripts that declare no encoding have that of the document that refers to them, in copies too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from crawl import crawl, png, response
from plugins.serve.served import serving

SITE = "https://h.example/"
LATIN = "windows-1252"
CSS = "p::after { content: 'é'; background: url(ü.png) }"
SCRIPT = "document.title = 'é'"
BOM = b"\xef\xbb\xbf"


def copied(run: Callable[..., Any], tmp_path: Path, records: list[bytes]) -> tuple[Path, str]:
    (tmp_path / "crawl.warc.gz").write_bytes(crawl(records))
    result = run("rewrite", "--unpack", tmp_path / "copy", tmp_path / "crawl.warc.gz")
    assert result.exit_code == 0, result.stderr
    return tmp_path / "copy/h.example", result.stderr


def page(head: str, *, name: str = "", charset: str = LATIN, declared: str = "") -> bytes:
    return response(SITE + name, f"{head}<p>é".encode(charset), f"text/html{declared and f'; charset={declared}'}")


IMAGE = response(f"{SITE}%C3%BC.png", png(), "image/png")


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize(
    ("head", "declared"),
    [
        ("", LATIN),
        (f"<meta charset={LATIN}>", ""),
        (f"<meta http-equiv=content-type content='text/html;charset={LATIN}'>", ""),
    ],
)
def test_they_have_the_encoding_of_the_page(run, tmp_path, head, declared, first):
    head += "<link rel=stylesheet href=s.css><script src=s.js></script>"
    others = [
        response(f"{SITE}s.css", CSS.encode(LATIN), "text/css"),
        response(f"{SITE}s.js", SCRIPT.encode(LATIN), "text/javascript"),
        IMAGE,
    ]
    main = page(head, declared=declared)
    copy, said = copied(run, tmp_path, [main, *others] if first else [*others, main])
    assert (copy / "s.css").read_bytes().startswith(BOM + "p::after { content: 'é'".encode())
    assert "https:" not in (copy / "s.css").read_text("utf-8-sig")
    assert (copy / "s.js").read_bytes() == BOM + SCRIPT.encode()
    assert "is read as" not in said
    with serving(tmp_path / "copy") as server:
        assert server.ask("h.example.localhost:*", "/s.js").fields["Content-Type"] == "text/javascript; charset=utf-8"


def test_imported_sheets_have_that_of_the_sheet(run, tmp_path):
    records = [
        page("<style>@import 'a.css'</style>", declared=LATIN),
        response(f"{SITE}a.css", "@import 'b.css'; @import 'c.css';", "text/css"),
        response(f"{SITE}b.css", CSS.encode(LATIN), "text/css"),
        response(f"{SITE}c.css", "@charset 'x'; @import 'd.css';", "text/css; charset=iso-8859-2"),
        response(f"{SITE}d.css", "p { content: 'ě' }".encode("iso-8859-2"), "text/css"),
    ]
    copy, _ = copied(run, tmp_path, records)
    assert "content: 'é'" in (copy / "b.css").read_text("utf-8-sig")
    assert (copy / "d.css").read_text("utf-8-sig") == "p { content: 'ě' }"


def test_the_charset_of_a_script_element_counts(run, tmp_path):
    head = "<meta charset=utf-8><script charset=windows-1252 src=s.js></script><script type=module src=m.js></script>"
    head += "<script src=u.js></script>"
    records = [
        page(head, charset="utf-8"),
        page("", name="other", declared=LATIN),
        response(f"{SITE}s.js", SCRIPT.encode(LATIN), "text/javascript"),
        response(f"{SITE}m.js", SCRIPT.encode(), "text/javascript"),
        response(f"{SITE}u.js", SCRIPT.encode(), "text/javascript"),
    ]
    copy, _ = copied(run, tmp_path, records)
    assert (copy / "s.js").read_text("utf-8-sig") == SCRIPT
    assert (copy / "m.js").read_bytes() == SCRIPT.encode()
    assert (copy / "u.js").read_text("utf-8-sig") == SCRIPT


def test_a_label_that_means_nothing_does_not_count(run, tmp_path):
    main = response(SITE, "<link rel=stylesheet href=s.css>", "text/html; charset=iso-8859-2")
    sheet = response(f"{SITE}s.css", "p { content: 'ě' }".encode("iso-8859-2"), "text/css; charset=nothing")
    copy, _ = copied(run, tmp_path, [main, sheet])
    assert (copy / "s.css").read_text("utf-8-sig") == "p { content: 'ě' }"


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b'@charset "iso-8859-2"; p { content: "\xec" }', "text/css"),
        (BOM + CSS.replace("ü", "u").encode(), "text/css"),
        (b"p { content: 'x' }", "text/css"),
    ],
)
def test_what_declares_its_encoding_or_is_ascii_keeps_it(run, tmp_path, data, media_type):
    head = "<link rel=stylesheet href=s.css><link rel=stylesheet href=t.css>"
    other = response(f"{SITE}t.css", CSS.encode(LATIN), "text/css")
    records = [page(head, declared=LATIN), response(f"{SITE}s.css", data, media_type), other]
    copy, _ = copied(run, tmp_path, records)
    assert (copy / "s.css").read_bytes().replace(b"https://h.example/", b"") == data


def test_of_two_pages_the_first_counts_and_that_is_reported(run, tmp_path):
    head = "<link rel=stylesheet href=/s.css>"
    records = [
        page(head, declared=LATIN),
        page(head, name="other", charset="iso-8859-2", declared="iso-8859-2"),
        page(head, name="third", charset="utf-8", declared="utf-8"),
        response(f"{SITE}s.css", b"p { content: '\xea' }", "text/css"),
    ]
    copy, said = copied(run, tmp_path, records)
    assert (copy / "s.css").read_text("utf-8-sig") == "p { content: 'ê' }"
    assert (
        "s.css is read as windows-1252, which the first page that refers to it has; others have iso-8859-2, utf-8"
        in said
    )
