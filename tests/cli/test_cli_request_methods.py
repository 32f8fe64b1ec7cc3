"""The method of a request decides whether its capture is a page, in copies, on the server, and in comparisons."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import rehref
from crawl import crawl, http, record, record_id, redirect, request, response, revisit, unpacked_record
from plugins.serve.served import serving

SITE = "https://h.example/"
PAGE = f"{SITE}a"
LATER = "2025-01-01T00:00:00Z"


def beside(method: str, body: str, number: int, date: str) -> list[bytes]:
    return [request(PAGE, method, date=date), response(PAGE, body, number=number, date=date)]


def behind(method: str, body: str, number: int, date: str) -> list[bytes]:
    return beside(method, body, number, date)[::-1]


def named_by_request(method: str, body: str, number: int, date: str) -> list[bytes]:
    asked = request(PAGE, method, date=date, number=number + 100, WARC_Concurrent_To=record_id(number))
    return [response(PAGE, body, number=number, date=date), response(f"{SITE}other"), asked]


def named_by_response(method: str, body: str, number: int, date: str) -> list[bytes]:
    concurrent = {"WARC_Concurrent_To": record_id(number + 100), "Content_Type": "application/http"}
    answer = record("response", PAGE, http(body.encode()), number=number, date=date, **concurrent)
    return [request(PAGE, method, date=date, number=number + 100), response(f"{SITE}other"), answer]


WAYS = (beside, behind, named_by_request, named_by_response)


def copied(run: Callable[..., object], tmp_path: Path, data: bytes, *options: str, name: str = "crawl.warc.gz") -> Path:
    (tmp_path / name).write_bytes(data)
    result = run("rewrite", "--unpack", tmp_path / "copy", *options, tmp_path / name)
    assert result.exit_code == 0, result.stderr
    return tmp_path / "copy"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", ["HEAD", "OPTIONS", "POST", "PUT", "post"])
@pytest.mark.parametrize("options", [(), ("--all-captures",)])
def test_the_answer_to_a_get_is_the_page(run, tmp_path, way, method, options):
    records = [*way("GET", "<p>page", 1, "2024-05-06T07:08:09Z"), *way(method, "<p>done", 2, LATER)]
    copy = copied(run, tmp_path, crawl(records), *options)
    assert [path.read_text() for path in copy.rglob("a.html")] == ["<p>page"]


def test_the_answer_to_a_get_is_what_is_served(run, tmp_path):
    records = [*beside("GET", "<p>page", 1, "2024-05-06T07:08:09Z"), *beside("POST", "<p>done", 2, LATER)]
    with serving(copied(run, tmp_path, crawl(records), "--all-captures")) as server:
        assert server.ask("h.example.localhost:*", "/a").body == b"<p>page"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("method", "there"), [("HEAD", False), ("OPTIONS", False), ("POST", True), ("DELETE", True)])
def test_where_there_is_no_get_the_answer_to_some_other_method_is_the_page(run, tmp_path, way, method, there):
    copy = copied(run, tmp_path, crawl([response(SITE, number=9), *way(method, "<p>done", 1, LATER)]))
    assert (copy / "h.example/a.html").is_file() is there


def test_a_redirect_of_a_get_counts_before_the_answer_to_a_post(run, tmp_path):
    records = [
        response(SITE, "<a href=a>a</a>", number=7),
        response(f"{SITE}b", "<p>b", number=8),
        redirect(PAGE, "/b"),
        *beside("POST", "<p>done", 2, LATER),
    ]
    copy = copied(run, tmp_path, crawl(records))
    assert (copy / "h.example/index.html").read_text() == "<a href=b.html>a</a>"
    assert not (copy / "h.example/a.html").exists()


def test_the_same_uri_with_the_other_scheme_or_spelling_was_got(run, tmp_path):
    records = [
        response(SITE, "<a href=http://h.example/a%2Cb>a</a>", number=7),
        response(f"{SITE}a,b", "<p>page", number=8),
        request("http://h.example/a%2Cb", "POST"),
        response("http://h.example/a%2Cb", "<p>done", number=9),
    ]
    copy = copied(run, tmp_path, crawl(records))
    assert (copy / "h.example/index.html").read_text() == "<a href=a-b.html>a</a>"
    assert (copy / "h.example/a-b.html").read_text() == "<p>page"


def test_a_revisit_answers_its_own_request(run, tmp_path):
    records = [
        *beside("GET", "<p>page", 1, "2024-05-06T07:08:09Z"),
        response(f"{SITE}b", "<p>done", number=2),
        request(PAGE, "POST", date=LATER),
        revisit(PAGE, date=LATER, WARC_Refers_To=record_id(2)),
    ]
    copy = copied(run, tmp_path, crawl(records))
    assert (copy / "h.example/a.html").read_text() == "<p>page"


@pytest.mark.parametrize("way", WAYS)
def test_a_state_is_compared_by_the_answers_to_get(tmp_path, way):
    title = "<title>T</title><h1 id={}>x</h1>"
    got = way("GET", title.format("old"), 1, "2024-05-06T07:08:09Z")
    posted = [*way("POST", title.format("done"), 2, LATER), *way("HEAD", "", 3, LATER)]
    for name, records in (("old.warc.gz", got), ("new.warc.gz", [*got, *posted])):
        (tmp_path / name).write_bytes(crawl(records))
    assert rehref.compare(tmp_path / "old.warc.gz", tmp_path / "new.warc.gz").problems == ()


def indexed(key: str, row: dict[str, object], *, pages: bool = False) -> bytes:
    """A WACZ of a page and a later answer, about which a line says `row`; `key` comes before it."""
    page, later = (
        unpacked_record("response", PAGE, http(body), number=number, date=date, Content_Type="application/http")
        for number, (body, date) in enumerate([(b"<p>page", "2024-05-06T07:08:09Z"), (b"<p>done", LATER)], 1)
    )
    place = {"offset": str(len(page)), "length": str(len(later)), "filename": "data.warc"}
    line = f"{key}{json.dumps(row if pages else {'url': PAGE} | place | row)}\n"
    with zipfile.ZipFile(out := io.BytesIO(), "w") as zipped:
        zipped.writestr("archive/data.warc", page + later)
        zipped.writestr("pages/pages.jsonl" if pages else "indexes/index.cdxj", line)
        zipped.writestr("datapackage.json", "{}")
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        indexed("example,h)/a?__wb_method=post&__wb_post_data=x 20250101000000 ", {}),
        indexed("example,h)/a?__wb_method=HEAD 20250101000000 ", {}),
        indexed("example,h)/a 20250101000000 ", {"method": "POST"}),
        indexed("", {"url": PAGE, "ts": LATER, "http.method": "POST"}, pages=True),
    ],
)
def test_the_index_of_a_wacz_says_the_method(run, tmp_path, data):
    copy = copied(run, tmp_path, data, name="crawl.wacz")
    assert (copy / "h.example/a.html").read_text() == "<p>page"


@pytest.mark.parametrize("row", [{"method": "GET"}, {"method": 5}, {"method": "x" * 99}, {"offset": "x" * 99}])
def test_lines_that_say_no_method_count_for_nothing(run, tmp_path, row):
    copy = copied(run, tmp_path, indexed("example,h)/a 20250101000000 ", row), name="crawl.wacz")
    assert (copy / "h.example/a.html").read_text() == "<p>done"
