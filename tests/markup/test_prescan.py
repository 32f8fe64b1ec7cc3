"""The prescan, which is two patterns, against the Standard's algorithm, byte by byte (HTML Standard §13.2.3.2)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.markup import html_encoding
from rehref.markup.html_encoding import LIMIT, prescan
from rehref.text.encoding import lookup

Named = tuple[str, int]
"""The name of an encoding, and where the `meta` stands that named it."""

_SPACE = b"\t\n\x0c\r "
_TAG = re.compile(rb"</?[A-Za-z][^\t\n\x0c\r >]*")
_META = re.compile(rb"<meta(?=[\t\n\x0c\r /])", re.IGNORECASE)
_CHARSET = re.compile(rb"charset[\t\n\x0c\r ]*=[\t\n\x0c\r ]*", re.IGNORECASE)


class _Attribute(NamedTuple):
    name: bytes
    value: bytes
    end: int


class _OutOfBytesError(Exception):
    """The bytes ended in the middle of something."""


def standard(data: bytes) -> Named | None:
    """What the Standard's algorithm finds, without its first and last step, which are about XML declarations."""
    try:
        return _scan(data[:LIMIT], lookup)
    except _OutOfBytesError:
        return None


def _scan(head: bytes, lookup: Callable[[str], str | None]) -> Named | None:
    """Do the loop of the prescan."""
    at = head.find(b"<")
    while at >= 0:
        if head.startswith(b"<!--", at):
            # The two hyphens of `-->` may be those of `<!--`.
            end = _find(head, b"-->", at + 2) + 3
        elif _META.match(head, at):
            found, end = _meta(head, at, lookup)
            if found is not None:
                return found
        elif tag := _TAG.match(head, at):
            end = tag.end()
            while attribute := _attribute(head, end):
                end = attribute.end
        elif head.startswith((b"<!", b"</", b"<?"), at):
            end = _find(head, b">", at) + 1
        else:
            end = at + 1
        at = head.find(b"<", end)
    return None


def _find(head: bytes, what: bytes, start: int) -> int:
    at = head.find(what, start)
    if at < 0:
        raise _OutOfBytesError
    return at


def _meta(head: bytes, at: int, lookup: Callable[[str], str | None]) -> tuple[Named | None, int]:
    """Read a `meta` tag at `at`; give what it names, and where the search goes on."""
    end = at + len(b"<meta")
    seen: set[bytes] = set()
    got_pragma = False
    need_pragma: bool | None = None
    charset: str | None = None
    while attribute := _attribute(head, end):
        end = attribute.end
        if attribute.name in seen:
            continue
        seen.add(attribute.name)
        if attribute.name == b"http-equiv":
            got_pragma = got_pragma or attribute.value == b"content-type"
        elif attribute.name == b"content" and charset is None:
            charset = _from_content(attribute.value, lookup)
            need_pragma = True if charset is not None else need_pragma
        elif attribute.name == b"charset":
            charset = lookup(attribute.value.decode("latin-1"))
            need_pragma = False
    if need_pragma is None or (need_pragma and not got_pragma) or charset is None:
        return None, end
    if charset in ("utf-16le", "utf-16be"):
        charset = "utf-8"
    elif charset == "x-user-defined":
        charset = "windows-1252"
    return (charset, at), end


def _attribute(head: bytes, at: int) -> _Attribute | None:
    """Get an attribute and its value, both in lower case; None at the end of the tag."""
    at = _skip(head, at, _SPACE + b"/")  # step 1
    if _byte(head, at) == b">":  # step 2
        return None
    start = at
    while True:  # steps 3 to 6
        byte = _byte(head, at)
        if byte == b"=" and at > start:
            break
        if byte in (b"/", b">"):
            return _Attribute(head[start:at].lower(), b"", at)
        if byte in _SPACE:
            end = at
            at = _skip(head, at, _SPACE)  # step 7: spaces
            if _byte(head, at) != b"=":  # step 8
                return _Attribute(head[start:end].lower(), b"", at)
            return _value(head, head[start:end].lower(), at + 1)
        at += 1
    return _value(head, head[start:at].lower(), at + 1)


def _value(head: bytes, name: bytes, at: int) -> _Attribute:
    """Get the value of an attribute (steps 10 to 12); `at` is behind the equals sign."""
    at = _skip(head, at, _SPACE)
    byte = _byte(head, at)
    if byte in (b'"', b"'"):
        end = _find(head, byte, at + 1)
        return _Attribute(name, head[at + 1 : end].lower(), end + 1)
    start = at
    while byte not in _SPACE and byte != b">":
        at += 1
        byte = _byte(head, at)
    return _Attribute(name, head[start:at].lower(), at)


