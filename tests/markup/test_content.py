"""The content of XML, piece by piece, compared with lxml."""

from __future__ import annotations

from functools import partial
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from growth import assert_proportional
from rehref.markup._source.xml.content import Piece, content
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

PIECES = (
    *("<a>", "</a>", "<b x='y>'>", "</b>", "<n:a xmlns:n='urn:n'>", "</n:a>", "<a xmlns='urn:a'>", "<c/>", "<n:c/>"),
    *("text", " ", "\r\n", "&amp;", "&#65;", "&e;", "<![CDATA[<a>]]>", "<!-- <a> -->", "<?x <a>?>", "é"),
)
DOCTYPE = "<!DOCTYPE r [<!ENTITY e 'x>y'>]>"


def read(page: str) -> list[Piece]:
    """The pieces, texts that follow each other joined."""
    found: list[Piece] = []
    for piece in content(SourceText(Source(page))):
        if isinstance(piece, str) and found and isinstance(last := found[-1], str):
            found[-1] = last + piece
        elif piece != "":
            found.append(piece)
    return found


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_it_is_what_lxml_finds(inner: str) -> None:
    page = f"{DOCTYPE}<r xmlns:n='urn:r'>{inner}</r>"
    try:
        etree.fromstring(page.encode())
    except etree.XMLSyntaxError:
        read(page)
        return
    # lxml makes texts after it has begun an element, so they are known when all is read
    events = list(etree.iterparse(BytesIO(page.encode()), ("start", "end"), remove_comments=True, remove_pis=True))
    expected: list[Piece] = []
    for event, node in events:
        name = etree.QName(node)
        text = node.text if event == "start" else node.tail
        expected += [(name.namespace or "", name.localname) if event == "start" else None, *([text] if text else [])]
    assert read(page) == expected


@pytest.mark.parametrize(
    ("page", "pieces"),
    [
        ("<a>1 < 2</a>", [("", "a"), "1 < 2", None]),
        ("<a><b>x</a>y", [("", "a"), ("", "b"), "x", None, None, "y"]),
        ("<a></b>x</a>", [("", "a"), "x", None]),
        ("<a><b x=1>y</b></a>", [("", "a"), "y", None]),
        ("<a><b x='", [("", "a")]),
        ("<a><![CDATA[x", [("", "a"), "x"]),
        ("<a><!-- x", [("", "a")]),
        ("</a", []),
        ("", []),
    ],
)
def test_what_is_not_well_formed(page: str, pieces: list[Piece]) -> None:
    assert read(page) == pieces


@pytest.mark.parametrize(
    "piece", ["<a>", "</a>", "<a x='", "<", "<!--", "<![CDATA[", "<!DOCTYPE a [", "&#65;", "<a></b>"]
)
def test_it_takes_linear_time(piece: str) -> None:
    assert_proportional(lambda size: partial(read, piece * size), 2000)
