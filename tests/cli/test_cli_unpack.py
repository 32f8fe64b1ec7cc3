"""Web archives and mailboxes unpacked into folders."""

from __future__ import annotations

import gzip
import io
import os
import re
import tracemalloc
import zipfile
from base64 import b64encode
from pathlib import Path

import pytest

from crawl import DATE, crawl, http, pages, png, record, redirect, response, revisit

SITE = "https://h.example/"
MANIFEST = "_captures.jsonl"
XHTML = "http://www.w3.org/1999/xhtml"


def unpack(run, tmp_path: Path, data: bytes, *options: object, name: str = "crawl.warc.gz") -> Path:
    """Unpack it, without anything to report."""
    (tmp_path / name).write_bytes(data)
    result = run("rewrite", "--unpack", tmp_path / "out", *options, tmp_path / name)
    assert result.exit_code == 0, result.stderr
    first, *more = result.stderr.splitlines()
    assert re.fullmatch(r"rehref: [\d,]+ files? in .*; open .*index\.html", first)
    assert all(" to the web " in line for line in more)
    return tmp_path / "out"


def files(folder: Path) -> list[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in found if path != MANIFEST)


def test_pages_lead_to_what_they_load(run, tmp_path):
    page = (
        '<link rel=stylesheet href=/style.php?v=1><img src="i.png#x" srcset="i.png 2x"><a href="../b?q=1#t">b</a>'
        '<a href=gone>gone</a><iframe src="//other.example/frame"></iframe>'
    )
    out = unpack(
        run,
        tmp_path,
        pages(
            {
                f"{SITE}a/": (page, "text/html; charset=utf-8"),
                f"{SITE}a/i.png": (png(), "image/png"),
                f"{SITE}style.php?v=1": ("p { background: url(a/i.png) } @import '/none.css';", "text/css"),
                f"{SITE}b?q=1": ("<p id=t>", "text/html"),
                "https://other.example/frame": ("<a href=/>up</a>", "text/html"),
            }
        ),
    )
    assert files(out) == [
        "h.example/a/i.png",
        "h.example/a/index.html",
        "h.example/b-q-1.html",
        "h.example/style.php-v-1.css",
        "index.html",
        "other.example/frame.html",
    ]
    assert (out / "h.example/a/index.html").read_text() == (
        '<link rel=stylesheet href=../style.php-v-1.css><img src="i.png#x" srcset="i.png 2x">'
        '<a href="../b-q-1.html#t">b</a><a href=https://h.example/a/gone>gone</a>'
        '<iframe src="../../other.example/frame.html"></iframe>'
    )
    assert (out / "h.example/style.php-v-1.css").read_text() == (
        "p { background: url(a/i.png) } @import 'https://h.example/none.css';"
    )
    assert (out / "h.example/a/i.png").read_bytes() == png()
    assert (out / "other.example/frame.html").read_text() == "<a href=https://other.example/>up</a>"


