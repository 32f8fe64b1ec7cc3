"""The formats: each has one shape, and a media type that leads to it."""

from __future__ import annotations

from importlib import import_module
from typing import get_args

import pytest

import rehref.options
from rehref.base import Layers
from rehref.documents.formats.contract import Format, escaping
from rehref.documents.types import media_types
from rehref.documents.types.media_types import Reader, reader_of
from rehref.parsers.contract import Edit
from rehref.text.source import Source

FORMATS = get_args(Reader)


@pytest.mark.parametrize("name", FORMATS)
def test_each_has_a_module_that_reads_and_sniffs(name: str) -> None:
    form = import_module(f"rehref.documents.formats.{name.replace('-', '_')}").FORMAT
    assert isinstance(form, Format)
    document = form.read(Source(b"", "utf-8"), Layers(retrieval="http://h/"), rehref.options.READ_OPTIONS)
    assert list(document.links()) == []
    assert document.base.uri == document.own.uri == "http://h/"
    assert form.sniff(b"", None, False).name in ("utf-8", "windows-1252")


def test_each_has_a_media_type() -> None:
    assert {reader_of(each) for each in media_types._READERS} == set(FORMATS)


def test_extensions_lead_to_types_that_are_read() -> None:
    assert all(reader_of(each) is not None for each in media_types.TYPES_BY_ENDING.values())


def test_what_the_encoding_lacks_is_escaped_by_itself() -> None:
    escape = escaping(lambda char: f"<{ord(char):x}>")
    edits = [Edit(0, 1, 2, "aéb"), Edit(0, 3, 4, None), Edit(0, 5, 6, "ab")]
    assert escape("", edits, str.isascii) == [Edit(0, 1, 2, "a<e9>b"), *edits[1:]]
