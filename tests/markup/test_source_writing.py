"""The `source` core writes: rules of `writing`, and of `units` on writing in the source's encoding."""

from __future__ import annotations

import pytest

from rehref.markup.cores import core
from rehref.markup.parsed import Edit, Wanted
from rehref.text.charsets import decode
from rehref.text.encoders import encode
from rehref.text.encoding import Source

CORE = core()

WANTED = Wanted(
    frozenset({"style", "srcset"}),
    {"a": frozenset({"href", "ping"}), "base": frozenset({"href", "target"}), "use": frozenset({"href"})},
    frozenset({"style", "script"}),
)


def rewritten(data: bytes | str, *edits: tuple[int, int, int | None, str | None], encoding: str | None = None):  # type: ignore[no-untyped-def]
    """The source with edits made: (place, start, end or None for that of the value, text)."""
    parsed = CORE.parse(Source(data, encoding), WANTED)
    return parsed.apply(
        [
            Edit(place, start, len(parsed.places[place][3]) if end is None else end, text)
            for place, start, end, text in edits
        ]
    )


def values(data: bytes | str, encoding: str | None = None) -> list[str]:
    return [place[3] for place in CORE.parse(Source(data, encoding), WANTED).places]


def whole(data: str, text: str | None) -> str:
    """The source with the value of its first place replaced; it reads as that text then."""
    result = rewritten(data, (0, 0, None, text))
    assert isinstance(result, str)
    return result


# --- 1: the least is changed


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("<a href='x&amp;y&copy=1&#x2f;z'>", "/q/x&y&copy=1/z", "<a href='/q/x&amp;y&copy=1&#x2f;z'>"),
        ("<a href='x&amp;y'>", "x&z", "<a href='x&amp;z'>"),
        (
            "<a href='x&y'>",
            "x&yz",
            "<a href='x&amp;yz'>",
        ),  # what lies between is written anew: `yz` after the author's &
        ("<a href='a&#98;c'>", "abd", "<a href='a&#98;d'>"),
        ("<a href='a\r\nb'>", "a\nc", "<a href='a\r\nc'>"),
        ("<a href='a\0b'>", "a\N{REPLACEMENT CHARACTER}c", "<a href='a\0c'>"),
        ("<a href='aaa'>", "aaaa", "<a href='aaaa'>"),
        ("<a href='abab'>", "ab", "<a href='ab'>"),
    ],
)
def test_what_old_and_new_have_in_common_stays(before: str, new: str, after: str) -> None:
    result = whole(before, new)
    assert values(result) == [new]
    if "yz" not in new:
        assert result == after


@pytest.mark.parametrize(
    "markup", ["<a href='&amp;&#38;&AMP'>", "<a href=x\r\n>", "<a href>", "<style>\r\n\0</style>", "<a href='\ud800'>"]
)
def test_the_same_text_is_no_change(markup: str) -> None:
    parsed = CORE.parse(Source(markup), WANTED)
    value = parsed.places[0][3]
    assert parsed.apply([Edit(0, 0, len(value), value), Edit(0, len(value), len(value), "")]) is markup
    assert parsed.apply([]) is markup


# --- 1: escapes for the quotes


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("<a href='x'>", "a'b\"c", "<a href='a&#39;b\"c'>"),
        ('<a href="x">', "a'b\"c", '<a href="a\'b&quot;c">'),
        ("<a href='x'>", "a<b>c d", "<a href='a<b>c d'>"),
        ("<a href='x'>", "a&b", "<a href='a&amp;b'>"),
        ("<a href='x'>", "a& b&=c&", "<a href='a& b&=c&amp;'>"),
        ("<a href='x'>", "&#38;&#x", "<a href='&amp;#38;&amp;#x'>"),
        ("<a href='x'>", "a\rb\nc", "<a href='a&#13;b\nc'>"),
        ("<a href='x'>", "a\0b", "<a href='a%00b'>"),
        ("<a href='x'>", "", "<a href=''>"),
    ],
)
def test_new_text_is_escaped_for_its_quotes(before: str, new: str, after: str) -> None:
    assert whole(before, new) == after
    assert values(after) == [new.replace("\0", "%00")]


# --- 2: what only comes about together


