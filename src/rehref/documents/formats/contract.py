"""The contract for document formats: each module of this folder that reads one defines it as `FORMAT`.

1. `read` makes a `Document` of a source; it raises nothing because of the content.
2. `sniff` determines the encoding of bytes. It gets the source, the label that overrides what the source declares
   (None: there is none), and whether a server sent the source. It raises `UnknownEncodingError` for an
   invalid label.
3. Texts without markup are one place (`text_format`), or one for each part; nothing in them is a base for the whole
   text. Characters that the encoding lacks are escaped one at a time (`escaping`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from rehref.base import Layers
from rehref.documents.bases import bases_outside
from rehref.documents.document import Document, Finder
from rehref.options import ReadOptions
from rehref.parsers.contract import Edit
from rehref.parsers.source.plan import DocumentCarriers
from rehref.parsers.without_markup import Escape, PlainParsed
from rehref.text.encoding import Sniffed
from rehref.text.source import Source

Sniff: TypeAlias = Callable[[bytes, str | None, bool], Sniffed]


class Format(NamedTuple):
    """The functions that read documents of one format."""

    read: Callable[[Source, Layers, ReadOptions], Document]
    sniff: Sniff


def text_format(
    find: Finder, sniff: Sniff, escape: Escape, element: str = "", carriers: DocumentCarriers | None = None
) -> Format:
    """The format of texts without markup; `element` is reported in place of the element with a reference."""

    def read(source: Source, layers: Layers, how: ReadOptions) -> Document:
        parsed = PlainParsed(source, escape, element)
        return Document(parsed=parsed, find=find, how=how, bases=bases_outside(layers, how), carriers=carriers)

    return Format(read, sniff)


def escaping(escaped: Callable[[str], str]) -> Escape:
    """The function that writes a character that the encoding lacks with `escaped`, and all others unchanged."""

    def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
        return [
            Edit(at, start, end, new if new is None else represented(new, holds, escaped))
            for at, start, end, new in edits
        ]

    return escape


def represented(text: str, holds: Callable[[str], bool], escaped: Callable[[str], str]) -> str:
    """A text in which each character that the encoding lacks is `escaped`."""
    return text if holds(text) else "".join(char if holds(char) else escaped(char) for char in text)
