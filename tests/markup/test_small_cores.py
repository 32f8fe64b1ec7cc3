"""A core of another package, which knows no more than `Parsed` asks for."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rehref import Absolute
from rehref.documents.base import Layers
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.markup.cores import core
from rehref.markup.parsed import Edit, Parsed, Place, Wanted
from rehref.rewriting.edits import rewrite_document
from rehref.text.encoding import Source

CORE = core()

PAGE = b'<p><a href="b">b</a><iframe srcdoc="<a href=c>"></iframe>'


class Small:
    """What it has read, without all that other cores may know."""

    def __init__(self, parsed: Parsed) -> None:
        self._parsed = parsed
        self.places: Sequence[Place] = list(parsed.places)
        self.direct = parsed.direct

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        return self._parsed.positions

    def span(self, place: int, start: int, end: int) -> tuple[int, int] | None:
        return self._parsed.span(place, start, end)

    def locate(self, place: int, offset: int | None) -> tuple[int | None, int | None]:
        return self._parsed.locate(place, offset)

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        return self._parsed.apply(edits)


class SmallCore:
    name, summary = "small", "a core with nothing but what is asked for"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        return Small(CORE.parse(source, wanted))


def test_its_documents_are_read_and_written_like_others(monkeypatch: pytest.MonkeyPatch) -> None:
    layers, how = Layers(retrieval="https://example.org/a"), ReadOptions(text=True)
    usual = read_document(PAGE, "text/html", "utf-8", layers, how)
    monkeypatch.setattr(ReadOptions, "core", lambda how: SmallCore())
    document = read_document(PAGE, "text/html", "utf-8", layers, how)
    assert [link._replace(text=None) for link in document.links()] == [
        link._replace(text=None) for link in usual.links()
    ]
    made = rewrite_document(document, Absolute(), splices=True)
    assert made.content == rewrite_document(usual, Absolute()).content
    assert (made.splices, made.refused) == (None, ())
    assert (document.parsed.skipped, document.parsed.is_whole) == (0, True)
