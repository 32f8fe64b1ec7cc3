"""The title of a page."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.markup._page.titles import title_of


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>A &amp; B</title><title>C</title>", "A & B"),
        ("<!doctype html><!-- <title>Old</title> --><TITLE lang=en>\n New  one </TITLE>", "New one"),
        ("<script>'<title>Old</title>'</script><style><title>x</style><title>New</title>", "New"),
        ("<textarea><title>Old</title></textarea><iframe><title>x</iframe><title>New</title>", "New"),
        ("<template><title>Old</title></template><title>New</title>", "New"),
        ("<svg><title>Old</title></svg><title>New</title>", "New"),
        ("<svg/><title>New</title>", "New"),
        ("<title>a <b>x</b> <!-- y --></title>", "a <b>x</b> <!-- y -->"),
        ("<title>never ends", "never ends"),
        ("<title></title><title>Second</title>", ""),
        ("<!-- never ends <title>Old</title>", ""),
        ("<a title='<title>Old</title>'><title>New</title>", "New"),
        ("<p>nothing", ""),
        ("<title", ""),
        ("", ""),
    ],
)
def test_titles_of_html(page: str, title: str) -> None:
    assert title_of(page) == title


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<?xml version='1.0'?><html><head><title>A &amp; B</title></head></html>", "A & B"),
        ("<feed><![CDATA[<title>Old</title>]]><title><![CDATA[a < b]]></title></feed>", "a < b"),
        ("<h:html xmlns:h='x'><!-- <title>Old</title> --><svg><title>New</title></svg></h:html>", "New"),
        ("<html><title/><title>Second</title></html>", ""),
        ("<html><![CDATA[<title>Old</title>", ""),
        ("<feed xmlns='urn:atom'><title type='xhtml'><div xmlns='urn:x'>A <b>B</b></div></title></feed>", "A B"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><g><title>A &lt; B</title></g></svg>", "A < B"),
        ("<!DOCTYPE html [<!ENTITY e 'x>y'>]><html><title>&e;&#33;</title></html>", "x>y!"),
        ("<h:html xmlns:h='urn:x'><m:title xmlns:m='urn:m'>Old</m:title><h:title>New</h:title></h:html>", "New"),
        ("<html><title>never ends <b>x", "never ends x"),
    ],
)
def test_titles_of_xml(page: str, title: str) -> None:
    assert title_of(page, xml=True) == title


@pytest.mark.parametrize("piece", ["<p>", "<!--", "<title/", "<svg>", "<![CDATA[", "<script>", "<template>"])
def test_titles_are_found_in_linear_time(piece: str) -> None:
    assert_proportional(lambda size: partial(title_of, piece * size), 4000)


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<svg><script><title>Old</title></script></svg><title>New</title>", "New"),
        ("<svg><![CDATA[</svg><title>Old</title>]]></svg><title>New</title>", "New"),
        ("<svg><a title='</svg>'><title>Old</title></a></svg><title>New</title>", "New"),
        ("<svg><style><title>Old</title></style></svg><title>New</title>", "New"),
        ("<script><!-- <script></script><title>Old</title> --></script><title>New</title>", "New"),
        ("<div><template shadowrootmode=open><title>Old</title></template></div><title>New</title>", "New"),
        ("<SVG><title>Old</title></SVG><title>New</title>", "New"),
        ("<svg><p><title>New</title>", "New"),
        ("<svg></br><title>New</title>", "New"),
        ("<svg><font color=red><title>New</title>", "New"),
        ("<svg><foreignObject><title>New</title></foreignObject></svg>", "New"),
        ("<math><mi><title>New</title></mi></math>", "New"),
        ("<math><annotation-xml encoding='text/html'><title>New</title></annotation-xml></math>", "New"),
        ("<svg><template></svg><title>New</title>", "New"),
        ("<template><script>'</template>'</script><title>Old</title></template><title>New</title>", "New"),
        ("<plaintext><title>Old</title>", ""),
        ("<frameset><title>Old</title></frameset>", ""),
    ],
)
def test_only_titles_of_the_document_count(page: str, title: str) -> None:
    assert title_of(page) == title


XHTML = "<html xmlns='http://www.w3.org/1999/xhtml' xmlns:h='http://www.w3.org/1999/xhtml'><head>{}</head></html>"


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title>New</title>", "New"),
        ("<?x <title>Old</title>?><title>New</title>", "New"),
        ("<h:title>New</h:title>", "New"),
        ("<title xmlns='urn:x'>Old</title><title>New</title>", "New"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title>Old</title></svg><title>New</title>", "New"),
        ("<template><title>Old</title></template><title>New</title>", "New"),
        ("<template><p><title>Old</title></p><template/><title>Old</title></template><title>New</title>", "New"),
        ("<title>a<!-- </b> -->b</title>", "ab"),
        ("<title><![CDATA[a</b>]]></title>", "a</b>"),
    ],
)
def test_only_titles_of_xhtml_count(head: str, title: str) -> None:
    assert title_of(XHTML.format(head), xml=True) == title
