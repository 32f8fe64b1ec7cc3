"""The `source` core: what it finds (rules of `scan`, `ends`, `foreign`, `patterns`), and where (`parsed`, `units`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from growth import assert_proportional
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, IN_TEMPLATE, MATHML, SVG, Place, Wanted
from rehref.text import lower
from rehref.text.charsets import decode
from rehref.text.encoders import encode
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

CORE = core()

WANTED = Wanted(
    frozenset({"style"}),
    {
        "a": frozenset({"href"}),
        "img": frozenset({"src"}),
        "base": frozenset({"href"}),
        "body": frozenset({"background"}),
        "head": frozenset({"profile"}),
        "html": frozenset({"manifest"}),
        "use": frozenset({"href", "xlink:href"}),
        "svg": frozenset({"viewbox"}),
        "lineargradient": frozenset({"href"}),
        "math": frozenset({"definitionurl"}),
        "mglyph": frozenset({"src"}),
    },
    frozenset({"style", "script"}),
)

ENCODINGS = (
    *("utf-8", "windows-1252", "shift_jis", "gbk", "gb18030", "euc-kr", "euc-jp", "big5"),
    *("utf-16le", "utf-16be", "iso-2022-jp"),
)
# a word in each encoding, with bytes that look like markup or like "\" where there are such
WORDS = {
    "utf-8": "é漢😀",
    "windows-1252": "é€ÿ",
    "shift_jis": "表ソ能漢",
    "gbk": "乗丂漢",
    "gb18030": "乗㐀😀",
    "euc-kr": "똠한",
    "euc-jp": "漢ソ",
    "big5": "功四漢",
    "utf-16le": "∀é😀",
    "utf-16be": "∀é😀",
    "iso-2022-jp": "漢ソ",
}


def parse(data: bytes | str, encoding: str | None = None, wanted: Wanted = WANTED, bom: int = 0) -> Any:
    return CORE.parse(Source(data, encoding if isinstance(data, bytes) else None, bom), wanted)


def places(data: bytes | str, encoding: str | None = None, wanted: Wanted = WANTED) -> list[Place]:
    return [Place._make(place) for place in parse(data, encoding, wanted).places]


def found(data: bytes | str, encoding: str | None = None) -> list[tuple[str, str | None, str]]:
    return [(place.element, place.attribute, place.value) for place in places(data, encoding)]


def values(data: bytes | str, encoding: str | None = None) -> list[str]:
    return [place.value for place in places(data, encoding)]


def encoded(text: str, encoding: str) -> bytes:
    data = encode(text, encoding)
    assert data is not None
    return data


# --- patterns 1, 3 to 5: tags and attributes


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<a href=x>", "x"),
        ("<a href='x'>", "x"),
        ('<a href="x">', "x"),
        ("<A HREF=X>", "X"),
        ("<a\thref\n=\f'x'\r>", "x"),
        ("<a/href=x>", "x"),
        ("<a///href=x>", "x"),
        ("<a href=x/>", "x/"),
        ("<a href=x />", "x"),
        ("<a href='x'/>", "x"),
        ("<a id=1href=no href=x>", "x"),
        ("<a id='1'href=x>", "x"),
        ("<a href='x'id>", "x"),
        ("<a =href=no href=x>", "x"),
        ("<a = href=x>", "x"),
        ("<a ==href=x>", None),  # an attribute "=" with the value "href=x"
        ("<a id==href href=x>", "x"),
        ('<a " href=x>', "x"),
        ("<a id=\"a'b>\" href='a\"b>'>", 'a"b>'),
        ("<a title='<a href=no>' href=x>", "x"),
        ("<a href=x'y\"z`<=>", "x'y\"z`<="),
        ("<a href>", ""),
        ("<a href=>", ""),
        ("<a href= >", ""),
        ("<a href/>", ""),
        ("<a href id=1>", ""),
        ("<a href = id=1>", "id=1"),
        ("<a href=''>", ""),
        ("<a hrefs=no ahref=no href-x=no>", None),
        ("<a:b href=no>", None),
        ("<a<b href=no>", None),
        ("<a\0 href=no>", None),
        ("<a hre\0f=no>", None),
    ],
)
def test_an_attribute_is_read_as_the_tokenizer_reads_it(markup: str, expected: str | None) -> None:
    assert values(markup + "text") == ([] if expected is None else [expected])
    assert values(markup.encode() + b"text", "utf-8") == ([] if expected is None else [expected])


def test_of_attributes_with_one_name_the_first_counts() -> None:
    assert values("<a href=1 HREF=2 href=3><a href=4>") == ["1", "4"]
    assert found("<svg><use href=1 xlink:href=2 href=3></svg>") == [("use", "href", "1"), ("use", "xlink:href", "2")]


@pytest.mark.parametrize(
    "cut",
    ["<a href=no", "<a href='no>", '<a href="no', "<a href=no ", "<a ", "<a", "<", "</", "</a", "</a x='>", "<!", "<?"],
)
def test_a_tag_that_the_end_cuts_off_is_no_tag(cut: str) -> None:
    assert values("<a href=x>" + cut) == ["x"]
    assert values("<svg><use href=x>" + cut) == ["x"]


@pytest.mark.parametrize("cut", ["</style ", "</style/", "</style x", "</style x='>", '</style x="'])
def test_an_end_tag_that_the_end_cuts_off_ends_what_is_raw_text(cut: str) -> None:
    assert values("<a href=x><style>s" + cut) == ["x", "s"]


@pytest.mark.parametrize("cut", ["<", "</", "</s", "</style", "</stylex", "</stylex>"])
def test_what_is_no_end_tag_yet_is_raw_text(cut: str) -> None:
    assert values("<a href=x><style>s" + cut) == ["x", "s" + cut]


def test_a_possessive_group_takes_its_last_failed_round_back() -> None:
    # in every round of the loops over tags and over attributes, the last attempt fails behind its beginning
    assert values("<p><b id=1><a id='2' x href=x y=z><p><a href='y'>") == ["x", "y"]


def test_only_ascii_letters_have_another_case() -> None:
    assert lower("HREF\N{KELVIN SIGN}É") == "href\N{KELVIN SIGN}É"
    assert found("<lin\N{KELVIN SIGN} style=x><a xlin\N{KELVIN SIGN}:href=no>") == [
        ("lin\N{KELVIN SIGN}", "style", "x")
    ]


def test_names_are_decoded() -> None:
    assert found("<x-É\0Y style=x>".encode(), "utf-8") == [("x-É\N{REPLACEMENT CHARACTER}y", "style", "x")]
    assert found("<x-表 style=x>".encode("shift_jis"), "shift_jis") == [("x-表", "style", "x")]


def test_a_name_may_be_wanted_on_one_element_or_on_all() -> None:
    assert found("<p href=no style=1><a style=2 href=3><img src=4 href=no>") == [
        ("p", "style", "1"),
        ("a", "style", "2"),
        ("a", "href", "3"),
        ("img", "src", "4"),
    ]


def test_nothing_wanted_is_nothing_found() -> None:
    assert places("<a href=x><svg><a href=y></svg><style>z</style>", wanted=Wanted()) == []


def test_image_is_img() -> None:
    assert found("<image src=x>") == [("img", "src", "x")]
    assert found("<svg><image src=no></image><image style=x></svg>") == [("image", "style", "x")]


# --- scan 1 to 3 and 6, ends: what is no markup


@pytest.mark.parametrize(
    "hidden",
    [
        "<!-- <a href=no> -->",
        "<!-->",
        "<!--->",
        "<!---->",
        "<!-- <a href=no> --!>",
        "<!----!>",
        "<!-- <a href=no> -- > - > --- -->",
        "<!--<!-- <a href=no> -->",
        "<!--<!-->",
        "<!doctype html>",
        "<!DOCTYPE html PUBLIC '<a href=no'>",
        "<![CDATA[<a href=no>",
        "<! <a href=no>",
        "<?php '<a href=no>",
        "</ <a href=no>",
        "</3>",
        "</>",
        "</é <a href=no>",
        "<é><3 < <",
        "</a href='<a href=no>'>",
        '</a title=">" href=no>',
        "</a/>",
    ],
)
def test_comments_declarations_and_end_tags_end_where_they_end(hidden: str) -> None:
    assert values(f"{hidden}<a href=x>") == ["x"]
    assert values(f"{hidden}<a href=x>".encode(), "windows-1252") == ["x"]
    assert values(f"<svg>{hidden.replace('[CDATA[', '[cdata[')}<use href=x></svg>") == ["x"]


@pytest.mark.parametrize("beginning", ["<!--", "<!-- --", "<!doctype", "<!x", "<?x", "</ x", "<plaintext>", "<title>"])
def test_what_does_not_end_holds_all_the_rest(beginning: str) -> None:
    assert values(f"<a href=x>{beginning}<a href=no") == ["x"]


def test_plaintext_has_no_end() -> None:
    assert values("<a href=x><plaintext><a href=no></plaintext><a href=no>") == ["x"]


@pytest.mark.parametrize("element", ["style", "xmp", "iframe", "noembed", "noframes", "title", "textarea", "script"])
def test_raw_text_ends_at_its_own_end_tag(element: str) -> None:
    inside = f"<a href=no></p></{element}s><!-- <a href=no> &amp; </{element[:-1]}></ {element}>"
    wanted = Wanted(frozenset({"href"}))
    for end in (f"</{element}>", f"</{element.upper()} x='>'>", f"</{element}/>", f"</{element}\n>"):
        document = f"<{element.title()} id='>'>{inside}{end}<a href=x>"
        assert [place.value for place in places(document, wanted=wanted)] == ["x"]


def test_noscript_is_markup_and_so_is_what_is_like_raw_text() -> None:
    assert values(
        "<noscript><a href=1></noscript><pre><a href=2></pre><listing><a href=3></listing><select><a href=4>"
    ) == [*"1234"]


@pytest.mark.parametrize(
    ("script", "ends"),
    [
        ("'</script>", True),
        ("<script></script>", True),  # not escaped: no nesting
        ("<!--</script>", True),
        ("<!--<script>'</script>", False),
        ("<!--<script>'</script></script>", True),
        ("<!--<script>--></script>", True),
        ("<!--<script></script><script></script></script>", True),
        ("<!--<script></script><script></script>", False),
        ("<!--<scripty></script>", True),
        ("<!--<SCRIPT\n</Script \n</script>", True),
        ("<!--<script/</script/", False),
        ("<!--><script></script>", True),  # `<!-->` ends what it begins
        ("<!---><script></script>", True),
        ("<!-- - -> <script></script>", False),
        ("<!--<script", False),
    ],
)
def test_escaped_script_data(script: str, *, ends: bool) -> None:
    document = f"<script>{script}<a href=x></script>"
    wanted = Wanted(frozenset({"href"}))
    assert [place.value for place in places(document, wanted=wanted)] == (["x"] if ends else [])


def test_the_text_of_wanted_elements_is_a_place() -> None:
    style, script, last = places("<style type=x>a{}</style><script src=no></script><style>b")
    assert style == ("style", HTML, None, "a{}", 14, 17, 0, 0)
    assert script[:6] == ("script", HTML, None, "", 40, 40)
    assert last[:6] == ("style", HTML, None, "b", 56, 57)


def test_text_has_its_line_ends_normalized_and_nul_replaced_but_no_references() -> None:
    assert values("<style>a\r\nb\rc\0&amp;</style>") == ["a\nb\nc\N{REPLACEMENT CHARACTER}&amp;"]


def test_the_texts_of_title_and_textarea_are_no_places() -> None:
    # they have character references, and no reference is ever in them
    assert places("<title>x</title><textarea>y</textarea>", wanted=Wanted(texts=frozenset({"title", "textarea"}))) == []


# --- scan 5: templates


def test_what_is_in_a_template_is_flagged() -> None:
    document = (
        "<base href=0><template><base href=1><template><style>1</style></template><a href=1></TEMPLATE x='>'><a href=0>"
        "</template><svg><foreignobject><template><a href=1></template><a href=0></svg><template><svg><use href=1>"
        "</template><a href=0>"
    )
    assert all(str(place.flags // IN_TEMPLATE) == place.value for place in places(document))
    assert len(places(document)) == 9


# --- scan 7: one html, head and body


def test_a_second_html_or_body_adds_what_the_first_has_not() -> None:
    document = (
        "<html style=1><body style=2><p><body background=3 style=no><html manifest=4 style=no><body background=no>"
    )
    assert found(document) == [
        ("html", "style", "1"),
        ("body", "style", "2"),
        ("body", "background", "3"),
        ("html", "manifest", "4"),
    ]
    assert found("<svg><desc><body style=1><body style=no></desc></svg><body style=no>") == [("body", "style", "1")]


def test_html_and_body_in_a_template_are_nothing() -> None:
    assert values("<template><body style=no><html style=no></template><body style=x>") == ["x"]


@pytest.mark.parametrize(
    "before",
    ["", " \n", "<!-- x -->", "<!doctype html>", "<?x?>", "<html><!-- -->", "</p>", "</ x>", "<HTML lang=a>\r\n"],
)
def test_a_head_is_the_first_thing_of_a_document(before: str) -> None:
    assert values(f"{before}<head profile=x><head profile=no>") == ["x"]
    data = "\N{ZERO WIDTH NO-BREAK SPACE}".encode() + before.encode() + b"<head profile=x>"
    assert [place[3] for place in parse(data, "utf-8", bom=3).places] == ["x"]


@pytest.mark.parametrize(
    "before", ["x", "<p>", "<head>", "</head>", "</body>", "</html>", "<br>", "</br>", "<body>", "< "]
)
def test_a_head_behind_anything_else_is_ignored(before: str) -> None:
    assert values(f"{before}<head profile=no>") == []


# --- scan 4, foreign: SVG and MathML


def foreign(markup: str) -> list[tuple[str, str, str | None, str]]:
    """Places with the namespace in short."""
    short = {HTML: "html", SVG: "svg", MATHML: "math"}
    return [(short[place.namespace], place.element, place.attribute, place.value) for place in places(markup)]


def spaces(markup: str) -> str:
    """The namespaces of the elements with a `style`, in order: h, s or m."""
    return "".join(namespace[0] for namespace, _, attribute, _ in foreign(markup) if attribute == "style")


def test_foreign_names_are_adjusted() -> None:
    assert foreign("<SVG VIEWBOX=1><LINEARGRADIENT href=2></svg><math DEFINITIONURL=3><mglyph src=4></math>") == [
        ("svg", "svg", "viewBox", "1"),
        ("svg", "linearGradient", "href", "2"),
        ("math", "math", "definitionURL", "3"),
        ("math", "mglyph", "src", "4"),
    ]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        # 1 namespaces
        ("<svg style><g style><p2 style></svg><g style>", "sssh"),
        ("<math style><mi2 style></math><mi style>", "mmh"),
        ("<svg style/><g style>", "sh"),
        ("<svg><g/><g style></g></svg><g style>", "sh"),
        ("<svg><math style></math></svg>", "s"),
        ("<svg><style></style><script><g style></script><title2><g style>", "ss"),
        ("<svg><SVG></SVG><g style></svg><g style>", "sh"),
        ("<g><svg></g>", ""),
        # 3 what breaks out
        ("<svg><g><div style><g style>", "hh"),
        ("<svg><img style></svg>", "h"),
        ("<svg><g></p><g style>", "h"),
        ("<svg><g></br><g style>", "h"),
        ("<svg><font style><g style>", "ss"),
        ("<svg><font color=x style><g style>", "hh"),
        ("<math><mi><svg><b style><g style>", "hh"),
        # 4 integration points
        ("<svg><foreignObject style><g style><svg style></svg><g style></g></g></foreignObject><g style>", "shshs"),
        ("<svg><desc><a style></a></desc><title><a style></a></title><a style>", "hhs"),
        ("<svg><foreignObject><div><g style></div></foreignObject><g style>", "hs"),
        ("<svg><foreignObject/><g style>", "s"),
        ("<math><mi><a style></a><mglyph style></mglyph><svg style></svg></mi><mglyph style>", "hmsm"),
        ("<math><annotation-xml><svg style></svg><a style>", "sm"),
        ("<math><annotation-xml encoding='Text/HTML'><a style></a></annotation-xml><a style>", "hm"),
        ("<math><annotation-xml encoding=application/xhtml+xml><a style>", "h"),
        ("<math><annotation-xml encoding=text/xml><a style>", "m"),
        ("<svg><foreignObject><img><g style></g></foreignObject><g style>", "hs"),
        ("<svg><foreignObject><p></foreignObject><g style>", "h"),  # the p keeps it open
        ("<svg><desc><svg><p style></p><g style></g></desc><g style>", "hhs"),
        # 5 end tags
        ("<svg><g><a></g><a style></a></svg><a style>", "sh"),
        ("<svg><path></path></path><g style></svg>", "s"),
        ("<svg><g></div><g style>", "s"),
        ("<svg></my-icon><g style>", "s"),
        ("<svg></font-face></annotation-xml><g style>", "s"),
        ("<svg><desc></div></svg></desc><g style>", "h"),
        ("<svg><foreignObject><b></svg><g style>", "h"),
        ("<svg><desc><b></desc></b><g style></g></desc><g style>", "hs"),
        ("<td><svg><desc></td><g style>", "h"),
        ("<svg><desc><table></td></table><g style>", "h"),
        ("<svg><desc><table></td></table></desc><g style>", "s"),
        ("<template><svg><g></template><g style>", "h"),
        ("<svg></template><g style>", "s"),
        # raw text of HTML elements inside, and no raw text of others
        ("<svg><desc><style><g style></style><xmp><g style></xmp></desc><g style>", "s"),
        ("<svg><desc><textarea><g style></textarea></desc><g style>", "s"),
        ("<svg><textarea><g style></textarea></svg><textarea><g style></textarea>", "s"),
        ("<svg><desc><plaintext><g style></desc>", ""),
        ("<svg><desc><style></desc><g style>", ""),
        # an unfinished tag
        ("<svg><g style></g><g style", "s"),
    ],
)
def test_foreign_content(markup: str, expected: str) -> None:
    assert spaces(markup) == expected


def test_cdata_is_for_foreign_content_only() -> None:
    assert values("<svg><![CDATA[<use href=no>]]><use href=1><![CDATA[]]]]><![CDATA[><use href=no>]]></svg>") == ["1"]
    assert values("<svg><![CDATA[<use href=no>") == []
    assert values("<svg><![cdata[<use href=no>]]><use href=1></svg>") == ["1"]
    assert values("<![CDATA[<a href=no>]]><a href=1>") == ["1"]
    assert values("<svg><desc><p><![CDATA[<a href=no>]]><a href=1></p></desc></svg>") == ["1"]


@pytest.mark.parametrize("encoding", ["shift_jis", "gbk", "big5"])
def test_a_bracket_that_is_a_second_byte_ends_no_cdata(encoding: str) -> None:
    lead = {"shift_jis": b"\x83", "gbk": b"\x81", "big5": b"\xa5"}[encoding]
    assert decode(lead + b"]", encoding) not in ("]", "\N{REPLACEMENT CHARACTER}]")
    data = b"<svg><style><![CDATA[a" + lead + b"]]><use href=no>b]]></style><use href=x></svg>"
    assert values(data, encoding) == [decode(b"a" + lead + b"]]><use href=no>b", encoding), "x"]


def test_the_text_of_a_foreign_element_is_a_place_for_each_run() -> None:
    markup = "<svg><style>a &amp; b&copy=<!-- no --> <![CDATA[c&amp;]]>\n<a href=1>no</a>d < e</style> no</svg>"
    assert foreign(markup) == [
        ("svg", "style", None, "a & b©="),
        ("svg", "style", None, "c&amp;"),
        ("svg", "a", "href", "1"),
        ("svg", "style", None, "d < e"),
    ]
    style, cdata, *_ = places(markup)
    assert style.tag == cdata.tag == 5
    assert markup[slice(*parse(markup).span(1, 0, 6))] == "c&amp;"
    assert values("<svg><style>x") == ["x"]
    assert values("<svg><style>a\r\n\0b<![CDATA[\rc]]></style>") == ["a\n\N{REPLACEMENT CHARACTER}b", "\nc"]


# --- charrefs, in values


def test_a_value_is_decoded() -> None:
    assert values("<a href='?a=1&amp;b&#x26;&copy=2&notit;\r\nc\rd\0'>") == [
        "?a=1&b&&copy=2&notit;\nc\nd\N{REPLACEMENT CHARACTER}"
    ]


# --- parsed, units: where things stand


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_spans_and_positions_in_every_encoding(encoding: str) -> None:
    word = WORDS[encoding]
    link_tag = f"<a href='{word}/x?{word}&amp;{word}#y' title={word}>"
    text = f"<p title='{word}'>{word}\r\n{word}{link_tag}\r<style>{word} s</style>"
    data = encoded(text, encoding)
    parsed = parse(data, encoding)
    link, style = parsed.places
    value = f"{word}/x?{word}&{word}#y"
    assert (link[3], style[3]) == (value, f"{word} s")

    def reads(number: int, start: int, end: int) -> str:
        return decode(data[slice(*parsed.span(number, start, end))], encoding)

    assert reads(0, 0, len(value)) == value.replace("&", "&amp;")
    at = value.index("/x?")
    assert reads(0, at, at + 3) == "/x?"
    amp = value.index("&")
    assert reads(0, amp, amp + 1) == "&amp;"
    if encoding != "iso-2022-jp":  # which cannot be read from the middle
        assert reads(0, amp + 1, len(value)) == f"{word}#y"
        assert reads(1, 1, len(word) + 2) == f"{word} s"[1:]
    assert parsed.locate(0, None) == (2, len(word) + 1)
    assert parsed.locate(0, 0) == (2, len(word) + 10)
    assert parsed.locate(0, amp + 1) == (2, len(word) + 10 + amp + 5)
    assert parsed.locate(1, None) == (3, 1)
    assert parsed.locate(1, len(word)) == (3, 8 + len(word))


@pytest.mark.parametrize(("encoding", "bom"), [("utf-8", 3), ("utf-16le", 2), ("utf-16be", 2)])
def test_a_byte_order_mark_has_no_column(encoding: str, bom: int) -> None:
    data = "\N{ZERO WIDTH NO-BREAK SPACE}é<a href=x>".encode(encoding)
    parsed = parse(data, encoding, bom=bom)
    assert parsed.locate(0, None) == (1, 2)
    assert parsed.locate(0, 0) == (1, 10)
    assert data[slice(*parsed.span(0, 0, 1))].decode(encoding) == "x"
    first = parse("\N{ZERO WIDTH NO-BREAK SPACE}<a href=x>".encode(encoding), encoding, bom=bom)
    assert first.locate(0, None) == (1, 1)
    assert parse("\N{ZERO WIDTH NO-BREAK SPACE}<a href=x>").locate(0, None) == (1, 1)


def test_spans_of_a_str_are_characters() -> None:
    text = "<p>é😀<a href='é😀&amp;x'>"
    parsed = parse(text)
    assert parsed.places[0][3] == "é😀&x"
    assert text[slice(*parsed.span(0, 1, 4))] == "😀&amp;x"
    assert parsed.locate(0, 3) == (1, 22)


def test_one_reference_for_two_characters_is_one_place() -> None:
    text = "<a href='a&NotEqualTilde;b'>"
    parsed = parse(text)
    assert parsed.places[0][3] == "a\N{MINUS TILDE}\N{COMBINING LONG SOLIDUS OVERLAY}b"
    assert [parsed.span(0, at, at)[0] for at in range(5)] == [9, 10, 10, 25, 26]


def test_one_unit_of_big5_for_two_characters_is_one_place() -> None:
    parsed = parse(b"<a href='a\x88\x62b'>", "big5")
    assert parsed.places[0][3] == "aÊ\N{COMBINING MACRON}b"
    assert [parsed.span(0, at, at)[0] for at in range(5)] == [9, 10, 10, 12, 13]


@pytest.mark.parametrize(
    ("data", "encoding", "value", "offsets"),
    [
        (b"<a href='\xe2\x82x'>", "utf-8", "\ufffdx", [9, 11, 12]),
        (b"<a href='\xff\xc3'>", "utf-8", "\ufffd\ufffd", [9, 10, 11]),
        (b"<a href='\x81'>", "shift_jis", "\ufffd", [9, 10]),
        (b"<a href=\x81>", "shift_jis", "\ufffd", [8, 9]),
        (b"<a href='\x810'>", "gbk", "\ufffd0", [9, 10, 11]),
        (b"<a href='\x810\x81'>", "gb18030", "\ufffd0\ufffd", [9, 10, 11, 12]),
        (b"<a href='\x810\x81&amp;x'>", "gb18030", "\ufffd0\ufffd&x", [9, 10, 11, 12, 17, 18]),
        (b"<a href='\xc9\x80'>", "euc-kr", "\ufffd", [9, 11]),
        (b"<\0a\0 \0h\0r\0e\0f\0=\0\x00\xd8x\0>\0", "utf-16le", "\ufffdx", [16, 18, 20]),
    ],
)
def test_broken_sequences_hide_nothing(data: bytes, encoding: str, value: str, offsets: list[int]) -> None:
    parsed = parse(data, encoding)
    assert parsed.places[0][3] == value
    assert [parsed.span(0, at, at)[0] for at in range(len(value) + 1)] == offsets
    whole = data if encoding.startswith("utf-16") else data[9 : parsed.span(0, 0, len(value))[1] + 1]
    assert value[:-1] in decode(whole, encoding)  # as the whole document is read


def test_positions_can_be_asked_in_any_order() -> None:
    line = "é" * 50 + "<a href=é>" * 40
    parsed = parse(f"{line}\n{line}".encode(), "utf-8")
    numbers = [*range(79, -1, -1), *range(80), *range(0, 80, 7)]
    assert all(parsed.locate(number, None) == (1 + number // 40, 51 + number % 40 * 10) for number in numbers)


def test_lines_end_with_lf_cr_or_both() -> None:
    parsed = parse("\r\n\r\n\n<a href=1>\r<a href=2>\n\r<a href=3>\f<a href=4>")
    assert [parsed.locate(number, None) for number in range(4)] == [(4, 1), (5, 1), (7, 1), (7, 12)]
    assert parse("\n\n<a href=1>").locate(0, None) == (3, 1)


def test_find_sees_through_second_bytes() -> None:
    units = SourceText(Source(b"\x83]]>\x83]x]]>", "shift_jis"))
    assert units.find("]]>", 0) == (7, 10)
    assert SourceText(Source(b"\x83]]>", "shift_jis")).find("]]>", 0) == (4, 4)
    assert SourceText(Source("é]]>".encode(), "utf-8")).find("]]>", 0) == (2, 5)
    assert SourceText(Source("é]]>")).find("]]>", 1) == (1, 4)


# --- contract


def test_places_come_in_document_order_and_those_of_one_element_together() -> None:
    found_places = places("<body style=1><svg style=2><a href=3 style=4><style>5</style></svg><style style=6>7</style>")
    assert [place.value for place in found_places] == [*"1234567"]
    assert [place.tag for place in found_places] == [0, 14, 27, 27, 45, 67, 67]


@pytest.mark.parametrize("encoding", [*ENCODINGS, "x-user-defined", "replacement", "koi8-r"])
def test_nothing_but_bytes_is_read_without_complaint(encoding: str) -> None:
    data = bytes(range(256)) * 3 + b"<a href='" + bytes(range(0x80, 0x100)) + b"'>\x1b$B<a href=x>"
    parsed = parse(data, encoding)
    assert parsed.apply([]) == data
    for number, place in enumerate(parsed.places):
        parsed.span(number, 0, len(place[3]))
        parsed.locate(number, None)


# hostile shapes: (what comes first, what is repeated, and what comes last)
SHAPES = {
    "less-than": ("", "<", ""),
    "comments": ("", "<!-- ", ""),
    "quotes": ("", "<a href='", ""),
    "tags": ("", "<a ", ""),
    "end tags": ("", '</a"', ""),
    "attributes": ("<a ", "href=x ", ">"),
    "ampersands": ("<a href='", "&", "'>"),
    "depth": ("", "<div>", ""),
    "heads": ("", "<!----><head profile=x>", ""),
    "svg depth": ("<svg>", "<g style>", ""),
    "svg end tags": ("<svg>" + "<g>" * 20000, "</path>", ""),
    "html in svg": ("<svg><desc>" + "<b>" * 20000, "</i>", ""),
    "svg and svg": ("", "<svg></p>", ""),
    "svg text": ("<svg><style>", "a<b ", ""),
    "tables": ("", "<table><td></caption>", ""),
    "tables in templates": ("", "<template><table>", ""),
    "selects": ("", "<select><select>", ""),
    "a frame far inside": ("", "<a href=1><p>", "<frame>"),
    "mathml and html": ("", "<math><mi>", "</div>" * 20000),
    "scripts": ("", "<script><!--<script></script>", ""),
    "one long line": ("", "<a href=é>", ""),
    "broken bytes": ("<a href='", "\udc81", "'>"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_time_is_linear(shape: str) -> None:
    beginning, repeated, end = SHAPES[shape]

    def reading(n: int) -> Callable[[], None]:
        data = (beginning + repeated * n + end).encode("utf-8", "surrogateescape")

        def run() -> None:
            parsed = parse(data, "utf-8")
            for number, place in enumerate(parsed.places):
                parsed.span(number, 0, len(place[3]))
                parsed.locate(number, 0)
                parsed.locate(number, None)

        return run

    assert_proportional(reading, 200)


def test_the_core_says_what_it_is() -> None:
    assert CORE.name == "source"
    assert CORE.summary