def test_only_what_was_there_is_written(run, tmp_path):
    records = [
        response(f"{SITE}", "<a href=404><a href=none><a href=head><a href=post><a href=dns:h.example>"),
        record("response", f"{SITE}404", http(b"not found", status="404 Not Found"), Content_Type="application/http"),
        record("response", f"{SITE}none", http(b"", status="204 No Content"), Content_Type="application/http"),
        record("response", f"{SITE}head", http(b"", Content_Length="12"), Content_Type="application/http"),
        record("request", f"{SITE}post", b"POST /post HTTP/1.1\r\n\r\nx", Content_Type="application/http"),
        record("response", "dns:h.example", b"20240506\nh.example. 1 IN A 127.0.0.1\n", Content_Type="text/dns"),
        record("metadata", f"{SITE}", b"via: x\r\n", Content_Type="application/warc-fields"),
        record("conversion", f"{SITE}", b"<p>converted", Content_Type="text/html"),
        record("resource", "urn:text:1", b"a text", Content_Type="text/plain"),
        record("resource", "urn:view:1", b"<p>a view", Content_Type="text/html"),
        record("resource", "metadata://gnu.org/software/wget/warc/MANIFEST.txt", b"x", Content_Type="text/plain"),
        record("resource", "urn:X-wget:log", b"x", Content_Type="text/plain"),
        record("resource", "file:///home/me/page.html", b"<a href=other>", Content_Type="text/html"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert files(out) == [
        "file/home/me/page.html",
        "h.example/index.html",
        "index.html",
        "urn/text-1.txt",
        "urn/view-1.html",
    ]
    shown, *collapsed = (out / "index.html").read_text().split("<details>")
    assert "view-1.html" not in shown
    assert "view-1.html" in "".join(collapsed)
    assert (out / "h.example/index.html").read_text() == (
        f"<a href={SITE}404><a href={SITE}none><a href={SITE}head><a href={SITE}post><a href=dns:h.example>"
    )
    # no `file:` URI of a machine is written
    assert (out / "file/home/me/page.html").read_text() == "<a href=other>"


@pytest.mark.parametrize(
    ("length", "written"),
    [
        ("4", b"font"),
        ("6", b"font\r\n"),
        ("3", b"font\r\n"),  # some archives keep the head of a body whose coding they removed
        ("²", b"font\r\n"),
        ("-2", b"font\r\n"),
        ("9" * 5000, b"font\r\n"),
    ],
)
def test_an_empty_line_that_was_not_sent_is_not_written(run, tmp_path, length, written):
    block = http(b"font\r\n", "font/woff", Content_Length=length)
    out = unpack(run, tmp_path, record("response", f"{SITE}a.woff", block, Content_Type="application/http"))
    assert (out / "h.example/a.woff").read_bytes() == written


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml", "text/plain; charset=windows-1252"])
def test_an_image_is_one_whatever_the_server_said(run, tmp_path, media_type):
    made = {SITE: ("<img src=a.png><img src=b?c><img src=d.html>", "text/html")}
    made |= {SITE + name: (png(), media_type) for name in ("a.png", "b?c", "d.html")}
    out = unpack(run, tmp_path, pages(made), "--no-network")
    images = ["a.png", "b-c.bin", "d.html"]
    assert files(out) == [*(f"h.example/{name}" for name in images), "h.example/index.html", "index.html"]
    assert [(out / "h.example" / name).read_bytes() for name in images] == [png()] * 3
    assert (out / "h.example/index.html").read_text().endswith("<img src=a.png><img src=b-c.bin><img src=d.html>")


def test_an_empty_body_is_an_empty_file(run, tmp_path):
    records = [
        response(SITE, "<script src=a.js></script><link rel=stylesheet href=b.css><a href=c>"),
        response(f"{SITE}a.js", b"", "text/javascript"),
        record("response", f"{SITE}b.css", http(b"", "text/css", Content_Length="0"), Content_Type="application/http"),
        response(f"{SITE}c", b"", "text/html"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert (out / "h.example/index.html").read_text() == (
        "<script src=a.js></script><link rel=stylesheet href=b.css><a href=c.html>"
    )
    assert [(out / "h.example" / name).read_bytes() for name in ("a.js", "b.css", "c.html")] == [b"", b"", b""]


def test_every_successful_response_is_saved(run, tmp_path):
    records = [
        response(SITE, "<a href=203>"),
        record("response", f"{SITE}203", http(b"<p>x", status="203 x"), Content_Type="application/http"),
        record("response", f"{SITE}201", http(b"<p>y", status="201 Created"), Content_Type="application/http"),
        revisit(f"{SITE}again", status="203 x", WARC_Refers_To_Target_URI=f"{SITE}201", WARC_Refers_To_Date=DATE),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert (out / "h.example/index.html").read_text() == "<a href=203.html>"
    assert files(out)[:3] == ["h.example/201.html", "h.example/203.html", "h.example/again.html"]


def part(name: str, start: int, body: bytes, total: object, kind: str = "video/mp4", **fields: str) -> bytes:
    """A response with a part of a resource."""
    content_range = f"bytes {start}-{start + len(body) - 1}/{total}"
    block = http(body, kind, "206 Partial Content", Content_Range=content_range, **fields)
    return record("response", SITE + name, block, Content_Type="application/http;msgtype=response")


def test_parts_of_a_resource_are_joined(run, tmp_path):
    page = "<video src=whole.mp4></video><video src=parts.mp4></video><a href=page></a>"
    records = [
        response(SITE, page),
        part("whole.mp4", 0, b"0123456789", 10),
        part("parts.mp4", 6, b"6789", 10, ETag='"1"'),
        part("parts.mp4", 0, b"0123", 10, ETag='"1"'),
        part("page", 9, b"x>page</a>", 19, "text/html"),
        part("parts.mp4", 3, b"3456", 10, ETag='"1"'),
        part("page", 0, b"<a href=/", 19, "text/html"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert (out / "h.example/index.html").read_text() == (
        "<video src=whole.mp4></video><video src=parts.mp4></video><a href=page.html></a>"
    )
    assert (out / "h.example/whole.mp4").read_bytes() == (out / "h.example/parts.mp4").read_bytes() == b"0123456789"
    assert (out / "h.example/page.html").read_text() == f"<a href={SITE}x>page</a>"


def test_parts_that_cannot_be_joined_are_counted(run, tmp_path):
    records = [
        response(SITE, "<video src=gap><video src=other><video src=unknown><video src=short><video src=none>"),
        *(part("gap", 0, b"0123", 10), part("gap", 5, b"56789", 10)),
        *(part("other", 0, b"01234", 10, ETag='"1"'), part("other", 5, b"56789", 10, ETag='"2"')),
        part("unknown", 0, b"0123456789", "*"),
        record("response", f"{SITE}short", http(b"0123", status="206 x", Content_Range="bytes 0-4/5")),
        record("response", f"{SITE}none", http(b"x", status="206 x"), Content_Type="application/http"),
        *(part("later", 0, b"01234", 10), response(f"{SITE}later", "0123456789", "video/mp4")),
    ]
    (tmp_path / "crawl.warc.gz").write_bytes(crawl(records))
    result = run("rewrite", "--unpack", tmp_path / "out", tmp_path / "crawl.warc.gz")
    assert result.exit_code == 0
    assert "5 URIs were captured only in part (206), and cannot be joined; not saved\n" in result.stderr
    assert files(tmp_path / "out") == [
        "h.example/index.html",
        "h.example/later.mp4",
        "index.html",
    ]


def test_what_has_no_media_type_is_looked_at(run, tmp_path):
    records = [
        response(SITE, "<!DOCTYPE html><link rel=stylesheet href=s.css><img src=i>", None),
        response(f"{SITE}s.css", "p { background: url(i) }", "unknown"),
        response(f"{SITE}i", png(), "application/unknown"),
        response(f"{SITE}t", "text", None),
        response(f"{SITE}page.php", "<html><a href=t>", "*/*"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert files(out) == [
        "h.example/i.bin",
        "h.example/index.html",
        "h.example/page.php.html",
        "h.example/s.css",
        "h.example/t.txt",
        "index.html",
    ]
    assert (out / "h.example/s.css").read_text() == "p { background: url(i.bin) }"
    assert (out / "h.example/page.php.html").read_text() == "<html><a href=t.txt>"


def test_redirects_lead_on(run, tmp_path):
    records = [
        response(SITE, "<a href=one#f>1</a><a href=loop>2</a><a href=out>3</a>"),
        redirect(f"{SITE}one", "/two"),
        redirect(f"{SITE}two", "three", status="302 Found"),
        response(f"{SITE}three", "<p>three"),
        redirect(f"{SITE}loop", "/pool"),
        redirect(f"{SITE}pool", "/loop"),
        redirect(f"{SITE}out", "https://elsewhere.example/"),
        redirect(f"{SITE}raw", "/xü"),
        response(f"{SITE}x%C3%BC", "<a href=raw>"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert (out / "h.example/index.html").read_text() == (
        f"<a href=three.html#f>1</a><a href={SITE}loop>2</a><a href={SITE}out>3</a>"
    )
    assert (out / "h.example/x.html").read_text() == "<a href=x.html>"
    index = (out / "index.html").read_text()
    assert '<td>301<td><a href="h.example/three.html">→ https://h.example/two</a>' in index
    assert "<td>301<td>→ https://elsewhere.example/<small>" in index


def test_references_are_read_as_browsers_read_them(run, tmp_path):
    page = "<img src=i?ä><img src='\\a b.png'><img src='HTTPS://H.example:443/./c.png'>"
    page += "<a href=gone?ä>a</a><a href=http://g.example/?ä>b</a><a href=#ä>c</a>"
    made = {
        SITE: (page.encode("latin-1"), "text/html; charset=latin1"),
        f"{SITE}i?%E4": (png(), "image/png"),
        f"{SITE}a%20b.png": (png(), "image/png"),
        f"{SITE}c.png": (png(), "image/png"),
    }
    out = unpack(run, tmp_path, pages(made))
    home = (out / "h.example/index.html").read_text(encoding="utf-8-sig")
    assert home == (
        "<img src=i.png><img src='a-b.png'><img src='c.png'>"
        f"<a href={SITE}gone?%E4>a</a><a href=http://g.example/?%E4>b</a><a href=#ä>c</a>"
    )


def test_http_leads_to_https_where_only_that_is_saved(run, tmp_path):
    records = [
        response(
            "http://h.example/", "<img src=i.png><img src=http://g.example/j.png><img src=https://f.example/k.png>"
        ),
        response("https://h.example/i.png", png(), "image/png"),
        response("http://h.example/i.png", png(b"abc"), "image/png"),
        response("https://g.example/j.png", png(), "image/png"),
        redirect("http://f.example/k.png", "https://g.example/j.png"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    assert (out / "h.example/index.html").read_text() == (
        "<img src=i-2.png><img src=../g.example/j.png><img src=../g.example/j.png>"
    )
    assert (out / "h.example/i-2.png").read_bytes() == png(b"abc")


def test_revisits_stand_for_their_originals(run, tmp_path):
    body = "<img src=i.png>"
    by_date = {"WARC_Refers_To_Target_URI": f"{SITE}a/", "WARC_Refers_To_Date": "2024-05-06T07:08:09Z"}
    records = [
        response(SITE, "<a href=b/>b</a><a href=c/>c</a><a href=d>d</a><img src=e.png>", number=1),
        response(f"{SITE}a/", body, number=2),
        response(f"{SITE}a/i.png", png(), "image/png", number=3),
        response(f"{SITE}b/i.png", png(b"\0\xff\0"), "image/png", number=4),
        revisit(f"{SITE}b/", **by_date),
        revisit(f"{SITE}c/", WARC_Refers_To="<urn:uuid:00000000-0000-0000-0000-000000000002>"),
        revisit(f"{SITE}d", WARC_Payload_Digest="sha1:OF-WHAT-IS-NOT-HERE"),
        revisit(f"{SITE}e.png", WARC_Refers_To="<urn:uuid:00000000-0000-0000-0000-000000000003>"),
        revisit(SITE, date="2025-01-01T00:00:00Z", status="304 Not Modified"),
    ]
    out = unpack(run, tmp_path, crawl(records))
    # what is relative in a page is so to the URI of the revisit; an image is there once
    assert files(out) == [
        "h.example/a/i.png",
        "h.example/a/index.html",
        "h.example/b/i.png",
        "h.example/b/index.html",
        "h.example/c/index.html",
        "h.example/index.html",
        "index.html",
    ]
    assert (out / "h.example/index.html").read_text() == (
        f"<a href=b/index.html>b</a><a href=c/index.html>c</a><a href={SITE}d>d</a><img src=a/i.png>"
    )
    assert (out / "h.example/b/index.html").read_text() == body
    assert (out / "h.example/c/index.html").read_text() == f"<img src={SITE}c/i.png>"
    assert "2025-01-01T00:00:00Z<td>200" in (out / "index.html").read_text()


CAPTURES = [
    response(SITE, "<p>old<img src=i.png><a href=b>", date="2020-01-01T00:00:00Z"),
    response(f"{SITE}i.png", png(), "image/png", date="2020-01-01T00:00:01Z"),
    response(f"{SITE}i.png", png(b"\0\0\0"), "image/png", date="2024-01-01T00:00:01Z"),
    response(SITE, "<p>new<img src=i.png><a href=b>", date="2024-01-01T00:00:00Z"),
    response(SITE, "<p>between<img src=i.png>", date="2022-01-01T00:00:00Z"),
    response(f"{SITE}b", "<p>b", date="2021-01-01T00:00:00Z"),
    redirect(f"{SITE}b", "/gone", date="2025-01-01T00:00:00Z"),
]


def test_of_several_captures_the_last_counts(run, tmp_path):
    out = unpack(run, tmp_path, crawl(CAPTURES))
    assert files(out) == ["h.example/b.html", "h.example/i.png", "h.example/index.html", "index.html"]
    assert (out / "h.example/index.html").read_text() == "<p>new<img src=i.png><a href=b.html>"
    assert (out / "h.example/i.png").read_bytes() == png(b"\0\0\0")


def test_all_captures_lead_to_the_nearest_in_time(run, tmp_path):
    out = unpack(run, tmp_path, crawl(CAPTURES), "--all-captures")
    assert files(out) == [
        "20200101000000/h.example/index.html",
        "20200101000001/h.example/i.png",
        "20210101000000/h.example/b.html",
        "20220101000000/h.example/index.html",
        "20240101000000/h.example/index.html",
        "20240101000001/h.example/i.png",
        "index.html",
    ]
    texts = {path.parts[-3]: path.read_text() for path in out.glob("*/h.example/index.html")}
    assert texts["20200101000000"] == (
        "<p>old<img src=../../20200101000001/h.example/i.png><a href=../../20210101000000/h.example/b.html>"
    )
    # 731 days before 2024-01-01, 730 days and a half behind 2020-01-01
    assert texts["20220101000000"] == "<p>between<img src=../../20240101000001/h.example/i.png>"
    # the nearest one of b is the redirect of 2025, which leads to nothing that is saved
    assert texts["20240101000000"] == (f"<p>new<img src=../../20240101000001/h.example/i.png><a href={SITE}b>")
    assert (out / "index.html").read_text().count("<td>200<td>") == 6


# --- containers


def test_what_is_compressed_with_lz4_is_named(run, tmp_path):
    (tmp_path / "a.warc.lz4").write_bytes(b"\x04\x22\x4d\x18\x64\x40\xa7\xff")
    for arguments in (("rewrite", "--unpack", tmp_path / "out"), ("links",)):
        result = run(*arguments, tmp_path / "a.warc.lz4")
        assert result.exit_code == 2
        assert result.stderr.splitlines()[0].endswith(
            "a.warc.lz4: is compressed with LZ4, which rehref does not read; unpack it with lz4 -d, and name the result"
        )


def test_from_a_pipe(run, tmp_path):
    result = run("rewrite", "--unpack", tmp_path / "out", "-", input=pages({SITE: ("<p>", "text/html")}))
    assert result.exit_code == 0
    assert files(tmp_path / "out") == ["h.example/index.html", "index.html"]


def test_from_a_true_pipe(run_process, tmp_path):
    reading, writing = os.pipe()
    os.write(writing, pages({SITE: ("<a href=b>", "text/html"), f"{SITE}b": ("b", "text/html")}))
    os.close(writing)
    with os.fdopen(reading) as stdin:
        done = run_process("rewrite", "--unpack", tmp_path / "out", "-", stdin=stdin)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out/h.example/index.html").read_text() == "<a href=b.html>"


def test_a_wacz_of_several_warcs(run, tmp_path):
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as out:
        out.writestr("datapackage.json", "{}")
        out.writestr("archive/1.warc.gz", pages({SITE: ("<a href=b>", "text/html")}))
        out.writestr("archive/2.warc.gz", pages({f"{SITE}b": ("<a href=/>", "text/html")}))
    out = unpack(run, tmp_path, written.getvalue(), name="a.wacz")
    assert (out / "h.example/index.html").read_text() == "<a href=b.html>"
    assert (out / "h.example/b.html").read_text() == "<a href=index.html>"


def test_an_arc(run, tmp_path):
    block = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/b>"
    lines = ["filedesc://a.arc 0.0.0.0 20140216050221 text/plain 2\nx\n"]
    lines += [f"http://h/{name} 1.2.3.4 20140216050222 text/html {len(block)}\n{block}\n" for name in "ab"]
    out = unpack(run, tmp_path, "".join(lines).encode(), name="a.arc")
    assert files(out) == ["h/a.html", "h/b.html", "index.html"]
    assert (out / "h/a.html").read_text() == "<a href=b.html>"
    assert "<td>2014-02-16T05:02:22Z<td>200<td>" in (out / "index.html").read_text()


MBOX = """From a@h.example Mon May  6 07:08:09 2024
From: =?utf-8?q?J=C3=BCrgen?= <a@h.example>
Date: Mon, 6 May 2024 07:08:09 +0000
Subject: First <b>&
MIME-Version: 1.0
Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html; charset=iso-8859-1

<img src="cid:i@h"><a href=http://h.example/>x</a>
--b
Content-Type: image/png
Content-ID: <i@h>

png
--b--

From b@h.example Mon May  6 07:08:10 2024
From: b@h.example
Content-Type: text/plain

text
"""


def test_a_mailbox(run, tmp_path):
    out = unpack(run, tmp_path, MBOX.encode(), name="mail.mbox")
    assert files(out) == ["1/i.png", "1/index.html", "2/index.txt", "index.html"]
    assert (out / "1/index.html").read_text() == '<img src="i.png"><a href=http://h.example/>x</a>'
    index = (out / "index.html").read_text(encoding="utf-8")
    assert (
        "<tr><td>Mon, 6 May 2024 07:08:09 +0000<td>Jürgen &lt;a@h.example&gt;"
        '<td><a href="1/index.html">First &lt;b&gt;&amp;</a>'
    ) in index
    assert '<td>b@h.example<td><a href="2/index.txt">(no subject)</a>' in index


# --- what is bad


@pytest.mark.parametrize(
    "option", [("--to", "relative"), ("--map", "m.csv"), ("--cdx",), ("--all-types",), ("--backup",)]
)
def test_what_says_otherwise_is_refused(run, tmp_path, option):
    (tmp_path / "c.warc.gz").write_bytes(pages({SITE: ("<p>", "text/html")}))
    result = run("rewrite", "--unpack", tmp_path / "out", *option, tmp_path / "c.warc.gz")
    assert result.exit_code == 2
    assert f"{option[0]}: does not go with --unpack; leave it out" in result.stderr
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_read_is_reported_and_the_rest_written(run, tmp_path):
    records = [
        response(SITE, "<img src=broken><img src=ok.png>"),
        record("response", f"{SITE}broken", http(b"\x1f\x8b broken", "image/png", Content_Encoding="gzip"), number=7),
        response(f"{SITE}ok.png", png(), "image/png"),
    ]
    (tmp_path / "c.warc.gz").write_bytes(crawl(records)[:-5])
    result = run("rewrite", "--unpack", tmp_path / "out", tmp_path / "c.warc.gz")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 4, result.stderr
    assert "record <urn:uuid:00000000-0000-0000-0000-000000000007> at byte " in result.stderr
    assert "Traceback" not in result.stderr
    # a reference never leads to a file that was not written
    text = (tmp_path / "out/h.example/index.html").read_text()
    assert f"<img src={SITE}broken>" in text
    for name in re.findall(r"src=([a-z.]+)>", text):
        assert (tmp_path / "out/h.example" / name).is_file()


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("crawl.warc", b"", "crawl.warc: is empty; check where it comes from"),
        ("page", b"", "page: is empty; check where it comes from"),
        ("crawl.wacz", b"text", "crawl.wacz: is named like a WACZ, but is not one; check where it comes from"),
        ("page.html", b"<p>", "page.html: cannot be unpacked; --unpack takes one of these: "),
    ],
)
def test_what_cannot_be_unpacked_is_named(run, tmp_path, name, data, said):
    (tmp_path / name).write_bytes(data)
    result = run("rewrite", "--unpack", tmp_path / "out", tmp_path / name)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"rehref: {tmp_path / said}")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "data", "reported"),
    [
        ("empty.warc.gz", gzip.compress(b"", mtime=0), 0),
        ("info.warc.gz", record("warcinfo", "", b"software: x\r\n"), 0),
        ("cut.warc.gz", response(SITE, b"<p>")[:40], 1),
        ("cut.wacz", b"PK\x03\x04", 1),
    ],
    ids=["empty", "without captures", "cut off", "a zip cut off"],
)
def test_an_archive_without_files_names_nothing_to_open(run, tmp_path, name, data, reported):
    (tmp_path / name).write_bytes(data)
    result = run("rewrite", "--unpack", tmp_path / "out", tmp_path / name)
    assert result.exit_code == 2 * reported
    *others, last = result.stderr.splitlines()
    assert len(others) == reported
    assert last == f"rehref: 0 files in {tmp_path / 'out'}: {tmp_path / name} holds nothing to unpack"


@pytest.mark.parametrize(
    "data", [pages({SITE: ("x", "text/html")}), b"MIME-Version: 1.0\nFrom: a@b.example\n\nx"], ids=["archive", "mail"]
)
def test_a_folder_that_cannot_be_made_is_named(run, tmp_path, data):
    (tmp_path / "source").write_bytes(data)
    result = run("rewrite", "--unpack", tmp_path / "source/out", tmp_path / "source")
    said = f"rehref: --unpack {tmp_path / 'source/out'}: {tmp_path / 'source'} is not a folder; name another\n"
    assert (result.exit_code, result.stderr) == (2, said)


def test_nothing_leaves_the_folder(run, tmp_path):
    uris = ["http://../../../x", "http://h/../../x", "http://h/%2e%2e/%2e%2e/x", "file:///etc/passwd", "x:../../y"]
    uris += ["http://h/a\\..\\..\\x", "http://h/%00", "C:\\x"]
    out = unpack(run, tmp_path, crawl(response(uri, "<p>") for uri in uris))
    assert {path.name for path in tmp_path.iterdir()} == {"crawl.warc.gz", "out"}
    assert len(files(out)) == len(uris)  # two are the same, and there is the index


def test_no_symbolic_link_is_followed_out_of_the_folder(tmp_path, monkeypatch, run):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "c.warc.gz").write_bytes(pages({SITE: ("<p>", "text/html")}))
    # a link that somebody puts there while the folder is being written
    monkeypatch.setattr("rehref.cli._commands.rewrite.unpack._refuse_used", lambda folder: None)
    (tmp_path / "out/h.example").symlink_to(tmp_path / "elsewhere")
    result = run("rewrite", "--unpack", tmp_path / "out", tmp_path / "c.warc.gz")
    assert result.exit_code == 2
    assert "leads out of the folder" in result.stderr
    assert not list((tmp_path / "elsewhere").iterdir())


def test_the_index_holds_nothing_of_the_archive_but_text(run, tmp_path):
    title = "<title>&lt;script>alert(1)&lt;/script> <b></title>"
    made = {
        'http://user:secret@h.example/"><script>x</script>': (title, "text/html"),
        f"{SITE}\x1b[31m": ("<title>\x1b[31m</title>", "text/html"),
    }
    out = unpack(run, tmp_path, pages(made))
    index = (out / "index.html").read_text()
    assert "<script" not in index
    assert "secret" not in index
    assert "\x1b" not in index
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in index
    assert "default-src 'none'" in index


def test_memory_is_that_of_one_body(run, tmp_path):
    body = os.urandom(1 << 18) * 8
    with (tmp_path / "big.warc").open("wb") as file:
        for number in range(50):
            block = http(body, "image/png")
            head = f"WARC-Type: response\r\nWARC-Target-URI: {SITE}{number}.png\r\nContent-Length: {len(block)}"
            file.write(f"WARC/1.1\r\n{head}\r\n\r\n".encode() + block + b"\r\n\r\n")
    tracemalloc.start()
    try:
        result = run("rewrite", "-q", "--unpack", tmp_path / "out", tmp_path / "big.warc")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert result.exit_code == 0, result.stderr
    assert len(files(tmp_path / "out")) == 51
    assert peak < 10 * len(body)  # of 50


def test_lazy_images_that_are_saved_are_in_the_copy(run, tmp_path):
    page = '<img data-lazy-src=/i.png data-src="/none.png"><img data-srcset="/i.png 2x">'
    data = pages({SITE: (page, "text/html; charset=utf-8"), f"{SITE}i.png": (png(), "image/png")})
    out = unpack(run, tmp_path, data)
    assert (out / "h.example/index.html").read_text() == (
        '<img data-lazy-src=i.png data-src="/none.png"><img data-srcset="i.png 2x">'
    )


def test_what_needs_the_web_or_a_server_is_counted(run, tmp_path):
    page = (
        '<script src=/s.js></script><img src=/gone.png><img src=/less.png srcset="/i.png 2x"><a href=/gone>x</a>'
        '<script>fetch("/api"); x = "https:\\/\\/h.example\\/i.png"; y = "https://h.example/gone"</script>'
        '<!-- <script>fetch("/api")</script> --><img data-src=https://h.example/later.png>'
    )
    script = 'new XMLHttpRequest().open("GET", "/api"); fetch(`/api/${id}`); import("/none.js"); fetch("/none")'
    made = pages(
        {
            SITE: (page, "text/html; charset=utf-8"),
            f"{SITE}i.png": (png(), "image/png"),
            f"{SITE}api": ("{}", "application/json"),
            f"{SITE}s.js": (script, "text/javascript"),
            f"{SITE}t.js": ('"https://h.example/" + $.get(url)', "text/javascript"),
        }
    )
    (tmp_path / "crawl.warc.gz").write_bytes(made)
    done = run("rewrite", "--unpack", tmp_path / "out", tmp_path / "crawl.warc.gz")
    assert done.exit_code == 0
    assert done.stderr.splitlines()[1:] == [
        "rehref: 1 reference to the web stays; --no-network lets nothing be loaded from there",
        "rehref: 2 absolute URLs in scripts, though saved, may lead to the web",
        f"rehref: 2 fetching scripts will not work from a disk: rehref serve {tmp_path / 'out'}",
    ]


def test_style_sheets_that_are_urls_lead_to_saved_files(run, tmp_path):
    hidden = b64encode(b"a{b:url(i.png);c:url(data:,x);d:url(#e)}").decode()
    page = (
        '<base href="/d/"><link rel=stylesheet href="data:text/css,a{b:url(i.png)}c{d:url(\'gone.png\')}">'
        f'<link rel=stylesheet href="data:text/css;base64,{hidden}">'
    )
    made = pages({SITE: (page, "text/html; charset=utf-8"), f"{SITE}d/i.png": (png(), "image/png")})
    (tmp_path / "crawl.warc.gz").write_bytes(made)
    done = run("rewrite", "--unpack", tmp_path / "out", tmp_path / "crawl.warc.gz")
    assert (tmp_path / "out/h.example/index.html").read_text() == (
        "<link rel=stylesheet href=\"data:text/css,a{b:url(d/i.png)}c{d:url('https://h.example/d/gone.png')}\">"
        f'<link rel=stylesheet href="data:text/css;base64,{hidden}">'
    )
    assert done.stderr.splitlines()[1:] == [
        "rehref: 2 references to the web stay; --no-network lets nothing be loaded from there",
    ]


POLICY = "default-src file: data: blob: 'self' http://*.localhost:* 'unsafe-inline' 'unsafe-eval'"
META = (
    f'<meta http-equiv="Content-Security-Policy" content="{POLICY}"/>'
    '<script>self.navigation?.addEventListener("navigate",e=>{if(!navigator.userActivation.isActive)'
    r"if(/^https?:..(?!([^/]*\.)?localhost[:/])/.test(e.destination.url))"
    "if(!e.destination.url.startsWith(origin))e.preventDefault()});document.currentScript.remove()</script>"
)


@pytest.mark.parametrize(
    ("page", "media_type", "new"),
    [
        ("<p>a", "text/html", META + "<p>a"),
        (
            "\n<!-- a --><!DOCTYPE html><!--> <html lang='>'>\n<head id=a><title>",
            "text/html",
            "\n<!-- a --><!DOCTYPE html><!--> " + META + "<html lang='>'>\n<head id=a><title>",
        ),
        ("<html><header>", "text/html", f"{META}<html><header>"),
        ('<!-- x --!><!doctype html><html lang=en"><img alt="-->">', "text/html", None),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://b/"/></svg>',
            "image/svg+xml",
            '<svg xmlns="http://www.w3.org/2000/svg"><image href="data:,"/></svg>',
        ),
        ("<html><head/></html>", "application/xhtml+xml", f"<html><head>{META}</head></html>"),
        ("<x/>", "application/xhtml+xml", "<x/>"),
        ("<svg/>", "image/svg+xml", "<svg/>"),
        (
            '<link rel="dns-prefetch preconnect" href=//a><link rel=prefetch href=/><meta http-equiv=refresh '
            'content="0;url=//b/"><meta property=og:image content=http://c/>',
            "text/html",
            f'{META}<link rel="dns-prefetch preconnect"><link rel=prefetch href=index.html><meta http-equiv=refresh>'
            "<meta property=og:image content=http://c/>",
        ),
        (
            "<iframe src='//b/c?d'></iframe><iframe src='/'></iframe><iframe srcdoc=\"<iframe src=http://e/>\"></iframe>",
            "text/html",
            f"{META}<iframe src='data:,https://b/c?d'></iframe><iframe src='index.html'></iframe>"
            '<iframe srcdoc="<iframe src=data:,http://e/>"></iframe>',
        ),
        (
            '<script type=\' SpeculationRules\n\'>{"prefetch":[{"urls":["//b/"]}]}</script>'
            "<script type=module></script><svg><script type=speculationrules>{}</script></svg>"
            "<iframe srcdoc='<script type=speculationrules>'></iframe>",
            "text/html",
            META + '<script type=\' data-speculationrules\n\'>{"prefetch":[{"urls":["https://b/"]}]}</script>'
            "<script type=module></script><svg><script type=data-speculationrules>{}</script></svg>"
            "<iframe srcdoc='<script type=data-speculationrules>'></iframe>",
        ),
        (
            '<svg xmlns="http://www.w3.org/2000/svg"><script type="speculationrules">{}</script></svg>',
            "image/svg+xml",
            '<svg xmlns="http://www.w3.org/2000/svg"><script type="data-speculationrules">{}</script></svg>',
        ),
        (
            '<html xmlns="http://www.w3.org/1999/xhtml"><head/><script type="speculationrules">{}</script></html>',
            "application/xhtml+xml",
            f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{META}</head>'
            '<script type="data-speculationrules">{}</script></html>',
        ),
        ("<frameset><frame src=http://b/>", "text/html", f"{META}<frameset><frame src=data:,http://b/>"),
    ],
)
def test_pages_that_never_ask_the_web(run, tmp_path, page, media_type, new):
    (tmp_path / "crawl.warc.gz").write_bytes(pages({SITE: (page, media_type)}))
    assert run("rewrite", "-q", "--no-network", "--unpack", tmp_path / "o", tmp_path / "crawl.warc.gz").exit_code == 0
    assert next((tmp_path / "o/h.example").iterdir()).read_text() == (new or page.replace("<html", f"{META}<html"))


def test_no_network_goes_with_messages_and_with_copies_only(run, tmp_path):
    message = b"Content-Type: text/html; charset=utf-16\n\n" + "\ufeff<p>ä".encode("utf-16-le")
    (tmp_path / "m.mht").write_bytes(b"MIME-Version: 1.0\n" + message)
    assert run("rewrite", "-q", "--no-network", "--unpack", tmp_path / "o", tmp_path / "m.mht").exit_code == 0
    assert (tmp_path / "o/index.html").read_bytes().decode("utf-16") == f"{META}<p>ä"
    done = run("rewrite", "--no-network", "-o", tmp_path / "x", tmp_path / "m.mht")
    assert (done.exit_code, "goes with --unpack, or with --to offline and -o, only" in done.stderr) == (2, True)


def test_the_fragment_of_a_redirect_is_kept_and_counts_before_that_of_the_reference(run, tmp_path):
    """Fetch Standard, "location URL": the fragment of the request is inherited if the location has none."""
    links = (
        "<a href=/old>1</a><a href=/old#top>2</a><a href=/older#top>3</a><a href=/plain#top>4</a><a href=/none#>5</a>"
    )
    made = [
        response(SITE, links, number=1),
        response(f"{SITE}new", "<p id=sec>", number=2),
        redirect(f"{SITE}old", "/new#sec"),
        redirect(f"{SITE}older", "/old"),
        redirect(f"{SITE}plain", "/new"),
        redirect(f"{SITE}none", "/new#"),
    ]
    out = unpack(run, tmp_path, crawl(made))
    assert (out / "h.example/index.html").read_text() == (
        "<a href=new.html#sec>1</a><a href=new.html#sec>2</a><a href=new.html#sec>3</a><a href=new.html#top>4</a>"
        "<a href=new.html#>5</a>"
    )
    shown = (out / "index.html").read_text()
    assert shown.count('<a href="h.example/new.html#sec">') == 2
    assert shown.count('<a href="h.example/new.html">') == 2  # the page, and the redirect without a fragment


@pytest.mark.parametrize("location", ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "JavaScript:alert(1)#x"])
def test_no_other_scheme_of_a_redirect_reaches_a_page(run, tmp_path, location):
    page = record(
        "response", SITE, http(b"<a href=/old>1</a>", Refresh=f"0;url={location}"), Content_Type="application/http"
    )
    out = unpack(run, tmp_path, crawl([page, redirect(f"{SITE}old", location)]))
    assert (out / "h.example/index.html").read_text() == f"<a href={SITE}old>1</a>"
    assert f'"{location}' not in (out / "index.html").read_text()


@pytest.mark.parametrize(
    ("value", "media_type", "page", "new"),
    [
        (
            "3; url=/b#x",
            "text/html",
            "<base href=/d/><p>",
            '<meta http-equiv="refresh" content="3;url=b.html#x"/><p>',
        ),
        (
            "0,URL='b'",
            "text/html",
            "<!doctype html><p>",
            '<!doctype html><meta http-equiv="refresh" content="0;url=b.html"/><p>',
        ),
        ("5 /b", "text/html", "<p>", '<meta http-equiv="refresh" content="5;url=b.html"/><p>'),
        ("5 /b#é", "text/html", "<p>", '<meta http-equiv="refresh" content="5;url=b.html#%C3%A9"/><p>'),
        ("5 /b#100%^|", "text/html", "<p>", '<meta http-equiv="refresh" content="5;url=b.html#100%^|"/><p>'),
        ("0;url=/b", "text/html", "<p title='", '<meta http-equiv="refresh" content="0;url=b.html"/><p title=\''),
        ("0;url=//evil.example/", "text/html", "<p>", "<p>"),
        ("5", "text/html", "<p>", "<p>"),
        ("0;url=/b", "text/plain", "<p>", "<p>"),
        (
            "0;url=/b",
            "application/xhtml+xml",
            f'<html xmlns="{XHTML}"><head/></html>',
            f'<html xmlns="{XHTML}"><head><meta http-equiv="refresh" content="0;url=b.html"/></head></html>',
        ),
        (
            "0;url=/b",
            "application/xhtml+xml",
            f'<html xmlns="{XHTML}"><head id="h"></head></html>',
            f'<html xmlns="{XHTML}"><head id="h"><meta http-equiv="refresh" content="0;url=b.html"/></head></html>',
        ),
    ],
)
def test_a_refresh_field_is_in_the_page_if_its_target_is_saved(run, tmp_path, value, media_type, page, new):
    sent = record(
        "response", f"{SITE}a", http(page.encode(), media_type, Refresh=value), Content_Type="application/http"
    )
    out = unpack(run, tmp_path, crawl([sent, response(f"{SITE}b")]))
    assert next((out / "h.example").glob("a.*")).read_text() == new


def test_a_refresh_field_of_a_page_in_utf_16(run, tmp_path):
    text = "<title>x</title>".encode("utf-16")
    sent = record("response", f"{SITE}a", http(text, Refresh="0;url=/b"), Content_Type="application/http")
    out = unpack(run, tmp_path, crawl([sent, response(f"{SITE}b")]))
    assert (out / "h.example/a.html").read_bytes().decode("utf-16") == (
        '<meta http-equiv="refresh" content="0;url=b.html"/><title>x</title>'
    )


@pytest.mark.parametrize("charset", ["utf-8", "windows-1252"])
def test_what_means_something_in_a_message_only_is_not_written(run, tmp_path, charset):
    page = (
        '<a href="terms.html">t</a><img src="i.png"><img src="/a/b.png"><a href="ü?ü">x</a>'
        '<a href="//w.example/">w</a><p style="background: url(gone.png)">'
    )
    boundary = "MIME-Version: 1.0\nContent-Type: multipart/related; boundary=B\n\n--B\n"
    image = "\n--B\nContent-Type: image/png\nContent-Location: i.png\n\nx\n--B--\n"
    text = f"{boundary}Content-Type: text/html; charset={charset}\n\n{page}{image}"
    (tmp_path / "m.eml").write_bytes(text.encode(charset))
    assert run("rewrite", "-q", "--unpack", tmp_path / "out", tmp_path / "m.eml").exit_code == 0
    assert (tmp_path / "out/index.html").read_text("utf-8-sig") == page


def test_the_titles_of_the_index_are_those_of_the_pages(run, tmp_path):
    page = "<!-- <title>Old</title> --><svg><title>Icon</title></svg><title>New &amp; true</title>"
    out = unpack(run, tmp_path, pages({SITE: (page, "text/html")}))
    index = (out / "index.html").read_text()
    assert '<a href="h.example/index.html">New &amp; true</a>' in index
    assert "Old" not in index


@pytest.mark.parametrize("coding", ["gzip", "br", "deflate", "zstd"])
def test_an_image_that_is_not_coded_as_its_head_says_is_saved(run, tmp_path, coding):
    image = record(
        "response", f"{SITE}i.png", http(png(), "image/png", Content_Encoding=coding), Content_Type="application/http"
    )
    out = unpack(run, tmp_path, crawl([response(SITE, "<img src=i.png>"), image]))
    assert (out / "h.example/i.png").read_bytes() == png()
    assert (out / "h.example/index.html").read_text() == "<img src=i.png>"
