"""The tables for XML and what depends on more: one test for each rule."""

from __future__ import annotations

import pytest

from rehref.documents._carriers.xml_vocabularies import (
    ATOM,
    ATOM_03,
    DECIDING,
    EVERYWHERE,
    GENERIC,
    HTML_TEXTS,
    RSS,
    TYPED_TEXTS,
    XML_CARRIERS,
    XML_CONTEXT,
    XSI,
    decide_xml,
    is_html,
    vocabulary_of,
)


@pytest.mark.parametrize(
    ("namespace", "root", "vocabulary"),
    [
        (ATOM, ("", "rss"), ATOM),
        ("", ("", "rss"), "rss"),
        ("", ("", "opml"), "opml"),
        ("", ("", "CHANNEL"), "cdf"),
        ("", ("", "package"), "opf"),
        ("", ("", "article"), "docbook"),
        ("", ("", "browserconfig"), "browserconfig"),
        ("", ("", "smil"), "smil"),
        ("", ("", "reference"), "dita"),
        ("", ("", "bookmap"), "dita"),
        ("", ("urn:x", "rss"), "docbook"),
        ("", ("", ""), "docbook"),
    ],
)
def test_the_document_element_tells_what_has_no_namespace(namespace, root, vocabulary):
    assert vocabulary_of(namespace, root) == vocabulary


def test_what_has_no_namespace_has_no_colon_and_what_has_one_does():
    names = {"rss", "opml", "cdf", "opf", "docbook", "browserconfig", "smil", "dita"}
    assert {name for name in XML_CARRIERS if ":" not in name} == names


@pytest.mark.parametrize(
    ("vocabulary", "element", "attribute", "kind"),
    [
        (ATOM, "link", "href", "hyperlink"),
        (ATOM, "content", "src", "resource"),
        (ATOM, "icon", "#text", "resource"),
        (ATOM, "id", "#text", "metadata"),
        (ATOM, "category", "scheme", "metadata"),
        (ATOM_03, "generator", "url", "hyperlink"),
        ("rss", "enclosure", "url", "resource"),
        ("rss", "comments", "#text", "hyperlink"),
        ("http://purl.org/rss/1.0/", "url", "#text", "resource"),
        ("http://wellformedweb.org/CommentAPI/", "comment", "#text", "form"),
        ("http://wellformedweb.org/CommentAPI/", "commentRss", "#text", "hyperlink"),
        ("http://search.yahoo.com/mrss/", "thumbnail", "url", "resource"),
        ("http://www.itunes.com/dtds/podcast-1.0.dtd", "image", "href", "resource"),
        ("http://backend.userland.com/creativeCommonsRssModule", "license", "#text", "hyperlink"),
        ("opml", "outline", "xmlUrl", "hyperlink"),
        ("cdf", "CHANNEL", "BASE", "base"),
        ("http://www.sitemaps.org/schemas/sitemap/0.9", "loc", "#text", "hyperlink"),
        ("http://www.google.com/schemas/sitemap-image/1.1", "loc", "#text", "resource"),
        ("docbook", "ulink", "url", "hyperlink"),
        ("http://docbook.org/ns/docbook", "imagedata", "fileref", "resource"),
        ("http://www.w3.org/2001/XInclude", "include", "href", "resource"),
        ("http://www.w3.org/1999/XSL/Transform", "import", "href", "resource"),
        ("opf", "item", "href", "resource"),
        ("http://www.idpf.org/2007/opf", "reference", "href", "hyperlink"),
        ("http://www.daisy.org/z3986/2005/ncx/", "content", "src", "hyperlink"),
    ],
)
def test_rows(vocabulary, element, attribute, kind):
    carrier = XML_CARRIERS[vocabulary][element, attribute]
    assert (carrier.kind, carrier.syntax) == (kind, "url")


def test_what_leads_nowhere_has_no_row():
    assert ("olink", "targetdoc") not in XML_CARRIERS["docbook"]
    assert ("link", "linkend") not in XML_CARRIERS["http://docbook.org/ns/docbook"]
    assert ("itemref", "idref") not in XML_CARRIERS["opf"]


def test_what_is_on_any_element():
    assert GENERIC["*", "xlink:href"].kind == "hyperlink"
    assert GENERIC["*", "xlink:role"].kind == GENERIC["*", "xlink:arcrole"].kind == "namespace"
    assert GENERIC["*", "rdf:about"].kind == GENERIC["*", "rdf:resource"].kind == "metadata"
    assert EVERYWHERE["*", f"{XSI}schemaLocation"].syntax == "spaces"
    assert {carrier.kind for carrier in EVERYWHERE.values()} == {"namespace"}


