"""The head of an HTTP message as a document: the references in its fields (media type `message/http`).

All are relative to the base from outside the message, usually its retrieval URI: RFC 9110 resolves `Location` and
`Content-Location` against the target URI; RFC 8288 resolves a link's target (§3.1) and its `anchor` (§3.2) by RFC 3986
§5, and says that bases in the message's content do not apply. `anchor` is not a base for the target beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rehref.documents._bases.bound_resolver import bases_outside
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._format_rules import FormatRules
from rehref.documents._formats import DocumentFormat
from rehref.documents._formats.format_contract import carried_references
from rehref.documents._formats.parsed_headers import CARRIERS, HeadersParsed
from rehref.documents.base import Layers
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.options import ReadOptions
from rehref.text import lower
from rehref.text.encoding import Sniffed, Source


def _find(document: Document, number: int) -> Sequence[Reference]:
    """The references in one field.

    They are each target in `Link`, and its `anchor`, which names another context for the link (RFC 8288 §3.2);
    `Location`; the URL in `Refresh`; `Content-Location`; what debuggers and browsers fetch and where they send reports.
    The kind is `header`; for `Content-Location`, which identifies the content, `metadata`, and for reports `form`.
    """
    return carried_references(document, number, CARRIERS[lower(document.parsed.places[number].attribute or "")])


def read(source: Source, layers: Layers, how: ReadOptions = ReadOptions.DEFAULT) -> Document:
    """Read the head of a message: find its references, establish their base. Raises nothing because of the content.

    Content after the empty line is ignored.
    """
    return Document(
        parsed=HeadersParsed(source),
        format=FormatRules(_find),
        how=how,
        resolvers=Resolvers(bases_outside(layers, how), how),
    )


FORMAT = DocumentFormat(read, lambda data, declared, is_response: Sniffed("windows-1252", 0, "declared"))
