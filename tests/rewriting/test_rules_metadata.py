"""Rules that were asked to change metadata too: what becomes of it, and that it still means the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from rehref.documents.base import clean

URL = "http://h/a/b.html"
CORES = ("source", "lxml", "html5lib")


def rewrite(html, rule, **options):
    options.setdefault("url", URL)
    return rehref.rewrite(html, rule, **options)


def targets(html, **options):
    options.setdefault("url", URL)
    return [link.target for link in rehref.links(html, **options) if link.element in ("meta", "script")]


def json_ld(text):
    return f'<script type="application/ld+json">{text}</script>'


PAGE = "<base href='/x/'><meta property=og:image content=i.png>" + json_ld('{"@id":"me","image":"/x/i.png"}')
MOVED = {"http://h/x/*": "https://n/"}
RULES = {
    "absolute": (
        rehref.Absolute,
        "<base href='http://h/x/'><meta property=og:image content=http://h/x/i.png>"
        + json_ld('{"@id":"http://h/x/me","image":"http://h/x/i.png"}'),
    ),
    "relative": (
        rehref.Relative,
        "<base href=''><meta property=og:image content=../x/i.png>" + json_ld('{"@id":"../x/me","image":"../x/i.png"}'),
    ),
    "mapping": (
        lambda **options: rehref.Mapping(MOVED, **options),
        "<base href='/x/'><meta property=og:image content=https://n/i.png>"
        + json_ld('{"@id":"https://n/me","image":"https://n/i.png"}'),
    ),
    "template": (
        lambda **options: rehref.Template("http://r/{uri}", **options),
        "<base href='http://r/http://h/x/'><meta property=og:image content=http://r/http://h/x/i.png>"
        + json_ld('{"@id":"http://r/http://h/x/me","image":"http://r/http://h/x/i.png"}'),
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_metadata_is_changed_on_request_only(name):
    make, expected = RULES[name]
    assert rewrite(PAGE, make(metadata=True)) == expected
    untouched = rewrite(PAGE, make())
    assert untouched.partition(">")[2] == PAGE.partition(">")[2]


@pytest.mark.parametrize("core", CORES)
def test_every_core_changes_metadata(core):
    written = rewrite(f"<!DOCTYPE html>{PAGE}", rehref.Relative(metadata=True), parser=core)
    assert targets(written) == targets(PAGE) == ["http://h/x/i.png", "http://h/x/me", "http://h/x/i.png"]
    assert "../x/me" in written


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize(
    "html",
    [
        "<p itemscope itemid=x itemtype=http://h/x/t></p>",
        "<head profile=x></head>",
        "<meta property=og:image content=''>",
        json_ld('{"@context":"http://h/x/c","@type":"x","name":"x","@graph":"@id"}'),
    ],
)
def test_identifiers_and_what_says_nothing_stay(name, html):
    make, _ = RULES[name]
    assert rewrite(html, make(metadata=True)) == html


def test_a_function_sees_metadata_without_being_asked_to():
    assert "new" in rewrite(PAGE, rehref.Mapping(lambda link: "new" if link.element == "meta" else None))


# --- @base


BELOW = json_ld('{"@context":{"@base":"/y/"},"@id":"me","image":"#i","url":"","sameAs":"http://o/","logo":"/l"}')


def test_what_is_relative_to_an_embedded_base_becomes_absolute_with_relative():
    assert rewrite("<base href='/x/'>" + BELOW, rehref.Relative(metadata=True)) == "<base href=''>" + json_ld(
        '{"@context":{"@base":"../y/"},"@id":"http://h/y/me","image":"http://h/y/#i","url":"",'
        '"sameAs":"http://o/","logo":"http://h/l"}'
    )


def test_a_base_in_json_ld_goes_into_the_template_and_what_is_below_it_too():
    written = rewrite(BELOW, rehref.Template("http://r/{uri}", metadata=True))
    found = json.loads(written.partition(">")[2].partition("<")[0])
    assert found["@context"]["@base"] == "http://r/http://h/y/"
    assert found["@id"] == "http://r/http://h/y/me"
    assert rewrite(written, rehref.Template("http://r/{uri}", metadata=True)) == written


def test_this_document_below_a_base_in_json_ld_goes_into_the_template():
    html = json_ld('{"@context":{"@base":"http://h/a/b.html"},"@id":"#me"}')
    written = rewrite(html, rehref.Template("http://r/{uri}", metadata=True))
    assert written == json_ld(
        '{"@context":{"@base":"http://r/http://h/a/b.html"},"@id":"http://r/http://h/a/b.html#me"}'
    )


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ({}, '{"@context":{"@base":"/y/"},"@id":"me","url":"/l"}'),
        ({"http://h/l": "http://n/l"}, '{"@context":{"@base":"/y/"},"@id":"me","url":"http://n/l"}'),
        ({"http://h/y/": "http://n/"}, '{"@context":{"@base":"http://n/"},"@id":"http://h/y/me","url":"http://h/l"}'),
        ({"http://h/y/*": "http://n/"}, '{"@context":{"@base":"http://n/"},"@id":"http://n/me","url":"http://h/l"}'),
    ],
)
def test_a_table_that_moves_a_base_in_json_ld_moves_nothing_else(table, expected):
    html = json_ld('{"@context":{"@base":"/y/"},"@id":"me","url":"/l"}')
    assert rewrite(html, rehref.Mapping(table, metadata=True)) == json_ld(expected)


def test_below_no_base_what_is_absolute_stays():
    html = json_ld('{"@context":{"@base":null},"@id":"http://h/a/x"}')
    assert rewrite(html, rehref.Relative(metadata=True)) == html


def test_a_base_element_that_goes_takes_no_empty_reference_with_it():
    html = "<base href='/x/'>" + json_ld('{"@id":""}')
    rule = rehref.Absolute(base_element="drop", metadata=True)
    assert rewrite(html, rule) == json_ld('{"@id":"http://h/x/"}')


def test_what_looks_like_a_keyword_does_not_come_about():
    html = json_ld('{"@id":"/a/@id"}')
    written = rewrite(html, rehref.Relative(metadata=True))
    assert written == json_ld('{"@id":"./@id"}')
    assert targets(written) == targets(html)


# --- the law of agreement


references = st.sampled_from(
    [
        *("", "#x", "x", "../x", "/x", "@id", "./@id", "b.html", "b.html#x"),
        *("//o/p", "http://h/a/y", "http://o/q", "urn:x:y"),
    ]
)
bases = st.none() | references
contexts = st.one_of(st.just({}), bases.map(lambda base: {"@context": {"@base": base}}))


def things(inside):
    return st.builds(lambda context, id_, more: {**context, "@id": id_, **more}, contexts, references, inside)


graphs = things(
    st.one_of(
        references.map(lambda reference: {"image": reference}),
        things(st.just({})).map(lambda thing: {"author": thing}),
    )
)
pages = st.builds(
    lambda base, content, graph: (
        ("" if base is None else f"<base href='{base}'>")
        + f"<meta property=og:url content='{content}'>"
        + json_ld(json.dumps(graph))
    ),
    bases,
    references.filter(bool),  # an empty one says nothing, and stays
    graphs,
)


@settings(max_examples=examples(200), deadline=None)
@given(pages, st.sampled_from(["absolute", "keep", "empty", "drop", "relative"]))
def test_metadata_means_the_same_when_it_is_read_again(html, name):
    rule = rehref.Relative(metadata=True) if name == "relative" else rehref.Absolute(name, metadata=True)
    written = rewrite(html, rule)
    assert targets(written) == targets(html)
    assert rewrite(written, rule) == written


@settings(max_examples=examples(200), deadline=None)
@given(pages)
def test_metadata_is_where_the_table_says_and_nowhere_else(html):
    table = {"http://h/x": "http://n/x", "http://h/a/b.html": "http://n/b.html"}
    written = rewrite(html, rehref.Mapping(table, metadata=True))

    before = [link for link in rehref.links(html, url=URL) if link.element in ("meta", "script")]
    for new, link in zip(targets(written), before, strict=True):
        document, mark, fragment = (link.target or "").partition("#")
        moved = table.get(document, document) + mark + fragment
        # what is this document by how it is written may stay
        assert (new or "") == moved or (clean(link.reference)[:1] in ("", "#") and new == link.target)
