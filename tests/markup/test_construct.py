"""Tree construction in the source core: exact, and the fast scan never says anything else."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from types import ModuleType

import pytest

from rehref._native import TWIN
from rehref.markup import cores as registry
from rehref.markup._source import scan as scan_module
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup._source.scan import scan
from rehref.markup.cores import core
from rehref.markup.parsed import HTML, MATHML, SVG, Wanted
from rehref.markup.twin import twin_scan
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText
from suites.html5lib import numbered, tree_files

CORE = core()

_NAMES = (
    "html head body a p div b i span table tr td th tbody caption col colgroup form select option input template "
    "svg g math mi mo title desc foreignObject style script textarea frameset frame noframes noscript li ul h1 "
    "button nobr base link meta plaintext annotation-xml font img br object image hr optgroup iframe"
)
NAMES = _NAMES.split()
ATTRIBUTES = ("style={}", "href='{}'", 'src="{}"', "background={}", "class=c{}", "action={}", "color={}")
OTHERS = ("x", " ", "<!--<a href=1>-->", "<![CDATA[<a href=2>]]>", "<!doctype html>", "&amp;", "<", "</>")
WANTED = Wanted(
    frozenset({"style", "href", "src", "background"}), {"form": frozenset({"action"})}, frozenset({"style"})
)


def document(seed: int) -> str:
    """Markup in which anything may stand in anything."""
    draw = random.Random(seed)
    pieces = []
    for _ in range(draw.randint(1, 12)):
        kind = draw.random()
        if kind < 0.62:
            attribute = " " + draw.choice(ATTRIBUTES).format(draw.randint(0, 99)) if draw.random() < 0.6 else ""
            pieces.append(f"<{draw.choice(NAMES)}{attribute}{'/' if draw.random() < 0.1 else ''}>")
        elif kind < 0.88:
            pieces.append(f"</{draw.choice(NAMES)}>")
        elif kind < 0.95:
            pieces.append(draw.choice(OTHERS))
        else:
            pieces.append("<table><tr><td>")
    return "".join(pieces)


def test_the_fast_scan_finds_what_tree_construction_finds():
    different = []
    for seed in range(6_000):
        html = document(seed)
        exact = PlaceCollector(SourceText(Source(html)), WANTED)
        construct(exact)
        if sorted(CORE.parse(Source(html), WANTED).places, key=str) != sorted(exact.places, key=str):
            different.append(html)
    assert different == []


@pytest.mark.parametrize(
    ("html", "references"),
    [
        # a form in a form; in a template it is one of its own
        ("<form action=1><form action=2></form><form action=3>", "13"),
        ("<form action=1><template><form action=2></form></template><form action=3>", "12"),
        # parts of tables
        ("<td background=1><table><td background=2></table><tr style=3>", "2"),
        ("<table><tr><td><table><td background=1></table><td background=2></table><td background=3>", "12"),
        ("<table><table><td style=1></table><td style=2></table>", "1"),
        ("<template><td style=1></template><template><col><a href=2></template>", "1"),
        # framesets
        ("<a href=1></a><frameset><frame src=2><a href=3></frameset><a href=4>", "2"),
        ("<body><a href=1>x</a><frameset><frame src=2>", "1"),
        ("<p href=1><html href=2><svg><html href=3></svg><frameset><frame src=4>", "24"),
        ("<frame src=1><iframe src=2>", "2"),
        # "after head", anything else: "set the frameset-ok flag to ok", which a template in the head has changed
        ("<template></template><a href=1><frameset><frame src=2>", "2"),
        ("<template>x</template><p href=1><frameset><frame src=2>", "2"),
        ("<template href=1></template><body href=2><frameset><frame src=3>", "12"),
        ("<p href=1><template href=2></template><frameset><frame src=3>", "12"),
        # "in template": base, title … are for "in head", and the mode stays the same
        ("<template><base href=1><td href=2></template>", "12"),
        ("<template><title></title><tr href=1></template>", "1"),
        # "in table": a form in a template is inserted, and the form element pointer does not count
        ("<template><table><form action=1><form action=2></template><form action=3>", "123"),
        ("<form action=1><template><table><form action=2></template><form action=3>", "12"),
        # an end tag in foreign content is compared in lower case, and there is an HTML element of that name
        ("<foreignObject><svg></foreignObject><td href=1><rect href=2>", "2"),
        # one html and one body
        ("<html style=1><body style=2><html style=3 href=4><body style=5 background=6>", "1246"),
        ("<p><head style=1><a href=2>", "2"),
        ("<head style=1><a href=2>", "12"),
        # a select in an object is in the select around that no longer: the end tag is ignored
        ("<select><object></select></object><select style=1>", ""),
        # selects
        ("<select style=1><select style=2></select>", "1"),
        ("<select style=1></select><select style=2><a href=3></select>", "123"),
        # what is around a select is not in scope in it, so its end tag is ignored there
        ("<div><select><svg></div><image href=1>", "1"),
        ("<button><select><svg></button><image href=1>", "1"),
        ("<li><select><svg></li><image href=1>", "1"),
        # a template that a column begins contains columns only
        ("<table><caption><template><col><table background=1><a href=2>", ""),
        # foreign content that ends where it should not, or does not where a raw text element does
        ("<svg><title style=1><title></title><td style=2><a style=3>", "13"),
        ("<div><svg><g></div><g style=1></g>", "1"),
        ("<svg><desc><div><a href=1></desc></svg><title><a href=2></title>", "1"),
    ],
)
def test_what_tree_construction_leaves_of_a_document(html, references):
    assert sorted(value for _, _, _, value, *_ in CORE.parse(Source(html), WANTED).places) == list(references)


@pytest.fixture
def lexbor() -> ModuleType:
    """The core of the example, whose trees lexbor builds."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))
    try:
        import selectolax_core
    finally:
        sys.path.pop(0)
    return selectolax_core


