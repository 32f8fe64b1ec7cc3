"""The laws of the `source` core, over generated hostile markup, as str and as bytes in many encodings."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from examples import examples
from rehref.markup.cores import core
from rehref.markup.html_encoding import sniff_html
from rehref.markup.parsed import HTML, Edit, Wanted
from rehref.text.charsets import decode
from rehref.text.encoders import encode
from rehref.text.encoding import Source

CORE = core()

WANTED = Wanted(
    frozenset({"style"}),
    {
        "a": frozenset({"href", "ping"}),
        "base": frozenset({"href"}),
        "body": frozenset({"background"}),
        "img": frozenset({"src"}),
        "use": frozenset({"href", "xlink:href"}),
        "math": frozenset({"definitionurl"}),
    },
    frozenset({"style", "script"}),
)

BYTE_ENCODINGS = ("utf-8", "windows-1252", "shift_jis", "gbk", "gb18030", "euc-kr", "euc-jp", "big5", "x-user-defined")
WIDE_ENCODINGS = ("utf-16le", "utf-16be", "iso-2022-jp")

# characters that mean something, and some whose bytes look as if they did (ソ, 表, 能 end in "\" in Shift_JIS)
ALPHABET = "ab/.#?&;= <>\"'`!-]\\é表ソ€漢\t\n\r\f\0\x85\N{ZERO WIDTH NO-BREAK SPACE}😀[x1"

values = st.one_of(
    st.text(ALPHABET, max_size=8),
    st.sampled_from(
        ["&amp;", "&am", "p;", "&copy", "&copy=1", "&notit;", "&NotEqualTilde;", "&#", "&#x", "&#38;", "&#0;", "&#13;"]
    ),
)
names = st.sampled_from(["href", "HREF", "style", "src", "ping", "xlink:href", "background", "x", "/", "=", '"', "a\0"])
attributes = st.one_of(
    names,
    names.map(lambda name: f"{name}="),
    names.map(lambda name: f"{name} = "),
    st.builds(lambda name, value: f"{name}={value}", names, values),
    st.builds(lambda name, value: f'{name}="{value}"', names, values),
    st.builds(lambda name, value: f"{name} =\n'{value}'", names, values),
)
ELEMENTS = (
    "a A base body html head img image use p div table td select form template svg math mi desc foreignObject "
    "annotation-xml style script title textarea xmp iframe noscript plaintext frameset font path g"
)
elements = st.sampled_from(ELEMENTS.split())
tags = st.builds(
    lambda name, given_attributes, glue, end: f"<{name} {glue.join(given_attributes)}{end}",
    elements,
    st.lists(attributes, max_size=3),
    st.sampled_from([" ", "/", "", "\n"]),
    st.sampled_from([">", ">", ">", "/>", " >", ""]),
)
likely = st.builds(
    lambda start, attribute, more, end: f"<{start}{attribute}{more}{end}",
    st.sampled_from(
        ["a ", "a href=", "a href", "a id=x/", "img\t", "svg ", "use/", "math ", "p ", "desc ", "html ", "body "]
    ),
    attributes,
    st.sampled_from(["", " href='x'", " style='y'", "style=z", " style"]),
    st.sampled_from([">", ">", "/>", " >"]),
)
end_tags = st.builds(lambda name, end: f"</{name}{end}", elements, st.sampled_from([">", ">", " >", " x='>'>", ""]))
fragments = st.one_of(
    tags,
    likely,
    likely,
    end_tags,
    values,
    st.sampled_from(
        [
            *("<", "</", "<!", "<?", "<!--", "-->", "--!>", "<!-->", "<!--->", "<!doctype html>", "<![CDATA[", "]]>"),
            *(
                "</ a>",
                "</é>",
                "<a",
                "<a href",
                "<a href=",
                "<a href='",
                "<script><!--<script>",
                "</script>",
                "</style>",
            ),
            *("<svg><style>a{}</style>", "<svg><style><![CDATA[a]]></style>", "<style>@import 'x';</style>"),
            *("<script><!--</script>", "<math><mi><a href=x></mi>", "<template><base href=t>", "</template>"),
            *("<svg>", "<svg><g>", "</svg>", "<svg><desc>", "<math>", "<style>a&b<c", "<script>x", "<a href='"),
        ]
    ),
)
documents = st.lists(fragments, min_size=1, max_size=10).map("".join)
junk = st.sampled_from(
    [b"\x81", b"\xff", b"\xe2\x82", b"\x80", b"\x81\x30", b"\x810\x81", b"\x8f\xa1", b"\x88\x62", b"\x1b$B", b"\x1b(J"]
)


def encoded(pieces: list[str | bytes], encoding: str) -> bytes:
    """Pieces of a document in an encoding, without the characters that it does not have."""
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
        st.lists(st.one_of(fragments, fragments, junk), min_size=1, max_size=10),
        st.sampled_from(BYTE_ENCODINGS + WIDE_ENCODINGS),
    ),
    st.builds(
        lambda document, encoding: with_bom(document, encoding),
        documents,
        st.sampled_from(["utf-8", "utf-16le", "utf-16be"]),
    ),
)


def with_bom(document: str, encoding: str) -> Source:
    data = ("\N{ZERO WIDTH NO-BREAK SPACE}" + document).encode(encoding)
    return Source(data, encoding, sniff_html(data).bom)


def parse(source: Source) -> Any:
    return CORE.parse(source, WANTED)


def again(source: Source, data: bytes | str) -> Any:
    """A changed document, read as the source was."""
    return parse(Source(data, source.encoding, source.bom))


def shape(parsed: Any) -> list[tuple[object, ...]]:
    return [
        (element, namespace, attribute, flags) for element, namespace, attribute, _, _, _, _, flags in parsed.places
    ]


def meant(text: str) -> str:
    """Text in which what had to be percent-encoded is itself, and what cannot be said is replaced."""
    return re.sub("[\ud800-\udfff]", "\ufffd", unquote(text))


laws = settings(max_examples=examples(1000), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@laws
@given(sources)
@example(Source("<a href=x"))
@example(Source(b"<a href='\x81'>", "shift_jis"))
def test_identity(source: Source) -> None:
    parsed = parse(source)
    assert parsed.apply([]) is source.data
    same = [
        Edit(number, start, end, place[3][start:end])
        for number, place in enumerate(parsed.places)
        for start, end in [(0, 0), (0, len(place[3]) // 2), (len(place[3]) // 2, len(place[3]))]
    ]
    assert parsed.apply(same) is source.data


@laws
@given(sources)
def test_where_a_value_stands_is_what_it_says(source: Source) -> None:
    parsed = parse(source)
    for number, (_, _, attribute, value, *_) in enumerate(parsed.places):
        start, end = parsed.span(number, 0, len(value))
        raw = source.data[start:end]
        text = raw if isinstance(raw, str) else decode(raw + b"\n", source.encoding or "")[:-1]
        if attribute is not None and "&" not in text:
            assert text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd") == value
        offsets = [parsed.span(number, at, at)[0] for at in range(len(value) + 1)]
        assert offsets == sorted(offsets)


def lines_and_columns(text: str) -> list[tuple[int, int]]:
    """Line and column of every character, and of the end."""
    positions = []
    line, column = 1, 1
    for index, char in enumerate(text):
        positions.append((line, column))
        if char == "\n" or (char == "\r" and text[index + 1 : index + 2] != "\n"):
            line, column = line + 1, 1
        elif index or char != "\N{ZERO WIDTH NO-BREAK SPACE}":
            column += 1
    return [*positions, (line, column)]


@laws
@given(documents)
def test_lines_and_columns_of_a_str(document: str) -> None:
    parsed = parse(Source(document))
    positions = lines_and_columns(document)
    for number in reversed(range(len(parsed.places))):  # in any order
        _, _, _, _, start, end, tag, _ = parsed.places[number]
        assert start is not None
        assert end is not None
        if not parsed.direct:
            tag, start, end = map(parsed.recoded.at, (tag, start, end))
        assert parsed.locate(number, None) == positions[tag]
        assert parsed.locate(number, 0) == positions[start]
        assert parsed.locate(number, len(parsed.places[number][3])) == positions[end]


@laws
@given(st.lists(st.one_of(fragments, fragments, junk), max_size=8), st.sampled_from(BYTE_ENCODINGS))
def test_lines_and_columns_of_bytes_are_those_of_the_text(pieces: list[str | bytes], encoding: str) -> None:
    data = encoded(pieces, encoding)
    parsed = parse(Source(data, encoding))
    # a unit that is not ASCII cannot end in what ends a stretch of text here: "<", a quote, "=", ">" or white space
    for number, (_, _, _, _, start, _, tag, _) in enumerate(parsed.places):
        for at, offset in ((None, tag), (0, start)):
            before = decode(data[:offset] + b"<", encoding)[:-1]
            line = max(before.rfind("\n"), before.rfind("\r")) + 1
            lines = len(re.findall("\r\n|\r|\n", before))
            assert parsed.locate(number, at) == (lines + 1, len(before) - line + 1)


@laws
@given(st.data(), sources)
def test_agreement_and_locality(data: st.DataObject, source: Source) -> None:
    parsed = parse(source)
    if not parsed.places:
        return
    chosen = data.draw(st.sets(st.integers(0, len(parsed.places) - 1), min_size=1, max_size=3))
    edits = []
    intended = {}
    for number in sorted(chosen):
        value = parsed.places[number][3]
        cuts = sorted(data.draw(st.lists(st.integers(0, len(value)), min_size=2, max_size=4)))
        new = [data.draw(values) for _ in range(len(cuts) // 2)]
        mine = [Edit(number, cuts[2 * index], cuts[2 * index + 1], text) for index, text in enumerate(new)]
        edits += mine
        intended[number] = composed(value, mine)
    for number in intended:  # foreign text that is blank is no place
        _, namespace, attribute, *_ = parsed.places[number]
        assume(attribute is not None or namespace == HTML or intended[number].strip("\t\n\f\r "))
    result = parsed.apply(edits)
    assert type(result) is type(source.data)
    check(source, parsed, intended, result)


def composed(value: str, edits: list[Edit]) -> str:
    pieces = []
    last = 0
    for _, start, end, text in edits:
        pieces += [value[last:start], text or ""]
        last = end
    return "".join(pieces) + value[last:]


def check(source: Source, parsed: Any, intended: dict[int, str], result: bytes | str) -> None:
    """Whether a changed source reads as it should, and has changed where it should, and there only."""
    reread = again(source, result)
    assert shape(reread) == shape(parsed)
    old_end: int = 0
    new_end: int = 0
    for number, (old, new) in enumerate(zip(parsed.places, reread.places, strict=True)):
        if number not in intended:
            assert new[3] == old[3]
            continue
        if old[2] is not None:
            assert meant(new[3]) == meant(intended[number])
        else:  # text that nothing can be done about stays as it was
            assert meant(new[3]).replace("\r", "\n") == meant(intended[number]).replace("\r", "\n") or new[3] == old[3]
        (old_start, old_stop), (new_start, new_stop) = (
            each.span(number, 0, len(place[3])) for each, place in ((parsed, old), (reread, new))
        )
        before, now = source.data[old_end:old_start], result[new_end:new_start]
        assert re.fullmatch(f"[\"']?{re.escape(text_of(source, before))}=?[\"']?", text_of(source, now))
        old_end, new_end = old_stop, new_stop
    after, now = source.data[old_end:], result[new_end:]
    assert re.fullmatch(f"[\"']?{re.escape(text_of(source, after))}", text_of(source, now))


def text_of(source: Source, data: bytes | str) -> str:
    """A stretch of a source as a text to compare: bytes as one character each, UTF-16 read, no shift states."""
    if isinstance(data, str):
        return data
    if source.encoding in ("utf-16le", "utf-16be"):
        return decode(data, source.encoding)
    return re.sub(rb"\x1b(?:\([BIJ]|\$[@B])", b"", data).decode("latin-1")


@laws
@given(sources, st.integers(0, 5))
def test_a_removed_attribute_is_gone_and_nothing_else(source: Source, number: int) -> None:
    parsed = parse(source)
    if number >= len(parsed.places) or parsed.places[number][2] is None:
        return
    if parsed.places[number][0] in ("html", "body"):  # what a later tag has may come to count
        return
    reread = again(source, parsed.apply([Edit(number, 0, 0, None)]))
    expected = [(*place[:4], place[7]) for index, place in enumerate(parsed.places) if index != number]
    assert [(*place[:4], place[7]) for place in reread.places] == expected


@laws
@given(st.binary(max_size=40), st.sampled_from(BYTE_ENCODINGS + WIDE_ENCODINGS))
def test_bytes_of_any_kind_do_no_harm(data: bytes, encoding: str) -> None:
    source = Source(b"<a href='" + data + b"'><a href=" + data, encoding)
    parsed = parse(source)
    edits = [Edit(number, 0, len(place[3]), "x") for number, place in enumerate(parsed.places)]
    assert shape(again(source, parsed.apply(edits))) == shape(parsed)


@pytest.mark.parametrize("length", range(1, 40))
def test_the_end_may_come_anywhere(length: int) -> None:
    document = "<!doctype html><a href='x&amp;y'>t<svg><style><![CDATA[u]]></style></svg><style>a</style><!-- c --></a>"
    for cut in (document[:length], document[: length + 40], document[length:]):
        parsed = parse(Source(cut))
        result = parsed.apply([Edit(number, 0, 0, "z") for number in range(len(parsed.places))])
        assert isinstance(result, str)
        assert result.count("z") == len(parsed.places)
