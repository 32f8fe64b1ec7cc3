"""The documents of a container, opened.

1. A part is read by its media type; without one, by its content, as HTML if that is not recognized.
2. A charset that is not a label of an encoding is ignored.
3. A style sheet that declares no encoding has that of the page which refers to it (`inherited_encodings`).
4. A part that cannot be read becomes a `Diagnostic`, whatever the reason: the other parts are still read.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.containers._inherited_encodings import InheritedEncodings
from rehref.containers.kinds import Container
from rehref.containers.parts import Diagnostic, Part
from rehref.documents._surroundings import PartOf
from rehref.documents.document import Document
from rehref.documents.media_types import essence, reader_of, type_of_name
from rehref.documents.options import ReadOptions
from rehref.documents.reading import UnknownMediaTypeError, read_document
from rehref.exceptions import OutOfTimeError, ParserError, other_module


def open_part(part: Part, how: ReadOptions) -> Document:
    """Read a document in a container. Raises `UnknownMediaTypeError`, `ParserError`."""
    media_type = part.media_type
    if reader_of(essence(media_type)) is None:
        media_type = type_of_name(part.name)
    document = read_document(part.data, media_type, part.charset, part.layers, how, is_response=part.is_response)
    document.part_of = PartOf(part.name, part.date or None, part.inside)
    return document


def documents_in(container: Container, how: ReadOptions) -> Iterator[tuple[Part, Document] | Diagnostic]:
    """Yield the documents of a container, in order, and diagnostics about what cannot be read."""
    encodings = InheritedEncodings(container, how)
    for part in container.read(container.kind.wanted_for_reading):
        yield part if isinstance(part, Diagnostic) else _opened(encodings.applied(part), how)
        del part  # it may be large, and the next one is read now


def _opened(part: Part, how: ReadOptions) -> tuple[Part, Document] | Diagnostic:
    try:
        return part, open_part(part, how)
    except Exception as error:
        return not_read(part, error)


def not_read(part: Part, error: Exception) -> Diagnostic:
    """The diagnostic for a part that could not be read (rule 4)."""
    if isinstance(error, UnknownMediaTypeError | ParserError):
        return Diagnostic(part.label, str(error), code="unsupported")
    if isinstance(error, OutOfTimeError):
        return Diagnostic(part.label, str(error), code="too-large")
    what = f"it could not be read ({type(error).__name__}: {error})"
    return Diagnostic(part.label, what, f"this is a fault of {other_module(error) or 'rehref'}", code="fault")
