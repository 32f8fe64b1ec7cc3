"""How results are shown: one module per format.

1. A format of links is a value with four parts: `head`, `between`, `tail`, and a `document` method that gives the text
   for one document (`""`: nothing to show). So documents may be formatted apart from each other, in other processes,
   and a report of any length is written document by document; no format holds more than one.
2. Formats take plain values: the document's name, its base, its links.
3. A password in a URI is never shown, in any format: `***` stands for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol, TextIO

if TYPE_CHECKING:
    from rehref.base import Base
    from rehref.containers.parts import PartWord
    from rehref.documents.link import Link


class Format(Protocol):
    """A way to show the links of documents."""

    @property
    def head(self) -> str:
        """What comes before the first document."""

    @property
    def between(self) -> str:
        """What comes between two documents that have something to show."""

    @property
    def tail(self) -> str:
        """What comes after the last document."""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The text for one document; `where`: what documents in its container are called."""


def join(form: Format, documents: Iterable[str]) -> Iterable[str]:
    """The pieces of a whole report, from the texts that `form.document` gave."""
    yield form.head
    first = True
    for text in documents:
        if text == "":
            continue
        if not first:
            yield form.between
        first = False
        yield text
    yield form.tail


def write(form: Format, documents: Iterable[tuple[str, Base, Iterable[Link]]], stream: TextIO) -> None:
    """Write a report of documents (name, base, links) to a text stream."""
    for piece in join(form, (form.document(name, base, links) for name, base, links in documents)):
        stream.write(piece)
