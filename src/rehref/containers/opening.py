"""The documents of a container, opened.

1. A part is read by its media type; without one, by its content, as HTML if that is not recognized.
2. A charset that is not a label of an encoding is ignored.
3. A part that cannot be read becomes a `Diagnostic`, whatever the reason: the other parts are still read.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.containers.parts import Diagnostic, Part
from rehref.containers.registry import Container
from rehref.documents.document import Document
from rehref.documents.reading import UnknownMediaTypeError, read_document
from rehref.documents.types.media_types import essence, reader_of, type_of_name
from rehref.options import ReadOptions
from rehref.parsers.registry import ParserError


def open_part(part: Part, how: ReadOptions) -> Document:
    """Read a document in a container. Raises `UnknownMediaTypeError`, `ParserError`."""
    media_type = part.media_type
    if reader_of(essence(media_type)) is None:
        media_type = type_of_name(part.name)
    document = read_document(part.data, media_type, part.charset, part.layers, how, is_response=part.is_response)
    document.part = part.name
    document.inside = part.inside
    return document


def opened(container: Container, how: ReadOptions) -> Iterator[tuple[Part, Document] | Diagnostic]:
    """Yield the documents of a container, in order, and diagnostics about what cannot be read."""
    for part in container.read(container.kind.wanted_for_reading):
        if isinstance(part, Diagnostic):
            yield part
            continue
        try:
            yield part, open_part(part, how)
        except Exception as error:
            yield not_read(part, error)


def not_read(part: Part, error: Exception) -> Diagnostic:
    """The diagnostic for a part that could not be read (rule 3)."""
    if isinstance(error, UnknownMediaTypeError | ParserError):
        return Diagnostic(part.label, str(error), code="unsupported")
    what = f"it could not be read ({type(error).__name__}: {error})"
    return Diagnostic(part.label, what, "this is a fault of rehref", code="fault")
