"""The text of a page, folded: what is shown of it, in runs of words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents.reading import read_page
from rehref.site._pages.folded_text import BLOCK, folded
from rehref.text.encoding import Source


def shown(page: str, *, is_xml: bool = False) -> str | None:
    """The text of a page, as it is searched; None if it is not known."""
    blocks = read_page(Source(page), is_xml=is_xml).blocks()
    return None if blocks is None else folded(BLOCK.join(blocks))


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("a<!-- b -->c", "ac"),
        ("a<!--> b -->c", "a b -->c"),
        ("a<script>b<!--</script>c", "ac"),
        ("a<style>b</style>c<title>d</title>e<iframe>f</iframe>g", "aceg"),
        ("a<template>b<template>c</template>d</template>e</template>f", "aef"),
        ("a<textarea>b&amp;</b></textarea>c<xmp>&amp;</p></xmp>d", "ab&</b>c\0&amp;</p>\0d"),
        ("a&lt;b&copy c&#x2014;", "a<b© c—"),
        ("a<br>b<td>c", "a b c"),
        ("a<P CLASS='>'>b</p  >c<span title=x>d</span>", "a\0b\0cd"),
        ("a < b <3 </ c>d<x", "a < b <3 d"),
        ("<svg><style/><title/><script/>a</svg>b<svg/><style>c</style>d", "abd"),
        ("a\0b<!doctype html>c<plaintext>d<b>", "a\ufffdbc\0d<b>"),
        ("a \n<p>\t <p>b", "a\0b"),
    ],
)
def test_the_text_of_a_page_is_what_is_shown(page: str, text: str) -> None:
    assert BLOCK == "\0"
    assert shown(page) == text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<script><!-- <script></script> --></script>a", "a"),
        ("<template><script>'</template>'</script>b</template>a", "a"),
        ("<template title='</template>'>b</template>a", "a"),
        ("<svg><a x='</svg>'/><script/></svg>a", "a"),
        ("<svg><text><![CDATA[a<b>]]></text></svg>", "a<b>"),
        ("<svg><![CDATA[</svg>]]><script/></svg>a", "</svg>a"),
        ("<svg><span>a<script/>b</script>c", "ac"),
        ("<svg><foreignObject><script/>b</script>c", "c"),
        ("<svg><textarea></svg>a<b>c</b>", "ac"),
        ("<svg><plaintext>a</svg><b>b</b>", "ab"),
        ("<div>a<template shadowrootmode=open>b</template></div>", "\0a\0b\0"),
    ],
)
def test_the_text_of_a_page_is_that_of_its_tree(page: str, text: str) -> None:
    assert (shown(page) or "").strip(BLOCK) == text.strip(BLOCK)


DOCTYPE = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x">'


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<?xml version='1.0'?><!-- a --><p>b<!--> c -->d<?e f?>g</p>", "\0bdg\0"),
        ("a<script>b &lt;i/> <i>c</i></script>d<script/>e", "ade"),
        ("a<style>b</style>c<title>d<i>e</i></title>f<h:iframe>g</h:iframe>h", "acfh"),
        ("a<template>b<template>c</template>d<template/>e</template>f", "af"),
        ("a<![CDATA[<p>&amp;]]>b<script><![CDATA[</script>]]></script>c", "a<p>&amp;bc"),
        ("a<textarea>b<i>&lt;</i></textarea><xmp/>c", "ab<\0c"),
        ("a&#x2014;&amp;&#98;", "a—&b"),
        (f"{DOCTYPE}a&nbsp;&eacute;", "a e"),
        ("<!DOCTYPE html [<!ENTITY b 'c'>]>a&b;", "ac"),
        ("a<br/>b<h:td>c</h:td>", "a b c "),
        ("a<h:p class='>'>b</h:p\n>c<P>d</P>e", "a\0b\0cde"),
        ("a\0b\r\nc", "a\ufffdb c"),
    ],
)
def test_the_text_of_xhtml_is_that_of_its_xml(page: str, text: str) -> None:
    assert shown(page, is_xml=True) == text


@pytest.mark.parametrize(
    "page", ["a&nbsp;", "<p>a&b;</p>", "a <", "<p>a < b</p>", "<p", "<!DOCTYPE a [<!ENTITY b '&c;'>]>&b;"]
)
def test_the_text_of_xhtml_that_is_none_is_not_known(page: str) -> None:
    assert shown(page, is_xml=True) is None


@given(st.text() | st.text("<>/!?-[]&;ap CDAT\0'"))
def test_any_page_has_a_text(page: str) -> None:
    text = shown(page)
    assert text is not None
    assert not re.search(" \0|\0 |  |\0\0", text)
    shown(page, is_xml=True)


def test_entities_do_not_make_a_text_grow_without_end() -> None:
    doctype = f"<!DOCTYPE a [<!ENTITY b '{'c' * 999}'>]>"
    assert shown(doctype + "<p>&b;</p>" * 100_000, is_xml=True) is None
