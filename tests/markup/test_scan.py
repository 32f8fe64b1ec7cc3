"""The scan, and its compiled twin, find what tree construction finds: the same places, on any markup."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from documents.test_base_lint import PIECES as PIECES_AROUND_BASES
from examples import examples
from markup.asked_of_cores import wanted_in_html
from rehref._native import TWIN
from rehref.documents.options import ReadOptions
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup._source.scan import scan
from rehref.markup.cores import core
from rehref.markup.parsed import Place, Wanted
from rehref.markup.twin import twin_scan
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText, recoded

SELECTIONS = (
    ReadOptions(),
    ReadOptions(scripting=True, conditional_comments=True, attributes=("data-src", "img@class")),
)

quotes = st.sampled_from(['"{}"', '"{}"', '"{}"', "'{}'", "{}"])
values = st.sampled_from(
    ["x", "a/b.c#d", "é", "a&amp;b", "&copy=1", "a\r\nb", "\0", "", "url(i)", "url(&quot;", "x/", "<a href=", ">"]
)
# fmt: off
names = st.sampled_from(
    [
    "class", "id", "title", "href", "src", "rel", "type", "name", "content", "style", "srcset", "value",
    "action", "data", "alt", "xlink:href", "fill", "HREF", "Src", "ping", "d",
    ]
)
attributes = st.builds(
    lambda space, name, equals, quote, value: space + name + equals + quote.format(value) if equals else space + name,
    st.sampled_from([" ", " ", " ", "\n", "/", ""]),
    names,
    st.sampled_from(["=", "=", "=", " = ", ""]),
    quotes,
    values,
)
elements = st.sampled_from(
    [
    "a", "A", "span", "p", "div", "li", "img", "link", "meta", "script", "input", "button", "base", "use",
    "svg", "path", "circle", "g", "form", "td", "tr", "table", "noscript", "b",
    ]
)
# fmt: on
tags = st.builds(
    lambda element, attributes, end: f"<{element}{''.join(attributes)}{end}",
    elements,
    st.lists(attributes, max_size=4),
    st.sampled_from([">", ">", ">", "/>", " />", " >", ""]),
)
pieces = st.one_of(
    tags,
    tags,
    st.builds("</{}>".format, elements),
    st.sampled_from(
        [
            *(
                'text "quoted" ',
                '"',
                "<",
                "</",
                "<!",
                "<!-->",
                "<!--->",
                "<!-- <a href=no> -->",
                "<!--a--!>",
                "<!-- - -- >",
                "-->",
            ),
            *(
                "<!doctype html>",
                "<?php '>' ?>",
                "<!x '>",
                "<title>a</title>",
                "<title><a href=n></title>",
                "</FORM>",
                "</x y='>'>",
            ),
            *("<script>'<a href=n>'</script>", "<script><!--<script></script></script>", "<script src='a'></script>"),
            *(
                '<script src="a"></script>',
                '<script src="a">x</script>',
                '<script type="importmap">{}</script>',
                "<style>x</style>",
            ),
            *('<svg class="i"><path d="M0"/></svg>', "<svg><path></circle></svg>", "<svg><path d=x/></svg>", "<svg/>"),
            *(
                '<svg><use href="#i"/></svg>',
                '<svg a="b"> <use xlink:href="#i"></use> </svg>',
                "<!--[if IE]><a href=n><![endif]-->",
                "<!--[if IE]><a href=n>--!>",
                "<!--[if",
            ),
            *("<svg>", "</svg>", "<math>", "<mi>", "<desc>", "<![CDATA[x]]>", "<![CDATA[", "<style>url(x)"),
            *("<template>", "</template>", "<select>", "</select>", "<table>", "</table>", "<td>", "</td>", "<tr>"),
            *("<body background=b>", "<body style='url(i)' style=x>", "<html itemtype=t>", "<head>", "</head>"),
            *("<body style=x>", "<noscript>", "</noscript>", "<plaintext>", "<frameset>", "<x-y style='url(i)'>"),
            *(
                "</frameset>",
                "<frame src=f>",
                "<noframes>",
                "<template><tr style=x>",
                "<template><td style=x>",
                "<tbody>",
            ),
            *(
                "<\u212a href=x>",
                "<caf\u00e9 style='url(i)'>",
                "<textarea>",
                "</textarea>",
                "<font face=f>",
                "<caption>",
            ),
        ]
    ),
)
documents = st.lists(pieces, max_size=8).map("".join)


def constructed(units: SourceText, wanted: Wanted) -> list[Place]:
    collector = PlaceCollector(units, wanted)
    construct(collector)
    return collector.places


@settings(max_examples=examples(500), deadline=None)
@given(documents, st.sampled_from(SELECTIONS), st.sampled_from([None, "utf-8", "shift_jis", "utf-16le"]))
@example('<a class="c" href="x" href="y" rel="z"', SELECTIONS[0], None)
@example('"<a href="x">"<a href="y"', SELECTIONS[0], "utf-8")
@example('<svg><path d="M0"/></svg><a href="x"><svg class="a"><use href="#i"></use></svg>', SELECTIONS[0], None)
@example("<table><svg><td/></svg><table></table><td background=y></table><td background=z>", SELECTIONS[0], "utf-8")
@example("<body style='color:red'><body style='background:url(x)'>", SELECTIONS[0], "utf-8")
@example(
    '<p class=\'<a href=x>\'><p class="<a href=x>"><p class="<script>"><p class="<!--"><a href=y>',
    SELECTIONS[0],
    "utf-8",
)
@example("<template><!--[if x--></template>", SELECTIONS[1], "utf-8")
@example("<svg><style><x\u30a2></x\u30a1>k{b:url(a)}</style></svg>", SELECTIONS[0], "shift_jis")
def test_the_scan_and_its_twin_find_what_tree_construction_finds(
    html: str, selection: ReadOptions, encoding: str | None
) -> None:
    wanted = wanted_in_html(selection)
    units = SourceText(Source(html if encoding is None else html.encode(encoding, "replace"), encoding))
    meant = constructed(units, wanted)
    assert scan(units, wanted) == meant
    found = twin_scan(units, wanted)
    assert found is None or found == meant


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_tag_that_the_end_cuts_off_is_not_a_tag(selection: ReadOptions) -> None:
    wanted = wanted_in_html(selection)
    whole = '<p><a class="c" href="x" ping="y"><img src="z" srcset="q 1x">'
    for end in range(len(whole)):
        units = SourceText(Source(whole[:end]))
        assert scan(units, wanted) == constructed(units, wanted)
        assert TWIN is None or twin_scan(units, wanted) == constructed(units, wanted)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
def test_the_twin_reads_ordinary_pages_itself() -> None:
    wanted = wanted_in_html(ReadOptions())
    page = "<!doctype html><title>t</title><base href=/b/><body><svg><use href='#i'/></svg><table><td><a href=x&amp;y>"
    found = twin_scan(SourceText(Source(page.encode(), "utf-8")), wanted)
    assert found is not None
    assert [place[3] for place in found] == ["/b/", "#i", "x&y"]


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
@pytest.mark.parametrize(
    ("html", "values"),
    [
        (
            "<title></title><script><p></script></head> <frameset><frame src=1><svg><a href=n></frameset><frame src=n>",
            "1",
        ),
        (
            "<html><base href=1><frameset rows=x><frameset><frame src=2></frameset><noframes><a href=n></noframes>",
            "1x2",
        ),
        ("<frame src=n><template><frameset><frame src=n></template>", ""),
        ("<template><tr background=1><td background=2><tbody background=3>", None),
        ("<template>x<td background=1></td><td background=2><table background=3><tr background=4>", "1234"),
        ("<template><thead background=1><td background=2><caption background=3>", "123"),
        ("<template><p href=1><tr background=n></template><tr background=n>", "1"),
        ("<template><tr background=1><table background=n>", None),
        ("<p><frameset><frame src=2>", None),
    ],
)
def test_the_twin_reads_framesets_and_parts_of_tables_in_templates_itself(html: str, values: str | None) -> None:
    selection = ReadOptions(attributes=("frameset@rows", "p@href", "caption@background"))
    wanted = wanted_in_html(selection)
    found = twin_scan(SourceText(Source(html.encode(), "utf-8")), wanted)
    assert (None if found is None else "".join(place.value for place in found)) == values


@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252"])
@pytest.mark.parametrize("page", [b"<base href=x>", b"<frameset><frame src=x>", b"<head profile=x><a href=y>"])
def test_a_mark_that_is_no_byte_order_mark_is_text(page: bytes, encoding: str) -> None:
    wanted = wanted_in_html(ReadOptions())
    units = SourceText(Source(b"\xef\xbb\xbf" + page, encoding))
    assert list(scan(units, wanted)) == list(constructed(units, wanted))
    assert TWIN is None or twin_scan(units, wanted) is None


@given(st.lists(st.sampled_from(PIECES_AROUND_BASES), max_size=14).map("".join), st.booleans())
def test_the_core_says_of_a_base_what_tree_construction_says(html: str, scripting: bool) -> None:
    wanted = Wanted(frozenset({"href"}), {"base": frozenset({"target"})}, scripting=scripting)
    in_utf8 = recoded(Source(html))
    exact = constructed(SourceText(Source(html) if in_utf8 is None else in_utf8.source), wanted)
    assert sorted(core().parse(Source(html), wanted).places, key=str) == sorted(exact, key=str)
