"""References as they are found in the places of a document, not yet resolved; and the rows of a table of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias, TypeVar, cast

from rehref.documents._bases.bound_resolver import BoundResolver, Resolved
from rehref.documents._surroundings import PartOf
from rehref.documents.base import Base, without_fragment
from rehref.documents.link import Link, Problem
from rehref.documents.options import ReadOptions
from rehref.exceptions import TimeLimit
from rehref.markup.places import CompleteParsed
from rehref.uri.syntaxes import Kind, Occurrence, Syntax

LOCAL_KINDS = frozenset({"fragment", "base", "namespace", "metadata"})
"""Kinds of reference that do not leave the document, whatever the base."""


class Reference(NamedTuple):
    """A reference found, not yet resolved: characters `start` to `end` of the decoded value of place number `place`.

    `text` is the decoded meaning; `form` says how to write a replacement in this micro-syntax.
    `base`: the resolver for it; None: the document's base. `inner`: the same reference in a document inside this place.
    """

    place: int
    start: int
    end: int
    text: str
    form: str
    syntax: Syntax
    kind: Kind
    base: BoundResolver | None = None
    inner: Inner | None = None
    notes: tuple[Problem, ...] = ()
    """Problems of the way it is written here, besides those that follow from its text."""
    fetched: bool = True
    """Whether a program may fetch something by it (`Occurrence.fetched`)."""

    @classmethod
    def of(
        cls, found: Occurrence, place: int, syntax: Syntax, kind: Kind, base: BoundResolver | None = None
    ) -> Reference:
        """The reference found in the value of a place."""
        start, end, text, form, *_ = found
        return cls(place, start, end, text, form, syntax, kind=kind, base=base, fetched=found.fetched)


class Inner(NamedTuple):
    """A reference of a document inside a place, which begins at character `offset` of the value."""

    document: PlacesSource
    offset: int
    reference: Reference


BaseName: TypeAlias = "int | tuple[str, ...]"
"""What names a base: the place of an attribute, or values (nearest first); -1: it is the document's."""


class ReferenceRow(NamedTuple):
    """A row. `target`: None if Python must compute it; then `same_document` counts only for fragments, too."""

    text: str
    target: str | None
    same_document: bool
    element: str
    attribute: str | None
    kind: str
    rel: str | None
    number: int
    uses: int
    """The number of references that have it."""
    place: int
    """The first place of its element, attribute and kind; of a `base`, its own."""
    base: BaseName
    """What names the base that it is relative to."""


Answer: TypeAlias = "str | bool | None"
"""A new text; None, it stays; False, it goes with its attribute; True, for a row: that of each use counts."""


class Use(NamedTuple):
    """One reference: the number of its answer, its row, its place, and which it is of those of the place.

    `start`, `end`: bytes of the source, or if Python has read it, characters of the place's value.
    """

    number: int
    row: int
    place: int
    within: int
    start: int
    end: int


class PlacesSource(Protocol):
    """A document, as far as the table reads it (`rehref.documents.document.Document`)."""

    @property
    def parsed(self) -> CompleteParsed:
        """What the core has read."""

    @property
    def limit(self) -> TimeLimit | None:
        """The time that its references may take."""

    @property
    def how(self) -> ReadOptions:
        """How it is read."""

    @property
    def base(self) -> Base:
        """The base of its references."""

    @property
    def own(self) -> Base:
        """Its own URI."""

    @property
    def part_of(self) -> PartOf:
        """Where it is in a container."""

    @property
    def resolver(self) -> BoundResolver:
        """The resolver for its base."""

    @property
    def noticed(self) -> Mapping[int, tuple[Problem, ...]]:
        """The problems of references that name a base, by place."""

    @property
    def noticed_alone(self) -> Mapping[int, tuple[Problem, ...]]:
        """The same without those for which other references must be read."""

    def found(self, number: int) -> Sequence[Reference]:
        """The references in one place. Raises `OutOfTimeError`."""

    def resolver_of(self, kind: str, attribute: str | None, base: BaseName = -1) -> BoundResolver:
        """The resolver for references of a kind in an attribute, which the twin has read."""

    def base_of(self, name: BaseName, uri: str | None, tag: tuple[str, int, int] | None) -> Base:
        """The base of a part with that name. `uri`, `tag`: its URI, and what names it, if the twin knows them."""

    def rel_at(self, number: int, element: str) -> str | None:
        """The value of `rel` on the element that a place is on."""

    @property
    def texts(self) -> Mapping[int, str]:
        """The texts of the hyperlinks, by the positions of their tags."""


_Document = TypeVar("_Document", bound="PlacesSource")


def innermost(document: _Document, reference: Reference) -> tuple[_Document, Reference]:
    """The document that directly contains a reference, and the reference in that document."""
    while reference.inner is not None:
        document, reference = cast("_Document", reference.inner.document), reference.inner.reference
    return document, reference


def marked(link: Link, part_of: PartOf) -> Link:
    """The link, marked if it leads to another part of the container."""
    if not part_of.others or link.target is None or link.same_document or link.kind in LOCAL_KINDS:
        return link
    inside = part_of.others.get(without_fragment(link.target))
    return link if inside is None else link._replace(kind="part", inside=inside)


def as_kind(kind: str, text: str, resolved: Resolved) -> Resolved:
    """What a resolver returned for a text, as it counts for a reference of a kind."""
    target, same, problems = resolved
    if kind in LOCAL_KINDS or (text == "" and kind == "resource"):  # an empty text is not a resource
        same = same or kind == "fragment"
        if problems:
            problems = tuple(problem for problem in problems if problem.code != "leaves-document")
    return target, same, problems
