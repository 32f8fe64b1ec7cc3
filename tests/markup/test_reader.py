"""The rules of reading XML with the `source` core, one by one."""

from __future__ import annotations

import pytest

from rehref.markup._source.xml.reader import read_xml
from rehref.markup.parsed import HTML, MOST_DIAGNOSTICS, RDF, XLINK, Edit, XmlDocument, XmlWanted
from rehref.markup.places import NOT_KNOWN
from rehref.text.encoding import Source

WANTED = XmlWanted(
    frozenset({"href", "src", "xlink:href", "rdf:about", "{urn:x}ref"}),
    frozenset({("*", "loc"), ("urn:a", "link")}),
    frozenset({"xml-stylesheet"}),
)


def read(document: str | bytes) -> XmlDocument:
    return read_xml(Source(document, None if isinstance(document, str) else "utf-8"), WANTED)


def values(document: str | bytes) -> list[str]:
    return [place[3] for place in read(document).places]


def whats(document: str) -> list[str]:
    return [what for _, what in read(document).diagnostics]


# names and namespaces


def test_names_are_those_written_and_namespaces_those_declared():
    document = (
        '<Feed xmlns="urn:a" xmlns:b="urn:b"><b:E href="1"/><E href="2"/><E xmlns="" href="3"/><E href="4"/></Feed>'
    )
    parsed = read(document)
    assert [place[:3] for place in parsed.places] == [
        ("E", "urn:b", "href"),
        ("E", "urn:a", "href"),
        ("E", "", "href"),
        ("E", "urn:a", "href"),
    ]
    assert parsed.root == ("urn:a", "Feed")
    assert set(parsed.parents) == {("urn:a", "Feed")}
    assert parsed.diagnostics == []


def test_attributes_go_by_the_usual_prefix_of_their_namespace():
    document = (
        f'<a xmlns:l="{XLINK}" xmlns:r="{RDF}" xmlns:x="urn:x" l:href="1" r:about="2" x:ref="3" x:href="4" href="5"/>'
    )
    assert [(place[2], place[3]) for place in read(document).places] == [
        ("xlink:href", "1"),
        ("rdf:about", "2"),
        ("{urn:x}ref", "3"),
        ("href", "5"),
    ]


def test_a_prefix_that_is_not_declared_is_part_of_the_name():
    assert [place[:4] for place in read('<o:a xlink:href="1"/>').places] == [("o:a", "", "xlink:href", "1")]


def test_a_name_with_nothing_before_or_behind_its_colon_is_in_no_namespace():
    document = '<g xmlns="urn:d" xmlns:s="urn:s"><s: href="1" s:="2" xml:base=/><:x href="3" :href="4"></:x></g>'
    assert [place[:4] for place in read(document).places] == [
        ("s:", "", "href", "1"),
        ("s:", "", "xml:base", "/"),
        (":x", "", "href", "3"),
    ]
    assert read(document).apply([Edit(1, 0, 1, "y")]) == document.replace("base=/", 'base="y"')


def test_a_prefix_holds_where_it_is_declared_only():
    document = '<r><a xmlns:p="urn:x"><b p:ref="1"/></a><b p:ref="2"/><p:c href="3"/></r>'
    assert [place[:4] for place in read(document).places] == [("b", "", "{urn:x}ref", "1"), ("p:c", "", "href", "3")]


# scopes


def test_xml_base_scopes_nest():
    document = '<r href="0" xml:base="1"><a href="2" xml:base="3" src="4"><b href="5"/></a><c href="6"/></r>'
    parsed = read(document)
    assert list(zip(values(document), parsed.scopes, strict=True)) == [
        ("0", 1),
        ("1", -1),
        ("2", 3),
        ("3", 1),
        ("4", 3),
        ("5", 3),
        ("6", 1),
    ]


# values


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("a&amp;b&lt;&gt;&quot;&apos;", "a&b<>\"'"),
        ("&#65;&#x42;&#x1F600;", "AB😀"),
        ("&#0;&#xD800;&#x110000;&#99999999999;", "\ufffd" * 4),
        ("a\tb\nc\rd\r\ne", "a b c d e"),
        ("&#9;&#10;&#13;", "\t\n\r"),
        ("?a&copy=1&amp", "?a&copy=1&amp"),
        ("&nbsp;&x;", "&nbsp;&x;"),
        (" a  b ", " a  b "),
    ],
)
def test_values_of_attributes(raw: str, value: str):
    assert values(f'<a href="{raw}"/>') == [value]
    assert values(f"<a href='{raw}'/>".encode()) == [value]


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("http://x/?a&amp;b", "http://x/?a&b"),
        ("a<![CDATA[b&amp;<c>]]>d", "ab&amp;<c>d"),
        ("a<!-- b -->c<?d e?>f", "acf"),
        ("a\r\nb\rc\td", "a\nb\nc\td"),
        ("<![CDATA[a\r\nb]]>", "a\nb"),
        ("a < b", "a < b"),
        ("a</x>b", "ab"),
    ],
)
def test_texts(content: str, value: str):
    assert values(f"<r><loc>{content}</loc></r>") == [value]
    assert values(f"<r><loc>{content}</loc></r>".encode()) == [value]


