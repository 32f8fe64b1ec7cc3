"""The laws of reading XML with the `source` core, over generated markup; expat says what well-formed markup means."""

from __future__ import annotations

from urllib.parse import quote
from xml.parsers import expat

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from examples import examples
from rehref.markup._source.xml.reader import read_xml
from rehref.markup.parsed import HTML, Edit, XmlDocument, XmlWanted, qualified
from rehref.text.charsets import decode
from rehref.text.encoders import encode
from rehref.text.encoding import Source, sniff_xml

WANTED = XmlWanted(
    frozenset({"href", "src", "xlink:href", "{urn:a}ref"}),
    frozenset({("*", "loc"), ("urn:a", "link")}),
    frozenset({"xml-stylesheet"}),
)
ENCODINGS = ("utf-8", "windows-1252", "shift_jis", "gbk", "big5", "euc-jp", "utf-16le", "utf-16be", "iso-2022-jp")
ALPHABET = "ab/.#?&;= <>\"'`!-][\\é表ソ€漢ゼ\t\n\r\f\0\x85\N{ZERO WIDTH NO-BREAK SPACE}😀x1"

values = st.one_of(
    st.text(ALPHABET, max_size=8),
    st.sampled_from(
        ["&amp;", "&am", "p;", "&lt", "&#", "&#x", "&#38;", "&#0;", "&#13;", "&e;", "&f;", "&nbsp;", "]]>", "]]"]
    ),
)
names = st.sampled_from(
    ["href", "src", "l:href", "a:ref", "xml:base", "xmlns", "xmlns:a", "xmlns:l", "x", "é", "/", "="]
)
attributes = st.one_of(
    names,
    st.builds(lambda name, value: f"{name}={value}", names, values),
    st.builds(lambda name, value: f'{name}="{value}"', names, values),
    st.builds(lambda name, value: f"{name} =\n'{value}'", names, values),
    st.sampled_from(["xmlns='urn:a'", "xmlns:a='urn:a'", "xmlns:l='http://www.w3.org/1999/xlink'"]),
)
elements = st.sampled_from(["a", "loc", "link", "a:link", "b", "é", "base"])
tags = st.builds(
    lambda name, given_attributes, glue, end: f"<{name} {glue.join(given_attributes)}{end}",
    elements,
    st.lists(attributes, max_size=3),
    st.sampled_from([" ", "/", "", "\n"]),
    st.sampled_from([">", ">", ">", "/>", " >", ""]),
)
end_tags = st.builds(lambda name, end: f"</{name}{end}", elements, st.sampled_from([">", ">", " >", " x='>", ""]))
texts = st.builds(
    lambda inside: f"<loc>{''.join(inside)}</loc>",
    st.lists(
        st.one_of(
            values,
            values.map(lambda value: f"<![CDATA[{value}]]>"),
            values.map(lambda value: f"<!--{value}-->"),
            st.sampled_from(["<?x y?>", "</x>", "<", "]]>", "</", "</b", "< ", ">"]),
        ),
        max_size=4,
    ),
)
fragments = st.one_of(
    tags,
    texts,
    texts,
    end_tags,
    values,
    st.sampled_from(
        [
            *(
                "<",
                "</",
                "<!",
                "<?",
                "<!--",
                "-->",
                "<![CDATA[",
                "]]>",
                "<!x",
                "?>",
                "<a",
                "<a href",
                "<a href=",
                "<a href='",
            ),
            *(
                "<?xml-stylesheet href='a' x=\"b>\"?>",
                "<!DOCTYPE r [<!ENTITY e 'x&#38;'><!ENTITY f 'uvw'>]>",
                "<!DOCTYPE r [",
            ),
        ]
    ),
)
documents = st.lists(fragments, min_size=1, max_size=8).map("".join)
junk = st.sampled_from([b"\x81", b"\xff", b"\xe2\x82", b"\x80", b"\x81\x30", b"\x83\x5d", b"\x1b$B"])


