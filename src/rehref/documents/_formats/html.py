"""HTML documents: their places, their base, and the references in each place.

The base is the first `base` element in tree order with an `href`, wherever it is; it applies to the references before
it too (HTML Standard, "document base URL"). Its own `href` is resolved against the base from outside the document.
Hash-name references (`usemap`) and `url(#id)` of SVG refer to this document, whatever the base; an empty `action` means
the document's own URI. The markup in a conditional comment is a part of this document, with its base and encoding.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import partial

from rehref.documents._bases.bases_of_values import resolver_of
from rehref.documents._bases.bound_resolver import (
    Bases,
    BoundResolver,
    HasBases,
    bases_outside,
    query_encoder,
)
from rehref.documents._bases.resolvers import Resolvers
from rehref.documents._carriers.html_attributes import CSS_ATTRIBUTES
from rehref.documents._format_rules import FormatRules, Parts, Tag
from rehref.documents._formats import DocumentFormat
from rehref.documents._formats.html_carriers import (
    HtmlCarriers,
    hash_is_fragment,
    html_carriers,
    is_relative_to_codebase,
)
from rehref.documents.base import Base, Candidate, Layers, Problem
from rehref.documents.document import Document
from rehref.documents.link import Inner, Reference
from rehref.documents.options import ReadOptions
from rehref.markup.cores import core as core_named
from rehref.markup.html_encoding import sniff_html
from rehref.markup.parsed import Core
from rehref.markup.places import (
    BEFORE_OTHERS,
    HTML,
    IN_TEMPLATE,
    CompleteParsed,
    Parsed,
    Place,
    Wanted,
    at,
    complete,
)
from rehref.markup.twin import may_be_on
from rehref.text.encoding import Source
from rehref.uri.syntaxes import SYNTAXES, Kind, Occurrence

_DEEPEST = 8
"""The maximum depth of documents inside documents that are read."""
_CONDITION = re.compile(r"\[if[^\]]*+\]>").match
_OF_BROWSERS = "windows-1252"
_METAS = Wanted(on={"meta": frozenset({"http-equiv", "name", "content"}), "base": frozenset({"href"})})


def base_elements(parsed: Parsed) -> list[int]:
    """The places of the `base` elements that became the one that counts when they were read.

    They are in the HTML namespace and not in a template. Foster parenting may put one before others that are before it
    in the source.
    """
    found: list[int] = []
    for number in may_be_on(parsed.places, "base"):
        place = parsed.places[number]
        is_base = place.element == "base" and place.namespace == HTML and not place.flags & IN_TEMPLATE
        if is_base and place.attribute == "href" and (not found or place.flags & BEFORE_OTHERS):
            found.append(number)
    return found


def embedded_base(
    parsed: Parsed, elements: Sequence[int], bases: Bases, policies: Sequence[tuple[int, str]] | None = None
) -> Candidate | None:
    """The base that a document embeds; `elements`: its `base_elements`, or the first of them; `bases`: those outside.

    `policies`: those in the document (`policies_in`), if they are known.
    """
    if not elements:
        return None
    from rehref.documents._bases.policies_on_bases import base_policy, policies_in  # most documents have no base

    number = elements[-1]
    known = policies_in(parsed) if policies is None else policies
    before = (value for place, value in known if place < number)
    policy = base_policy((*bases.policies, *before), bases.own.uri)
    where = f"<base href>{at(parsed, number)}"
    return Candidate(parsed.places[number].value, "embedded", where, policy=policy)


def find(
    carriers: HtmlCarriers, document: Document, number: int, within: HasBases | None = None
) -> Sequence[Reference]:
    """The references in one place. `within`: the part of the document that has it, if that has another base."""
    part = within or document
    place = document.parsed.places[number]
    element = place.element
    if element == "#comment" or (place.attribute == "srcdoc" and element == "iframe" and place.namespace == HTML):
        return _inner(carriers, document, number, part)
    carrier = carriers.carrier_of(document.parsed, number)
    if carrier is None:
        return ()
    has_fragments = hash_is_fragment(carrier, place.namespace, element)
    references = []
    for found in SYNTAXES[carrier.syntax].find(place.value):
        kind = "fragment" if has_fragments and found.text[:1] == "#" else found.kind or carrier.kind
        base = _base_of(document, place, number, found, kind, part)
        references.append(Reference.of(found, number, carrier.syntax, kind, base))
    return references


def _base_of(
    document: Document, place: Place, number: int, found: Occurrence, kind: Kind, within: HasBases
) -> BoundResolver | None:
    """The resolver for a reference in a place; None: that of the document, or its part."""
    element, attribute = place.element, place.attribute
    if kind == "base" and element == "base":
        return document.resolvers.around
    if found.text == "" and attribute in ("action", "formaction"):
        return document.resolvers.own
    if document.how.profile != "whatwg":
        if kind == "fragment":
            return document.resolvers.own
        if is_relative_to_codebase(element, attribute):
            codebase = document.parsed.attributes_at(number).get("codebase")
            if codebase is not None:
                return below_codebase(document, number, codebase, within)
    if (
        document.resolvers.encode is not None
        and attribute in CSS_ATTRIBUTES
        and not found.text.isascii()
        and not found.property
    ):
        return within.resolver.in_utf8
    return resolver_of(document, found, within)


def below_codebase(document: Document, number: int, codebase: str, within: HasBases) -> BoundResolver:
    """The resolver for what is relative to the `codebase` of an element that place `number` is on.

    That is its `data`, `classid`, `code` and `archive` (HTML 4.01 §13.3.2, §13.4), except in the `whatwg` profile:
    browsers ignore it.
    """
    candidate = Candidate(codebase, "embedded", _where(document, number), scope="codebase")
    return document.resolvers.below_codebase(candidate, within)


def base_of_codebase(document: Document, number: int, uri: str | None, tag: Tag | None) -> Base:
    """The base that the `codebase` in a place of the document names (`Parts`)."""
    if uri is not None and not document.base.rejected:
        where = _where(document, number) if tag is None else "codebase of <{}> at {}:{}".format(*tag)
        return Base(uri, "embedded", where, scope="codebase")
    return _below_codebase(document, number).base


def _where(document: Document, number: int) -> str:
    return f"codebase of <{document.parsed.places[number].element}>{at(document.parsed, number)}"


def _below_codebase(document: Document, number: int) -> BoundResolver:
    return below_codebase(document, number, document.parsed.places[number].value, document)


def _depth(document: Document) -> int:
    """How many documents contain this one, one inside the other."""
    return 0 if document.container is None else _depth(document.container) + 1


def _inner(carriers: HtmlCarriers, document: Document, number: int, within: HasBases) -> Sequence[Reference]:
    """The references of the document inside a place.

    Browsers load a `srcdoc` when they read its `iframe`, so its base is the one that this document has there ("about
    base URL"): a `base` behind it does not count. It may have one of its own, relative to that. Its encoding is UTF-8.
    """
    element, _, _, value, *_ = document.parsed.places[number]
    offset, end = 0, len(value)
    in_comment = element == "#comment"
    if in_comment:
        condition = _CONDITION(value)
        if condition is None or document.container is not None:
            return ()
        offset, end = condition.end(), value.rfind("<![")
        end = len(value) if end < offset else end
    inner = document.inner.get(number)
    if inner is None:
        if _depth(document) >= _DEEPEST:
            return ()
        source = Source(value[offset:end])
        inner = document.inner[number] = _read_inner(carriers, document, number, source, within, in_comment=in_comment)
    return inner_references(document, number, inner, offset)


def inner_references(document: Document, number: int, inner: Document, offset: int) -> list[Reference]:
    """The references of a document inside place `number` of another, from character `offset` on."""
    found = []
    for reference in inner.references():
        span = inner.parsed.span(reference.place, reference.start, reference.end)
        assert span is not None  # the `source` core has read it
        start, end = offset + span[0], offset + span[1]
        within = Inner(inner, offset, reference)
        found.append(reference._replace(place=number, start=start, end=end, base=None, inner=within, notes=()))
    return found


def _read_inner(
    carriers: HtmlCarriers, document: Document, number: int, source: Source, within: HasBases, *, in_comment: bool
) -> Document:
    parsed = complete(core_named().parse(source, carriers.wanted))
    elements = [] if in_comment else base_elements(parsed)
    # the base of the page is around this document, even without one of its own
    bases = within.bases if in_comment else _bases_at(document, number, within)._replace(around=None)
    if not in_comment:  # nor is it without the policies of the page (HTML Standard, "policy container")
        before = (value for place, value in document.declared.policies if place < number)
        bases = bases._replace(policies=(*bases.policies, *before))
    embedded = embedded_base(parsed, elements, bases)
    if embedded is not None:
        embedded = embedded._replace(where=f"<base href> in the srcdoc{at(document.parsed, number)}")
    return Document(
        parsed=parsed,
        format=_rules(carriers, notice=not in_comment),
        how=document.how,
        resolvers=Resolvers(
            bases.with_embedded(embedded, document.how),
            document.how,
            encode=document.resolvers.encode if in_comment else None,
            guessed=document.resolvers.guessed,
            base_elements=elements,
            is_inner=True,
        ),
        container=document,
        limit=document.limit,
    )


_PARTS = Parts(base_of_codebase, _below_codebase)


def _bases_at(document: Document, number: int, within: HasBases) -> Bases:
    """The bases that a document, or the part of it that has the place, has when place `number` has been read."""
    if within is not document:
        return within.bases
    elements, around = document.resolvers.base_elements, document.bases.around
    read = bisect_left(elements, number)
    if around is None or read == len(elements):
        return document.bases
    embedded = embedded_base(document.parsed, elements[:read], around, document.declared.policies)
    return around.with_embedded(embedded, document.how)


def problems_of_bases(document: Document, late: bool) -> Mapping[int, tuple[Problem, ...]]:
    """The problems of `base` elements (`rehref.documents._bases.base_lint`), by place; most documents have none."""
    from rehref.documents._bases.base_lint import lint

    return lint(document, late=late)


def read(source: Source, layers: Layers, how: ReadOptions = ReadOptions.DEFAULT, core: Core | None = None) -> Document:
    """Read an HTML document: find its places, establish its base. Raises nothing on markup.

    If nothing declares the encoding, and there are no bytes beyond ASCII, queries are encoded in windows-1252, as in
    browsers. (A query may still have such characters: `?q=&eacute;`.) `core`: the core that reads the markup, if not
    the one that `how` names.
    """
    carriers = html_carriers(how)
    if how.metas:
        parsed = core_named().parse(source, _METAS)
    else:
        parsed = (core or how.core()).parse(source, carriers.wanted)
    return understood(source, complete(parsed), carriers, layers, how)


def understood(
    source: Source, parsed: CompleteParsed, carriers: HtmlCarriers, layers: Layers, how: ReadOptions
) -> Document:
    """The HTML document that a core has read, looking at least for `carriers.wanted`; see `read`."""
    elements = base_elements(parsed)
    bases = bases_outside(layers, how)
    embedded = None if how.ignore_embedded_base else embedded_base(parsed, elements, bases)
    is_guess = source.undeclared and not source.data.isascii()
    return Document(
        parsed=parsed,
        format=_rules(carriers),
        how=how,
        resolvers=Resolvers(
            bases.with_embedded(embedded, how),
            how,
            encode=query_encoder(_OF_BROWSERS if source.undeclared and not is_guess else source.encoding),
            guessed=source.encoding if is_guess else None,
            base_elements=elements,
        ),
    )


def _rules(carriers: HtmlCarriers, *, notice: bool = True) -> FormatRules:
    return FormatRules(partial(find, carriers), carriers, notice=problems_of_bases if notice else None, parts=_PARTS)


FORMAT = DocumentFormat(read, sniff_html)
