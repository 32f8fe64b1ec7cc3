"""What the compiled twin makes of a document is what the reference makes of it: the same links, the same bytes."""

from __future__ import annotations

import time
from array import array
from functools import partial
from itertools import product
from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from native.generating import REFERENCES
from rehref._native import TWIN
from rehref.documents._formats import html_carriers as names
from rehref.documents._formats.html_carriers import html_carriers
from rehref.documents._table import twin_rows
from rehref.documents._table.complete_table import Table
from rehref.documents._table.twin_rows import TwinRows
from rehref.documents.base import Layers
from rehref.documents.link import LOCAL_KINDS, ReferenceRow
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup import twin
from rehref.markup._source.names_of_html import attribute_name, element_name
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, MATHML, SVG, Place, Wanted
from rehref.markup.twin_exchange import NO_PARTS, Counting, Plan
from rehref.rewriting.edits import rewrite_document
from rehref.text import large_bytes
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText
from rehref.uri.ordinary_references import LEVELS, Prefixes
from rehref.uri.resolver import PROFILES
from rehref.uri.syntaxes import OF_TWIN, Carrier, Occurrence, found_in

CORE = core()

pytestmark = pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")

URLS = (
    "http://h.example/a/b/c.html",
    "http://h.example/a/b/c.html?q#f",
    "https://h.example",
    "file:///srv/site/page.html",
    "http://h.example/a/../b/",
    "mailto:x@example.org",
    "http://h.example/a'b/",
    None,
)


MORE = ("http://a.example?x", "http://a.example#x", "http://a.example/a.b/.c")
references = st.sampled_from((*REFERENCES, *MORE)) | st.text(st.sampled_from("abz./?#&:%-_'()é 0=@\\~"), max_size=9)
places = st.sampled_from(
    [
        '<a href="{}">',
        "<a href='{}'>",
        "<a href={}>",
        '<img src="{}" alt="">',
        '<link rel=stylesheet href="{}">',
        '<form action="{}">',
        '<use href="{}"/>',
        '<svg><use href="{}"/></svg>',
        '<q cite="{}">',
        '<img srcset="{} 2x">',
        '<td background="{}">',
        '<iframe src="{}"></iframe>',
        '<meta http-equiv=refresh content="0; url={}">',
        "<p>é\n\r\n{}<p>",
        '<object data="{}" codebase="x/">',
        '<object codebase="{}" data="x/y" classid="?z" usemap="#m">',
        '<object codebase="//o.example/b/" archive="x /y" data="{}">',
        '<p style="background:url({})">',
        '<my-element style="background:url({})">',
    ]
)
bases = st.sampled_from(
    [
        "",
        "",
        "",
        '<base href="/d/">',
        '<base href="">',
        '<base href="http://other.example/e/f">',
        '<base href="#x">',
        "<body><base href=../>",
        '<template><base href="/no/"></template>',
        '<base href="data:,x">',
        "<base target=x>",
    ]
)

documents = st.builds(
    lambda base, found: base + "".join(place.format(reference) for place, reference in found),
    bases,
    st.lists(st.tuples(places, references), max_size=6),
)
RULES = (
    rehref.Absolute(),
    rehref.Absolute(same_document=True, base_element="drop"),
    rehref.Absolute(base_element="empty", metadata=True),
    rehref.Relative(),
)

PLAIN = (URLS[0], "rfc3986", RULES[2], "utf-8")


def made_of(
    source: bytes | str, url: str | None, profile: str, rule: object, encoding: str | None = None
) -> tuple[list[rehref.Link], bytes | str]:
    """The links of a source, and the source rewritten."""
    options = {"url": url, "profile": profile, "media_type": "text/html", "encoding": encoding}
    return rehref.links(source, **options), rehref.rewrite(source, rule, **options)  # type: ignore[arg-type]


@settings(max_examples=examples(500), deadline=None)
@given(
    documents,
    st.sampled_from(URLS),
    st.sampled_from(["rfc3986", "rfc3986", "rfc3986-compat", "rfc2396", "whatwg"]),
    st.sampled_from(RULES),
    st.sampled_from([None, "utf-8", "utf-8", "utf-8-sig", "windows-1252", "shift_jis", "utf-16"]),
)
@example('<a href="./?x">', URLS[0], "rfc3986", RULES[0], "utf-8")
@example('<a href="./?x">', URLS[0], "rfc3986", RULES[0], "utf-16")
@example('<script type="application/ld+json">' + '[{"url":' * 500 + '"a"' + "}]" * 500 + "</script>", *PLAIN)
@example('<script type="application/ld+json">' + '[{"url":' * 501 + '"a"' + "}]" * 501 + "</script>", *PLAIN)
@example('é<a href="#x">\r\n<a href="c.html#x">', URLS[0], "rfc3986", RULES[1], "utf-8")
@example('<base href="1" itemid=":">', None, "rfc3986", RULES[0], "utf-8")
def test_the_twin_makes_the_same_links_and_the_same_bytes(
    html: str, url: str | None, profile: str, rule: object, encoding: str | None
) -> None:
    source = html if encoding is None else html.encode(encoding, "replace")
    label = None if encoding in (None, "utf-8-sig", "utf-16") else encoding  # there is a byte order mark
    by_twin = made_of(source, url, profile, rule, label)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_bytes, "LARGE", 0)
        patch.setattr(twin_rows, "_PIECE", 7)
        patch.setattr(twin_rows, "BATCH", 2)
        patch.setattr(twin, "_MOST_KNOWN", 1)
        assert made_of(source, url, profile, rule, label) == by_twin, "in pieces"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert made_of(source, url, profile, rule, label) == by_twin