@pytest.mark.parametrize(
    ("before", "edits", "value"),
    [
        ("<a href='&am'>", [(0, 3, 3, "p;")], "&amp;"),
        ("<a href='&amp;Xlt;'>", [(0, 1, 2, "")], "&lt;"),
        ("<a href='&cop=1'>", [(0, 4, 6, "y")], "&copy"),
        ("<a href='&X;'>", [(0, 1, 2, "lt")], "&lt;"),
        ("<a href='x&copy'>", [(0, 2, 2, "=")], "x©="),
        ("<a href='x&copy'>", [(0, 2, 2, "a")], "x©a"),
        ("<a href='&NotEqualTilde;'>", [(0, 1, 1, "x")], "\N{MINUS TILDE}x\N{COMBINING LONG SOLIDUS OVERLAY}"),
        ("<a href='&NotEqualTilde;'>", [(0, 1, 2, "")], "\N{MINUS TILDE}"),
        ("<a href='&NotEqualTilde;'>", [(0, 0, 1, "")], "\N{COMBINING LONG SOLIDUS OVERLAY}"),
        ("<a href='&#y12;'>", [(0, 2, 3, "")], "&#12;"),
        ("<a href='\rx\n'>", [(0, 1, 2, "")], "\n\n"),
    ],
)
def test_a_reference_that_comes_about_makes_the_value_new(
    before: str, edits: list[tuple[int, int, int, str]], value: str
) -> None:
    assert values(rewritten(before, *edits)) == [value]


@pytest.mark.parametrize(
    ("data", "encoding", "edit", "value"),
    [
        (b"<a href='\x81-'>", "shift_jis", (0, 1, 1, "A"), "\N{REPLACEMENT CHARACTER}A-"),  # 0x81 0x41 is a comma
        (b"<a href='\x81 A'>", "shift_jis", (0, 1, 2, ""), "\N{REPLACEMENT CHARACTER}A"),
        (b"<a href='\xe2x\x82\xac'>", "utf-8", (0, 1, 2, ""), "\N{REPLACEMENT CHARACTER}" * 3),
        (b"<a href='\x88\x62'>", "big5", (0, 1, 2, ""), "Ê"),
        (b"<a href='\x81-0\x81-0'>", "gb18030", (0, 1, 2, ""), "\ufffd0\ufffd-0"),
        (b"<\0a\0 \0h\0r\0e\0f\0=\0'\0=\xd8x\0\x00\xde'\0>\0", "utf-16le", (0, 1, 2, ""), "\ufffd\ufffd"),
    ],
)
def test_bytes_that_come_together_make_the_value_new(
    data: bytes, encoding: str, edit: tuple[int, int, int, str], value: str
) -> None:
    result = rewritten(data, edit, encoding=encoding)
    assert values(result, encoding) == [value]


# --- 3: quotes and missing values


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("<a href=x>", "y", "<a href=y>"),
        ("<a href=x>", "y/", "<a href=y/>"),
        ("<a href=x/>", "y/", "<a href=y/>"),
        ("<a href=x />", "y z", '<a href="y z" />'),
        ("<a href=x>", "", '<a href="">'),
        ("<a href=x id>", "a>b", '<a href="a>b" id>'),
        ("<a href=x>", "a\tb", '<a href="a\tb">'),
        ("<a href=x>", "'", '<a href="\'">'),
        ("<a href=x>", '"', '<a href="&quot;">'),
        ("<a href=x>", "a=b", '<a href="a=b">'),
        ("<a href=a=b>", "a=c", "<a href=a=c>"),  # the author's own "=" may stay as it is
        ("<a href=a'>", "a' b", '<a href="a\' b">'),
        ('<a href=a">', 'a" b', "<a href='a\" b'>"),
        ("<a href=a'\">", "a'\" b", '<a href="a\'&quot; b">'),
        ("<a href=a&amp;b>", "a&b c", '<a href="a&amp;b c">'),
        ("<a href>", "y", '<a href="y">'),
        ("<a href/>", "y", '<a href="y"/>'),
        ("<a href id>", "y", '<a href="y" id>'),
        ("<a href =>", "y", "<a href =y>"),
        ("<a href=>", "y", "<a href=y>"),
        ("<a href= \n>", "y", "<a href= \ny>"),
        ("<a href= \n>", "y z", '<a href= \n"y z">'),
        ("<a title='x'href>", "y", "<a title='x'href=\"y\">"),
        ("<a href''>", None, None),
    ],
)
def test_quotes_where_they_are_needed(before: str, new: str | None, after: str | None) -> None:
    if new is None:
        assert values(before) == []
        return
    assert whole(before, new) == after
    assert values(whole(before, new)) == [new]


# --- several edits in one place, and in several


