"""The places that carry references in HTML: the names that a core is asked for, and what any place carries.

The tables of `documents/_carriers/` list them; options may add more, for HTML, and if they name the element for SVG
too. One byte says what a place carries, for the compiled twin (`_native/references.h`) and for the checker: one of the
five numbers below, or a micro-syntax, a kind of `KINDS`, and whether `#x` is a fragment whatever the kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents._carriers.html_attributes import (
    ANY,
    HTML_CARRIERS,
    MATHML_CARRIERS,
    SVG_CARRIERS,
    Table,
)
from rehref.documents._carriers.html_context import CONTEXT, decide, script_data, style_sheet
from rehref.documents.options import ReadOptions
from rehref.markup.places import HTML, MATHML, SVG, Parsed, Wanted, attributes_beside
from rehref.text import lower
from rehref.uri.syntaxes import OF_TWIN, Carrier, Kind

ODD: Final = 0
"""Python must read it."""
NOTHING: Final = 1
ASK: Final = 2
"""Other attributes of the element decide."""
DECIDES: Final = 3
"""Nothing, but it is one of those (one that carries something all the same is `ODD`)."""
DOCUMENT: Final = 4
"""HTML that is a document of its own."""

_CARRIES = 5
_LOCAL: tuple[Kind, ...] = ("fragment", "namespace", "metadata", "base")
KINDS: Final[tuple[Kind, ...]] = (*_LOCAL, "hyperlink", "resource", "form", "citation")
"""Kinds that are never written come first, and fragments before all others."""
OF_BASE = _CARRIES + 2 * len(OF_TWIN) * KINDS.index("base")
"""What names a base: the `href` of a `base`, a `codebase`, an `xml:base`."""
_BELOW = 200
"""From there on: a micro-syntax, a kind, and it is relative to the `codebase` of the element, if there is one."""
_BELOW_SYNTAXES = "url", "spaces"
_STYLED = frozenset({HTML, SVG})
"""The namespaces that have a `style` element."""
_ALSO_DECIDING = {
    HTML: {("script", "type"), ("style", "type"), ("link", "rev")},  # with `rev` alone it is not a link to the checker
    SVG: {("style", "type")},
}
_DECIDING: Final[Mapping[str, frozenset[tuple[str, str]]]] = {
    namespace: frozenset(
        also | {(element, name) for (element, _), names in CONTEXT[namespace].items() for name in names}
    )
    for namespace, also in _ALSO_DECIDING.items()
}
_WITH_REL = frozenset({"a", "area", "form", "link"})
_OWN_BASE = frozenset({"object", "applet"})
"""Elements whose `codebase` is the base of their other references."""
_OF_CODEBASE = frozenset({"data", "classid", "code", "archive", "object"})


def hash_is_fragment(carrier: Carrier, namespace: str, element: str) -> bool:
    """Whether `#x` has the kind `fragment` there, whatever the carrier's kind: in CSS, and in SVG except for links."""
    return carrier.syntax == "css" or (namespace == SVG and element != "a")


def code_of(carrier: Carrier | None, namespace: str, element: str, kinds: tuple[Kind, ...] = KINDS) -> int:
    """The byte for a carrier."""
    if carrier is None:
        return NOTHING
    if carrier.syntax not in OF_TWIN or carrier.kind not in kinds or carrier.kind == "base":
        return ODD
    syntax, kind = OF_TWIN.index(carrier.syntax), kinds.index(carrier.kind)
    return _CARRIES + 2 * (len(OF_TWIN) * kind + syntax) + hash_is_fragment(carrier, namespace, element)


def _kind_of_one(code: int) -> Kind | None:
    number, fragments = divmod(code - _CARRIES, 2)
    kind, syntax = divmod(number, len(OF_TWIN))
    is_one = code < _BELOW and not fragments and OF_TWIN[syntax] == "url"
    return KINDS[kind] if is_one and len(_LOCAL) <= kind < len(KINDS) else None


KIND_OF_ONE: Final[Mapping[int, Kind]] = {code: kind for code in range(256) if (kind := _kind_of_one(code)) is not None}
"""The kinds, by the bytes that mean that the value is one reference that may leave the document."""


