r"""Style sheets: the references in a CSS file.

1. They are relative to the style sheet's own URI, not to the document that refers to it (CSS Values 4, "Relative
   URLs"); there is no embedded base.
2. They are what `rehref.carriers.css` finds; kinds are those of a `style` element: `resource`, `namespace` for
   `@namespace`, and `fragment` for `url(#id)`, which means something in the document that the style sheet is for (CSS
   Values 4, "Fragment URLs").
3. In the `whatwg` profile, too, a query is encoded in UTF-8, whatever the style sheet's encoding (CSS Values 4, "URL
   Processing Model").
4. A character that the encoding lacks is written as a CSS escape (`\e9 `); a lone surrogate, which CSS cannot hold, as
   that of U+FFFD.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rehref.base import Layers
from rehref.carriers import css
from rehref.documents.document import Document, Reference, document_without_bases
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import Edit
from rehref.parsers.without_markup import PlainParsed
from rehref.text.source import Source


def find(document: Document, number: int) -> Sequence[Reference]:
    """The references of a style sheet (rule 2)."""
    references = []
    for found in css.find(document.parsed.places[number].value):
        kind = css.kind_of(found, "resource")
        references.append(Reference(number, found.start, found.end, found.text, found.form, "css", kind))
    return references


def escape(value: str, edits: Sequence[Edit], holds: Callable[[str], bool]) -> list[Edit]:
    """Edits without characters that the encoding lacks (rule 4); see `rehref.parsers.without_markup.Escape`."""
    return [
        Edit(place, start, end, new if new is None or holds(new) else "".join(_held(char, holds) for char in new))
        for place, start, end, new in edits
    ]


def _held(char: str, holds: Callable[[str], bool]) -> str:
    if holds(char):
        return char
    return "\\fffd " if "\ud800" <= char <= "\udfff" else f"\\{ord(char):x} "


def read(source: Source, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read a style sheet: find its references, establish its base. Raises nothing, whatever is in it."""
    return document_without_bases(PlainParsed(source, escape), find, layers, how)
