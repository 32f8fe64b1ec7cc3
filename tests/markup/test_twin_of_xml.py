"""XML by the compiled twin: what it reads is what the reference reads, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from growth import assert_proportional
from markup.asked_of_cores import wanted_in_xml
from markup.test_xml_laws import WANTED, fragments
from rehref._native import TWIN
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup._source.xml.reader import read_by_reference
from rehref.markup._source.xml.twin_of_xml import scan_xml
from rehref.markup.parsed import HTML, XmlWanted
from rehref.markup.twin import xml_bases
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

pytestmark = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")

ALL = wanted_in_xml(ReadOptions())
NAMED = WANTED._replace(texts=frozenset({("", "loc"), ("urn:a", "link"), ("urn:a", "loc")}))
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
BEGIN = f"<feed {ATOM}>"
XLINK = 'xmlns:l="http://www.w3.org/1999/xlink"'


def is_read(text: str | bytes, wanted: XmlWanted = ALL) -> bool:
    """Whether the twin reads a document; then it reads the same as the reference, which finds no error."""
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    source = Source(data, "utf-8", 3 if data.startswith(b"\xef\xbb\xbf") else 0)
    found = scan_xml(SourceText(source), wanted)
    if found is None:
        return False
    reference = read_by_reference(SourceText(source), wanted)
    assert reference.diagnostics == []
    assert list(found.places) == reference.places
    assert [found.places[number] for number in range(len(found.places))] == reference.places
    assert list(found.scopes) == reference.scopes
    assert list(found.parents) == reference.parents
    assert found.root == reference.root
    assert found.places.xml_bases() == xml_bases(reference.places)
    assert found.places.has_entities or not any(place.flags for place in reference.places)
    return True


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}<link href='x'/><icon>y</icon></feed>",
        "<?xml-stylesheet xml:base='x' href='y'?><a xml:base='z'/>",
        f'<a {XLINK} l:href="x" href="y" xml:base="/b/"><b l:href="z"/></a>',  # which counts on its element
        '<a xml:base="/b/"><b xml:base="c/" href="x"/><b href="y"/></a>',
        "<a xmlns='urn:a'><a xmlns='' href='x'/><b:a xmlns:b='urn:b' href='x'/><a href='y'/></a>",
        "<a xmlns:b='urn:b'><b:a xmlns:b='urn:c' href='x'/><b:a href='x'/><:a href='x'/></a>",
        "<a><a: href='x'/><c:a href='x'/></a>",
        f"{BEGIN}<icon>a<!-- b -->c</icon><icon><![CDATA[&amp;]]></icon><icon><![CDATA[a]]><!-- b --></icon></feed>",
        f"{BEGIN}<icon></icon><icon><!-- a --></icon><icon><![CDATA[]]></icon><icon>a<b/>c</icon><icon> </icon></feed>",
        f"{BEGIN}<icon>a<![CDATA[b]]></icon><icon><?p i?>a</icon><icon/><icon>a</icon ></feed>",
        "<a href='&amp;&#65;&#x42;&lt;&gt;&quot;&apos;' src='a\n\tb\r\nc\rd'/>",
        "<a href='&e; &#0; &#xD800; &#x110000; &#8364; &'/>",
        "<?xml-stylesheet href='a?b&amp;c' type=\"&e;\"?><a/><?xml-stylesheet href='b'?>",
        "<?xml version='1.0'?>\n<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0 Strict//EN' 'x'><a href='&eacute;'/>\n",
        "<!doctype a><a>]]></a>",
        "<a><xmlns:a href='x'/><xml:a href='x'/></a>",
        "<a HREF='x' Href='y' href='z' xmluRL='x' xmlUrl='y'/>",
        "\ufeff<\u00e9 href='\u00e9'><a:\u00e9 xmlns:a='urn:a' href='x'/></\u00e9>",
        f"<a {XLINK}>" + "".join(f"<b{number} href='x'/>" for number in range(300)) + "</a>",  # more than MOST_ELEMENTS
        "<a>" + "".join(f"<b xmlns='urn:{number}' href='x'/>" for number in range(60)) + "</a>",
    ],
)
def test_it_reads_what_the_reference_reads(text: str) -> None:
    assert is_read(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "text",
            "<a>",
            "</a>",
            "<a></b>",
            "<a/><b/>",
            "<a",
            "<a href=x/>",
            "<a href='x",
            "<a href='<'/>",
            "<a<b/>",
        ),
        *("<a href='x' href='y'/>", "<a x='1'y='2'/>", "<a/ >", "<a></a x>", "< a/>", "<1/>", "<a>&lt;<</a>"),
        *(
            "<a><!-- </a>",
            "<a><![CDATA[ </a>",
            "<a><?p </a>",
            "<a><!x></a>",
            "<a/><!DOCTYPE a>",
            "<!DOCTYPE a><!DOCTYPE a><a/>",
        ),
        *(
            "<!DOCTYPE a [<!ENTITY e 'v'>]><a/>",
            "<!DOCTYPE a 'b' 'c' 'd'><a/>",
            "<!DOCTYPEa><a/>",
            "<!DOCTYPE a 'b><a/>",
        ),
        *("<a xmlns:xml='x'/>", "<a xmlns:='x'/>", "<a xmlns:b='x' xmlns:b='y'/>", "<a xmlns='x' xmlns='y'/>"),
        "<a l:href='x'/>",  # in no namespace, its name is that of a wanted one
        "<a xmlns='&amp;'/>",
        f"{BEGIN}<icon>x]]></icon></feed>",  # the reference writes it anew
        f"<{'a' * 2000} href='x'/>",
        "<a " + " ".join(f"xmlns:a{number}='u'" for number in range(100)) + "/>",
        "<a>" + "".join(f"<b xmlns='urn:{number}'/>" for number in range(300)) + "</a>",
    ],
)
def test_it_refuses_what_has_an_error_or_is_unusual(text: str) -> None:
    assert not is_read(text)


def test_it_refuses_encodings_in_which_markup_may_be_hidden() -> None:
    assert scan_xml(SourceText(Source(b"<a href='x'/>", "shift_jis")), ALL) is None
    assert scan_xml(SourceText(Source("<a href='\u00e9'/>".encode("utf-16le"), "utf-16le")), ALL) is None


def test_names_that_no_document_can_have_are_never_found() -> None:
    wanted = XmlWanted(frozenset({"foo:bar", "{urn:b}bar", "bar"}))
    assert is_read("<a xmlns:foo='urn:foo' foo:bar='x' xmlns:b='urn:b' b:bar='y' bar='z'/>", wanted)
    assert scan_xml(SourceText(Source(b"<a/>", "utf-8")), XmlWanted(texts=frozenset({("*", "loc")}))) is None


@settings(max_examples=examples(400))
@given(st.lists(fragments, max_size=8).map("".join))
def test_it_agrees_with_the_reference_on_generated_markup(text: str) -> None:
    for document in (text, f"<a xmlns:a='urn:a' {XLINK}>{text}</a>"):
        is_read(document, NAMED)


FEED = f"""<feed {ATOM}><entry><content type="html">&lt;a rel="next" href="a?b&amp;amp;c#d"&gt;&lt;img src=e
  srcset="f 1x, g 2x"&gt;&lt;p style='background: url(h)'&gt;</content></entry>
