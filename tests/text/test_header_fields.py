"""Header fields by byte spans, and their parameters. A test or more for each rule of the modules."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from growth import assert_proportional
from rehref.text.header_fields import Head, links_in, parameters, unquoted

RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nLink: <a>; rel=next\r\nLink: <b>\r\n\r\n<p>"
HEADS = st.lists(
    st.sampled_from(
        [
            b"HTTP/1.1 200 OK",
            b"A: b",
            b"a:c",
            b"B : d ",
            b" folded",
            b"\tf",
            b"",
            b"no field",
            b":x",
            b"C:",
            b"\xe9: y",
            b"\r",
        ]
    ),
    max_size=8,
)


def joined(lines: list[bytes], ends: list[bytes]) -> bytes:
    return b"".join(line + ends[i % len(ends)] for i, line in enumerate(lines))


@pytest.mark.parametrize("line_end", [b"\r\n", b"\n"])
def test_a_head_ends_behind_its_empty_line(line_end: bytes) -> None:
    data = line_end.join([b"HTTP/1.1 200 OK", b"A: b", b"C: d", b"", b"E: body"])
    head = Head.read(data)
    assert head.start_line == "HTTP/1.1 200 OK"
    assert [(field.name, field.value) for field in head.fields] == [("A", "b"), ("C", "d")]
    assert data[head.end :] == b"E: body"
    assert head.complete


def test_without_an_empty_line_all_is_head() -> None:
    head = Head.read(b"HTTP/1.1 200 OK\r\nA: b\r\nC: d")
    assert (head.get("C"), head.end, head.complete) == ("d", 27, False)


def test_nothing_is_a_head_and_so_is_an_empty_line() -> None:
    assert (Head.read(b"").end, Head.read(b"").complete) == (0, False)
    assert (Head.read(b"\r\nA: b").end, Head.read(b"\r\nA: b").fields) == (2, ())


def test_the_start_line_may_be_missing() -> None:
    head = Head.read(b"Content-Type: text/html\r\nA: b\r\n\r\n")
    assert (head.start_line, head.get("content-type"), head.get("A")) == ("", "text/html", "b")


def test_lines_that_are_no_fields_are_skipped() -> None:
    head = Head.read(b"HTTP/1.0 200\n fold of nothing\nA: 1\nrubbish\n fold of rubbish\nnot a name: 2\n: 3\nB : 4\n\n")
    assert [(field.name, field.value) for field in head.fields] == [("A", "1"), ("B", "4")]


def test_names_are_compared_without_case() -> None:
    head = Head.read(RESPONSE)
    assert head.get("LINK") == "<a>; rel=next"
    assert [field.value for field in head.all("link")] == ["<a>; rel=next", "<b>"]
    assert head.get("Location") is None
    assert [field.value for field in head.all("Location")] == []


@given(
    HEADS,
    st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["a", "B", "b", "C", "x", "", "B ", "\xe9", ".", "no field"]), max_size=3),
)
def test_the_fields_of_some_names_are_among_all(lines: list[bytes], ends: list[bytes], names: list[str]) -> None:
    head = Head.read(joined(lines, ends))
    wanted = {name.lower() for name in names}
    assert head.all(*names) == [field for field in head.fields if field.name.lower() in wanted]


LINES = st.lists(
    st.sampled_from(list(b"Ab:;-!\x7f\xe9\0 \t\r\n")).map(lambda byte: bytes([byte]))
    | st.sampled_from([b"\n", b"\r\n", b"\r\n ", b"\n\t", b"a:", b"\r\n\r\n"]),
    max_size=40,
).map(b"".join)


@given(LINES)
@example(b"a:A\rA\r\n ")  # what folds is white space alone
def test_the_values_are_those_of_the_first_fields(data: bytes) -> None:
    head = Head.read(data)
    assert head.values == {field.name.lower(): field.value for field in reversed(head.fields)}


def test_a_folded_value_keeps_its_offsets() -> None:
    data = b"HTTP/1.1 200 OK\r\nLink: <a>,\r\n\t <b\xe9> \r\nX: y\r\n\r\n"
    field = Head.read(data).fields[0]
    assert field.value == "<a>,  \t <b\xe9>"
    assert data[field.start : field.end] == b"<a>,\r\n\t <b\xe9>"
    assert data[field.line_start : field.line_end] == b"Link: <a>,\r\n\t <b\xe9> \r\n"
    offset = field.value.index("<b")
    assert data[field.start + offset :].startswith(b"<b")


def test_the_white_space_around_a_value_is_not_its_own() -> None:
    data = b"X\r\nA: \t b c \t\r\nB:\r\nC:d\r\n\r\n"
    head = Head.read(data)
    assert [field.value for field in head.fields] == ["b c", "", "d"]
    assert [data[field.start : field.end] for field in head.fields] == [b"b c", b"", b"d"]


@given(HEADS, st.lists(st.sampled_from([b"\n", b"\r\n"]), min_size=1, max_size=3))
def test_spans_hold_what_they_say(lines: list[bytes], ends: list[bytes]) -> None:
    data = joined(lines, ends)
    head = Head.read(data)
    position = 0
    for field in head.fields:
        assert position <= field.line_start < field.start <= field.end <= field.line_end <= head.end
        assert len(field.value) == field.end - field.start
        assert data[field.line_start :].startswith(field.name.encode())
        assert data[field.start : field.end].translate(bytes.maketrans(b"\r\n", b"  ")) == field.value.encode("latin-1")
        position = field.line_end


@pytest.mark.parametrize(
    "data",
    [
        lambda many: b"A: b\n" * many,
        lambda many: b"A" * many,
        lambda many: b"A: b" + b"\n c" * many,
        lambda many: b"A:" + b" " * many + b"x",
    ],
)
def test_a_long_head_takes_linear_time(data: Callable[[int], bytes]) -> None:
    assert Head.read(data(1000)).end == len(data(1000))
    assert_proportional(lambda many: partial(Head.read, data(many)), 5000)


# --- parameters


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("text/html", []),
        ("a/b; Charset=UTF-8", [("charset", "UTF-8", "bare")]),
        ("a/b;x = 1 ;y;z=", [("x", "1", "bare"), ("y", "", "none"), ("z", "", "bare")]),
        (r'a/b; x="1; \"y=2" ; z=3', [("x", '1; "y=2', "quoted"), ("z", "3", "bare")]),
        ('a/b; x="1; y=2', [("x", '"1', "bare"), ("y", "2", "bare")]),
        ("a/b; no parameter; x=1, 2", [("no", "", "none"), ("x", "1, 2", "bare")]),
    ],
)
def test_parameters(value: str, found: list[tuple[str, str, str]]) -> None:
    assert [(each.name, each.value, each.form) for each in parameters(value)] == found
    for each in parameters(value):
        assert unquoted(value[each.start : each.end]) == each.value


def test_links_end_their_parameters_at_commas_and_unclosed_quotes_at_the_end() -> None:
    for value, links in (("<a>;x=1, <b>", [["1"], []]), ('<a>;x="1, <b>', [["1, <b>"]])):
        assert [[each.value for each in link.parameters] for link in links_in(value)] == links


@given(st.text(alphabet=';=" \\,\tax', max_size=40))
def test_parameters_are_in_order_whatever_the_value(value: str) -> None:
    found = list(parameters(value))
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(each.name and 0 <= each.start <= each.end <= len(value) for each in found)


def test_nobody_can_change_the_fields_of_a_head() -> None:
    head = Head.read(b"A: 1\r\nB: 2\r\n\r\n")
    assert isinstance(head.fields, tuple)
    assert [field.name for field in head.fields] == ["A", "B"]
