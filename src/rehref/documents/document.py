"""Documents: places that a core has found, the references in them, and the bases of these references.

1. A `Finder`, one for each type of document, says which references a place has; this module resolves them.
2. Most places hold one reference, whose kind and base depend only on the element and the attribute: `carriers` says so,
   to the checker and to the compiled twin. If the twin has read the document, it makes the links of ordinary places.
3. A reference is relative to the document's base, unless it has another one (`Reference.base`).
4. A place may contain a whole document (`Inner`), to which it gives its base. Its references have positions in it.
5. The references of a document may take only so long (`rehref.documents.reading`, rule 4), if `limit` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple, TypeAlias

from rehref.base import Base, Candidate, establish, without_fragment
from rehref.carriers.html_attributes import CSS_ATTRIBUTES
from rehref.carriers.syntaxes import found_in
from rehref.documents.bound_resolver import Bases, BoundResolver, HasBases
from rehref.documents.link import Link, Problem
from rehref.documents.media_types import Reader
from rehref.documents.table.complete_table import Table
from rehref.documents.table.reference import LOCAL_KINDS, Reference, as_kind, innermost
from rehref.exceptions import TimeLimit
from rehref.options import ReadOptions
from rehref.parsers.contract import CompleteParsed, XmlDocument, beside
from rehref.parsers.source.reference_table import BaseName, ReferenceTable
from rehref.parsers.source.twin import tabled
from rehref.parsers.source.twin_exchange import BasesOfParts, DocumentCarriers, Find, MarkupCarriers
from rehref.text.encoding import Source
from rehref.uri.ordinary_references import NOWHERE, Prefixes
from rehref.uri.whatwg import Encode


def _of_source(path: str) -> str | None:
    return None


class Parts(NamedTuple):
    """The parts of a document that have a base of their own.

    `base`, `resolver`: return what is for references relative to the base that the attribute in a place names; of a
    plain base `base` gets the URI, else None.
    `xml_base`: whether an `xml:base` counts. `are_plain`: whether browsers do not show the document: they know no such
    bases.
    """

    base: Callable[[Document, int, str | None], Base]
    resolver: Callable[[Document, int], BoundResolver]
    xml_base: bool = False
    are_plain: bool = False


@dataclass(kw_only=True)
class Document:
    """A document that has been read. `links` returns its references."""

    parsed: CompleteParsed
    find: Finder
    how: ReadOptions
    bases: Bases
    encode: Encode | None = None
    container: Document | None = None  # the document that contains this one
    base_elements: Sequence[int] = ()
    """The places of the `base` elements that, when they were read, became the one that counts. The last still does."""
    notice: Callable[[Document], Mapping[int, tuple[Problem, ...]]] | None = None
    """Reports, by place, problems of references that name a base, besides those that follow from their text."""
    has_fragments: bool = True  # whether `#x` may mean something in the document itself (`BoundResolver`, rule 6)
    guessed: str | None = None  # the encoding that it is read in, if that is a guess and not all is ASCII
    source: Source = field(init=False)  # as a document of its own or a part
    reader: Reader = field(init=False)  # which read it
    media_type: str = field(init=False)  # as which it was read, without parameters
    part: str | None = None  # of a container, which this document is
    date: str | None = None  # the time of capture of its record
    inside: Mapping[str, str] = field(default_factory=dict)
    """The documents of the same container: absolute URI without fragment, and the name of the part."""
    carriers: DocumentCarriers | None = None  # what places carry; None: names do not decide it
    give: Find = found_in  # finds references for the compiled twin, in the micro-syntaxes that it does not read
    markup: MarkupCarriers | None = None  # the carriers for HTML in the texts of elements in XML
    parts: Parts | None = None
    resolver: BoundResolver = field(init=False)  # for the base
    embedded: dict[tuple[Candidate, ...], BoundResolver] = field(default_factory=dict)
    """The resolvers for other bases in the document, by the candidates for these."""
    inner: dict[int, Document] = field(default_factory=dict)
    """The documents inside places of this one, by place, as far as they have been read."""
    limit: TimeLimit | None = None  # the time that its references may take; None: any time
    has_root: bool = False  # whether it is known where paths from the root lead, in Markdown in a named dialect
    base_of_page: Callable[[str], str | None] = _of_source
    """Returns the URI to which a path is relative on the site that is made of it; "" if unknown; None: to itself."""
    base_of_property: Callable[[str], str] | None = None
    """Returns the URI of what uses a custom property on its site; "" if it is uncertain. None: there is no site."""
    properties: frozenset[str] | None = None  # those that it uses or registers itself, once somebody has asked
    _last_rel: tuple[int, str | None] = (-1, None)

    def __post_init__(self) -> None:
        """Prepare to resolve."""
        if self.container is not None:
            self.limit = self.container.limit
        self.resolver = self._relative_to(self.bases)

    @property
    def base(self) -> Base:
        """The base of the references."""
        return self.bases.base

    @property
    def own(self) -> Base:
        """The document's own URI."""
        return self.bases.own

    @cached_property
    def policies(self) -> Sequence[tuple[int, str]]:
        """The Content Security Policies of its `meta` elements, each with the number of its place."""
        from rehref.documents.base_policy import policies_in  # few documents have one

        return tuple(policies_in(self.parsed))

    @cached_property
    def own_resolver(self) -> BoundResolver:
        """The resolver for the document's own URI."""
        around = self.bases.around
        if around is not None and around.base is self.own:
            return self._relative_to(around)
        return self.resolver if self.base is self.own else self.relative_to(self.own, self.bases.outside)

    @property
    def resolver_around(self) -> BoundResolver:
        """The resolver for the `href` of the document's own `base` elements."""
        around = self.bases.around
        if around is None:
            return self.own_resolver if self.container is None else self.resolver
        if around.base is self.own:
            return self.own_resolver
        if around.candidates not in self.embedded:
            self.embedded[around.candidates] = self._relative_to(around)
        return self.embedded[around.candidates]

    @property
    def depth(self) -> int:
        """How many documents contain this one, one inside the other."""
        return 0 if self.container is None else self.container.depth + 1

    def _relative_to(self, bases: Bases) -> BoundResolver:
        return self.relative_to(bases.base, bases.candidates, before=bases.before)

    def relative_to(
        self,
        base: Base,
        candidates: Sequence[Candidate],
        *,
        before: Prefixes = NOWHERE,
        nowhere: Problem | None = None,
        in_browsers: BoundResolver | None = None,
    ) -> BoundResolver:
        """The resolver for references of this document relative to `base`, established from `candidates`.

        `before`: as in `Bases`. `nowhere`: why none has a target, if so. `in_browsers`: see `BoundResolver`.
        """
        return BoundResolver(
            base,
            candidates,
            own=self.own.uri,
            before=before,
            profile=self.how.profile,
            encode=self.encode,
            guessed=self.guessed,
            has_fragments=self.has_fragments,
            strict=self.how.strict_uris,
            nowhere=nowhere,
            in_browsers=in_browsers,
        )

    def resolver_below(self, bases: Sequence[Candidate], within: HasBases | None = None) -> BoundResolver:
        """The resolver for references relative to bases inside the document, or a part of it, nearest first."""
        candidates = (*bases, *(within or self).bases.candidates)
        known = self.embedded.get(candidates)
        if known is None:
            known = self.embedded[candidates] = self.relative_to(establish(candidates, self.how.profile), candidates)
        return known

    def resolver_below_values(self, bases: Sequence[str], within: HasBases | None = None) -> BoundResolver:
        """The same for the values of `@base` in JSON-LD."""
        return self.resolver_below([Candidate(each, "embedded", "@base", scope="@base") for each in bases], within)

    def resolver_below_codebase(self, codebase: Candidate, within: HasBases) -> BoundResolver:
        """The same for a `codebase`, which browsers do not know."""
        candidates = (codebase,)  # its place is one of its own
        known = self.embedded.get(candidates)
        if known is None:
            base = within.bases.below(codebase, self.how.profile)
            known = self.embedded[candidates] = self.relative_to(base, (), in_browsers=within.resolver)
        return known

    @cached_property
    def noticed(self) -> Mapping[int, tuple[Problem, ...]]:
        """The problems that `notice` reports, computed on first use."""
        return {} if self.notice is None else self.notice(self)

    def found(self, number: int) -> Sequence[Reference]:
        """The references in one place. Raises `OutOfTimeError` (rule 5), as does all that calls this."""
        return self.find(self, number) if self.limit is None else self.limit.within(self.find, self, number)

    def rel_at(self, number: int, element: str) -> str | None:
        """The value of `rel` on the element that a place is on. There may be many references on one element."""
        if self.carriers is not None and not self.carriers.may_have_rel(element):
            return None
        tag = self.parsed.places[number].tag
        if self._last_rel[0] != tag:
            values = (place.value for place in beside(self.parsed.places, number) if place.attribute == "rel")
            self._last_rel = tag, next(values, None)
        return self._last_rel[1]

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """The texts of the hyperlinks by the positions of their tags, if the core is `source`."""
        from rehref.parsers.source.texts.text_of_tree import texts_of_hyperlinks  # only for those who ask for texts
        from rehref.parsers.source.texts.text_of_xml import texts_of_hyperlinks_in_xml

        units = self.parsed.units
        if units is None:
            return {}
        return texts_of_hyperlinks_in_xml(units) if isinstance(self.parsed, XmlDocument) else texts_of_hyperlinks(units)

    def references(self) -> Iterator[Reference]:
        """Every reference, in document order."""
        return chain.from_iterable(map(self.found, range(len(self.parsed.places))))

    def links(self) -> Iterator[Link]:
        """Every reference as a `Link`, in document order."""
        return chain.from_iterable(self.table().links())

    def table(self, *, metadata: bool = True) -> Table:
        """The references as a table. `metadata`: also metadata in JSON-LD, which takes long to read."""
        return Table(self, self._twin_table(metadata=metadata))

    def _twin_table(self, *, metadata: bool) -> ReferenceTable | None:
        places = tabled(self.parsed.places)
        if self.carriers is None or self.how.text or places is None:
            return None
        ask = partial(self.carriers.carried, self.parsed)
        parts = self._part_bases()
        # whether `#x` means the same in markup
        is_alike = not self.has_fragments or (self.base.origin != "embedded" and not parts.xml_base)
        how = places.how(
            *self.resolver.for_twin(),
            self.carriers,
            ask,
            self.give,
            base_is_own=self.base is self.own,
            metadata=metadata,
            markup=self.markup if is_alike else None,
            parts=parts,
        )
        return places.table(how, self.parsed.recoded)

    def base_of(self, name: BaseName, uri: str | None) -> Base:
        """The base of a part with that name. `uri`: its URI, if the twin knows it."""
        if isinstance(name, int) and self.parts is not None:
            return self.parts.base(self, name, uri)
        return self.resolver_of("", None, name).base

    def _part_bases(self) -> BasesOfParts:
        """How the twin reads bases of parts."""
        parts, alike, size = self.parts, self.resolver.alike(), len(self.base.uri or "")
        if parts is None:
            return BasesOfParts(alike, size=size)
        codebase = self.how.profile != "whatwg"
        is_plain = self.bases.before is not NOWHERE
        return BasesOfParts(alike, parts.are_plain, parts.xml_base, codebase, is_plain, size)

    def resolver_of(self, kind: str, attribute: str | None, base: BaseName = -1) -> BoundResolver:
        """The resolver for references of a kind in an attribute, which the twin has read."""
        if kind == "base" and attribute == "href":
            return self.resolver_around
        resolver = self.resolver
        if isinstance(base, tuple):
            resolver = self.resolver_below_values(base)
        elif base != -1 and self.parts is not None:
            resolver = self.parts.resolver(self, base)
        return resolver.in_utf8 if self.encode is not None and attribute in CSS_ATTRIBUTES else resolver

    def marked(self, link: Link) -> Link:
        """The link, marked if it leads to another part of the container."""
        if link.target is None or link.same_document or link.kind in LOCAL_KINDS:
            return link
        inside = self.inside.get(without_fragment(link.target))
        return link if inside is None else link._replace(kind="part", inside=inside)

    def link(self, reference: Reference) -> Link:
        """Resolve one reference (RFC 3986 §5.2), and return the complete link."""
        document, inmost = innermost(self, reference)
        line, column = self.parsed.locate(reference.place, reference.start)
        span = self.parsed.span(reference.place, reference.start, reference.end)
        link = self._link(document, inmost, line, column, span)
        if link.kind == "base" and (noticed := document.noticed.get(inmost.place)):
            link = link._replace(problems=link.problems + noticed)
        return self.marked(link) if self.inside else link

    def resolved(self, reference: Reference) -> Link:
        """Resolve one reference, without its position and the problems of `notice`, which may take longer."""
        return self._link(*innermost(self, reference))

    def _link(
        self,
        document: Document,
        reference: Reference,
        line: int | None = None,
        column: int | None = None,
        span: tuple[int, int] | None = None,
    ) -> Link:
        """The same for a reference directly in a document, which is this one or inside it, at a position."""
        kind, text = reference.kind, reference.text
        resolver = document.resolver if reference.base is None else reference.base
        target, same, problems = as_kind(kind, text, resolver(text))
        place = document.parsed.places[reference.place]
        return Link(
            reference=text,
            target=target,
            base=resolver.base,
            element=place.element,
            attribute=place.attribute,
            kind=kind,
            line=line,
            column=column,
            span=span,
            same_document=same,
            problems=problems + reference.notes,
            part=self.part,
            page=self.own.uri,
            date=self.date,
            rel=document.rel_at(reference.place, place.element),
            text=document.texts.get(place.tag) if self.how.text and kind == "hyperlink" else None,
        )


Finder: TypeAlias = Callable[[Document, int], Sequence[Reference]]
"""The references in place number `int` of a document."""
