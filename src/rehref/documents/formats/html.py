"""HTML documents: their places, their base, and the references in each place.

1. The base is the first `base` element with an `href`, in the HTML namespace, not in a template, wherever it stands; it
   applies to what stands before it too (HTML Standard, "document base URL").
2. A `base` element's own `href` is a reference like any other; it is resolved against what stands outside the document:
   that of a `srcdoc` against its container's base.
3. `codebase` is the base of its own element's `data`, `classid`, `code` and `archive` (HTML 4.01 §13.3.2, §13.4),
   though not in the `whatwg` profile: browsers ignore it.
4. An empty `action` or `formaction` means the document's own URI (HTML Standard, "form submission algorithm").
5. Hash-name references (`usemap`) and `url(#id)` of SVG mean something in this document, whatever the base. (In the
   `whatwg` profile their `target` is what resolving them as URLs would give.)
6. A `srcdoc` is a document that stands in this one, and so is the markup in a conditional comment. Their references are
   relative to this document's base; a `srcdoc` may have a base of its own, relative to that.
7. The text of a `script` has references if it is an import map, speculation rules or JSON-LD. `@base` in the latter is
   the base of what it applies to.
8. Where nothing says the encoding, and the bytes beyond ASCII do not tell it either, since there are none, queries are
   encoded as browsers do it then, in windows-1252. (A query may have characters all the same: `?q=&eacute;`.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial

from rehref.base import Base, Candidate, Layers, Scope, establish
from rehref.carriers import css
from rehref.carriers import html_context as context
from rehref.carriers.kinds import Carrier, Found, Kind
from rehref.carriers.syntaxes import FIND
from rehref.documents.base_lint import lint
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import Document, Reference, at, inner_references
from rehref.documents.formats.html_names import STYLESHEET, CarrierNames, carrier_names, is_of_codebase
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import HTML, IN_TEMPLATE, SVG, Core, Parsed, Place
from rehref.parsers.registry import core as core_named
from rehref.parsers.source.twin import TwinScan
from rehref.text.source import Source
from rehref.text.url_encoders import encode_for_urls
from rehref.uri.whatwg import Encode

_SCRIPT_DATA: dict[context.ScriptData, Carrier] = {
    "import-map": Carrier("import-map", "resource", "HTML Standard, import maps"),
    "speculation-rules": Carrier("speculation-rules", "resource", "HTML Standard, speculation rules"),
    "json-ld": Carrier("json-ld", "metadata", "JSON-LD 1.1"),
}
_DEEPEST = 8
"""Documents in documents that are read."""
_CONDITION = re.compile(r"\[if[^\]]*+\]>").match
_OF_BROWSERS = "windows-1252"
_UTF = frozenset({"utf-8", "utf-16le", "utf-16be", "replacement"})


def siblings(parsed: Parsed, number: int) -> dict[str, str]:
    """The values of all wanted attributes of the element that place `number` is on."""
    places = parsed.places
    tag = places[number].tag
    first = last = number
    while first > 0 and places[first - 1].tag == tag:
        first -= 1
    while last < len(places) and places[last].tag == tag:
        last += 1
    return {place.attribute: place.value for place in places[first:last] if place.attribute is not None}


def embedded_base(parsed: Parsed) -> Candidate | None:
    """The document's embedded base (rule 1)."""
    places = parsed.places
    for number in _bases(places):
        place = places[number]
        if place.attribute == "href" and place.namespace == HTML and not place.flags & IN_TEMPLATE:
            return Candidate(place.value, "embedded", f"<base href>{at(parsed, number)}")
    return None


def _bases(places: Sequence[Place]) -> Iterable[int]:
    """The numbers of the places on `base` elements."""
    if isinstance(places, TwinScan):
        return places.bases()
    return [number for number, place in enumerate(places) if place.element == "base"]


def carrier_of(names: CarrierNames, parsed: Parsed, number: int) -> Carrier | None:
    """How place `number` carries references; None if it carries none."""
    place = parsed.places[number]
    element, namespace, attribute = place.element, place.namespace, place.attribute
    if attribute is None:
        if element == "style":
            return STYLESHEET
        if element == "script" and namespace == HTML:
            data = context.script_data(siblings(parsed, number).get("type"))
            return None if data is None else _SCRIPT_DATA[data]
        return None
    if namespace == HTML and (element, attribute) in context.CONTEXT:
        return context.decide(element, attribute, siblings(parsed, number))
    carrier = names.carrier(namespace, element, attribute)
    # what calls no function in CSS has no URL; and `@import` means nothing in an attribute
    return None if carrier is not None and carrier.syntax == "css" and "(" not in place.value else carrier


def carried(names: CarrierNames, parsed: Parsed, number: int) -> int:
    """What place `number` carries, as the compiled twin is told (`CarrierNames`)."""
    element, namespace, *_ = parsed.places[number]
    return names.code(carrier_of(names, parsed, number), namespace, element)


