"""HTML documents: their places, their base, and every reference resolved.

1. What carries references is in the tables of `rehref.carriers`; a core is asked for those names and no others.
2. The base is the first `base` element with an `href`, in the HTML namespace, not in a template, wherever it stands; it
   applies to what stands before it too (HTML Standard, "document base URL").
3. A `base` element's own `href` is a reference like any other; it is resolved against what stands outside the document.
4. `codebase` is the base of its own element's `data`, `classid`, `code` and `archive` (HTML 4.01 §13.3.2, §13.4),
   though not in the `whatwg` profile: browsers ignore it.
5. An empty `action` or `formaction` means the document's own URI (HTML Standard, "form submission algorithm").
6. A reference of a scheme that has no hierarchy (`javascript:`, `data:`, `mailto:` …) is its own target, as written.
7. Hash-name references (`usemap`) and `url(#id)` of SVG mean something in this document, whatever the base. (In the
   `whatwg` profile their `target` is what resolving them as URLs would give.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from rehref.base import Base, Candidate, Layers, clean, establish
from rehref.carriers import context, css
from rehref.carriers.kinds import Carrier, Kind, Syntax
from rehref.carriers.syntaxes import FIND
from rehref.carriers.table import HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS
from rehref.documents.link import Link, Problem
from rehref.documents.problems import BrowserBase, browser_base, problems_of
from rehref.parsers.contract import HTML, IN_TEMPLATE, MATHML, SVG, Core, Parsed, Source, Wanted
from rehref.uri.components import split
from rehref.uri.resolver import Profile, Resolver
from rehref.uri.same_document import is_current_document
from rehref.uri.whatwg import ResolutionError

_TABLES = {HTML: HTML_CARRIERS, SVG: SVG_CARRIERS, MATHML: MATHML_CARRIERS}
_OF_CODEBASE = frozenset({"data", "classid", "code", "archive", "object"})
_STYLESHEET = Carrier("css", "resource", "HTML Standard, the style element")


@lru_cache(maxsize=1)
def wanted_names() -> Wanted:
    """The names a core is asked for."""
    on: dict[str, set[str]] = {}
    for (element, _), deciding in context.CONTEXT.items():
        on.setdefault(element, set()).update(deciding)
    anywhere: set[str] = set()
    for table in _TABLES.values():
        for element, attribute in table:
            if element == "*":
                anywhere.add(attribute.lower())
            else:
                on.setdefault(element.lower(), set()).add(attribute.lower())
    return Wanted(
        frozenset(anywhere), {name: frozenset(attributes) for name, attributes in on.items()}, frozenset({"style"})
    )


class Reference(NamedTuple):
    """A reference found, not yet resolved: characters `start` to `end` of the decoded value of place number `place`.

    `text` is what is written there means; `form` says how a replacement is to be written in this micro-syntax.
    """

    place: int
    start: int
    end: int
    text: str
    form: str
    syntax: Syntax
    kind: Kind


@dataclass
class HtmlDocument:
    """An HTML document that has been read. `links` gives what it refers to."""

    parsed: Parsed
    references: Sequence[Reference]
    profile: Profile
    base: Base
    """What references are relative to."""
    own: Base
    """The document's own URI: what would be the base without an embedded one."""
    candidates: tuple[Candidate, ...]

    def links(self) -> Iterator[Link]:
        """Every reference as a `Link`, in document order."""
        for reference in self.references:
            yield self.link(reference)

    def link(self, reference: Reference) -> Link:
        """Resolve one reference (RFC 3986 §5.2)."""
        element, _, attribute, _, start, _, _, _ = self.parsed.places[reference.place]
        base = self._base_of(reference)
        cleaned = clean(reference.text)
        target, resolvable = self._target(cleaned, base)
        same = reference.kind == "fragment" or self._is_own(target, cleaned, base)
        browser = self._browser_base(base)
        problems = problems_of(reference.text, cleaned, target, self.profile, browser, resolvable=resolvable)
        if base.origin == "embedded" and not same and is_current_document(cleaned) and reference.kind not in _LOCAL:
            problems += (Problem("leaves-document", f"the base, {base.where}, makes this leave the document"),)
        line, column = self.parsed.locate(reference.place, reference.start)
        span = None if start is None else self.parsed.span(reference.place, reference.start, reference.end)
        kind = reference.kind
        return Link(reference.text, target, base, element, attribute, kind, line, column, span, same, problems)

    def _base_of(self, reference: Reference) -> Base:
        """The base of one reference: the document's, but for rules 3, 4 and 5."""
        place = self.parsed.places[reference.place]
        if reference.kind == "base" and place[0] == "base":
            return self.own
        if reference.text == "" and place[2] in ("action", "formaction"):
            return self.own
        if reference.kind == "fragment" and self.profile != "whatwg":
            return self.own
        if place[2] in _OF_CODEBASE and place[0] in ("object", "applet") and self.profile != "whatwg":
            codebase = _siblings(self.parsed, reference.place).get("codebase")
            if codebase is not None:
                where = f"codebase of <{place[0]}>{at(self.parsed, reference.place)}"
                return self._codebase(codebase, where)
        return self.base

    def _codebase(self, codebase: str, where: str) -> Base:
        return establish((Candidate(codebase, "embedded", where), *self.candidates), self.profile)

    def _target(self, cleaned: str, base: Base) -> tuple[str | None, bool]:
        """The target of a cleaned reference, and whether there was something to resolve it against."""
        uri = base.uri
        if ":" in cleaned:
            parts = split(cleaned)
            if parts.scheme is not None:
                if parts.authority is None and parts.path[:1] != "/" and self._keeps(parts.scheme, uri):
                    return cleaned, True
                if uri is None:
                    uri = cleaned
        if uri is None:
            return None, False
        try:
            target = self._resolver(uri)(cleaned)
        except ResolutionError:
            return None, True
        if self.profile == "rfc2396" and is_current_document(cleaned) and self.own.uri is not None:
            target = self.own.uri + cleaned  # RFC 2396 §4.2: the current document, whatever the base
        return target, True

    def _keeps(self, scheme: str, base: str | None) -> bool:
        """Whether a reference with this scheme and a rootless path means just itself (rule 6)."""
        if self.profile == "whatwg":
            return False
        if self.profile == "rfc3986-compat" and base is not None:
            return (split(base).scheme or "").lower() != scheme.lower()
        return True

    def _browser_base(self, base: Base) -> BrowserBase:
        """What a browser takes for the base, where the profile has `base`."""
        key = (base.uri, base is self.own)
        known = self._browser_bases.get(key)
        if known is None:
            outside = tuple(candidate for candidate in self.candidates if candidate.origin != "embedded")
            known = browser_base(base, outside if base is self.own else self.candidates)
            self._browser_bases[key] = known
        return known

    @cached_property
    def _browser_bases(self) -> dict[tuple[str | None, bool], BrowserBase]:
        return {}

    @cached_property
    def _resolvers(self) -> dict[str, Resolver]:
        return {}

    def _resolver(self, base: str) -> Resolver:
        resolver = self._resolvers.get(base)
        if resolver is None:
            resolver = self._resolvers[base] = Resolver(base, self.profile)
        return resolver

    def _is_own(self, target: str | None, cleaned: str, base: Base) -> bool:
        """Whether the target is this document (RFC 3986 §4.4)."""
        own = self.own.uri
        if own is None or target is None:
            return is_current_document(cleaned) and base.origin != "embedded"
        return target.startswith(own) and target[len(own) : len(own) + 1] in ("", "#")