<entry><content type="html"><![CDATA[<a href="i"><a href='&quot;j'><script type="application/ld+json">
{{"@id":"k"}}</script>]]></content><title type="html">a &lt; b</title>
<summary type="html">&#60;a href=&#34;l&#34;></summary>
<content type="html">\r\n&lt;a href="\u00e9"></content><content type="html"><!-- c -->&lt;a href="m"></content></entry>
<content>&lt;a href="n"></content></feed>"""


@pytest.mark.parametrize("rule", [rehref.Absolute(), rehref.Absolute(same_document=True), rehref.Relative()])
def test_html_in_texts_is_read_where_it_is(rule: rehref.Absolute, monkeypatch: pytest.MonkeyPatch) -> None:
    def made() -> tuple[object, ...]:
        links = rehref.links(FEED, url="http://h/a/b", media_type="application/atom+xml")
        return links, rehref.rewrite(FEED, rule, url="http://h/a/b", media_type="application/atom+xml")

    by_twin = made()
    monkeypatch.setattr("rehref.markup._source.xml.twin_of_xml.TWIN", None)
    assert by_twin == made()
    links = by_twin[0]
    assert isinstance(links, list)
    assert [link.reference for link in links] == [*"", "a?b&c#d", *"efghi", '"j', "k", "l", "\u00e9", "m"]


def test_all_of_an_entry_is_read_by_python_if_something_in_it_is() -> None:
    text = f"""{BEGIN}<content type="html">&lt;a href="x">{{}}</content>
