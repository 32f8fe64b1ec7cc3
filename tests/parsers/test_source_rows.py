"""The fast scan of what pages are full of finds what tree construction finds, which reads tag by tag."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rehref.documents.names import carrier_names
from rehref.documents.selection import Selection, extra
from rehref.parsers.contract import HTML, Source, Wanted
from rehref.parsers.source import CORE, scan
from rehref.parsers.source.construction.run import construct
from rehref.parsers.source.reading import Reading
from rehref.parsers.units import Units

SELECTIONS = (
    Selection(),
    Selection(scripting=True, conditional_comments=True, attributes=(extra("data-src"), extra("img@class"))),
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
            ),
        ]
    ),
)
documents = st.lists(pieces, max_size=8).map("".join)


def constructed(source: Source, wanted: Wanted) -> list[tuple[object, ...]]:
    reading = Reading(Units(source), wanted)
    construct(reading)
    return list(reading.places)


def looked_at(places, wanted):
    """The places that a core may not pass over."""
    kept = [
        place
        for place in places
        if (place[2] or "").lower() not in wanted.calls or "(" in place[3]
        if not ((place[2] or "").lower() in wanted.foreign and place[1] == HTML)
    ]
    deciding = wanted.deciding
    alone = {place[6] for place in kept} - {
        place[6] for place in kept if place[2] not in deciding or place[0] == "base"
    }
    return [place for place in kept if place[6] not in alone]


@settings(max_examples=1500, deadline=None)
@given(documents, st.sampled_from(SELECTIONS), st.sampled_from([None, "utf-8", "shift_jis"]), st.integers(1, 99))
@example('<a class="c" href="x" href="y" rel="z"', SELECTIONS[0], None, 9)
@example('"<a href="x">"<a href="y"', SELECTIONS[0], "utf-8", 9)
@example('<svg><path d="M0"/></svg><a href="x"><svg class="a"><use href="#i"></use></svg>', SELECTIONS[0], None, 9)
def test_the_fast_scan_finds_what_tree_construction_finds(
    html: str, selection: Selection, encoding: str | None, stretch: int
) -> None:
    wanted = carrier_names(selection).wanted
    source = Source(html if encoding is None else html.encode(encoding, "replace"), encoding)
    meant = looked_at(constructed(source, wanted), wanted)
    assert looked_at(CORE.parse(source, wanted).places, wanted) == meant
    # however far is scanned at once
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scan, "STRETCH", stretch)
        assert looked_at(CORE.parse(source, wanted).places, wanted) == meant


@pytest.mark.parametrize("selection", SELECTIONS)
def test_a_tag_that_the_end_cuts_off_is_none(selection: Selection) -> None:
    wanted = carrier_names(selection).wanted
    whole = '<p><a class="c" href="x" ping="y"><img src="z" srcset="q 1x">'
    for end in range(len(whole)):
        source = Source(whole[:end])
        assert looked_at(list(CORE.parse(source, wanted).places), wanted) == looked_at(
            constructed(source, wanted), wanted
        )