@pytest.mark.parametrize("content", ["", "<![CDATA[]]>", "<!-- a -->", "a<b/>", "<b>c</b>d", "<b/>", "a<b href='1'/>"])
def test_an_element_without_text_or_with_children_is_no_text_place(content: str):
    assert [place for place in read(f"<r><loc>{content}</loc></r>").places if place[2] is None] == []


def test_texts_are_wanted_by_namespace():
    document = "<r xmlns:a='urn:a'><link>1</link><a:link>2</a:link><a:loc>3</a:loc><loc>4</loc></r>"
    assert values(document) == ["2", "3", "4"]


def test_a_text_place_comes_behind_the_attributes_of_its_element():
    document = "<r><loc href='1' src='2'>3</loc></r>"
    assert values(document) == ["1", "2", "3"]
    assert len({place[6] for place in read(document).places}) == 1


def test_instructions_before_the_document_element():
    document = (
        "<?xml version='1.0'?><?xml-stylesheet href='a&amp;b' type=\"c\"?><?other href='x'?><r/>"
        "<?xml-stylesheet href='d'?>"
    )
    places = read(document).places
    assert [place[:4] for place in places] == [
        ("?xml-stylesheet", "", "href", "a&b"),
        ("?xml-stylesheet", "", "type", "c"),
    ]
    assert read(document).apply([Edit(0, 0, 1, "?")]) == document.replace("'a&", "'?&")
    assert read("<?xml-stylesheet href='a>'?><r/>").apply([Edit(0, 0, 1, "?")]) == "<?xml-stylesheet href='?&gt;'?><r/>"


# entities


def test_declared_entities():
    document = """<!DOCTYPE r [
      <!ENTITY a "one two"> <!ENTITY a "three"> <!-- " ]> --> <?x ' ]>?>
      <!ENTITY % p "x"> %p; <!ENTITY b "&a;"> <!ENTITY c SYSTEM "file:///etc/passwd"> <!ENTITY d '"]>"'>
      <!ATTLIST r href CDATA "default" xml:base CDATA "x">
    ]><r href="&a;&b;&c;&d;&p;"><loc>&a;&d;</loc></r>"""
    assert values(document) == ['one two&b;&c;"]>"&p;', 'one two"]>"']
    assert read(document).diagnostics == []


def test_html_entities_in_xhtml_only():
    xhtml = '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://x/"><a href="&eacute;&nbsp;"/>'
    assert values(xhtml) == ["é\xa0"]
    assert values(xhtml.replace("PUBLIC", "SYSTEM")) == ["&eacute;&nbsp;"]


def test_an_edit_of_a_part_of_an_entity_writes_it_out():
    document = "<!DOCTYPE r [<!ENTITY a 'http://x/'>]><r><loc>&a;y</loc></r>"
    assert read(document).apply([Edit(0, 0, 4, "https")]) == document.replace("&a;y", "https://x/y")
    assert read(document).apply([Edit(0, 9, 10, "z")]) == document.replace("&a;y", "&a;z")


@pytest.mark.parametrize("subset", ["<!ENTITY a 'x>]>", "<!-- ]>", "<?x ]>", "'"])
def test_an_internal_subset_that_is_not_closed(subset: str):
    document = f"<!DOCTYPE r [{subset} ]><r href='1'/>"
    assert "1" in values(document)
    assert whats(document)


@pytest.mark.parametrize(
    ("doctype", "found"),
    [
        ("<!DOCTYPE rss PUBLIC -//Netscape//DTD RSS 0.91//EN>", ["&eacute;"]),
        ("<!DOCTYPE rss PUBLIC -//W3C//DTD XHTML 1.0>", ["&eacute;"]),
        ("<!DOCTYPE>", ["&eacute;"]),
        ("<!DOCTYPE public>", ["&eacute;"]),
        ("<!DOCTYPE public [ ]>", ["&eacute;"]),
        ("<!DOCTYPE [publicx", []),
    ],
)
def test_a_document_type_without_its_literals(doctype: str, found: list[str]):
    document = f"{doctype}<public href='&eacute;'/>"
    assert values(document) == found
    assert read(document).apply([]) is document