@pytest.mark.parametrize(
    ("html", "references"),
    [
        ("<table><svg><td/></svg><table></table><td background=1></table><td background=2>", ""),
        ("<table><td><svg><td/></svg><table></table><td background=1></table><td background=2>", "1"),
        ("<table><svg><td background=1></td></svg><tr><td background=2></table><td background=3>", "12"),
        ("<table><caption><math><td background=1 /></math><table></table><td background=2></table>", "12"),
        ("<svg><table background=1></svg><td background=2></table><td background=3>", "12"),
    ],
)
def test_in_foreign_content_no_tag_is_a_part_of_a_table(html: str, references: str, lexbor: ModuleType):
    source = Source(html)
    exact = PlaceCollector(SourceText(source), WANTED)
    construct(exact)
    trees = [core.parse(source, WANTED).places for core in (CORE, registry.core("html5lib"), lexbor)]
    for places in (scan(SourceText(source), WANTED), exact.places, *trees):
        assert [place.value for place in places] == list(references)


@pytest.mark.parametrize(
    ("html", "references"),
    [
        # the head: what may be before it, and what begins it
        ("<head style=1><link href=2></head><head style=3><p><head style=4>", "12"),
        (" <!--x--><!doctype html></p></x><html style=1> <head style=2>", "12"),
        ("<?x><html><!--y--></ z><HTML href=1>\t<HEAD style=2 href=3>", "123"),
        ("</br><head style=1>", ""),
        ("</head><head style=1>", ""),
        ("</body><head style=1>", ""),
        ("</html><head style=1><a href=2>", "2"),
        ("x<head style=1>", ""),
        ("<<head style=1>", ""),
        ("\u00a0<head style=1>", ""),
        ("<title></title><head style=1>", ""),
        ("<template><head style=1></template><head style=2>", ""),
        ("<body style=1><head style=2>", "1"),
        ("<html><html style=1><head style=2><html href=3><head href=4>", "123"),
        # a table in a table ends that, unless it begins in a cell or caption
        ("<table style=1><table style=2><td style=3></table><td style=4>", "123"),
        ("<table><tr><table><td style=1></table><td style=2></table><td style=3>", "1"),
        ("<table><tr><td><table><td style=1></table><td style=2></table><td style=3>", "12"),
        ("<table><caption><table><td style=1></table><td style=2></table><td style=3>", "12"),
        ("<table><caption></caption><table></table><td style=1>", ""),
        ("<table><td></td><table></table><td style=1>", ""),
        ("<table><td></th><table></table><td style=1></table><td style=2>", "1"),
        ("<table><td></tr><table></table><td style=1>", ""),
        ("<table><td></tbody><table></table><td style=1>", ""),
        ("<table><td></thead><table></table><td style=1></table><td style=2>", "1"),
        ("<table><thead><th></thead><table></table><td style=1>", ""),
        ("<table><thead><th></tbody><table></table><td style=1></table><td style=2>", "1"),
        ("<table><td></caption></colgroup><table></table><td style=1></table><td style=2>", "1"),
        ("<table><caption></tr></td></tbody><table></table><td style=1></table><td style=2>", "1"),
        ("<table><td><col style=1><table></table><td style=2>", "1"),
        ("<table><td><tr style=1><table></table><td style=2>", "1"),
        ("<table><td><caption style=1><table></table><td style=2></table><td style=3>", "12"),
        ("<table><td><div><p></table><td style=1>", ""),
        ("<table><td></div></p></form></body></html><table></table><td style=1></table><td style=2>", "1"),
        # in a template as outside of it
        ("<table><td><template><table><tr><table><td style=1></template><table></table><td style=2>", "12"),
        ("<template><table></template></table><table><td style=1></table><td style=2>", "1"),
        # a noscript in the head ends at what is not of the head
        ("<noscript style=1><link href=2></noscript><noscript style=3>", "123"),
        ("<noscript style=1><p style=2></noscript><noscript style=3>", "123"),
        ("<body><noscript style=1><img src=2></noscript><template><noscript style=3></template>", "123"),
        # an end tag in foreign content closes what is open inside its element
        ("<svg><g><path style=1></g><a href=2></svg><a href=3>", "123"),
        ("<svg><g><rect><a></svg><td style=1><title>x</title><a href=2>", "2"),
        ("<math><mrow><x></MROW><td style=1 /></math><td style=2>", "1"),
        ("<svg><CLIPPATH><g></clippath><td style=1 /></svg><td style=2>", "1"),
    ],
)
def test_the_scan_needs_no_tree_for_most_of_what_is_misnested(
    html: str, references: str, lexbor: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source(html)
    exact = PlaceCollector(SourceText(source), WANTED)
    construct(exact)
    trees = [core.parse(source, WANTED).places for core in (registry.core("html5lib"), lexbor)]
    monkeypatch.setattr(scan_module, "construct", lambda _: pytest.fail("the scan stopped"))
    found = [scan(SourceText(source), WANTED), exact.places, *trees]
    if TWIN is not None and html.isascii():
        twins = twin_scan(SourceText(source), WANTED)
        assert twins is not None
        found.append(list(twins))
    for places in found:
        assert sorted(place.value for place in places) == list(references)


def test_every_start_tag_of_the_suite_makes_what_it_makes_in_lexbor(suites: Path, lexbor: ModuleType):
    wanted = Wanted(frozenset({"m"}))
    shown = {HTML: "", SVG: "svg ", MATHML: "math "}
    compared, different = 0, []
    for case in (case for cases in tree_files(suites) for case in cases):
        html = numbered(case.document)
        ours, theirs = (
            {(shown[namespace] + element, value) for element, namespace, _, value, *_ in found.places}
            for found in (CORE.parse(Source(html), wanted), lexbor.parse(Source(html), wanted))
        )
        compared += 1
        if ours != theirs:
            different.append((html, ours ^ theirs))
    assert compared > 1100
    assert different == []