def encoded(pieces: list[str | bytes], encoding: str) -> bytes:
    result = b""
    for piece in pieces:
        if isinstance(piece, bytes):
            result += piece
        else:
            result += b"".join(encode(char, encoding) or b"" for char in piece)
    return result


sources = st.one_of(
    documents.map(Source),
    st.builds(
        lambda pieces, encoding: Source(encoded(pieces, encoding), encoding),
        st.lists(st.one_of(fragments, fragments, junk), min_size=1, max_size=8),
        st.sampled_from(ENCODINGS),
    ),
    st.builds(
        lambda document, encoding: with_bom(document, encoding),
        documents,
        st.sampled_from(["utf-8", "utf-16le", "utf-16be"]),
    ),
)
many = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])


def with_bom(document: str, encoding: str) -> Source:
    data = ("\N{ZERO WIDTH NO-BREAK SPACE}" + document).encode(encoding)
    return Source(data, encoding, sniff_xml(data).bom)


def read(source: Source) -> XmlDocument:
    return read_xml(source, WANTED)


def shape(parsed: XmlDocument) -> list[tuple[object, ...]]:
    return [
        (*place[:3], scope, parent)
        for place, scope, parent in zip(parsed.places, parsed.scopes, parsed.parents, strict=True)
    ]


def percent_encoded(text: str, source: Source) -> str:
    """A text without what XML does not allow, or the encoding lacks and no reference is written for."""
    return "".join(
        quote(char)
        if char in "\0\f" or (source.encoding and "\x80" <= char <= "\x9f" and encode(char, source.encoding) is None)
        else char
        for char in text
    )


@many
@given(sources)
def test_identity(source: Source):
    parsed = read(source)
    assert parsed.apply([]) is source.data
    edits = [Edit(number, 0, len(place[3]), place[3]) for number, place in enumerate(parsed.places)]
    assert parsed.apply(edits) == source.data


@many
@given(sources)
def test_places_stand_in_order_and_every_character_has_its_span(source: Source):
    parsed = read(source)
    assert len(parsed.scopes) == len(parsed.parents) == len(parsed.places)
    last = 0
    for number, place in enumerate(parsed.places):
        value, start, end, tag = place[3:7]
        assert start is not None
        assert end is not None
        assert last <= start <= end
        assert tag < start
        last = end
        spans = [parsed.span(number, at, at + 1) for at in range(len(value))]
        assert all(first < behind for first, behind in spans)
        assert spans == sorted(spans)
        begin, behind = parsed.span(number, 0, len(value))
        if spans:
            assert begin <= spans[0][0]
            assert spans[-1][1] <= behind
        locations = [parsed.locate(number, at) for at in range(len(value) + 1)]
        assert locations == sorted(locations)
        if place[2] is not None:
            assert locations[0] == (parsed.positions[0][number], parsed.positions[1][number])
        scope = parsed.scopes[number]
        if scope != -1:
            assert parsed.places[scope][2] == "xml:base"
            assert parsed.places[scope][6] <= tag


@many
@example(Source("<r><loc><![CDATA[a]]>b<!--c--></loc></r>"), 0, [(1, 1, "]]>")])
@example(Source("<loc ></< >"), 0, [(0, 1, "a")])
@example(Source("<loc>a</<!---->b</x< c</y</loc>"), 0, [(2, 1, "d"), (1, 0, "e")])
@example(Source("<loc></<</< ", "utf-16le"), 0, [(0, 2, "")])
@given(
    sources,
    st.integers(0, 5),
    st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.text(ALPHABET + "]>&;", max_size=6)), max_size=3),
)
def test_locality_and_agreement(source: Source, number: int, wishes: list[tuple[int, int, str]]):
    """What is read again is what was written, and everything else is as it was."""
    parsed = read(source)
    if not parsed.places:
        return
    number %= len(parsed.places)
    _, _, attribute, value, start, end, _, _ = parsed.places[number]
    edits = []
    last = 0
    intended = ""
    for first, length, text in wishes:
        begin = min(last + first, len(value))
        behind = min(begin + length, len(value))
        edits.append(Edit(number, begin, behind, text))
        intended += value[last:begin] + text
        last = behind
    intended += value[last:]
    after = parsed.apply(edits)
    if parsed.direct:
        assert after[:start] == source.data[:start]
        assert after[len(after) - len(source.data[end:]) :] == source.data[end:]
    if attribute is None and intended == "":
        return  # then it is a place no more
    again = read(Source(after, source.encoding, source.bom))
    assert shape(again) == shape(parsed)
    got = [place[3] for place in again.places]
    kept = [place[3] for place in parsed.places]
    assert (got[:number], got[number + 1 :]) == (kept[:number], kept[number + 1 :])
    assert got[number] == intended or percent_encoded(got[number], source) == percent_encoded(intended, source)


