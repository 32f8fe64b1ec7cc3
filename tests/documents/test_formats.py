"""The formats: each has one shape, and a media type that leads to it; and JSON-LD: documents, RDFa, manifests."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import rehref
from rehref.documents import media_types
from rehref.documents._formats import DocumentFormat
from rehref.documents.base import Layers
from rehref.documents.media_types import MediaType, Reader
from rehref.documents.options import ReadOptions
from rehref.text.encoding import Source

FORMATS = get_args(Reader)
URL = "http://h/a/d.jsonld"
TYPE = "application/ld+json"
TEXT = '{"@context": {"@base": "http://b/c/", "me": {"@type": "@id"}}, "@id": "x", "me": "../é", "url": "y z"}'


@pytest.mark.parametrize("name", FORMATS)
def test_each_has_a_module_that_reads_and_sniffs(name: str) -> None:
    form = import_module(f"rehref.documents._formats.{name.replace('-', '_')}").FORMAT
    assert isinstance(form, DocumentFormat)
    document = form.read(Source(b"", "utf-8"), Layers(retrieval="http://h/"), ReadOptions.DEFAULT)
    assert list(document.links()) == []
    assert document.base.uri == document.own.uri == "http://h/"
    assert form.sniff(b"", None, False).name in ("utf-8", "windows-1252")


def test_each_has_a_media_type() -> None:
    assert {MediaType(each).reader for each in media_types._READERS} == set(FORMATS)


def test_extensions_lead_to_types_that_are_read() -> None:
    assert all(each.reader is not None for each in MediaType.BY_EXTENSION.values())


@pytest.mark.parametrize(
    ("name", "content", "reference"),
    [
        ("s.CSS", "@import 'a.css';", "a.css"),
        ("d.JSONLD", '{"@id": "x"}', "x"),
        ("t.txt", "http://h/", "http://h/"),
    ],
)
def test_a_file_is_known_by_its_name(tmp_path: Path, name: str, content: str, reference: str) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    (link,) = rehref.links(file)
    assert link.target == (f"{tmp_path.as_uri()}/{reference}" if ":" not in reference else reference)
    assert rehref.links(file, media_type="text/html") == []


# --- JSON-LD


def test_the_references_of_a_json_ld_document() -> None:
    for source in (TEXT, TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode()):
        links = rehref.links(source, url=URL, media_type=TYPE)
        assert [(link.kind, link.target) for link in links] == [
            *(("metadata", "http://b/c/"), ("metadata", "http://b/c/x"), ("metadata", "http://b/é")),
        ]
        assert [link.element for link in links] == ["json-ld"] * 3
        for link in links:
            written = source[slice(*link.span or ())]
            assert (written if isinstance(written, str) else written.decode()) == link.reference


def test_metadata_is_rewritten_on_request_only() -> None:
    text = '{"@context": "http://schema.org", "@id": "x", "url": "/y", "sameAs": ["http://o/", "\\u0078"]}'
    assert rehref.rewrite(text, url=URL, media_type=TYPE) == text
    absolute = rehref.rewrite(text, rehref.Absolute(metadata=True), url=URL, media_type=TYPE)
    assert absolute == (
        '{"@context": "http://schema.org", "@id": "http://h/a/x", "url": "http://h/y", '
        '"sameAs": ["http://o/", "http://h/a/x"]}'
    )
    assert rehref.rewrite(absolute, rehref.Absolute(metadata=True), url=URL, media_type=TYPE) == absolute


@pytest.mark.parametrize("text", ["", "[", "no json", '{"@id": 1}', "\x00"])
def test_what_has_no_references_stays(text: str) -> None:
    assert rehref.rewrite(text, rehref.Absolute(metadata=True), url=URL, media_type=TYPE) == text


def test_a_lone_surrogate_is_escaped_where_it_is_written() -> None:
    text = '{"@id": "\ud800"}'
    (link,) = rehref.links(text, url=URL, media_type=TYPE)
    written = rehref.rewrite(text, rehref.Absolute(metadata=True), url=URL, media_type=TYPE)
    assert written == text.replace("\ud800", str(link.target).replace("\ud800", r"\ud800"))


def test_json_is_read_if_it_looks_like_a_manifest() -> None:
    for source in ('{"start_url": "x"}', b'{"start_url": "x"}', b'\xef\xbb\xbf{"start_url": "x"}'):
        (link,) = rehref.links(source, url="http://h/a/m", media_type="application/json; charset=utf-8")
        assert link.target == "http://h/a/x"
    with pytest.raises(ValueError, match="'application/json' cannot be read"):
        rehref.links('{"id": "x"}', url="http://h/a/m", media_type="application/json")


def test_about_and_resource_of_rdfa_are_metadata() -> None:
    html = (
        "<p about=x resource=' ../y '></p><p about='[dbr:x]' resource='_:b'></p><a about='' href=z></a>"
        "<svg><path about='u'/></svg>"
    )
    links = rehref.links(html, url="http://h/a/b")
    assert [(link.attribute, link.kind, link.target) for link in links] == [
        *(("about", "metadata", "http://h/a/x"), ("resource", "metadata", "http://h/y")),
        *(("about", "metadata", "http://h/a/b"), ("href", "hyperlink", "http://h/a/z")),
        ("about", "metadata", "http://h/a/u"),
    ]
    xhtml = f"<html xmlns='http://www.w3.org/1999/xhtml'>{html}</html>".replace("=x", "='x'").replace("=z", "='z'")
    assert [link.target for link in rehref.links(xhtml, url="http://h/a/b", media_type="text/xml")] == [
        link.target for link in links
    ]
    assert rehref.rewrite(html, rehref.Absolute(metadata=True), url="http://h/a/b") == html.replace(
        "href=z", "href=http://h/a/z"
    )