def test_places_with_references_that_are_not_known_are_flagged():
    document = (
        "<?xml-stylesheet href='&x;'?><!DOCTYPE r [<!ENTITY a 'b'>]>"
        "<r href='&a;'><loc href='?&b&c;'>&a;<!-- -->&x;</loc>"
        "<loc>&lt;&#38;x;<![CDATA[&x;]]></loc><loc>&x;</loc><loc><![CDATA[&x;]]></loc><loc>&amp;x; &1; &;</loc></r>"
    )
    assert [(place[3], place[7]) for place in read(document).places] == [
        ("&x;", NOT_KNOWN),
        ("b", 0),
        ("?&b&c;", NOT_KNOWN),
        ("b&x;", NOT_KNOWN),
        ("<&x;&x;", 0),
        ("&x;", NOT_KNOWN),
        ("&x;", 0),
        ("&x; &1; &;", 0),
    ]


def test_where_entities_are_no_longer_expanded_is_noted_whatever_else_is():
    document = f"<!DOCTYPE r [<!ENTITY a '{'x' * 1000}'>]>\n<r>\n" + "<loc href=1>&a;</loc>" * 1050
    diagnostics = read(document).diagnostics
    assert len(diagnostics) == MOST_DIAGNOSTICS
    assert (diagnostics[-1][0], "not expanded" in diagnostics[-1][1]) == (3, True)


# not well-formed


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        ("<r><a href=1 src=2/></r>", ["1", "2/"]),
        ("<r><a href='1' href='2'/></r>", ["1"]),
        ("<r><a href='1'src='2'/></r>", ["1", "2"]),
        ("<r><a href='a<b'/></r>", ["a<b"]),
        ("<r><a href src='1'></r>", ["1"]),
        ("<r><a href='1' <b href='2'></r>", ["1", "2"]),
        ("<r><a xml:base='1'></r><b href='2'/>", ["1", "2"]),
        ("<r><loc>1</r>", ["1"]),
        ("<r><loc>1", ["1"]),
        ("<r><loc>1<b", ["1"]),
        ("<r><loc>1</lo", ["1"]),
        ("<r><loc>1<![CDATA[2", ["12"]),
        ("<r><a href='1'", []),
        ("<r><a href='1", []),
        ("<r a=''/><r href='1'/>", ["1"]),
        ("<r><<<a href='1'/>&</r>", ["1"]),
        ("<r></ ><!x><a href='1'/></r x>", ["1"]),
        ("<a:b:c href='1'/>", ["1"]),
        ("", []),
        ("text", []),
    ],
)
def test_broken_markup_is_read_on(document: str, expected: list[str]):
    assert values(document) == expected
    if document != "<a:b:c href='1'/>":
        assert whats(document)


def test_an_end_tag_ends_the_nearest_element_of_its_name():
    document = "<r><a xml:base='1'><b xml:base='2'></a><c href='3'/></x><d xml:base='4'></d></r>"
    parsed = read(document)
    assert list(zip(values(document), parsed.scopes, strict=True)) == [("1", -1), ("2", 0), ("3", -1), ("4", -1)]


def test_diagnostics_have_lines_and_are_few():
    assert read("<r>\n<a>\n</b>\n</a></r>").diagnostics == [(3, "</b> has no start tag")]
    assert len(read("<r>" + "</b>" * 100 + "</r>").diagnostics) == MOST_DIAGNOSTICS
    assert read("<r><a href='1'/>text &amp; <b>c</b><!-- --><![CDATA[<]]></r>\n").diagnostics == []


# positions


def test_positions_are_in_characters():
    document = "\N{ZERO WIDTH NO-BREAK SPACE}<r>é<a href='1é2'/>\r\né<loc>é<!-- é -->&amp;<![CDATA[😀x]]></loc></r>"
    data = document.encode()
    parsed = read_xml(Source(data, "utf-8", 3), WANTED)
    assert [place[3] for place in parsed.places] == ["1é2", "é&😀x"]
    assert parsed.positions == ([1, 2], [14, 7])
    assert parsed.locate(0, None) == (1, 5)
    assert parsed.locate(0, 2) == (1, 16)
    assert parsed.direct
    spans = [parsed.span(1, at, at + 1) for at in range(4)]
    assert [data[start:end].decode() for start, end in spans] == ["é", "&amp;", "😀", "x"]
    assert parsed.locate(1, 3) == (2, 7 + len("é<!-- é -->&amp;<![CDATA[😀"))
    assert data[slice(*parsed.span(0, 0, 3))].decode() == "1é2"
    start, end = parsed.span(1, 0, 4)
    assert data[start:end].decode() == "é<!-- é -->&amp;<![CDATA[😀x"


