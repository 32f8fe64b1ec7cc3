"""Documents: places that a core has found, the references in them, and what these are relative to.

1. What a place's references are is told by a `Finder`, one for each type of document; this module resolves them.
2. Most places hold one reference, of a kind and with a base that depend on nothing but element and attribute:
   `ordinary` names those, for checking; `carriers` tells the compiled twin what any place carries. Where that has read
   the document, it makes the links of ordinary places. The same comes of them as of all others.
3. A reference is relative to the document's base, unless it says otherwise (`Reference.base`).
4. A document may stand in a place of another (`Inner`): its references are the outer document's, whose positions they
   have. What encloses it gives it its base.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal, NamedTuple, TypeAlias

from rehref.base import Base, Candidate, Layers, establish, without_fragment
from rehref.carriers.kinds import Kind, Syntax
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.link import Link, Problem
from rehref.options import ReadOptions
from rehref.parsers.contract import Parsed
from rehref.parsers.source.plan import Carriers
from rehref.parsers.source.twin import How, TwinScan
from rehref.text.source import Source
from rehref.uri.whatwg import Encode

Names: TypeAlias = tuple[str, str, "str | None"]
"""Namespace, element, attribute."""

LOCAL_KINDS = frozenset({"fragment", "base", "namespace", "metadata"})
"""Kinds of reference that do not leave the document, wherever the base leads."""


class Reference(NamedTuple):
    """A reference found, not yet resolved: characters `start` to `end` of the decoded value of place number `place`.

    `text` is what is written there means; `form` says how a replacement is to be written in this micro-syntax.
    `base`: what it is relative to; None: the document's base. `inner`: the same in a document that stands here.
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
    """What is odd about how it is written here, beside what its text tells."""


class Inner(NamedTuple):
    """A reference of a document that stands in a place, from character `offset` of its value on."""

    document: Document
    offset: int
    reference: Reference


