"""JSON-LD documents: the references in them (JSON-LD 1.1; `application/ld+json`, `*.jsonld`).

1. References are found as in a `script` element of HTML (`rehref.carriers.json_ld`), each relative to the `@base` in
   scope, or else to the document's own URI (JSON-LD 1.1 §4.1.3).
2. They are statements (kind `metadata`) and contexts (`namespace`): rules change them only if metadata is asked for.
3. The encoding is UTF-8 (RFC 8259 §8.1), or the one of a byte order mark.
"""

from __future__ import annotations

from functools import partial

from rehref.base import Layers
from rehref.carriers.syntaxes import Carrier
from rehref.documents.document import Document, carried_references
from rehref.documents.formats.contract import Format, plain_document
from rehref.documents.formats.manifest import ESCAPE, sniff_json
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.without_markup import PlainParsed
from rehref.text.source import Source

ELEMENT = "json-ld"
"""Reported in place of the element that contains a reference."""
_find = partial(carried_references, carrier=Carrier("json-ld", "metadata", "JSON-LD 1.1"))


def read(source: Source, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read a JSON-LD document: find its references, establish its base. Raises nothing because of the content."""
    return plain_document(PlainParsed(source, ESCAPE, ELEMENT), _find, layers, how)


FORMAT = Format(read, sniff_json)
