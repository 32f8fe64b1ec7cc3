"""XML documents: feeds, XHTML, SVG, DocBook, sitemaps and the rest; the references in them, and their bases.

A reference is relative to the nearest `xml:base` around it (`xml_scopes`), or else to the document's base. Browsers
ignore `xml:base`: in the `whatwg` profile it has no effect in the documents that they show (XHTML, SVG, MathML), in
which the first `base` element of XHTML counts as in HTML. Elements of XHTML, SVG and MathML are read as in HTML,
wherever they are; so are elements without a namespace that RSS does not have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from rehref.documents._bases.bound_resolver import BoundResolver, HasBases, bases_outside, query_encoder
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._carriers.html_attributes import ANY, TEXT
from rehref.documents._carriers.xml_applications import OWN_BASES
from rehref.documents._carriers.xml_vocabularies import (
    EVERYWHERE,
    HTML_TEXTS,
    TYPED_TEXTS,
    vocabulary_of,
)
from rehref.documents._format_rules import FormatRules, Parts, Tag
from rehref.documents._formats import DocumentFormat, html
from rehref.documents._formats.format_contract import carried_references
from rehref.documents._formats.xml_carriers import XmlCarriers, XmlDocumentCarriers, xml_carriers
from rehref.documents._formats.xml_scopes import Scopes, base_not_known
from rehref.documents.base import Base, Candidate, Layers, Problem
from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.options import ReadOptions
from rehref.exceptions import ParserError
from rehref.markup.cores import DEFAULT
from rehref.markup.cores import core as core_named
from rehref.markup.parsed import XmlCore
from rehref.markup.places import HTML, MATHML, NOT_KNOWN, SVG, XmlDocument, at, complete
from rehref.markup.twin import may_have_entities, xml_bases
from rehref.text.encoding import Source, sniff_xml
from rehref.uri.syntaxes import Carrier

_SHOWN = frozenset({HTML, SVG, MATHML})
"""Namespaces that browsers show."""
_PROBLEM = Problem("unknown-entity", "an entity in it is not known, or not expanded: its target cannot be known")
_XML_BASE = Carrier("url", "base", "XML Base 2e §3")
_OF_INSTRUCTION = Carrier("url", "resource", "Associating Style Sheets, Associating Schemas with XML documents")


@dataclass(slots=True)
class _Finder:
    """Finds the references in the places of one document (see `rehref.documents.document.Finder`)."""

    carriers: XmlDocumentCarriers
    parsed: XmlDocument
    scopes: Scopes
    xml_base_counts: bool
    """Whether `xml:base` has an effect; not in what browsers show, in the `whatwg` profile, or if bases are ignored."""

    def __call__(self, document: Document, number: int) -> Sequence[Reference]:
        """The references in one place, with their bases."""
        found = self._references_in(document, number)
        if not self.parsed.places[number].flags & NOT_KNOWN:
            return found
        nowhere = document.resolvers.nowhere(_PROBLEM)
        reported = [reference for reference in found if reference.kind != "base"]
        return [each if each.inner is not None else each._replace(base=nowhere) for each in reported]

    def _references_in(self, document: Document, number: int) -> Sequence[Reference]:
        """The references in one place, whatever it contains.

        `xml:base` itself is one of kind `base`, relative to the next one out, whether or not it counts. Those of
        instructions (`xml-stylesheet`, `xml-model`) are relative to the document's own URI: they are outside every
        element. Where a value has an entity that is not known (`&home;`, declared elsewhere), or not expanded, it could
        mean anything: its references have no target, and the problem `unknown-entity`. If it names a base, there is
        none: the next one out does not apply.
        """
        element, namespace, attribute, *_ = self.parsed.places[number]
        if attribute == "xml:base":
            resolver = self.scopes.resolver_of(document, number)
            return _with_base(carried_references(document, number, _XML_BASE), resolver)
        part = self._part(document, number)
        found: Sequence[Reference]
        if element[:1] == "?":
            found = carried_references(document, number, _OF_INSTRUCTION) if attribute == "href" else ()
            return _with_base(found, document.resolvers.own)
        if (carrier := EVERYWHERE.get((ANY, attribute or TEXT))) is not None:
            found = carried_references(document, number, carrier)
        elif namespace in _SHOWN:
            found = html.find(self.carriers.carriers.html, document, number, part)
        else:
            found = self._of_vocabulary(document, number, part)
        return found if part is document else _with_base(found, part.resolver)

    def _part(self, document: Document, number: int) -> HasBases:
        """The part of the document that has a place."""
        return self.scopes.within(document, self.parsed.scopes[number]) if self.xml_base_counts else document

    def base(self, document: Document, number: int, uri: str | None, tag: Tag | None) -> Base:
        """The base that the attribute in a place names (`Parts`)."""
        if uri is None or document.base.rejected:
            return self.resolver(document, number).base
        if self.parsed.places[number].attribute == "xml:base":
            return self.scopes.plain(number, uri)
        return html.base_of_codebase(document, number, uri, tag)

    def resolver(self, document: Document, number: int) -> BoundResolver:
        """The resolver for what is relative to that."""
        place = self.parsed.places[number]
        if place.attribute == "xml:base":
            return self.scopes.within(document, number).resolver
        return html.below_codebase(document, number, place.value, self._part(document, number))

    def _of_vocabulary(self, document: Document, number: int, part: HasBases) -> Sequence[Reference]:
        """The references in a place of an element that browsers do not show.

        In the vocabularies of `OWN_BASES` they are relative to something else: in an EPUB's `META-INF/container.xml`,
        to the root of the container.
        """
        has_markup = self.carriers.has_markup(self.parsed, number)
        if has_markup is not None:
            return self._inner(document, number, part) if has_markup else ()
        carrier = self.carriers.carrier_of(self.parsed, number)
        if carrier is None:
            return ()
        found = carried_references(document, number, carrier, part)
        if (own := OWN_BASES.get(self.parsed.places[number].namespace)) is not None:
            reference, where = own
            return _with_base(found, document.resolvers.below([Candidate(reference, "embedded", where)], part))
        return _with_base(found, document.resolvers.own) if carrier.kind == "base" else found

    def _inner(self, document: Document, number: int, part: HasBases) -> Sequence[Reference]:
        """The references of the HTML in a text (Atom, RSS), relative to the base of its place; a `base` in it has no
        effect.

        In a feed `#x` means the page that the content is from (`BoundResolver`).
        """
        value = self.parsed.places[number].value
        if "<" not in value:
            return ()
        inner = document.inner.get(number)
        if inner is None:
            carriers = self.carriers.carriers.html
            inner = document.inner[number] = Document(
                parsed=complete(core_named().parse(Source(value), carriers.wanted)),
                format=FormatRules(partial(html.find, carriers)),
                how=document.how,
                resolvers=Resolvers(part.bases, document.how, has_fragments=False, is_inner=True),
                container=document,
                limit=document.limit,
            )
        return html.inner_references(document, number, inner, 0)


def _with_base(found: Sequence[Reference], resolver: BoundResolver) -> Sequence[Reference]:
    """The references, with this resolver for those that have no other base and are not in a document in this one."""
    return [
        reference._replace(base=resolver) if reference.base is None and reference.inner is None else reference
        for reference in found
    ]


def _base_of_channel(parsed: XmlDocument) -> Candidate | None:
    """The base that a document in CDF names for itself as a whole: `BASE` of the outermost `CHANNEL`."""
    if parsed.root == ("", "CHANNEL"):
        for number, place in enumerate(parsed.places):
            if parsed.parents[number] != ("", ""):
                break
            if place.attribute == "BASE":
                return Candidate(place.value, "embedded", f"BASE of <CHANNEL>{at(parsed, number)}")
    return None


def _is_not_known(parsed: XmlDocument, embedded: Candidate) -> bool:
    """Whether the document's own base could mean anything."""
    return any(
        place.flags & NOT_KNOWN and place.value == embedded.reference and place.element in ("base", "CHANNEL")
        for place in parsed.places
    )


