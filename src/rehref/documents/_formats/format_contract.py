"""The contract for document formats: each module of this folder that reads one defines it as `FORMAT`.

`read` makes a `Document` of a source, and raises nothing because of the content. `sniff` determines the encoding of
bytes: it gets the source, the label that overrides what the source declares, and whether a server sent it, and raises
`UnknownEncodingError` for an invalid label. Texts without markup are one place (`text_format`), or one for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from rehref.documents._bases.bases_of_values import resolver_of
from rehref.documents._bases.bound_resolver import HasBases, bases_outside, query_encoder
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._format_rules import Finder, FormatRules
from rehref.documents._formats import DocumentFormat, Sniff
from rehref.documents._formats.html_carriers import KINDS, code_of
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.options import ReadOptions
from rehref.markup.places import Edit, Parsed
from rehref.markup.twin_exchange import DocumentCarriers, Find
from rehref.text.encoding import Source
from rehref.uri.syntaxes import SYNTAXES, Carrier, Kind, found_in

if TYPE_CHECKING:
    from rehref.documents._formats.plain_text import Escape

GIVEN: Final = code_of(Carrier("json", "resource", "found at once"), "", "")
"""What a text carries whose references `Document.give` finds."""


class TextCarriers(NamedTuple):
    """What the place of such a text carries (`rehref.markup.twin_exchange.DocumentCarriers`)."""

    code: int = GIVEN
    kinds: tuple[Kind, ...] = KINDS

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """The byte for the text."""
        return self.code

    def carried(self, parsed: Parsed, number: int) -> int:
        """The same for its place."""
        return self.code

    def may_have_rel(self, element: str) -> bool:
        """No."""
        return False


def text_format(
    find: Finder,
    sniff: Sniff,
    escape: Escape,
    element: str = "",
    carriers: DocumentCarriers | None = None,
    give: Find = found_in,
    *,
    has_legacy_queries: bool = False,
) -> DocumentFormat:
    """The format of texts without markup; `element` is reported in place of the element with a reference.

    `give`: see `FormatRules`. `has_legacy_queries`: whether browsers encode queries in the document's encoding.
    """

    def read(source: Source, layers: Layers, how: ReadOptions) -> Document:
        from rehref.documents._formats.plain_text import PlainParsed  # HTML and XML do not need it

        parsed, bases = PlainParsed(source, escape, element), bases_outside(layers, how)
        encode = query_encoder(source.encoding) if has_legacy_queries else None
        is_guess = source.undeclared and not source.data.isascii()
        guessed = source.encoding if is_guess else None
        return Document(
            parsed=parsed,
            format=FormatRules(find, carriers, give),
            how=how,
            resolvers=Resolvers(bases, how, encode=encode, guessed=guessed),
        )

    return DocumentFormat(read, sniff)


def carried_references(
    document: Document, number: int, carrier: Carrier, within: HasBases | None = None
) -> list[Reference]:
    """The references in a place whose value has this micro-syntax. `within`: see `resolver_of`."""
    part = within or document
    return [
        Reference.of(found, number, carrier.syntax, found.kind or carrier.kind, resolver_of(document, found, part))
        for found in SYNTAXES[carrier.syntax].find(document.parsed.places[number].value)
    ]


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
