"""Heads of records: what is a plain record."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from containers.damaged_records import record
from rehref.containers._warc.record_heads import (
    HEAD_SIZE,
    RecordHead,
    head_end,
    parse_record_head,
    plain_record,
)
from rehref.text.header_fields import Head

LINES = st.lists(
    st.sampled_from(
        [
            b"WARC-Type: response",
            b"warc-type:REQUEST",
            b"WARC-Type: \xc0rc",
            b"WARC-Type: arc",
            b"WARC-Record-ID: <urn:uuid:1>",
            b"WARC-Record-ID : x\t",
            b"WARC-Record-ID: < <a> b",
            b"WARC-Record-ID: <>",
            b"WARC-Record-ID:",
            b"WARC-Record-ID: \r\n <urn:\r\n uuid:1>",
            b"WARC-Target-URI: <http://h/\xe9>",
            b"WARC-Target-URI: <\xc2\xa0http://h/\x1c>",
            b"WARC-Target-URI: <",
            b"WARC-Target-URI: <>",
            b"WARC-Type: " + b"X" * 33,
            b"WARC-Target-URI: <http://h/ >",
            b"WARC-Target-URI: http://h/\xc3\xa9",
            b"WARC-Date: 2024-01-02T03:04:05Z",
            b"Content-Type: application/http",
            b"WARC-Identified-Payload-Type: text/html",
            b"WARC-Segment-Number: 1",
            b"WARC-Block-Digest: sha1:ABC",
            b"warc-payload-digest:\tmd5:a\r\n b",
            b"Content-Length: 7",
            b"content-length: seven",
            b" folded",
            b"\xe9: y",
            b"WARC/1.0",
            b"WARC/x",
            b"\r",
        ]
    ),
    max_size=8,
)


BLOCKS = st.sampled_from(
    [b"", b"x", b"HTTP/1.1 200 OK\r\nA: b\r\n\r\n<p>", b"HTTP/1.1 200 OK\nA: b\n\n", b"HTTP/1.1 200\r\n"]
)


def read_step_by_step(data: bytes) -> RecordHead | None:
    """What `plain_record` has to see."""
    size = head_end(data)
    head = parse_record_head(data[:size]) if size > 0 and data.startswith(b"WARC/") else None
    if head is None or head.length is None or size + head.length + 4 != len(data) or not data.endswith(b"\r\n\r\n"):
        return None
    block = data[size:-4]
    http = Head.read(block)
    has_http = block.startswith(b"HTTP/") and http.complete and http.end <= HEAD_SIZE
    return head._replace(http=http.end if has_http else 0)


@given(
    st.sampled_from(
        [b"WARC/1.0", b"WARC/1.1 \t", b"WARC/12.34", b"WARC/1", b"WARC/123.0", b"WARC/1.", b"WARC/.1", b"ARC/1.0"]
    ),
    LINES,
    BLOCKS,
    st.sampled_from([0, 0, 0, 1, -1, 10**17, 2**64, 2**32]),
    st.sampled_from([b"\r\n", b"\n"]),
    st.sampled_from([b"\r\n\r\n", b"\r\n\r\n", b"\n\n", b"", b"\r\n\r\n\r\n"]),
)
def test_it_is_what_is_read_step_by_step(
    version: bytes, lines: list[bytes], block: bytes, more: int, line_end: bytes, behind: bytes
) -> None:
    lines = [version, *lines, b"Content-Length: %d" % (len(block) + more), b"", b""]
    data = line_end.join(lines) + block + behind
    assert plain_record(data) == read_step_by_step(data)


@given(st.data())
def test_no_piece_of_a_record_is_a_plain_one(data: st.DataObject) -> None:
    whole = record(1, http="HTTP/1.1 200 OK\r\nLink: <a>\r\n\r\n")
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    assert plain_record(whole[start:end]) == read_step_by_step(whole[start:end])


def test_a_head_has_a_most_size() -> None:
    for size, is_plain in ((HEAD_SIZE, True), (HEAD_SIZE + 1, False)):
        head = b"WARC/1.0\r\nContent-Length: 0\r\nX: "
        data = head + b"x" * (size - len(head) - 4) + b"\r\n\r\n\r\n\r\n"
        assert (plain_record(data) is not None) == is_plain
        assert plain_record(data) == read_step_by_step(data)
        http = b"HTTP/1.1 200 OK\r\nX: " + b"x" * (size - 24) + b"\r\n\r\n"
        assert len(http) == size
        data = b"WARC/1.0\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (size, http)
        assert plain_record(data) == read_step_by_step(data)
