"""The title of a page."""

from __future__ import annotations

from functools import partial

import pytest

from growth import assert_proportional
from rehref.parsers.source.titles import title_of


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
    ],
)
def test_titles_of_xml(page: str, title: str) -> None:
    assert title_of(page, xml=True) == title


@pytest.mark.parametrize("piece", ["<p>", "<!--", "<title/", "<svg>", "<![CDATA[", "<script>", "<template>"])
def test_titles_are_found_in_linear_time(piece: str) -> None:
    assert_proportional(lambda size: partial(title_of, piece * size), 4000)
