"""XML as documents: tests for the rules of `rehref.documents._formats.xml`, `xml_scopes` and `xml_carriers`."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rehref
from growth import assert_proportional
from rehref.documents.base import LONGEST_EMBEDDED as LONGEST
from rehref.documents.base import NO_BASE, Base, Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.cores import core
from rehref.markup.parsed import XmlWanted
from rehref.rewriting.built_in_rules import Absolute, Relative
from rehref.rewriting.edits import rewrite_document
from rehref.text.encoding import Source

URL = "http://h.example/d/doc.xml"
XHTML = 'xmlns="http://www.w3.org/1999/xhtml"'
SVG = 'xmlns="http://www.w3.org/2000/svg"'
XLINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'


def document(text: str | bytes, profile="rfc3986", url: str | None = URL, **options) -> Document:
    return read_document(text, "text/xml", "utf-8", Layers(retrieval=url), ReadOptions(profile=profile, **options))


def read(text: str | bytes, profile="rfc3986", url: str | None = URL, **options) -> list[Link]:
    return list(document(text, profile, url, **options).links())


def targets(text: str, profile="rfc3986", **options) -> list[str | None]:
    """Targets without those of bases, from the URL's folder on."""
    folder = "http://h.example/d/"
    return [
        None if link.target is None else link.target.removeprefix(folder)
        for link in read(text, profile, **options)
        if link.kind != "base"
    ]


def absolute(text: str, **options) -> bytes | str:
    return rewrite_document(document(text, **options), Absolute()).data


# ----------------------------------------------------------------------------------- scopes of xml:base


ENTRY = "<a href='#fn:1'>1</a>"
POST = "http://h.example/post.html"


@pytest.mark.parametrize(
    "text",
    [
        f'<feed {ATOM}><entry><content type="html" xml:base="{POST}"><![CDATA[{ENTRY}]]></content></entry></feed>',
        f'<entry {ATOM} xml:base="{POST}"><content type="xhtml"><div {XHTML}>{ENTRY}</div></content></entry>',
        f'<rss xml:base="{POST}"><channel><item><description><![CDATA[{ENTRY}]]></description></item></channel></rss>',
        f'<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xml:base="{POST}"><c:encoded '
        f'xmlns:c="http://purl.org/rss/1.0/modules/content/"><![CDATA[{ENTRY}]]></c:encoded></rdf:RDF>',
    ],
)
def test_in_a_feed_a_fragment_means_the_page_that_xml_base_names(text):
    link = next(link for link in read(text) if link.reference == "#fn:1")
    assert (link.target, link.same_document, link.problems) == (f"{POST}#fn:1", False, ())
    assert f"{POST}#fn:1" in absolute(text)


def test_elsewhere_it_seems_to_mean_the_document_itself():
    text = f'<html {XHTML} xml:base="{POST}"><a href="#x"/></html>'
    link = next(link for link in read(text) if link.reference == "#x")
    assert "leaves-document" in [problem.code for problem in link.problems]


def test_xml_base_nests():
    text = f'<r {XLINK} xml:base="a/"><x xlink:href="1" xml:base="b/"><y xlink:href="2"/></x><z xlink:href="3"/></r>'
    assert targets(text) == ["a/b/1", "a/b/2", "a/3"]
    links = read(text)
    assert [(link.kind, link.reference, link.attribute) for link in links] == [
        ("base", "a/", "xml:base"),
        ("hyperlink", "1", "xlink:href"),
        ("base", "b/", "xml:base"),
        ("hyperlink", "2", "xlink:href"),
        ("hyperlink", "3", "xlink:href"),
    ]
    assert [link.base.where for link in links] == [
        "retrieval URI",
        "xml:base of <x> at 1:61",
        "xml:base of <r> at 1:1",
        "xml:base of <x> at 1:61",
        "xml:base of <r> at 1:1",
    ]
    assert links[2].target == "http://h.example/d/a/b/"


def test_xml_base_is_relative_to_the_next_one_out_and_that_to_the_layers_outside():
    text = f'<r {XLINK} xml:base="a/"><x xml:base="../b/" xlink:href="1"/></r>'
    assert read(text, url="http://o.example/p/q")[-1].target == "http://o.example/p/b/1"
    assert [link.target for link in read(text, url=None)] == [None, None, None]


def test_an_xml_base_without_use_is_skipped_with_a_reason():
    text = f'<r {XLINK} xml:base="a/"><x xml:base="data:,"><y xml:base="b/" xlink:href="1"/></x></r>'
    (link,) = [link for link in read(text) if link.kind == "hyperlink"]
    assert link.target == "http://h.example/d/a/b/1"
    assert [(each.where, each.reference) for each in link.base.rejected] == [("xml:base of <x> at 1:61", "data:,")]
    assert "data: is not allowed" in link.base.rejected[0].reason