@dataclass
class Document:
    """A document that has been read. `links` gives what it refers to."""

    parsed: Parsed
    find: Finder
    ordinary: Mapping[Names, Kind | Literal["", "?"]]
    """Attributes whose value is one reference, relative to the document's base, and its kind; "" for such as carry
    none, "?" for such as other attributes decide about."""
    how: ReadOptions
    base: Base
    """What references are relative to."""
    own: Base
    """The document's own URI: what would be the base without an embedded one."""
    candidates: tuple[Candidate, ...]
    """What `base` was established from."""
    outside: tuple[Candidate, ...]
    """What `own` was established from."""
    encode: Encode | None = None
    container: Document | None = None
    """The document that this one stands in."""
    depth: int = 0
    """How many documents this one stands in, one in the other."""
    notice: Callable[[Document], Mapping[int, tuple[Problem, ...]]] | None = None
    """Tells what is odd about references that name a base, beside what their text tells, by place."""
    guessed: str | None = None
    """The encoding that it is read in, if nothing says so, and it is not all ASCII."""
    source: Source = field(init=False)
    """What it was read from, as a document on its own or a part."""
    part: str | None = None
    """The part of a container that it is."""
    inside: Mapping[str, str] = field(default_factory=dict)
    """The documents of the same container: absolute URI without fragment, and what the part is called."""
    carriers: Carriers | None = None
    """What places carry, as the compiled twin is told; None where it has no part in it."""
    carried: Callable[[Parsed, int], int] = lambda parsed, number: 0
    """What a place carries of which other attributes decide, as the twin is told."""
    against: BoundResolver = field(init=False)
    against_own: BoundResolver = field(init=False)
    embedded: dict[tuple[Candidate, ...], BoundResolver] = field(default_factory=dict)
    """What resolves references relative to other bases in the document, by the candidates for these."""
    inner: dict[int, Document] = field(default_factory=dict)
    """The documents that stand in places of this one, by place, so far as they have been read."""

    def __post_init__(self) -> None:
        """Prepare to resolve."""
        self.against = self.relative_to(self.base, self.candidates)
        self.against_own = self.against if self.base is self.own else self.relative_to(self.own, self.outside)

    def relative_to(
        self, base: Base, candidates: Sequence[Candidate], *, nowhere: Problem | None = None
    ) -> BoundResolver:
        """What resolves references of this document that are relative to `base`, established from `candidates`.

        `nowhere`: why none of them has a target, if that is so.
        """
        return BoundResolver(
            base,
            self.own.uri,
            candidates,
            self.how.profile,
            self.encode,
            self.guessed,
            strict=self.how.strict_uris,
            nowhere=nowhere,
        )

    @cached_property
    def noticed(self) -> Mapping[int, tuple[Problem, ...]]:
        """What `notice` has told, once it is asked for."""
        return {} if self.notice is None else self.notice(self)

    def references(self) -> Iterator[Reference]:
        """Every reference, in document order."""
        for number in range(len(self.parsed.places)):
            yield from self.find(self, number)

    def links(self) -> Iterator[Link]:
        """Every reference as a `Link`, in document order."""
        links = self.links_by_twin()
        if links is None:
            return map(self.link, self.references())
        return map(self._marked, links) if self.inside else iter(links)

    def twin(self) -> tuple[TwinScan, How] | None:
        """What the compiled twin has found, and how it reads references; None where it has no part in it."""
        places, before = self.parsed.places, self.against.for_twin()
        if before is None or self.carriers is None or not isinstance(places, TwinScan):
            return None
        ask = partial(self.carried, self.parsed)
        return places, places.how(*before, self.carriers, ask, base_is_own=self.base is self.own)

    def links_by_twin(self) -> list[Link] | None:
        """Every link, the ordinary ones made by the compiled twin; None where it cannot tell."""
        twin = self.twin()
        found = None if twin is None else twin[0].links(twin[1], Link, self.base, self.part)
        if found is None:
            return None
        links, odd = found
        merged: list[Link] = []
        done = 0
        for at, number in odd:
            merged += links[done:at]
            merged += map(self.link, self.find(self, number))
            done = at
        return merged + links[done:]

    def _marked(self, link: Link) -> Link:
        """The link, told apart if it leads to another part of the container."""
        if link.target is None or link.same_document or link.kind in LOCAL_KINDS:
            return link
        inside = self.inside.get(without_fragment(link.target))
        return link if inside is None else link._replace(kind="part", inside=inside)

    def link(self, reference: Reference) -> Link:
        """Resolve one reference (RFC 3986 §5.2), and tell all there is to tell about it."""
        line, column = self.parsed.locate(reference.place, reference.start)
        span = self.parsed.span(reference.place, reference.start, reference.end)
        link = self._link(reference, line, column, span)
        if link.kind == "base":
            document, inmost = innermost(self, reference)
            link = link._replace(problems=link.problems + document.noticed.get(inmost.place, ()))
        return self._marked(link) if self.inside else link

    def resolved(self, reference: Reference) -> Link:
        """Resolve one reference, and leave out where it stands and what was noticed beside: that may take longer."""
        return self._link(reference, None, None, None)

    def _link(self, reference: Reference, line: int | None, column: int | None, span: tuple[int, int] | None) -> Link:
        document, reference = innermost(self, reference)
        kind, text = reference.kind, reference.text
        against = document.against if reference.base is None else reference.base
        target, same, problems = against(text)
        if kind in LOCAL_KINDS or (text == "" and kind == "resource"):  # an empty resource is none
            same = same or kind == "fragment"
            problems = tuple(problem for problem in problems if problem.code != "leaves-document")
        element, _, attribute, *_ = document.parsed.places[reference.place]
        problems += reference.notes
        base = against.base
        return Link(text, target, base, element, attribute, kind, line, column, span, same, problems, self.part)


def document_without_bases(parsed: Parsed, find: Finder, layers: Layers, how: ReadOptions) -> Document:
    """A document of a type that embeds no base for all of it."""
    candidates = layers.candidates()
    base = establish(candidates, how.profile)
    return Document(parsed, find, {}, how, base, base, candidates, candidates)


def innermost(document: Document, reference: Reference) -> tuple[Document, Reference]:
    """The document that a reference stands in directly, and the reference there."""
    while reference.inner is not None:
        document, reference = reference.inner.document, reference.inner.reference
    return document, reference


Finder: TypeAlias = Callable[[Document, int], Sequence[Reference]]
"""The references in place number `int` of a document."""


def at(parsed: Parsed, number: int, offset: int | None = None) -> str:
    """Where character `offset` of place `number` stands, or its start tag, for people: " at 5:3"; "" if unknown."""
    line, column = parsed.locate(number, offset)
    if line is None:
        return ""
    return f" at {line}:{column}" if column is not None else f" at line {line}"


def inner_references(document: Document, number: int, inner: Document, offset: int) -> list[Reference]:
    """The references of a document that stands in place `number` of another, from character `offset` on."""
    found = []
    for reference in inner.references():
        span = inner.parsed.span(reference.place, reference.start, reference.end)
        assert span is not None  # the `source` core has read it
        start, end = span
        found.append(
            Reference(
                number,
                offset + start,
                offset + end,
                reference.text,
                reference.form,
                reference.syntax,
                reference.kind,
                None,
                Inner(inner, offset, reference),
            )
        )
    return found
