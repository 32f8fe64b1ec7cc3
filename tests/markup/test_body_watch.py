"""`BodyWatch` says of every tag whether it is in the body, as tree construction does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rehref.markup._source.body_watch import BodyWatch
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.parsed import HTML, IN_BODY, IN_TEMPLATE, Wanted
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

NAMES = (
    *("html", "head", "body", "p", "br", "meta", "link", "noframes", "script"),
    *("style", "title", "noscript", "svg", "table", "plaintext"),
)
PIECES = (
    *(f"<{name}>" for name in NAMES),
    *(f"</{name}>" for name in [*NAMES, "x", "base"]),
    *("<BASE HREF=x>", "<base href=x>", "<base href=x>", "<base href=x>", " ", "\n", "&#32;", "&nbsp;", "x", "\0"),
    *("<!--x-->", "<!doctype html>", "<?x?>", "</>", "< ", "<title>x</title>"),
    *("<script><p></script>", "<STYLE></style>"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.booleans())
def test_it_agrees_with_tree_construction(source: str, scripting: bool) -> None:
    units = SourceText(Source(source))
    collector = PlaceCollector(units, Wanted(frozenset({"href"}), scripting=scripting))
    construct(collector)
    watch = BodyWatch(units, units.text, {}, scripting=scripting)
    for place in collector.places:
        if place.element == "base" and place.namespace == HTML:
            assert not place.flags & IN_TEMPLATE
            assert watch.has_begun(place.tag) == bool(place.flags & IN_BODY), place