def test_a_text_that_is_one_cdata_section_stands_in_it():
    document = "<r><loc><![CDATA[abc]]></loc></r>"
    _, _, _, _, start, end, _, _ = read(document).places[0]
    assert document[start:end] == "abc"


# writing


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        ("<a href='x'/>", Edit(0, 0, 1, "a&b<\"'\t"), "<a href='a&amp;b&lt;\"&#39;&#9;'/>"),
        ("<a href=x />", Edit(0, 0, 1, 'y"&'), '<a href="y&quot;&amp;" />'),
        ("<a href='a&amp;b'/>", Edit(0, 0, 0, "http://h/"), "<a href='http://h/a&amp;b'/>"),
        ("<a href='&amp;'/>", Edit(0, 1, 1, "amp;"), "<a href='&amp;amp;'/>"),
        ("<a href='&;'/>", Edit(0, 1, 1, "lt"), "<a href='&amp;lt;'/>"),
        ("<r><loc>x</loc></r>", Edit(0, 0, 1, "a&b<c>\"'\r\n"), "<r><loc>a&amp;b&lt;c&gt;\"'&#13;\n</loc></r>"),
        ("<r><loc>]]&gt;</loc></r>", Edit(0, 3, 3, "x"), "<r><loc>]]&gt;x</loc></r>"),
        ("<r><loc>]x]></loc></r>", Edit(0, 1, 2, ""), "<r><loc>]]&gt;</loc></r>"),
        ("<r><loc><![CDATA[x]]></loc></r>", Edit(0, 0, 1, "&<]]>"), "<r><loc><![CDATA[&<]]]]><![CDATA[>]]></loc></r>"),
        ("<r><loc><![CDATA[]x]>]]></loc></r>", Edit(0, 1, 2, ""), "<r><loc><![CDATA[]]]]><![CDATA[>]]></loc></r>"),
        ("<r><loc><![CDATA[x]]></loc></r>", Edit(0, 0, 1, "\r"), "<r><loc><![CDATA[]]>&#13;<![CDATA[]]></loc></r>"),
        (
            "<r><loc>ab<!-- --><![CDATA[cd]]></loc></r>",
            Edit(0, 1, 3, "&"),
            "<r><loc>a&amp;<!-- --><![CDATA[d]]></loc></r>",
        ),
        ("<r><loc>ab<![CDATA[cd]]>ef</loc></r>", Edit(0, 1, 5, ""), "<r><loc>a<![CDATA[]]>f</loc></r>"),
        ("<r><loc>a< b</loc></r>", Edit(0, 2, 3, ""), "<r><loc>a&lt;b</loc></r>"),
        ("<a href='x'/>", Edit(0, 0, 1, "a\0b"), "<a href='a%00b'/>"),
        ("<a b='' href='x'/>", Edit(0, 0, 1, None), "<a b=''/>"),
        ("<a href='x' href='y' b=''/>", Edit(0, 0, 1, None), "<a b=''/>"),
        ("<a / href='x'><b href='y'/></a>", Edit(0, 0, 1, None), "<a / ><b href='y'/></a>"),  # not an empty element
        (f"<base xmlns='{HTML}' href='x'/>", Edit(0, 0, 1, None), f"<base xmlns='{HTML}'/>"),
        (
            f"<h:head xmlns:h='{HTML}'><h:base href='x' /></h:head>",
            Edit(0, 0, 1, None),
            f"<h:head xmlns:h='{HTML}'></h:head>",
        ),
    ],
)
def test_edits(before: str, edit: Edit, after: str):
    assert read(before).apply([edit]) == after
    assert read(before.encode()).apply([edit]) == after.encode()


def test_what_the_encoding_lacks_becomes_a_reference():
    data = "<r><loc>x</loc><loc><![CDATA[é]]></loc><a href='é'/></r>".encode("latin-1")
    parsed = read_xml(Source(data, "windows-1252"), WANTED)
    after = parsed.apply([Edit(0, 0, 1, "漢"), Edit(1, 0, 0, "漢"), Edit(2, 1, 1, "漢é")])
    expected = "<r><loc>&#28450;</loc><loc><![CDATA[]]>&#28450;<![CDATA[é]]></loc><a href='é&#28450;é'/></r>"
    assert after == expected.encode("latin-1")


def test_cdata_ends_where_its_characters_say():
    # in Shift_JIS the second byte of ソ is a backslash, that of ゼ a "["; 0x83 0x5D is "]" as a second byte
    data = b"<r><loc><![CDATA[\x83\x5d]>&]]></loc></r>"
    parsed = read_xml(Source(data, "shift_jis"), WANTED)
    assert [place[3] for place in parsed.places] == ["ソ]>&".replace("ソ", b"\x83\x5d".decode("cp932"))]