def find(names: CarrierNames, document: Document, number: int) -> Sequence[Reference]:
    """The references in one place."""
    place = document.parsed.places[number]
    element = place.element
    if element == "#comment" or (place.attribute == "srcdoc" and element == "iframe" and place.namespace == HTML):
        return _inner(names, document, number)
    carrier = carrier_of(names, document.parsed, number)
    if carrier is None:
        return ()
    references = []
    syntax = carrier.syntax
    for found in FIND[syntax](place.value):
        start, end, text, form, _, kind = found
        kind = kind or carrier.kind
        if syntax == "css":
            kind = css.kind_of(found, kind)
        elif text[:1] == "#" and place.namespace == SVG and element != "a":
            kind = "fragment"
        base = _base_of(document, place, number, found, kind)
        references.append(Reference(number, start, end, text, form, syntax, kind, base))
    return references


def _base_of(document: Document, place: Place, number: int, found: Found, kind: Kind) -> BoundResolver | None:
    """What a reference in a place is relative to; None: the document's base (rules 2 to 5)."""
    element, attribute = place.element, place.attribute
    if kind == "base" and element == "base":
        return document.against_own if document.container is None else document.container.against
    if found.text == "" and attribute in ("action", "formaction"):
        return document.against_own
    if document.how.profile != "whatwg":
        if kind == "fragment":
            return document.against_own
        if is_of_codebase(element, attribute):
            codebase = siblings(document.parsed, number).get("codebase")
            if codebase is not None:
                where = f"codebase of <{element}>{at(document.parsed, number)}"
                return against_embedded(document, (codebase,), where, "codebase")
    return against_embedded(document, found.bases, "@base", "@base") if found.bases else None


def against_embedded(document: Document, bases: Sequence[str], where: str, scope: Scope) -> BoundResolver:
    """What resolves references relative to bases in the document, nearest first; browsers know no codebase."""
    candidates = (*(Candidate(base, "embedded", where, scope=scope) for base in bases), *document.candidates)
    known = document.embedded.get(candidates)
    if known is None:
        base = establish(candidates, document.how.profile)
        browsers = document.candidates if scope == "codebase" else candidates
        known = document.embedded[candidates] = document.relative_to(base, browsers)
    return known


def _inner(names: CarrierNames, document: Document, number: int) -> Sequence[Reference]:
    """The references of the document that stands in a place (rule 6)."""
    element, _, _, value, *_ = document.parsed.places[number]
    offset, end = 0, len(value)
    if element == "#comment":
        condition = _CONDITION(value)
        if condition is None or document.depth:
            return ()
        offset, end = condition.end(), value.rfind("<![")
        end = len(value) if end < offset else end
    inner = document.inner.get(number)
    if inner is None:
        if document.depth >= _DEEPEST:
            return ()
        source = Source(value[offset:end])
        inner = document.inner[number] = _read_inner(names, document, number, source, in_comment=element == "#comment")
    return inner_references(document, number, inner, offset)


def _read_inner(names: CarrierNames, document: Document, number: int, source: Source, *, in_comment: bool) -> Document:
    parsed = core_named().parse(source, names.wanted)
    candidates, base = document.candidates, document.base
    embedded = None if in_comment else embedded_base(parsed)
    if embedded is not None:
        where = f"<base href> in the srcdoc{at(document.parsed, number)}"
        candidates = (Candidate(embedded.reference, "embedded", where), *candidates)
        base = establish(candidates, document.how.profile)
    return Document(
        parsed,
        partial(find, names),
        names.ordinary,
        document.how,
        base,
        document.own,
        candidates,
        document.outside,
        document.encode,
        document,
        document.depth + 1,
        notice=None if in_comment else lint,
        guessed=document.guessed,
        carriers=names,
        carried=partial(carried, names),
    )


@cache
def query_encoder(name: str | None) -> Encode | None:
    """What writes the queries of a document in its encoding, if that is not UTF-8 or UTF-16 (URL Standard)."""
    if name is None or name in _UTF:
        return None
    return partial(_encode, name)


def _encode(name: str, text: str) -> bytes | None:
    return encode_for_urls(text, name)


def read(source: Source, core: Core, layers: Layers, how: ReadOptions = READ_OPTIONS) -> Document:
    """Read an HTML document: find its places, establish its base. Raises nothing on markup."""
    names = carrier_names(how)
    return understood(source, core.parse(source, names.wanted), names, layers, how)


def understood(source: Source, parsed: Parsed, names: CarrierNames, layers: Layers, how: ReadOptions) -> Document:
    """The HTML document that a core has read, looking for `names.wanted` and maybe more; see `read`."""
    outside = layers.candidates()
    own = establish(outside, how.profile)
    embedded = None if how.ignore_embedded_base else embedded_base(parsed)
    candidates = outside if embedded is None else (embedded, *outside)
    base: Base = own if embedded is None else establish(candidates, how.profile)
    finder: Callable[[Document, int], Sequence[Reference]] = partial(find, names)
    is_guess = source.undeclared and not source.data.isascii()
    encoder = query_encoder(_OF_BROWSERS if source.undeclared and not is_guess else source.encoding)
    return Document(
        parsed,
        finder,
        names.ordinary,
        how,
        base,
        own,
        candidates,
        outside,
        encoder,
        notice=lint,
        guessed=source.encoding if is_guess else None,
        carriers=names,
        carried=partial(carried, names),
    )
