"""What places carry, as the twin and the checker are told: it holds of what is found in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.documents._formats.html_carriers import ASK, DECIDES, KIND_OF_ONE, NOTHING
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import LOCAL_KINDS
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.parsed import HTML

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
FILES = [each for each in sorted(FIXTURES.rglob("*")) if each.suffix in (".html", ".xhtml", ".xml", ".svg", ".atom")]
TYPES = {".html": "text/html", ".xhtml": "application/xhtml+xml", ".svg": "image/svg+xml"}
XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"'
PAGES = [
    (f'<html xmlns="{HTML}" {XSI} xsi:schemaLocation="a b"><a href="x"/><p>t</p></html>', "application/xml", 3),
    (f"<html xmlns='{HTML}'><iframe srcdoc='&lt;a href=x>'/><a href='x'/></html>", "application/xml", 2),
    ("<rss><item><link>x</link><guid>y</guid><enclosure url='z'/></item></rss>", "application/rss+xml", 2),
    ("<feed xmlns='http://www.w3.org/2005/Atom'><icon>x</icon><id>y</id></feed>", "application/atom+xml", 2),
    ("<link rel=x href=y><meta name=x content=y><svg><a href='#x'/><use href='#x'/></svg>", "text/html", 3),
    ("<object codebase=x data=y usemap='#z'><div style='background: url(x)'><script>x</script>", "text/html", 4),
    ("<style type=a>@import 'x'</style><svg><style type=text/css>@import 'y'</style></svg>", "text/html", 1),
]


def assert_it_holds(document: Document) -> int:
    """Hold what each place carries to what is found there. Gives the number of references."""
    total = 0
    for number, (element, namespace, attribute, *_) in enumerate(document.parsed.places):
        found = document.format.find(document, number)
        total += len(found)
        assert document.format.carriers is not None
        code = document.format.carriers.carries(namespace, element, attribute)
        if code == ASK:
            code = document.format.carriers.carried(document.parsed, number)
        if code in (NOTHING, DECIDES):
            assert len(found) == 0
        elif code in KIND_OF_ONE and found:
            (reference,) = found
            assert reference.syntax == "url"
            assert reference.kind == KIND_OF_ONE[code] not in LOCAL_KINDS
            assert (
                reference.base is None
                or reference.text == ""
                or (document.format.parts is not None and document.format.parts.xml_base)
            )
    return total


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_it_holds_of_fixtures(path: Path) -> None:
    media_type = TYPES.get(path.suffix, "application/xml")
    document = read_document(path.read_bytes(), media_type, None, Layers(retrieval="http://h/"), ReadOptions())
    if document.format.carriers is not None:
        assert_it_holds(document)


@pytest.mark.parametrize(("page", "media_type", "total"), PAGES)
def test_it_holds_of_what_is_odd(page: str, media_type: str, total: int) -> None:
    document = read_document(page, media_type, None, Layers(retrieval="http://h/"), ReadOptions())
    assert assert_it_holds(document) == total


def test_bases_in_xml_leave_it_to_what_is_found() -> None:
    page = '<docbook xml:base="/b/"><ulink url="x"/></docbook>'
    document = read_document(page, "application/xml", None, Layers(retrieval="http://h/"), ReadOptions())
    assert document.format.parts is not None
    assert document.format.parts.xml_base


def test_an_image_is_an_img() -> None:
    document = read_document(b"<image src=x><svg><image href=y /></svg>", "text/html", None, Layers(), ReadOptions())
    assert [(link.reference, link.element) for link in document.links()] == [("x", "img"), ("y", "image")]