<summary type='html'>&lt;a href='y'></summary></feed>"""

    def odd(inside: str) -> list[int]:
        return places_of_python(text.format(inside))

    assert odd("") == []
    assert odd("&lt;p>text&lt;/p>") == []
    assert len(odd("&lt;base href='z'>")) == 1
    assert len(odd("&lt;link rel=icon href=z>")) == 1
    assert len(odd("<!-- c -->")) == 1


def places_of_python(text: str) -> list[int]:
    """The places that the twin leaves to Python."""
    layers = Layers(retrieval="http://h/")
    table: Any = read_document(text, "application/atom+xml", None, layers, ReadOptions()).table()
    found: list[int] = table._twin.odd
    return found


def test_what_is_below_an_xml_base_is_left_to_python_only_if_that_is_not_plain() -> None:
    assert places_of_python(f'<feed {ATOM} xml:base="/b/"><link href="x"/><icon>y</icon></feed>') == []
    assert places_of_python(f'{BEGIN}<link href="x"/><entry xml:base="/b/"><icon>y</icon></entry></feed>') == []
    assert places_of_python(f'{BEGIN}<link href="x"/><entry xml:base=""><icon>y</icon></entry></feed>') == [1]


def test_links_below_the_xml_base_of_the_document_element_are_relative_to_it() -> None:
    text = f'<feed {ATOM} xml:base="/b/"><link href="x"/><content type="html">&lt;a href="y"></content></feed>'
    links = rehref.links(text, url="http://h/a", media_type="application/atom+xml")
    assert [link.target for link in links] == ["http://h/b/", "http://h/b/x", "http://h/b/y"]
    assert [link.base.uri for link in links] == ["http://h/a", "http://h/b/", "http://h/b/"]
    new = rehref.rewrite(text, rehref.Absolute(), url="http://h/a", media_type="application/atom+xml")
    assert new == text.replace('"/b/"', '"http://h/b/"').replace('"x"', '"http://h/b/x"').replace(
        '"y"', '"http://h/b/y"'
    )


@pytest.mark.parametrize(
    ("before", "unit", "after"),
    [
        ("", "<a>", ""),
        ("<a ", "xmlns:a{}='u' ", "/>"),
        ("<a>", "<a{} href='x'/>", "</a>"),
        ("<a>", "<a xmlns='u{}' href='x'/>", "</a>"),
        ("<a xmlns:b='u' ", "b:href='x' ", "/>"),
        ("<", "x", "/>"),
        ("<?xml-stylesheet ", "href='x' ", "?><a/>"),
        (f"{BEGIN}<icon>", "<!-- -->", "x</icon></feed>"),
        (f"{BEGIN}<icon><![CDATA[", "]", "]]></icon></feed>"),
        (f"{BEGIN}<content type='html'>", "&lt;a href='x'>", "</content></feed>"),
        (f"<feed {ATOM}>", "<content type='html'>&lt;a href='x'></content>", "</feed>"),
    ],
)
def test_time_is_linear(before: str, unit: str, after: str) -> None:
    def prepare(size: int) -> Callable[[], object]:
        text = before + "".join(unit.replace("{}", str(number)) for number in range(size)) + after
        return lambda: rehref.links(text, url="http://h/a", media_type="application/xml")

    assert_proportional(prepare, 500)


def test_xhtml_in_it_is_read_as_html_is() -> None:
    text = f"<html xmlns='{HTML}'><link rel='icon' href='x'/><meta name='og:image' content='y'/><a href='#z'/></html>"
    links = rehref.links(text, url="http://h/a", media_type="application/xhtml+xml")
    assert [(link.reference, link.kind, link.rel) for link in links] == [
        ("x", "resource", "icon"),
        ("y", "metadata", None),
        ("#z", "hyperlink", None),
    ]


PARTS = f"""<feed {ATOM} xml:base="{{}}"><link href="x"/><link href="#x"/><link href=""/><link href="../../../x y"/>
<entry xml:base="{{}}"><link href="?q"/><icon>a\\b</icon><content type="html">&lt;a href="#y">&lt;a href="y">
&lt;object codebase="c/" data="d" archive="e f">&lt;img usemap="#m"></content>
<content type="xhtml"><div xmlns="{HTML}"><object codebase="c/" data="d" classid="//o/" usemap="#m"/></div></content>
<entry xml:base="{{}}"><link href="z"/><link href="http://o.example:8080/"/></entry></entry></feed>"""
NAMED_BASES = (
    "http://o.example/b/c?d#e",
    "b/",
    "/b",
    "//o/b/",
    "../../../b",
    "",
    "#x",
    "?q",
    "b c/",
    "%2e/",
    "b'/",
    "urn:x",
)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
@pytest.mark.parametrize("url", ["http://h/a/b", "http://h/a'b/", "http://h/\u00e9/", None])
def test_what_is_relative_to_the_base_of_a_part_is_read_alike(
    url: str | None, profile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = f"/{'b' * 1990}/"
    bases = [*pairwise((*NAMED_BASES, *NAMED_BASES[::2], long, "b" * 20, "http://h/a/b", "http://h/a/b"))]
    texts = [PARTS.format(one, other, NAMED_BASES[at % 5]) for at, (one, other) in enumerate(bases)]

    def made() -> list[object]:
        found: list[object] = []
        for text in texts:
            options: Any = {"url": url, "media_type": "application/atom+xml", "profile": profile}
            found += rehref.links(text, **options)
            found += [rehref.rewrite(text, rule, **options) for rule in (rehref.Absolute(), rehref.Relative())]
        return found

    by_twin = made()
    monkeypatch.setattr("rehref.markup._source.xml.twin_of_xml.TWIN", None)
    assert by_twin == made()


@pytest.mark.parametrize("name", ["http://o.example/{}/", "b{}/"])
def test_each_of_many_entries_may_have_a_base(name: str) -> None:
    def reading(count: int) -> Callable[[], None]:
        entries = "".join(f'<entry xml:base="{name.format(at)}"><link href="x"/></entry>' for at in range(count))

        def run() -> None:
            links = rehref.links(f"{BEGIN}{entries}</feed>", url="http://h/", media_type="application/atom+xml")
            assert len(links) == 2 * count
            assert len({link.base for link in links}) == count + 1

        return run

    assert_proportional(reading, 1000)
