"""Jupyter notebooks: the references in their Markdown cells, and in HTML that their code has put out (nbformat 4).

A Markdown cell is a place: its `source`, of one string or of one for each line. So is each output that has `text/html`.
All are documents inside the notebook, with its base; lines and columns are those of the file.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

from rehref.documents._bases.bound_resolver import bases_outside
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._format_rules import FormatRules
from rehref.documents._formats import DocumentFormat, html, markdown
from rehref.documents._formats.html_carriers import HtmlCarriers, html_carriers
from rehref.documents._formats.manifest import ESCAPE, sniff_json
from rehref.documents._formats.plain_text import PlainParsed
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.options import ReadOptions
from rehref.markup.cores import core
from rehref.markup.places import CompleteParsed, Edit, Place, complete
from rehref.text import json_text
from rehref.text.encoding import Source, Splice
from rehref.text.json_text import Array, Object, String, Value

_BETWEEN = re.compile(
    r"""(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.)|"[ \t\r\n]*,[ \t\r\n]*\""""
)
"""What is more than one character of JSON: an escape (group 1), what is between two strings."""
MARKDOWN_CELL = "markdown"
HTML_OUTPUT = "html"


def _members(value: Value | None) -> Mapping[str, Value]:
    """The members of an object; none of anything else."""
    return value.members if isinstance(value, Object) else {}


def _items(value: Value | None) -> Sequence[Value]:
    """The items of an array; none of anything else."""
    return value.items if isinstance(value, Array) else ()


def _strings(value: Value | None) -> Sequence[String]:
    """The strings of a multi-line string (nbformat, "multiline_string"); none if it is not one."""
    items = [value] if isinstance(value, String) else _items(value)
    strings = [item for item in items if isinstance(item, String)]
    return strings if len(strings) == len(items) else ()


def _texts(root: Value | None) -> Iterator[tuple[str, Sequence[String]]]:
    """What of a notebook has references, each with its sort."""
    for cell in map(_members, _items(_members(root).get("cells"))):
        kind = cell.get("cell_type")
        if isinstance(kind, String) and kind.text == MARKDOWN_CELL:
            yield MARKDOWN_CELL, _strings(cell.get("source"))
        for output in map(_members, _items(cell.get("outputs"))):
            yield HTML_OUTPUT, _strings(_members(output.get("data")).get("text/html"))


class NotebookParsed(CompleteParsed):
    """The places of a notebook. See `rehref.markup.parsed.Parsed`."""

    direct = False

    def __init__(self, source: Source) -> None:
        """Read it. Raises nothing, whatever the bytes."""
        self.refused: list[tuple[int, int]] = []
        self._json = PlainParsed(source, ESCAPE)
        self._value = self._json.places[0].value
        found = [(sort, strings) for sort, strings in _texts(json_text.read(self._value)) if strings]
        self._strings = [strings for _, strings in found]
        self._offsets: dict[int, Sequence[int]] = {}
        self.places: Sequence[Place] = [
            Place(sort, "", None, "".join(each.text for each in strings), *self._edges(strings), number, 0)
            for number, (sort, strings) in enumerate(found)
        ]

    def _edges(self, strings: Sequence[String]) -> tuple[int, int]:
        return self._json.span(0, strings[0].start, strings[-1].end)

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where it begins."""
        found = [self.locate(number, 0) for number in range(len(self.places))]
        return [line for line, _ in found], [column for _, column in found]

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's value are in the source."""
        return self._json.span(0, self._at(place, start), self._end_in_json(place, end))

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its beginning."""
        return self._json.locate(0, self._at(place, offset or 0))

    def _at(self, place: int, offset: int) -> int:
        """Where a character of a place's value is in the JSON."""
        if place not in self._offsets:
            offsets, strings = array("L"), self._strings[place]
            at, end = strings[0].start, strings[-1].end
            for found in _BETWEEN.finditer(self._value, at, end):
                offsets.extend(range(at, found.start() + (found[1] is not None)))
                at = found.end()
            offsets.extend(range(at, end + 1))
            self._offsets[place] = offsets
        return self._offsets[place][offset]

    def _end_in_json(self, place: int, offset: int) -> int:
        """Where the character before it ends in the JSON."""
        at = self._at(place, max(offset - 1, 0))
        found = _BETWEEN.match(self._value, at) if offset else None
        return at + min(offset, 1) if found is None else found.end()

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made, escaped for JSON.

        Each replaces characters of one string. One that would replace characters of two strings is not made.
        """
        return self._json.apply(self._written(edits))

    def byte_splices(self, edits: Sequence[Edit]) -> list[Splice[bytes]] | None:
        """What to replace in the bytes of the source, as they are read; None where that is not known."""
        return self._json.byte_splices(self._written(edits))

    def _written(self, edits: Sequence[Edit]) -> list[Edit]:
        """The same edits in the JSON."""
        made: list[Edit] = []
        self.refused = []
        for place, start, end, text in edits:
            behind = self._end_in_json(place, end)
            first = behind if start == end else self._at(place, start)
            strings = self._strings[place]
            string = strings[bisect_right(strings, first, key=attrgetter("start")) - 1]
            if text is not None and behind <= string.end:
                made.append(Edit(0, first, behind, json_text.write(text, string.form)))
            else:
                self.refused.append((place, start))
        return made


def _find(carriers: HtmlCarriers, document: Document, number: int) -> Sequence[Reference]:
    """The references of the document in one place."""
    inner = document.inner.get(number)
    if inner is None:
        inner = document.inner[number] = _inner(carriers, document, document.parsed.places[number])
    return html.inner_references(document, number, inner, 0)


def _inner(carriers: HtmlCarriers, document: Document, place: Place) -> Document:
    source, how = Source(place.value), document.how
    is_markdown = place.element == MARKDOWN_CELL
    wanted = carriers.wanted
    parsed = (
        markdown.parse(source, wanted, replace(how, mdx_by_name=True))
        if is_markdown
        else complete(core().parse(source, wanted))
    )
    find = partial(markdown.find if is_markdown else html.find, carriers)
    resolvers = Resolvers(document.bases, how, is_inner=True)
    return Document(
        parsed=parsed, format=FormatRules(find), how=how, resolvers=resolvers, container=document, limit=document.limit
    )


def read(source: Source, layers: Layers, how: ReadOptions = ReadOptions.DEFAULT) -> Document:
    """Read a notebook. Raises nothing because of the content."""
    bases = bases_outside(layers, how)
    return Document(
        parsed=NotebookParsed(source),
        format=FormatRules(partial(_find, html_carriers(how))),
        how=how,
        resolvers=Resolvers(bases, how),
    )


FORMAT = DocumentFormat(read, sniff_json)
