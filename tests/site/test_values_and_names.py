"""The values and names of a page (documents/table), read by the compiled twin and without it."""

from __future__ import annotations

import re
from itertools import islice
from random import Random
from typing import Any

import pytest
from site_parts import context_of

from native.comparing import without_twin
from native.generating import FIXTURES, texts
from rehref._native import TWIN
from rehref.documents.link import Values
from rehref.markup.twin import TwinScan
from rehref.site._pages.targets import Targets
from rehref.site.check_options import CheckOptions

SITES = ("file:///srv/", "http://h.example/a/")
_ENDINGS = {".html", ".xhtml", ".xml", ".svg", ".css", ".txt", ".md", ".webmanifest"}
needs_twin = pytest.mark.skipif(TWIN is None, reason="there is no compiled twin")


def _located(uri: str) -> tuple[object, ...]:
    """Everything below `x` is outside, and some of what is missing escapes."""
    return None, "escapes-site" if "y" in uri else "", "", True


def page_of(data: bytes, *, site: str = SITES[0], ending: str = ".html", **options: Any) -> Any:
    return context_of(site, _located, **options).page(f"a/b/page{ending}", data)


def _places(page: Any) -> dict[str, list[int]]:
    found = page.values
    places: dict[str, list[int]] = {value: [] for value in found.texts}
    for number, place in zip(found.numbers, found.places, strict=True):
        places[found.texts[number]].append(place)
    assert [len(numbers) for numbers in places.values()] == found.counts, "each value is listed once"
    return places


def _used(used: Any) -> tuple[object, ...]:
    judged = sorted((value, target) for value, _, target in used.judged())
    others = sorted((other.reference.place, other.target or "", other.odd) for other in used.others)
    return judged, sorted(used.odd), sorted(used.wrong), others, used.links, used.skipped


def _told(page: Any) -> tuple[object, ...]:
    """All that matters of a page."""
    names = page.name_table
    # what may not be asked for is not looked up at once
    narrowed = page.context.scope._replace(options=CheckOptions(exclude=(re.compile("never"),)))
    return (
        list(names.named.items()),
        names.doubles,
        names.maps,
        names.may_refresh,
        _places(page),
        dict(zip(page.values.texts, page.values.targets, strict=True)),
        page.is_at_own_base,
        page.document.base.uri,
        *(_used(Targets(context).of(page)) for context in (page.context, page.context._replace(scope=narrowed))),
    )


def differs(data: bytes, site: str, **options: Any) -> tuple[object, ...] | None:
    """What the twin reads in a page that is not what is there, and that; None if there is nothing."""
    by_twin = _told(page_of(data, site=site, **options))
    with without_twin():
        without = _told(page_of(data, site=site, **options))
    return next((pair for pair in zip(by_twin, without, strict=True) if pair[0] != pair[1]), None)


@pytest.mark.sampled(2)
@needs_twin
@pytest.mark.parametrize("site", SITES)
def test_the_twin_reads_the_same_in_fixtures(site: str) -> None:
    files = [path for path in FIXTURES.rglob("*") if path.is_file() and path.suffix in _ENDINGS]
    assert {path.suffix for path in files} == _ENDINGS
    different = (
        (path.name, found)
        for path in files
        if (found := differs(path.read_bytes(), site, ending=path.suffix)) is not None
    )
    assert list(different) == []


@pytest.mark.sampled(3)
@needs_twin
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_the_twin_reads_the_same_in_made_pages(seed: int, encoding: str) -> None:
    chance = Random(seed)
    for text in islice(texts(chance), 250):
        names = "".join(f"<p id='{name}'><a name={name} href='#{name}'>" for name in chance.sample("xéa&cy", 3))
        data = f"{names}{text}<meta http-equiv=refresh>".encode(encoding, "replace")
        site, scripting = chance.choice(SITES), chance.random() < 0.2
        assert differs(data, site, scripting=scripting) is None, data


@needs_twin
def test_the_twin_leaves_few_places() -> None:
    page = page_of(b"<link rel=stylesheet href=a><p id=b><a href='#b'><a href=c?d&amp;e>" * 2)
    assert isinstance(page.parsed.places, TwinScan)
    found = page.values
    assert list(zip(found.texts, found.counts, found.targets, strict=True)) == [
        ("a", 2, "/a/b/a"),
        ("#b", 2, Values.HERE),
        ("c?d&e", 2, "/a/b/c?d&e"),
    ]
    assert page.name_table.doubles == [7]
    assert page.parsed.places._known == {}, "no place was made"


def test_an_id_that_is_written_otherwise_is_a_double_too() -> None:
    page = page_of("<p id='a&lt;'><p id='a<'><p id='b'><p id=é><p id='&eacute;'><meta charset=utf-8>".encode())
    assert page.name_table.doubles == [1, 4]
    assert list(page.names) == ["a<", "b", "é"]


def test_where_browsers_have_another_base_nothing_is_said_to_be_plain() -> None:
    markup = rb"<base href='https://h.example\a\b/'><a href=x>"
    used = Targets(page_of(markup).context).of(page_of(markup))
    assert used.odd == {"x"}, "a browser goes elsewhere"
    ignoring = context_of(SITES[0], _located, ignore_embedded_base=True)
    assert Targets(ignoring).of(ignoring.page("a.html", markup)).odd == set()


FEED = b"""<feed xmlns='http://www.w3.org/2005/Atom' %s><link href=' a '/><link href='a'/><link href=''/>
<icon> b </icon><icon/><entry><link rel='enclosure' href='../c'/>
<content type='html'>&lt;a href='d'></content></entry></feed>"""


@needs_twin
@pytest.mark.parametrize("base", [b"", b"xml:base='http://h.example/z/'", b"xml:base='http://h.example/a/b/'"])
def test_the_twin_reads_the_same_in_a_feed(base: bytes) -> None:
    assert differs(FEED % base, SITES[1], ending=".atom") is None


def test_white_space_is_no_part_of_a_value_and_an_empty_one_is_a_value_if_it_means_the_page() -> None:
    page = page_of(FEED % b"", site=SITES[1], ending=".atom")
    assert page.values.texts == ["a", "", "b", "../c"]
    assert page.values.targets == ["/a/b/a", Values.HERE, "/a/b/b", "/a/c"]
    assert page.values.counts == [2, 1, 1, 1]
    assert [page.parsed.places[number].element for number in page.values.others] == ["content"]
