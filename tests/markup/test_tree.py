"""From a tree, written as XML, to HTML; and that libxml2's trees survive it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from selectolax.lexbor import LexborHTMLParser

from examples import examples
from rehref.markup._tree import RAW, Node, TreeParsed, document_text, gather, tree_as_html
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, Core, Edit, Parsed, Place, Wanted
from rehref.text.encoding import Source

VOID = (
    *("area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img"),
    *("input", "keygen", "link", "meta", "param", "source", "track", "wbr"),
)
"""Elements without end tags (HTML Standard, serializing HTML fragments)."""


@pytest.mark.parametrize("name", VOID)
def test_a_void_element_has_no_end_tag(name: str) -> None:
    assert tree_as_html(f"<p><{name} a='/'/>a<{name} b='' />b<{name} c=''>c</{name}></p>") == (
        f"<p><{name} a='/'>a<{name} b=''>b<{name} c=''>c</p>"
    )


def test_an_empty_element_that_is_not_void_has_an_end_tag() -> None:
    assert tree_as_html('<p/><b a="&gt;/"/><a<b /><script src="/"/>') == (
        '<p></p><b a="&gt;/"></b><a<b></a<b><script src="/"></script>'
    )


def test_raw_text_is_not_escaped_and_other_text_is() -> None:
    for name in sorted(RAW):
        xml = f'<{name} a="&lt;">&lt;a/&gt;&#13;&amp;lt;</{name}>'
        assert tree_as_html(xml) == f'<{name} a="&lt;"><a/>\r&lt;</{name}>'
    escaped = "<style-x>&lt;</style-x><title>&lt;</title><noscript>&lt;</noscript>"
    assert tree_as_html(escaped) == escaped
    assert tree_as_html(escaped, RAW | {"noscript"}) == escaped.replace("t>&lt;", "t><")


def test_comments_stay_as_they_are() -> None:
    comment = "<!--<p/><style>&lt;</style></br>\n-->"
    assert tree_as_html(f"<p/>{comment}<br/>") == f"<p></p>{comment}<br>"


def test_a_base_that_has_lost_its_only_attribute_is_left_out() -> None:
    assert tree_as_html('<base/><base target="a"/><base-x/>') == '<base target="a"><base-x></base-x>'


ELEMENTS = ["a", "img", "p", "b", "style", "script", "br", "xmp", "title", "a<b", "x<!--y", "td", "noscript", "wbr"]
ATTRIBUTES = ["href=1", "HREF='a b'", "class=' x'", "title='x href='", "src", "x='>'", "<lt=2", '"q=1', "=eq", '=" ']
ATTRIBUTES += ["class='x class='", "href='&lt;&quot;&#13;&#10;'", "src=' '", "a<!--=3", "é=1", "a='/>'", "href=''"]
TEXTS = ["x", ' href="1" ', "<!-- <a href=1> -->", "<!-->", "&lt;", "</a>", "</p>", "</script>", "-->", '="', "\xa0"]
TAGS = st.builds(
    lambda name, attributes: f"<{name} {' '.join(attributes)}>",
    st.sampled_from(ELEMENTS),
    st.lists(st.sampled_from(ATTRIBUTES), max_size=4),
)
MARKUP = st.lists(st.one_of(TAGS, st.sampled_from(TEXTS)), max_size=10).map("".join)
ONLY_THE_END_ENDS_IT = re.compile("<script.*<!--.*<script", re.DOTALL)


@settings(max_examples=examples(300))
@given(MARKUP.filter(lambda markup: not ONLY_THE_END_ENDS_IT.search(markup)))
def test_what_libxml2_writes_reads_as_the_same_tree(markup: str) -> None:
    def tree(markup: str) -> str:
        parser = etree.HTMLParser(encoding="utf-8")
        return etree.tostring(etree.fromstring(markup.encode(), parser), encoding="unicode")

    # a `body` is made up where none is, unless there is one
    markup = f"<body><i id=x></i>{markup}"
    written = core("lxml").parse(Source(markup), Wanted(on={"i": frozenset({"id"})})).apply([Edit(0, 0, 1, "y")])
    assert isinstance(written, str)
    assert tree(written) == tree(markup.replace("id=x", "id=y"))


@dataclass(frozen=True, slots=True)
class Lexbor:
    """See `rehref.markup.parsed.Core`."""

    name: str = "lexbor"
    summary: str = "selectolax"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        tree = LexborHTMLParser(document_text(source))
        found = gather(self.nodes(tree), wanted, lambda node: str(node.text()))
        return TreeParsed(source, *found, self.put, lambda: tree.html or "")

    @staticmethod
    def nodes(tree: LexborHTMLParser) -> Iterator[Node[Any]]:
        assert tree.root is not None
        for node in tree.root.traverse():
            yield node, str(node.tag), HTML, 0, node.attributes.items()

    @staticmethod
    def put(node: Any, place: Place, value: str | None) -> None:
        if value is None:
            del node.attrs[place.attribute]
        else:
            node.attrs[place.attribute] = value


def test_a_core_on_another_library() -> None:
    lexbor: Core = Lexbor()
    raw = "<base href=b><a href='é&amp;' class=c>x</a><style>s</style>".encode("windows-1252")
    parsed = lexbor.parse(Source(raw, "windows-1252"), Wanted(frozenset({"href"}), texts=frozenset({"style"})))
    assert [Place._make(place)[:4] for place in parsed.places] == [
        ("base", HTML, "href", "b"),
        ("a", HTML, "href", "é&"),
        ("style", HTML, None, "s"),
    ]
    assert parsed.apply([]) is raw
    edits = [Edit(0, 0, 1, None), Edit(1, 1, 2, "Ж")]
    written = parsed.apply(edits)
    assert isinstance(written, bytes)
    assert b"<base><" in written
    assert b'<a href="\xe9&#1046;" class="c">' in written
    assert parsed.apply(edits) == written
    assert parsed.locate(0, None) == (None, None)


def test_values_that_change_are_put_composed_from_their_edits_and_taken_back() -> None:
    done: list[object] = []

    def put(element: str, place: Place, value: str | None) -> None:
        done.append((element, place.attribute, value))

    def serialize() -> str:
        done.append("serialized")
        return "written"

    rows = [Place("a", HTML, name, value, None, None, 0, 0) for name, value in (("href", "abc"), ("src", "x"))]
    parsed = TreeParsed(Source("<a href=abc src=x>"), rows, ["one", "two"], put, serialize, len)
    assert parsed.apply([Edit(0, 0, 1, "A"), Edit(0, 3, 3, "D"), Edit(1, 0, 1, "x")]) == "written"
    assert done == [("one", "href", "AbcD"), "serialized", ("one", "href", "abc")]
    assert parsed.locate(1, 0) == (3, None)