def test_several_edits_in_one_value() -> None:
    before = '<img srcset="a 1x, b&amp;c 2x, d 3x" id=x>'
    assert values(before) == ["a 1x, b&c 2x, d 3x"]
    result = rewritten(before, (0, 0, 1, "/A"), (0, 6, 9, "/B&c"), (0, 14, 15, '"&d"'))
    assert result == '<img srcset="/A 1x, /B&amp;c 2x, &quot;&amp;d&quot; 3x" id=x>'
    assert values(result) == ['/A 1x, /B&c 2x, "&d" 3x']


def test_insertions_side_by_side() -> None:
    assert (
        rewritten("<a href='xy'>", (0, 0, 0, "a"), (0, 0, 1, "b"), (0, 1, 1, "c"), (0, 1, 2, "d")) == "<a href='abcd'>"
    )
    assert rewritten("<a href=''>", (0, 0, 0, "a"), (0, 0, 0, "b")) == "<a href='ab'>"


def test_edits_in_many_places() -> None:
    before = "<base href=1 target=2><a href='3' ping=\"4\">5</a><style>6</style><svg><use href=7></svg>"
    edits = [(number, 0, 1, "x y") for number in range(6)]
    after = (
        '<base href="x y" target="x y"><a href=\'x y\' ping="x y">5</a><style>x y</style><svg><use href="x y"></svg>'
    )
    assert rewritten(before, *edits) == after


# --- 4: text


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        ("<style>a&amp;</style>", "a&lt;", "<style>a&lt;</style>"),
        ("<style>x</style>", "</style>", "<style>%3C/style></style>"),
        ("<style>x</style>", "</STYLE a", "<style>%3C/STYLE a</style>"),
        ("<style>x</style>", "</\u017ftyle>", "<style></\u017ftyle></style>"),  # only ASCII letters have another case
        ("<style>x</style>", "</p><a>", "<style></p><a></style>"),
        ("<style>x</style>", "a\rb\0c", "<style>a%0Db%00c</style>"),
        ("<style><x</style>", "</style>", "<style><%2Fstyle%3E</style>"),
        ("<style><x</style>", "</styled", "<style></styled</style>"),
        ("<style>x</STYLE >", "y", "<style>y</STYLE >"),
        ("<style>x", "y", "<style>y"),
        ("<style>x", "</style>", "<style>%3C/style>"),
        ("<script>x</script>", "<!--<script>", "<script>%3C!--%3Cscript></script>"),
        ("<script><!--<script>x</script></script>", "-->", None),
        ("<svg><style>x</style></svg>", "a<b&c&lt;\r\0", "<svg><style>a&lt;b&amp;c&amp;lt;&#13;%00</style></svg>"),
        ("<svg><style>&lt;x</style></svg>", "<y", "<svg><style>&lt;y</style></svg>"),
        ("<svg><style>&am</style></svg>", "&amp;", "<svg><style>&amp;amp;</style></svg>"),
        ("<svg><style><![CDATA[x]]></style></svg>", "a<b&c", "<svg><style><![CDATA[a<b&c]]></style></svg>"),
        ("<svg><style><![CDATA[x]]></style></svg>", "]]>", "<svg><style><![CDATA[]]%3E]]></style></svg>"),
        ("<svg><style><![CDATA[]]x]]></style></svg>", "]]>", "<svg><style><![CDATA[]]%3E]]></style></svg>"),
    ],
)
def test_text_of_an_element(before: str, new: str, after: str | None) -> None:
    result = whole(before, new)
    if after is not None:
        assert result == after
    # whatever it is, it stays inside
    assert len(values(result + "<a href=z>")) == len(values(before + "<a href=z>"))