def _skip(head: bytes, at: int, what: bytes) -> int:
    """Advance over bytes that are in `what`."""
    while _byte(head, at) in what:
        at += 1
    return at


def _byte(head: bytes, at: int) -> bytes:
    byte = head[at : at + 1]
    if not byte:
        raise _OutOfBytesError
    return byte


def _from_content(value: bytes, lookup: Callable[[str], str | None]) -> str | None:
    """Extract a character encoding from a `meta` element's `content` (§2.5.3 of the same)."""
    match = _CHARSET.search(value)
    if match is None:
        return None
    rest = value[match.end() :]
    if rest[:1] in (b'"', b"'"):
        end = rest.find(rest[:1], 1)
        return lookup(rest[1:end].decode("latin-1")) if end > 0 else None
    label = re.split(rb"[\t\n\x0c\r ;]", rest, maxsplit=1)[0]
    return lookup(label.decode("latin-1")) if label else None


_PIECES = [
    *(bytes([byte]) for byte in b"<>/=\"' \n\t\x0c\r\0\x0b-!?;&aB\x80"),
    *(b"<meta ", b"<meta/", b"<META\n", b"<metax ", b"</meta ", b"meta", b"<!--", b"-->", b"--", b"<!", b"</", b"<?"),
    *(
        b"charset",
        b"content",
        b"http-equiv",
        b"charset=utf-8",
        b'charset="koi8-r"',
        b"charset=bad",
        b"charset='utf-16'",
    ),
    *(b'content="text/html; charset=big5"', b"http-equiv=content-type", b"content=charset=gbk"),
    *(b"charset=x-user-defined", b"a" * 900, b"\n" * 120),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=16).map(b"".join))
def test_it_finds_what_the_standard_does(data: bytes) -> None:
    expected = standard(data)
    found = prescan(data)
    assert (None if found is None else (found.name, _offset(found.why))) == expected


def _offset(why: str) -> int | None:
    """The byte that is named in what named an encoding; None: it was no `meta`."""
    return int(why.rpartition(" ")[2]) if why.startswith("<meta ") else None


def test_the_algorithm_does_find_something() -> None:
    assert standard(b"<!--><a b='<meta charset=gbk>'><meta charset=koi8-r>") == ("koi8-r", 31)
    assert standard(b"<meta charset=koi8-r") is None


_BEGINNINGS = [
    *(b"<!doctype html>", b'<!DOCTYPE html PUBLIC ">">', b'<?xml version="1.0" encoding="koi8-r"?>', b"<!-- a -->"),
    *(b"<!--a-b-->", b"<!-->", b"<title>a</title>", b"<title>&lt;</title>", b"<title a>", b"<html>", b"<head>"),
    *(b'<html lang="en">', b'<HTML a="x>y">', b"</head>", b"<body>", b"<p>", b"a", b"\xe9", b"\n", b"\x0b", b"a" * 900),
    *(b"<script>", b"</script>", b"<textarea>", b"<svg>", b"<template>", b"<noscript>", b'"', b">", b"<", b"/", b"<!"),
    *(b'<base href="x">', b'<link rel="a" href="b" />', b'<link a="b"c="d">', b'<meta property="a" content="b"/>'),
    *(b'<meta name="a" content="text/html; charset=big5">', b'<meta name="a" content="b" charset="big5">'),
    *(b'<meta charset="utf-8">', b"<META CHARSET=gbk>", b"<meta charset=gbk/>", b"<meta charset=gbk />"),
    *(
        b'<meta charset="bad">',
        b'<meta charset="utf-16" />',
        b'<meta charset="utf-8>',
        b'<meta charset="x-user-defined">',
    ),
    *(b'<meta http-equiv="Content-Type" content="text/html; charset=euc-jp">', b"&", b"<meta http-equiv=refresh>"),
    b'<meta http-equiv="content-type" content="text/html; &#99;harset=bad" />',
]


@given(st.lists(st.sampled_from(_BEGINNINGS), max_size=7).map(b"".join))
def test_how_most_pages_begin_is_read_as_all_others_are(data: bytes) -> None:
    short = html_encoding.by_beginning(data)
    if short is not None:
        assert short == html_encoding.first_meta(data)
        found = prescan(data)
        assert found is not None
        assert found.name == short.name


@pytest.mark.parametrize(
    "data", [b'<!doctype html>\n<html lang="en"><meta charset="utf-8">', b"<title>x</title><meta charset=UTF-8 />"]
)
def test_most_pages_begin_so(data: bytes) -> None:
    assert html_encoding.by_beginning(data) is not None