def test_candidates_that_were_not_asked_are_not_rejected():
    text = f'<r {XLINK} xml:base="data:,"><x xml:base="http://o.example/" xlink:href="1"/></r>'
    (link,) = [link for link in read(text) if link.kind == "hyperlink"]
    assert link.base == Base("http://o.example/", "embedded", "xml:base of <x> at 1:65", scope="xml:base")


def test_an_empty_xml_base_is_the_one_around_and_fragments_do_not_count():
    text = f'<r {XLINK} xml:base="a/b#c"><x xml:base="" xlink:href="1"/><x xlink:href="#f"/></r>'
    assert targets(text) == ["a/1", "a/b#f"]


def test_the_first_few_reasons_are_kept():
    deep = 40
    text = f"<r {XLINK}>" + '<x xml:base="data:,">' * deep + '<y xlink:href="1"/>' + "</x>" * deep + "</r>"
    assert len(read(text)[-1].base.rejected) == 8


def test_nested_bases_do_not_grow_without_bound():
    name = "a" * 99 + "/"
    deep = 3 * LONGEST // len(name)
    text = f"<r {XLINK}>" + f'<x xml:base="{name}">' * deep + '<y xlink:href="1"/>' + "</x>" * deep + "</r>"
    links = read(text)
    assert len(links) == deep + 1
    whole = (LONGEST - len("http://h.example/d/doc.xml")) // len(name)
    assert links[-1].target == "http://h.example/d/" + name * whole + "1"
    assert [each.reason for each in links[-1].base.rejected] == ["it has more than 2,000 characters"]
    assert len({id(link.base) for link in links}) == whole + 2  # the one outside, and the one that tells why
    assert sum(len(link.target) for link in links) < len(text) * LONGEST // len(name)
    reported = [at for at, link in enumerate(links) if "base-not-hierarchical" in [each.code for each in link.problems]]
    assert reported == [whole]  # the first that is too long, and no other
    assert len(absolute(text)) < len(text) + len(links) * (LONGEST + len(name))


