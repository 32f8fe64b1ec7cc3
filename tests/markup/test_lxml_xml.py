"""The `lxml` core's reading of XML: the same places as the `source` core, and documents that mean the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from examples import examples
from markup.test_xml_laws import PROLOG as OTHER_PROLOG
from markup.test_xml_laws import WANTED, good_documents, sources, valid
from rehref.markup._lxml.lxml_xml import read_xml_lxml
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, Edit, XmlDocument
from rehref.text.encoding import Source

PROLOG = "<!DOCTYPE r SYSTEM 'r.dtd'><?xml-stylesheet href=\"s.xsl\"?><!-- <r> -->"
DOCUMENTS = good_documents.map(
    lambda document: document.replace(OTHER_PROLOG, PROLOG).replace("&e;", "e").replace("xml:id", "xml:lang")
).filter(valid)
many = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def same(one: XmlDocument, other: XmlDocument) -> None:
    assert [place[:4] for place in one.places] == [place[:4] for place in other.places]
    assert list(one.scopes) == list(other.scopes)
    assert list(one.parents) == list(other.parents)
    assert one.root == other.root


@many
@given(DOCUMENTS)
def test_the_cores_agree(document: str):
    parsed = read_xml_lxml(Source(document), WANTED)
    assert parsed.splices([]) is None  # it is a tree
    same(parsed, core().parse_xml(Source(document), WANTED))
    assert parsed.apply([]) is document


@many
@given(sources)
def test_the_cores_agree_on_anything(source: Source):
    parsed = read_xml_lxml(source, WANTED)
    same(parsed, core().parse_xml(source, WANTED))
    assert (
        parsed.apply([Edit(at, 0, len(place[3]), place[3]) for at, place in enumerate(parsed.places)]) is source.data
        or parsed.splices([]) is not None
    )


@many
@given(DOCUMENTS, st.text("ab&<>\"']\r\n\té😀", max_size=8), st.sampled_from(["", "utf-8", "windows-1252"]))
def test_what_is_written_is_read_again(document: str, text: str, encoding: str):
    source = Source(document.encode("cp1252", "xmlcharrefreplace"), encoding) if encoding else Source(document)
    parsed = read_xml_lxml(source, WANTED)
    before = [place[:4] for place in parsed.places]
    edits = [Edit(at, 0, 0, text) for at in range(len(before))]
    first = parsed.apply(edits)
    assert parsed.apply(edits) == first
    again = core().parse_xml(Source(first, source.encoding), WANTED)
    assert [place[:4] for place in again.places] == [(*place[:3], text + place[3]) for place in before]
    assert list(again.scopes) == list(parsed.scopes)
    assert again.diagnostics == []


def test_a_document_keeps_its_prolog_and_has_characters_for_references():
    document = (
        '<?xml version="1.0" encoding="iso-8859-1" standalone="yes"?>\n<!-- a & b -->\n<!DOCTYPE r SYSTEM "http://x/">\n'
        "<r>&amp;&#233;\xe9<![CDATA[&e;<]]><loc>a</loc><a href='&#x78;'/></r>\n"
    )
    parsed = read_xml_lxml(Source(document.encode("latin-1"), "windows-1252"), WANTED)
    assert parsed.splices([]) is None  # it is a tree
    assert [place[3] for place in parsed.places] == ["a", "x"]
    assert parsed.positions == ([4, 4], [None, None])
    assert (parsed.direct, parsed.span(0, 0, 1), parsed.locate(0, 0)) == (False, None, (4, None))
    assert parsed.apply([Edit(0, 0, 1, "漢\x01\x02")]) == (
        b'<?xml version="1.0" encoding="iso-8859-1" standalone="yes"?>\n'
        b'<!DOCTYPE r SYSTEM "http://x/">\n<!-- a & b -->\n'
        b'<r>&amp;\xe9\xe9<![CDATA[&e;<]]><loc>&#28450;%01%02</loc><a href="x"/></r>\n'
    )


def test_nothing_external_is_read(tmp_path: Path):
    (tmp_path / "x").write_text("<!ENTITY e 'secret'><!ATTLIST loc href CDATA 'secret'>")
    document = f"<!DOCTYPE r SYSTEM '{(tmp_path / 'x').as_uri()}'><r><loc>1</loc></r>"
    parsed = read_xml_lxml(Source(document), WANTED)
    assert parsed.splices([]) is None  # it is a tree
    assert [place[3] for place in parsed.places] == ["1"]
    for entity in (
        document.replace("1", "&e;"),
        f"<!DOCTYPE r [<!ENTITY e SYSTEM '{tmp_path / 'x'}'>]><r><loc>&e;</loc></r>",
    ):
        assert [place[3] for place in read_xml_lxml(Source(entity), WANTED).places] == ["&e;"]


@pytest.mark.parametrize(
    "document",
    [
        *(
            "",
            "x",
            "<r><a href='1'></r>",
            "<r/>x",
            "<a>" * 300 + "</a>" * 300,
            "<r x:a='1'/>",
            "<r>\0</r>",
            "<r>\ud800</r>",
        ),
        *(
            "<r>&x;</r>",
            "<r a='&x;'/>",
            "<r>&</r>",
            "<!DOCTYPE r [<!ENTITY x 'y'>]><r/>",
            "<!DOCTYPE r SYSTEM ']>' []><r/>",
            "<?x <!DOCTYPE?>\n<!-- <!DOCTYPE r> --><!DOCTYPE r []><r/>",
        ),
    ],
)
def test_where_libxml2_finds_something_wrong_or_entities_the_source_core_stands_in(document: str):
    parsed = read_xml_lxml(Source(document), WANTED)
    assert parsed.splices([]) is not None
    same(parsed, core().parse_xml(Source(document), WANTED))


def test_instructions():
    document = "<?xml-stylesheet href='a&amp;b' type=\"c\"?>\n<r/>"
    parsed = read_xml_lxml(Source(document), WANTED)
    assert parsed.splices([]) is None  # it is a tree
    assert [place[3] for place in parsed.places] == ["a&b", "c"]
    assert parsed.apply([Edit(0, 0, 1, "?>\"'")]) == document.replace("'a&", "'?&gt;&quot;&apos;&")


def test_an_xhtml_element_has_an_end_tag_unless_it_is_void():
    document = f'<html xmlns="{HTML}"><head><base href="x"/><script src="y"/></head><body/></html>'
    parsed = read_xml_lxml(Source(document), WANTED)
    assert parsed.apply([Edit(0, 0, 1, None)]) == (
        f'<html xmlns="{HTML}"><head><base/><script src="y"></script></head><body></body></html>'
    )