def test_references_in_a_style_sheet() -> None:
    before = "<style>a{background:url(x.png)} @import 'y.css';</style>"
    assert rewritten(before, (0, 17, 22, "/i/é.png"), (0, 34, 39, "z.css")) == (
        "<style>a{background:url(/i/é.png)} @import 'z.css';</style>"
    )


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        ('{"url": "/a", "b": "\n"}', "/a", "https://h/a"),
        ('{"url": "/a", "b": "x"}', "/a", "b"),
        ('["/a", "\u00e9"]', "/a", "/b"),  # not ASCII: in the usual way
        ('["/a", "\r\n"]', "/a", "/b"),
        ('["<!--", "<script "]', "<!--", "/b"),  # the old text means something for the element
        ('["/a", "<!--"]', "/a", "<script>"),
        ('["/a"]', "/a", "-->"),
        ('["/a"]', "/a", "\0\r"),
        ("['/a']", "/a", "/b"),
        ("/a", "/a", "/b"),
        ('"/a', "/a", "/b"),
        ('["/a"]', "/a", "/a"),
        ('["/a"]', "/a", ""),
        ('["", ""]', "", "/a"),
    ],
)
def test_texts_between_quotes_are_replaced_as_any_others(text: str, old: str, new: str) -> None:
    source = f"<script>{text}</script><a href=x>"
    parsed = CORE.parse(Source(source), WANTED)
    place = parsed.places[0]
    at = place.value.index(old)
    in_two = [Edit(0, at, at, new), Edit(0, at, at + len(old), "")]  # which are not simple splices
    edits = [Edit(0, at, at + len(old), new)]
    assert parsed.apply(edits) == parsed.apply(in_two)
    for encoding in ("utf-8", "utf-16le"):
        of_bytes = CORE.parse(Source(source.encode(encoding), encoding), WANTED)
        assert of_bytes.apply(edits) == CORE.parse(Source(source), WANTED).apply(edits).encode(encoding)  # type: ignore[union-attr]


def test_an_old_text_stays_where_one_is_put_before_it() -> None:
    parsed = CORE.parse(Source('<script>["/a", "/b"]</script>'), WANTED)
    edits = [Edit(0, 2, 4, "http://h/a"), Edit(0, 8, 10, "/b")]
    assert parsed.splices(edits) == [(10, 10, "http://h")]


def test_text_that_cannot_be_changed_safely_stays() -> None:
    before = "<style><x/style ></style>"
    assert values(before) == ["<x/style >"]
    assert rewritten(before, (0, 1, 2, "")) == before
    before = "<svg><style><![CDATA[]x]>]]></style></svg>"
    assert rewritten(before, (0, 1, 2, "")) == before


# --- 5: removal


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a href=x>", "<a>"),
        ("<a href='x' id=y>", "<a id=y>"),
        ("<a id=y\n href = 'x'>", "<a id=y>"),
        ("<a id=y href=x >", "<a id=y >"),
        ("<a id=y href/>", "<a id=y />"),
        ("<a/href/id>", "<a//id>"),
        ('<a id="y"href="x"rel>', '<a id="y"rel>'),
        ("<a href='x'id>", "<a id>"),
        ("<a id href='x'rel>", "<a id rel>"),
        ("<a id=y href='x'/>", "<a id=y />"),
        ("<a id href='x'=y>", "<a id /=y>"),
        ("<a id=y href='x' =z>", "<a id=y / =z>"),
        ("<a href=x id HREF=y>", "<a id>"),
        ("<base href=x>", ""),
        ("<base href=x />", ""),
        ("<base href='x' HREF=y>", ""),
        ("<base target=t href=x>", "<base target=t>"),
        ("<base href=x target=t>", "<base target=t>"),
        ("<base id href=x>", "<base id>"),
        ("<svg><use href=x /></svg>", "<svg><use /></svg>"),
    ],
)
def test_a_removed_attribute(before: str, after: str) -> None:
    place = [place[2] for place in CORE.parse(Source(before), WANTED).places].index("href")
    assert rewritten(before, (place, 0, 0, None)) == after
    left = [(each[2], each[3]) for each in CORE.parse(Source(before), WANTED).places if each[2] != "href"]
    assert [(each[2], each[3]) for each in CORE.parse(Source(after), WANTED).places] == left


def test_removing_and_replacing_side_by_side() -> None:
    assert rewritten("<base href=x target=t>", (0, 0, 0, None), (1, 0, 1, "u v")) == '<base target="u v">'
    assert rewritten('<a href="x"ping="y"id>', (0, 0, 0, None), (1, 0, 0, None)) == "<a id>"


def test_an_attribute_with_another_one_of_its_name_behind_others_is_removed() -> None:
    before = "<base href=x style='y' href=z target=t>"
    assert rewritten(before, (0, 0, 0, None), (1, 0, 1, "u")) == "<base style='u' target=t>"
    assert rewritten(before, (0, 0, 0, None), (1, 0, 0, None), (2, 0, 1, "u")) == "<base target=u>"


def test_text_cannot_be_removed() -> None:
    assert rewritten("<style>x</style>", (0, 0, 1, None)) == "<style>x</style>"


