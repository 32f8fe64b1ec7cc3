"""Documents: places that a core has found, the references in them, and the bases of these references.

A `Finder`, one for each type of document, says which references a place has; this module resolves them. Most places
hold one reference, whose kind and base depend only on the element and the attribute: the compiled twin makes the links
of these. A place may contain a whole document (`Inner`), to which it gives its base. Its references have positions in
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

from rehref.documents._bases.bound_resolver import Bases, BoundResolver
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._carriers.html_attributes import CSS_ATTRIBUTES
from rehref.documents._format_rules import FormatRules, Tag
from rehref.documents._formats.html_carriers import KIND_OF_ONE
from rehref.documents._surroundings import ALONE, NO_SITE, OnSite, PartOf
from rehref.documents._table.complete_table import Table
from rehref.documents._table.python_rows import CarriedCodes
from rehref.documents._table.twin_rows import TwinRows
from rehref.documents.base import Base, Problem
from rehref.documents.integrity import GuardedPage, mentions_policy
from rehref.documents.link import BaseName, Link, Reference, as_kind, innermost, marked
from rehref.documents.media_types import MediaType, Reader
from rehref.documents.options import ReadOptions
from rehref.exceptions import TimeLimit
from rehref.markup.places import CompleteParsed, XmlDocument, on_same_element
from rehref.markup.twin import has_value, tabled
from rehref.text.encoding import Source
from rehref.text.header_fields import POLICY
from rehref.uri.syntaxes import CustomProperties, Kind

if TYPE_CHECKING:
    from rehref.documents._not_well_formed import NotWellFormed
    from rehref.markup.page_content import PageContent


class Declared:
    """What the places of a document declare: few declare anything."""

    def __init__(self, parsed: CompleteParsed) -> None:
        self._parsed = parsed

    @cached_property
    def policies(self) -> Sequence[tuple[int, str]]:
        """The Content Security Policies of its `meta` elements, each with the number of its place."""
        from rehref.documents._bases.policies_on_bases import policies_in

        return tuple(policies_in(self._parsed))

    @cached_property
    def relative_patterns(self) -> bool:
        """Whether it has speculation rules with a pattern that is relative to its base: it needs its base."""
        from rehref.documents._relative_patterns import has_relative_patterns

        return has_relative_patterns(self._parsed)

    @cached_property
    def properties(self) -> frozenset[str]:
        """The custom properties of CSS that it uses, or registers as URLs, itself."""
        found = (CustomProperties.of(place.value) for place in self._parsed.places if "--" in place.value)
        return frozenset(chain.from_iterable(map(chain.from_iterable, found)))


@dataclass(kw_only=True)
class Document:
    """A document that has been read. `links` returns its references."""

    parsed: CompleteParsed
    format: FormatRules
    how: ReadOptions
    resolvers: Resolvers
    container: Document | None = None  # the document that contains this one
    source: Source = field(init=False)  # as a document of its own or a part
    reader: Reader = field(init=False)  # which read it
    media_type: MediaType = field(init=False)  # as which it was read, without parameters
    part_of: PartOf = ALONE
    site: OnSite = NO_SITE
    inner: dict[int, Document] = field(default_factory=dict)
    """The documents inside places of this one, by place, as far as they have been read."""
    limit: TimeLimit | None = None  # the time that its references may take; None: any time
    remembered: dict[int, Sequence[Reference]] | None = None
    """The references of the places that were asked for, if it remembers them."""
    _last_rel: tuple[int, str | None] = (-1, None)

    @property
    def bases(self) -> Bases:
        """The base of its references, and its own URI."""
        return self.resolvers.bases

    @property
    def resolver(self) -> BoundResolver:
        """The resolver for the base."""
        return self.resolvers.resolver

    @property
    def base(self) -> Base:
        """The base of the references."""
        return self.resolvers.bases.base

    @property
    def own(self) -> Base:
        """The document's own URI."""
        return self.resolvers.bases.own

    @cached_property
    def declared(self) -> Declared:
        """What it says of itself."""
        return Declared(self.parsed)

    def guarded(self, source: Source | None = None, *, untyped: bool = False) -> GuardedPage:
        """It as far as integrity matters, if it is a page, a style sheet or an HTTP head; else nothing is guarded.

        `source`: of a changed version of it. `untyped`: the scripts of HTML without a type alone. Raises nothing.
        """
        from rehref.documents._guards_in_pages import guarded_page  # few pages have something

        return guarded_page(self.source if source is None else source, self.reader, untyped=untyped)

    def may_have_policy(self, content: bytes | str) -> bool:
        """Whether it may have a Content Security Policy anywhere, in a template, too. `content`: its source."""
        # scripting hides what is in a `noscript`
        found = None if self.how.scripting else has_value(self.parsed.places, "http-equiv", POLICY)
        return mentions_policy(content) if found is None else found

    @cached_property
    def noticed(self) -> Mapping[int, tuple[Problem, ...]]:
        """The problems that `notice` reports, computed on first use."""
        return {} if self.format.notice is None else self.format.notice(self, True)

    @cached_property
    def noticed_alone(self) -> Mapping[int, tuple[Problem, ...]]:
        """The same without those for which other references must be read."""
        return {} if self.format.notice is None else self.format.notice(self, False)

    def references_at(self, number: int) -> Sequence[Reference]:
        """The references in one place. Raises `OutOfTimeError` if `limit` is exceeded, as does all that calls this."""
        remembered, find = self.remembered, self.format.find
        if remembered is not None and number in remembered:
            return remembered[number]
        found = find(self, number) if self.limit is None else self.limit.within(find, self, number)
        if remembered is not None:
            remembered[number] = found
        return found

    def kind_of_value(self, number: int) -> Kind | None:
        """The kind of the reference that the whole value of a place is; None if names do not decide it."""
        return KIND_OF_ONE.get(self._codes.of_place(self, number, self.parsed.places[number]))

    @cached_property
    def _codes(self) -> CarriedCodes:
        """What places carry; a page has many of few names."""
        return CarriedCodes(self.format.carriers)

    def rel_at(self, number: int, element: str) -> str | None:
        """The value of `rel` on the element that a place is on. There may be many references on one element."""
        carriers = self.format.carriers
        if carriers is not None and not carriers.may_have_rel(element):
            return None
        tag = self.parsed.places[number].tag
        if self._last_rel[0] != tag:
            self._last_rel = tag, None
            for place in on_same_element(self.parsed.places, number):
                if place.attribute == "rel":
                    self._last_rel = tag, place.value
        return self._last_rel[1]

    @cached_property
    def page(self) -> PageContent:
        """What it shows and contains beside its references, as its core has read it: HTML, or XML."""
        from rehref.markup.page_content import PageContent  # most documents are asked for their references alone

        units = self.parsed.units
        source, is_xml = self.source if units is None else units.source, isinstance(self.parsed, XmlDocument)
        return PageContent(source, is_xml=is_xml, places=self.parsed.places)

    @cached_property
    def texts(self) -> Mapping[int, str]:
        """The texts of the hyperlinks by the positions of their tags, if the core is `source`."""
        return {} if self.parsed.units is None else self.page.texts_of_hyperlinks()

    def not_well_formed(self) -> NotWellFormed | None:
        """The first error of XML, of a notebook or of MDX; None if there is none, or it is not known."""
        data = self.source.data
        if self.parsed.fault is not None:
            from rehref.documents._not_well_formed import NotWellFormed

            return NotWellFormed(*self.parsed.fault)
        if self.reader not in ("xml", "notebook") or isinstance(data, str):
            return None
        from rehref.documents._not_well_formed import not_json, not_well_formed  # few are asked

        return not_json(data) if self.reader == "notebook" else not_well_formed(data)

    def references(self) -> Iterator[Reference]:
        """Every reference, in document order."""
        return chain.from_iterable(map(self.references_at, range(len(self.parsed.places))))

    def links(self) -> Iterator[Link]:
        """Every reference as a `Link`, in document order."""
        return chain.from_iterable(self.table().links())

    def table(self, *, metadata: bool = True) -> Table:
        """The references as a table. `metadata`: also metadata in JSON-LD, which takes long to read."""
        return Table(self, self._twin_table(metadata=metadata), self.format.carriers_of_base)

    def _twin_table(self, *, metadata: bool) -> TwinRows | None:
        places, (_, carriers, give, markup, *_) = tabled(self.parsed.places), self.format
        if carriers is None or self.how.text or places is None:
            return None
        parts = self.resolvers.for_parts(self.format.parts)
        # whether `#x` means the same in markup
        is_alike = not self.resolvers.has_fragments or (self.base.origin != "embedded" and not parts.xml_base)
        how = places.how(
            *self.resolver.for_twin(),
            carriers,
            partial(carriers.carried, self.parsed),
            give,
            base_is_own=self.base is self.own,
            metadata=metadata,
            markup=markup if is_alike else None,
            parts=parts,
        )
        scanned = places.table(how)
        return None if scanned is None else TwinRows(scanned, self.parsed.recoded)

    def base_of(self, name: BaseName, uri: str | None, tag: Tag | None) -> Base:
        """The base of a part with that name. `uri`, `tag`: its URI, and what names it, if the twin knows them."""
        if isinstance(name, int) and self.format.parts is not None:
            return self.format.parts.base(self, name, uri, tag)
        return self.resolver_of("", None, name).base

    def resolver_of(self, kind: str, attribute: str | None, base: BaseName = -1) -> BoundResolver:
        """The resolver for references of a kind in an attribute, which the twin has read."""
        if kind == "base" and attribute == "href":
            return self.resolvers.around
        resolver = self.resolver
        if isinstance(base, tuple):
            resolver = self.resolvers.below_values(base)
        elif base != -1 and self.format.parts is not None:
            resolver = self.format.parts.resolver(self, base)
        return resolver.in_utf8 if self.resolvers.encode is not None and attribute in CSS_ATTRIBUTES else resolver

    def innermost(self, reference: Reference) -> tuple[Document, Reference]:
        """The document that directly contains a reference, and the reference in that document."""
        return innermost(self, reference)

    def link(self, reference: Reference) -> Link:
        """Resolve one reference (RFC 3986 §5.2), and return the complete link."""
        document, inmost = self.innermost(reference)
        line, column = self.parsed.locate(reference.place, reference.start)
        span = self.parsed.span(reference.place, reference.start, reference.end)
        link = self._link(document, inmost, line, column, span)
        if link.kind == "base" and (noticed := document.noticed.get(inmost.place)):
            link = link._replace(problems=link.problems + noticed)
        return marked(link, self.part_of)

    def resolved(self, reference: Reference) -> Link:
        """Resolve one reference, without its position and the problems of `notice`, which may take longer."""
        return self._link(*self.innermost(reference))

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
            part=self.part_of.name,
            page=self.own.uri,
            date=self.part_of.date,
            rel=document.rel_at(reference.place, place.element),
            text=document.texts.get(place.tag) if self.how.text and kind == "hyperlink" else None,
        )