@many
@example(Source("<a href src=1 ==>"), 0)
@example(Source("<a href src=1 =b src='2' = ='c'>"), 1)
@given(sources, st.integers(0, 5))
def test_removal(source: Source, number: int):
    parsed = read(source)
    attributes_ = [
        at for at, place in enumerate(parsed.places) if place[2] not in (None, "xml:base") and place[0][0] != "?"
    ]
    if not attributes_:
        return
    number = attributes_[number % len(attributes_)]
    again = read(Source(parsed.apply([Edit(number, 0, 0, None)]), source.encoding, source.bom))
    kept = [place[:4] for at, place in enumerate(parsed.places) if at != number]
    got = [place[:4] for place in again.places]
    assert got == kept


# well-formed documents


def quoted(value: str) -> str:
    return f"'{value}'" if '"' in value else f'"{value}"'


prefixes = {"": "urn:d", "a": "urn:a", "l": "http://www.w3.org/1999/xlink", "h": HTML}
good_values = st.lists(
    st.one_of(
        st.text("ab/?=>é😀漢 \t\n\r;#'", max_size=6),
        st.sampled_from(["&amp;", "&lt;", "&quot;", "&#13;", "&#x9;", "&#233;", "&e;", "&#10;"]),
    ),
    max_size=4,
).map("".join)
good_names = st.sampled_from(["", "a:", "l:", "h:"])
good_attributes = st.lists(
    st.tuples(
        st.sampled_from(["href", "src", "a:ref", "l:href", "xml:base", "h:href", "x", "a:x", "xml:id"]), good_values
    ),
    max_size=4,
    unique_by=lambda pair: pair[0].split(":")[-1],
)
declarations = st.lists(
    st.tuples(
        st.sampled_from(["xmlns", "xmlns:a", "xmlns:l"]),
        st.sampled_from(["urn:a", "urn:d", "http://www.w3.org/1999/xlink"]),
    ),
    max_size=2,
    unique_by=lambda pair: pair[0],
)
leaf_parts = st.lists(
    st.one_of(
        good_values,
        st.text("ab<>&;é]", max_size=5).map(lambda text: f"<![CDATA[{text.replace(']]>', '')}]]>"),
        st.sampled_from(["<!-- a <b> -->", "<?x <b>?>", "<!---->"]),
    ),
    max_size=3,
).map("".join)


@st.composite
def good_elements(draw: st.DrawFn, depth: int = 0) -> str:
    name = draw(good_names) + draw(st.sampled_from(["loc", "link", "e"]))
    start = name
    for attribute, value in draw(good_attributes) + draw(declarations):
        start += (
            draw(st.sampled_from([" ", "\n\t"]))
            + attribute
            + draw(st.sampled_from(["=", " = "]))
            + quoted(value.replace('"', ""))
        )
    if depth > 3 or draw(st.booleans()):
        content = draw(leaf_parts)
        if not content and draw(st.booleans()):
            return f"<{start}/>"
    else:
        children = draw(st.lists(good_elements(depth + 1), min_size=1, max_size=3))
        content = "".join(draw(leaf_parts) + child for child in children)
    return f"<{start}>{content}</{name}>"


