"""The names of elements and attributes that carry references in HTML, as a core is asked for them.

1. What carries references is in the tables of `rehref.carriers`, and in what a reader selects besides.
2. `ordinary` has those attributes that always hold one reference, which is relative to the document's base: no other
   attribute decides anything about it, and its kind is not one that stays in the document.
3. The text of `script` is asked for because it may be data with references; its `type` tells.
4. The compiled twin reads the micro-syntaxes in `_SYNTAXES` itself. It is told what each attribute carries in a byte
   (`_native/references.h`): 0, that it is for Python to read; 1, nothing; 2, that Python is to be asked, since other
   attributes decide; else a micro-syntax, a kind of `_KINDS`, and whether `#x` is a fragment whatever the kind. Kinds
   that are never written come first, that of fragments before all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from rehref.carriers.html_attributes import ANY, HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS, Table
from rehref.carriers.html_context import CONTEXT
from rehref.carriers.kinds import Carrier, Kind, Syntax
from rehref.documents.custom_attributes import custom_attribute
from rehref.documents.document import LOCAL_KINDS, Names
from rehref.options import ReadOptions
from rehref.parsers.contract import HTML, MATHML, SVG, Wanted
from rehref.text.ascii import lower

CONTEXTUAL: Final = "?"
"""In `CarrierNames.ordinary`: other attributes of the element decide."""
IDLE: Final = ""
"""There: an attribute that carries no reference; it decides about others."""

_OWN_BASE = frozenset({"object", "applet"})
"""Elements whose `codebase` is the base of their other references."""
_OF_CODEBASE = frozenset({"data", "classid", "code", "archive", "object"})

STYLESHEET = Carrier("css", "resource", "HTML Standard, the style element")


_SYNTAXES: tuple[Syntax, ...] = ("url", "spaces", "srcset", "css")
_KINDS: tuple[Kind, ...] = ("fragment", "namespace", "metadata", "hyperlink", "resource", "form", "citation")
_NOTHING, _ASK, _ODD, _CARRIES = 1, 2, 0, 3


@dataclass(frozen=True, slots=True)
class CarrierNames:
    """What carries references, by namespace; what of it is ordinary (rule 2); and what to ask a core for.

    It is the twin's `rehref.parsers.source.plan.Carriers`, too (rule 4).
    """

    tables: Mapping[str, Table]
    extras: Table
    ordinary: Mapping[Names, Kind | Literal["", "?"]]
    wanted: Wanted
    kinds: tuple[Kind, ...] = _KINDS

    def carrier(self, namespace: str, element: str, attribute: str) -> Carrier | None:
        """What the table says of an attribute."""
        table = self.tables.get(namespace)
        return None if table is None else table.get((element, attribute)) or table.get((ANY, attribute))

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """What an attribute of an element carries, or its text (None), as far as that alone tells (rule 4)."""
        if attribute is None:
            if element == "script" and namespace == HTML:
                return _ASK
            return self.code(STYLESHEET, namespace, element) if element == "style" else _NOTHING
        if namespace == HTML and (element, attribute) in CONTEXT:
            return _ASK
        if (element, attribute) == ("iframe", "srcdoc") or is_of_codebase(element, attribute):
            return _ODD
        return self.code(self.carrier(namespace, element, attribute), namespace, element)

    def code(self, carrier: Carrier | None, namespace: str, element: str) -> int:
        """What is carried, as the twin is told."""
        if carrier is None:
            return _NOTHING
        if carrier.syntax not in _SYNTAXES or carrier.kind not in _KINDS:
            return _ODD
        syntax, kind = _SYNTAXES.index(carrier.syntax), _KINDS.index(carrier.kind)
        hash_is_fragment = carrier.syntax == "css" or (namespace == SVG and element != "a")
        return _CARRIES + 2 * (len(_SYNTAXES) * kind + syntax) + hash_is_fragment


def is_of_codebase(element: str, attribute: str | None) -> bool:
    """Whether an attribute is relative to the `codebase` of its element (HTML 4.01 §13.3.2, §13.4)."""
    return element in _OWN_BASE and attribute in _OF_CODEBASE


@lru_cache(maxsize=32)
def carrier_names(how: ReadOptions) -> CarrierNames:
    """The names for documents that are read so. Raises `CustomAttributeError`."""
    extras = {
        (element, attribute): Carrier(syntax, kind, "as asked for")
        for element, attribute, syntax, kind in map(custom_attribute, how.attributes)
    }
    # what the specifications say of an attribute goes before
    tables: dict[str, Table] = {HTML: {**extras, **HTML_CARRIERS}, SVG: SVG_CARRIERS, MATHML: MATHML_CARRIERS}
    return CarrierNames(tables, extras, _ordinary(tables[HTML]), _wanted(tables, how))


def _ordinary(table: Table) -> dict[Names, Kind | Literal["", "?"]]:
    kinds: dict[Names, Kind | Literal["", "?"]] = {
        (HTML, element, attribute): carrier.kind
        for (element, attribute), carrier in table.items()
        if element != ANY and carrier.syntax == "url" and carrier.kind not in LOCAL_KINDS and element not in _OWN_BASE
    }
    for (element, attribute), deciding in CONTEXT.items():
        kinds[HTML, element, attribute] = CONTEXTUAL
        kinds.update({(HTML, element, name): IDLE for name in deciding if (element, name) not in table})
    kinds[HTML, "script", "type"] = kinds[HTML, "base", "target"] = IDLE
    return kinds


def _wanted(tables: Mapping[str, Table], how: ReadOptions) -> Wanted:
    on: dict[str, set[str]] = {"iframe": {"srcdoc"}, "script": {"type"}, "base": {"target"}}
    for (element, _), names in CONTEXT.items():
        on.setdefault(element, set()).update(names)
    anywhere: set[str] = set()
    for table in tables.values():
        for element, attribute in table:
            name = lower(attribute)
            if element != ANY:
                on.setdefault(lower(element), set()).add(name)
                continue
            anywhere.add(name)
    return Wanted(
        frozenset(anywhere),
        {name: frozenset(attributes) for name, attributes in on.items()},
        frozenset({"style", "script", "#comment"} if how.conditional_comments else {"style", "script"}),
        scripting=how.scripting,
    )