@pytest.mark.parametrize(("depth", "found"), [(500, ["a", "b"]), (501, ["b"]), (200_000, ["b"])])
def test_json_that_is_nested_too_deep_has_no_references(depth: int, found: list[str]) -> None:
    data = '[{"url":' * depth + '"a"' + "}]" * depth
    html = f'<script type="application/ld+json">{data}</script><a href=b>'
    links, rewritten = made_of(html, *PLAIN[:3])
    assert [link.reference for link in links] == found
    assert ('"http://h.example/a/b/a"' in rewritten) == (found[0] == "a")  # type: ignore[operator]


def test_links_of_the_twin_are_tuples_of_their_type() -> None:
    (link,) = rehref.links(b'<a href="x">', url="http://h.example/")
    assert type(link) is rehref.Link
    assert hash(link) == hash(rehref.Link(*link))
    assert link == rehref.Link(
        "x",
        "http://h.example/x",
        link.base,
        "a",
        "href",
        "hyperlink",
        1,
        10,
        (9, 10),
        False,
        (),
        page="http://h.example/",
    )


def test_a_type_of_tuples_that_memory_is_short_for_is_not_called_another_type() -> None:
    class Short(type):
        @property
        def _fields(cls) -> tuple[str, ...]:
            raise MemoryError

    class Shape(tuple[object, ...], metaclass=Short):
        pass

    assert TWIN is not None
    scan = TWIN.Scan(b"<a href=x>", Plan(TWIN, Wanted(frozenset({"href"}))).capsule, False)
    with pytest.raises(MemoryError):
        scan.places(Shape)


def test_what_the_twin_cannot_take_is_an_error_not_a_crash() -> None:
    assert TWIN is not None
    for arguments in ((), (b"x",), (b"x", None, False), ("x", object(), False)):
        with pytest.raises((TypeError, ValueError)):
            TWIN.Scan(*arguments)
    with pytest.raises(ValueError, match="elements"):
        TWIN.make_plan((), (), (), -1, -1, -1, -1, -1, -1, False, False)
    scan = TWIN.Scan(b"<a href=x>", Plan(TWIN, Wanted(frozenset({"href"}))).capsule, False)
    with pytest.raises(IndexError):
        scan.place(1, Place)
    for arguments in ((0,), (0, object), (0, None), ("x", Place)):
        with pytest.raises(TypeError):
            scan.place(*arguments)
    for argument in (None, object, list, time.struct_time):
        with pytest.raises(TypeError):
            scan.places(argument)


def table(page: bytes = b"<a href=x>", **other: object) -> Any:
    """The twin's table of a page."""
    scanned = twin.twin_scan(SourceText(Source(page, "utf-8")), html_carriers(ReadOptions()).wanted)
    assert scanned is not None
    return scanned.scan.table(how(**other), True)


def test_what_a_table_is_not_made_for_is_an_error_not_a_crash() -> None:
    made = table()
    assert len(made) == 1
    for arguments in ((), (None,), (object, None), (None, None), (ReferenceRow, (0,)), (ReferenceRow, ["x"])):
        with pytest.raises((TypeError, SystemError)):
            made.rows(*arguments)
    for numbers in ([1], [-1]):
        with pytest.raises((IndexError, OverflowError)):
            made.rows(ReferenceRow, numbers)
    for arguments in (
        (),
        (None, [None, None]),
        ([0], (None,)),
        ([], [None]),
        ([0], [b"x"]),
        ([0], [1]),
        ([0], []),
        ([2], [None]),
        ([-1], [None]),
        ((0,), [None]),
        (["x"], [None]),
    ):
        with pytest.raises((TypeError, ValueError, IndexError)):
            made.write(*arguments)
    for rows in (0, (0,), ["x"], [1], [-1]):
        with pytest.raises((TypeError, IndexError, OverflowError)):
            made.uses(rows)
    made.write([0], ["\ud800"])
    assert made.fit() == (1, [(0, ["\ud800"])])


def test_what_python_has_read_is_checked_and_taken_once() -> None:
    a = ("a", "href", "hyperlink", None, 0)
    use = array("I", (1, 0, 0, 1)).tobytes()
    for arguments in (
        (),
        ((), [], b""),
        ([None], [], b""),
        ([a[:4]], [], b""),
        ([("a", "href", 1, None, -1)], [], b""),
        ([a], [("x", 1, False)], b""),
        ([a], [("x", -1, False)], b""),
        ([a], [(b"x", 0, False)], b""),
        ([a], [], use),
        ([a], [("x", 0, False)], array("I", (1, 1, 0, 1)).tobytes()),
    ):
        with pytest.raises((TypeError, IndexError, OverflowError)):
            table(b"<a href=x><a href='&#x;'>").take(*arguments)
    made = table(b"<a href=x><a href='&#x;'><a href=z>")
    made.take([a], [("\ud800", 0, True)], use)
    assert [use[2] for use in made.uses(None)] == [0, 1, 2]
    assert [row.text for row in made.rows(ReferenceRow, None)] == ["x", "z", "\ud800"]
    with pytest.raises(RuntimeError, match="complete"):
        made.take([], [], b"")


