"""Sources with marked references, as a page shows them."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.reports._inventory.marked_source import MarkedSource, marked
from rehref.reports.formats import InventoryLimits
from rehref.reports.inventory import entry_of
from rehref.reports.terminal import visible
from rehref.text.encoding import Source
from reports.made_facts import opened, read

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


CORES = ("source", "lxml", "html5lib")


def text_of(found: MarkedSource) -> str:
    return "".join(piece.text for piece in found.pieces)


def marks(found: MarkedSource) -> list[str]:
    return [piece.text for piece in found.pieces if piece.links]


def source_of(page: bytes | str, most: int = 1 << 20) -> MarkedSource:
    source, links, _ = read(page)
    return marked(source, links, most)


def test_references_are_marked_where_they_stand() -> None:
    page = '<a href=" x.html "><img srcset="a.png 1x,b.png 2x" src=c.png><p style="background:url(d.png)url(e.png)">'
    assert marks(source_of(page)) == ["x.html", "a.png", "b.png", "c.png", "d.png", "e.png"]
    assert text_of(source_of(page)) == page


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "windows-1251", "shift_jis", "utf-16", "iso2022_jp", "big5"]
)
def test_any_encoding(encoding: str) -> None:
    charset = {"utf-8-sig": "utf-8", "iso2022_jp": "iso-2022-jp"}.get(encoding, encoding)
    word = {"windows-1251": "ссылка", "big5": "中文"}.get(encoding, "日本")
    page = f'<meta charset={charset}><p>{word}<a href="{word}.html">{word}</a><a href="b{word}">'
    found = source_of(page.encode(encoding))
    assert marks(found) == [f"{word}.html", f"b{word}"]
    assert text_of(found) == page


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.html")), ids=lambda path: path.name)
def test_every_fixture_is_shown_whole_and_marked_right(path: Path) -> None:
    source, links, _ = read(path.read_bytes())
    found = marked(source, links, 1 << 20)
    assert (found.left_out, found.unmarked, found.reason) == (0, 0, "")
    assert sorted(number for piece in found.pieces for number in piece.links) == list(range(len(links)))
    for piece in found.pieces:
        if len(piece.links) == 1 and "***" not in piece.text and "\\" not in piece.text:
            reference = visible(links[piece.links[0]].reference)
            assert unescape(piece.text) == reference or set(piece.text) & set("&\n\t") or not piece.text.isascii()


@pytest.mark.parametrize("parser", CORES[1:])
def test_a_core_that_knows_no_places_marks_nothing_and_says_so(parser: str) -> None:
    source, links, _ = read(b"<a href=x>1</a><a href=y>2</a>", parser)
    found = marked(source, links, 1 << 20)
    assert (found.unmarked, marks(found)) == (2, [])
    assert text_of(found) == "<a href=x>1</a><a href=y>2</a>"


def test_what_overlaps_is_one_mark_and_what_is_empty_has_one() -> None:
    source = Source("0123456789")
    link = read("<a href=x>")[1][0]
    links = [link._replace(span=span) for span in [(2, 5), (3, 6), (6, 8), (9, 9), (9, 9)]]
    found = marked(source, links, 99)
    assert [(piece.text, piece.links) for piece in found.pieces] == [
        ("01", ()),
        ("2345", (0, 1)),
        ("67", (2,)),
        ("8", ()),
        ("", (3, 4)),
        ("9", ()),
    ]


def test_lines_stay_and_controls_are_seen() -> None:
    page = b"a\r\nb\rc\n\td \x1b[0m \xe2\x80\xae<a href=x>\n"
    assert text_of(source_of(page)) == "a\nb\nc\n\td \\x1b[0m \\u202e<a href=x>"


def test_a_long_source_is_cut_and_says_by_how_much() -> None:
    page = "<a href=x>" + "<p>word " * 1000 + "<a href=y>"
    found = source_of(page.encode(), 4000)
    assert marks(found) == ["x"]
    assert 3990 < len(text_of(found)) <= 4000
    assert found.left_out == len(page) - len(text_of(found))
    assert source_of(page, 0).reason == "Sources are not shown."


@pytest.mark.parametrize("most", range(1, 60))
def test_no_part_of_a_password_is_shown_where_the_source_is_cut(most: int) -> None:
    page = b"<p>at http://bob:secret@h/x <a href='http://bob:secret@h/'>x</a>"
    assert "s" not in text_of(source_of(page, most))


@pytest.mark.parametrize("parser", CORES)
@pytest.mark.parametrize(
    "page",
    [
        "<a href='http://u:secret@h/'>",
        "<a href='http://u&#58;secret@h/'>",
        "<a href='http://u:secret&#64;h/'>",
        "<a href='http://v:secret@h/http://u&#58;secret@h/'>",
        "<!-- http://u:secret@h/ //u&#58;secret@h -->",
        "<img srcset='http://u:secret@h/a 1x, http://u:secret@h/b 2x'>",
        "<p title='http://u:secret&commat;h/'>",
        "<script>x = 'http:\\/\\/u:secret\\u0040h'</script>",
    ],
)
def test_passwords_are_masked(parser: str, page: str) -> None:
    source, links, _ = read(page.encode(), parser)
    assert "secret" not in text_of(marked(source, links, 1 << 20))


def test_what_is_binary_is_not_shown() -> None:
    found = source_of(b"<a href=x>" + bytes(range(32)) * 20)
    assert (found.pieces, found.reason) == ((), "It looks binary, so its source is not shown.")


def shown_page(data: str) -> str:
    document = opened(data)
    return entry_of("page.html", document, list(document.links()), "part", InventoryLimits()).shown


_pieces = st.sampled_from(
    ["<a href=", "x", "'", '"', ">", "</pre>", "</mark>", "<script>", "&lt;", "&", "\n", "#", "//u:p@"]
)


@given(st.lists(_pieces, max_size=20).map("".join))
def test_no_document_writes_markup_in_the_page(data: str) -> None:
    body = html5lib.parse(f"<!DOCTYPE html><title>t</title>{shown_page(data)}", namespaceHTMLElements=False)
    source = body.find(".//pre")
    found = [] if source is None else list(source.iter())
    assert {each.tag for each in found} <= {"pre", "i", "mark", "span", "b", "code"}
    assert not list(body.iter("script")) + list(body.iter("a"))
    assert [each.get("class") for each in body.iter("details")][:1] == ["document"]
    for each in found:
        for tip in each.findall("span[@class='tip']"):
            tip.clear()
    text = "" if source is None else "".join(source.itertext())
    assert text == text_of(source_of(data))


@given(st.text(st.sampled_from("<a href=x>'\"é&\n\t:/@u\\"), max_size=80), st.integers(1, 90))
def test_sources_of_any_kind_are_shown(text: str, most: int) -> None:
    for page in (text, text.encode()):
        found = source_of(page, most)
        numbers = [number for piece in found.pieces for number in piece.links]
        assert numbers == sorted(numbers)
        assert found.left_out >= 0