@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "whatwg"])
def test_a_base_that_would_be_too_long_is_skipped(profile):
    long = "a" * (LONGEST // 2) + "/"
    inner = f'<x xml:base="http:{long}" xlink:href="1"/><x xml:base="//o/" xlink:href="2"/>'
    text = f'<r {XLINK} xml:base="http:{long}">{inner}</r>'
    links = read(text, profile)
    assert all(len(link.base.uri) <= LONGEST for link in links)
    assert links[-1].target == "http://o/2"


def test_long_bases_that_are_short_enough_inside_count():
    text = f'<r {XLINK} xml:base="http://o/{"a" * LONGEST}"><x xml:base="b/" xlink:href="1"/></r>'
    assert targets(text) == ["b/1"]


def test_deep_nesting_takes_no_more_than_time_in_proportion():
    def reading(deep: int) -> Callable[[], None]:
        text = f"<r {XLINK}>" + '<x xml:base="./" xlink:href="1">' * deep + "</x>" * deep + "</r>"

        def run() -> None:
            assert len(read(text)) == 2 * deep

        return run

    assert_proportional(reading, 100)


def test_a_place_in_a_scope_finds_its_way_back_when_many_scopes_were_asked():
    inner = "".join(f'<x xml:base="{number}/" xlink:href="i"/><y xlink:href="o"/>' for number in range(200))
    expected = [target for number in range(200) for target in (f"a/{number}/i", "a/o")]
    assert targets(f'<r {XLINK} xml:base="a/">{inner}</r>') == expected


# --------------------------------------------------------------------------------------- browsers, base, BASE

PAGE = f"""<html {XHTML} xml:base="a/"><head><base href="b/"/></head>
<body xml:base="c/"><a href="1"/><svg {SVG} xml:base="d/"><a href="2"/></svg></body></html>"""


def test_xhtml_has_base_elements_and_xml_base():
    assert targets(PAGE) == ["b/a/c/1", "b/a/c/d/2"]
    assert [link.target for link in read(PAGE) if link.element == "base"] == ["http://h.example/d/b/"]


def test_browsers_ignore_xml_base():
    assert targets(PAGE, "whatwg") == ["b/1", "b/2"]
    assert targets(f'<svg {SVG} xml:base="a/"><a href="1"/></svg>', "whatwg") == ["1"]
    links = [link for link in read(PAGE) if link.kind == "hyperlink"]
    assert [[problem.code for problem in link.problems] for link in links] == [["browser-differs"]] * 2
    # a link of the kind base itself goes where it goes for all who follow it
    assert [link.target for link in read(PAGE, "whatwg") if link.attribute == "xml:base"] == [
        *(f"http://h.example/d/b/a/{path}" for path in ("", "c/", "c/d/")),
    ]
    assert all(not link.problems for link in read(PAGE) if link.attribute == "xml:base")


def test_feed_readers_do_not():
    text = f'<feed {ATOM} xml:base="a/"><link href="1"/><p {XHTML}><a href="2"/></p></feed>'
    assert targets(text, "whatwg") == ["a/1", "a/2"]
    assert all(not link.problems for link in read(text))


def test_a_base_element_counts_in_what_browsers_show_and_nowhere_else():
    base = f'<base {XHTML} href="b/"/>'
    assert targets(f'<svg {SVG}><a href="1"/>{base}</svg>') == ["b/1"]
    assert targets(f'<feed {ATOM}><link href="1"/>{base}</feed>') == ["1"]
    assert targets(f'<x><base href="b/"/><a {XHTML} href="1"/></x>') == ["1"]


def test_what_is_odd_about_base_elements_is_reported_in_xhtml():
    text = f'<html {XHTML}><head><base href="b/"/><base href="c/"/></head></html>'
    assert [[problem.code for problem in link.problems] for link in read(text)] == [
        ["base-relative"],
        ["base-repeated"],
    ]


def test_embedded_bases_can_be_ignored():
    assert targets(PAGE, ignore_embedded_base=True) == ["1", "2"]
    assert read(PAGE, ignore_embedded_base=True)[0].base.origin == "retrieval"
    assert targets('<CHANNEL BASE="/b/" HREF="1"/>', ignore_embedded_base=True) == ["1"]


def test_the_base_of_a_channel_definition():
    text = '<CHANNEL HREF="1" BASE="b/"><CHANNEL BASE="c/"><ITEM HREF="2"/></CHANNEL></CHANNEL>'
    links = read(text)
    assert [link.target for link in links] == [
        *(f"http://h.example/d/{path}" for path in ("b/1", "b/", "c/", "b/2")),
    ]
    assert links[0].base.where == "BASE of <CHANNEL> at 1:1"


# ------------------------------------------------------------------------------------------- the vocabularies


def test_html_svg_and_mathml_are_read_as_in_html_wherever_they_stand():
    text = f"""<x>
      <p {XHTML} style="background: url(1)"><img src="2" srcset="3 1x, 4 2x"/><link rel="icon" href="5"/>
        <form action=""/><object codebase="c/" data="6"/><style>a {{ background: url(7) }}</style>
        <script type="application/ld+json">{{"@context": {{"@base": "j/"}}, "@id": "8"}}</script>
        <iframe srcdoc="&lt;base href='s/'>&lt;a href='9'>"/></p>
      <g {SVG} fill="url(10)"><use href="#u"/></g>
      <math xmlns="http://www.w3.org/1998/Math/MathML" altimg="11"/>
    </x>"""
    found = targets(text)
    assert found == [
        *("1", "2", "3", "4", "5", "doc.xml", "c/6", "7", "j/", "j/8", "s/9", "10", "doc.xml#u", "11"),
    ]


def test_all_that_is_in_xhtml_is_relative_to_the_scope():
    text = f"""<div {XHTML} xml:base="a/"><object codebase="c/" data="6"/><form action=""/><img usemap="#m"/>
        <script type="application/ld+json">{{"@context": {{"@base": "j/"}}, "@id": "8"}}</script>
        <iframe srcdoc="&lt;base href='s/'>&lt;a href='9'>"/><iframe srcdoc="&lt;a href='10'>"/></div>"""
    assert targets(text) == ["a/c/6", "doc.xml", "doc.xml#m", "a/j/", "a/j/8", "a/s/9", "a/10"]


def test_a_srcdoc_in_xhtml_has_the_base_of_its_place():
    frame = "<iframe srcdoc='&lt;a href=x>'/>"
    assert targets(f'<html {XHTML}><body>{frame}<base href="b/"/>{frame}</body></html>') == ["x", "b/x"]


def test_names_are_in_the_case_they_are_defined_in():
    assert targets(f'<A {XHTML} href="1"><a HREF="2"/><a href="3"/></A>') == ["3"]
    assert targets(f'<x {SVG} {XLINK}><lineargradient xlink:href="1"/><linearGradient xlink:href="2"/></x>') == ["2"]


def test_prefixes_do_not_matter_and_namespaces_do():
    assert targets('<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:link href="1"/><link href="2"/></a:feed>') == ["1"]
    assert targets('<feed><link href="1"/></feed>') == []


def test_rss_has_html_among_its_own_elements():
    text = (
        '<rss><channel><item><body><a href="1">x</a><IMG src="no"/><meta content="no"/></body></item></channel></rss>'
    )
    assert targets(text) == ["1"]
    assert targets("<opml><a href='1'/></opml>") == []


def test_links_of_places_with_and_without_a_scope_are_alike():
    text = f'<feed {ATOM} {{}}><id>i</id><link href=" 1 "/><icon>\n 2\n</icon><logo/><category scheme="3"/></feed>'
    for plain, scoped in zip(read(text.format("")), read(text.format('xml:base="."'))[1:], strict=True):
        assert plain.target == scoped.target
        assert (plain.kind, plain.reference, plain.element) == (scoped.kind, scoped.reference, scoped.element)


def test_an_empty_text_is_no_reference():
    assert targets("<rss><channel><link> \n </link><docs/><comments></comments></channel></rss>") == []
    assert targets(f'<feed {ATOM}><link href=""/></feed>') == ["doc.xml"]


def test_what_is_selected_besides():
    text = f'<x><img {XHTML} data-src="1"/><topic conref="2"/><t conref="3"/><t data-href="4"/></x>'
    assert targets(text, attributes=("img@data-src", "topic@conref", "*@data-href")) == ["1", "2", "4"]


def test_what_is_selected_besides_on_elements_of_svg():
    text = '<svg xmlns="http://www.w3.org/2000/svg"><image data-a="1" data-b="2"/></svg>'
    assert targets(text, attributes=("image@data-a", "*@data-b")) == ["1"]
    links = rehref.links(f"<!DOCTYPE html>{text}", attributes=("image@data-a", "*@data-b"))
    assert [link.reference for link in links] == ["1"]


# --------------------------------------------------------------------------------------------- xml-stylesheet


def test_a_style_sheet_is_relative_to_the_document():
    text = f'<?xml-stylesheet href="1" type="text/css"?><html {XHTML} xml:base="a/"><base href="b/"/></html>'
    (link,) = [link for link in read(text) if link.kind != "base"]
    assert (link.element, link.attribute, link.kind) == ("?xml-stylesheet", "href", "resource")
    assert link.target == "http://h.example/d/1"


def test_other_instructions_are_none_of_ours():
    assert targets('<?xml-foo href="1"?><?php href="2"?><r/>') == []


# ------------------------------------------------------------------------------------------------- HTML inside


@pytest.mark.parametrize(
    "text",
    [
        '&lt;a href="x?a&amp;amp;b">',
        '<![CDATA[<a href="x?a&amp;b">]]>',
        '<![CDATA[<a href="x]]>?a<![CDATA[&amp;b">]]>',
        "<!-- c -->&#60;a href=x?a&amp;b><?p i?>",
    ],
)
def test_html_in_a_text_is_read_once_decoded(text):
    (link,) = read(f"<rss><channel><description>{text}</description></channel></rss>")
    assert (link.element, link.attribute, link.reference) == ("a", "href", "x?a&b")
    assert link.target == "http://h.example/d/x?a&b"


def test_what_is_changed_in_html_in_a_text_is_escaped_once_more():
    text = "<rss><item><title>{}</title><description><![CDATA[{}]]></description></item></rss>"
    escaped = '&lt;a href="{}?a&amp;amp;b">&amp;lt;&lt;/a>'
    raw = '<a href="{}?a&amp;b">&lt;</a>'
    written = text.format(escaped.format("http://h.example/d/x"), raw.format("http://h.example/d/x"))
    assert absolute(text.format(escaped.format("x"), raw.format("x"))) == written


def test_html_in_a_text_has_the_base_where_it_stands_and_no_other():
    text = f"""<feed {ATOM} xml:base="a/"><title type="html">&lt;a href="1">&lt;base href="/b/"></title>
      <entry><content type="html" xml:base="c/">&lt;img src="2"></content></entry></feed>"""
    assert targets(text) == ["a/1", "a/c/2"]
    assert read(text)[1].base.where == "xml:base of <feed> at 1:1"


def test_positions_in_html_in_a_text_are_those_in_the_document():
    text = '<rss><item>\n<title>&lt;b>\n &lt;a href="x&amp;amp;y"></title></item></rss>'
    (link,) = read(text)
    assert (link.line, link.column) == (3, 14)
    assert link.span is not None
    assert text[slice(*link.span)] == "x&amp;amp;y"
    (link,) = read(text.encode())
    assert link.span is not None
    assert text.encode()[slice(*link.span)] == b"x&amp;amp;y"


# ------------------------------------------------------------------------------------------- unknown entities


def test_an_attribute_with_an_unknown_entity_is_left_alone():
    text = (
        f'<!DOCTYPE r [<!ENTITY known "k"><!ENTITY other SYSTEM "o">]><r {XLINK}>'
        '<x xlink:href="&other;/1"/><x xlink:href="&amp;other;/2"/><x xlink:href="&known;/3"/>'
        '<x xlink:href="&#38;other;/4"/><x xlink:href="?a&b"/></r>'
    )
    assert targets(text) == [None, "&other;/2", "k/3", "&other;/4", "doc.xml?a&b"]
    first, second = read(text)[:2]
    assert (first.reference, first.base, [problem.code for problem in first.problems]) == (
        *("&other;/1", NO_BASE),
        ["unknown-entity"],
    )
    assert second.problems == ()
    assert '"&other;/1"' in str(absolute(text))


def test_a_text_with_an_unknown_entity_is_left_alone_but_for_html():
    text = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s</loc></url></urlset>'
    assert targets(text % "&home;/a") == [None]
    assert absolute(text % "<!-- c -->&home;/a") == text % "<!-- c -->&home;/a"
    assert targets(text % "<![CDATA[&home;/a]]>") == ["&home;/a"]
    assert targets("<rss version='2.0'><channel><description>&lt;a href='x'>&nbsp;</description></channel></rss>") == [
        "x"
    ]


def test_an_instruction_with_an_unknown_entity_is_left_alone():
    assert targets("<?xml-stylesheet href='&a;'?><r/>") == [None]


@pytest.mark.parametrize("parser", ["source", "lxml"])
def test_a_base_with_an_unknown_entity_could_be_any(parser: str):
    inner = '<y xlink:href="1"/><y xml:base="http://o/" xlink:href="2"/>'
    text = f'<r {XLINK} xml:base="o/"><x xml:base="&home;/">{inner}</x></r>'
    read = read_document(text, "text/xml", None, Layers(retrieval=URL), ReadOptions(parser=parser))
    links = [link for link in read.links() if link.kind != "base"]
    assert [(link.target, link.base.uri) for link in links] == [(None, None), ("http://o/2", "http://o/")]
    assert [each.reference for each in links[0].base.rejected] == ["&home;/"]
    assert "&home;/" not in [link.reference for link in read.links()]
    for rule in (Absolute(base_element="drop"), Relative()):
        written = str(rewrite_document(read, rule).data)
        assert 'xml:base="&home;/"><y xlink:href="1"' in written


def test_a_base_element_with_an_unknown_entity_could_be_any():
    text = f'<html {XHTML}><head><base href="&home;/"/></head><body><a href="1"/></body></html>'
    assert targets(text) == [None]
    assert absolute(text) == text
    assert targets(text, ignore_embedded_base=True)[-1] == "1"


def test_what_is_not_expanded_any_more_is_reported():
    longest = 1000  # characters in the value of an entity
    many = (1 << 20) // longest  # characters of entities in a document
    text = (
        f"<!DOCTYPE feed [<!ENTITY a '{'x' * longest}'>]><feed {ATOM}>" + '<link href="&a;"/>' * (many + 5) + "</feed>"
    )
    links = read(text)
    assert len(links) == many + 5
    assert all(link.target is not None for link in links[:many])
    assert [(link.reference, link.target) for link in links[many:]] == [("&a;", None)] * 5
    assert [problem.code for problem in links[-1].problems] == ["unknown-entity"]
    (diagnostic,) = core().parse_xml(Source(text), XmlWanted(frozenset({"href"}))).diagnostics
    assert "not expanded" in diagnostic[1]
    assert str(absolute(text)).count('"&a;"') == 5


def test_known_entities_do_not_keep_a_sitemap_from_being_read():
    text = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>/a?b&amp;c;</loc></url></urlset>'
    assert [link.target for link in read(text)] == ["http://h.example/a?b&c;"]


@pytest.mark.parametrize("namespace", ["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"])
def test_only_styles_of_css_have_references(namespace):
    types = ["", 'type=""', 'type="TEXT/css"', 'type="text/less"', 'type="text/css;charset=utf-8"']
    styles = "".join(f"<style {type_}>@import '{number}'</style>" for number, type_ in enumerate(types))
    found = rehref.links(f'<x xmlns="{namespace}">{styles}</x>', media_type="application/xml")
    assert [link.reference for link in found if link.kind != "namespace"] == ["0", "1", "2"]
