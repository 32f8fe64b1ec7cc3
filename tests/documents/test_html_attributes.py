"""The table of carriers: its keys are canonical, its rows are typed, and nothing a browser reads is missing."""

from __future__ import annotations

import json
from collections import Counter
from typing import get_args

import html5lib
import lxml.html.defs
import pytest

import rehref
from rehref.documents._carriers import html_attributes as table
from rehref.documents._carriers.html_attributes import HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS
from rehref.markup.parsed import HTML, MATHML, SVG
from rehref.uri.syntaxes import Carrier, Kind, Syntax
from suites.browser import ANSWERS

TABLES = {HTML: HTML_CARRIERS, SVG: SVG_CARRIERS, MATHML: MATHML_CARRIERS}


def row(syntax: Syntax, kind: Kind) -> tuple[str, str]:
    return syntax, kind


EXPECTED = {
    ("a", "href"): row("url", "hyperlink"),
    ("area", "ping"): row("spaces", "form"),
    ("base", "href"): row("url", "base"),
    ("img", "src"): row("url", "resource"),
    ("img", "srcset"): row("srcset", "resource"),
    ("source", "srcset"): row("srcset", "resource"),
    ("link", "imagesrcset"): row("srcset", "resource"),
    ("img", "longdesc"): row("url", "hyperlink"),
    ("img", "usemap"): row("fragment", "fragment"),
    ("object", "usemap"): row("fragment", "fragment"),
    ("iframe", "src"): row("url", "resource"),
    ("video", "poster"): row("url", "resource"),
    ("form", "action"): row("url", "form"),
    ("button", "formaction"): row("url", "form"),
    ("input", "formaction"): row("url", "form"),
    ("object", "archive"): row("spaces", "resource"),
    ("applet", "archive"): row("commas", "resource"),
    ("applet", "codebase"): row("url", "base"),
    ("applet", "code"): row("url", "metadata"),
    ("ins", "cite"): row("url", "citation"),
    ("td", "background"): row("url", "resource"),
    ("head", "profile"): row("spaces", "metadata"),
    ("*", "itemtype"): row("spaces", "namespace"),
    ("*", "itemid"): row("url", "metadata"),
    ("*", "style"): row("css", "resource"),
    ("meta", "content"): row("url", "metadata"),
    ("html", "manifest"): row("url", "resource"),
    ("amp-img", "src"): row("url", "resource"),
    ("amp-anim", "srcset"): row("srcset", "resource"),
    ("amp-iframe", "src"): row("url", "resource"),
    ("amp-video", "poster"): row("url", "resource"),
    ("amp-audio", "artwork"): row("url", "resource"),
    ("amp-analytics", "config"): row("url", "resource"),
    ("amp-install-serviceworker", "data-no-service-worker-fallback-shell-url"): row("url", "resource"),
    ("amp-story", "poster-portrait-src"): row("url", "resource"),
    ("amp-story-page", "background-audio"): row("url", "resource"),
    ("amp-story-page-attachment", "href"): row("url", "hyperlink"),
    ("amp-web-push", "helper-iframe-url"): row("url", "resource"),
    ("form", "action-xhr"): row("url", "form"),
    ("v:imagedata", "src"): row("url", "resource"),
    ("v:fill", "src"): row("url", "resource"),
    ("v:shape", "href"): row("url", "hyperlink"),
    ("v:roundrect", "href"): row("url", "hyperlink"),
}


@pytest.mark.parametrize(("key", "typed"), EXPECTED.items(), ids=lambda value: "-".join(value))
def test_rows_of_html(key: tuple[str, str], typed: tuple[str, str]) -> None:
    carrier = HTML_CARRIERS[key]
    assert (carrier.syntax, carrier.kind) == typed


def test_vml_is_found_in_conditional_comments() -> None:
    html = '<!--[if vml]><v:rect href=a><v:fill src="b.png"/></v:rect><![endif]--><amp-img src=c srcset="d 2x">'
    links = rehref.links(html, url="http://h/", conditional_comments=True)
    assert [(link.reference, link.kind) for link in links] == [
        ("a", "hyperlink"),
        ("b.png", "resource"),
        ("c", "resource"),
        ("d", "resource"),
    ]


