"""What an inventory is made of: counts that stay small, who links where, what of it is drawn, and marked sources."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from html import unescape
from itertools import pairwise
from pathlib import Path

import html5lib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.documents.base import Base, Layers
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.reports._inventory.facts import LONGEST, Facts, facts_of, host_drawn
from rehref.reports._inventory.grouping import (
    MOST_DRAWN,
    MOST_INSIDE,
    MOST_OUTSIDE,
    Drawing,
    Referrers,
    drawing_of,
    not_referred_to,
    referred_to,
    referrers,
)
from rehref.reports._inventory.marked_source import MarkedSource, marked
from rehref.reports._inventory.picture import picture_of
from rehref.reports._inventory.totals import CountsByName, Structure, Totals, folder
from rehref.reports._links.links_html import LinksPage
from rehref.reports._links.overview import overview_of
from rehref.reports.formats import InventoryLimits
from rehref.reports.terminal import visible
from rehref.text.encoding import Source

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
CORES = ("source", "lxml", "html5lib")
BASE = Base("http://h/", "retrieval", "retrieval URI")


def read(
    data: bytes | str, parser: str = "source", url: str = "http://h/d/page.html"
) -> tuple[Source, list[Link], Base]:
    document = read_document(data, "text/html", None, Layers(retrieval=url), ReadOptions(parser=parser))
    return document.source, list(document.links()), document.base


def facts(uri: str, *targets: str) -> Facts:
    """The facts of a document that has these targets."""
    empty: Counter[str] = Counter()
    return Facts(uri, uri, len(targets), BASE, empty, empty, empty, empty, Counter(targets), empty, empty, 0)


def structure(documents: Iterable[Facts], most: int = 1000) -> Structure:
    made = Structure(most)
    for each in documents:
        made.add(each)
    return made


def drawn(drawing: Drawing) -> dict[tuple[str, str], int]:
    """The connections that are drawn, by the names of what they join."""
    names = [node.name for node in drawing.nodes]
    return {(names[each.source], names[each.target]): each.references for each in drawing.connections}


# --- counts


@given(st.lists(st.dictionaries(st.text(max_size=2), st.integers(1, 9), max_size=5), max_size=20))
def test_a_tally_loses_nothing_and_stays_small(counts: list[dict[str, int]]) -> None:
    tally = CountsByName(3)
    for each in counts:
        tally.add(each)
    assert tally.total == sum(sum(each.values()) for each in counts)
    assert len(tally.counts) <= 3
    assert sum(number for _, number in tally.top(2)) + tally.rest(2) == tally.total


@pytest.mark.parametrize("parser", CORES)
def test_the_facts_of_a_document(parser: str) -> None:
    page = '<base href="//O/x/"><a href=a#f>1</a><a href=a>2</a><a href=#f>3</a><img src="data:,' + "x" * LONGEST + '">'
    page += '<a href="mailto:a@b">4</a><object codebase=sub/ data=y></object><a href="http://u:p@Other:80/">5</a>'
    _, links, base = read(page, parser)
    found = facts_of("p", "http://h/d/page.html#top", base, links)
    assert (found.uri, found.references, found.base.uri) == ("http://h/d/page.html", len(links), "http://O/x/")
    assert found.targets["http://O/x/a"] == 2
    assert set(found.targets) - {"http://O/x/sub/"} == {
        "http://O/x/a",
        *("http://O/x/", "http://O/x/sub/y", "data:", "mailto:a@b", "http://u:p@Other:80/"),
    }
    assert found.hosts["o"] == sum(count for target, count in found.targets.items() if "//O/" in target)
    assert (found.hosts["other"], found.hosts["data:"], found.hosts["mailto:"]) == (1, 1, 1)
    assert found.embedded["http://O/x/sub/"] >= 1
    assert found.problems["leaves-document"] == 1
    assert sum(found.kinds.values()) == sum(found.places.values()) == sum(found.bases.values()) == len(links)


def test_a_base_that_is_the_documents_own_is_no_other() -> None:
    page = '<base href="page.html#x"><a href=a>1</a>'
    _, links, base = read(page)
    assert facts_of("p", "http://h/d/page.html", base, links).embedded == {}
    assert facts_of("p", "http://h/d/other.html", base, links).embedded.total() == 1


def test_what_is_no_host_is_not_counted_as_one() -> None:
    def about(*targets: str) -> str:
        totals = Totals()
        totals.add(facts("http://h/", *targets)._replace(hosts=Counter(map(host_drawn, targets))))
        found = overview_of(totals, 1, 1, InventoryLimits())
        return found.about + "; " + ", ".join(bar.label for chart in found.charts for bar in chart.bars[:9])

    assert about("file:///x", "mailto:a@b").startswith("No problems; ")
    assert "this disk" in about("file:///x")
    assert about("http://o/", "file:///x").startswith("1 host, no problems")


def test_documents_that_are_all_referred_to_once_are_no_chart() -> None:
    def has_chart(*targets: str) -> bool:
        totals = Totals()
        for each in (facts("http://h/a", *targets), facts("http://h/b", "http://h/a"), facts("http://h/c")):
            totals.add(each)
        return "popular" in {chart.name for chart in overview_of(totals, 1, 1, InventoryLimits()).charts}

    assert has_chart("http://h/b", "http://h/b")
    assert not has_chart("http://h/b", "http://h/c")


def test_the_host_of_a_uri() -> None:
    uris = ("http://u:p@H.example:8080/x", "mailto:a@b", "file:///x", "http://[::1]:80/", "x", "http:///x")
    assert [host_drawn(uri) for uri in uris] == ["h.example", "mailto:", "file:", "[::1]", ":", "http:"]


def test_totals_add_up() -> None:
    totals = Totals()
    for name in ("a", "b"):
        _, links, base = read('<base href="http://["><a href=x>1</a>', url=f"http://h/{name}")
        totals.add(facts_of(name, f"http://h/{name}", base, links))
    assert (totals.documents, totals.references, totals.rejected) == (2, 4, 2)
    assert totals.base_documents == {"retrieval": 2}
    assert totals.kinds == {"base": 2, "hyperlink": 2}


# --- structure


def test_an_index_is_its_folder() -> None:
    found = structure([facts("http://h/index.html", "http://h/a/"), facts("http://h/a/index.html", "http://h/")])
    assert found.connections == {("http://h/", "http://h/a/"): 1, ("http://h/a/", "http://h/"): 1}
    assert not_referred_to(found) == []


@pytest.mark.parametrize(
    ("uri", "depth", "expected"),
    [
        ("http://h/a/b/c.html", 9, "http://h/a/b/"),
        ("http://h/a/b/c.html", 1, "http://h/a/"),
        ("http://h/a/b/", 1, "http://h/a/"),
        ("http://h/a?b/c", 9, "http://h/"),
        ("http://h", 0, "http://h/"),
        ("http://h/a/", 0, "http://h/"),
        ("file:///a/b", 9, "file:///a/"),
        ("mailto:a@b", 9, "mailto:"),
        ("cid:part/1", 9, "cid:"),
        ("a.zip/b", 9, "a.zip/"),
    ],
)
def test_the_folder_of_a_uri(uri: str, depth: int, expected: str) -> None:
    assert folder(uri, depth) == expected
    assert folder(expected, depth) == expected


_segments = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)
_uris = st.builds("http://{}/{}".format, st.sampled_from(["h", "o"]), _segments)
_sites = st.lists(st.builds(lambda uri, targets: facts(uri, *targets), _uris, st.lists(_uris, max_size=6)), max_size=12)


@given(_sites, st.integers(4, 30), st.randoms())
def test_a_structure_is_bounded_and_does_not_depend_on_the_order(
    documents: list[Facts], most: int, order: random.Random
) -> None:
    found = structure(documents, most)
    shuffled = list(documents)
    order.shuffle(shuffled)
    again = structure(shuffled, most)
    assert (found.documents, found.connections) == (again.documents, again.connections)
    assert len(found.connections) <= most
    assert found.connections.total() == sum(each.references for each in documents)
    assert found.documents.total() == len(documents)


def test_hosts_without_end_are_bounded_too() -> None:
    documents = [facts("http://h/", *(f"http://h{number}.{more}/" for more in range(50))) for number in range(40)]
    found = structure(documents, 100)
    assert len(found.connections) <= 100
    assert found.connections.total() == 2000


# --- what is drawn


@given(_sites)
def test_everything_is_drawn_or_counted(documents: list[Facts]) -> None:
    drawing = drawing_of(structure(documents))
    within = sum(node.within for node in drawing.nodes)
    assert within + sum(drawn(drawing).values()) + drawing.references_left_out == sum(
        each.references for each in documents
    )
    assert sum(node.documents for node in drawing.nodes) == len(documents)
    assert all(node.documents for node in drawing.nodes[: drawing.inside])


def test_a_small_site_is_drawn_page_by_page() -> None:
    pages = [
        facts("http://h/s/index.html", "http://h/s/a.html", "http://h/s/a.html", "http://o/x", "http://h/s/img/i.png"),
        facts("http://h/s/a.html", "http://h/s/", "http://h/s/missing.html", "http://h/other/"),
    ]
    drawing = drawing_of(structure(pages))
    assert [node.name for node in drawing.nodes[: drawing.inside]] == ["a.html", "index.html"]
    assert drawn(drawing) == {
        ("index.html", "a.html"): 2,
        ("index.html", "o"): 1,
        ("index.html", "other files in img/"): 1,
        ("a.html", "index.html"): 1,
        ("a.html", "other files in ./"): 1,
        ("a.html", "other files on h"): 1,
    }


def test_an_index_file_has_one_name_everywhere() -> None:
    found = structure([facts("http://h/s/index.html", "http://h/s/a.html"), facts("http://h/s/a.html", "http://h/s/")])
    assert referred_to(found) == {"index.html": 1, "a.html": 1}
    assert referrers(found, ["http://h/s/a.html"])["http://h/s/a.html"].names == ("index.html",)
    assert not_referred_to(structure([facts("http://h/s/index.html"), facts("http://h/s/a.html")])) == [
        "a.html",
        "index.html",
    ]


def test_a_large_site_is_drawn_by_folder_and_its_busiest_pages() -> None:
    pages = [
        facts(f"http://h/{number % 9}/{number}.html", "http://h/0/0.html", f"http://o{number}/")
        for number in range(5000)
    ]
    drawing = drawing_of(structure(pages, 20_000))
    assert drawing.inside <= MOST_INSIDE
    assert len(drawing.nodes) - drawing.inside <= MOST_OUTSIDE
    assert len(drawing.connections) <= MOST_DRAWN
    names = {node.name: node.documents for node in drawing.nodes}
    assert names["0/0.html"] == 1
    assert names["1/"] > 500
    assert names["4,989 other places"] == 0


def test_folders_are_drawn_where_no_document_stands_out() -> None:
    pages = [
        facts(f"http://h/{number % 9}/{number}.html", f"http://h/{(number + 1) % 9}/{number + 1}.html")
        for number in range(5000)
    ]
    drawing = drawing_of(structure(pages, 20_000))
    assert [node.name for node in drawing.nodes[: drawing.inside]] == [f"{number}/" for number in range(9)]


def test_a_flat_folder_is_not_one_node() -> None:
    pages = [facts(f"http://h/{number}.html", f"http://h/{number % 3}.html") for number in range(300)]
    drawing = drawing_of(structure(pages))
    assert {"0.html", "1.html", "2.html"} <= {node.name for node in drawing.nodes}
    assert drawing.inside == MOST_INSIDE


def test_several_hosts_are_named() -> None:
    pages = [facts("http://h/a", "http://i/a"), facts("http://i/a", "http://h/a")]
    assert drawn(drawing_of(structure(pages))) == {("h/a", "i/a"): 1, ("i/a", "h/a"): 1}


def test_which_documents_others_refer_to() -> None:
    found = structure([facts("http://h/a", "http://h/b", "http://h/b", "http://h/a"), facts("http://h/b", "http://o/")])
    assert referred_to(found) == {"b": 2}
    assert not_referred_to(found) == ["a"]
    assert referrers(found, ["http://h/a", "http://h/b"]) == {
        "http://h/a": Referrers(0, 0, ()),
        "http://h/b": Referrers(1, 2, ("a",)),
    }


def test_the_picture_has_a_line_for_each_name() -> None:
    pages = [
        facts(f"http://h/{'long/' * (number % 4)}{number}.html", f"http://o{number}/") for number in range(MOST_INSIDE)
    ]
    drawing = drawing_of(structure(pages))
    picture = picture_of(drawing)
    assert len(picture.spots) == len(drawing.nodes)
    for inside in (True, False):
        lines = sorted(spot.y for spot in picture.spots if spot.inside == inside)
        assert all(after - before >= 20 for before, after in pairwise(lines))
        assert 0 < lines[0] <= lines[-1] < picture.height
    assert max(len(spot.name) for spot in picture.spots) <= 45
    assert sum(len(spot.curves) for spot in picture.spots) == len(drawing.connections)


def test_names_are_read_as_people_write_them() -> None:
    pages = [
        facts("http://h/%E3%83%9A%E3%83%BC%E3%82%B8.html", "http://h/a%20b%2F%C3.html"),
        facts("http://h/a%20b%2F%C3.html"),
    ]
    names = [spot.name for spot in picture_of(drawing_of(structure(pages))).spots]
    assert sorted(names) == ["a b%2F%C3.html", "ページ.html"]


def test_the_curves_of_few_references_are_thin() -> None:
    few = picture_of(drawing_of(structure([facts("http://h/a", "http://o/")])))
    many = picture_of(drawing_of(structure([facts("http://h/a", *["http://o/"] * 20)])))
    assert [spot.curves[0].width for spot in (few.spots[0], many.spots[0])] == [2.0, 6.0]


def test_a_picture_of_nothing() -> None:
    drawing = drawing_of(Structure())
    assert (drawing.nodes, drawing.connections, picture_of(drawing).spots) == ((), (), ())


# --- marked sources


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
    source, links, base = read(data)
    return LinksPage(InventoryLimits()).document("page.html", base, links, source=source)


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
