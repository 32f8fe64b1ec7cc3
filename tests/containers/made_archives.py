"""Small web archives without end, for the fuzzer: methods, revisits and encodings, and what their captures mean."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

from crawl import crawl, digest, http, record, record_id, request

SITE = "https://h.example/"
METHODS = ("GET", "GET", "GET", "POST", "PUT", "HEAD", "OPTIONS")
NEVER = ("HEAD", "OPTIONS")
CHARSETS = ("utf-8", "windows-1252", "iso-8859-2", "shift_jis", "")
TEXTS = {"windows-1252": "é€", "iso-8859-2": "ěš", "shift_jis": "表示", "utf-8": "é表", "": "e"}
REVISIT = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"


class Payload(NamedTuple):
    """A page as bytes, and its charset; "" if the HTTP head says none."""

    data: bytes
    charset: str

    @property
    def media_type(self) -> str:
        """The value of Content-Type."""
        return f"text/html; charset={self.charset}" if self.charset else "text/html"


class Captured(NamedTuple):
    """A capture: its URI and method, and the page that it shows. `number`, `date`: of its record."""

    uri: str
    method: str
    payload: Payload
    number: int
    date: str
    is_revisit: bool
    is_packed: bool


class MadeArchive(NamedTuple):
    """An archive, and its captures. `is_known`: whether pywb reads all ways in which records refer to others here."""

    data: bytes
    captures: Sequence[Captured]
    is_known: bool

    def shown(self, uri: str) -> Captured | None:
        """What a link to a URI shows: the last answer to a GET, or else the last one to another method."""
        found = [each for each in self.captures if each.uri == uri and each.method not in NEVER]
        got = [each for each in found if each.method == "GET"]
        return (got or found or [None])[-1]

    @property
    def uris(self) -> list[str]:
        """The URIs, each once."""
        return list(dict.fromkeys(each.uri for each in self.captures))


def made_archive(random: Random) -> MadeArchive:
    """An archive of some captures of a few URIs."""
    captures: list[Captured] = []
    records: list[bytes] = []
    is_known = True
    for number in range(1, random.randint(2, 10)):
        uri = f"{SITE}{random.randint(1, 3)}/p"
        method, date = random.choice(METHODS), f"2024-01-{number:02}T00:00:00Z"
        originals = [each for each in captures if each.method == "GET" and not each.is_revisit]
        if originals and method == "GET" and random.random() < 0.4:
            original = random.choice(originals)
            answer, knows = _revisit(random, original)
            captures.append(original._replace(uri=uri, number=number, date=date, is_revisit=True))
        else:
            charset = random.choice(CHARSETS)
            text = f"<p>{number}<a href='x?{TEXTS[charset]}'>{TEXTS[charset]}</a>"
            payload = Payload(text.encode(charset or "ascii"), charset)
            is_packed = random.random() < 0.3
            captures.append(Captured(uri, method, payload, number, date, is_revisit=False, is_packed=is_packed))
            answer, knows = _response(captures[-1]), True
        exchange, is_linked = _exchange(random, captures[-1], answer)
        records += exchange
        is_known = is_known and knows and is_linked
    return MadeArchive(crawl(records), captures, is_known)


class _Answer(NamedTuple):
    """A record that is not made yet: its kind, block and fields."""

    kind: str
    block: bytes
    fields: dict[str, str]


def _head(capture: Captured, body: bytes) -> bytes:
    """An HTTP head that fits a capture, and a body."""
    return http(body, capture.payload.media_type, **({"Content_Encoding": "gzip"} if capture.is_packed else {}))


def _response(capture: Captured) -> _Answer:
    data = b"" if capture.method == "HEAD" else capture.payload.data
    block = _head(capture, gzip.compress(data, mtime=0) if capture.is_packed else data)
    return _Answer("response", block, {"WARC_Payload_Digest": digest(data)})


def _revisit(random: Random, original: Captured) -> tuple[_Answer, bool]:
    """A revisit, and whether pywb finds its original."""
    fields = {"WARC_Payload_Digest": digest(original.payload.data), "WARC_Profile": REVISIT}
    is_known = random.random() < 0.8
    if is_known:
        fields |= {"WARC_Refers_To_Target_URI": original.uri, "WARC_Refers_To_Date": original.date}
    elif random.random() < 0.5:
        fields["WARC_Refers_To"] = record_id(original.number)
    return _Answer("revisit", _head(original, b""), fields), is_known


def _exchange(random: Random, capture: Captured, answer: _Answer) -> tuple[list[bytes], bool]:
    """The records of a request and its answer, and whether pywb joins them."""
    asked, answered = record_id(1000 + capture.number), record_id(capture.number)
    way = random.choice(("first", "last", "last", "first", "beside", "named first"))
    of_request: dict[str, str] = {}
    fields = {"Content_Type": "application/http;msgtype=response", **answer.fields}
    if way in ("last", "named first"):
        of_request["WARC_Concurrent_To"] = answered
    elif way == "first":
        fields["WARC_Concurrent_To"] = asked
    records = [
        request(capture.uri, capture.method, date=capture.date, number=1000 + capture.number, **of_request),
        record(answer.kind, capture.uri, answer.block, number=capture.number, date=capture.date, **fields),
    ]
    return records[::-1] if way == "last" else records, way in ("first", "last")