def test_svg_has_both_spellings_and_presentation_attributes() -> None:
    for element in ("a", "image", "use", "feImage", "linearGradient", "textPath", "script", "mpath"):
        assert SVG_CARRIERS[element, "href"] == SVG_CARRIERS[element, "xlink:href"]
    for attribute in (
        "fill",
        "stroke",
        "filter",
        "clip-path",
        "mask",
        "marker-start",
        "marker-mid",
        "marker-end",
        "cursor",
    ):
        assert SVG_CARRIERS["*", attribute].syntax == "css"
    assert SVG_CARRIERS["a", "href"].kind == "hyperlink"
    assert SVG_CARRIERS["animate", "href"].kind == "fragment"


def test_identifiers_are_namespaces() -> None:
    assert SVG_CARRIERS["*", "xlink:role"].kind == "namespace"
    assert MATHML_CARRIERS["*", "xlink:arcrole"].kind == "namespace"
    assert MATHML_CARRIERS["*", "definitionURL"].kind == "namespace"


@pytest.mark.parametrize("rows", [table.HTML_ROWS, table.SVG_ROWS, table.MATHML_ROWS])
def test_no_pair_has_two_rows(rows: tuple[table.Row, ...]) -> None:
    pairs = Counter((e, a) for es, as_, *_ in rows for e in es.split() for a in as_.split())
    assert [pair for pair, count in pairs.items() if count > 1] == []


def test_every_row_is_typed_and_sourced() -> None:
    for carriers in TABLES.values():
        for carrier in carriers.values():
            assert isinstance(carrier, Carrier)
            assert carrier.syntax in get_args(Syntax)
            assert carrier.kind in get_args(Kind)
            assert carrier.spec


def test_tables_are_read_only() -> None:
    with pytest.raises(TypeError):
        HTML_CARRIERS["a", "href"] = HTML_CARRIERS["a", "ping"]  # type: ignore[index]


def test_html_names_are_lower_case() -> None:
    assert [key for key in HTML_CARRIERS if key != (key[0].lower(), key[1].lower())] == []


@pytest.mark.parametrize(("namespace", "wrapper"), [(SVG, "svg"), (MATHML, "math")])
def test_foreign_names_are_as_the_tree_has_them(namespace: str, wrapper: str) -> None:
    prefixed = {"xlink:": "{http://www.w3.org/1999/xlink}"}
    for element, attribute in TABLES[namespace]:
        name = "g" if element == "*" else element
        markup = f"<{wrapper}><{name.lower()} {attribute.lower()}=x></{name.lower()}></{wrapper}>"
        tree = html5lib.parseFragment(markup, treebuilder="etree")
        found = list(tree.iter(f"{{{namespace}}}{name}"))
        for short, long in prefixed.items():
            attribute = attribute.replace(short, long)
        assert found, markup
        assert found[-1].get(attribute) == "x", markup


def test_no_attribute_that_lxml_rewrites_is_missing() -> None:
    ours = {attribute for carriers in TABLES.values() for _, attribute in carriers}
    assert set(lxml.html.defs.link_attrs) <= ours


@pytest.mark.parametrize(
    ("element", "attribute"),
    [
        *(("iframe", "srcdoc"), ("label", "for"), ("td", "headers"), ("a", "target"), ("html", "xmlns")),
        *(("*", "itemprop"), ("a", "hx-get"), ("amp-img", "[src]"), ("amp-web-push", "service-worker-scope")),
    ],
)
def test_what_only_looks_like_a_reference_has_no_row(element: str, attribute: str) -> None:
    assert (element, attribute) not in HTML_CARRIERS
    assert ("*", attribute) not in HTML_CARRIERS


def test_every_place_a_browser_resolves_is_in_the_table() -> None:
    by_name = {"xhtml": HTML_CARRIERS, "svg": SVG_CARRIERS, "mathml": MATHML_CARRIERS}
    meaningless = {("a", "src"), ("base", "href")}  # the documents put these where they mean nothing
    missing = set()
    for document in json.loads(ANSWERS.read_text(encoding="utf-8")):
        for element, namespace, attribute, *_ in document["links"]:
            carriers = by_name[namespace.rpartition("/")[2].lower()]
            known = (element, attribute) in carriers or ("*", attribute) in carriers
            if not known and (element, attribute) not in meaningless:
                missing.add((element, namespace, attribute))
    assert missing == set()