def read(source: Source, layers: Layers, how: ReadOptions = ReadOptions.DEFAULT) -> Document:
    """Read an XML document: find its places, establish its bases. Raises nothing on markup.

    Raises `ParserError` if the core that `how` names does not read XML.
    """
    core, carriers = how.core(), xml_carriers(how)
    if not isinstance(core, XmlCore):
        raise ParserError(f"the parser {how.parser!r} does not read XML; {DEFAULT} and lxml do")
    return understood(source, core.parse_xml(source, carriers.wanted), carriers, layers, how)


def understood(
    source: Source, parsed: XmlDocument, carriers: XmlCarriers, layers: Layers, how: ReadOptions
) -> Document:
    """The XML document that a core has read, looking for `carriers.wanted`; see `read`."""
    shown = parsed.root[0] in _SHOWN
    elements = html.base_elements(parsed) if shown else ()
    bases = bases_outside(layers, how)
    named = html.embedded_base(parsed, elements, bases) if shown else _base_of_channel(parsed)
    embedded = None if how.ignore_embedded_base else named
    bases = bases.with_embedded(embedded, how)
    if embedded is not None and _is_not_known(parsed, embedded):
        bases = bases.with_base(base_not_known(embedded), ())
    xml_base_counts = not how.ignore_embedded_base and not (shown and how.profile == "whatwg")
    of_places = XmlDocumentCarriers(carriers, parsed.root)
    finder = _Finder(of_places, parsed, Scopes(parsed, shown), xml_base_counts)
    all_known = not (may_have_entities(parsed.places) and any(place.flags & NOT_KNOWN for place in parsed.places))
    rules = FormatRules(
        finder,
        of_places if all_known else None,
        markup=carriers.html,
        notice=partial(_noticed, finder.scopes if xml_base_counts else None, shown=shown),
        parts=Parts(finder.base, finder.resolver, xml_base_counts and len(xml_bases(parsed.places)) > 0, not shown),
    )
    return Document(
        parsed=parsed,
        format=rules,
        how=how,
        resolvers=Resolvers(
            bases,
            how,
            encode=query_encoder(source.encoding) if shown else None,
            base_elements=elements,
            has_fragments=vocabulary_of(parsed.root[0], parsed.root) not in {**HTML_TEXTS, **TYPED_TEXTS},
        ),
    )


def _noticed(scopes: Scopes | None, document: Document, late: bool, *, shown: bool) -> dict[int, tuple[Problem, ...]]:
    """The problems of attributes that name a base, by place."""
    found = dict(html.problems_of_bases(document, late)) if shown else {}
    return found if scopes is None else found | scopes.problems(document)


FORMAT = DocumentFormat(read, lambda data, declared, is_response: sniff_xml(data, declared))
