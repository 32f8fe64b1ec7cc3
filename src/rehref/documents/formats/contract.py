"""What a format of documents is: each module of this folder that reads one has it as `FORMAT`.

1. `read` makes a `Document` of a source; of what is in that, it raises nothing.
2. `sniff` finds out the encoding of bytes: of the source, with the label that goes before what it says (None: there is
   none), and whether it was sent, and is no file. It raises `UnknownEncodingError` for a label that is none.
3. Texts without markup are one place (`rehref.parsers.without_markup`), or one for each part; nothing in them is a base
   for all of it (`plain_document`). What their encoding lacks is written one character at a time (`escaping`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rehref.base import Layers
from rehref.documents.document import Document, Finder, bases_outside
from rehref.options import ReadOptions
from rehref.parsers.contract import Edit, Parsed
from rehref.parsers.without_markup import Escape
from rehref.text.encoding import Sniffed
from rehref.text.source import Source


class Format(NamedTuple):
    """How documents of one format are read."""

    read: Callable[[Source, Layers, ReadOptions], Document]
    sniff: Callable[[bytes, str | None, bool], Sniffed]


def plain_document(parsed: Parsed, find: Finder, layers: Layers, how: ReadOptions) -> Document:
    """A document without markup (rule 3)."""
    return Document(parsed=parsed, find=find, how=how, bases=bases_outside(layers, how))


def escaping(escaped: Callable[[str], str]) -> Escape:
    """What writes a character that the encoding lacks as `escaped` has it, and all others as they are."""

    def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
        return [Edit(at, start, end, new if new is None else written(new, holds)) for at, start, end, new in edits]

    def written(text: str, holds: Callable[[str], bool]) -> str:
        return text if holds(text) else "".join(char if holds(char) else escaped(char) for char in text)

    return escape