def test_splices_of_a_table_are_checked() -> None:
    made = table()
    made.write([0], ["y/x"])
    assert made.fit() == (1, [])
    assert made.splices() == [(8, 8, b"y/")]
    assert made.spliced(0, 8) == b"<a href="
    assert made.spliced(8, 10) == b"y/x>"
    assert made.spliced(9, 9) == b""
    assert [made.cut(at) for at in (0, 8, 9)] == [0, 8, 9]
    for start, end in ((-1, 10), (0, -1), (0, 99), (9, 8)):
        with pytest.raises(ValueError, match="cut no change"):
            made.spliced(start, end)
    made.write([0], ["y"])
    assert made.fit() == (1, [])
    assert made.splices() == [(8, 9, b"y")]
    assert made.spliced(0, 10) == b"<a href=y>"
    assert made.spliced(9, 10) == b">"
    two = table(b"<a href=xyz>")
    two.write([0], ["a"])
    assert two.fit() == (1, [])
    for start, end in ((0, 9), (10, 12), (9, 10)):
        with pytest.raises(ValueError, match="cut no change"):
            two.spliced(start, end)


def how(before: Prefixes | None = None, **other: object) -> tuple[object, ...]:
    """How references are read, with what is asked for made otherwise."""
    scanned = twin.twin_scan(SourceText(Source(b"<link rel=x href=y>", "utf-8")), html_carriers(ReadOptions()).wanted)
    assert scanned is not None
    before = before or PREFIXES
    made = scanned.how(
        before, None, html_carriers(ReadOptions()), lambda number: 1, lambda syntax, value: [], base_is_own=True
    )
    return made._replace(**{"decided": {}, **other})


PREFIXES = Prefixes(("http://h/",), None, "http://h/?", "http://h", "http:")
COUNTING = Counting(0, utf8=True)
BEGIN = (0, 1, 1, 0, 0, 0, 0)
"""The first cursor."""


def shape(
    others: object = None,
    shared: object = (None,) * 4,
    known: object = None,
    of: Any = rehref.Link,
    base_in: object = None,
) -> Any:
    """What links are made of."""
    known, others = known or ({}, lambda text, base: (text,), None, True), {} if others is None else others
    return of, shared, ({}, base_in), others, known, lambda place, start, end: (9, start, (start, end)), ()


def of_base(base: object) -> bytes:
    """What is the text of a base."""
    return b""


def written(links: list[Any]) -> bytes:
    """What writes the links that the twin may not write."""
    return b"%d|" % len(links)


def with_odd(page: bytes, *places: int) -> Any:
    """The table of a page in which Python has read places, each with a link to y."""
    made = table(page)
    assert made.odd_places == list(places)
    uses = array("I", [number for place in places for number in (place, 0, 3, 4)])
    made.take([("a", "href", "hyperlink", None, 0)], [("y", 0, False)], uses.tobytes())
    return made


OF_ODD = {2: ("t", True, ("p",), None)}