PROLOG = "<!DOCTYPE r [<!-- ]> --><!ENTITY e 'uv w'>]><?xml-stylesheet href=\"s.xsl\"?><!-- <r> -->"
ROOT = "".join(f" xmlns{':' * bool(prefix)}{prefix}='{uri}'" for prefix, uri in prefixes.items())
good_documents = st.lists(good_elements(), max_size=3).map(
    lambda inside: f"<?xml version='1.0'?>\n{PROLOG}<r{ROOT}>{''.join(inside)}</r>\n<!-- end -->"
)


class Oracle:
    """What expat says of a document."""

    def __init__(self, document: str) -> None:
        self.places: list[tuple[str, str, str | None, str]] = []
        self.scopes: list[int] = []
        self.parents: list[tuple[str, str]] = []
        self._open: list[tuple[tuple[str, str], int, list[str] | None]] = [(("", ""), -1, None)]
        parser = expat.ParserCreate("utf-8", "}")
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._data
        parser.Parse(document.encode(), True)

    @staticmethod
    def _name(name: str) -> tuple[str, str]:
        uri, _, local = name.rpartition("}")
        return uri, local

    def _start(self, tag: str, found: list[str]) -> None:
        name = self._name(tag)
        parent, outer, _ = self._open.pop()
        self._open.append((parent, outer, None))
        base = outer
        mine = [(qualified(*self._name(key)), value) for key, value in zip(found[::2], found[1::2], strict=True)]
        mine = [(key, value) for key, value in mine if key in WANTED.attributes or key == "xml:base"]
        for at, (key, _) in enumerate(mine):
            if key == "xml:base":
                base = len(self.places) + at
        for key, value in mine:
            self._add(name, key, value, outer if key == "xml:base" else base, parent)
        wanted = name in WANTED.texts or ("*", name[1]) in WANTED.texts
        self._open.append((name, base, [] if wanted else None))

    def _end(self, _: str) -> None:
        name, base, text = self._open.pop()
        if text:
            self._add(name, None, "".join(text), base, self._open[-1][0])

    def _data(self, text: str) -> None:
        if (pieces := self._open[-1][2]) is not None:
            pieces.append(text)

    def _add(
        self, name: tuple[str, str], attribute: str | None, value: str, scope: int, parent: tuple[str, str]
    ) -> None:
        self.places.append((name[1], name[0], attribute, value))
        self.scopes.append(scope)
        self.parents.append(parent)


def valid(document: str) -> bool:
    try:
        expat.ParserCreate("utf-8", "}").Parse(document.encode(), True)
    except expat.ExpatError:
        return False
    return True


@many
@given(good_documents.filter(valid), st.sampled_from(["", "utf-8", "utf-16le"]))
def test_expat_agrees(document: str, encoding: str):
    parsed = read(Source(encode(document, encoding) or b"", encoding) if encoding else Source(document))
    oracle = Oracle(document)
    assert [place[:4] for place in parsed.places[1:]] == oracle.places
    assert parsed.places[0][:4] == ("?xml-stylesheet", "", "href", "s.xsl")
    assert list(parsed.parents[1:]) == oracle.parents
    assert [max(scope - 1, -1) for scope in parsed.scopes[1:]] == oracle.scopes
    assert parsed.root == ("urn:d", "r")
    assert parsed.diagnostics == []


@many
@given(good_documents.filter(valid), st.text("ab&<>\"']\r\n\té😀", max_size=8))
def test_what_was_well_formed_stays_so(document: str, text: str):
    parsed = read(Source(document))
    edits = [
        Edit(number, 0, len(place[3]), text + place[3][:1]) for number, place in enumerate(parsed.places) if number
    ]
    after = parsed.apply(edits)
    assert isinstance(after, str)
    assert [place[3] for place in Oracle(after).places] == [
        text + place[3][:1] for place in parsed.places[1:] if place[2] is not None or text + place[3][:1]
    ]