_LOCAL = frozenset({"fragment", "base", "namespace", "metadata"})


def _siblings(parsed: Parsed, number: int) -> dict[str, str]:
    """The values of all wanted attributes of the element that place `number` is on."""
    places = parsed.places
    tag = places[number][6]
    first = last = number
    while first > 0 and places[first - 1][6] == tag:
        first -= 1
    while last < len(places) and places[last][6] == tag:
        last += 1
    return {place[2]: place[3] for place in places[first:last] if place[2] is not None}


def at(parsed: Parsed, number: int) -> str:
    """Where the start tag of place `number` stands, for people: " at 5:3", or "" if the core cannot tell."""
    line, column = parsed.locate(number, None)
    if line is None:
        return ""
    return f" at {line}:{column}" if column is not None else f" at line {line}"


def embedded_base(parsed: Parsed) -> Candidate | None:
    """The document's embedded base (rule 2)."""
    for number, (element, namespace, attribute, value, _, _, _, flags) in enumerate(parsed.places):
        if element == "base" and attribute == "href" and namespace == HTML and not flags & IN_TEMPLATE:
            return Candidate(value, "embedded", f"<base href>{at(parsed, number)}")
    return None


def carrier_of(parsed: Parsed, number: int) -> Carrier | None:
    """How place `number` carries references; None if it carries none."""
    element, namespace, attribute, _, _, _, _, _ = parsed.places[number]
    if attribute is None:
        return _STYLESHEET if element == "style" else None
    if namespace == HTML and (element, attribute) in context.CONTEXT:
        return context.decide(element, attribute, _siblings(parsed, number))
    table = _TABLES.get(namespace)
    return None if table is None else table.get((element, attribute)) or table.get(("*", attribute))


def find_references(parsed: Parsed) -> list[Reference]:
    """Every reference of a parsed document, in document order."""
    references = []
    for number, place in enumerate(parsed.places):
        carrier = carrier_of(parsed, number)
        if carrier is None:
            continue
        namespace, value = place[1], place[3]
        for found in FIND[carrier.syntax](value):
            start, end, text, form = found
            kind = carrier.kind
            if text[:1] == "#" and (carrier.syntax == "css" or (namespace == SVG and place[0] != "a")):
                kind = "fragment"
            elif carrier.syntax == "css" and css.is_namespace(found):
                kind = "namespace"
            references.append(Reference(number, start, end, text, form, carrier.syntax, kind))
    return references


def read(
    source: Source, core: Core, layers: Layers, profile: Profile = "rfc3986", *, ignore_embedded_base: bool = False
) -> HtmlDocument:
    """Read an HTML document: find its references, establish its base. Raises nothing on markup."""
    parsed = core.parse(source, wanted_names())
    outside = layers.candidates()
    own = establish(outside, profile)
    embedded = None if ignore_embedded_base else embedded_base(parsed)
    candidates = outside if embedded is None else (embedded, *outside)
    base = own if embedded is None else establish(candidates, profile)
    return HtmlDocument(parsed, find_references(parsed), profile, base, own, candidates)