def test_what_writes_the_links_of_odd_places_is_checked() -> None:
    made = with_odd(b"<a href=x><a href='&#x;'><a href=z>", 1)
    for wrong in (None, "", (b"", 0)):
        with pytest.raises(TypeError):
            made.json(b"", of_base, b"", lambda links, wrong=wrong: wrong, shape(OF_ODD), COUNTING, list)
    with pytest.raises(ZeroDivisionError):
        made.json(b"", of_base, b"", lambda links: 1 // 0, shape(OF_ODD), COUNTING, list)
    text, count = made.json(b"", of_base, b"|", written, shape(OF_ODD), COUNTING, list)
    assert text.split(b"|")[1] == b"1"
    assert count == 3


def test_what_is_said_of_odd_rows_is_checked() -> None:
    made = table(b"<a href=x><a href='x\\y'>")
    assert made.odd_rows == [1]
    for others in ({}, {1: None}, {1: ("x", False, ())}, {0: ("x", False, (), None)}):
        with pytest.raises((KeyError, TypeError)):
            made.links(shape(others), COUNTING, None, 9)
        with pytest.raises((KeyError, TypeError)):
            made.row_links(shape(others), COUNTING, [1])
    of_odd = shape({1: ("t", True, ("p",), None)})
    for cursor in (None, BEGIN):
        links, after = made.links(of_odd, COUNTING, cursor, 9)
        assert [(link.target, link.same_document, link.problems) for link in links][1] == ("t", True, ("p",))
        assert after is None
    assert [link[:6] for link in made.row_links(of_odd, COUNTING, [1, 0])] == [link[:6] for link in links[::-1]]
    for numbers in ([2], [-1], ["x"], (0,), None):
        with pytest.raises((IndexError, OverflowError, TypeError)):
            made.row_links(of_odd, COUNTING, numbers)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
@pytest.mark.parametrize(
    "url",
    ["http://h.example/a/b/c.html", "https://h.example/", "http://h.example/a/?q", f"http://h.example/{'d/' * 12}e#f"],
)
def test_what_precedes_references_to_a_plain_base_is_the_same(url: str, encoding: str, profile: Any) -> None:
    page = "".join(f"<a href='{text}'>" for text in (*REFERENCES, *MORE, "é?é", "../../../../../x"))
    data = page.encode(encoding, "xmlcharrefreplace")
    found: Any = read_document(data, None, encoding, Layers(retrieval=url), ReadOptions(profile=profile))
    before, own = found.resolver.for_twin()
    assert before == url.partition("#")[0]
    carriers, parts = found.format.carriers, found.resolvers.for_parts(found.format.parts)
    how = found.parsed.places.how(before, own, carriers, int, found_in, base_is_own=True, parts=parts)
    by_twin, by_python = (
        found.parsed.places.scan.table(each, True).rows(ReferenceRow, None)
        for each in (how, how._replace(before=found.resolver.prefixes))
    )
    assert by_twin == by_python
    with pytest.raises(ValueError, match="nothing is alike"):
        found.parsed.places.scan.table(how._replace(parts=NO_PARTS), True)


def test_python_says_where_a_link_is_that_it_has_read() -> None:
    made = with_odd(b"<a href=x><a href='&#x;'>", 1)
    links, _ = made.links(shape({1: ("t", True, (), None)}), COUNTING, None, 9)
    assert [(link.line, link.column, link.span) for link in links] == [(1, 9, (8, 9)), (9, 3, (3, 4))]
    for wrong in (None, lambda place, start, end: None, lambda place, start, end: (1, 2), lambda *_: 1 // 0):
        of = list(shape({1: ("t", True, (), None)}))
        of[5] = wrong
        with pytest.raises((TypeError, ZeroDivisionError)):
            made.links(tuple(of), COUNTING, None, 9)


def test_python_is_asked_once_for_the_problems_of_texts_with_the_same_faults() -> None:
    asked: list[str] = []

    def find(text: str, base: int) -> tuple[str, ...]:
        assert base == -1
        asked.append(text)
        return (text,)

    texts = ("x 1", "ü 2?q#f", "x 34", "x y", "xy z", "x y z", "x?y z", "x y\ufdd0", "x z\ufdd0")
    page = "".join(f"<a href='{text}'>" for text in texts).encode()
    made = table(page, before=PREFIXES._replace(iris=True, fine_iris=True))
    links = made.links(shape(known=({}, find, None, True)), COUNTING, None, 99)[0]
    assert asked == ["x 1", "xy z", "x y z", "x?y z", "x y\ufdd0", "x z\ufdd0"]
    assert [link.problems for link in links[:5]] == [("x 1",)] * 4 + [("xy z",)]
    asked.clear()
    made.links(shape(known=({}, find, None, False)), COUNTING, None, 99)
    assert len(asked) == 9
    for wrong in (None, lambda text, base: 1 // 0):
        with pytest.raises((TypeError, ZeroDivisionError)):
            made.links(shape(known=({}, wrong, None, True)), COUNTING, None, 99)


def test_what_python_finds_in_values_is_in_the_table() -> None:
    script = '<script type="application/ld+json">{"ü":1,"url":["a\\/b","ü","#c"],"@id":"d e"}</script>'
    page = f'<head profile="p q">{script}<meta http-equiv=refresh content="0;url=&#114;">'
    asked: list[str] = []

    def found(page: str, encoding: str = "utf-8") -> list[tuple[str, str]]:
        asked.clear()
        scanned = twin.twin_scan(
            SourceText(Source(page.encode(encoding), encoding)), html_carriers(ReadOptions()).wanted
        )
        assert scanned is not None
        carriers = html_carriers(ReadOptions())
        parsed = core().parse(Source(page.encode(encoding), encoding), carriers.wanted)
        base = Prefixes(("http://h/",), "http://h/", "http://h/", "http://h/", "http:", iris=True, fine_iris=True)
        how = scanned.how(base, "http://h/", carriers, partial(carriers.carried, parsed), find, base_is_own=True)
        made = scanned.table(how)
        assert made is not None
        return [(row.text, row.kind) for row in TwinRows(made).rows()]

    def find(syntax: int, value: str) -> list[Any]:
        asked.append(OF_TWIN[syntax])
        return found_in(syntax, value)

    of_script = [("a/b", "metadata"), ("ü", "metadata"), ("#c", "metadata"), ("d e", "metadata")]
    others = [("p", "metadata"), ("q", "metadata"), ("r", "hyperlink")]
    assert found(page) == others[:2] + of_script + others[2:]
    assert asked == ["json-ld", "refresh"]
    for odd in (page.replace("ü", "\r"), page.replace("d e", "\\ud800")):
        assert found(odd) == others
    below = page.replace("{", '{"@context":{"@base":"x"},', 1)
    assert found(below) == [*others[:2], ("x", "metadata"), *of_script, others[2]]
    assert found(below.replace('"x"', '"\\ud800"')) == others
    assert found(page, "windows-1252") == others


def test_what_is_found_in_a_value_is_checked() -> None:
    page, code = b"<script type=x>abc</script>", names.code_of(Carrier("json-ld", "metadata", ""), HTML, "script")
    plain = Occurrence(0, 1, "a", "")
    for wrong in ((), lambda syntax: [], lambda syntax, value: (), lambda syntax, value: 1 // 0):
        with pytest.raises((TypeError, ZeroDivisionError, SystemError)):
            table(page, ask=lambda number: code, find=wrong)
    for odd_one in (
        None,
        (),
        plain[:4],
        plain._replace(kind="x"),
        plain._replace(text="\ud800"),
        plain._replace(bases=("b", "\ud800")),
    ):
        assert table(page, ask=lambda number: code, find=lambda syntax, value, one=odd_one: [one]).odd_places == [1]
    for far in (Occurrence(2, 1, "a", ""), Occurrence(-5, -3, "a", "")):
        assert table(page, ask=lambda number: code, find=lambda syntax, value, one=far: [one]).odd_places == [1]
    beyond = table(page, ask=lambda number: code, find=lambda syntax, value: [plain, plain._replace(start=9, end=99)])
    assert len(beyond) == 2
    bases = (), ("b", "/c/"), (), ("/c/",), ("b", "/c/")
    below = [Occurrence(0, 0, "a", "", each) for each in bases]
    made = table(page, ask=lambda number: code, find=lambda syntax, value: below)
    assert [(row.base, row.uses) for row in made.rows(ReferenceRow, None)] == [
        (-1, 2),
        (("b", "/c/"), 2),
        (("/c/",), 1),
    ]
    with pytest.raises(TypeError):
        table(page, ask=lambda number: code, find=lambda syntax, value: [plain._replace(bases=(1,))])
    unsorted = [plain._replace(start=1, end=2), plain]
    assert table(page, ask=lambda number: code, find=lambda syntax, value: unsorted).odd_places == [1]


@pytest.mark.parametrize(
    ("page", "rows"),
    [
        ("<base href=/b/><a href=x><a href=#y>", 1),
        ("<a href=x><base target=t><base href=b/c><a href=''><p><base href=b/c><base href=d>", 1),
        ("<template><base href=/b/></template><base href=/b/><a href=x>", 1),
        ("<base href=/b&#x2f;&amp;><svg><base href=s /></svg><object codebase=/c data=d>", 1),
        ("<base href='/a b'><base href='mailto:x'><a href=x>", 1),
        ("<base href='mailto:x'><a href=x><base href='/b/'>", 1),
        ("<base href=''><a href=x>", 0),
        ("<body>text<base href=\u00e9/\u00e8><a href=x>", 1),
    ],
)
def test_the_first_base_has_a_row_and_what_python_says_of_its_place(page: str, rows: int) -> None:
    for how in (ReadOptions(), ReadOptions(profile="whatwg"), ReadOptions(ignore_embedded_base=True)):
        layers = Layers(retrieval="http://h/a/b.html")
        document = read_document(page.encode(), None, None, layers, how)
        found = document.table()
        assert found is not None
        assert sum(row.kind == "base" for row in found.rows()) >= rows
        by_place = [link for links in Table(document, None, document.format.carriers_of_base).links() for link in links]
        assert list(document.links()) == by_place
        for rule in (rehref.Absolute(), rehref.Absolute(base_element="drop"), rehref.Relative(), lambda link: "x y"):
            for valid in (False, True):
                written = rewrite_document(document, rule, percent_encode=valid)
                by_python = Table(document, None, document.format.carriers_of_base)
                with mock.patch.object(document, "table", return_value=by_python) as asked:
                    assert rewrite_document(document, rule, percent_encode=valid).data == written.data
                assert asked.called


def test_links_are_passed_on_in_pieces() -> None:
    made = with_odd(b"<a href='&#x;'><a href=x>" * 50_000 + b"<a href='&#x;'>", *range(0, 100_001, 2))
    of_odd = shape({1: ("t", True, (), None)})
    for odd_text in (b"odd\n", b"o" * 999 + b"\n", b""):
        pieces: list[bytearray] = []
        text, count = made.json(b"", of_base, b"\n", lambda links, text=odd_text: text, of_odd, COUNTING, pieces.append)
        assert count == 100_001
        assert len(pieces) > 1
        assert text
        assert all(1 << 20 <= len(piece) < (1 << 20) + 1000 for piece in pieces)
        assert all(piece.endswith(b"\n") for piece in pieces)
        lines = b"".join((*pieces, text)).splitlines()
        assert len(lines) == 50_000 + 50_001 * bool(odd_text)
        assert lines.count(odd_text.strip()) == 50_001 * bool(odd_text)

    def full(piece: bytearray) -> None:
        raise OSError("full")

    with pytest.raises(OSError, match="full"):
        made.json(b"", of_base, b"\n", lambda links: b"o", of_odd, COUNTING, full)


@pytest.mark.parametrize(
    "wrong",
    [
        {"folders": (b"x",)},
        {"folders": ["x"]},
        {"query": 1},
        {"root": 1},
        {"own": b"x"},
        {"scheme": 1},
        {"table": b"short"},
        {"kinds": ["x"]},
        {"decided": None},
        {"ask": None},
        {"ask": lambda number: "x"},
        {"ask": lambda number: 300},
        {"ask": lambda number: 2},
        {"ask": lambda number: -1},
        {"ask": lambda number: 1 / 0},
        {"folders": ("\ud800",)},
        {"named": None},
        {"named": lambda: 1},
        {"named": lambda: 1 / 0},
    ],
    ids=lambda told: "-".join(told),
)
def test_what_the_twin_is_reported_is_checked(wrong: dict[str, object]) -> None:
    page = b"<link rel=x href=y><a href=&eacute;>"
    scanned = twin.twin_scan(SourceText(Source(page, "utf-8")), html_carriers(ReadOptions()).wanted)
    assert scanned is not None
    for _ in range(2):
        with pytest.raises((TypeError, ValueError, ZeroDivisionError)):
            scanned.scan.table(how(**wrong), True)


def test_what_views_of_a_table_are_given_is_checked() -> None:
    made, of = table(), shape()
    for arguments in (
        (),
        (None, COUNTING, None, 9),
        (of[:5], COUNTING, None, 9),
        ((None, *of[1:]), COUNTING, None, 9),
        (shape(of=object), COUNTING, None, 9),
        (shape(shared=(None, None)), COUNTING, None, 9),
        (shape(others=0), COUNTING, None, 9),
        ((*of[:2], (0, None), *of[3:]), COUNTING, None, 9),
        ((*of[:2], None, *of[3:]), COUNTING, None, 9),
        (shape(known=(None, None, None, True)), COUNTING, None, 9),
        (of, None, None, 9),
        (of, (0, 1, True, 0), None, 9),
        (of, COUNTING, 0, 9),
    ):
        with pytest.raises(TypeError):
            made.links(*arguments)
    for texts in (
        (),
        ("", of_base, b"", written, of, COUNTING, list),
        (b"", of_base, None, written, of, COUNTING, list),
        (b"", None, b"", written, of, COUNTING, list),
        (b"", lambda base: "", b"", written, of, COUNTING, list),
    ):
        with pytest.raises(TypeError):
            made.json(*texts)
    for counting in (Counting(-1), Counting(99), Counting(0, b""), Counting(0, form=3), Counting(0, form=-1)):
        with pytest.raises(ValueError, match="first character"):
            made.json(b"", of_base, b"", written, of, counting, list)
        with pytest.raises(ValueError, match="first character"):
            made.links(of, counting, None, 9)
    with pytest.raises(ValueError, match="next link"):
        made.links(of, COUNTING, (*BEGIN[:6], -1), 9)
    assert made.links(of, COUNTING, (*BEGIN[:6], 9), 9) == ([], None)
    at_odds = (-1, 1, 1, 1, -1, -1, 0)  # where no cursor is
    assert len(made.links(of, Counting(0, form=2), at_odds, 9)[0]) == 1


def beyond_ascii(data: bytes) -> bool | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return not data.isascii()


def test_what_is_utf_8_the_twin_says_as_python_does() -> None:
    plan = twin.plan_for(Wanted())
    assert TWIN is not None
    assert plan is not None

    def utf8(data: bytes) -> bool | None:
        found: bool | None = TWIN.Scan(data, plan.capsule, False).utf8
        return found

    units = bytes.fromhex("417f808f909fa0bfc0c1c2dfe0e1ecedeeeff0f1f3f4f5ff")
    for count in range(4):
        for data in map(bytes, product(units, repeat=count)):
            assert utf8(b"ordinary" * (5 * count % 7) + data) is beyond_ascii(data), data
            assert utf8(b"\xf4" + data) is beyond_ascii(b"\xf4" + data), data


def test_a_scan_of_a_part_of_bytes_is_that_of_the_part() -> None:
    plan = twin.plan_for(Wanted(frozenset({"href", "src"})))
    assert TWIN is not None
    assert plan is not None
    page = '<a href="é.html"><img src=x>'.encode()
    scan = TWIN.Scan(b"<b>" + page + b"\xff<a href=z>", plan.capsule, False, 3, 3 + len(page))
    alone = TWIN.Scan(page, plan.capsule, False)
    assert scan.places(Place) == alone.places(Place)
    assert len(scan) == 2
    assert scan.utf8 is alone.utf8 is True
    for start, end in ((-1, 2), (3, 2), (0, 99), (99, -1)):
        with pytest.raises(ValueError, match="part of the bytes"):
            TWIN.Scan(page, plan.capsule, False, start, end)


def test_the_last_element_of_a_plan_has_no_name_and_does_nothing() -> None:
    texts = ("a", "a", "a")
    for name, action in ((b"a", 0), (b"", TWIN.ACTION_HTML)):  # type: ignore[union-attr]
        elements = ((name, action, 0, 0, 0, b"", b"", *texts),)
        with pytest.raises(ValueError, match="last element"):
            TWIN.make_plan(elements, (), texts, -1, -1, -1, -1, -1, -1, False, False)  # type: ignore[union-attr]


def test_a_name_that_is_very_long_and_very_many_names_are_for_the_reference() -> None:
    for wanted in (["data-" + "b" * 70_000], [f"data-{number}" for number in range(2_000)]):
        page = f"<a href=x {wanted[-1]}=y>".encode()
        links = rehref.links(page, url="http://h.example/", attributes=wanted)
        assert [link.reference for link in links] == ["x", "y"]


@pytest.mark.parametrize("length", [1, 8, 9, 62, 63, 64, 65, 127, 128, 1000])
def test_names_of_any_length_are_found(length: int) -> None:
    name = "q" * length
    for other, found in ((name, ["a"]), (name.upper(), ["a"]), (name + "q", []), ("q" * (length - 1) + "r", [])):
        links = rehref.links(f"<p {other}=a>", attributes=(f"*@{name}",))
        assert [link.reference for link in links] == found


def test_what_other_attributes_decide_is_asked_once_for_each_wording() -> None:
    asked = []
    pages = [b"<link rel=a href=x><link rel=a href=y>", b"<link rel=b href=x><link rel=&#97; href=z>" * 2]
    told = how(ask=lambda number: asked.append(number) or 1)
    for page in pages:
        scanned = twin.twin_scan(SourceText(Source(page, "utf-8")), html_carriers(ReadOptions()).wanted)
        assert scanned is not None
        scanned.scan.table(told, True)
    # of the second page: `rel=b` once, what is written with a reference each time
    assert asked == [1, 1, 3, 7]


def asked_for(page: str, **options: Any) -> int:
    """How often it is asked what a place carries, while a page is linked and rewritten."""
    carriers, count = html_carriers(ReadOptions(**options)), 0

    def ask(number: int) -> int:
        nonlocal count
        count += 1
        return carriers.carried(parsed, number)

    parsed = CORE.parse(Source(page.encode(), "utf-8"), carriers.wanted)
    places = parsed.places
    assert isinstance(places, twin.TwinScan)
    told = how(ask=ask, table=places.plan.table(carriers), decided={})
    places.scan.table(told, True)
    return count


@pytest.mark.parametrize(
    ("element", "asked"),
    [
        ("<script src=a{} type=module>b</script>", 1),
        ("<script src=a{0} type=b{0}>c</script>", 1000),
        ("<script src=a{} type=module data-x=c>c</script>", 1),
        ("<link rel=icon href=a{0} hreflang=b{0} title=c{0} id=d{0} ping=e>", 1),
        ("<link href=a{} rel=icon class=b>", 1),
        ("<link href=a rel=b{}>", 1000),
        ("<meta name=a content=b{0} itemtype=c{0}>", 1),
        ("<meta name=a{} content=b>", 1000),
        ("<meta itemprop=a{} content=b>", 1000),
        ("<input type=image src=a{0} name=b{0} formaction=c{0} value=d{0}>", 1),
        ("<param valuetype=ref name=a value=b{}>", 1),
    ],
)
def test_python_is_asked_once_for_each_wording_of_what_decides(element: str, asked: int) -> None:
    page = "".join(element.format(number) for number in range(1000))
    assert asked_for(page) == asked


def test_what_decides_may_carry_something_itself() -> None:
    page = "".join(f"<meta name={name} content=x>" for name in ("a", "og:image", "b", "og:url"))
    assert asked_for(page, attributes=("meta@name",)) == 4
    links = [
        [link.reference for link in rehref.links(page, attributes=("meta@name",), parser=parser)]
        for parser in ("source", "html5lib")
    ]
    assert links == [["a", "og:image", "x", "b", "og:url", "x"]] * 2


@settings(max_examples=examples(300), deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [b"a{b:url(", b")}", b"x", b"0", b'"', b"'", b"\\", b"/*", b"*/", b" ", b"@import ", b"&amp;", b"(", b";"]
        )
        | st.binary(min_size=1, max_size=4).map(lambda data: bytes(byte | 0x80 for byte in data)),
        max_size=12,
    ).map(b"".join),
    st.sampled_from([b"<style>%s</style>", b'<p style="%s">', b'<a href="%s">']),
    st.sampled_from(["gbk", "gb18030", "big5", "euc-jp", "shift_jis", "euc-kr"]),
)
@example(b'a{font:"\xce\xa2\xc8\xed";b:url(x)}', b"<style>%s</style>", "gbk")
@example(b"a{b:url(\x815\xf47x)}", b"<style>%s</style>", "gb18030")
@example(b"a{b:url(x\x81)} c{d:url(y)}", b"<style>%s</style>", "shift_jis")
def test_what_may_be_half_of_a_character_is_read_alike(value: bytes, place: bytes, encoding: str) -> None:
    source = place % value + b"<a href=z>"
    by_twin = made_of(source, URLS[0], "rfc3986", RULES[0], encoding)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert made_of(source, URLS[0], "rfc3986", RULES[0], encoding) == by_twin


@given(
    st.lists(
        st.tuples(st.sampled_from(["a{b:url(%s)}", "@import '%s';", 'c{d:url("%s")}\n', "/*%s*/", "%s"]), references),
        max_size=5,
    ),
    st.sampled_from(URLS),
    st.sampled_from(["utf-8", "windows-1252", "shift_jis", None]),
    st.sampled_from([b"", b"\xef\xbb\xbf", b"\r\n", b"\0", b'@charset "euc-kr";']),
)
def test_style_sheets_are_read_alike(
    rules: list[tuple[str, str]], url: str | None, encoding: str | None, head: bytes
) -> None:
    text = "".join(rule % reference for rule, reference in rules)
    data: Any = text if encoding is None else head + text.encode(encoding, "replace")

    def made() -> tuple[object, ...]:
        options: Any = {"url": url, "media_type": "text/css", "encoding": None if encoding == "utf-8" else encoding}
        if encoding is None:
            options.pop("encoding")
        return rehref.links(data, **options), rehref.rewrite(data, **options)

    with_twin = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert with_twin == made()


def test_the_numbers_mean_the_same_to_both() -> None:
    told = (TWIN.CARRIES_ODD, TWIN.CARRIES_NOTHING, TWIN.CARRIES_ASK, TWIN.CARRIES_DECIDES)
    assert told == (names.ODD, names.NOTHING, names.ASK, names.DECIDES)
    assert (TWIN.CARRIES_DOCUMENT, TWIN.CARRIES) == (names.DOCUMENT, names._CARRIES)
    assert TWIN is not None
    assert [getattr(TWIN, f"SYNTAX_{name.upper().replace('-', '_')}") for name in OF_TWIN] == list(range(len(OF_TWIN)))
    assert len(OF_TWIN) == TWIN.SYNTAXES
    assert LOCAL_KINDS.intersection(names.KINDS) == set(names.KINDS[: TWIN.LOCAL_KINDS])
    assert names.KINDS[0] == "fragment"
    assert TWIN.MOST_FOLDERS >= LEVELS


@pytest.mark.parametrize(
    "attributes", [(), ("*@data-x=css", "a@href=css", "img@data-y=srcset", "*@src", "object@style")]
)
def test_the_table_of_a_plan_has_what_is_carried_by_all_that_is_wanted(attributes: tuple[str, ...]) -> None:
    carriers = html_carriers(ReadOptions(attributes=attributes))
    plan = Plan(TWIN, carriers.wanted)
    table = iter(plan.table(carriers))
    for namespace, element in product((HTML, SVG, MATHML), plan.elements):
        called, row = element_name(namespace, element), dict(zip((*plan.attributes, None), table, strict=False))
        wanted = carriers.wanted.anywhere | carriers.wanted.on.get(called.lower(), frozenset())
        for name in wanted | ({None} if element in carriers.wanted.texts else set()):
            written = None if name is None else attribute_name(namespace, name)
            assert row[name] == carriers.carries(namespace, called, written), (namespace, element, name)
    assert next(table, None) is None


def test_a_rooted_path_may_lead_to_the_document_itself() -> None:
    for name in ("/x", "x", "./x", "?", "//h.example/x", "https://h.example/x#y"):
        (link,) = rehref.links(f'<a href="{name}">'.encode(), url="https://h.example/x")
        assert link.same_document == (name != "?"), name


INNER = '<a href="p" rel="me">x</a><img srcset="a, b"><x-y style=url(c)><use href=n>'


@pytest.mark.parametrize(
    ("page", "odd"),
    [
        (f"<iframe srcdoc='{INNER}'></iframe>", []),
        ('<iframe srcdoc="{}"></iframe>'.format(INNER.replace('"', "&quot;").replace("<", "&lt;")), []),
        ("<iframe srcdoc='<a href=\"x?a&amp;amp;b&amp;#x3a;#y\">'></iframe>" * 2, []),
        ("<iframe srcdoc='<base href=x><a href=y>'></iframe>", [0]),
        ("<iframe srcdoc='<a href=y><link rel=icon href=i>'></iframe>", [0]),  # Python is asked about `rel`
        ("<iframe srcdoc='<iframe srcdoc=y>'></iframe>", [0]),
        ("<iframe srcdoc=<a/href=y>></iframe>", [0]),
        ("<iframe srcdoc='<p><frameset>'></iframe>", [0]),
        ("<iframe srcdoc='<!--[if IE]><a href=n><![endif]--><a href=y>'></iframe>", []),
        ("<base href=/b/><iframe srcdoc='<a href=y>'></iframe>", []),
        ("<iframe srcdoc='<a href=y>'></iframe><base href=/b/><iframe srcdoc='<a href=y>'></iframe>", [0]),
        ("<base href=/b/><iframe srcdoc='<a href=#y><a href=><svg><use href=#z>'></iframe>", [1]),
        ("<iframe srcdoc='<a href=#y><form action=><svg><use href=#z>'></iframe>", []),
        (
            "<iframe srcdoc='<a href=?é>'></iframe><meta charset=windows-1252><iframe srcdoc='<a href=?e>'></iframe>",
            [0],
        ),
    ],
)
def test_the_references_of_a_document_inside_a_place_are_those_of_the_document(page: str, odd: list[int]) -> None:
    data = page.encode("latin-1")

    def made() -> tuple[object, ...]:
        rewritten = (rehref.rewrite(data, rule, url=URLS[0]) for rule in (rehref.Absolute("keep"), rehref.Relative()))
        return rehref.links(data, url=URLS[0], conditional_comments=True), *rewritten

    document = read_document(data, None, None, Layers(retrieval=URLS[0]), ReadOptions())
    found = document.table()
    assert found is not None
    assert found._twin.odd == odd
    with_twin = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(twin, "TWIN", None)
        assert with_twin == made()