# growth

HOSTILE = {
    "nested": lambda size: "<a>" * size,
    "nested, with namespaces": lambda size: "<a xmlns:b='c'><loc>" * size,
    "nested, and closed": lambda size: "<a xml:base='b'>" * size + "</a>" * size,
    "less-than signs": lambda size: "<" * size,
    "less-than signs in text": lambda size: "<loc>" + "<" * size,
    "CDATA": lambda size: "<loc>" + "<![CDATA[" * size,
    "comments": lambda size: "<!--" * size,
    "instructions": lambda size: "<?a" * size,
    "declarations": lambda size: "<!a" * size,
    "document types": lambda size: "<!DOCTYPE a [" * size,
    "cut-off tags": lambda size: "<a b" * size,
    "double quotes": lambda size: '<a b="' * size,
    "single quotes": lambda size: "<a b='" * size + '"',
    "end tags": lambda size: "<a>" + "</b>" * size,
    "end tags, cut off": lambda size: "<a>" + "</a" * size,
    "wrong end tags": lambda size: "<a>" * size + "</b>" * size,
    "attributes": lambda size: "<a" + " href='1'" * size + "/>",
    "other attributes": lambda size: "<a" + " b='1'" * size,
    "prefixes": lambda size: "<a" + "".join(f" xmlns:a{at}='b'" for at in range(size)) + "/>",
    "prefixes, again and again": lambda size: "<a>" + "<b xmlns:c='d' c:href='e'/>" * size,
    "document types that name nothing": lambda size: "<!DOCTYPE [publicx" + " public" * size,
    "references to what is not known": lambda size: "<a href='" + "&b;" * size + "'/>",
    "references": lambda size: "<a href='" + "&amp" * size + "'/>",
    "a long number": lambda size: "<a href='&#" + "1" * size + ";'/>",
    "entities": lambda size: (
        "<!DOCTYPE a ["
        + "".join(f"<!ENTITY a{at} '{'x' * 900}'>" for at in range(size // 10))
        + "]><loc>"
        + "&a1;" * size
    ),
    "laughs": lambda size: (
        "<!DOCTYPE a [<!ENTITY a0 'ha'>"
        + "".join(f"<!ENTITY a{at} '{f'&a{at - 1};' * 9}'>" for at in range(1, size // 100))
        + f"]><loc>&a{size // 100 - 1};</loc>"
    ),
    "many elements": lambda size: "<a>" + "<b>c</b>" * size,
    "hyphens": lambda size: "<a><!--" + "-" * size,
    "sections": lambda size: "<loc>" + "<![CDATA[a]]>" * size + "</loc>",
    "references of one value": lambda size: "<loc>" + "&amp;é" * size + "</loc>",
    "brackets": lambda size: "<loc><![CDATA[" + "]" * size,
    "quotes in the subset": lambda size: "<!DOCTYPE a [" + "<!a '" * size,
}


@pytest.mark.parametrize("kind", HOSTILE)
@pytest.mark.slow
def test_hostile_input_takes_linear_time(kind: str):
    """A size at which anything quadratic would take minutes."""
    document = HOSTILE[kind](40_000)
    parsed = read(Source(document))
    assert parsed.apply([]) is document
    assert sum(len(place[3]) for place in parsed.places) < 4_000_000
    if parsed.places:
        value = parsed.places[0][3]
        spans = [parsed.span(0, at, at + 1) for at in range(min(len(value), 50_000))]
        assert spans == sorted(spans)
        edits = [Edit(0, at, at + 1, "<") for at in range(0, len(value), 2)]
        again = read(Source(parsed.apply(edits)))
        assert again.places[0][3][::2] == "<" * ((len(value) + 1) // 2)
        assert len(parsed.positions[0]) == len(parsed.places)
        assert decode(read(Source(document.encode(), "utf-8")).places[0][3].encode(), "utf-8") == parsed.places[0][3]
