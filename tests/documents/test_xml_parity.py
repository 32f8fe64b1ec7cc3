"""The two ways to read XML give the same links.

Every fixture and every feed of the suite is read both ways. Of a link everything is compared but where it stands.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rehref.base import Layers
from rehref.documents.document import Document
from rehref.documents.formats import xml
from rehref.documents.link import Link
from rehref.options import ReadOptions
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rules.absolute import Absolute
from rehref.text.declared_encoding import sniff_xml
from rehref.text.source import Source

NAMES = ("*.xml", "*.svg", "*.atom", "*.rss", "*.xhtml", "*.opf", "*.ncx")
FIXTURES = sorted(path for name in NAMES for path in (Path(__file__).resolve().parents[2] / "fixtures").glob(name))


def document(data: bytes | str, parser: str, name: str) -> Document:
    layers, how = Layers(retrieval=f"https://www.example.org/fixtures/{name}"), ReadOptions(parser=parser)
    if isinstance(data, str):
        return xml.read(Source(data), layers, how)
    sniffed = sniff_xml(data, None)
    return xml.read(Source(data, sniffed.name, sniffed.bom), layers, how)


def row(link: Link) -> tuple[object, ...]:
    return (
        *(link.element, link.attribute, link.reference, link.target, link.kind),
        *(link.base.uri, link.base.origin, link.same_document, *(problem.code for problem in link.problems)),
    )


def rows(data: bytes | str, parser: str, name: str) -> list[tuple[object, ...]]:
    return [row(link) for link in document(data, parser, name).links()]


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_every_fixture(path: Path) -> None:
    data = path.read_bytes()
    assert rows(data, "lxml", path.name) == rows(data, "source", path.name)


def test_every_feed_of_the_suite(suites: Path) -> None:
    paths = sorted((suites / "xmlbase").glob("*.xml"))
    assert len(paths) > 95
    for path in paths:
        data = path.read_bytes()
        assert rows(data, "lxml", path.name) == rows(data, "source", path.name), path.name


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.name)
def test_identity_and_agreement_in_lxml(path: Path) -> None:
    data = path.read_bytes()
    read = document(data, "lxml", path.name)
    assert rewrite_document(read, lambda link: None).data == data
    links = [link.target for link in read.links()]
    once = rewrite_document(read, Absolute()).data
    assert [link.target for link in document(once, "lxml", path.name).links()] == links
