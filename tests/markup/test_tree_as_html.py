"""From a tree, written as XML, to HTML; and that libxml2's trees survive it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from examples import examples
from rehref.markup._lxml.lxml_html import CORE
from rehref.markup._source.names_of_html import VOID
from rehref.markup._tree import RAW, tree_as_html
from rehref.markup.parsed import Edit, Wanted
from rehref.text.encoding import Source


@pytest.mark.parametrize("name", sorted(VOID))
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
    written = CORE.parse(Source(markup), Wanted(on={"i": frozenset({"id"})})).apply([Edit(0, 0, 1, "y")])
    assert isinstance(written, str)
    assert tree(written) == tree(markup.replace("id=x", "id=y"))
