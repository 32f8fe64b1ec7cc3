"""References of a document: as they are found in its places, as rows of a table, and resolved, as links.

A `Link` is one reference at one place. It says what was written, what it was resolved against and why, and the result.
It holds no document and no parser, and is a tuple, because there are millions of them.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count
from operator import not_
from typing import Any, ClassVar, NamedTuple, Protocol, TypeAlias, TypeVar, cast
from urllib.parse import unquote_to_bytes

from rehref.documents._bases.bound_resolver import BoundResolver, Resolved
from rehref.documents._surroundings import PartOf
from rehref.documents.base import Base, Problem, without_fragment
from rehref.documents.options import ReadOptions
from rehref.exceptions import TimeLimit
from rehref.markup.places import CompleteParsed
from rehref.uri.syntaxes import PLACEHOLDER, Kind, Occurrence, Syntax

_IF_PRESENT = frozenset({"part", "inside", "rel", "text", "date"})


class Page(NamedTuple):
    """A document of a source: its own URI, the time of capture of its record, the media type as which it was read.

    `url`, `date`: as `Link.page` and `Link.date`. `base`: the base of the document. `links` can be iterated over once.
    """

    url: str | None
    date: str | None
    media_type: str
    base: Base
    links: Iterator[Link]


class Link(NamedTuple):
    """One reference in a document.

    `reference`: as written, decoded, without white space around it. `target`: the target URI; None if nothing could be
    resolved, and then a problem says why. `base`: what it was resolved against. `element`, `attribute`: where it is
    (`attribute` None: in text). `kind`: what it is for, one of `hyperlink`, `resource`, `form`, `citation`, `fragment`,
    `base`, `namespace`, `metadata`, `header`, `text` and `part`.

    `line`, `column`: 1-based, in characters. `span`: start and end in the source, in bytes for bytes and in characters
    for a str. They are None where the parser does not report them: with `parser='html5lib'` all three, with
    `parser='lxml'` `column` and `span`.

    `same_document`: the target is the document that contains the reference, as in HTML: its own URI, fragments aside,
    whatever the base. RFC 3986 §4.4 compares with the base instead, which is `rehref.is_same_document(target, base)`;
    the two differ where an embedded base leads elsewhere. `part`: in a container, the part or record that contains the
    reference, and that `line`, `column` and `span` refer to; else None. `inside`: the part of the same container that
    is the target ("part 2"), for people; `kind` is then `part`.

    `page`: the document's own URI, None if it has none. `date`: in an archive, when the record was captured
    (`2024-01-02T03:04:05Z`), else None. `rel`: that of the element (in HTML, of `a`, `area`, `link` and `form`), as
    written, else None. `text`: on request, the text of a hyperlink; None with `parser='lxml'` and `'html5lib'`.
    """

    reference: str
    target: str | None
    base: Base
    element: str
    attribute: str | None
    kind: Kind
    line: int | None
    column: int | None
    span: tuple[int, int] | None
    same_document: bool
    problems: tuple[Problem, ...]
    part: str | None = None
    inside: str | None = None
    page: str | None = None
    date: str | None = None
    rel: str | None = None
    text: str | None = None

    @property
    def document(self) -> str | None:
        """What the link is in: the part of a container, else the path of the file that `page` names.

        None if it is not a file, or if `page` is on the web (with `url`, say): a link then knows no more than `page`.
        """
        if self.part is not None or self.page is None or not self.page.startswith("file:///"):
            return self.part
        path = os.fsdecode(unquote_to_bytes(self.page[len("file://") :]))
        return path if os.sep == "/" else path[1:]

    @property
    def is_local(self) -> bool:
        """Whether it is of a kind that does not leave the document, whatever the base: a name, a base, a statement."""
        return self.kind in LOCAL_KINDS

    def as_dict(self) -> dict[str, Any]:
        """The link as plain values for `json.dumps`, as in `rehref links --format json`.

        The keys and their order are those of the report, and so are the values, with two differences: there is no
        `document`, which in the report is the name of the source as given, and passwords are not masked. As in the
        report, `part`, `inside`, `date`, `rel` and `text` are present only if they are not None; the report of a WARC
        calls `part` `record`.
        """
        values = {
            "part": self.part,
            "reference": self.reference,
            "target": self.target,
            "base": self.base.as_dict(),
            "element": self.element,
            "attribute": self.attribute,
            "kind": self.kind,
            "inside": self.inside,
            "line": self.line,
            "column": self.column,
            "span": None if self.span is None else list(self.span),
            "same_document": self.same_document,
            "problems": [{"code": each.code, "message": each.message} for each in self.problems],
            "rel": self.rel,
            "text": self.text,
            "page": self.page,
            "date": self.date,
        }
        return {name: value for name, value in values.items() if value is not None or name not in _IF_PRESENT}


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

    @property
    def is_local(self) -> bool:
        """Whether it is of a kind that does not leave the document, whatever the base."""
        return self.kind in LOCAL_KINDS

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


class WrittenRow(NamedTuple):
    """A row, the answer for its references, and how many of them have it."""

    row: ReferenceRow
    answer: Answer
    times: int


@dataclass(slots=True)
class Values:
    """The references of a document, as far as each is the whole value of its place and may leave the document.

    `texts`: the values, each once, without the white space around them; by their numbers, `counts`, the number of
    places, and `targets`. A target is the path of a folder followed by the value without its `../`; or the value
    itself, which is a URI; or `HERE`, if the value is a fragment that is one of the names, or empty; None for all
    others.
    `numbers`, `places`: of each such reference, in document order, the number of its value, and that of its place.
    `others`: the numbers of all other places with references. `inert`: how many places were left out.
    """

    HERE: ClassVar = ""
    """The target of a reference to the document itself, and to something in it."""

    texts: list[str] = field(default_factory=list)
    targets: list[str | None] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    numbers: array[int] = field(default_factory=lambda: array("I"))
    places: array[int] = field(default_factory=lambda: array("I"))
    inert: int = 0

    def leave_out(self, inert: Collection[int]) -> None:
        """Leave out the values of places with these numbers, and those that no other place has."""
        if not inert:
            return
        stays = [place not in inert for place in self.places]
        for number in compress(self.numbers, map(not_, stays)):
            self.counts[number] -= 1
        self.inert += stays.count(False)
        still = {number: new for new, number in enumerate(compress(count(), self.counts))}
        self.numbers = array("I", map(still.__getitem__, compress(self.numbers, stays)))
        self.places = array("I", compress(self.places, stays))
        self.texts = [self.texts[number] for number in still]
        self.targets = [self.targets[number] for number in still]
        self.counts = [self.counts[number] for number in still]

    def at(self, wanted: Sequence[bool]) -> list[int]:
        """Return the numbers of the places with some values, in order. `wanted`: of each value, whether it is one."""
        return list(compress(self.places, map(wanted.__getitem__, self.numbers))) if any(wanted) else []


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

    def references_at(self, number: int) -> Sequence[Reference]:
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


class RowSetting(NamedTuple):
    """What the references of a row are relative to, and how they are written.

    `document`: the innermost that has them. `base_place`: for the `href` of a `base`, its place there; else -1.
    `is_inner`: whether that document is inside a place. `is_whole`: whether each is the whole value of its place, and
    may leave the document.
    """

    document: PlacesSource
    resolver: BoundResolver
    notes: tuple[Problem, ...] = ()
    syntax: Syntax = "url"
    form: str = ""
    base_place: int = -1
    is_inner: bool = False
    is_whole: bool = False

    @property
    def has_placeholder(self) -> bool:
        """Whether the first `%s` in the references is for a text that a browser fills in."""
        return PLACEHOLDER in self.form.split()


_Document = TypeVar("_Document", bound="PlacesSource")


def innermost(document: _Document, reference: Reference) -> tuple[_Document, Reference]:
    """The document that directly contains a reference, and the reference in that document."""
    while reference.inner is not None:
        document, reference = cast("_Document", reference.inner.document), reference.inner.reference
    return document, reference


def marked(link: Link, part_of: PartOf) -> Link:
    """The link, marked if it leads to another part of the container."""
    if not part_of.others or link.target is None or link.same_document or link.is_local:
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