def test_texts_that_are_html_are_no_carriers():
    for texts in (HTML_TEXTS, TYPED_TEXTS):
        for vocabulary, elements in texts.items():
            table = XML_CARRIERS.get(vocabulary, {})
            assert all((element, "#text") not in table for element in elements)


@pytest.mark.parametrize(
    ("rel", "kind"),
    [
        (None, "hyperlink"),
        ("alternate", "hyperlink"),
        ("self", "hyperlink"),
        (" Enclosure ", "resource"),
        ("http://www.iana.org/assignments/relation/enclosure", "resource"),
    ],
)
def test_link_in_atom(rel, kind):
    attributes = {} if rel is None else {"rel": rel}
    for vocabulary in (ATOM, ATOM_03):
        assert decide_xml(vocabulary, "link", "href", "x", attributes, "entry") == kind


@pytest.mark.parametrize(
    ("value", "stated", "kind"),
    [
        ("x", None, None),
        ("x", "true", "metadata"),
        ("http://h/", None, "metadata"),
        ("\n HTTPS://h/", None, "metadata"),
        ("http://h/", "false", None),
        ("urn:x", None, None),
    ],
)
def test_guid_in_rss(value, stated, kind):
    attributes = {} if stated is None else {"isPermaLink": stated}
    for vocabulary in RSS:
        assert decide_xml(vocabulary, "guid", "#text", value, attributes, "item") == kind


def test_link_in_rss():
    assert [decide_xml("rss", "link", "#text", "x", {}, parent) for parent in ("item", "textInput", "textinput")] == [
        *("hyperlink", "form", "form"),
    ]


def test_xlink():
    def kind(**attributes: str) -> str | None:
        prefixed = {f"xlink:{name}": value for name, value in attributes.items()}
        return decide_xml("urn:x", "x", "xlink:href", "x", prefixed, "")

    assert kind() == kind(show="new") == kind(actuate="onRequest") == "hyperlink"
    assert kind(show="embed") == kind(actuate="onLoad") == "resource"


@pytest.mark.parametrize(
    ("value", "rel", "kind"),
    [
        ("s?q={searchTerms}", None, None),
        ("s", None, "form"),
        ("s", "suggestions", "form"),
        ("s", "x self", "hyperlink"),
        ("s", "collection", "hyperlink"),
        ("s?{x}", "self", None),
    ],
)
def test_template_in_open_search(value, rel, kind):
    attributes = {} if rel is None else {"rel": rel}
    for vocabulary in ("http://a9.com/-/spec/opensearch/1.1/", "http://www.mozilla.org/2006/browser/search/"):
        assert (vocabulary, "Url", "template") in XML_CONTEXT
        assert decide_xml(vocabulary, "Url", "template", value, attributes, "OpenSearchDescription") == kind


@pytest.mark.parametrize(
    ("vocabulary", "element", "attributes", "html"),
    [
        (ATOM, "title", {}, False),
        (ATOM, "title", {"type": "html"}, True),
        (ATOM, "title", {"type": "HTML"}, True),
        (ATOM, "title", {"type": "text"}, False),
        (ATOM, "title", {"type": "text/html"}, False),
        (ATOM, "content", {"type": "text/html; charset=utf-8"}, True),
        (ATOM, "content", {"type": "text/plain"}, False),
        (ATOM, "name", {"type": "html"}, False),
        (ATOM_03, "title", {"type": "text/html"}, False),
        (ATOM_03, "title", {"type": "text/html", "mode": "escaped"}, True),
        (ATOM_03, "info", {"type": "text/html", "mode": "base64"}, False),
        (ATOM_03, "info", {"type": "text/plain", "mode": "escaped"}, False),
        (ATOM_03, "copyright", {"type": "application/xhtml+xml", "mode": "escaped"}, True),
        ("http://search.yahoo.com/mrss/", "title", {"type": "html"}, True),
        ("http://search.yahoo.com/mrss/", "title", {"type": "plain"}, False),
    ],
)
def test_texts_that_may_be_html(vocabulary, element, attributes, html):
    assert is_html(vocabulary, element, attributes) is html


def test_what_depends_on_more_has_a_row_and_only_attributes_that_decide_are_looked_at():
    for vocabulary, element, attribute in XML_CONTEXT:
        assert (element, attribute) in XML_CARRIERS[vocabulary]
    assert {"rel", "isPermaLink", "type", "mode", "template", "xlink:show", "xlink:actuate"} == DECIDING
