"""XML documents: feeds, XHTML, SVG, DocBook, sitemaps and the rest; the references in them, and their bases.

1. A reference is relative to the nearest `xml:base` around it (`rehref.documents.formats.xml_scopes`), or else to what
   the document has for a base. RSS has no base of its own beside that.
2. `xml:base` itself is a reference of kind `base`, relative to the next one out, whether or not it counts.
3. Browsers ignore `xml:base`. So do the documents that they show (XHTML, SVG, MathML) in the `whatwg` profile; in
   these, the first `base` element of XHTML is the document's base, as in HTML. In CDF, `BASE` of the outermost
   `CHANNEL` is. All of this is left out where embedded bases are to be ignored.
4. Elements of XHTML, SVG and MathML are read as in HTML (`rehref.documents.formats.html`), wherever they stand; so are
   those in no namespace that RSS does not have. The rest is in `rehref.carriers.xml_vocabularies`, by vocabulary.
5. The reference of `xml-stylesheet` is relative to the document's own URI: it stands outside of every element.
6. A text that is HTML (Atom, RSS) is a document that stands in this one. Its references are relative to the base where
   it stands; a `base` element in it is of no effect.
7. A value with a reference to an entity that is not known (`&home;`, declared elsewhere), or not expanded any more
   (`rehref.parsers.source.xml.entities`), could mean anything. What is found in it has no target and the problem
   `unresolvable`, and stays as it is. Where it should be a base, it is skipped with a reason, and there is no base:
   what is further out is not meant. Of such a base nobody is told as a link, lest it be changed. HTML in a text is read
   all the same (rule 6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from rehref.base import NO_BASE, Candidate, Layers, establish
from rehref.carriers import css
from rehref.carriers.html_attributes import ANY
from rehref.carriers.kinds import Kind, Syntax
from rehref.carriers.syntaxes import FIND
from rehref.carriers.xml_context import XML_CONTEXT, decide_xml, is_html
from rehref.carriers.xml_vocabularies import EVERYWHERE, HTML_TEXTS, TEXT, TYPED_TEXTS, vocabulary_of
from rehref.documents.base_lint import lint
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import Document, Reference, at, inner_references
from rehref.documents.formats import html
from rehref.documents.formats.xml_names import XmlNames, ordinary, xml_names
from rehref.documents.formats.xml_scopes import Scopes, base_not_known
from rehref.documents.link import Problem
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import HTML, MATHML, SVG
from rehref.parsers.registry import core as core_named
from rehref.parsers.source.xml.entities import NOT_KNOWN
from rehref.parsers.xml_contract import XmlParsed, XmlWanted
from rehref.text.ascii import WHITE_SPACE
from rehref.text.source import Source

Parse: TypeAlias = Callable[[Source, XmlWanted], XmlParsed]
"""What reads XML: `rehref.parsers.source.xml.read_xml`, or the like."""

_SHOWN = frozenset({HTML, SVG, MATHML})
"""Namespaces of what browsers show."""
_PROBLEM = Problem("unresolvable", "an entity in it is not known, or not expanded: nothing tells where it leads")


@dataclass(slots=True)
class _Finder:
    """Finds the references in the places of one document (see `rehref.documents.document.Finder`)."""

    names: XmlNames
    parsed: XmlParsed
    scopes: Scopes
    heeds: bool
    """Whether `xml:base` counts (rule 3)."""
    nowhere: BoundResolver | None = None
    """What resolves the references of rule 7, once there is one."""

    def __call__(self, document: Document, number: int) -> Sequence[Reference]:
        """The references in one place, with their bases."""
        found = self._found(document, number)
        return self._unresolvable(document, found) if self.parsed.places[number].flags & NOT_KNOWN else found

    def _unresolvable(self, document: Document, found: Sequence[Reference]) -> Sequence[Reference]:
        """The same references, as far as they are told, without a target (rule 7)."""
        if self.nowhere is None:
            self.nowhere = document.relative_to(NO_BASE, (), nowhere=_PROBLEM)
        nowhere = self.nowhere
        return [
            reference if reference.inner is not None else reference._replace(base=nowhere)
            for reference in found
            if reference.kind != "base"
        ]

    def _found(self, document: Document, number: int) -> Sequence[Reference]:
        """The references in one place, whatever stands in it."""
        element, namespace, attribute, *_ = self.parsed.places[number]
        if attribute == "xml:base":
            around = self.scopes.around(document, number)
            return [reference._replace(base=around) for reference in self._references(number, "url", "base")]
        view = self.scopes.view(document, self.parsed.scopes[number]) if self.heeds else document
        found: Sequence[Reference]
        if element[:1] == "?":
            found = [
                reference._replace(base=document.against_own)
                for reference in (self._references(number, "url", "resource") if attribute == "href" else ())
            ]
        elif (carrier := EVERYWHERE.get((ANY, attribute or TEXT))) is not None:
            found = self._references(number, carrier.syntax, carrier.kind)
        elif namespace in _SHOWN:
            found = html.find(self.names.html, view, number)
        else:
            found = self._of_vocabulary(view, number)
        if view is document:
            return found
        return [
            reference._replace(base=view.against) if reference.base is None and reference.inner is None else reference
            for reference in found
        ]

    def _references(self, number: int, syntax: Syntax, kind: Kind) -> list[Reference]:
        """The references in a place of one micro-syntax, that are for `kind` if that does not tell."""
        return [
            Reference(
                number,
                found.start,
                found.end,
                found.text,
                found.form,
                syntax,
                css.kind_of(found, kind) if syntax == "css" else found.kind or kind,
            )
            for found in FIND[syntax](self.parsed.places[number].value)
        ]

    def _of_vocabulary(self, view: Document, number: int) -> Sequence[Reference]:
        """The references in a place of no element that browsers show (rule 4)."""
        element, namespace, attribute, value, *_ = self.parsed.places[number]
        vocabulary = vocabulary_of(namespace, self.parsed.root)
        if attribute is None:
            if element in HTML_TEXTS.get(vocabulary, ()):
                return self._inner(view, number)
            if element in TYPED_TEXTS.get(vocabulary, ()):
                typed = is_html(vocabulary, element, html.siblings(self.parsed, number))
                return self._inner(view, number) if typed else ()
            if not value.strip(WHITE_SPACE):
                return ()
        name = TEXT if attribute is None else attribute
        carrier = self.names.carrier(vocabulary, element, name)
        if carrier is None:
            return ()
        kind: Kind | None = carrier.kind
        if name == "xlink:href" or (vocabulary, element, name) in XML_CONTEXT:
            parent = self.parsed.parents[number][1]
            kind = decide_xml(vocabulary, element, name, value, html.siblings(self.parsed, number), parent)
        found = [] if kind is None else self._references(number, carrier.syntax, kind)
        if kind == "base":
            return [reference._replace(base=view.against_own) for reference in found]
        return found

    def _inner(self, view: Document, number: int) -> Sequence[Reference]:
        """The references of the HTML in a text (rule 6)."""
        value = self.parsed.places[number].value
        if "<" not in value:
            return ()
        inner = view.inner.get(number)
        if inner is None:
            names = self.names.html
            inner = view.inner[number] = Document(
                core_named().parse(Source(value), names.wanted),
                partial(html.find, names),
                names.ordinary,
                view.how,
                view.base,
                view.own,
                view.candidates,
                view.outside,
                None,
                view,
                view.depth + 1,
            )
        return inner_references(view, number, inner, 0)


def _embedded_base(parsed: XmlParsed) -> Candidate | None:
    """The base that a document names for itself as a whole (rule 3)."""
    namespace, _ = parsed.root
    if namespace in _SHOWN:
        return html.embedded_base(parsed)
    if parsed.root == ("", "CHANNEL"):
        for number, place in enumerate(parsed.places):
            if parsed.parents[number] != ("", ""):
                break
            if place.attribute == "BASE":
                return Candidate(place.value, "embedded", f"BASE of <CHANNEL>{at(parsed, number)}")
    return None


def _is_not_known(parsed: XmlParsed, embedded: Candidate) -> bool:
    """Whether what the document names for its base could mean anything (rule 7)."""
    return any(
        place.flags & NOT_KNOWN and place.value == embedded.reference and place.element in ("base", "CHANNEL")
        for place in parsed.places
    )


def read(source: Source, parse: Parse, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read an XML document: find its places, establish its bases. Raises nothing on markup."""
    names = xml_names(how)
    parsed = parse(source, names.wanted)
    namespace, _ = parsed.root
    shown = namespace in _SHOWN
    outside = layers.candidates()
    own = establish(outside, how.profile)
    embedded = None if how.ignore_embedded_base else _embedded_base(parsed)
    candidates = outside if embedded is None else (embedded, *outside)
    base = own if embedded is None else establish(candidates, how.profile)
    if embedded is not None and _is_not_known(parsed, embedded):
        base, candidates = base_not_known(embedded), ()
    heeds = not how.ignore_embedded_base and not (shown and how.profile == "whatwg")
    scopes = Scopes(parsed, shown)
    one_base = not heeds or all(place.attribute != "xml:base" for place in parsed.places)
    all_known = not any(place.flags & NOT_KNOWN for place in parsed.places)
    return Document(
        parsed,
        _Finder(names, parsed, scopes, heeds),
        ordinary(how, vocabulary_of("", parsed.root)) if one_base and all_known else {},
        how,
        base,
        own,
        candidates,
        outside,
        html.query_encoder(source.encoding) if shown else None,
        notice=partial(_noticed, scopes if heeds else None, shown=shown),
    )


def _noticed(scopes: Scopes | None, document: Document, *, shown: bool) -> dict[int, tuple[Problem, ...]]:
    """What is odd about what names a base, by place."""
    found = dict(lint(document)) if shown else {}
    return found if scopes is None else found | scopes.problems(document)