# --- units: what is written in which encoding


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        ("utf-8", "é漢😀", "é漢😀".encode()),
        ("windows-1252", "é€漢", b"\xe9\x80&#28450;"),
        ("windows-1252", "😀", b"&#128512;"),
        ("iso-8859-5", "éж", b"&#233;\xd6"),
        ("shift_jis", "漢é¥", "漢".encode("shift_jis") + b"&#233;&#165;"),
        ("gbk", "漢😀", "漢".encode("gbk") + b"&#128512;"),
        ("gb18030", "漢😀", "漢😀".encode("gb18030")),
        ("euc-kr", "한é", "한".encode("euc-kr") + b"&#233;"),
        ("big5", "漢한", "漢".encode("big5") + b"&#54620;"),
        ("windows-1252", "\x80", b"%C2%80"),  # `&#128;` is €
        ("utf-8", "\ud800", b"&#65533;"),
        ("utf-16le", "é😀\ud800", "é😀".encode("utf-16-le") + "&#65533;".encode("utf-16-le")),
        ("iso-2022-jp", "a漢b\x1b", b"a\x1b$B4A\x1b(Bb&#27;"),
    ],
)
def test_what_the_encoding_cannot_hold(encoding: str, text: str, expected: bytes) -> None:
    data = encode("<a href='x'><style>y</style>", encoding)
    assert data is not None
    result = rewritten(data, (0, 0, 1, text), encoding=encoding)
    before, after = data[: data.index(b"x")], data[data.index(b"x") + len(encode("x", encoding) or b"") :]
    if encoding == "utf-16be":
        before = before[:-1]
    assert result == before + expected + after
    again = rewritten(data, (1, 0, 1, text), encoding=encoding)
    assert isinstance(again, bytes)
    assert "&#" not in decode(again, encoding)  # in text, references mean nothing
    assert len(values(again, encoding)) == 2


def test_utf_16be_is_written_as_such() -> None:
    data = "<a href='é'>".encode("utf-16-be")
    assert rewritten(data, (0, 0, 1, "漢&"), encoding="utf-16be") == "<a href='漢&amp;'>".encode("utf-16-be")


@pytest.mark.parametrize(
    ("value", "start", "end", "new"),
    [
        ("漢字", 0, 1, "a"),
        ("漢字", 1, 2, "a"),
        ("漢字", 1, 2, "かな"),
        ("漢字", 0, 2, ""),
        ("漢字", 1, 1, "a"),
        ("漢字", 1, 1, "\\~"),
        ("a漢b", 1, 2, ""),
        ("a漢b", 1, 2, "c"),
        ("a漢b", 0, 1, "字"),
        ("a漢b", 2, 3, "字"),
        ("漢a字", 1, 2, ""),
        ("漢a字", 1, 2, "b"),
        ("漢a字", 1, 2, "か"),
        ("漢", 0, 0, "a"),
        ("漢", 1, 1, "a"),
    ],
)
def test_shift_states_are_kept(value: str, start: int, end: int, new: str) -> None:
    data = encode(f"<a href='{value}' title='漢\\'>字", "iso-2022-jp")
    assert data is not None
    result = rewritten(data, (0, start, end, new), encoding="iso-2022-jp")
    assert isinstance(result, bytes)
    assert decode(result, "iso-2022-jp") == f"<a href='{value[:start]}{new}{value[end:]}' title='漢\\'>字"


def test_shift_states_of_others_are_kept() -> None:
    # JIS X 0201: the backslash is a yen sign there, and stays one behind the new text
    data = b"\x1b(J<a href='\\'>\\"
    assert values(data, "iso-2022-jp") == ["¥"]
    result = rewritten(data, (0, 0, 1, "漢\\"), encoding="iso-2022-jp")
    assert isinstance(result, bytes)
    assert decode(result, "iso-2022-jp") == "<a href='漢\\'>¥"
    two = rewritten(b"<a href='\x1b$B4A;z\x1b(B'>", (0, 0, 1, "a"), (0, 1, 2, "b"), encoding="iso-2022-jp")
    assert isinstance(two, bytes)
    assert decode(two, "iso-2022-jp") == "<a href='ab'>"


def test_every_other_byte_is_copied() -> None:
    data = b"\xff\xc3<p \x80>\r\n\0<a \xe2\x82 href='\xc3' \xff>\xed\xa0\x80\r<!-- \xfe -->"
    assert rewritten(data, (0, 0, 1, "x"), encoding="utf-8") == data.replace(b"'\xc3'", b"'x'")
    assert rewritten(data, (0, 1, 1, "x"), encoding="utf-8") == data.replace(b"'\xc3'", b"'\xc3x'")