class HtmlCarriers(NamedTuple):
    """What carries references, by namespace; what options add; and what to ask a core for.

    It is a `rehref.markup.twin_exchange.DocumentCarriers`. The texts of `script` and `style` are asked for because they
    may be data with references, or CSS; `type` decides.
    """

    tables: Mapping[str, Table]
    extras: Table
    wanted: Wanted
    kinds: tuple[Kind, ...] = KINDS

    def carrier(self, namespace: str, element: str, attribute: str) -> Carrier | None:
        """The carrier for an attribute in the tables."""
        table = self.tables.get(namespace)
        return None if table is None else table.get((element, attribute)) or table.get((ANY, attribute))

    def carrier_of(self, parsed: Parsed, number: int) -> Carrier | None:
        """How place `number` carries references; None if it carries none."""
        place = parsed.places[number]
        element, namespace, attribute = place.element, place.namespace, place.attribute
        if attribute is None:
            if element == "script" and namespace == HTML:
                return script_data(attributes_beside(parsed.places, number).get("type"))
            is_style = element == "style" and namespace in _STYLED
            return style_sheet(attributes_beside(parsed.places, number).get("type")) if is_style else None
        if (element, attribute) in CONTEXT.get(namespace, ()):
            return decide(element, attribute, attributes_beside(parsed.places, number))
        carrier = self.carrier(namespace, element, attribute)
        # without a function call in CSS there is no URL; and `@import` has no meaning in an attribute
        return None if carrier is not None and carrier.syntax == "css" and "(" not in place.value else carrier

    def carried(self, parsed: Parsed, number: int) -> int:
        """The byte for place `number`, with all attributes that decide about it."""
        element, namespace, *_ = parsed.places[number]
        return code_of(self.carrier_of(parsed, number), namespace, element)

    def may_have_rel(self, element: str) -> bool:
        """See `DocumentCarriers`."""
        return element in _WITH_REL or bool(self.extras)

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """The byte for an attribute of an element, or for its text (None), as far as the name decides."""
        if attribute is None:
            has_type = (element == "script" and namespace == HTML) or (element == "style" and namespace in _STYLED)
            return ASK if has_type else NOTHING
        if (element, attribute) in CONTEXT.get(namespace, ()):
            return ASK
        if (element, attribute) == ("iframe", "srcdoc"):
            return DOCUMENT if namespace == HTML else ODD
        if is_relative_to_codebase(element, attribute):
            return _code_below(self.carrier(namespace, element, attribute))
        carrier = self.carrier(namespace, element, attribute)
        is_base = carrier is not None and carrier.kind == "base" and carrier.syntax == "url"
        if is_base and namespace == HTML and (attribute == "codebase" or (element, attribute) == ("base", "href")):
            return OF_BASE
        if (element, attribute) in _DECIDING.get(namespace, ()):
            return DECIDES if carrier is None else ODD
        return code_of(carrier, namespace, element)


def _code_below(carrier: Carrier | None) -> int:
    """The byte for a carrier of references that are relative to the `codebase` of their element."""
    if carrier is None:
        return NOTHING
    if carrier.syntax not in _BELOW_SYNTAXES or carrier.kind not in KINDS:
        return ODD
    return _BELOW + 2 * KINDS.index(carrier.kind) + _BELOW_SYNTAXES.index(carrier.syntax)


def is_relative_to_codebase(element: str, attribute: str | None) -> bool:
    """Whether an attribute is relative to the `codebase` of its element (HTML 4.01 §13.3.2, §13.4)."""
    return element in _OWN_BASE and attribute in _OF_CODEBASE


def html_carriers(how: ReadOptions) -> HtmlCarriers:
    """The carriers for documents that are read with these options. Raises `CustomAttributeError`."""
    return _carriers(how.attributes, scripting=how.scripting, comments=how.conditional_comments, names=how.names)


@lru_cache(maxsize=32)
def _carriers(attributes: tuple[str, ...], *, scripting: bool, comments: bool, names: bool) -> HtmlCarriers:
    extras: dict[tuple[str, str], Carrier] = {}
    if attributes:
        from rehref.documents._custom_attributes import custom_attribute

        for element, attribute, syntax, kind in map(custom_attribute, attributes):
            extras[element, attribute] = Carrier(syntax, kind, "as asked for")
    # what the specifications say about an attribute takes precedence
    of_elements = {name: carrier for name, carrier in extras.items() if name[0] != ANY}
    tables: dict[str, Table] = {
        HTML: {**extras, **HTML_CARRIERS},
        SVG: {**of_elements, **SVG_CARRIERS},
        MATHML: MATHML_CARRIERS,
    }
    return HtmlCarriers(tables, extras, _wanted(tables, scripting=scripting, comments=comments, names=names))


def _wanted(tables: Mapping[str, Table], *, scripting: bool, comments: bool, names: bool) -> Wanted:
    on: dict[str, set[str]] = {"iframe": {"srcdoc"}, "script": {"type"}, "style": {"type"}, "base": {"target"}}
    on |= {element: {"rel"} for element in _WITH_REL}  # for Link.rel
    on["link"].add("as")  # what is preloaded, for rules (`rehref.rewriting._rules.pywb_modifiers`)
    for carriers in CONTEXT.values():
        for (element, _), deciding in carriers.items():
            on.setdefault(element, set()).update(map(lower, deciding))
    # what any element may have means something else on links of SVG (`hash_is_fragment`)
    on.setdefault("a", set()).update(lower(attribute) for element, attribute in tables[SVG] if element == ANY)
    anywhere: set[str] = set()
    for table in tables.values():
        for element, attribute in table:
            wanted = anywhere if element == ANY else on.setdefault(lower(element), set())
            wanted.add(lower(attribute))
    if names:
        anywhere.add("id")
        for element, name in (("a", "name"), ("map", "name"), ("link", "rev")):
            on.setdefault(element, set()).add(name)
    return Wanted(
        frozenset(anywhere),
        {name: frozenset(attributes) for name, attributes in on.items()},
        frozenset({"style", "script", "#comment"} if comments else {"style", "script"}),
        scripting=scripting,
    )
