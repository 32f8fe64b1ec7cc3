"""Saved HTTP responses: a test or more for each rule of `rehref.containers._http.http_message`."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from containers.in_memory import everything, in_memory
from growth import assert_proportional
from rehref.containers._http.http_message import (
    SavedResponse,
    head_without_codings,
    recognizes,
    split_response,
    with_fields,
)
from rehref.containers.codings import is_coded
from rehref.containers.parts import ChangedPart, ContainerOptions, Diagnostic, Limits, Part
from rehref.documents.base import Layers, establish
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.text.header_fields import Head
from text.test_header_fields import HEADS, RESPONSE, joined

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "containers" / "response.http"
URL = "https://h.example/start"
HTTP = in_memory("http")
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: /moved\r\n\r\n"


def parts(data: bytes, url: str | None = URL, limits: Limits | None = None, **options) -> list[Part | Diagnostic]:
    return HTTP.found(data, ContainerOptions(Layers(retrieval=url), limits or Limits(), **options))


def rewritten(data: bytes, change) -> tuple[bytes, list[str]]:
    return HTTP.rewritten(data, change, ContainerOptions(Layers(retrieval=URL)))


def body_change(new: bytes):
    return lambda part: ChangedPart(new) if part.name == "body" else None


def message(data: bytes, url: str | None = None) -> SavedResponse:
    return SavedResponse(data, ContainerOptions(Layers(retrieval=url)))


# --- recognition


@pytest.mark.parametrize("data", [OK, b"HTTP/2 200 \nA: b\n\n", b"HTTP/1.0 404", b"HTTP/3 204\r\n\r\n"])
def test_a_status_line_tells(data: bytes):
    assert recognizes(data)


@pytest.mark.parametrize(
    "data", [b"", b"<p>", b"HTTP/1.1", b"HTTP is", b"GET / HTTP/1.1\r\n", b"HTTP/1.1 2000 x\n", b"\n" + OK]
)
def test_nothing_else_does(data: bytes):
    assert not recognizes(data)


@pytest.mark.parametrize(
    "first",
    [
        REDIRECT,
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </s.css>\r\n\r\n",
        b"HTTP/1.1 401 Who?\nWWW-Authenticate: Digest\nContent-Length: 9\n\n",
        b"HTTP/1.1 407 Who?\r\n\r\n",
        b"HTTP/1.1 200 Connection established\r\n\r\n",
    ],
)
def test_another_head_follows_one_that_is_not_the_end(first: bytes):
    response = split_response(first + OK + b"<p>")
    assert response.heads == (first, OK)
    assert response.body == b"<p>"


@pytest.mark.parametrize("first", [OK, b"HTTP/1.1 404 No\r\n\r\n", b"HTTP/1.1 304 Not Modified\r\n\r\n"])
def test_behind_any_other_there_is_the_body(first: bytes):
    assert split_response(first + OK + b"<p>").heads == (first,)


def test_a_file_of_heads_alone():
    second = OK.replace(b"html", b"css")
    assert split_response(OK + second).heads == (OK, second)
    assert split_response(OK + second).body == b""
    assert message(OK + second).media_type == "text/css"


def test_nothing_is_lost_whatever_it_is():
    for data in (b"", b"\n", OK[:20], OK + REDIRECT[:-2], REDIRECT * 3 + b"HTTP/1.1 200", b"Server: x\r\n\r\n<p>"):
        response = split_response(data)
        assert b"".join((*response.heads, response.body)) == data
        assert rewritten(data, lambda part: None)[0] == data


def test_the_last_head_tells_of_the_body():
    data = REDIRECT + b'HTTP/1.1 200 OK\r\nContent-Type: Text/CSS; Charset="x\\-y"\r\nContent-Length: 12\r\n\r\n'
    found = message(data, URL)
    assert (found.media_type, found.content_length) == ('Text/CSS; Charset="x\\-y"', 12)
    assert message(OK.replace(b"\r\n\r\n", b"\r\nContent-Length: 1e3\r\n\r\n")).content_length is None
    body = parts(OK.replace(b"html", b"html;charset=koi8-r") + b"<p>")[-1]
    assert isinstance(body, Part)
    assert (body.media_type, body.encoding, body.data) == ("text/html;charset=koi8-r", "koi8-r", b"<p>")


@pytest.mark.parametrize(
    ("media_type", "charset"),
    [
        ("a/b", ""),
        ("a/b;charset=", ""),
        ('a/b; x="; charset=no"; charset=yes', "yes"),
        ("a/b;CHARSET= utf-8 ;q", "utf-8"),
    ],
)
def test_charsets(media_type: str, charset: str):
    assert MediaType.charset_of(media_type) == charset


def test_redirects_move_the_retrieval_uri():
    hops = REDIRECT + b"HTTP/1.1 100 C\r\n\r\n" + REDIRECT.replace(b"/moved", b"//o.example/a/ b") + OK
    found = [part for part in parts(hops + b"<p>") if isinstance(part, Part)]
    assert [(part.name, part.layers.retrieval) for part in found] == [
        ("headers 1", URL),
        ("headers 2", "https://h.example/moved"),
        ("headers 3", "https://h.example/moved"),
        ("headers", "https://o.example/a/ b"),
        ("body", "https://o.example/a/ b"),
    ]


def test_without_a_uri_an_absolute_location_gives_one():
    assert message(REDIRECT + OK).uris[-1] is None
    assert message(REDIRECT.replace(b"/moved", b"https://o.example/\xc3\xa9") + OK).uris[-1] == "https://o.example/é"


def test_a_location_that_nothing_follows_moves_nothing():
    assert message(REDIRECT + b"<p>", URL).uris[-1] == URL
    assert message(OK.replace(b"\r\n\r\n", b"\r\nLocation: /x\r\n\r\n"), URL).uris[-1] == URL


def test_heads_are_documents():
    first, second, body = parts(FIXTURE.read_bytes(), "https://h.example/")
    assert isinstance(first, Part)
    assert isinstance(second, Part)
    assert isinstance(body, Part)
    targets = [link.target for part in (first, second) for link in part.opened(ReadOptions()).links()]
    here = "https://h.example/docs/"
    assert targets == [
        here,
        here + "en/index.html",
        here + "style.css",
        "https://h.example/feed?a,b",
        here + "#news",
        here + "next.html",
    ]
    assert establish(body.layers.candidates()).uri == here


def test_an_empty_body_is_none():
    assert [part.name for part in parts(OK) if isinstance(part, Part)] == ["headers"]


def test_content_location_only_if_asked_for():
    data = FIXTURE.read_bytes()
    body = parts(data, "https://h.example/", source=SourceOptions(content_location_base=True))[-1]
    assert isinstance(body, Part)
    base = establish(body.layers.candidates())
    assert (base.uri, base.origin, base.where) == ("https://h.example/docs/en/index.html", "entity", "Content-Location")


def test_a_changed_body_has_its_length_right():
    data = FIXTURE.read_bytes()
    new, diagnostics = rewritten(data, body_change(b"new"))
    assert diagnostics == []
    assert new == data[: data.index(b"<!DOCTYPE")].replace(b"content-length: 149", b"content-length: 3") + b"new"


def test_a_changed_head_leaves_the_body():
    data = FIXTURE.read_bytes()
    new, _ = rewritten(
        data, lambda part: ChangedPart(part.data.replace(b"/docs/", b"/d/")) if part.name != "body" else None
    )
    assert new == data.replace(b"/docs/", b"/d/")


def test_a_coded_body_is_read_and_written_without_its_coding():
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nX: y\r\n\r\n"
    packed = gzip.compress(b"<p>hello")
    coded = head + b"%x\r\n%s\r\n0\r\n\r\n" % (len(packed), packed)
    for data in (coded, head + b"<p>hello"):  # what `curl --compressed -i` writes has no codings any more
        body = parts(data)[-1]
        assert isinstance(body, Part)
        assert body.data == b"<p>hello"
        assert rewritten(data, lambda part: None)[0] == data
        assert (
            rewritten(data, body_change(b"<p>bye"))[0] == b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nX: y\r\n\r\n<p>bye"
        )


def body_types(data: bytes, url: str | None = URL, wanted=everything) -> list[str | None]:
    found = HTTP.parts(data, ContainerOptions(Layers(retrieval=url)), wanted)
    return [part.media_type for part in found if part.name == "body"]


def test_a_body_without_a_type_is_what_it_looks_like():
    for head in (b"HTTP/1.1 200 OK\r\n\r\n", b"HTTP/1.1 200 OK\nServer: x\n\n", OK.replace(b"text/html", b"")):
        assert body_types(head + b" <a href=x>1</a>") == ["text/html"]
        assert body_types(head + b"<?xml version='1.0'?><feed/>") == [None]  # for the parser core to decide
        assert body_types(head + b"p {}", "http://h/s.css") == ["text/css"]
        assert body_types(head + b"what is it?") == [None]
    asked = []

    def markup(media_type: str, name: str) -> bool:
        asked.append((media_type, name))
        return media_type in ("text/html", "application/xml")

    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    assert body_types(head + gzip.compress(b"<rss>"), wanted=markup) == [None]
    assert asked[-1] == ("application/xml", URL)
    assert body_types(head + gzip.compress(b"<p>"), wanted=markup) == ["text/html"]
    assert body_types(head + gzip.compress(b"text"), wanted=markup) == []
    assert body_types(OK.replace(b"html", b"plain") + b"<p>", wanted=markup) == []
    assert rewritten(b"HTTP/1.1 200 OK\r\n\r\n<p>", body_change(b"<q>"))[0].endswith(b"\r\n\r\n<q>")


# --- bad input


def test_what_is_the_matter_is_said():
    assert [str(part) for part in parts(OK[:-2]) if isinstance(part, Diagnostic)] == [
        "headers: the empty line that ends them is missing"
    ]
    short = OK.replace(b"\r\n\r\n", b"\r\nContent-Length: 9\r\n\r\n") + b"<p>"
    found = parts(short)
    assert [str(part) for part in found if isinstance(part, Diagnostic)] == ["body: ends after 3 of 9 bytes"]
    assert isinstance(found[-1], Part)


def test_a_bomb_is_not_unpacked():
    head = b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n"
    data = head + gzip.compress(bytes(10_000_000))
    (diagnostic,) = [part for part in parts(data, limits=Limits(free=1000)) if isinstance(part, Diagnostic)]
    assert str(diagnostic) == "body: unpacks to more than 200 times its size"
    (diagnostic,) = [part for part in parts(OK + bytes(2000), limits=Limits(size=1000)) if isinstance(part, Diagnostic)]
    assert str(diagnostic) == "body: unpacks to more than 1,000 bytes"
    assert rewritten(data, body_change(b"x"))[0] == data


@pytest.mark.parametrize("piece", [b"HTTP/1.1 302 x\nLocation: a/\n\n", b"HTTP/1.1 100 x\n\n", b"HTTP/1.1 200 x\n"])
def test_many_heads_take_linear_time(piece: bytes):
    def reading(n: int) -> Callable[[], None]:
        data = piece * n

        def run() -> None:
            response = split_response(data)
            assert sum(map(len, response.heads)) + len(response.body) == len(data)
            message(data, URL)

        return run

    assert_proportional(reading, 1000)


# --- setting and dropping fields


def set_field(data: bytes, name: str, value: str) -> bytes:
    head = Head.read(data)
    return with_fields(head, {name: value}) + data[head.end :]


def drop_field(data: bytes, name: str) -> bytes:
    head = Head.read(data)
    return with_fields(head, {name: None}) + data[head.end :]


def test_several_fields_change_at_once() -> None:
    head = Head.read(b"H\nA: b\nB: c\na: d\nC: e\n\n")
    new = with_fields(head, {"New": "1", "A": "x", "C": None, "None": None, "Last": ""})
    assert new == b"H\nA: x\nB: c\nNew: 1\nLast: \n\n"


def test_setting_changes_the_value_alone() -> None:
    assert set_field(b"H\nA:  b \nC: d\n\nbody", "a", "new") == b"H\nA:  new \nC: d\n\nbody"
    assert set_field(b"H\r\nA:\r\n\r\n", "A", "new") == b"H\r\nA: new\r\n\r\n"


def test_of_several_the_first_is_set_and_the_others_go() -> None:
    assert set_field(RESPONSE, "Link", "<c>") == RESPONSE.replace(b"<a>; rel=next", b"<c>").replace(
        b"Link: <b>\r\n", b""
    )


def test_a_new_field_is_the_last() -> None:
    assert set_field(b"H\r\nA: b\r\n\r\nbody", "C", "d") == b"H\r\nA: b\r\nC: d\r\n\r\nbody"
    assert set_field(b"H\nA: b\n\nbody", "C", "d") == b"H\nA: b\nC: d\n\nbody"
    assert set_field(b"H\r\nA: b", "C", "d") == b"H\r\nA: b\r\nC: d\r\n"
    assert set_field(b"", "C", "d") == b"C: d\r\n"


def test_dropping_takes_whole_lines() -> None:
    data = b"H\r\nA: b\r\n c\r\nB: d\r\na: e\r\n\r\nA: body"
    assert drop_field(data, "A") == b"H\r\nB: d\r\n\r\nA: body"
    assert drop_field(data, "Z") == data
    assert drop_field(b"H\nA: b", "A") == b"H\n"


@pytest.mark.parametrize("value", ["a\nb", "a\r", "\0", "\u0100"])
def test_what_cannot_be_a_value_is_an_error(value: str) -> None:
    with pytest.raises(ValueError):
        with_fields(Head.read(RESPONSE), {"Link": value})


def test_no_value_smuggles_in_a_line() -> None:
    for value in ("a\r\nB: c", "a\n", "\0"):
        with pytest.raises(ValueError, match="one line"):
            set_field(RESPONSE, "A", value)


@given(HEADS, st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=1, max_size=3), st.sampled_from(["A", "b", "New"]))
def test_what_was_set_is_read_and_the_rest_stays(lines: list[bytes], ends: list[bytes], name: str) -> None:
    data = joined(lines, ends)
    if not Head.read(data).complete:
        data += b"\r\n\r\nbody"
    before, changed = Head.read(data), set_field(data, name, "value")
    after = Head.read(changed)
    assert [field.value for field in after.all(name)] == ["value"]
    others = [field[:2] for field in before.fields if field.name.lower() != name.lower()]
    assert [field[:2] for field in after.fields if field.name.lower() != name.lower()] == others
    assert changed[after.end :] == data[before.end :]
    several = Head.read(with_fields(before, {name: "value", "Other": "x"}))
    assert [field.value for field in several.fields] == [*(field.value for field in after.fields), "x"]
    dropped = drop_field(changed, name)
    assert [field[:2] for field in Head.read(dropped).fields] == others
    assert Head.read(dropped).complete


def test_a_head_without_codings() -> None:
    head = (
        b'HTTP/1.1 200 OK\r\nServer:  x \r\nContent-Encoding: gzip\r\nETag: "a"\r\nTransfer-Encoding: chunked\r\n'
        b"Content-MD5: x\r\nDigest: x\r\nTrailer: Expires\r\nX: y\r\n\r\n"
    )
    assert is_coded(Head.read(head))
    new = head_without_codings(Head.read(head), 42)
    assert new == b'HTTP/1.1 200 OK\r\nServer:  x \r\nETag: "a"\r\nContent-Length: 42\r\nX: y\r\n\r\n'
    assert not is_coded(Head.read(new))


def test_the_length_is_made_right_where_there_was_one() -> None:
    head = b"HTTP/1.1 200 OK\nContent-Length: 7\nTransfer-Encoding: chunked\n\n"
    assert head_without_codings(Head.read(head), 42) == b"HTTP/1.1 200 OK\nContent-Length: 42\n\n"
    assert head_without_codings(Head.read(b"HTTP/1.0 200 OK\n\n"), 42) == b"HTTP/1.0 200 OK\n\n"
