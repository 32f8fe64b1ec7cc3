"""The twin finds the ordinary references for rules that need only texts; the result is that of Python alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.offline_rule import ATTRIBUTES
from rehref.rewriting.rule import DocumentRule, Rule
from rehref.uri.resolver import Profile, resolve

PAGES = sorted((Path(__file__).parents[2] / "fixtures").rglob("*.html"))
URL = "https://h.example/d/page.html"
SAVED = {
    "https://h.example/d/a": "h.example/d/a.html",
    "https://h.example/i.png": "h.example/i's (1)&amp.png",
    "https://h.example/x,y": "h.example/x,y",
}
RULES: list[Rule | DocumentRule] = [
    rehref.Offline(SAVED, "h.example/d/page.html", base_element="drop"),
    rehref.Template("https://r.example/q?a=1&amp=2&u={uri:encoded}", metadata=True),
]
ODD = b"""<!DOCTYPE html><html manifest=a><meta property=og:image content=/i.png>
<meta http-equiv=Content-Type content=a>
<link rel=stylesheet href=/i.png integrity=sha384-a crossorigin><a href=a>1</a><a href='a#x'>2</a><a href=#x>3</a>
<a href=gone?a=b>4</a><a href="gone?a=b&amp=c">5</a><a href='gone?&lt=c'>6</a><a href=" a ">7</a><a href="">8</a>
<img srcset="/i.png 1x, /i.png 2x, a, gone 3x" src=/i.png><img srcset="/x,y 1x,gone"><a href="//h.example/i.png">9</a>
<p style="background: url(/i.png), url('/i.png'), url(a), url(gone)"><p style='background: url("/i.png")'>
<style>@import "a"; p { background: url( /i.png ) } q { background: url(\\61 ) } </style>
<a ping="a gone a" href=&#97;>10</a>
<iframe srcdoc="<a href=a>"></iframe><object codebase=x data=a></object><form action=""><input formaction=a></form>
<!--[if IE]><a href=a><![endif]--><a href=http://x>11</a><a href=//x>12</a><a href="?q='">13</a><a href=../d/a>14</a>
<template><a href=a></template><svg><use href=#a /><use href=a#a /><a xlink:href=a></a></svg><a href=HTTPS://h.example/d/a>15
"""


def rewritten(data: bytes, rule: Rule | DocumentRule, profile: Profile) -> Rewritten:
    layers = Layers(retrieval=URL)
    how = ReadOptions(profile=profile, attributes=ATTRIBUTES)
    return rewrite_document(read_document(data, "text/html", "utf-8", layers, how), rule, splices=True)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("profile", ["rfc3986", "whatwg"])
@pytest.mark.parametrize("rule", RULES, ids=["offline", "template"])
def test_the_twin_and_python_write_the_same(monkeypatch, rule: Rule, profile: Profile) -> None:
    pages = [ODD, ODD.replace(b"<meta ", b"<base href=/d/><meta "), *(page.read_bytes() for page in PAGES)]
    by_twin = [rewritten(page, rule, profile) for page in pages]
    monkeypatch.setattr(Document, "_twin_table", lambda document, **_options: None)
    for page, found in zip(pages, by_twin, strict=True):
        expected = rewritten(page, rule, profile)
        assert (found.data, found.changed, found.references) == (expected.data, expected.changed, expected.references)


JSON = (
    '{"@context": "https://schema.org", "@id": "x", "url": ["/y", "y", "\\u0078", "", "a b"], "image": {"@id": "#é"}}',
    '{"@id": "x\\/y", "url": ["https:\\/\\/h.example\\/d\\/x", "\\ud83d\\ude00", "é\\/", "?é", "mailto:a@b"]}',
    '{"@id": "x",\r\n"url": "y"}',
    '{"@id": "\\ud800", "url": "y"}',
    '{"@id": "x\0", "url": "y"}',
    '{"@context": {"@base": "b/"}, "@id": "x", "url": "y"}',
    '{"@id": "x", "url": ["HTTP://h.example:80/d/a", "//h.example/q", "a&amp;b", "<!--", "é/../b"]}',
    "no JSON",
)
METADATA: list[Rule | DocumentRule] = [
    rehref.Absolute(metadata=True),
    rehref.Relative(metadata=True),
    rehref.Mapping({"https://h.example/d/x": "https://o.example/é", "https://h.example/*": '"<*'}, metadata=True),
    rehref.Template("https://r.example/{kind}{modifier}/{uri}", metadata=True),
    rehref.Absolute(),
    lambda link: f"{link.line}:{link.column}:{link.target}",
    lambda link: None,
]


REFRESHES = (
    *("0;x", "0; url=x", "0;URL='x'", "0;url=&#39;x", "0;url=x&amp;y", "0;é", "0", "0; url=", "0;url='", "0;;x"),
    *("0,#y", "0;https://h.example/d/x", "0;https://h.example/;q", "0;url=https://h.example/d/url=x"),
    *("x", "0; url= x y ", "0;<"),
)
REFRESH = (
    '<meta http-equiv=refresh content="{0}"><meta http-equiv=refresh content={0}>'
    "<META HTTP-EQUIV=refresh content='{0}'>"
)


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "shift_jis", None])
@pytest.mark.parametrize("rule", METADATA)
def test_what_is_found_in_python_is_written_by_the_twin(
    monkeypatch, rule: Rule | DocumentRule, encoding: str | None
) -> None:
    pages = [f"<p>é<script type='application/ld+json'>\n {text}</script><a href=x>{text}</a>" for text in JSON]
    for page in (*pages, *map(REFRESH.format, REFRESHES)):
        source = page if encoding is None else page.encode(encoding, "replace")
        options = {"url": URL, "encoding": encoding, "media_type": "text/html"}
        found = rehref.links(source, **options), rehref.rewrite(source, rule, **options)
        with monkeypatch.context() as without:
            without.setattr(Document, "_twin_table", lambda document, **_options: None)
            assert found == (rehref.links(source, **options), rehref.rewrite(source, rule, **options))


@pytest.mark.parametrize(
    "base", [URL, "https://h.example", "http://h.example/d/?q", "file:///d/a", "http://H.example/"]
)
@pytest.mark.parametrize(
    "reference",
    ["a", "../a", "/a?b'", "?'", "#x", "//g.example", "https://g.example", "https://g.example/'", "mailto:a"],
)
def test_ordinary_references_in_whatwg(base: str, reference: str) -> None:
    how = ReadOptions(profile="whatwg")
    resolver = read_document("", "text/html", None, Layers(retrieval=base), how).resolver
    assert resolver(reference) == resolver.resolve(reference)
    assert resolver(reference)[0] == resolve(base, reference, "whatwg")
